"""Withheld things while a round with equal deals is on (J12): every address and socket is walked by whoever doesn't
sit at a table any more, and none of them has a point or a card of it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import product

import pytest
from django.core import serializers
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponseNotFound
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.serializers import ModelSerializer

from games import chat, reports, selectors
from games.lobby.seek_queries import list_watched_tables
from games.locked_row import MATCHES
from games.models import Deal, Match, Move, SeatFacts
from games.realtime.protocol import CLOSE_FORBIDDEN
from games.selectors import Watching
from games.services.errors import ActionRefused
from games.withheld import ResultsUnasked
from players.models import Player
from players.services.own_data import stream_archive
from players.services.players import create_guest
from scoring.counted_matches import find_countable
from tests.support.arrangements import arrange_once
from tests.support.equal import EQUAL, begun
from tests.support.fours import begin_teams
from tests.support.keys import by_key, make_key
from tests.support.live import Site
from tests.support.people import sign_in
from tests.support.play import OPENING, abandon, open_ready, play, sit_down
from tests.support.routes import list_api_operations, walk_routes
from tests.support.tables import play_out
from tests.support.thorough import THOROUGH
from tests.support.tournaments import Opened, catch_code, make_opened
from tests.support.wire import at_table, on_site
from tournaments.core.bulk import read_rows
from tournaments.core.result import FixtureResult
from tournaments.core.watched import list_tables_of
from tournaments.desk import results, views
from tournaments.desk.act import Act, compute_stamp
from tournaments.desk.rehearsal import rehearse
from tournaments.desk.results import Decision
from tournaments.models import Fixture, LogEntry, Round, Tournament
from tournaments.webhooks import actions

PATIENT = replace(EQUAL, turn_timeout=None, match_clock=3600)  # a table may wait while the other is played

# Numbers that stand nowhere else: if one is read, a point of the table that is over is.
SCORE, MARGIN, VP = (7371, 5853), 1518, (6229, 3943)
MARKS = re.compile(rf"(?<![0-9A-Za-z])(?:{'|'.join(map(str, (*SCORE, MARGIN, *VP)))})(?![0-9A-Za-z])")  # in no hash
CARD = re.compile(r"\b[A2-7FCR][dcbs]\b")
TRIES = 4  # of the values that an address may take
# Parts of the site where an id is of neither a tournament, a table nor a player: but in a soak one is as good as all,
# and one reader, who may read the most.
OF_SOMETHING_ELSE = (
    "account", "admin", "avvisi", "circoli", "circuiti", "coppie", "impara", "mazzi", "moderazione", "organizza",
    "problemi", "profilo", "registri", "regole", "sala", "circuits", "clubs", "me", "moderation", "registers", "series",
    "webhooks",
)  # fmt: skip
DOCUMENTS = ("/api/schema/", "/api/docs/")  # about no tournament, and slow: asked in a soak


@dataclass
class RoundOn:
    """A round of two tables: one is over, at the other nobody has played a card yet."""

    tournament: Tournament
    over: Match
    on: Match
    players: list[Player]
    organiser: Player
    at: datetime


@arrange_once
def round_on(opened: Opened, organiser: Player, four: list[Player], now: datetime) -> RoundOn:
    actions.create_webhook(owner=organiser, url="https://esempio.test/", now=now)
    tournament = begun(opened, four, now, base=replace(PATIENT, tie_break="percentuale"))
    at = now + OPENING
    over, on = open_ready(tournament, at)
    sit_down(on, at)
    at = play(over, at)
    mark(over)
    return RoundOn(tournament, Match.objects.get(pk=over.pk), Match.objects.get(pk=on.pk), four, organiser, at)


def mark(match: Match) -> None:
    """Give a table that is over points that are found wherever they are told."""
    Match.objects.filter(pk=match.pk).update(score_0=SCORE[0], score_1=SCORE[1], margin=MARGIN, winner=0)
    Deal.objects.filter(match=match).update(points_0=SCORE[0], points_1=SCORE[1])
    points = {"points_0": SCORE[0], "points_1": SCORE[1], "mp_0": MARGIN, "mp_1": -MARGIN, "vp_0": VP[0], "vp_1": VP[1]}
    Fixture.objects.filter(match=match).update(**points, winner=0)


def list_addresses(about: RoundOn) -> list[str]:
    """Every address of the site and of its API, with all that may stand in it of the round."""
    tables = [about.over.public_id, about.on.public_id]
    player = about.players[0].public_id
    ids = {"tornei": [about.tournament.public_id], "tavoli": tables, "partite": tables, "giocatori": [player]}
    ids |= {"tournaments": ids["tornei"], "matches": tables, "tables": tables, "people": [player]}
    ids |= dict.fromkeys(OF_SOMETHING_ELSE, ids["tornei"])
    everything = [about.tournament.public_id, *tables, player]
    numbers = [1, Fixture.objects.get(match=about.over).pk]
    slugs = ["iscritti", "incontri", "classifica", "turno", "incrocio", "tabellone", "posti", "nomi"]
    routes = [route for route, _pattern in walk_routes()]
    api = [path.replace("{", "<").replace("}", ">") for method, path in list_api_operations() if method == "get"]
    addresses = []
    for route in [*routes, *api]:
        names = re.findall(r"<([^>]+)>", route)
        part = route.removeprefix("/api/v1/").partition("/")[0]
        own = everything if THOROUGH else ids.get(part, everything[:2])
        values = [
            own if "id" in name.rpartition(":")[0] or name.endswith(("public_id", "person", "table")) else
            ["1-1", "1-2"] if name == "place" else
            slugs if "slug" in name or name.endswith("what") else numbers
            for name in names
        ]  # fmt: skip
        for chosen in list(product(*values))[:TRIES]:
            address = route
            for value in chosen:
                address = re.sub("<[^>]+>", str(value), address, count=1)
            addresses.append(f"/{address.lstrip('/')}")
    return [address for address in dict.fromkeys(addresses) if THOROUGH or address not in DOCUMENTS]


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the page that says that nothing is there in a soak alone: it is the same everywhere."""

    def say_nothing(request: HttpRequest, exception: Exception) -> HttpResponseNotFound:
        return HttpResponseNotFound()

    if not THOROUGH:
        monkeypatch.setattr("config.urls.handler404", say_nothing)


