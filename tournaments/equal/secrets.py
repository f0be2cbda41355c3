"""Secrets of a tournament with equal deals (J9): one a round, committed to before anybody adds to them, fixed with the
draw, shown when a round is over (J5). It opens no table and compares nothing.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import shuffles
from games.models import Commitment, Match
from games.signals import match_revealed
from players.models import Player
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Draw
from tournaments.models import EntryMember, LogEntry, Round, RoundSecret, Tournament
from tournaments.querysets import EntryMemberQuerySet

Stage = Commitment.Stage
State = Tournament.State
PREPARED = "decks_prepared"  # of the log
OVER = (State.FINISHED, State.CANCELLED)


# --- Drawn -----------------------------------------------------------------------------------------------------------


def commit_rounds(tournament: Tournament, now: datetime) -> None:
    """Draw a secret for each round of a locked tournament that can be played and has none, and commit to it.

    What comes late, by a change of the settings, gets the nonces that the others have.
    """
    if not tournament.equal_deals:
        return
    commitments = list_commitments(tournament)
    for number in range(len(commitments) + 1, count_rounds(tournament) + 1):
        scope = f"{tournament.public_id}/{number}"
        commitment = shuffles.draw(scope=scope, players=0, dealer_drawn=False, now=now, shared=True)
        assert commitment is not None
        if commitments and commitments[0].stage != Stage.HASHES:
            commitment.stage, commitment.nonces = commitments[0].stage, commitments[0].nonces
            commitment.save(update_fields=["stage", "nonces"])
        RoundSecret.objects.create(tournament=tournament, number=number, commitment=commitment)


def commit_before_checkin(tournament: Tournament, now: datetime) -> None:
    """Commit to the rounds of a tournament that takes entries, unless its check-in is still to come."""
    waits = tournament.state == State.OPEN and tournament.starts_at is not None and tournament.checkin_minutes
    if not waits or tournament.round_secrets.exists():
        commit_rounds(tournament, now)


def count_rounds(tournament: Tournament) -> int:
    """Return the most rounds with equal deals that there can be: those of a full field, without KO rounds."""
    format_, size = FORMATS[tournament.format], tournament.entry_kind.count_playing(tournament.max_entries)
    options = format_.freeze_options(tournament.format_options, size)
    if format_.keeps_rounds:
        return int(options["rounds"])
    plan = format_.plan(Draw(size, options), {})
    return plan.contexts.count("round_robin") if plan.contexts else len(plan.names)


def list_commitments(tournament: Tournament) -> list[Commitment]:
    """Return the commitments of a tournament, round by round; they are all at the same stage until the first reveal."""
    return list(Commitment.objects.filter(round_secret__tournament=tournament).order_by("round_secret__number"))


# --- Nonces ----------------------------------------------------------------------------------------------------------


def list_mixing_members(tournament: Tournament) -> EntryMemberQuerySet:
    """Return the people whose nonces count, in the order of registration: those of entries that have a place."""
    return tournament.members.filter(entry__in=tournament.entries.in_place()).order_by("pk")


def is_awaited(tournament: Tournament, member: EntryMember) -> bool:
    """Tell if a member's nonce waits until they are present: for the check-in, or at real tables for the roll call."""
    return member.checked_in_at is None and (tournament.state == State.CHECKIN or tournament.venue.calls_roll)


def ask_nonces(tournament: Tournament, now: datetime) -> bool:
    """Go on from hashes to nonces, once, where somebody has sent a hash. Return whether they must be waited for."""
    if not tournament.equal_deals or find_stage(tournament) == Stage.FIXED:
        return False
    if tournament.nonces_until is None:
        if not settings.MIXING_SECONDS or not list_mixing_members(tournament).exclude(nonce_hash="").exists():
            return False
        _set_stage(tournament, Stage.NONCES)
        tournament.nonces_until = now + timedelta(seconds=2 * settings.MIXING_SECONDS)
    return tournament.nonces_until > now


def find_stage(tournament: Tournament) -> str:
    """Return how far the nonces of a tournament are; empty before its secrets are committed to."""
    stages = Commitment.objects.filter(round_secret__tournament=tournament).order_by("round_secret__number")
    return stages.values_list("stage", flat=True).first() or ""


def fix_nonces(tournament: Tournament, now: datetime) -> None:
    """Let the nonces of a locked tournament stand as they are: they are those of all rounds, and of a repeated draw."""
    if not tournament.equal_deals:
        return
    commit_rounds(tournament, now)
    if find_stage(tournament) == Stage.FIXED:
        return
    nonces = list(list_mixing_members(tournament).values_list("nonce", flat=True))
    Commitment.objects.filter(round_secret__tournament=tournament).update(nonces=nonces)
    _set_stage(tournament, Stage.FIXED)


