"""Fees and prizes (O10): who paid by one touch, totals, prizes by rank with what is shared, refunds. No money moves."""

from collections import Counter
from dataclasses import replace
from datetime import datetime
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.desk import build_act
from tests.support.html import read_attribute, read_hooks
from tests.support.people import sign_in
from tests.support.real_tables import draw_real, list_round, open_real, publish_next, type_names
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.core.reads import read_entries
from tournaments.desk.results import Decision, set_result
from tournaments.entries import approvals
from tournaments.fees import actions
from tournaments.fees.forms import FeesForm, format_prizes
from tournaments.fees.queries import FeeTotals, read_fee_rows, read_shares, read_totals
from tournaments.fees.shares import Contender, Prize, PrizeChoice, Share, share_prizes
from tournaments.models import Payment, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O10")]


def total(tournament: Tournament) -> FeeTotals:
    return read_totals(tournament, read_fee_rows(tournament, read_entries(tournament)))


def set_fees(tournament: Tournament, now: datetime, fee: int, *prizes: Prize) -> None:
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    actions.set_fees(fee_cents=fee, prizes=prizes, **about)  # type: ignore[arg-type]
    tournament.refresh_from_db()


@pytest.mark.parametrize(
    ("ranks", "cents", "expected"),
    [
        ((1, 2, 3), (100, 50, 20), {1: 100, 2: 50, 3: 20}),
        ((1, 1, 3), (100, 50, 20), {1: 75, 2: 75, 3: 20}),
        ((1, 2, 2, 2), (100, 50, 21), {1: 100, 2: 25, 3: 23, 4: 23}),  # 71 by three: the rest to the first named
        ((1, 2, 3, 3), (100,), {1: 100}),
        ((2, 3), (100, 50), {1: 100, 2: 50}),  # who was ahead takes none: the others move up
    ],
)
def test_who_is_level_shares_what_their_places_are_worth(
    ranks: tuple[int, ...], cents: tuple[int, ...], expected: dict[int, int]
) -> None:
    contenders = [Contender(number, rank, number) for number, rank in enumerate(ranks, start=1)]
    shares = share_prizes(contenders, [Prize(amount) for amount in cents])
    assert {share.entry_id: share.cents for share in shares} == expected


def things(shares: list[Share]) -> dict[int, tuple[tuple[str, str], ...]]:
    return {share.entry_id: tuple((thing.what, thing.by) for thing in share.things) for share in shares}


def test_what_cannot_be_divided_is_given_once_to_the_first_drawn_of_those_who_share() -> None:
    prizes = [Prize(100, "un prosciutto"), Prize(50), Prize(0, "una coppa"), Prize(0, "un salame")]
    level = [Contender(number, 1, number, drawn) for number, drawn in ((1, 3), (2, 1), (3, 2))]
    shares = share_prizes([*level, Contender(4, 4, 4)], prizes)
    assert [share.cents for share in shares] == [50, 50, 50, 0], "the money stays shared"
    assert things(shares) == {
        1: (), 2: (("un prosciutto", "lot"),), 3: (("una coppa", "lot"),), 4: (("un salame", "place"),),
    }  # fmt: skip


def test_what_the_organiser_chose_holds_while_the_chosen_shares_the_place_and_the_lot_gives_the_rest() -> None:
    prizes = [Prize(0, "un prosciutto"), Prize(0, "una coppa")]
    level = [Contender(1, 1, 1, drawn=1), Contender(2, 1, 2, drawn=2), Contender(3, 3, 3)]
    choice = {1: PrizeChoice("un prosciutto", 2, "D'accordo fra loro")}
    given = share_prizes(level, prizes, choices=choice)
    assert things(given) == {1: (("una coppa", "lot"),), 2: (("un prosciutto", "choice"),)}
    assert given[1].things[0].reason == "D'accordo fra loro"
    by_lot = {1: (("un prosciutto", "lot"),), 2: (("una coppa", "lot"),)}
    assert things(share_prizes(level, [Prize(0, "un salame"), prizes[1]], choices=choice))[1] == (("un salame", "lot"),)
    assert things(share_prizes(level, prizes, choices={1: replace(choice[1], entry_id=3)})) == by_lot
    alone = [Contender(2, 1, 1), Contender(1, 2, 2)]
    assert things(share_prizes(alone, prizes, choices={1: replace(choice[1], entry_id=1)}))[2] == (
        ("un prosciutto", "place"),
    )