def count_silent(about: RoundOn, readers: dict[str, Client], addresses: list[str]) -> int:
    """Ask for these as each of the readers, a program those of the API: how many answered. None may tell a mark."""
    own = f"/tavoli/{about.over.public_id}/"  # what they have seen there themselves
    ids = (about.tournament.public_id, about.over.public_id, about.on.public_id)
    answered, elsewhere = 0, set[str]()  # where nobody finds anything: acts, and pages about none of these
    for (name, reader), address in product(readers.items(), addresses):
        if address.startswith("/api/") != (name == "program") or (name == "early finisher" and address == own):
            continue
        if address.split("/")[1] in OF_SOMETHING_ELSE and name != "early finisher" and not THOROUGH:
            continue
        if address in elsewhere and not THOROUGH:
            continue
        answer = reader.get(address)
        if answer.status_code == 405 or (answer.status_code == 404 and not any(id_ in address for id_ in ids)):
            elsewhere.add(address)
        told = b"".join(answer) if answer.streaming else answer.content
        text = re.sub(
            r'(?s)<svg.*?</svg>|(?:href|nonce)="[^"]*"|csrfmiddlewaretoken" value="[^"]*"',
            "",
            told.decode(errors="replace"),
        )
        answered += answer.status_code == 200
        assert not MARKS.search(text), (name, address)
        if about.over.public_id in address or about.on.public_id in address:
            assert not CARD.search(text), (name, address)
    return answered


