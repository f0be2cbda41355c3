"""Details of log entries (E2, F3): one dataclass a kind, and the only place where they become JSON and come back.

``KINDS`` is the closed list of codes with the kind of each. Nothing here decides what is logged, or words it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

from django.db import transaction

from players.models import Player
from tournaments.core.result import FixtureResult
from tournaments.models import LogEntry, Tournament

ACT = "ruling_"  # begins the code of every act of a referee
ENTERED = "entered"  # the first result of a fixture at a real table: an act like others, and no ruling
PHONES, UNCONFIRMED = "phones", "unconfirmed"  # by the telephones of both sides, or of one (O4): of no referee
AGREED = "agreed"  # of the organiser's own match, at a real table (O13)
REOPENED = "reopened"  # corrected to games that decide nothing yet (EV1)
PLAIN_ENTRIES = (ENTERED, PHONES, UNCONFIRMED)
OptionValue = bool | int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDetail:
    """No details: the code says it all. The base of every other kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDetail(LogDetail):
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameDetail(LogDetail):
    """The name of the player who acted, as it was; renamed when their account is closed."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDetail(LogDetail):
    """The id of an entry; None where it is the acting player's own."""

    entry: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesDetail(LogDetail):
    """The ids of the entries that a wish is about; of a bye also the number of the round (D3, D4)."""

    entries: tuple[int, ...]
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalDetail(LogDetail):
    entry: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeDetail(LogDetail):
    """The prize of a place that can't be divided, and the id of the entry that gets it; None: the lot decides."""

    place: int
    what: str
    reason: str
    entry: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpulsionDetail(LogDetail):
    """An expulsion by the system, after ``count`` forfeits (R5)."""

    entry: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureDetail(LogDetail):
    """The id of a fixture, with its points by side where it ended."""

    fixture: int
    score: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipDetail(LogDetail):
    """The result that a side of these two entries had typed with the code of its slip (O4); no score: a forfeit."""

    entries: tuple[int, ...]
    typed_by: int
    score: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentDetail(LogDetail):
    """The commitment to the secret of the lots, and its scope (J3a)."""

    scope: str
    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPartners:
    """The pairs that were drawn of ``people`` who entered alone (EV2): their persons, as they were listed.

    By their numbers in that list, from 1: the ``pairs``, in the order in which the draw of seeds finds them, who stayed
    ``out`` (0: nobody), in which order they ``entered``, and who was ``tied`` to whom. Of each the place by strength
    (``strengths``, None without one), and the list (``sides``).
    """

    people: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    out: int = 0
    entered: tuple[int, ...] = ()
    strengths: tuple[int | None, ...] = ()
    sides: tuple[str, ...] = ()
    tied: tuple[tuple[int, int], ...] = ()

    @property
    def is_sound(self) -> bool:
        """Tell if this can be: everybody is in one pair, or out."""
        numbers = sorted(number for pair in self.pairs for number in pair)
        everybody = [*range(1, len(self.people) + 1)]
        lists = (self.entered, self.strengths, self.sides)
        whole = sorted([*numbers, *([self.out] if self.out else [])]) == everybody
        return whole and all(len(one) in (0, len(everybody)) for one in lists)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawDetail(LogDetail):
    """The ids of the entries in the order of their seeds, and the lot.

    Where they were drawn from a secret (J3a), all it takes to draw them again: scope, commitment, secret (empty: it was
    lost), the ``number`` of the draw, for each seed the number that its entry had in the list before (``numbers``, from
    1), and by the same numbers who changed places by hand (``swapped``).

    Where those of one club were kept apart (EV9) the clubs of each entry of the list, by numbers that say no more, who
    changed places for that (``parted``, before ``swapped``), and how many pairs were of one club before and after.
    """

    order: tuple[int, ...]
    lot: str
    scope: str = ""
    commitment: str = ""
    secret: str = ""
    number: int = 0
    numbers: tuple[int, ...] = ()
    swapped: tuple[tuple[int, int], ...] = ()
    clubs: tuple[tuple[int, ...], ...] = ()
    parted: tuple[tuple[int, int], ...] = ()
    of_one_club: tuple[int, ...] = ()
    partners: DrawnPartners | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionDetail(LogDetail):
    """A format's option as it was planned and as so many entries took it at the draw (E6)."""

    option: str
    planned: OptionValue
    drawn: OptionValue
    entries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDetail(LogDetail):
    """A round by its name and number, how often it was drawn before it was published, and who was swapped by hand."""

    round: tuple[str, int]
    draws: int = 1
    swaps: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundWayDetail(LogDetail):
    """The organiser's choice for a round that can't be paired (D1), or which one is taken back, and the reason."""

    round: tuple[str, int]
    way: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundHourDetail(LogDetail):
    """A round by its name and number, with its hours before and after."""

    round: tuple[str, int]
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClockDetail(LogDetail):
    """A round's clock (O6): the minutes it started with, or more of them, for all or for one ``table``.

    ``own``: the table that has it for itself.
    """

    round: tuple[str, int]
    wave: int
    minutes: int = 0
    table: int | None = None
    own: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NameClaimDetail(LogDetail):
    """A claim (O2): the id of the person, the public id of the account that says to be them, an answer's reason."""

    person: int
    account: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeDetail(LogDetail):
    """The public id of a referee, or of whoever organises from now on."""

    referee: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CancellationDetail(LogDetail):
    """The code of why a tournament was called off, and the organiser's own reason."""

    because: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteDetail(LogDetail):
    """The name of the other site a tournament came from or went to (O9)."""

    site: str