def test_every_thing_of_the_places_that_are_taken_is_given_once_whatever_the_ranks_and_the_choices() -> None:
    prizes = [Prize(0, "un prosciutto"), Prize(10, "una coppa"), Prize(5)]
    choices = (
        {},
        {1: PrizeChoice("un prosciutto", 2, "x")},
        {n: PrizeChoice(prizes[n - 1].what, 3, "x") for n in (1, 2)},
    )
    for ranks, no_winner, chosen in product(product(range(1, 4), repeat=4), (False, True), choices):
        placed = [1 + sum(other < rank for other in ranks) for rank in ranks]
        if no_winner:
            if placed.count(1) < 2:
                continue  # nobody stands at the second place alone
            placed = [max(2, place) for place in placed]
        contenders = [Contender(number, place, number, -number) for number, place in enumerate(placed)]
        shares = share_prizes(contenders, prizes, everybody=Counter(placed), choices=chosen)
        given = sorted(what for share in shares for what in share.what)
        assert given == (["una coppa"] if no_winner else ["un prosciutto", "una coppa"])


def test_without_a_winner_both_finalists_take_the_second_prize() -> None:
    contenders = [Contender(1, 2, 1), Contender(2, 2, 2), Contender(3, 3, 3)]
    shares = share_prizes(contenders, [Prize(100), Prize(50), Prize(20)], everybody={2: 2, 3: 1})
    assert [share.cents for share in shares] == [25, 25, 20]


@pytest.mark.rule("O10", "K5")
def test_without_a_winner_nobody_gets_the_first_prize_not_even_alone() -> None:
    contenders = [Contender(1, 2, 1), Contender(2, 3, 2), Contender(3, 3, 3)]  # the other finalist is absent
    shares = share_prizes(contenders, [Prize(100), Prize(50), Prize(20)], everybody={2: 2, 3: 2})
    assert [(share.entry_id, share.cents) for share in shares] == [(1, 50), (2, 10), (3, 10)]


@pytest.mark.rule("O10", "K5")
def test_where_both_semifinals_were_forfeited_the_first_two_prizes_are_nobodys() -> None:
    contenders = [Contender(number, 3, number) for number in range(1, 5)]
    shares = share_prizes(contenders, [Prize(100), Prize(50), Prize(20), Prize(8)], everybody={3: 4})
    assert [(share.first, share.last, share.cents) for share in shares] == [(3, 4, 7)] * 4
    one_played = [Contender(1, 1, 1), *(Contender(number, 3, number) for number in range(2, 5))]
    shares = share_prizes(one_played, [Prize(100), Prize(50), Prize(21)], everybody={1: 1, 3: 3})
    assert [(share.first, share.cents) for share in shares] == [(1, 100), (3, 7), (3, 7), (3, 7)]


def test_every_cent_of_the_places_that_are_taken_is_given_once() -> None:
    for ranks in product(range(1, 5), repeat=4):
        contenders = [Contender(number, rank, number) for number, rank in enumerate(ranks)]
        prizes = [Prize(101), Prize(53), Prize(7)]
        assert sum(share.cents for share in share_prizes(contenders, prizes)) == 161


def test_prizes_are_typed_a_row_a_place() -> None:
    form = FeesForm(
        {"fee": "12,50", "prizes": "100\n50,5 € + un prosciutto\nuna coppa\n\n1 prosciutto\n1.000 €\n€ 20 e coppa\n"}
    )
    assert form.is_valid(), form.errors
    assert form.count_fee_cents() == 1250
    prizes = form.cleaned_data["prizes"]
    assert prizes == [
        Prize(10000), Prize(5050, "un prosciutto"), Prize(0, "una coppa"), Prize(0), Prize(0, "1 prosciutto"),
        Prize(100000), Prize(2000, "e coppa"),
    ]  # fmt: skip
    assert FeesForm().fields["prizes"].clean(format_prizes(prizes)) == prizes


