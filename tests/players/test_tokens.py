"""Keys of programs: shown once, kept as a digest, dead in time, with the password, and with the account."""

from datetime import datetime, timedelta

import pytest
from django.core import serializers
from django.test import Client
from django.utils import timezone

from players import caps
from players.models import AccessToken, IdempotentAnswer, Player, User
from players.services import tokens
from players.services.close_account import close_account
from tests.support.keys import by_key, make_key
from tests.support.people import PASSWORD

pytestmark = pytest.mark.django_db

LIST = "/api/v1/tournaments/"


def make(player: Player, now: datetime, days: int = 30) -> tuple[AccessToken, str]:
    return tokens.create_token(user=player.user, name="x", scopes=["read"], targets=(), days=days, now=now)


@pytest.mark.rule("AP1")
def test_only_a_digest_of_it_is_kept_u1(anna: Player) -> None:
    text = make_key(anna)
    token = AccessToken.objects.get()
    assert text.startswith(tokens.PREFIX)
    assert len(text) > 40
    assert text not in serializers.serialize("json", [token])
    assert token.digest == tokens.compute_digest(text)


@pytest.mark.rule("AP1")
def test_it_opens_until_its_end_and_tells_when_it_was_last_used_u1(anna: Player, now: datetime) -> None:
    token, text = make(anna, now, days=7)
    assert tokens.find_token(text, now) == token
    token.refresh_from_db()
    assert token.used_at == now
    tokens.find_token(text, now + timedelta(seconds=59))
    token.refresh_from_db()
    assert token.used_at == now, "a row isn't written for each request"
    tokens.find_token(text, now + timedelta(minutes=1))
    token.refresh_from_db()
    assert token.used_at == now + timedelta(minutes=1)
    assert tokens.find_token(text, now + timedelta(days=7)) is None
    assert tokens.find_token(text + "x", now) is None


@pytest.mark.rule("AP1")
def test_it_dies_with_the_password_u1(anna: Player, now: datetime) -> None:
    text = make_key(anna)
    assert by_key(text).get(LIST).status_code == 200
    user = User.objects.get(pk=anna.user_id)
    user.set_password(PASSWORD + "!")
    user.save()
    answer = by_key(text).get(LIST)
    assert (answer.status_code, answer.json()["code"]) == (401, "token_invalid")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.rule("AP1")
def test_it_goes_with_the_account_u1(anna: Player, now: datetime) -> None:
    text = make_key(anna)
    User.objects.filter(pk=anna.user_id).update(is_active=False)
    assert by_key(text).get(LIST).status_code == 401
    User.objects.filter(pk=anna.user_id).update(is_active=True)
    close_account(player_id=anna.pk, now=now)
    assert not AccessToken.objects.exists()


def test_nobody_makes_more_than_a_few(anna: Player, now: datetime) -> None:
    for _number in range(caps.TOKENS_A_PERSON):
        make(anna, now)
    with pytest.raises(tokens.TooManyTokens):
        make(anna, now)
    make(anna, now + timedelta(days=30))


def test_what_is_over_is_forgotten(anna: Player, now: datetime) -> None:
    (short, _text), (long, _other) = make(anna, now, 7), make(anna, now, 30)
    for age in (timedelta(hours=25), timedelta(hours=1)):
        IdempotentAnswer.objects.create(
            token=long, route="x", key=str(age), created_at=now + timedelta(days=8) - age, body_digest=""
        )
    assert tokens.forget_tokens(now=now + timedelta(days=8)) == 1
    assert list(AccessToken.objects.all()) == [long]
    assert IdempotentAnswer.objects.count() == 1
    assert short.pk


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer x", "bearer \xff\xfe", "Bearer smz_" + "a" * 5000])
def test_a_key_that_is_none_is_refused_not_ignored(anna: Player, header: str) -> None:
    answer = Client(headers={"authorization": header}).get(LIST)
    assert (answer.status_code, answer.headers["Content-Type"]) == (401, "application/problem+json")


def test_another_kind_of_header_is_none_of_ours(anna: Player) -> None:
    assert Client(headers={"authorization": "Basic YTpi"}).get(LIST).status_code == 200
    assert timezone.now()