@dataclass(frozen=True, slots=True)
class LoggedResult:
    """A fixture's result as it stood when a referee acted. ``ruled``: it was a referee's already."""

    over: bool
    playing: bool
    annulled: bool
    result: FixtureResult
    ruled: bool = False


@dataclass(frozen=True, slots=True)
class FixturePlace:
    """A fixture's place, its entries, and the persons by side as they were then."""

    fixture: int
    round: int
    round_name: str
    board: int
    first: int | None
    second: int | None
    persons: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActDetail(LogDetail):
    """An act of a referee: its reason, the key its page gave it, and what it is about: a fixture, or an entry.

    ``members``: the persons of the entry as they were then.
    """

    reason: str = ""
    act: str = ""
    place: FixturePlace | None = None
    entry: int | None = None
    members: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultActDetail(ActDetail):
    """An act about a result. ``after`` is None where it is played again; ``table``: the id of the match of before.

    ``typed_by``: the side that typed it, where it came by telephone (O4).
    """

    before: LoggedResult
    after: LoggedResult | None = None
    pairings_kept: bool = False
    table: str | None = None
    typed_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoDetail(ResultActDetail):
    """An entry of a result taken back by whoever made it. ``undoes``: the id of its log entry."""

    undoes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffDetail(LogDetail):
    """Act on a play-off (EV11): its ``number``, the ``rank`` that its ``entries`` shared, in the order of the lot; of
    one of its matches the slot and its two sides, with the result before and after."""

    number: int
    rank: int
    entries: tuple[int, ...]
    reason: str = ""
    act: str = ""  # the key its page gave it
    slot: tuple[int, int] = (0, 0)
    before: LoggedResult | None = None
    after: LoggedResult | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonDetail(ActDetail):
    """Ruling on what counts of a fixture in its round's confronto (J10): points by deal, percentages in hundredths, or
    nothing of its deals for the others."""

    deals: tuple[tuple[int, int] | None, ...] = ()
    percent: tuple[int, int] | None = None
    left_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RealTableDetail(ActDetail):
    """A fixture taken to a real table (O1), of this ``number`` if it has one, or back from it; ``table``: the id of the
    match that it ended."""

    number: int | None = None
    table: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClocksActDetail(ActDetail):
    """Clocks held or let run: of ``count`` tables, of one table or of ``all`` ``fixtures``."""

    count: int
    all: bool
    fixtures: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeActDetail(ActDetail):
    """Minutes given back, with the seconds on the match clock before and after; None without a match clock."""

    minutes: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacementDetail(ActDetail):
    """The ids of the persons who went and who came."""

    changed: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnDetail(ActDetail):
    """An entry taken in again: how and when it had left, and the ids of the fixtures it plays again."""

    was_expelled: bool
    left_at: str
    again: tuple[int, ...]


