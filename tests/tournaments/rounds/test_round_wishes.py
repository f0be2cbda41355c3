"""Wishes for the rounds of a danese: byes and absences (D3), forbidden pairings and swaps by hand (D4)."""

from datetime import datetime

import pytest
from django.test import Client
from django.utils.html import strip_tags

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act
from tests.support.entries import enter_all
from tests.support.pages import tournament_url
from tests.support.people import create_person
from tests.support.play import OPENING, entry_of, open_ready, play
from tests.support.tournaments import KO, Opened, catch_code
from tests.support.transfer import rule_ready
from tournaments.desk import reinstatement
from tournaments.models import Entry, Fixture, LogEntry, RoundBye, Tournament
from tournaments.rounds import drafts, swaps
from tournaments.rounds import wishes as round_wishes
from tournaments.running import withdraw
from tournaments.running.recompute import find_differences

pytestmark = pytest.mark.django_db
Kind = RoundBye.Kind
DANESE = {"format": "danese", "format_options": {"rounds": 3}, "length_kind": "deals", "length_value": 1}


@arrange_once
def six(four: list[Player], now: datetime) -> list[Player]:
    return [*four, create_person("Elio", now), create_person("Fara", now)]


def open_danese(opened: Opened, players: list[Player], now: datetime, **more: object) -> Tournament:
    return enter_all(opened(**{**DANESE, "publishes_rounds": True, "max_entries": 8, **more}), players, now)


