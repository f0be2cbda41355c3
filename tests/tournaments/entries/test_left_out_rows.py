"""Lists with a bad row (O2, E3, I1): the others come in without it, once that was asked for, and it waits."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from tests.support.html import read_hooks
from tests.support.people import sign_in
from tests.support.real_tables import open_real
from tests.support.tournaments import PAIRS, Opened
from tournaments.models import EntryListDraft, RegisterCard, RegisterDraft, Tournament
from tournaments.register.queries import OWN

pytestmark = [pytest.mark.django_db]


def url_of(tournament: Tournament) -> str:
    return reverse("tournament-import", args=[tournament.public_id])


@pytest.mark.rule("O2")
@pytest.mark.parametrize(
    ("sheet", "bad", "entered", "left"),
    [
        ("Nome;Circolo\nX;\nAda Neri;Arci\nUgo Bo;\n", [2], ["Ada Neri", "Ugo Bo"], "Nome;Circolo\nX;\n\n"),
        ("Ada Neri\n\nX\nUgo Bo", [3], ["Ada Neri", "Ugo Bo"], "\n\nX\n"),
    ],
    ids=["table", "names"],
)
def test_one_bad_row_keeps_no_list_out_o2(
    opened: Opened, organiser: Player, sheet: str, bad: list[int], entered: list[str], left: str
) -> None:
    tournament, client = open_real(opened), sign_in(organiser)
    told = client.post(url_of(tournament), {"text": sheet})
    assert [row for row, *_rest in told.context["problems"]] == bad
    assert not tournament.entries.exists(), "first it is asked about"
    done = client.post(url_of(tournament), {"rest": told.context["rest"]}, follow=True)
    assert read_hooks(done, "notice") == ["imported"]
    assert sorted(str(member.person) for member in tournament.members.all()) == entered
    assert EntryListDraft.objects.get().text == left
    assert [row for row, *_rest in done.context["problems"]] == bad, "the row waits where it stood"
    assert done.context["rest"] == ""


@pytest.mark.rule("O2")
def test_of_pairs_by_number_both_rows_go_or_stay_o2(opened: Opened, organiser: Player) -> None:
    tournament, client = open_real(opened, PAIRS, format="girone"), sign_in(organiser)
    text = "Coppia;Nome\n1;Ada\n2;Pia\n3;Zoe\n1;Ugo\n2;X\n"
    told = client.post(url_of(tournament), {"text": text})
    client.post(url_of(tournament), {"rest": told.context["rest"]})
    assert [str(member.person) for member in tournament.members.order_by("position")] == ["Ada", "Ugo"]
    assert EntryListDraft.objects.get().text == "Coppia;Nome\n\n2;Pia\n3;Zoe\n\n2;X"


@pytest.mark.rule("E3")
def test_one_bad_row_keeps_no_list_of_accounts_out_e3(opened: Opened, organiser: Player, anna: Player) -> None:
    tournament, client = opened(starts_at=timezone.now() + timedelta(hours=3)), sign_in(organiser)
    told = client.post(url_of(tournament), {"text": "nome\nBrunno\nAnna"})
    assert (told.context["rest_count"], told.context["invitations_count"]) == (1, 1)
    done = client.post(url_of(tournament), {"rest": told.context["rest"]}, follow=True)
    assert read_hooks(done, "notice") == ["imported"]
    assert tournament.invitations.count() == 1
    assert EntryListDraft.objects.get().text == "nome\nBrunno\n"


@pytest.mark.rule("E3", "O2")
@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize("what", ["rest", "ready"])
def test_a_list_of_another_window_loses_nothing(
    opened: Opened, organiser: Player, anna: Player, real: bool, what: str
) -> None:
    tournament = open_real(opened) if real else opened(starts_at=timezone.now() + timedelta(hours=3))
    client, other = sign_in(organiser), "nome\nBrunno\nCarla\nDino"
    told = client.post(url_of(tournament), {"text": "nome\nX\nAnna" if what == "rest" else "nome\nAnna"})
    client.post(url_of(tournament), {"text": other})
    sent = {"rest": told.context["rest"]} if what == "rest" else {"rows": told.context["ready"]}
    assert read_hooks(client.post(url_of(tournament), sent, follow=True), "notice") == ["imported"]
    assert EntryListDraft.objects.get().text == other


@pytest.mark.rule("I1")
def test_one_bad_row_keeps_no_list_out_of_a_register_i1(organiser: Player) -> None:
    client, url = sign_in(organiser), reverse("register-import", args=[OWN])
    told = client.post(url, {"act": "read", "text": "Nome\nX\nAda Neri\n<b>\nUgo Bo"}, follow=True)
    assert (told.context["rest_count"], RegisterCard.objects.count()) == (2, 0)
    done = client.post(url, {"act": "rest"}, follow=True)
    assert read_hooks(done, "notice") == ["people_imported"]
    assert sorted(card.person.typed_name for card in RegisterCard.objects.all()) == ["Ada Neri", "Ugo Bo"]
    assert [row["number"] for row in RegisterDraft.objects.get().rows] == [2, 4]
