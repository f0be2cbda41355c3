"""Another SECRET_KEY, with the one of before among its fallbacks: links, codes and files of before still count."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils import timezone

from players.models import Player
from tests.support.pages import tournament_url
from tests.support.real_tables import open_real
from tests.support.tournaments import Opened, catch_code
from tournaments.hall.slip_codes import find_side_by_code, print_slips
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import DeskPass, Register, RegisterCard, ScoreSlip, Tournament
from tournaments.organise import passes
from tournaments.own_names import self_entry
from tournaments.register import cards, forgetting, imports
from tournaments.register.cards import CardValues
from tournaments.register.errors import RegisterError
from tournaments.register.tombstones import list_tombstones
from tournaments.transfer.loans import lend_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = pytest.mark.django_db

KEY = "k" * 22
UGO = CardValues(name="Ugo Bianchi")


@contextmanager
def another_key() -> Iterator[None]:
    before = settings.SECRET_KEY
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=["of yesterday", before]):
        yield


def test_a_code_on_paper_opens_its_side(hall: Tournament, now: datetime) -> None:
    printed = print_slips(tournament_id=hall.pk, by=hall.organiser, now=now)[0]
    phone, page = Client(), tournament_url("tournament-phone", hall)
    with another_key():
        assert [find_side_by_code(hall, code).side for code in printed.codes] == [0, 1]
        assert catch_code(find_side_by_code, tournament=hall, code="AAAA AAAA") == "slip_code_wrong"
        phone.post(page, {"what": "code", "code": printed.codes[0]})
        opened_digest = phone.session["slip_opened"][hall.public_id]
    assert opened_digest == ScoreSlip.objects.get(fixture=printed.fixture).digest_0, "kept as the slip has it"
    with override_settings(SECRET_KEY="another"):
        assert catch_code(find_side_by_code, tournament=hall, code=printed.codes[0]) == "slip_code_wrong"


def test_a_pass_of_the_desk_is_taken_and_works_on(hall: Tournament) -> None:
    now = timezone.now()
    tokens = [passes.make_pass(tournament_id=hall.pk, by=hall.organiser, now=now) for _number in range(2)]
    taken = passes.claim_pass(tournament_id=hall.pk, token=tokens[0], now=now)
    assert taken is not None
    with another_key():
        assert passes.find_pass(taken.digest, now) == taken
        assert passes.claim_pass(tournament_id=hall.pk, token=tokens[0], now=now) is None, "another browser has it"
        assert passes.claim_pass(tournament_id=hall.pk, token=tokens[1], now=now) is not None
    with override_settings(SECRET_KEY="another"):
        assert passes.find_pass(taken.digest, now) is None
    assert DeskPass.objects.filter(used_at=None).count() == 0


def test_who_entered_by_name_comes_back_by_their_link_and_not_twice(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)

    def enter() -> object:
        people = (TypedPerson("Ada Neri"),)
        about = {"player": None, "address": "192.0.2.7", "people": people, "own_key": KEY, "now": now}
        return self_entry.enter_by_name(tournament_id=tournament.pk, **about)  # type: ignore[arg-type]

    entry = enter()
    with another_key():
        assert self_entry.find_entry(tournament, KEY) == entry
        assert enter() == entry
        assert Client().get(tournament_url("own-entry", tournament, KEY)).status_code == 200
        self_entry.leave_by_key(tournament_id=tournament.pk, own_key=KEY, now=now)
    assert not tournament.entries.exists()


def test_a_loan_comes_home_by_its_file(hall: Tournament, organiser: Player, now: datetime) -> None:
    data = lend_tournament(tournament_id=hall.pk, by=organiser, to="Sala", now=now)
    with another_key():
        assert catch_code(take_in_file, data=data, by=organiser, now=now) == "file_unchanged", "it is known"
    with override_settings(SECRET_KEY="another"):
        assert take_in_file(data=data, by=organiser, now=now) != hall, "as another site's"


def test_a_file_of_this_site_is_its_own(hall: Tournament, organiser: Player, now: datetime) -> None:
    data = make_copy(hall, now)
    with another_key():
        assert catch_code(take_in_file, data=data, by=organiser, now=now) == "file_own"


def test_a_name_that_was_taken_out_does_not_come_back(organiser: Player, now: datetime) -> None:
    register = Register(organiser=organiser)
    card = cards.add_card(register=register, by=organiser, values=UGO, now=now)
    forgetting.forget_card(register=card.register, by=organiser, card_id=card.public_id, keeps_name=True, now=now)
    stones = list_tombstones()
    with another_key():
        with pytest.raises(RegisterError, match="name_forgotten"):
            cards.add_card(register=card.register, by=organiser, values=UGO, now=now)
        rows = imports.read_list(b"Nome\nUGO BIANCHI\n")
        imports.stage_list(register=card.register, by=organiser, rows=rows, now=now)
        assert imports.import_draft(register=card.register, by=organiser, now=now).left_out == (2,)
    restored = cards.add_card(register=card.register, by=organiser, values=UGO, now=now, namesake=True)
    with another_key():
        assert forgetting.forget_again(stones, now) == 1
    assert not RegisterCard.objects.filter(pk=restored.pk).present().exists()
