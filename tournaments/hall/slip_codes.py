"""Codes of score slips (O4): one for each side of a fixture at a real table, printed, and nowhere else.

Of a code only a keyed digest is stored: printing anew makes new codes, and the old ones are dead.
"""

import secrets
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from players.keyed_digests import compute_keyed_digest, list_keyed_digests
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail, SlipDetail
from tournaments.core.permissions import list_own_fixtures, require_organiser, require_referee
from tournaments.models import Fixture, Round, ScoreSlip, Tournament

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # those that aren't taken for one another
CODE_LENGTH = 8
MAX_WRONG = 10  # codes, in one browser or of one side; after that the desk
MAX_CONFIRM_MINUTES = 120
MAX_PRINTED = 128  # fixtures at once: drawing two QR codes of each keeps the others on this process waiting (AT6)
TYPED = ("typed", "typed_by", "due_at", "called")  # what came in, with codes or at the desk
PRINTED = ("digest_0", "digest_1", "printed_at", "wrong_0", "wrong_1", *TYPED)  # what printing writes

State = Tournament.State


SALT = "tournaments.desk.slip_codes"  # as ever: codes stand on paper


class SlipSide(NamedTuple):
    """A side of a fixture, by the code on its slip."""

    slip: ScoreSlip
    side: int


class PrintedSlip(NamedTuple):
    """A fixture with the codes of its two sides, as they go on paper."""

    fixture: Fixture
    codes: tuple[str, str]


def compute_code_digest(tournament: Tournament, code: str) -> str:
    """Return what is kept of a code: nobody else can make it, nor the code of it."""
    return compute_keyed_digest(SALT, _name_code(tournament, code))


def _name_code(tournament: Tournament, code: str) -> str:
    typed = "".join(letter for letter in code.upper() if letter.isalnum())
    return f"{tournament.pk}:{typed}"


def list_printable(tournament: Tournament, by: Player) -> tuple[list[Fixture], list[Fixture]]:
    """Return the fixtures at real tables that wait for their result: those whose slips this player may print, and
    those in which they play: who held both codes could confirm alone (O13, F1)."""
    waiting = Fixture.objects.of(tournament).ready().filter(table__isnull=False)
    own = list_own_fixtures(tournament, by)
    rows = list(waiting.select_related("round", "slip", "first").order_by("round__number", "wave", "table"))
    return [row for row in rows if row.pk not in own], [row for row in rows if row.pk in own]


def is_printed(fixture: Fixture) -> bool:
    """Tell if slips were printed for this fixture."""
    slip = getattr(fixture, "slip", None)
    return slip is not None and slip.printed_at is not None


def get_slip(fixture: Fixture) -> ScoreSlip:
    """Return the slip of a locked fixture; where none was printed, one whose digests are of no code."""
    digests = {f"digest_{side}": secrets.token_hex(32) for side in (0, 1)}
    return ScoreSlip.objects.get_or_create(fixture=fixture, defaults=digests)[0]


@transaction.atomic
def print_slips(
    *, tournament_id: int, by: Player, now: datetime, fixture_id: int | None = None, anew: bool = False
) -> list[PrintedSlip]:
    """Make the codes of fixtures without slips; with ``anew`` of all, or of the one with ``fixture_id`` alone. Of many,
    ``MAX_PRINTED`` are made at once, those that were printed last at the end.

    What was typed with the codes of before is forgotten with them, and logged. TournamentError: not_referee,
    not_running, slips_none; plays_there for the one fixture in which they play.
    """
    tournament = lock_tournament(tournament_id)
    require_referee(tournament, by)
    if not tournament.venue.types_results or tournament.state != State.RUNNING:
        raise TournamentError("not_running")
    waiting, own = list_printable(tournament, by)
    if fixture_id in [fixture.pk for fixture in own]:
        raise TournamentError("plays_there")
    if fixture_id is not None:
        waiting = [fixture for fixture in waiting if fixture.pk == fixture_id]
    elif not anew:
        waiting = [fixture for fixture in waiting if not is_printed(fixture)]
    if not waiting:
        raise TournamentError("slips_none")
    waiting = sorted(waiting, key=_find_print_time)[:MAX_PRINTED]
    for fixture in waiting:
        _log_forgotten(tournament, fixture, by, now)
    printed = [PrintedSlip(fixture, (_make_code(), _make_code())) for fixture in waiting]
    slips = [_make_slip(tournament, one, now) for one in printed]
    ScoreSlip.objects.bulk_create(slips, update_conflicts=True, unique_fields=["fixture"], update_fields=PRINTED)
    write_log(tournament, "slips_printed", now, by, CountDetail(count=len(printed)))
    store_version(tournament)  # the wall leads to the page that asks for the codes now
    return printed


