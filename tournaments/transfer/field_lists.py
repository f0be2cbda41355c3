"""Fields of each model that a tournament's file carries, and those it leaves out with the reason. It reads no row.

A law in ``tests/tournaments/transfer`` fails for a field or a model that neither list names: whoever adds one decides
here whether it travels. The kinds of values follow from the models.
"""

from collections.abc import Mapping
from typing import Any

from django.db import models

from players.models import Person
from scoring.best_of import NUMBERS
from scoring.play_offs import MOST
from tournaments.game_counts import COUNTS
from tournaments.models import (
    Entry,
    EntryMember,
    Fixture,
    ForbiddenPairing,
    LineUp,
    LogEntry,
    PlayOff,
    PlayOffEntry,
    PlayOffResult,
    Round,
    RoundBye,
    Tournament,
)
from tournaments.transfer.document import MAX_NUMBER
from tournaments.transfer.shapes import (
    FlagShape,
    HourShape,
    JsonShape,
    ListShape,
    MaybeShape,
    NumberShape,
    RecordShape,
    Shape,
    TextShape,
)

MAX_ENTRIES = 8192  # before the draw more may wait than have places
MAX_LOG_ENTRIES = 100_000
MAX_ROUNDS = 200
MAX_FIXTURES = 4096  # of a round
MAX_PLAY_OFFS = 1024
ID = TextShape(32, least=1)  # opaque: made for one file, it says nothing about the row
STATES = (
    Tournament.State.DRAFT, Tournament.State.OPEN, Tournament.State.CHECKIN, Tournament.State.RUNNING,
    Tournament.State.FINISHED,
)  # fmt: skip

# Plain values, by name. References to other rows are written by outgoing.py as opaque ids.
CARRIED: Mapping[type[models.Model], tuple[str, ...]] = {
    Tournament: (
        "name", "description", "venue", "hall_tables", "clock_minutes", "clock_end", "state", "format",
        "format_options", "ruleset", "options", "length_kind",
        "length_value", "turn_timeout", "match_clock", "noshow_after", "pause", "tie_break", "seats_an_entry",
        "team_size", "team_tables", "games", "games_in_ko", "late_games", "late_from", "only_games_won",
        "seeding", "lot", "min_entries", "max_entries", "level_min", "level_max", "registration", "checkin_minutes",
        "round_minutes",
        "round_hours", "publishes_rounds", "guests_allowed", "starts_at", "time_zone", "created_at", "drawn_at",
        "finished_at", "closed_at", "play_offs_opened", "prizes",
        "prizes_each", "partners", "pairs_stay",
    ),
    Entry: (
        "created_at", "team_name", "confirmed", "approved", "waiting_since", "placed", "seed", "forfeits", "forgiven",
        "withdrawn_at", "withdrawn_after", "expelled", "group", "rank", "played", "won", "drawn", "mp", "vp",
        "separation", "fixed_table", "side", "tie",
    ),
    Person: ("initials", "suffix"),
    EntryMember: ("checked_in_at", "line_up", "club"),
    RoundBye: ("number", "kind"),
    ForbiddenPairing: (),
    Round: ("number", "name", "finished", "opens_at", "published_at", "way"),
    Fixture: (
        "board", "part", "group", "state", "winner", "double_forfeit", "forfeit_by", "points_0", "points_1",
        "mp_0", "mp_1", "vp_0", "vp_1", "decided_by", "result_at", "annulled", "unconfirmed", "ruled", "wave", "table",
        "moved", "own_clock", "unplayed", "games",
    ),
    LineUp: (),
    PlayOff: ("number", "rank", "length_kind", "length_value", "opened_at"),
    PlayOffEntry: (),
    PlayOffResult: (
        "round", "board", "winner", "double_forfeit", "forfeit_by", "points_0", "points_1", "decided_by", "result_at",
    ),
    LogEntry: ("at", "code", "detail"),
}  # fmt: skip

# Written by outgoing.py in another form: as opaque ids, by their place in a list, or as a name.
REFERENCES: Mapping[type[models.Model], tuple[str, ...]] = {
    Tournament: ("version",),  # the file's revision
    Person: ("id", "player", "typed_name"),
    Entry: ("id", "tournament"),
    EntryMember: ("entry", "tournament", "person", "position"),
    RoundBye: ("entry",),
    ForbiddenPairing: ("tournament", "first", "second"),
    Round: ("tournament",),
    Fixture: ("round", "first", "second"),
    LineUp: ("fixture", "side", "person", "position"),
    PlayOff: ("tournament",),
    PlayOffEntry: ("play_off", "entry", "number"),
    PlayOffResult: ("play_off",),
    LogEntry: ("tournament", "player", "by_name"),
}