CLAIMANTS_ACTS = ("claim_asked", "claim_taken_back")  # who acts is who claims
CLAIM_CODES = (*CLAIMANTS_ACTS, "claim_accepted", "claim_refused", "claim_revoked")
Detail = TypeVar("Detail", bound=LogDetail)

KINDS: dict[str, type[LogDetail]] = {
    **dict.fromkeys(("created", "published", "edited", "texts_edited", "seeded", "link_renewed"), LogDetail),
    **dict.fromkeys(("hall_marked", "hall_ended", "renamed", "fees_set"), LogDetail),
    **dict.fromkeys(("desk_pass_made", "desk_pass_used", "desk_pass_ended"), LogDetail),
    "name_forgotten": LogDetail,
    **dict.fromkeys(("invited", "link_made", "pair_joined", "pair_declined"), LogDetail),
    **dict.fromkeys(("invitation_refused", "invitation_taken_back"), LogDetail),
    **dict.fromkeys(("pair_expired", "pair_unconfirmed", "checkin_opened", "finished"), LogDetail),
    **dict.fromkeys(("approved", "declined", "moved_up", "left_out", "not_checked_in"), CountDetail),
    **dict.fromkeys(("all_present", "roll_call_undone", "slips_printed"), CountDetail),
    **dict.fromkeys(("entered_by_list", "house_joined", "entries_invited", "invitations_lapsed"), CountDetail),
    **dict.fromkeys(("joined", "applied", "queued", "left"), NameDetail),
    **dict.fromkeys(("removed", "checked_in", "checked_out", "substitute_asked", "return_asked"), EntryDetail),
    **dict.fromkeys(("table_fixed", "list_chosen"), EntryDetail),
    **dict.fromkeys(("pair_tied", "pair_untied"), EntriesDetail),
    **dict.fromkeys(("table_opened", "ahead", "result", "slip_called", "slip_confirmed"), FixtureDetail),
    "slip_forgotten": SlipDetail,
    **dict.fromkeys(("referee_named", "referee_dismissed", "organiser_changed"), RefereeDetail),
    "draw_committed": CommitmentDetail,
    "drawn": DrawDetail,
    "option_reduced": OptionDetail,
    **dict.fromkeys(("round_published", "decks_prepared"), RoundDetail),
    **dict.fromkeys(("round_stuck", "round_unstuck", "rounds_dropped"), RoundDetail),
    **dict.fromkeys(("round_way", "round_way_back"), RoundWayDetail),
    **dict.fromkeys(("pairing_forbidden", "pairing_allowed"), EntriesDetail),
    **dict.fromkeys(("bye_asked", "bye_absent", "bye_taken_back", "joined_late"), EntriesDetail),
    **dict.fromkeys(("self_joined", "self_applied", "self_queued"), EntriesDetail),
    "self_left": LogDetail,
    **dict.fromkeys(("line_up_named", "line_up_changed", "team_grown"), EntriesDetail),
    **dict.fromkeys(CLAIM_CODES, NameClaimDetail),
    "round_moved": RoundHourDetail,
    **dict.fromkeys(("clock_started", "clock_paused", "clock_resumed", "clock_extended"), RoundClockDetail),
    "cancelled": CancellationDetail,
    **dict.fromkeys(("imported", "lent", "recalled", "returned"), SiteDetail),
    "withdrawn": WithdrawalDetail,
    "prize_given": PrizeDetail,
    **dict.fromkeys(("play_off_opened", "play_off_result", "play_off_changed", "play_off_dropped"), PlayOffDetail),
    **dict.fromkeys(("closed", "closed_not"), LogDetail),
    "expelled": ExpulsionDetail,
    **dict.fromkeys((f"{ACT}{what}" for what in ("result", AGREED, *PLAIN_ENTRIES)), ResultActDetail),
    **dict.fromkeys((f"{ACT}{what}" for what in ("annulled", "reinstated")), ResultActDetail),
    **dict.fromkeys((f"{ACT}{what}" for what in ("replay", "forfeit", REOPENED)), ResultActDetail),
    **dict.fromkeys((f"{ACT}{what}" for what in ("pause", "resume")), ClocksActDetail),
    **dict.fromkeys((f"{ACT}{what}" for what in ("withdrawn", "expelled")), ActDetail),
    **dict.fromkeys((f"{ACT}{what}" for what in ("moved", "moved_back")), RealTableDetail),
    f"{ACT}comparison": ComparisonDetail,
    f"{ACT}undone": UndoDetail,
    f"{ACT}time": TimeActDetail,
    f"{ACT}replace": ReplacementDetail,
    f"{ACT}returned": ReturnDetail,
}