def _find_print_time(fixture: Fixture) -> float:
    printed_at = fixture.slip.printed_at if is_printed(fixture) else None
    return 0.0 if printed_at is None else printed_at.timestamp()


def _make_slip(tournament: Tournament, printed: PrintedSlip, now: datetime) -> ScoreSlip:
    """Return a slip with its new codes; what the desk had typed before the first print stays (O13)."""
    fixture = printed.fixture
    digest_0, digest_1 = (compute_code_digest(tournament, code) for code in printed.codes)
    kept = {} if is_printed(fixture) or not hasattr(fixture, "slip") else {n: getattr(fixture.slip, n) for n in TYPED}
    return ScoreSlip(fixture_id=fixture.pk, digest_0=digest_0, digest_1=digest_1, printed_at=now, **kept)


def _log_forgotten(tournament: Tournament, fixture: Fixture, by: Player, now: datetime) -> None:
    """Log what each side had typed with codes that are dead now."""
    if not is_printed(fixture):
        return
    entries = tuple(pk for pk in (fixture.first_id, fixture.second_id) if pk is not None)
    for side, typed in sorted(fixture.slip.typed.items()):
        decision = typed["decision"]
        score = None if decision is None else (decision["points"][0], decision["points"][1])
        detail = SlipDetail(entries=entries, typed_by=int(side), score=score)
        write_log(tournament, "slip_forgotten", now, by, detail)


def _make_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))


@transaction.atomic
def set_confirm_minutes(*, tournament_id: int, by: Player, minutes: int) -> None:
    """Set after how many minutes a result typed on one telephone alone enters the standings.

    TournamentError: lent, not_organiser, confirm_range.
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if not 1 <= minutes <= MAX_CONFIRM_MINUTES:
        raise TournamentError("confirm_range", high=MAX_CONFIRM_MINUTES)
    tournament.confirm_minutes = minutes
    tournament.save(update_fields=["confirm_minutes"])


def find_side_by_code(tournament: Tournament, code: str) -> SlipSide:
    """Return the side whose code this is. TournamentError: as ``find_side``."""
    return find_side(tournament, *list_keyed_digests(SALT, _name_code(tournament, code)))


def find_side(tournament: Tournament, *digests: str) -> SlipSide:
    """Return the side whose code has one of these digests. TournamentError: slip_code_wrong, slip_code_over,
    slip_codes_many."""
    slips = ScoreSlip.objects.filter(fixture__round__tournament=tournament)
    slip = (
        slips.filter(Q(digest_0__in=digests) | Q(digest_1__in=digests))
        .select_related("fixture__round__tournament")
        .first()
    )
    if slip is None:
        raise TournamentError("slip_code_wrong")
    if not is_alive(slip.fixture):
        raise TournamentError("slip_code_over")
    own = SlipSide(slip, int(slip.digest_1 in digests))
    require_few_wrong(own)
    return own


def has_slips(tournament: Tournament, number: int) -> bool:
    """Tell if a round that is being played has slips, whose codes the page of telephones asks for."""
    slips = ScoreSlip.objects.filter(fixture__round__tournament=tournament, printed_at__isnull=False)
    return tournament.state == State.RUNNING and slips.filter(fixture__round__number=number).exists()


def require_few_wrong(own: SlipSide) -> None:
    """Raise TournamentError where this side has typed too many wrong codes for the other's: that one types on."""
    if own.slip.get_wrong(own.side) >= MAX_WRONG:
        raise TournamentError("slip_codes_many")


def is_alive(fixture: Fixture) -> bool:
    """Tell if the codes of a fixture still open it: until it has its result and a later round is published."""
    tournament = fixture.round.tournament
    if tournament.state not in (State.RUNNING, State.FINISHED):
        return False
    later = Round.objects.filter(tournament=tournament, number__gt=fixture.round.number, published_at__isnull=False)
    return fixture.state == Fixture.State.READY or not later.exists()