LEFT_OUT: Mapping[type[models.Model], Mapping[str, str]] = {
    Tournament: {
        "id": "local",
        "public_id": "local: the file's header names the one of the site that wrote it",
        "organiser": "an account: who imports it organises it",
        "club": "a club is of one site",
        "series": "a series is of one site",
        "join_token": "secret",
        "join_code": "secret",
        "house_allowed": "the house plays on its own site",
        "house_strength": "the house plays on its own site",
        "standing_offer": "of the house",
        "due_at": "follows from the settings",
        "remind_at": "follows from the settings",
        "confirm_minutes": "of the telephones of one site",
        "fee_cents": "fees and who paid stay with whoever has the till",
        "paused_at": "holds tables of one site",
        "announcement": "said to one room",
        "break_until": "of one room",
        "stuck_round": "follows from the rounds",
        "draft": "a round that nobody sees yet: it is drawn again",
        "draw_commitment": "to a secret of one site; the log says from which the lots were drawn",
        "draws": "from a secret of one site",
        "cancelled_reason": "what is cancelled doesn't travel",
        "cancelled_because": "what is cancelled doesn't travel",
        "imported_from": "said by the site that imports",
        "lent_to": "said by the site that lends",
        "equal_deals": "such a tournament doesn't travel (J9)",
        "nonces_until": "such a tournament doesn't travel (J9)",
    },
    Person: {"typed_key": "follows from the name"},
    Entry: {
        "invited": "an account",
        "token": "secret",
        "link_digest": "secret",
        "expires_at": "a hold of one site",
        "counts_on_site": "accounts of one site",
        "percentage": "of equal deals, which don't travel (J10)",
    },
    EntryMember: {
        "id": "local",
        "link_digest": "secret",
        "nonce_hash": "of equal deals, which don't travel (J9)",
        "nonce": "of equal deals, which don't travel (J9)",
    },
    RoundBye: {"id": "local", "by_player": "an account or a key of one site"},
    ForbiddenPairing: {"id": "local: its place in the list names it"},
    Round: {
        "id": "local",
        "remind_at": "follows from opens_at",
        "withheld": "of equal deals, which don't travel (J12)",
    },
    Fixture: {
        "id": "local: its round and board name it",
        "opens_at": "opens a table of one site",
        "announced": "told by one site",
        "ahead_by": "an agreement of two accounts",
        "extra_minutes": "of a clock that runs in one hall",
        "match": "a table of one site: its record and its cards stay there",
        **dict.fromkeys(
            ("own_cards", "deal_points", "percent_0", "percent_1", "left_out"),
            "of equal deals, which don't travel (J9)",
        ),
    },
    LineUp: {"id": "local"},
    PlayOff: {"id": "local: its number names it"},
    PlayOffEntry: {"id": "local"},
    PlayOffResult: {"id": "local: its round and board name it"},
    LogEntry: {"id": "local: its place in the log names it"},
}

# Models that hang on a tournament and stay where they are.
STAYING: Mapping[str, str] = {
    "Referee": "accounts of one site",
    "DeskPass": "secret, and of one site",
    "EntryListDraft": "what one person hasn't entered yet",
    "RoundClock": "runs in one hall: whoever goes on starts it again",
    "RoundSecret": "of equal deals, which don't travel (J9)",
    "PlayInvitation": "asks accounts of one site",
    "Invitee": "asks accounts of one site",
    "LateRequest": "waits for an answer on one site",
    "NameClaim": "an account of one site says that a name is its own",
    "Arrival": "where a tournament was imported from",
    "RegisterCard": "private to a club",
    "ForgottenName": "keyed by the secret of one site",
    "Payment": "fee notes stay with whoever has the till",
    "ToldResult": "what webhooks of one site told",
    "ScoreSlip": "codes: slips are printed anew",
    "Loan": "what a site keeps of what it lent",
    "TournamentPoints": "computed from the results, where they are",
    "RankingRow": "of one site's rankings",
    "Circuit": "adds up the tournaments of one site",
    "CircuitTournament": "adds up the tournaments of one site",
    "CircuitTotal": "adds up the tournaments of one site",
    "CircuitLink": "who is who in a circuit of one site",
}


