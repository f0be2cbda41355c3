"""Answers of the API about tournaments. A field means the same wherever it stands, in the files of exports too.

Values are codes, numbers, hours (ISO, UTC) and names, never words of a language. Of two sides, ``first`` is 0 and
``second`` is 1.
"""

from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from games.engine.game import LengthKind
from games.engine.record import Json
from games.rules import RULESETS
from scoring.standings import Asking, TieBreakReason, write_number
from scoring.tiebreaks import CRITERIA, EARLIER, PRESETS, read_order
from tournaments.core import rows
from tournaments.core.order_wording import is_preset
from tournaments.core.result import GameScore
from tournaments.formats import FORMATS
from tournaments.models import Fixture, PlayInvitation, Tournament
from tournaments.organise.order_form import OWN
from tournaments.organise.settings import Settings
from tournaments.venues import list_venues

SETTING_NAMES = tuple(name for name in Settings.__slots__ if name != "club_id")  # the club by its public id
SIDES = ((0, "first"), (1, "second"))
LENGTH_KINDS = [(kind, kind) for kind in get_args(LengthKind)]


def name_order(code: str) -> str:
    """Return the code of an order of tie-breaks: a preset's, or the one of an order of its own."""
    return code if is_preset(code) else OWN


def list_codes(codes: Any) -> list[tuple[str, str]]:
    """Return codes as the choices of a field."""
    return [(code, code) for code in codes]


def build_pair_field(**about: Any) -> serializers.ListField:
    """Return a field of two whole numbers, the first side's before the second's."""
    number = serializers.IntegerField()
    return serializers.ListField(child=number, min_length=2, max_length=2, allow_null=True, **about)


def build_side_field(help_text: str, **about: Any) -> serializers.ChoiceField:
    """Return a field for one of two sides, or neither."""
    return serializers.ChoiceField(choices=SIDES, allow_null=True, help_text=help_text, **about)


def build_page(rows: type[serializers.BaseSerializer[Any]]) -> type[serializers.Serializer[Any]]:
    """Return the answer of a list of these rows."""
    fields = {
        "next": serializers.URLField(allow_null=True, help_text="the address of the next page; null: this is the last"),
        "results": rows(many=True),
    }
    page = type(f"{rows.__name__.removesuffix('Serializer')}Page", (serializers.Serializer,), fields)
    return extend_schema_serializer(many=False)(page)  # one page, not a list of pages


class ApartSerializer(serializers.Serializer[Json]):
    """One of an entry's people; sent back as it is, it enters the same person elsewhere."""

    name = serializers.CharField()
    club = serializers.CharField(help_text="what tells a typed name from a namesake's: a club, or a number; else empty")
    player = serializers.CharField(allow_null=True, help_text="the public id of their page, of whoever has an account")
    card = serializers.CharField(
        allow_null=True, help_text="in the list of entries, for whoever keeps the register: their card; else null"
    )


class EntrySerializer(serializers.Serializer[rows.EntryRow]):
    id = serializers.IntegerField(source="entry_id")
    name = serializers.CharField()
    people = serializers.SerializerMethodField(
        help_text="its people's names, each apart, as everybody is shown them; of a team in a fixture who plays it"
    )
    persons = serializers.SerializerMethodField(help_text="the same people, with what is known of each")
    team = serializers.CharField(help_text="the name of a team; else empty")
    seed = serializers.IntegerField(allow_null=True, help_text="1 is the best; null before the draw")
    group = serializers.IntegerField(allow_null=True)
    side = serializers.CharField(help_text="A or B, where pairs are drawn of two lists; else empty")
    tie = serializers.IntegerField(
        allow_null=True, help_text="until pairs are drawn: two with the same one stay a pair; else null"
    )
    house = serializers.BooleanField(help_text="a player of the house, ranked out of competition")
    guest = serializers.BooleanField()
    confirmed = serializers.SerializerMethodField(help_text="false: a pair whose second hasn't said yes")
    checked_in = serializers.BooleanField(help_text="all of its players have; the house's always are")
    withdrawn = serializers.BooleanField()

    def get_people(self, row: rows.EntryRow) -> list[str]:
        return [name for name, _page in row.linked]

    def get_persons(self, row: rows.EntryRow) -> list[dict[str, str | None]]:
        cards = self.context.get("cards", {})  # by the ids of persons
        ids = row.person_ids if cards else (0,) * len(row.persons)
        return [
            {"name": name, "club": club, "player": page or None, "card": cards.get(pk)}
            for pk, (name, club, page) in zip(ids, row.persons, strict=True)
        ]

    get_persons.__annotations__["return"] = ApartSerializer(many=True)

    def get_confirmed(self, row: rows.EntryRow) -> bool:
        return not row.pending


