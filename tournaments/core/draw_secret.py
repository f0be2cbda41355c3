"""Secret from which a tournament's lots are drawn (J3a): committed to when entries open, published with its draw, or
with the end that it comes to without one. What it takes to draw them again stands in the log, and travels with it. It
decides none of these hours, and draws nothing.
"""

from datetime import datetime

from games import shuffles
from games.engine.shuffling import DIGEST, SCOPE
from games.models import Commitment
from players.models import Person
from tournaments.core.locking import write_log
from tournaments.core.log_details import CommitmentDetail, DrawDetail, read_detail
from tournaments.core.states import ENTERING
from tournaments.models import LogEntry, Tournament

Reason = Commitment.Reason


def make_scope(tournament: Tournament) -> str:
    """Return the scope of a tournament's lots in the register of commitments."""
    return tournament.public_id + shuffles.DRAW


def commit_to_draw(tournament: Tournament, now: datetime) -> None:
    """Draw the secret of a locked tournament whose entries open, and commit to it. The caller stores the tournament."""
    commitment = shuffles.draw(scope=make_scope(tournament), players=0, dealer_drawn=False, now=now)
    if commitment is None:
        return
    tournament.draw_commitment = commitment.digest
    detail = CommitmentDetail(scope=commitment.scope, commitment=commitment.digest)
    write_log(tournament, "draw_committed", now, detail=detail)


def read_draw_secret(tournament: Tournament) -> bytes | None:
    """Return the secret to draw a locked tournament's lots with; None where it has none."""
    return shuffles.read_lots_secret(make_scope(tournament)) if tournament.draw_commitment else None


def reveal_draw(tournament: Tournament, reason: str, now: datetime) -> str:
    """Publish the secret of a locked tournament (J5), and return it in hex; empty where it has none, or lost it."""
    return shuffles.reveal_lots(make_scope(tournament), reason, now) if tournament.draw_commitment else ""


def settle_lots(tournament: Tournament, now: datetime) -> None:
    """Settle where the lots of a locked tournament come from that was drawn, or whose entries opened, on another site
    (O9): from there if they were drawn there, which ends the secret it had here; else from a secret of this site."""
    if tournament.drawn_at is not None:
        reveal_draw(tournament, Reason.ELSEWHERE, now)
        drawn = read_drawn(tournament)
        tournament.draw_commitment = "" if drawn is None else drawn.commitment
    elif tournament.state in ENTERING and not tournament.draw_commitment:
        commit_to_draw(tournament, now)
    tournament.save(update_fields=["draw_commitment"])


def read_drawn(tournament: Tournament) -> DrawDetail | None:
    """Return the draw as it was logged, here or where it was made; None before it, and of lots without a secret.

    The log of another site may say what can't be: then there is none either.
    """
    entry = LogEntry.objects.filter(tournament=tournament, code="drawn").order_by("-pk").first()
    if entry is None:
        return None
    drawn = read_detail(entry, DrawDetail)
    numbers = frozenset(range(1, len(drawn.order) + 1))
    whole = len(drawn.numbers) == len(numbers) and numbers == set(drawn.numbers)
    sound = whole and numbers.issuperset(number for pair in (*drawn.parted, *drawn.swapped) for number in pair)
    sound = sound and (drawn.partners is None or drawn.partners.is_sound)
    sound = sound and len(drawn.clubs) in (0, len(numbers)) and len(drawn.of_one_club) in (0, 2)
    return drawn if sound and SCOPE.fullmatch(drawn.scope) and DIGEST.fullmatch(drawn.commitment) else None


def find_reserve(tournament: Tournament) -> Person | None:
    """Return whoever stayed out when pairs were drawn (EV2), as long as they play in no entry and the tournament runs:
    they come first if somebody is missing."""
    if not tournament.playing_kind.is_drawn_pair or tournament.state != Tournament.State.RUNNING:
        return None
    entry = LogEntry.objects.filter(tournament=tournament, code="drawn").order_by("-pk").first()
    made = None if entry is None else read_detail(entry, DrawDetail).partners
    if made is None or not made.is_sound or not made.out:
        return None
    person = Person.objects.select_related("player").filter(pk=made.people[made.out - 1]).first()
    if person is None or person.is_forgotten or tournament.members.filter(person=person).exists():
        return None
    return person
