"""The fixtures of a tournament for programs: read in pages, and decided by its referee (scope *organise*).

Each write calls the service of the referee's page, which refuses what the rules of the game can't give.
"""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import find_tournament
from api.acts import find_fixture, find_organised, find_people
from api.answers import SIDES, FixtureSerializer, build_page, list_codes
from api.entries import LineUpBody
from api.organise import OptionalReasonBody, ReasonBody, make_act
from api.previews import build_previews
from api.refusals import RefusingView
from games.engine.match import find_leader, find_terms
from players.api.api_view import Scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_page
from players.api.writes import Write, serve
from players.models import Player
from scoring.best_of import NUMBERS
from tournaments.core import reads, rows
from tournaments.core.game_terms import GamesTerms, find_fixture_terms
from tournaments.core.result import GameScore
from tournaments.desk import clocks, results
from tournaments.desk.act import compute_stamp
from tournaments.desk.clocks import MAX_MINUTES
from tournaments.desk.results import MAX_POINTS, MAX_VP, Decision
from tournaments.entries.fixed_tables import MAX_TABLES
from tournaments.hall import own_results, real_table_acts
from tournaments.models import Fixture, Tournament
from tournaments.running import early_play, line_ups

MAX_DEALS = 60  # of a match, as a program writes them


class FixtureFilters(PageFilters):
    round = serializers.IntegerField(required=False, min_value=1, max_value=10_000)
    state = serializers.ChoiceField(list_codes(Fixture.State.values), required=False)


def build_number_pair(least: int, most: int, **about: Any) -> serializers.ListField:
    """Return a field of two numbers that a program writes, the first side's before the second's."""
    number = serializers.IntegerField(min_value=least, max_value=most)
    return serializers.ListField(child=number, min_length=2, max_length=2, **about)


class StampedFixtureSerializer(FixtureSerializer):
    """Fixture on its own, with what tells it from itself changed."""

    stamp = serializers.SerializerMethodField(help_text="another one as soon as somebody changes its result")

    def get_stamp(self, row: rows.FixtureRow) -> str:
        return compute_stamp(Fixture.objects.get(pk=row.id))


class EntryBody(OptionalReasonBody):
    stamp = serializers.CharField(
        required=False, default="", max_length=16, help_text="as it was read: refused if the result has changed since"
    )


class GameBody(StrictSerializer):
    points = build_number_pair(
        0, MAX_POINTS, required=False, allow_null=True, help_text="null: a referee gives it to the winner"
    )
    winner = serializers.ChoiceField(SIDES, required=False, allow_null=True, help_text="left out: as the points say")
    decided_by = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=24, help_text="if not by the points: how"
    )


class ResultBody(EntryBody):
    points = build_number_pair(0, MAX_POINTS, help_text="of a fixture of several games those won")
    games = serializers.ListField(
        child=GameBody(), required=False, max_length=max(NUMBERS), help_text="of a fixture that has several: each"
    )
    deals = serializers.ListField(
        child=build_number_pair(0, MAX_POINTS),
        required=False,
        max_length=MAX_DEALS,
        help_text="the points of each deal, where they were written: their sums are checked",
    )
    winner = serializers.ChoiceField(
        SIDES, required=False, allow_null=True, help_text="null: nobody; left out: as the points say"
    )
    decided_by = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=24, help_text="if not by the points: how"
    )
    mp = build_number_pair(-MAX_POINTS, MAX_POINTS, required=False, allow_null=True)
    vp = build_number_pair(0, MAX_VP, required=False, allow_null=True)
    agreed = serializers.BooleanField(
        required=False,
        default=False,
        help_text="at real tables, by whoever organises and plays there: the other side has read and confirmed it",
    )

    def validate(self, data: Any) -> Any:
        deals = data.get("deals")
        if deals and [sum(deal[side] for deal in deals) for side in (0, 1)] != data["points"]:
            fault = serializers.ErrorDetail(_("I punti non sono la somma delle smazzate."), "deals_sum")
            raise serializers.ValidationError({"points": fault})
        return data


