"""Doubles of a register (I1): merged into one, in the log, undone; results are never rewritten."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from players.models import Person, Player
from tests.support.arrangements import arrange_once
from tests.support.html import read_hooks
from tests.support.people import sign_in
from tests.support.tournaments import Opened
from tournaments.models import Entry, EntryMember, Register, RegisterCard, RegisterLogEntry
from tournaments.register import cards, imports, merging, queries
from tournaments.register.cards import CardValues
from tournaments.register.errors import RegisterError
from tournaments.register.queries import OWN
from tournaments.retention import show_grown_names

pytestmark = pytest.mark.django_db


@arrange_once
def doubles(organiser: Player, now: datetime) -> tuple[RegisterCard, RegisterCard]:
    """Ugo Bianchi, of whom one card has a number and the other a contact and a year."""
    register = Register(organiser=organiser)
    first = CardValues(name="Ugo Bianchi", number="17", notes="vino")
    second = CardValues(name="Ugo G. Bianchi", number="18", contact="333", birth_year=now.year - 10)
    return (
        cards.add_card(register=register, by=organiser, values=first, now=now),
        cards.add_card(register=register, by=organiser, values=second, now=now),
    )


def enter(card: RegisterCard, opened: Opened, now: datetime) -> Entry:
    tournament = opened()
    entry = Entry.objects.create(tournament=tournament, created_at=now)
    EntryMember.objects.create(entry=entry, tournament=tournament, person=card.person)
    return entry


def read_cards() -> list[dict[str, object]]:
    return list(RegisterCard.objects.order_by("pk").values())


@pytest.mark.rule("I1")
def test_a_merge_fills_gaps_keeps_results_and_is_undone(
    organiser: Player, doubles: tuple[RegisterCard, RegisterCard], opened: Opened, now: datetime
) -> None:
    kept, double = doubles
    own, other = enter(kept, opened, now), enter(double, opened, now)
    before, played = read_cards(), list(EntryMember.objects.order_by("pk").values())
    client = sign_in(organiser)
    page = client.get(reverse("register-merge", args=[OWN, kept.public_id]), {"nome": "bianchi"}).content.decode()
    assert double.public_id in page
    answer = client.post(
        reverse("register-merge", args=[OWN, kept.public_id]), {"double": double.public_id}, follow=True
    )
    assert read_hooks(answer, "notice") == ["merged"]
    kept.refresh_from_db()
    assert (kept.number, kept.contact, kept.notes, kept.birth_year) == ("17", "333", "vino", now.year - 10)
    assert set(Person.objects.filter(card__in=doubles).values_list("initials", flat=True)) == {True}
    assert [card.pk for card in queries.list_cards(kept.register)] == [kept.pk]
    assert set(queries.list_tournaments(kept)) == {own.tournament, other.tournament}
    assert list(EntryMember.objects.order_by("pk").values()) == played
    assert Person.objects.get(card=double).typed_name == "Ugo G. Bianchi"
    entry = RegisterLogEntry.objects.get(code="merged")
    log = client.get(reverse("register-log", args=[OWN])).content.decode()
    assert f'value="{entry.pk}"' in log
    undo = reverse("register-unmerge", args=[OWN])
    assert read_hooks(client.post(undo, {"entry": entry.pk}, follow=True), "notice") == ["unmerged"]
    assert read_cards() == before
    shown = Person.objects.filter(card__in=doubles).order_by("pk").values_list("initials", flat=True)
    assert list(shown) == [False, True]
    assert read_hooks(client.post(undo, {"entry": entry.pk}, follow=True), "notice") == ["no_merge"]


@pytest.mark.rule("I1")
def test_what_was_changed_since_stays_when_a_merge_is_undone(
    organiser: Player, doubles: tuple[RegisterCard, RegisterCard], now: datetime
) -> None:
    kept, double = doubles
    ids = {"register": kept.register, "by": organiser, "now": now}
    merging.merge_cards(**ids, card_id=kept.public_id, double_id=double.public_id)  # type: ignore[arg-type]
    values = CardValues(name="Ugo Bianchi", number="17", notes="vino", contact="nuovo")
    cards.edit_card(**ids, card_id=kept.public_id, values=values)  # type: ignore[arg-type]
    other = CardValues(name="Ada Neri", number="18")
    taken = cards.add_card(**ids, values=other)  # type: ignore[arg-type]
    entry = RegisterLogEntry.objects.get(code="merged")
    with pytest.raises(RegisterError, match="number_taken"):
        merging.undo_merge(**ids, entry_id=entry.pk)  # type: ignore[arg-type]
    taken.delete()
    merging.undo_merge(**ids, entry_id=entry.pk)  # type: ignore[arg-type]
    kept.refresh_from_db()
    assert (kept.contact, kept.birth_year) == ("nuovo", None)


@pytest.mark.rule("I1")
def test_who_met_in_a_tournament_are_two(
    organiser: Player, doubles: tuple[RegisterCard, RegisterCard], opened: Opened, now: datetime
) -> None:
    kept, double = doubles
    entry = enter(kept, opened, now)
    EntryMember.objects.create(entry=entry, tournament=entry.tournament, person=double.person, position=1)
    client, address = sign_in(organiser), reverse("register-merge", args=[OWN, kept.public_id])
    for chosen, code in (
        (double.public_id, "played_together"),
        (kept.public_id, "same_card"),
        ("nessuna", "no_card"),
        ("", "no_card"),
    ):
        assert read_hooks(client.post(address, {"double": chosen}, follow=True), "notice") == [code]
    assert not RegisterCard.objects.filter(merged_into__isnull=False).exists()


def merge(doubles: tuple[RegisterCard, RegisterCard], by: Player, now: datetime) -> RegisterCard:
    kept, double = doubles
    merging.merge_cards(register=kept.register, by=by, card_id=kept.public_id, double_id=double.public_id, now=now)
    kept.refresh_from_db()
    return kept


def read_initials() -> list[bool]:
    return list(Person.objects.filter(card__isnull=False).order_by("pk").values_list("initials", flat=True))


@pytest.mark.rule("I1")
def test_a_double_is_a_minor_as_long_as_the_card_says_so(
    organiser: Player, doubles: tuple[RegisterCard, RegisterCard], now: datetime
) -> None:
    kept, double = doubles
    for card, year, minor in ((kept, None, True), (double, now.year - 16, False)):
        values = replace(cards.read_values(card), birth_year=year, minor=minor)
        cards.edit_card(register=card.register, by=organiser, card_id=card.public_id, values=values, now=now)
    kept = merge((kept, double), organiser, now)
    assert (read_initials(), show_grown_names(now)) == ([True, True], 0)
    assert read_initials() == [True, True]
    values = replace(cards.read_values(kept), birth_year=now.year - 14, minor=False)
    cards.edit_card(register=kept.register, by=organiser, card_id=kept.public_id, values=values, now=now)
    assert (read_initials(), show_grown_names(now + timedelta(days=366))) == ([True, True], 1)
    assert read_initials() == [False, False]


@pytest.mark.rule("I1")
def test_who_becomes_a_minor_by_a_list_is_one_in_the_results_of_the_double_too(
    organiser: Player, doubles: tuple[RegisterCard, RegisterCard], now: datetime
) -> None:
    kept, double = doubles
    values = CardValues(name="Ugo G. Bianchi", number="18", contact="333")
    cards.edit_card(register=kept.register, by=organiser, card_id=double.public_id, values=values, now=now)
    kept = merge((kept, double), organiser, now)
    assert read_initials() == [False, False]
    rows = imports.read_list(f"Scheda;Nome;Minore\n{kept.public_id};Ugo Bianchi;sì\n".encode())
    imports.stage_list(register=kept.register, by=organiser, rows=rows, now=now)
    assert not imports.import_draft(register=kept.register, by=organiser, now=now).faults
    assert read_initials() == [True, True]
