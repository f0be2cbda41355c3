"""Public pages of a tournament, without an account (W2): explained ranks, paper, codes, frames, previews."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Commitment, Match
from players.models import Player
from tests.support import play as running
from tests.support.entries import enter_all
from tests.support.html import drop_layout, read_hooks
from tests.support.play import OPENING, open_ready
from tests.support.standings import LEVEL, fill_tournament, write_result, write_results
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core import reads
from tournaments.entries import join
from tournaments.entries.house import enter_house_players
from tournaments.models import Entry, Fixture, Tournament
from tournaments.pages import tournament_page
from tournaments.running.recompute import find_differences
from tournaments.running.results import advance
from tournaments.standings import bracket_view, explained, projections

pytestmark = pytest.mark.django_db
HOSTILE = '=1+1"><img src=x onerror=alert(1)>'


def text(client: Client, name: str, *args: object, **query: str) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


# --- Standings explained -------------------------------------------------------------------------------------------


@pytest.mark.rule("R3")
def test_each_rank_is_explained_with_what_separated_it_and_by_how_much(
    client: Client, opened: Opened, now: datetime
) -> None:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    write_results(tournament, now, LEVEL)
    page = text(client, "standings", tournament.public_id)
    names = {entry.seed: reads.read_entries(tournament)[entry.pk].name for entry in tournament.entries.all()}
    assert f"Davanti a {names[2]} per i VP: 34 contro 31." in page
    assert f"Davanti a {names[1]} per i VP negli scontri diretti: 13 contro 7." in page
    assert "Dietro non c'è nessuno" in page.replace("&#x27;", "'")
    for words in ("vinta", "persa", "patta", "34 VP", "Contano"):
        assert words in page
    alone = text(client, "standings-of", tournament.public_id, 2)
    assert names[2] in alone
    assert f"Davanti a {names[3]}" not in alone
    assert reverse("standings-of", args=[tournament.public_id, 2]) in text(client, "tournament", tournament.public_id)
    assert client.get(reverse("standings-of", args=[tournament.public_id, 9])).status_code == 404


@pytest.mark.rule("R2", "R3")
def test_a_recorded_lot_is_shown_with_what_it_takes_to_draw_it_again(
    client: Client, opened: Opened, now: datetime
) -> None:
    tournament = fill_tournament(opened, 2, now, GIRONE, tie_break="club")
    write_results(tournament, now, {(1, 2): (10, 10)})
    page = text(client, "standings", tournament.public_id)
    digests = {seed: sha256(f"{tournament.lot}/standings/{seed}".encode()).hexdigest() for seed in (1, 2)}
    assert all(digest in page for digest in digests.values())
    best = Entry.objects.get(tournament=tournament, rank=1)
    assert digests[best.seed or 0] == min(digests.values())
    assert "per il sorteggio: numero 2 contro numero 1" in page


@pytest.mark.rule("F3", "D1")
def test_a_round_that_was_drawn_stays_when_a_result_before_it_is_corrected(opened: Opened, now: datetime) -> None:
    tournament = fill_tournament(opened, 8, now, GIRONE, format="danese", format_options={"rounds": 3})
    first = Fixture.objects.filter(round__tournament=tournament, round__number=1).order_by("board")
    for fixture in first:
        write_result(fixture, (20, 0), (20, -20), now)
    advance(tournament_id=tournament.pk, now=now)
    second = list(Fixture.objects.filter(round__number=2).order_by("board").values_list("first", "second", "state"))
    assert all(state == Fixture.State.READY for _first, _second, state in second)
    for fixture in first:
        write_result(fixture, (0, 20), (-20, 20), now)
    advance(tournament_id=tournament.pk, now=now)
    fixtures = Fixture.objects.filter(round__number=2).order_by("board").values_list("first", "second", "state")
    assert list(fixtures) == second
    assert {entry.vp for entry in tournament.entries.filter(fixtures_second__in=first)} == {20}
    assert find_differences(tournament) == []


@pytest.mark.rule("Q3", "R3")
def test_who_goes_on_by_lot_is_told_with_the_lot_and_with_what_it_takes_to_draw_it_again(
    client: Client, opened: Opened, now: datetime
) -> None:
    tournament = fill_tournament(
        opened, 4, now, GIRONE, format="gironi", format_options={"groups": 2, "qualify": 1}, tie_break="rete"
    )
    write_results(tournament, now, {(1, 4): (10, 10), (2, 3): (10, 10)})
    assert find_differences(tournament) == []
    page = text(client, "standings", tournament.public_id)
    final = Fixture.objects.get(round__tournament=tournament, round__name="final")
    digests = {seed: sha256(f"{tournament.lot}/standings/{seed}".encode()).hexdigest() for seed in range(1, 5)}
    assert all(digest in page for digest in digests.values())
    assert page.count("per il sorteggio: numero 2 contro numero 1") == 2
    assert {final.first.seed, final.second.seed} == {min(pair, key=digests.__getitem__) for pair in ((1, 4), (2, 3))}
    assert "sorteggio: 2 contro 1" in text(client, "tournament", tournament.public_id)


@pytest.mark.rule("R2", "R3", "R5")
def test_equals_are_said_to_be_equal_and_annulled_fixtures_stay_in_sight(
    client: Client, opened: Opened, now: datetime
) -> None:
    tournament = fill_tournament(opened, 2, now, GIRONE)
    write_results(tournament, now, {(1, 2): (10, 10)})
    assert "Ex aequo con" in text(client, "standings", tournament.public_id)
    Fixture.objects.update(annulled=True)
    page = text(client, "standings", tournament.public_id)
    assert "annullata: non conta per nessuno" in page


@pytest.mark.rule("E8", "R3")
def test_the_houses_entries_are_explained_out_of_competition(
    client: Client, opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(GIRONE, house_allowed=True, min_entries=3, max_entries=3)
    for reader in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=reader, now=now)
    enter_house_players(tournament_id=tournament.pk, count=1, now=now)
    tournament.refresh_from_db()
    pairs = Fixture.objects.exclude(second=None).values_list("first__seed", "second__seed")
    write_results(tournament, now, {(a or 0, b or 0): (12, 8) for a, b in pairs})
    assert "Gioca per la casa: è fuori classifica (f.c.)" in text(client, "standings", tournament.public_id)


def test_before_the_draw_there_is_nothing_to_explain(client: Client, opened: Opened) -> None:
    assert client.get(reverse("standings", args=[opened().public_id])).status_code == 404


# --- What is certain already ---------------------------------------------------------------------------------------


@pytest.mark.rule("R3")
def test_what_an_entry_needs_in_the_last_round_is_on_the_page(client: Client, opened: Opened, now: datetime) -> None:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    first_rounds = {pair: vp for pair, vp in LEVEL.items() if pair not in ((2, 4), (3, 1))}
    write_results(tournament, now, first_rounds)
    cache.clear()
    projected = projections.project_standings(tournament_page.read_page(tournament, None))
    assert projected is not None
    assert (projected.round, projected.final) == (3, True)
    page = text(client, "tournament", tournament.public_id)
    assert "data-certain" in page
    assert "fra i primi 2 con almeno " in page
    assert "Sicuro con almeno " in text(client, "standings", tournament.public_id)
    with CaptureQueriesContext(connection) as again:
        assert projections.project_standings(tournament_page.read_page(tournament, None)) == projected
    assert len(again) < 12


def test_a_first_round_and_a_bracket_promise_nothing(opened: Opened, now: datetime) -> None:
    assert (
        projections.project_standings(tournament_page.read_page(fill_tournament(opened, 4, now, GIRONE), None)) is None
    )


# --- The bracket ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("K1", "K2", "K4")
@pytest.mark.parametrize("size", tries([2, 3, 5, 17], [2, 3, 5, 8, 13, 17, 33, 64]))
def test_a_bracket_of_any_size_is_drawn_on_the_page_and_on_paper(
    client: Client, opened: Opened, now: datetime, size: int
) -> None:
    tournament = fill_tournament(opened, size, now, KO, format_options={"third_place": size > 3})
    drawn = bracket_view.read_bracket(tournament_page.read_page(tournament, None))
    assert drawn is not None
    widths = [len(column.spots) for column in drawn.rounds]
    assert widths == [1 << n for n in range(len(widths) - 1, -1, -1)]
    assert 2 * widths[0] >= size > widths[0]
    page = text(client, "tournament", tournament.public_id)
    assert page.count('class="bracket-round"') == len(widths)
    assert ("chi vince il n. " in page) == (size > 2)
    paper = text(client, "tournament-print", tournament.public_id, "tabellone")
    assert paper.count("bracket-sheet") == (1 if widths[0] <= 8 else widths[0] // 8 + 1)
    for entry in reads.read_entries(tournament).values():
        assert entry.name in paper


@pytest.mark.rule("K4")
def test_the_winners_path_is_marked_to_the_final(
    opened: Opened, four: list[Player], now: datetime, client: Client
) -> None:
    tournament = opened(KO, max_entries=4, format_options={"third_place": True})
    enter_all(tournament, four, now)
    running.rounds_played(tournament, now)
    drawn = bracket_view.read_bracket(tournament_page.read_page(Tournament.objects.get(pk=tournament.pk), None))
    assert drawn is not None
    assert [sum(spot.path for spot in column.spots) for column in drawn.rounds] == [1, 1]
    assert drawn.third is not None
    assert text(client, "tournament", tournament.public_id).count('<li class="path">') == 2
    page = text(client, "standings", tournament.public_id)
    assert "è arrivato più avanti nel tabellone" in page


# --- Paper, code, frame, previews ----------------------------------------------------------------------------------


@pytest.mark.rule("J1")
def test_a_printed_round_has_the_commitment_of_each_table_of_the_site(
    client: Client, opened: Opened, now: datetime
) -> None:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    assert not read_hooks(text(client, "tournament-print", tournament.public_id, "turno"), "commitment")
    digests = {Commitment.objects.get(matches=match).digest[:8] for match in open_ready(tournament, now + OPENING)}
    page = text(client, "tournament-print", tournament.public_id, "turno")
    assert set(read_hooks(page, "commitment")) == digests
    assert len(digests) == 2


def test_everything_that_goes_on_paper_has_title_date_address_and_code(
    client: Client, opened: Opened, now: datetime
) -> None:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    write_results(tournament, now, LEVEL)
    for what in ("iscritti", "turno", "incrociata", "classifica"):
        page = text(client, "tournament-print", tournament.public_id, what)
        for words in (tournament.name, f"http://testserver/tornei/{tournament.public_id}/", "<svg", "stampato il"):
            assert words in page, (what, words)
        assert " style=" not in page
        if what in ("iscritti", "classifica"):
            assert read_hooks(page, "draw-commitment") == [tournament.draw_commitment]
    assert "Turno 2" in text(client, "tournament-print", tournament.public_id, "turno", turno="2")
    for what in ("tabellone", "altro"):
        assert client.get(reverse("tournament-print", args=[tournament.public_id, what])).status_code == 404


def test_the_code_leads_to_the_page_and_the_secret_link_is_the_organisers_alone(
    client: Client, opened: Opened, organiser: Player
) -> None:
    tournament = opened()
    Tournament.objects.update(registration=Tournament.Registration.LINK, join_token="solo-per-chi-sa")
    page = text(client, "tournament-qr", tournament.public_id)
    assert "<svg" in page
    assert "solo-per-chi-sa" not in page
    client.force_login(organiser.user)
    assert f"/tornei/{tournament.public_id}/invito/solo-per-chi-sa/" in text(
        client, "tournament-qr", tournament.public_id
    )


def test_only_the_frame_may_be_framed_and_it_knows_nobody(
    client: Client, opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    client.force_login(anna.user)
    answer = client.get(reverse("tournament-embed", args=[tournament.public_id]), {"tema": "scuro"})
    assert "X-Frame-Options" not in answer.headers
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    body = answer.content.decode()
    assert "Anna" not in body
    assert 'data-theme="dark"' in body
    assert "<form" not in body
    assert f'data-live-socket="/ws/tornei/{tournament.public_id}/"' in body
    live = client.get(reverse("tournament-embed", args=[tournament.public_id]), headers={"HX-Target": "live"})
    assert live.content.decode().lstrip().startswith('<div id="live"')
    plain = client.get(reverse("tournament", args=[tournament.public_id]))
    assert plain.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in plain.headers["Content-Security-Policy"]


def test_a_frame_and_paper_name_the_zone_of_their_hours(client: Client, opened: Opened, now: datetime) -> None:
    """A frame on another site gets no cookie, and paper hangs in the hall: both have the organiser's hours."""
    client.cookies["timezone"] = "Asia/Tokyo"
    tournament = opened(KO, starts_at=datetime(2027, 7, 4, 19, tzinfo=UTC), time_zone="America/New_York")
    framed = client.get(reverse("tournament-embed", args=[tournament.public_id])).content.decode()
    assert "15:00 (New York)" in drop_layout(framed)
    paper = client.get(reverse("tournament-print", args=[tournament.public_id, "iscritti"])).content.decode()
    assert "15:00" in paper
    assert "(New York)" in paper