@arrange_once
def danese(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A danese of the four that waits for its first draft."""
    return open_danese(opened, four, now)


@arrange_once
def danese_of_six(opened: Opened, six: list[Player], now: datetime) -> Tournament:
    return open_danese(opened, six, now)


def act(service: object, tournament: Tournament, now: datetime, **values: object) -> object:
    made = service(tournament_id=tournament.pk, by=values.pop("by", tournament.organiser), now=now, **values)  # type: ignore[operator]
    tournament.refresh_from_db()
    return made


def refuse(service: object, tournament: Tournament, now: datetime, **values: object) -> str:
    by = values.pop("by", tournament.organiser)
    return catch_code(service, tournament_id=tournament.pk, by=by, now=now, **values)


def publish_next(tournament: Tournament, now: datetime) -> drafts.RoundDraft:
    draft = act(drafts.draw_round, tournament, now)
    assert isinstance(draft, drafts.RoundDraft)
    act(drafts.publish_round, tournament, now, number=draft.round)
    return draft


def play_round(tournament: Tournament, now: datetime) -> datetime:
    """Give every fixture of the round a result, by the organiser."""
    rule_ready(tournament, tournament.organiser, now)
    tournament.refresh_from_db()
    return now + OPENING


def list_met(draft: drafts.RoundDraft) -> set[frozenset[int | None]]:
    return {frozenset(pair) for pair in draft.pairs}


@pytest.mark.rule("D4")
def test_forbidden_pairs_never_meet_and_are_logged(danese_of_six: Tournament, six: list[Player], now: datetime) -> None:
    family = [entry_of(danese_of_six, player).pk for player in six[:3]]
    assert act(round_wishes.forbid_pairings, danese_of_six, now, entry_ids=family) == 3
    assert act(round_wishes.forbid_pairings, danese_of_six, now, entry_ids=family[:2]) == 0, "known already"
    assert LogEntry.objects.get(tournament=danese_of_six, code="pairing_forbidden").detail["entries"] == family
    for _round in range(2):
        draft = publish_next(danese_of_six, now)
        assert all(len(pair & set(family)) < 2 for pair in list_met(draft))
        now = play_round(danese_of_six, now)
    assert find_differences(danese_of_six) == []


@pytest.mark.rule("D4")
def test_where_nothing_is_left_the_desk_hears_which_ban_to_lift(
    danese: Tournament, four: list[Player], now: datetime
) -> None:
    own, *others = (entry_of(danese, player).pk for player in four)
    for other in others:
        act(round_wishes.forbid_pairings, danese, now, entry_ids=[own, other])
    with pytest.raises(drafts.TournamentError) as refused:
        drafts.draw_round(tournament_id=danese.pk, by=danese.organiser, now=now)
    assert (refused.value.code, refused.value.values) == ("bans_in_the_way", {"bans": "Anna / Bruno"})
    ban = danese.forbidden_pairings.first()
    assert ban is not None
    act(round_wishes.allow_pairing, danese, now, ban_id=ban.pk)
    assert frozenset((own, others[0])) in list_met(publish_next(danese, now))
    assert refuse(round_wishes.allow_pairing, danese, now, ban_id=ban.pk) == "no_such_ban"


@pytest.mark.rule("D4")
def test_without_an_organiser_bans_are_lifted_in_their_order_and_logged(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = open_danese(opened, four[:3], now, publishes_rounds=False, max_entries=4)
    own, *others = (entry_of(tournament, player).pk for player in four[:3])
    act(round_wishes.forbid_pairings, tournament, now, entry_ids=[own, others[0]])
    act(round_wishes.forbid_pairings, tournament, now, entry_ids=[own, others[1]])
    enter_all(tournament, four[3:], now)
    last = entry_of(tournament, four[3]).pk
    assert tournament.state == Tournament.State.RUNNING
    assert {own, last} in [{f.first_id, f.second_id} for f in Fixture.objects.of(tournament).filter(round__number=1)]
    assert tournament.forbidden_pairings.count() == 2
    now = play_round(tournament, now)
    lifted = LogEntry.objects.get(tournament=tournament, code="pairing_allowed")
    assert lifted.player is None
    assert lifted.detail["entries"] == [own, others[0]]
    assert tournament.forbidden_pairings.count() == 1
    assert find_differences(tournament) == []


@pytest.mark.rule("D4")
def test_two_entries_change_places_by_hand_and_the_publication_says_so(
    danese_of_six: Tournament, now: datetime
) -> None:
    first = publish_next(danese_of_six, now)
    now = play_round(danese_of_six, now)
    draft = act(drafts.draw_round, danese_of_six, now)
    assert isinstance(draft, drafts.RoundDraft)
    (a, b), (c, d), _last = draft.pairs
    possible = next(
        (one, other)
        for one, other, made in ((a, c, ((c, b), (a, d))), (a, d, ((d, b), (c, a))))
        if not {frozenset(pair) for pair in made} & list_met(first)
    )
    swapped = act(swaps.swap_entries, danese_of_six, now, first_id=possible[0], second_id=possible[1], seen=draft.key)
    assert isinstance(swapped, drafts.RoundDraft)
    assert list_met(swapped) != list_met(draft)
    assert not drafts.is_stale(danese_of_six, swapped), "what was drawn would be drawn again"
    stale = {"first_id": possible[0], "second_id": possible[1], "seen": draft.key}
    assert refuse(swaps.swap_entries, danese_of_six, now, **stale) == "draft_changed"
    act(drafts.publish_round, danese_of_six, now, number=2, seen=swapped.key)
    fixtures = Fixture.objects.of(danese_of_six).filter(round__number=2).order_by("board")
    assert [(f.first_id, f.second_id) for f in fixtures] == list(swapped.pairs)
    assert LogEntry.objects.filter(tournament=danese_of_six, code="round_published").latest("pk").detail["swaps"] == [
        list(possible)
    ]
    assert find_differences(danese_of_six) == []


@pytest.mark.rule("D4")
def test_a_swap_that_the_rules_do_not_let_be_is_refused_with_its_reason(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = open_danese(opened, [*four, create_person("Elio", now)], now)
    first = publish_next(tournament, now)
    now = play_round(tournament, now)
    draft = act(drafts.draw_round, tournament, now)
    assert isinstance(draft, drafts.RoundDraft)
    rested = first.pairs[-1][0]
    resting = draft.pairs[-1][0]
    assert refuse(swaps.swap_entries, tournament, now, first_id=rested, second_id=resting) == "swap_bye_twice"
    assert refuse(swaps.swap_entries, tournament, now, first_id=rested, second_id=0) == "swap_not_drafted"
    codes = set()
    (a, b), (c, d) = draft.pairs[:2]
    for one, other in ((a, c), (a, d), (b, c), (b, d)):
        met = {frozenset(pair) for pair in first.pairs}
        made = {frozenset(other if pk == one else one if pk == other else pk for pk in p) for p in draft.pairs[:2]}
        if made & met:
            codes.add(refuse(swaps.swap_entries, tournament, now, first_id=one, second_id=other))
    assert codes <= {"swap_rematch"}
    assert a is not None
    assert c is not None
    act(round_wishes.forbid_pairings, tournament, now, entry_ids=[a, b, c, d])
    unmet = [
        (one, other)
        for one, other in ((a, c), (a, d))
        if not {frozenset(other if pk == one else one if pk == other else pk for pk in p) for p in draft.pairs[:2]}
        & met
    ]
    for one, other in unmet:
        assert refuse(swaps.swap_entries, tournament, now, first_id=one, second_id=other) == "swap_forbidden"


@pytest.mark.rule("D4")
def test_in_a_bracket_the_draft_of_the_draw_is_swapped_by_seeds(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(KO, publishes_rounds=True), four, now)
    draft = act(drafts.draw_round, tournament, now)
    assert isinstance(draft, drafts.RoundDraft)
    (a, b), (c, d) = draft.pairs
    swapped = act(swaps.swap_entries, tournament, now, first_id=a, second_id=c)
    assert isinstance(swapped, drafts.RoundDraft)
    assert set(swapped.pairs) == {(c, b), (a, d)}
    act(drafts.publish_round, tournament, now, number=1)
    assert set(Fixture.objects.of(tournament).filter(round__number=1).values_list("first", "second")) == {
        (c, b),
        (a, d),
    }


@pytest.mark.rule("D3")
@pytest.mark.parametrize("publishes", [True, False])
def test_who_asks_for_a_bye_has_ten_vp_once_and_never_in_the_last_round(
    opened: Opened, six: list[Player], now: datetime, *, publishes: bool
) -> None:
    more = {"publishes_rounds": publishes, "max_entries": 6}
    tournament = open_danese(opened, six[:5], now, **more)
    own = entry_of(tournament, six[0])
    about = {"entry_id": own.pk, "kind": Kind.ASKED}
    assert refuse(round_wishes.leave_out, tournament, now, number=3, **about) == "bye_last_round"
    assert refuse(round_wishes.leave_out, tournament, now, number=4, **about) == "bye_round"
    assert refuse(round_wishes.leave_out, tournament, now, number=2, by=six[1], **about) == "not_organiser"
    act(round_wishes.leave_out, tournament, now, number=2, by=six[0], **about)
    assert refuse(round_wishes.leave_out, tournament, now, number=1, **about) == "bye_once"
    enter_all(tournament, six[5:], now)
    if publishes:
        publish_next(tournament, now)
    now = play_round(tournament, now)
    if publishes:
        assert (own.pk, None) in publish_next(tournament, now).pairs
    fixture = Fixture.objects.of(tournament).of_entry(own).get(round__number=2)
    assert (fixture.state, fixture.second_id, fixture.vp_0, fixture.mp_0) == ("bye", None, 10, 0)
    first = Fixture.objects.of(tournament).of_entry(own).get(round__number=1)
    assert Entry.objects.get(pk=own.pk).vp == 10 + ((first.vp_0 if first.first_id == own.pk else first.vp_1) or 0)
    rested = Fixture.objects.of(tournament).filter(round__number=2, second=None, first__isnull=False).exclude(first=own)
    assert [fixture.vp_0 for fixture in rested] == [14], "of the five that are left one has the bye of D1"
    bye = RoundBye.objects.get()
    assert refuse(round_wishes.take_bye_back, tournament, now, bye_id=bye.pk) == "no_such_bye", "it is published"
    assert find_differences(tournament) == []


@pytest.mark.rule("D3")
def test_who_is_absent_from_a_round_gets_nothing_for_it_and_plays_the_next(
    danese: Tournament, four: list[Player], now: datetime
) -> None:
    publish_next(danese, now)
    now = play_round(danese, now)
    own = entry_of(danese, four[0])
    before = own.vp
    act(round_wishes.leave_out, danese, now, entry_id=own.pk, number=2, kind=Kind.ABSENT)
    draft = publish_next(danese, now)
    assert draft.pairs[-1] == (own.pk, None)
    now = play_round(danese, now)
    assert Entry.objects.get(pk=own.pk).vp == before
    assert own.pk in {pk for pair in publish_next(danese, now).pairs for pk in pair}
    assert find_differences(danese) == []


@pytest.mark.rule("D3", "F2")
def test_a_round_that_is_drawn_again_for_who_comes_back_has_no_board_too_many(
    opened: Opened, six: list[Player], now: datetime
) -> None:
    tournament = open_danese(opened, six[:5], now, publishes_rounds=False, max_entries=6)
    for player in six[:3]:
        about = {"entry_id": entry_of(tournament, player).pk, "number": 2}
        act(round_wishes.leave_out, tournament, now, kind=Kind.ASKED, **about)
    enter_all(tournament, six[5:], now)
    *others, last = open_ready(tournament, now + OPENING)
    now = max(play(match, now) for match in others)
    leaver = Fixture.objects.of(tournament).filter(result_at__isnull=False).first()
    assert leaver is not None
    about = {"tournament_id": tournament.pk, "entry_id": leaver.first_id}
    withdraw.withdraw_entry(by=tournament.organiser, reason="Malato", now=now, **about)
    now = play(last, now)
    reinstatement.reinstate_entry(act=build_act(tournament.organiser, now), **about)
    tournament.refresh_from_db()
    second = Fixture.objects.of(tournament).filter(round__number=2, first__isnull=False)
    sides = [pk for pair in second.values_list("first", "second") for pk in pair if pk is not None]
    assert sorted(sides) == sorted(tournament.entries.values_list("pk", flat=True))
    assert find_differences(tournament) == []


@pytest.mark.rule("D3")
def test_two_entries_at_least_play_a_round(danese: Tournament, four: list[Player], now: datetime) -> None:
    publish_next(danese, now)
    play_round(danese, now)
    entries = [entry_of(danese, player).pk for player in four]
    for pk in entries[:2]:
        act(round_wishes.leave_out, danese, now, entry_id=pk, number=2, kind=Kind.ABSENT)
    about = {"entry_id": entries[2], "number": 2, "kind": Kind.ABSENT}
    assert refuse(round_wishes.leave_out, danese, now, **about) == "byes_leave_nobody"


@pytest.mark.rule("D3", "D4", "O11")
def test_the_pages_do_all_of_it(danese: Tournament, four: list[Player], organisers: Client) -> None:
    address = tournament_url("tournament-rounds", danese)
    ids = [str(entry_of(danese, player).pk) for player in four]
    organisers.post(address, {"act": "ban", "entries": ids[:2]})
    organisers.post(address, {"act": "bye", "entry": ids[2], "number": "2", "kind": "absent"})
    organisers.post(address, {"act": "draw"})
    danese.refresh_from_db()
    draft = drafts.read_draft(danese)
    assert draft is not None
    (a, _b), (c, _d) = draft.pairs
    organisers.post(address, {"act": "swap", "first": str(a), "second": str(c), "seen": "wrong"})
    page = organisers.get(address).content.decode()
    assert page.count("data-ban=") == 1
    assert page.count("data-bye=") == 1
    ban, bye = danese.forbidden_pairings.get(), RoundBye.objects.get()
    organisers.post(address, {"act": "allow", "ban": str(ban.pk)})
    organisers.post(address, {"act": "no-bye", "bye": str(bye.pk)})
    assert not danese.forbidden_pairings.exists()
    assert not RoundBye.objects.exists()
    player = Client()
    player.force_login(four[0].user)
    own = tournament_url("tournament-bye", danese)
    assert 'name="number"' in player.get(own).content.decode()
    player.post(own, {"number": "1"})
    bye = RoundBye.objects.get()
    assert 'data-bye="1"' in player.get(own).content.decode()
    player.post(own, {"bye": str(bye.pk)})
    assert not RoundBye.objects.exists()
    log = strip_tags(Client().get(tournament_url("tournament", danese)).content.decode())
    assert "Anna / Bruno" in log