class ForfeitBody(EntryBody):
    forfeit_by = serializers.ListField(
        child=serializers.ChoiceField(SIDES), min_length=1, max_length=2, help_text="one side, or both"
    )

    def validate_forfeit_by(self, sides: list[int]) -> list[int]:
        if len(set(sides)) < len(sides):
            raise serializers.ValidationError(_("Una volta sola."), "repeated")
        return sorted(sides)


class RealTableBody(ReasonBody):
    table = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MAX_TABLES, help_text="its number, if it has one"
    )


class TimeBody(ReasonBody):
    player = serializers.CharField(max_length=64, help_text="the name of whoever gets it")
    minutes = serializers.IntegerField(min_value=1, max_value=MAX_MINUTES)


class FixtureLineUpBody(LineUpBody):
    side = serializers.ChoiceField(SIDES)


class EarlySerializer(serializers.Serializer[bool]):
    opens = serializers.BooleanField(source="*", help_text="false: once the other side agrees too")


class FixtureViewSet(RefusingView, GenericViewSet[Fixture]):
    """Fixtures of one tournament; each by its round and board, ``2-5``, its second table by ``2-5-2``."""

    queryset = Fixture.objects.none()
    pagination_class = None
    lookup_field = "place"
    lookup_value_regex = r"[0-9]{1,4}-[0-9]{1,4}(-[12])?"
    filters = {"list": FixtureFilters}

    @extend_schema(parameters=[FixtureFilters], responses=build_page(FixtureSerializer))
    def list(self, request: Request, public_id: str) -> Response:
        """The fixtures with their results, round by round."""
        tournament = find_tournament(request, public_id)
        rounds = reads.read_rounds(tournament, reads.read_entries(tournament))
        number, state = self.query.get("round"), self.query.get("state")
        wanted = (
            row
            for round_ in rounds
            for row in round_.fixtures
            if number in (None, row.round) and state in (None, row.state)
        )
        page, key = cut_page(wanted, self.query, lambda row: row.id)
        return answer_page(request, FixtureSerializer, page, key)

    @extend_schema(responses=StampedFixtureSerializer)
    def retrieve(self, request: Request, public_id: str, place: str) -> Response:
        tournament = find_tournament(request, public_id)
        return Response(StampedFixtureSerializer(self._read(tournament, place)).data)

    @serve(path="result", method="put", scope=Scope.ORGANISE, body=ResultBody, answer=StampedFixtureSerializer)
    def set_result(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Give the fixture a result, whatever it had. The first one at a real table needs no reason."""
        tournament = find_organised(write, public_id)
        fixture, data = find_fixture(tournament, place), write.data
        points = (data["points"][0], data["points"][1])
        terms = find_fixture_terms(tournament, fixture)
        if "winner" in data:
            winner = data["winner"]
        else:  # of several games they say it themselves
            winner = None if isinstance(terms, GamesTerms) else find_leader(find_terms(terms.setup), points)
        decision = Decision(
            points=points,
            winner=winner,
            decided_by=data["decided_by"],
            mp=_make_pair(data.get("mp")),
            vp=_make_pair(data.get("vp")),
            deals=tuple((deal[0], deal[1]) for deal in data.get("deals", ())),
            games=tuple(_read_game(game) for game in data.get("games", ())),
        )
        service = own_results.enter_agreed_result if data["agreed"] else results.set_result
        return self._decide(write, public_id, place, service, decision=decision)

    @serve(path="forfeit", scope=Scope.ORGANISE, body=ForfeitBody, answer=StampedFixtureSerializer)
    def declare_forfeit(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Declare a forfeit of one side, or of both."""
        sides = tuple(write.data["forfeit_by"])
        return self._decide(write, public_id, place, results.declare_forfeit, lines=sides)

    @serve(path="annul", scope=Scope.ORGANISE, body=ReasonBody, answer=StampedFixtureSerializer)
    def annul(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Annul the fixture: it counts for nobody."""
        return self._decide(write, public_id, place, results.annul_result)

    @serve(path="restore", scope=Scope.ORGANISE, body=ReasonBody, answer=StampedFixtureSerializer)
    def restore(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Take an annulment back."""
        return self._decide(write, public_id, place, results.restore_result)

    @serve(path="replay", scope=Scope.ORGANISE, body=ReasonBody, answer=StampedFixtureSerializer)
    def order_replay(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Have it played again with new cards."""
        return self._decide(write, public_id, place, results.order_replay)

    @serve(path="line-up", scope=Scope.ORGANISE, body=FixtureLineUpBody, answer=StampedFixtureSerializer)
    def change_line_up(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Change who of a team plays it, until it has a result."""
        tournament = find_organised(write, public_id)
        fixture, side = find_fixture(tournament, place), write.data["side"]
        people = find_people(tournament, (fixture.first_id, fixture.second_id)[side] or 0, write.data["people"])
        about: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        line_ups.change_line_up(fixture_id=fixture.pk, side=side, person_ids=people, **about)
        return self._read(tournament, place)

    @serve(path="real-table", scope=Scope.ORGANISE, body=RealTableBody, answer=StampedFixtureSerializer)
    def move_to_real_table(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Have it played at a real table, in a tournament on the site. Its table there is closed."""
        table = write.data.get("table")
        return self._decide(write, public_id, place, real_table_acts.move_to_real_table, table=table)

    @serve(path="site-table", scope=Scope.ORGANISE, body=ReasonBody, answer=StampedFixtureSerializer)
    def move_to_site(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Have it played on the site again, from the first card, while it has no result."""
        return self._decide(write, public_id, place, real_table_acts.move_to_site)

    @serve(path="pause", scope=Scope.ORGANISE, body=ReasonBody, answer=StampedFixtureSerializer)
    def pause(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Hold the clocks of its table."""
        return self._decide(write, public_id, place, clocks.hold_clocks)

    @serve(path="resume", scope=Scope.ORGANISE, body=ReasonBody, answer=StampedFixtureSerializer)
    def resume(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Let the clocks of its table run on."""
        return self._decide(write, public_id, place, clocks.resume_clocks)

    @serve(path="time", scope=Scope.ORGANISE, body=TimeBody, answer=StampedFixtureSerializer)
    def give_time(self, write: Write, public_id: str, place: str) -> rows.FixtureRow:
        """Give minutes back to a player at its table."""
        player = Player.objects.filter(name=write.data["player"]).first()
        about = {"player_id": 0 if player is None else player.pk, "minutes": write.data["minutes"]}
        return self._decide(write, public_id, place, clocks.give_time, **about)

    @serve(path="play-early", scope=Scope.PLAY, answer=EarlySerializer)
    def play_early(self, write: Write, public_id: str, place: str) -> bool:
        """Agree, as a player of it, to play before its hour."""
        tournament = find_tournament(write.request, public_id)
        fixture = find_fixture(tournament, place)
        return early_play.play_ahead(tournament_id=tournament.pk, fixture_id=fixture.pk, by=write.player, now=write.now)

    preview = build_previews(
        "Fixture",
        {
            "result": ("set_result", ResultBody),
            "forfeit": ("declare_forfeit", ForfeitBody),
            "annul": ("annul", ReasonBody),
            "restore": ("restore", ReasonBody),
            "replay": ("order_replay", ReasonBody),
            "real-table": ("move_to_real_table", RealTableBody),
            "site-table": ("move_to_site", ReasonBody),
        },
        ("result", {"points": [7, 4], "reason": "letto male"}),
    )

    def _decide(self, write: Write, public_id: str, place: str, service: Any, **values: Any) -> rows.FixtureRow:
        """Call a referee's service about the fixture, and return it."""
        tournament = find_organised(write, public_id)
        fixture = find_fixture(tournament, place)
        service(tournament_id=tournament.pk, fixture_id=fixture.pk, act=make_act(write), **values)
        return self._read(tournament, place)

    def _read(self, tournament: Tournament, place: str) -> rows.FixtureRow:
        return reads.read_fixture_row(find_fixture(tournament, place), None)


def _read_game(game: Any) -> GameScore:
    return GameScore(game.get("winner"), _make_pair(game.get("points")), game["decided_by"])


def _make_pair(numbers: Any) -> tuple[int, int] | None:
    return None if numbers is None else (numbers[0], numbers[1])