def _set_stage(tournament: Tournament, stage: str) -> None:
    Commitment.objects.filter(round_secret__tournament=tournament).update(stage=stage)


# --- Played and shown ------------------------------------------------------------------------------------------------


def find_commitment(tournament: Tournament, number: int) -> Commitment | None:
    """Return what the decks of a round come from; None once it is shown, or lost with its key."""
    rows = Commitment.objects.filter(round_secret__tournament=tournament, round_secret__number=number)
    return rows.exclude(sealed="").first()


def name_own_scope(tournament: Tournament, number: int) -> str:
    """Return the scope of a fixture that is played with cards of its own: the round's, and how many there were."""
    scope = f"{tournament.public_id}/{number}"
    return f"{scope}/r{Commitment.objects.filter(scope__startswith=f'{scope}/r').count() + 1}"


def list_preparations(round_: Round) -> QuerySet[LogEntry]:
    """Return what the log says of whoever saw the decks of a round to prepare them at real tables (J5), in order."""
    logged = LogEntry.objects.filter(tournament=round_.tournament_id, code=PREPARED)
    return logged.filter(detail__round=[round_.name, round_.number]).select_related("player").order_by("pk")


def has_prepared(tournament: Tournament, player: Player) -> bool:
    """Tell if the log names the player as one who saw decks of the tournament before they were played (J5)."""
    return LogEntry.objects.filter(tournament=tournament, code=PREPARED, player=player).exists()


def reveal_rounds(tournament: Tournament, now: datetime) -> bool:
    """Show secrets, cards and results of the rounds of a locked tournament at whose tables nobody plays any more; once
    it is over, also the secrets of rounds that never were. Return whether there was anything to show."""
    withheld = Round.objects.filter(tournament=tournament, withheld=True).order_by("number")
    over = withheld if tournament.state in OVER else withheld.filter(finished=True)
    shown = [round_ for round_ in over if not list_matches(round_).exclude(status=Match.Status.FINISHED).exists()]
    for round_ in shown:
        _reveal_round(round_, now)
    rest = list(_list_left_over().filter(tournament=tournament)) if tournament.state in OVER else []
    for secret in rest:
        shuffles.reveal_shared(secret.commitment_id, now)
    return bool(shown or rest)


def list_matches(round_: Round) -> QuerySet[Match]:
    """Return the matches of a round, also those that were ordered to be played anew, however often."""
    scope = f"{round_.tournament.public_id}/{round_.number}"
    scopes = Q(commitment__scope=scope) | Q(commitment__scope__startswith=f"{scope}/")
    return Match.objects.filter(scopes | Q(fixture__round=round_))


def list_due_reveals(now: datetime) -> Iterable[int]:
    """Return the tournaments with something to show that nobody has shown yet: for the sweep."""
    playing = Match.objects.filter(fixture__round=OuterRef("pk")).exclude(status=Match.Status.FINISHED)
    rounds = Round.objects.filter(~Exists(playing), withheld=True, tournament__lent_to="")
    due = rounds.filter(Q(finished=True) | Q(tournament__state__in=OVER)).values_list("tournament_id", flat=True)
    left_over = _list_left_over().filter(tournament__state__in=OVER, tournament__lent_to="")
    return sorted({*due, *left_over.values_list("tournament_id", flat=True)})


def _list_left_over() -> QuerySet[RoundSecret]:
    """Return the secrets that nobody knows, and from which no table plays now."""
    playing = Match.objects.filter(commitment=OuterRef("commitment")).exclude(status=Match.Status.FINISHED)
    return RoundSecret.objects.filter(~Exists(playing)).exclude(commitment__sealed="").order_by("pk")


def _reveal_round(round_: Round, now: datetime) -> None:
    secrets = RoundSecret.objects.filter(tournament=round_.tournament_id, number=round_.number)
    prepared = list_preparations(round_).exists()
    for commitment_id in secrets.exclude(commitment__sealed="").values_list("commitment_id", flat=True):
        shuffles.reveal_shared(commitment_id, now, played=prepared)
    shown = list(list_matches(round_).filter(withheld=True).values_list("pk", flat=True))
    Match.objects.filter(pk__in=shown).update(withheld=False)
    round_.withheld = False
    round_.save(update_fields=["withheld"])
    for match_id in shown:
        match_revealed.send(sender=Match, match_id=match_id, now=now)