def test_one_touch_notes_who_paid_and_another_takes_it_back(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    ada, bice = type_names(tournament, ["Ada", "Bice"], now)
    client = sign_in(tournament.organiser)
    url = reverse("tournament-fees", args=[tournament.public_id])
    about = {"tournament_id": tournament.pk, "by": tournament.organiser}
    assert catch_code(actions.mark_paid, entry_id=ada.pk, now=now, **about) == "no_fee"
    set_fees(tournament, now, 1000)
    for _touch in range(2):
        client.post(url, {"entry": ada.pk, "pagato": "1"})
    assert total(tournament) == FeeTotals(collected=1000, refunded=0, prizes=0, paid=1, unpaid=1)
    client.post(url, {"entry": ada.pk, "annulla": "1"})
    assert total(tournament).collected == 0
    assert catch_code(actions.unmark_paid, entry_id=bice.pk, **about) == "not_paid"


def test_a_refund_is_noted_and_the_till_is_right_when_the_entry_is_gone(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    ada, bice = type_names(tournament, ["Ada", "Bice"], now)
    set_fees(tournament, now, 1000)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    for entry in (ada, bice):
        actions.mark_paid(entry_id=entry.pk, **about)
    assert catch_code(actions.note_refund, entry_id=ada.pk, cents=1001, **about) == "refund_range"
    client = sign_in(tournament.organiser)
    client.post(reverse("tournament-fees", args=[tournament.public_id]), {"entry": ada.pk, "rimborso": "4,00"})
    approvals.remove_entry(entry_id=ada.pk, **about)
    assert (total(tournament).collected, total(tournament).refunded, total(tournament).balance) == (2000, 400, 1600)
    assert Payment.objects.filter(entry=None).count() == 2


def test_while_a_knock_out_runs_the_best_places_wait_for_who_is_still_in(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, KO)
    set_fees(tournament, now, 0, Prize(100), Prize(50), Prize(20))
    assert read_shares(tournament, read_entries(tournament)) == []
    for fixture in list_round(tournament, 1):
        decision, act = Decision(points=(7, 4), winner=0), build_act(tournament.organiser, now)
        set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)
    tournament.refresh_from_db()
    shares = [row.share for row in read_shares(tournament, read_entries(tournament))]
    assert [(share.first, share.cents) for share in shares] == [(3, 10), (3, 10)]


def test_prizes_follow_the_standings_and_who_left_takes_none(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 3, now)
    set_fees(tournament, now, 0, Prize(100), Prize(51, "una coppa"))
    for number in (1, 2, 3):
        (fixture,) = list_round(tournament, number)
        act = build_act(tournament.organiser, now)
        decision = Decision(points=(7, 4), winner=0)
        set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)
        tournament.refresh_from_db()
        if tournament.state == Tournament.State.RUNNING:
            publish_next(tournament, now)
    entries = read_entries(tournament)
    before = read_shares(tournament, entries)
    assert sum(row.share.cents for row in before) == 151
    first = tournament.entries.get(pk=before[0].entry.entry_id)
    tournament.entries.filter(pk=first.pk).update(withdrawn_at=now)
    after = read_shares(tournament, read_entries(tournament))
    assert first.pk not in [row.entry.entry_id for row in after]
    entries = read_entries(tournament)
    best = after[0].entry.entry_id
    with_house = read_shares(tournament, entries | {best: replace(entries[best], house=True)})
    assert best not in [row.entry.entry_id for row in with_house], "the house takes none"
    tournament.entries.filter(pk=best).update(played=0)
    assert best not in [row.entry.entry_id for row in read_shares(tournament, entries)], "nor who never played"


def test_only_who_runs_it_sees_who_paid_and_everybody_the_prizes_on_paper(
    opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = draw_real(opened, 4, now)
    set_fees(tournament, now, 1000, Prize(10000))
    fixture = list_round(tournament, 1)[0]
    act = build_act(tournament.organiser, now)
    decision = Decision(points=(7, 4), winner=0)
    set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)
    url = reverse("tournament-fees", args=[tournament.public_id])
    assert sign_in(anna).get(url).status_code == 404
    assert Client().get(url).status_code == 404
    page = sign_in(tournament.organiser).get(url)
    assert read_attribute(page, "data-prize")
    paper = Client().get(reverse("tournament-print", args=[tournament.public_id, "premi"]))
    assert read_attribute(paper, "data-prize") == read_attribute(page, "data-prize")


def test_what_is_no_amount_is_refused_and_stays_typed(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    client = sign_in(tournament.organiser)
    url = reverse("tournament-fees", args=[tournament.public_id])
    answer = client.post(url, {"fee": "dieci", "prizes": "x" * 200})
    assert set(answer.context["form"].errors) == {"fee", "prizes"}
    assert "x" * 200 in answer.content.decode()
    (ada,) = type_names(tournament, ["Ada"], now)
    answer = client.post(url, {"entry": ada.pk, "rimborso": "NaN"}, follow=True)
    assert read_hooks(answer, "notice") == ["refund_range"]