class GameSerializer(serializers.Serializer[GameScore]):
    """Game of a fixture that has several (EV1)."""

    points = build_pair_field(help_text="null where a referee gave it away")
    winner = build_side_field("never null")
    decided_by = serializers.CharField(help_text="a code")


class FixtureSerializer(serializers.Serializer[rows.FixtureRow]):
    round = serializers.IntegerField()
    board = serializers.IntegerField(help_text="from 1 in its round")
    part = serializers.IntegerField(help_text="1 or 2: of two tables, whose mp and vp are of both; else 0")
    group = serializers.IntegerField(allow_null=True)
    first = EntrySerializer(allow_null=True)
    second = EntrySerializer(allow_null=True)
    state = serializers.ChoiceField(choices=list_codes(Fixture.State.values))
    opens_at = serializers.DateTimeField(allow_null=True)
    match = serializers.CharField(source="table", allow_null=True, help_text="its public id, once its table was opened")
    wave = serializers.IntegerField(allow_null=True, help_text="at real tables, from 1")
    table = serializers.IntegerField(source="hall_table", allow_null=True, help_text="the number of the real table")
    moved = serializers.BooleanField(help_text="in a tournament on the site: it is played at a real table (O1)")
    points = build_pair_field(help_text="of several games those won")
    games = GameSerializer(
        source="result.games", many=True, help_text="each of several; empty where only their number was written"
    )
    cards = build_pair_field(
        help_text="card points, where the score counts deals and the match was played on the site; else null"
    )
    mp = build_pair_field()
    vp = build_pair_field()
    winner = build_side_field("null: nobody, or not yet")
    forfeit_by = build_side_field("who forfeited")
    double_forfeit = serializers.BooleanField()
    annulled = serializers.BooleanField(help_text="its result counts for nobody")
    decided_by = serializers.CharField(help_text="a code; empty where nothing is decided")
    unconfirmed = serializers.BooleanField(help_text="at real tables: one telephone sent it, the other said nothing")


class RoundSerializer(serializers.Serializer[rows.RoundRow]):
    number = serializers.IntegerField()
    name = serializers.CharField(
        help_text="final, third_place, semifinal, quarterfinal or round; of a double knockout upper_1 … upper_final, "
        "lower_1 … lower_final, final, decider"
    )
    finished = serializers.BooleanField()
    opens_at = serializers.DateTimeField(allow_null=True)
    fixtures = FixtureSerializer(many=True)


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class ValueField(serializers.Field[Any, Any, Any, Any]):
    """Value of a criterion: a whole number, or an exact fraction, `37/3`."""

    def to_representation(self, value: Any) -> int | str | None:
        return write_number(value)


class AskingSerializer(serializers.Serializer[Asking]):
    code = serializers.CharField()
    value = ValueField(
        allow_null=True,
        help_text="of both, a whole number or an exact fraction, `37/3`; null: it couldn't be asked of these",
    )
    among = serializers.IntegerField(help_text="of how many level entries it was asked")


class ReasonSerializer(serializers.Serializer[TieBreakReason]):
    code = serializers.CharField()
    own = ValueField(allow_null=True, help_text="a whole number, or an exact fraction, `37/3`")
    next = ValueField(allow_null=True)
    among = serializers.IntegerField(
        allow_null=True, help_text="of how many level entries it was asked; null: of all, or not by tie-breaks"
    )
    before = AskingSerializer(
        many=True, help_text="what left both level before, in order; `direct` is asked again of each part of a group"
    )