def test_previews_say_what_a_page_is_about(client: Client, opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(KO, max_entries=2)
    for player in four[:2]:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    running.rounds_played(tournament, now)
    match = Match.objects.get()
    for url in (
        reverse("tournament", args=[tournament.public_id]),
        reverse("match-result", args=[match.public_id]),
        reverse("match-replay", args=[match.public_id, 1]),
    ):
        page = client.get(url).content.decode()
        assert f'<link rel="canonical" href="http://testserver{url}">' in page
        assert f'<meta property="og:title" content="{tournament.name}">' in page
        assert 'content="http://testserver/static/img/card.png"' in page
        assert "Scopa" in page.split('og:description" content="')[1].split('"')[0]


def test_hostile_titles_are_text_on_every_page_of_everybody(
    client: Client, opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = fill_tournament(opened, 4, now, KO)
    Tournament.objects.update(name=HOSTILE)
    client.force_login(organiser.user)
    for url in (
        reverse("tournament", args=[tournament.public_id]),
        reverse("standings", args=[tournament.public_id]),
        reverse("tournament-qr", args=[tournament.public_id]),
        reverse("tournament-embed", args=[tournament.public_id]),
        *(
            reverse("tournament-print", args=[tournament.public_id, what])
            for what in ("iscritti", "turno", "tabellone")
        ),
    ):
        page = client.get(url).content.decode()
        assert "<img" not in page.replace('<img src="/static/img/logo.svg"', ""), url
        assert "&lt;img" in page, url
    snippet = client.get(reverse("tournament-qr", args=[tournament.public_id])).content.decode()
    assert "&amp;quot;&amp;gt;&amp;lt;img" in snippet  # what is copied is escaped for where it is pasted


# --- Queries -------------------------------------------------------------------------------------------------------


@pytest.mark.soak  # pages/test_query_counts.py counts what each of them takes
def test_pages_cost_as_many_queries_for_many_entries_as_for_few(client: Client, opened: Opened, now: datetime) -> None:
    def counts(size: int) -> dict[str, int]:
        made = fill_tournament(opened, size, now + timedelta(days=size), GIRONE, name=f"Girone da {size}")
        cup = opened(KO, min_entries=2, max_entries=size, name=f"Coppa da {size}")
        for entry in made.entries.all():
            join.enter_player(tournament_id=cup.pk, player=entry.members.get().person.player, now=now)
        urls = {
            f"{name} {tournament.format}": reverse(name, args=[tournament.public_id, *args])
            for tournament in (made, cup)
            for name, args in (
                ("tournament", ()),
                ("standings", ()),
                ("tournament-embed", ()),
                ("tournament-qr", ()),
                ("tournament-print", ("turno",)),
                ("export-csv", ("incontri",)),
                ("export-json", ("classifica",)),
                ("tournament-calendar", ()),
            )
        }
        pages = {}
        for what, url in urls.items():
            with CaptureQueriesContext(connection) as queries:
                assert client.get(url).status_code == 200
            pages[what] = len(queries)
        return pages

    few = counts(3)
    for player in Player.objects.filter(name__startswith="Linea"):
        Player.objects.filter(pk=player.pk).update(
            name=f"Altra{player.pk}", name_key=f"altra{player.pk}", look_key=f"a{player.pk}"
        )
        player.user.username = f"altra{player.pk}"
        player.user.save()
    assert counts(12) == few
    assert max(few.values()) < 25


def test_explained_rows_of_a_rest_and_a_fixture_to_come(opened: Opened, now: datetime) -> None:
    shown = tournament_page.read_page(fill_tournament(opened, 3, now, GIRONE), None)
    [table] = explained.read_standings_tables(shown)
    outcomes = {played.outcome for standing in explained.explain_standings(shown, table) for played in standing.played}
    assert outcomes == {"rest", "to_play"}


# --- Groups and danese ---------------------------------------------------------------------------------------------


def through(tournament: Tournament, now: datetime, rounds: int) -> None:
    """Decide what is ready, round after round: the better seed wins, 13-7 in rounds that have VP."""
    for _ in range(rounds):
        ready = Fixture.objects.filter(round__tournament=tournament, state=Fixture.State.READY)
        for fixture in ready.select_related("first", "second", "round"):
            assert fixture.first is not None
            assert fixture.second is not None
            first = (fixture.first.seed or 0) < (fixture.second.seed or 0)
            write_result(fixture, (13, 7) if first else (7, 13), (3, -3) if first else (-3, 3), now)
            if tournament.format == "gironi" and fixture.group is None:
                Fixture.objects.filter(pk=fixture.pk).update(vp_0=None, vp_1=None, mp_0=None, mp_1=None)
        advance(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()


@pytest.mark.rule("Q1", "Q2", "R3")
def test_groups_have_tables_of_their_own_and_say_who_comes_to_the_bracket(
    client: Client, opened: Opened, now: datetime
) -> None:
    options = {"groups": 2, "qualify": 2}
    tournament = fill_tournament(opened, 8, now, GIRONE, format="gironi", format_options=options)
    page = text(client, "tournament", tournament.public_id)
    for words in ("Gruppo A", "Gruppo B", "1º del gruppo A", "2º del gruppo B", "Semifinali"):
        assert words in page, words
    through(tournament, now, 2)
    shown = tournament_page.read_page(tournament, None)
    projected = projections.project_standings(shown)
    assert projected is not None
    assert (projected.final, projected.passes) == (True, 2)
    seeds = {row.entry.entry_id: row.entry.seed for row in shown.standings.rows}
    assert {seeds[entry] for entry in projected.claims} >= {1, 2}
    assert "passa il turno" in text(client, "tournament", tournament.public_id)
    through(tournament, now, 1)
    shown = tournament_page.read_page(tournament, None)
    assert [[row.entry.seed for row in table.rows] for table in explained.read_standings_tables(shown)] == [
        [1, 4, 5, 8],
        [2, 3, 6, 7],
    ]
    assert projections.project_standings(shown) is None
    through(tournament, now, 2)
    assert tournament.state == Tournament.State.FINISHED
    page = text(client, "standings", tournament.public_id)
    for words in ("Gruppo A", "Classifica finale", "è arrivato più avanti nel tabellone", "ha passato il girone"):
        assert words in page, words
    for what in ("incrociata", "tabellone", "classifica", "turno"):
        assert "Gruppo B" in text(client, "tournament-print", tournament.public_id, what) or what in (
            "tabellone",
            "turno",
        )
    assert (
        "group_rank"
        in client.get(reverse("export-json", args=[tournament.public_id, "classifica"])).json()["standings"][0]
    )


@pytest.mark.rule("D1", "R3")
def test_a_danese_shows_the_rounds_drawn_and_what_a_bye_is_worth(client: Client, opened: Opened, now: datetime) -> None:
    tournament = fill_tournament(opened, 5, now, GIRONE, format="danese", format_options={"rounds": 3})
    page = text(client, "tournament", tournament.public_id)
    assert page.count("Si sorteggia quando è finito il turno prima.") == 2
    through(tournament, now, 1)
    shown = tournament_page.read_page(tournament, None)
    [table] = explained.read_standings_tables(shown)
    byes = [
        played
        for standing in explained.explain_standings(shown, table)
        for played in standing.played
        if played.outcome == "bye"
    ]
    assert next((bye.counts, bye.vp) for bye in byes) == (True, (14, 0))
    through(tournament, now, 2)
    assert tournament.state == Tournament.State.FINISHED
    for standing in explained.explain_standings(tournament_page.read_page(tournament, None), table):
        counted = sum(played.vp[0] for played in standing.played if played.counts and played.vp)
        stored = tournament.entries.get(seed=standing.row.entry.seed)
        assert counted == stored.vp