def encode_detail(code: str, detail: LogDetail) -> dict[str, object]:
    """Return the JSON of the details of an entry with this code, without what is left out of them.

    TypeError: details of another kind than the code's.
    """
    if type(detail) is not KINDS[code]:
        raise TypeError(f"{code} is logged with {KINDS[code].__name__}, not with {type(detail).__name__}")
    defaults = {field.name: field.default for field in fields(detail) if field.default is not MISSING}
    return {name: value for name, value in asdict(detail).items() if name not in defaults or value != defaults[name]}


def read_detail(entry: LogEntry, kind: type[Detail]) -> Detail:
    """Return the details of an entry, of a code whose details are of this kind; TypeError for another one."""
    detail = _decode(KINDS[entry.code], entry.detail)
    if not isinstance(detail, kind):
        raise TypeError(f"{entry.code} is logged with {type(detail).__name__}, not with {kind.__name__}")
    return detail


def rename_in_log(player: Player, name: str) -> None:
    """Replace a player's name wherever a tournament's log holds it."""
    codes = [code for code, kind in KINDS.items() if kind is NameDetail]
    entries = LogEntry.objects.filter(player=player, code__in=codes)
    change_details(entries, lambda entry: encode_detail(entry.code, NameDetail(name=name)))


def part_accounts_in_log(person_ids: Collection[int]) -> None:
    """Let no log say any more which accounts claimed to be these people (I1)."""
    entries = LogEntry.objects.filter(code__in=CLAIM_CODES, detail__person__in=list(person_ids))

    def part(entry: LogEntry) -> dict[str, object]:
        return encode_detail(entry.code, NameClaimDetail(person=read_detail(entry, NameClaimDetail).person))

    acts = list(entries.filter(code__in=CLAIMANTS_ACTS).values_list("pk", flat=True))
    LogEntry.objects.filter(pk__in=acts).update(player=None, by_name="")
    change_details(entries, part)


def replace_in_log(tournament: Tournament, names: Collection[str], substitute: str) -> None:
    """Replace names, as whole words and in any case, in every text that the details of a tournament's log hold."""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names)), re.IGNORECASE)
    entries = LogEntry.objects.filter(tournament=tournament)
    change_details(entries, lambda entry: _replace_texts(entry.detail, pattern, substitute))


def change_details(entries: Iterable[LogEntry], change: Callable[[LogEntry], object]) -> None:
    """Store other details of those entries for which there are any, each read again under its own lock: a name that
    changes here and a person who is forgotten there are both kept."""
    for seen in entries:
        if change(seen) == seen.detail:
            continue
        with transaction.atomic():
            entry = LogEntry.objects.select_for_update(no_key=True).filter(pk=seen.pk).first()
            if entry is not None:
                entry.detail = change(entry)
                entry.save(update_fields=["detail"])


def _replace_texts(value: object, pattern: re.Pattern[str], substitute: str) -> Any:
    if isinstance(value, str):
        return pattern.sub(substitute, value)
    if isinstance(value, list):
        return [_replace_texts(part, pattern, substitute) for part in value]
    if isinstance(value, dict):
        return {name: _replace_texts(part, pattern, substitute) for name, part in value.items()}
    return value


def _decode(kind: Any, value: Any) -> Any:
    """Return a JSON value as that type has it: dataclasses of objects, tuples of arrays."""
    if isinstance(value, list):
        inner = next((one for one in get_args(kind) if is_dataclass(one)), None)
        return tuple(_decode(inner, part) for part in value)
    if isinstance(value, dict):
        made: Any = next(one for one in (kind, *get_args(kind)) if is_dataclass(one))
        types = _find_field_types(made)
        return made(**{name: _decode(types[name], part) for name, part in value.items()})
    return value


@cache
def _find_field_types(made: type[Any]) -> Mapping[str, Any]:
    """Return the types of a dataclass's fields: they are asked for with every row that is read."""
    return get_type_hints(made)