class StandingSerializer(serializers.Serializer[rows.RankedEntry]):
    entry = EntrySerializer()
    rank = serializers.IntegerField(source="place", allow_null=True, help_text="among people; the house has none")
    overall = serializers.IntegerField(source="rank", allow_null=True, help_text="over all entries, the house's too")
    out_of_competition = serializers.BooleanField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    mp = serializers.IntegerField()
    vp = serializers.IntegerField()
    percentage = serializers.CharField(
        allow_null=True, help_text="the mean of its rounds with equal deals, an exact fraction, `131/200`"
    )
    wins = ValueField(
        allow_null=True, help_text="matches won, with halves, `7/2`, where the standings go by them; else null"
    )
    why = ReasonSerializer(source="separation", allow_null=True, help_text="what put it before the next entry")


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    organiser = serializers.CharField(source="organiser.name")
    club = serializers.CharField(source="club.public_id", allow_null=True, default=None, help_text="its public id")
    state = serializers.ChoiceField(choices=list_codes(Tournament.State.values))
    format = serializers.ChoiceField(choices=list_codes(FORMATS))
    ruleset = serializers.ChoiceField(choices=list_codes(RULESETS))
    length_kind = serializers.ChoiceField(choices=LENGTH_KINDS)
    tie_break = serializers.SerializerMethodField(help_text="own: an order of its own, `tie_break_order`")
    tie_break_order = serializers.SerializerMethodField(help_text="its criteria, the first one first")
    seeding = serializers.ChoiceField(choices=list_codes(Tournament.Seeding.values))
    registration = serializers.ChoiceField(choices=list_codes(Tournament.Registration.values))
    venue = serializers.ChoiceField(choices=list(list_venues()), source="venue.code", read_only=True)
    round_hours = serializers.ListField(child=serializers.DateTimeField(), source="hours_set")
    join_code = serializers.SerializerMethodField(help_text="for whoever runs it; for others, and in lists, null")
    entries_count = serializers.IntegerField()

    class Meta:
        model = Tournament
        fields = (
            "public_id", "organiser", "club", "state", "version", "draw_commitment", "lot", "entries_count",
            *SETTING_NAMES, "tie_break_order", "created_at",
            "drawn_at", "finished_at", "closed_at", "paused_at", "cancelled_because",
            "cancelled_reason",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(list_codes((*PRESETS, *EARLIER, OWN))))
    def get_tie_break(self, tournament: Tournament) -> str:
        return name_order(tournament.tie_break)

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(list_codes(CRITERIA))))
    def get_tie_break_order(self, tournament: Tournament) -> list[str]:
        return list(read_order(tournament.tie_break).criteria)

    def get_join_code(self, tournament: Tournament) -> str | None:
        return tournament.join_code if self.context.get("runs") else None


class InvitedSerializer(serializers.Serializer[rows.InvitedRow]):
    id = serializers.IntegerField(source="invitation_id")
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=list_codes(PlayInvitation.Kind.values))
    outcome = serializers.SerializerMethodField(help_text="open, accepted, refused, taken_back or lapsed")
    invited_at = serializers.DateTimeField(source="made_at")
    expires_at = serializers.DateTimeField(
        source="until", allow_null=True, help_text="null in a draft: nobody has been told"
    )
    answered_at = serializers.DateTimeField(source="ended_at", allow_null=True)

    def get_outcome(self, row: rows.InvitedRow) -> str:
        return row.outcome or "open"


class TournamentDetailSerializer(serializers.Serializer[Json]):
    tournament = TournamentSerializer()
    entries = EntrySerializer(many=True)
    waiting_list = EntrySerializer(many=True, help_text="who waits for a place, the first of it first")
    applicants = EntrySerializer(many=True, help_text="who waits for an answer, for whoever runs it; for others empty")
    held_places = serializers.IntegerField(help_text="by invitations without an answer; they are no entries")
    invitations = InvitedSerializer(many=True, help_text="for whoever runs the tournament; for others always empty")
    rounds = RoundSerializer(many=True)
    standings = StandingSerializer(many=True)
