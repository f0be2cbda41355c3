"""Forgotten on request (I1): gone from the register, replaced in results, and not brought back by imports or copies."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from players.models import Person, Player
from tests.support.arrangements import arrange_once
from tests.support.html import read_hooks
from tests.support.people import create_person, sign_in
from tests.support.tournaments import Opened
from tournaments.core.locking import write_log
from tournaments.core.log_details import ReplacementDetail, WithdrawalDetail
from tournaments.models import (
    Club,
    ClubMember,
    Entry,
    EntryMember,
    ForgottenName,
    LogEntry,
    Register,
    RegisterCard,
    Tournament,
)
from tournaments.register import cards, forgetting, imports
from tournaments.register.cards import CardValues
from tournaments.register.errors import RegisterError
from tournaments.register.queries import OWN

pytestmark = pytest.mark.django_db

UGO = CardValues(name="Ugo Bianchi", number="T-17", contact="333 1234567", notes="porta il vino")


@arrange_once
def card(organiser: Player, now: datetime) -> RegisterCard:
    return cards.add_card(register=Register(organiser=organiser), by=organiser, values=UGO, now=now)


def play(person: Person, opened: Opened, organiser: Player, now: datetime, state: str = "finished") -> Tournament:
    """Return a tournament in which the person has played, and of which the log speaks."""
    tournament = opened()
    entry = Entry.objects.create(tournament=tournament, created_at=now)
    EntryMember.objects.create(entry=entry, tournament=tournament, person=person)
    reason = f"{person.name} sta male; ugo bianchi va a casa, Ugolino no"
    write_log(tournament, "withdrawn", now, organiser, WithdrawalDetail(entry=entry.pk, reason=reason))
    Tournament.objects.filter(pk=tournament.pk).update(state=state)
    return tournament


def read_everything(tournament: Tournament) -> str:
    """Return what everybody is shown of a tournament."""
    addresses = [reverse("tournament", args=[tournament.public_id])]
    addresses += [reverse("tournament-print", args=[tournament.public_id, "iscritti"])]
    addresses += [reverse(f"export-{kind}", args=[tournament.public_id, "iscritti"]) for kind in ("csv", "json")]
    return "".join(Client().get(address).content.decode() for address in addresses)


@pytest.mark.rule("I1")
@pytest.mark.parametrize("choice", ["gone", "name"])
def test_who_asks_goes_from_the_register_and_results_keep_what_they_choose(
    choice: str, organiser: Player, card: RegisterCard, opened: Opened, now: datetime
) -> None:
    tournament = play(card.person, opened, organiser, now)
    version = Tournament.objects.get(pk=tournament.pk).version
    assert "Ugo Bianchi" in read_everything(tournament)
    client, address = sign_in(organiser), reverse("register-forget", args=[OWN, card.public_id])
    assert client.get(address).status_code == 200
    assert read_hooks(client.post(address, {"results": choice}, follow=True), "notice") == ["forgotten"]
    assert not RegisterCard.objects.exists()
    kept = choice == "name"
    shown = read_everything(tournament)
    names = Client().get(reverse("export-json", args=[tournament.public_id, "iscritti"])).json()["entries"]
    assert ("Ugo Bianchi" in shown, [row["name"] for row in names]) == (kept, ["Ugo Bianchi" if kept else "ritirato"])
    reason = LogEntry.objects.get(code="withdrawn").detail["reason"]
    assert reason.startswith("Ugo Bianchi sta male; ugo bianchi" if kept else "ritirato sta male; ritirato va")
    assert reason.endswith("Ugolino no")
    assert (Tournament.objects.get(pk=tournament.pk).version > version) is not kept
    assert LogEntry.objects.filter(code="name_forgotten").exists() is not kept
    stored = str([list(model.objects.values()) for model in (Person, ForgottenName, LogEntry)])
    assert kept or "bianchi" not in stored.lower()
    for secret in (UGO.number, UGO.contact, UGO.notes):
        assert secret not in stored


@pytest.mark.rule("I1")
def test_who_never_played_leaves_nothing(organiser: Player, card: RegisterCard, now: datetime) -> None:
    forgetting.forget_card(register=card.register, by=organiser, card_id=card.public_id, keeps_name=False, now=now)
    assert not Person.objects.filter(player=None).exists()


@pytest.mark.rule("I1")
def test_nobody_is_forgotten_while_entered(
    organiser: Player, card: RegisterCard, opened: Opened, now: datetime
) -> None:
    tournament = play(card.person, opened, organiser, now, state="running")
    client, address = sign_in(organiser), reverse("register-forget", args=[OWN, card.public_id])
    assert read_hooks(client.post(address, follow=True), "notice") == ["still_entered"]
    Entry.objects.filter(tournament=tournament).update(withdrawn_at=now)
    Tournament.objects.filter(pk=tournament.pk).update(lent_to="Sala")
    assert read_hooks(client.post(address, follow=True), "notice") == ["lent"]
    assert RegisterCard.objects.exists()
    Tournament.objects.filter(pk=tournament.pk).update(lent_to="")
    assert read_hooks(client.post(address, follow=True), "notice") == ["forgotten"]


@pytest.mark.rule("I1")
def test_an_import_does_not_bring_them_back(organiser: Player, card: RegisterCard, now: datetime) -> None:
    register, listed = card.register, b"Nome;Tessera\nUGO BIANCHI;T-17\nAda Neri;\n"
    imports.stage_list(register=register, by=organiser, rows=imports.read_list(listed), now=now)
    forgetting.forget_card(register=register, by=organiser, card_id=card.public_id, keeps_name=True, now=now)
    draft = imports.find_draft(register, organiser)
    assert draft is not None
    assert [row.name for row in imports.list_rows(draft)] == ["Ada Neri"], "nor does a draft remember"
    imports.stage_list(register=register, by=organiser, rows=imports.read_list(listed), now=now)
    page = sign_in(organiser).get(reverse("register-import", args=[OWN]))
    assert read_hooks(page, "note") == ["ready", "left_out"]
    assert imports.import_draft(register=register, by=organiser, now=now).left_out == (2,)
    assert [str(card) for card in RegisterCard.objects.all()] == ["Ada Neri"]
    with pytest.raises(RegisterError, match="name_forgotten"):
        cards.add_card(register=register, by=organiser, values=UGO, now=now)
    cards.add_card(register=register, by=organiser, values=UGO, now=now, namesake=True)  # another of that name


@pytest.mark.rule("I1")
def test_any_typed_name_is_taken_out_by_who_runs_the_tournament_or_by_the_staff(
    organiser: Player, opened: Opened, now: datetime
) -> None:
    people = [Person.objects.create(typed_name="Ugo Bianchi", suffix=suffix) for suffix in ("", "2")]
    tournament = play(people[0], opened, organiser, now)
    entry = Entry.objects.create(tournament=tournament, created_at=now)
    EntryMember.objects.create(entry=entry, tournament=tournament, person=people[1])
    address = reverse("name-forget", args=[tournament.public_id])
    for reader in (None, create_person("Sandro", now)):
        assert sign_in(reader).get(address).status_code == 404
        assert sign_in(reader).post(address, {"person": people[0].pk}).status_code == 404
    client = sign_in(organiser)
    assert read_hooks(client.post(address, {"person": people[1].pk}, follow=True), "notice") == ["forgotten"]
    reason = LogEntry.objects.get(code="withdrawn").detail["reason"]
    assert "Ugo Bianchi sta male" in reason, "the namesake's name stays"
    staff = create_person("Stella", now)
    staff.user.is_staff = True
    staff.user.save()
    assert read_hooks(sign_in(staff).post(address, {"person": people[0].pk}, follow=True), "notice") == ["forgotten"]
    assert read_hooks(client.get(address), "note") == ["no_typed_names"]
    names = [person.name for person in Person.objects.filter(player=None).order_by("pk")]
    assert names == ["ritirato (2)", "ritirato"]
    english = Client(headers={"accept-language": "en"}).get(reverse("tournament", args=[tournament.public_id]))
    assert "withdrawn (2)" in english.content.decode()


@pytest.mark.rule("I1")
@pytest.mark.parametrize("asked", ["keeper", "staff", "other"])
def test_a_card_goes_only_by_its_keeper_or_the_staff_and_the_register_says_so(
    asked: str, organiser: Player, card: RegisterCard, opened: Opened, now: datetime
) -> None:
    """The owner of the tournament's club runs it too, and keeps another register than the card's."""
    club = Club.objects.create(name="Bocciofila", created_at=now)
    owner, staff = create_person("Olga", now), create_person("Stella", now)
    ClubMember.objects.create(club=club, player=owner, role=ClubMember.Role.ADMIN, confirmed=True, since=now)
    tournament, elsewhere = (play(card.person, opened, organiser, now) for _ in range(2))
    Tournament.objects.filter(pk=tournament.pk).update(club=club)
    tournament.refresh_from_db()
    entry = tournament.entries.get()
    act = ReplacementDetail(reason="stanco", act="una", entry=entry.pk, changed=(card.person_id, card.person_id))
    write_log(tournament, "ruling_replace", now, organiser, act)
    by = {"keeper": organiser, "staff": staff, "other": owner}[asked]
    forgetting.forget_typed_name(
        tournament=tournament, by=by, person_id=card.person_id, staff=asked == "staff", now=now
    )
    assert tournament.members.get().person.is_forgotten
    changed = LogEntry.objects.get(code="ruling_replace").detail
    assert changed["changed"] == [tournament.members.get().person_id] * 2
    assert changed["act"] == "una", "what is of this site stays"
    logged = [entry.code for entry in card.register.log.all()]
    if asked == "other":
        assert (str(RegisterCard.objects.get()), elsewhere.members.get().person.name) == ("Ugo Bianchi",) * 2
        assert logged == ["added"]
    else:
        assert not RegisterCard.objects.exists()
        assert elsewhere.members.get().person.is_forgotten
        assert logged == ["forgotten", "added"]


@pytest.mark.rule("I1")
def test_a_restored_copy_forgets_again(
    organiser: Player, card: RegisterCard, opened: Opened, now: datetime, tmp_path: Path
) -> None:
    typed = Person.objects.create(typed_name="Ada Neri")
    tournament, file = play(typed, opened, organiser, now), tmp_path / "forgotten.jsonl"
    forgetting.forget_card(register=card.register, by=organiser, card_id=card.public_id, keeps_name=True, now=now)
    known: dict[str, Any] = {"tournament": tournament, "by": organiser, "staff": False, "now": now}
    forgetting.forget_typed_name(**known, person_id=typed.pk)
    call_command("forgotten", "export", file)
    assert not [name for name in ("Ada", "Neri", "Ugo", "Bianchi") if name in file.read_text()]
    ForgottenName.objects.all().delete()
    Person.objects.filter(pk=typed.pk).update(typed_name="Ada Neri")
    cards.add_card(register=card.register, by=organiser, values=UGO, now=now)
    call_command("forgotten", "apply", file)
    assert Person.objects.get(pk=typed.pk).name == "ritirato"
    assert not RegisterCard.objects.exists()
    assert ForgottenName.objects.count() == 2
    call_command("forgotten", "apply", file)
    file.write_text("{}\n[")
    with pytest.raises(CommandError):
        call_command("forgotten", "apply", file)


@pytest.mark.rule("I1")
def test_privacy_says_who_answers_for_a_register() -> None:
    page = Client().get(reverse("privacy")).content.decode()
    assert "Chi è in un registro può chiedere a chi lo tiene" in " ".join(page.split())