@pytest.mark.long("every address of the site by four readers")
@pytest.mark.rule("J12")
@pytest.mark.usefixtures("plainly")
def test_no_address_tells_who_does_not_sit_there_of_a_round_that_is_on(round_on: RoundOn, now: datetime) -> None:
    early = selectors.Seat.objects.filter(match=round_on.over).first()
    assert early is not None
    guest = create_guest(now=now, address="192.0.2.7")
    readers = {
        "early finisher": sign_in(early.player),
        "visitor": Client(),
        "second account": sign_in(guest),
        "program": by_key(make_key(early.player)),
    }
    assert count_silent(round_on, readers, list_addresses(round_on)) > 100
    export = b"".join(stream_archive(early.player)).decode(errors="replace")
    assert not MARKS.search(export)


@pytest.mark.rule("J11", "J12")
@pytest.mark.usefixtures("plainly")
def test_no_address_tells_a_team_what_its_other_table_was_dealt(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = begin_teams(opened, 2, now)
    at = now + OPENING
    over, on = open_ready(tournament, at)
    at = play(over, at)
    mark(over)
    waiting, mate = (match.seats.select_related("player").order_by("number")[0].player for match in (on, over))
    about = RoundOn(tournament, over, on, [waiting], organiser, at)
    readers = {
        "visitor": Client(),
        "at the other table": sign_in(waiting),
        "early finisher": sign_in(mate),
        "program": by_key(make_key(waiting)),
    }
    own = [tournament.public_id, over.public_id, on.public_id]
    addresses = [address for address in list_addresses(about) if any(id_ in address for id_ in own)]
    if not THOROUGH:
        addresses = [address for address in addresses if address.split("/")[1] not in OF_SOMETHING_ELSE]
    assert reverse("team-match", args=[tournament.public_id, 1, 1]) in addresses
    assert count_silent(about, readers, addresses) > 50
    play(on, at)
    told = Client().get(reverse("traveller", args=[tournament.public_id, 1])).content.decode()
    assert MARKS.search(told), "the marks are found where they may be told"


def draw_rows(tournament: Tournament) -> str:
    """Draw rows as a template does that nobody has thought about."""
    fixtures = Fixture.objects.of(tournament).select_related("match").order_by("pk")
    return Template(
        "{% for f in fixtures %}{{ f.points_0 }} {{ f.points_1 }} {{ f.vp_0 }} {{ f.mp_1 }} {{ f.winner }} "
        "{{ f.match.score_0 }} {{ f.match.margin }} {% for deal in f.match.deals.all %}{{ deal.deck }} "
        "{{ deal.points_0 }} {% endfor %}{% for move in f.match.moves.all %}{{ move.text }} {% endfor %}{% endfor %}"
    ).render(Context({"fixtures": fixtures}))


def answer_with_every_field(tournament: Tournament) -> str:
    """Answer as the API would by serializers that take every field."""

    class EveryFixture(ModelSerializer[Fixture]):
        class Meta:
            model = Fixture
            fields = "__all__"

    class EveryMatch(ModelSerializer[Match]):
        class Meta:
            model = Match
            fields = "__all__"

    fixtures = Fixture.objects.of(tournament)
    return str([EveryFixture(fixtures, many=True).data, EveryMatch(Match.objects.all(), many=True).data])


def write_file(tournament: Tournament) -> str:
    """Write rows to a file, as Django does."""
    models = (Fixture, Match, Deal, Move)
    return serializers.serialize("json", [row for model in models for row in model._default_manager.all()])


def describe_own_match(tournament: Tournament) -> str:
    """Describe matches from the seats of a player, and fixtures from a round."""
    seats = selectors.Seat.objects.select_related("match", "match__fixture")
    matches = [f"{one.match.score_0} {one.match.fixture.points_0} {one.match.winner}" for one in seats]
    fixtures = [fixture for round_ in tournament.rounds.all() for fixture in round_.fixtures.all()]
    return " ".join([*matches, *(str(model_to_dict(one)) for one in fixtures)])


NAIVE: tuple[Callable[[Tournament], str], ...] = (draw_rows, answer_with_every_field, write_file, describe_own_match)


@pytest.mark.rule("J12")
@pytest.mark.parametrize("show", NAIVE)
def test_who_writes_a_view_and_thinks_of_nothing_tells_nothing(
    round_on: RoundOn, show: Callable[[Tournament], str]
) -> None:
    told = show(round_on.tournament)
    assert not MARKS.search(told)
    assert not CARD.search(told)
    play_out(round_on.on, round_on.at)
    assert MARKS.search(show(round_on.tournament)), "the marks are found where they may be told"


@pytest.mark.rule("J12")
def test_results_are_read_past_the_rows_and_counted_only_by_whoever_asks_for_them(round_on: RoundOn) -> None:
    fixtures, over = Fixture.objects.of(round_on.tournament), Match.objects.filter(pk=round_on.over.pk)
    reads: tuple[Callable[[], object], ...] = (
        lambda: fixtures.values(),
        lambda: fixtures.values_list("points_0"),
        lambda: over.values_list("winner", flat=True),
        lambda: Deal.objects.values_list("deck"),
        lambda: round_on.over.moves.values_list("text"),
        lambda: read_rows(fixtures, ("vp_0",)),
        lambda: Fixture.objects.bulk_update(fixtures, ["points_0"]),
        lambda: FixtureResult.from_fixture(fixtures.get(match=round_on.over)),
    )
    for read in reads:
        with pytest.raises(ResultsUnasked):
            read()
    counted = fixtures.with_results().get(match=round_on.over)
    assert FixtureResult.from_fixture(counted).points == SCORE
    assert list(over.with_results().values_list("score_0", "score_1")) == [SCORE]
    (row,) = read_rows(fixtures.with_results().filter(match=round_on.over), ("vp_0", "state"))
    assert (row.vp_0, row.points_0) == (VP[0], SCORE[0])
    assert FixtureResult.told_by(fixtures.get(match=round_on.over)) == FixtureResult()


@pytest.mark.rule("J12")
def test_what_is_held_back_is_neither_lost_nor_told_by_writing_and_reading_again(round_on: RoundOn) -> None:
    match, fixture = Match.objects.get(pk=round_on.over.pk), Fixture.objects.get(match=round_on.over)
    for row in (match, fixture):
        row.save()
        row.refresh_from_db()
        row.refresh_from_db(fields=["winner"])
    MATCHES.update(match)
    deferred = Fixture.objects.only("round").get(pk=fixture.pk)
    assert (match.score, match.winner, fixture.points_0, fixture.winner, deferred.points_0) == (None,) * 5
    stored = Fixture.objects.with_results().select_related("match").get(pk=fixture.pk)
    assert stored.match is not None
    assert (FixtureResult.from_fixture(stored).points, stored.vp_0, stored.winner) == (SCORE, VP[0], 0)
    assert stored.match.score is None, "what belongs to a row is asked for by itself"
    assert (stored.match.with_results().score, stored.match.winner) == (SCORE, 0)
    made = Fixture.objects.create(round=fixture.round, board=99, points_0=3)
    assert made.points_0 == 3, "whoever made a row knows what is in it"
    assert Fixture.objects.get(pk=made.pk).points_0 is None


@pytest.mark.rule("J12")
def test_nobody_watches_replays_or_reads_a_table_of_a_round_that_is_on(round_on: RoundOn, now: datetime) -> None:
    for match, reader in product((round_on.over, round_on.on), (None, round_on.organiser)):
        assert selectors.find_watching(match, reader, now) is Watching.REFUSED
        assert selectors.build_record(match) is None
    assert list_watched_tables(now) == []
    assert list_tables_of(round_on.tournament, now) == []
    answer = Client().get(f"/partite/{round_on.over.public_id}/")
    assert answer.status_code in (302, 404)
    program = by_key(make_key(round_on.organiser))
    assert program.get(f"/api/v1/matches/{round_on.over.public_id}/").status_code == 404


@pytest.mark.rule("J12")
def test_nothing_is_counted_or_sent_before_the_round_is_over_and_all_of_it_then(round_on: RoundOn) -> None:
    deliveries = round_on.organiser.webhooks.get().deliveries
    assert not SeatFacts.objects.filter(match=round_on.over).exists()
    assert find_countable([round_on.over.pk]) == []
    assert not deliveries.filter(kind__startswith="result.").exists()
    play_out(round_on.on, round_on.at)
    assert SeatFacts.objects.filter(match=round_on.over).count() == 2
    assert find_countable([round_on.over.pk]) == [round_on.over.pk]
    assert deliveries.filter(kind="result.in").count() == 2
    assert selectors.find_watching(Match.objects.get(pk=round_on.over.pk), None, round_on.at) is Watching.LIVE
    page = Client().get(f"/tornei/{round_on.tournament.public_id}/carte/1/").content.decode()
    assert MARKS.search(page), "the marks are found where they may be told"
    traveller = Client().get(f"/api/v1/tournaments/{round_on.tournament.public_id}/travellers/1/").content.decode()
    assert MARKS.search(traveller)


@pytest.mark.rule("J12", "G9")
def test_chat_is_closed_after_the_first_table_of_a_round_has_finished(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, four, now, base=PATIENT)
    at = now + OPENING
    first, second = open_ready(tournament, at)
    sit_down(second, at)
    chat.say(match_id=second.pk, seat=0, text="buona partita", client_id="1", now=at)
    at = play(first, at)
    for match in (first, second):
        with pytest.raises(ActionRefused) as refused:
            chat.say(match_id=match.pk, seat=0, text="il settebello", client_id="2", now=at)
        assert refused.value.code == "chat_closed"
    play_out(second, at)
    chat.say(match_id=second.pk, seat=0, text="bella partita", client_id="3", now=at)


@pytest.mark.rule("J12", "F3")
def test_an_act_of_a_referee_is_told_with_its_round(round_on: RoundOn) -> None:
    fixture = Fixture.objects.get(match=round_on.over)
    stamp = compute_stamp(fixture)  # a digest, which would tell of the result
    act = Act(round_on.organiser, "carte viste", round_on.at)
    results.set_result(
        tournament_id=round_on.tournament.pk,
        fixture_id=fixture.pk,
        decision=Decision(points=(3, 2), winner=0),
        act=act,
    )
    page = f"/tornei/{round_on.tournament.public_id}/"
    assert "carte viste" not in Client().get(page).content.decode()
    assert compute_stamp(Fixture.objects.get(pk=fixture.pk)) == stamp, (
        "it would tell of the result that it is a digest of"
    )
    assert LogEntry.objects.filter(tournament=round_on.tournament, code="ruling_result").exists()
    play_out(round_on.on, round_on.at)
    assert "carte viste" in Client().get(page).content.decode()


@pytest.mark.rule("J12", "F5", "O13")
@pytest.mark.parametrize("what", ["rigioca", "annulla", "risultato", "confronto"])
@pytest.mark.parametrize("stamp", ["", "another"])
def test_a_referee_decides_unseen(round_on: RoundOn, organisers: Client, what: str, stamp: str) -> None:
    fixture = Fixture.objects.get(match=round_on.over)
    desk = reverse("desk-fixture", args=[round_on.tournament.public_id, fixture.pk])
    typed = {"points_0": 3, "points_1": 2, "winner": 0, "deals": "2-1 1-1"}
    answer = organisers.post(desk, {"what": what, "reason": "carte viste", "stamp": stamp, **typed})
    (form,) = [form for form in answer.context["acts"] if form.is_bound]
    assert (form.consequences is None) == bool(stamp), form.errors
    assert not MARKS.search(answer.content.decode())


@pytest.mark.rule("J12", "F5")
def test_what_an_act_that_ends_the_round_would_do_tells_of_no_other_table(round_on: RoundOn) -> None:
    last = Fixture.objects.get(match=round_on.on)
    about = {"tournament_id": round_on.tournament.pk, "fixture_id": last.pk}
    act = Act(round_on.organiser, "se ne sono andati", round_on.at)
    lose = partial(results.declare_forfeit, lines=(0,), act=act, **about)
    told = rehearse(round_on.tournament, round_on.organiser, lose)
    assert told.ends_round
    assert (told.standings, told.pairings) == ((), ())
    lose()
    assert set(round_on.tournament.entries.values_list("vp", flat=True)) > {VP[0], VP[1]}


@pytest.mark.rule("J12", "N2")
@pytest.mark.parametrize("most", [0, 100])
def test_a_referee_who_plays_reads_no_report_and_no_forfeit_of_a_round_that_is_on(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(views, "MOST_ENTRIES", most)  # a page of a big tournament, and one of a small one
    tournament = begun(make_opened(four[0], now), four, now)
    at = now + OPENING
    own, elsewhere = sorted(open_ready(tournament, at), key=lambda match: not match.seats.filter(player=four[0]))
    abandon(elsewhere, 0, at)
    reporter = elsewhere.seats.get(number=1).player
    told = {"reporter_id": reporter.pk, "reason": "cards", "text": "aveva tutti gli assi", "client_id": "1"}
    reports.report(match_id=elsewhere.pk, now=at, **told)
    desk = reverse("tournament-desk", args=[tournament.public_id])
    before = sign_in(four[0]).get(desk)
    assert "tutti gli assi" not in before.content.decode()
    assert before.context["desk"].incidents == ()
    play(own, at)
    after = sign_in(four[0]).get(desk)
    assert "tutti gli assi" in after.content.decode()
    assert [row.id for row in after.context["desk"].incidents] == [Fixture.objects.get(match=elsewhere).pk]


@pytest.mark.rule("J12", "F1")
def test_a_referee_who_plays_in_the_round_decides_nothing_of_it(four: list[Player], now: datetime) -> None:
    tournament = begun(make_opened(four[0], now), four, now)
    at = now + OPENING
    matches = open_ready(tournament, at)
    elsewhere = next(match for match in matches if not match.seats.filter(player=four[0]).exists())
    abandon(elsewhere, 0, at)
    about = {"tournament_id": tournament.pk, "fixture_id": Fixture.objects.get(match=elsewhere).pk}
    assert catch_code(results.order_replay, act=Act(four[0], "prova", at), **about) == "withheld"


@pytest.mark.rule("J12")
def test_during_a_round_standings_are_those_of_the_round_before(round_on: RoundOn) -> None:
    rows = round_on.tournament.entries.values_list("played", "won", "vp", "mp", "percentage")
    assert set(rows) == {(0, 0, 0, 0, "")}
    assert Round.objects.filter(tournament=round_on.tournament, withheld=True).count() == 3


@pytest.mark.rule("J12")
@pytest.mark.django_db(transaction=True)
def test_no_socket_tells_who_does_not_sit_there_of_a_round_that_is_on(
    live_site: Site, anna: Player, bruno: Player, carla: Player, dino: Player, organiser: Player
) -> None:
    now = timezone.now()
    tournament = begun(make_opened(organiser, now), [anna, bruno, carla, dino], now)
    first, second = open_ready(tournament, now + OPENING)
    sit_down(second, now + OPENING)
    abandon(first, 0, now + OPENING)
    early = first.seats.get(number=1).player
    for match, reader in product((first, second), (None, early, organiser)):
        if match == first and reader == early:
            continue
        with at_table(live_site, match, reader) as socket:
            assert socket.closing_code() == CLOSE_FORBIDDEN
    with on_site(live_site, f"/ws/tornei/{tournament.public_id}/") as page:
        assert set(page.next()) <= {"t", "v"}