def list_carried(model: type[models.Model]) -> tuple[str, ...]:
    """Return the names of the plain values that a model has, in the order of the file."""
    columns = {field.name for field in model._meta.concrete_fields}
    return tuple(name for name in CARRIED[model] if name in columns)


def make_record_shape(model: type[models.Model], **further: Shape) -> RecordShape:
    """Return the shape of a row: its plain values, as the model has them, and further fields."""
    plain = {name: make_shape(model._meta.get_field(name)) for name in list_carried(model)}
    return RecordShape({**further, **plain})


def make_shape(field: Any) -> Shape:
    """Return the shape of a model field's values."""
    shape = _make_plain_shape(field)
    return MaybeShape(shape) if field.null else shape


def _make_plain_shape(field: Any) -> Shape:
    if isinstance(field, models.BooleanField):
        return FlagShape()
    if isinstance(field, models.DateTimeField):
        return HourShape()
    if isinstance(field, models.JSONField):
        return JsonShape(list if field.default is list else dict)
    if isinstance(field, models.PositiveSmallIntegerField):
        return NumberShape(0, 2**15 - 1)
    if isinstance(field, models.SmallIntegerField):
        return NumberShape(-(2**15), 2**15 - 1)
    if isinstance(field, models.IntegerField):
        return NumberShape(0, MAX_NUMBER)
    if isinstance(field, models.CharField | models.TextField):
        choices = tuple(value for value, _label in field.choices or ())
        return TextShape(field.max_length or 20_000, ("", *choices) if choices and field.blank else choices)
    raise TypeError(f"no shape for {field}")


PERSON = make_record_shape(Person, id=ID, name=TextShape(64, least=1))
MEMBER = RecordShape(make_record_shape(EntryMember, person=ID).fields, optional=frozenset(("club",)))
BYE = make_record_shape(RoundBye)
FORBIDDEN = make_record_shape(ForbiddenPairing, first=ID, second=ID)
ENTRY = RecordShape(
    make_record_shape(Entry, id=ID, members=ListShape(MEMBER, 16), byes=ListShape(BYE, MAX_ROUNDS)).fields,
    optional=frozenset(("side", "tie")),
)
GAME = RecordShape(
    {
        "winner": NumberShape(0, 1),
        "points": MaybeShape(ListShape(NumberShape(0, 2**15 - 1), 2, least=2)),
        "decided_by": TextShape(24),
    }
)
FIXTURE = RecordShape(
    {
        **make_record_shape(
            Fixture, first=MaybeShape(ID), second=MaybeShape(ID), line_ups=ListShape(ListShape(ID, 16), 2)
        ).fields,
        "games": MaybeShape(ListShape(GAME, max(NUMBERS))),
    },
    optional=frozenset(("unplayed", "games")),
)
ROUND = RecordShape(
    make_record_shape(Round, fixtures=ListShape(FIXTURE, MAX_FIXTURES)).fields, optional=frozenset(("way",))
)
PLAY_OFF = make_record_shape(
    PlayOff, entries=ListShape(ID, MOST), results=ListShape(make_record_shape(PlayOffResult), MOST)
)
LOG_ENTRY = make_record_shape(LogEntry, by=TextShape(64))
TOURNAMENT = RecordShape(
    {**make_record_shape(Tournament).fields, "state": TextShape(10, tuple(str(state) for state in STATES))},
    optional=frozenset(("closed_at", "play_offs_opened", "prizes_each", "partners", "pairs_stay", *COUNTS)),
)
BODY = RecordShape(
    {
        "tournament": TOURNAMENT,
        "persons": ListShape(PERSON, 4 * MAX_ENTRIES),
        "entries": ListShape(ENTRY, MAX_ENTRIES),
        "forbidden": ListShape(FORBIDDEN, MAX_ENTRIES),
        "rounds": ListShape(ROUND, MAX_ROUNDS),
        "play_offs": ListShape(PLAY_OFF, MAX_PLAY_OFFS),
        "log": ListShape(LOG_ENTRY, MAX_LOG_ENTRIES),
    },
    optional=frozenset(("play_offs",)),
)
