"""Late entries of a danese (D2): drawn from the next round on, ten VP for each round missed, at most two."""

from datetime import datetime

import pytest
from django.test import Client

from players.models import Person, Player
from tests.support.arrangements import arrange_once
from tests.support.entries import enter_all
from tests.support.pages import tournament_url
from tests.support.play import OPENING, entry_of
from tests.support.tournaments import GIRONE, Opened, catch_code
from tests.support.transfer import rule_ready
from tournaments.models import Club, Entry, Fixture, LogEntry, RoundBye, Tournament
from tournaments.rounds import drafts, late_entries
from tournaments.rounds import wishes as round_wishes
from tournaments.running.recompute import find_differences

pytestmark = [pytest.mark.django_db, pytest.mark.rule("D2")]
DANESE = {"format": "danese", "format_options": {"rounds": 4}, "length_kind": "deals", "length_value": 1}


def begin(opened: Opened, players: list[Player], now: datetime, **more: object) -> Tournament:
    tournament = enter_all(opened(**{**DANESE, "publishes_rounds": True, "max_entries": 8, **more}), players, now)
    publish_next(tournament, now)
    return tournament


def publish_next(tournament: Tournament, now: datetime) -> drafts.RoundDraft:
    draft = drafts.draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    drafts.publish_round(tournament_id=tournament.pk, number=draft.round, by=tournament.organiser, now=now)
    tournament.refresh_from_db()
    return draft


def play_round(tournament: Tournament, now: datetime) -> datetime:
    """Give every fixture of the round a result, by the organiser."""
    rule_ready(tournament, tournament.organiser, now)
    tournament.refresh_from_db()
    return now + OPENING


def come_late(tournament: Tournament, person: Person, now: datetime) -> Entry:
    made = late_entries.add_late_entry(tournament_id=tournament.pk, people=[person], by=tournament.organiser, now=now)
    tournament.refresh_from_db()
    return made


def get_person(player: Player) -> Person:
    return Person.objects.get(player=player)


@arrange_once
def late_one(consenting: Club, four: list[Player]) -> Player:
    return four[3]


def test_who_comes_late_is_drawn_from_the_next_round_and_has_ten_vp_a_missed_one(
    opened: Opened, four: list[Player], consenting: Club, now: datetime
) -> None:
    tournament = begin(opened, four[:3], now, club_id=consenting.pk, format_options={"rounds": 3})
    entry = come_late(tournament, get_person(four[3]), now)  # while the first round is played
    assert Entry.objects.get(pk=entry.pk).vp == 10
    missed = Fixture.objects.of(tournament).get(first=entry)
    assert (missed.round.number, missed.state, missed.vp_0, missed.mp_0, missed.second_id) == (1, "bye", 10, 0, None)
    assert find_differences(tournament) == []
    now = play_round(tournament, now)
    second = publish_next(tournament, now)
    assert entry.pk in {pk for pair in second.pairs for pk in pair}
    assert len(second.pairs) == 2, "four are paired without a bye"
    now = play_round(tournament, now)
    publish_next(tournament, now)
    now = play_round(tournament, now)
    assert tournament.state == Tournament.State.FINISHED
    assert find_differences(tournament) == []
    assert LogEntry.objects.get(tournament=tournament, code="joined_late").detail == {"entries": [entry.pk], "round": 2}
    for name in ("tournament", "standings", "ranks"):
        assert "Dino" in Client().get(tournament_url(name, tournament)).content.decode()


def test_after_the_round_that_was_set_nobody_comes_in(
    opened: Opened, four: list[Player], consenting: Club, now: datetime
) -> None:
    options = {"rounds": 3, "late": 1}
    tournament = begin(opened, four[:3], now, club_id=consenting.pk, format_options=options)
    late = {"tournament_id": tournament.pk, "people": [get_person(four[3])], "by": tournament.organiser, "now": now}
    assert catch_code(late_entries.add_late_entry, **late) == "late_closed"
    assert tournament.format_options["late"] == 1


def test_two_rounds_at_most_are_missed_and_no_bye_is_asked_for_besides(
    opened: Opened, four: list[Player], consenting: Club, now: datetime
) -> None:
    people = [Person.objects.create(typed_name=name) for name in ("Zeno", "Ugo")]
    tournament = begin(opened, four, now)
    now = play_round(tournament, now)
    publish_next(tournament, now)
    now = play_round(tournament, now)
    entry = come_late(tournament, people[0], now)
    assert Entry.objects.get(pk=entry.pk).vp == 20
    ask = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now, "kind": RoundBye.Kind.ASKED}
    assert catch_code(round_wishes.leave_out, entry_id=entry.pk, number=3, **ask) in ("byes_many", "bye_last_round")
    publish_next(tournament, now)
    late = {"tournament_id": tournament.pk, "people": people[1:], "by": tournament.organiser, "now": now}
    assert catch_code(late_entries.add_late_entry, **late) == "late_closed"


def test_who_has_not_agreed_or_is_in_already_or_is_not_whole_is_refused(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = begin(opened, four[:3], now)
    late = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    dino, anna = get_person(four[3]), get_person(four[0])
    assert catch_code(late_entries.add_late_entry, people=[dino], **late) == "not_invitable"
    assert catch_code(late_entries.add_late_entry, people=[anna], **late) == "already_entered"
    assert catch_code(late_entries.add_late_entry, people=[], **late) == "late_people"
    late["by"] = four[0]
    assert catch_code(late_entries.add_late_entry, people=[dino], **late) == "not_organiser"


def test_in_the_other_formats_entries_close_with_the_draw(
    opened: Opened, four: list[Player], consenting: Club, now: datetime
) -> None:
    tournament = enter_all(opened(GIRONE, max_entries=3, club_id=consenting.pk), four[:3], now)
    late = {"tournament_id": tournament.pk, "people": [get_person(four[3])], "by": tournament.organiser, "now": now}
    assert catch_code(late_entries.add_late_entry, **late) == "late_closed"


def test_the_page_takes_names_and_keeps_what_it_refuses(
    opened: Opened, four: list[Player], consenting: Club, organisers: Client, now: datetime
) -> None:
    tournament = begin(opened, four[:3], now, club_id=consenting.pk)
    address = tournament_url("tournament-rounds", tournament)
    refused = organisers.post(address, {"act": "late", "player": "Nessuno Così"})
    assert 'value="Nessuno Così"' in refused.content.decode()
    assert organisers.post(address, {"act": "late", "player": "Dino"}).status_code == 302
    assert entry_of(tournament, four[3]).seed == 4
