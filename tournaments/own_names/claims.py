"""Claims (O2): an account says that it is somebody who was entered by name, and who runs the tournament answers.

An accepted claim adds the tournament to the account's own page. It links persons beside the results: no entry, result,
standing or level changes by it, and either side can end it.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from players import caps
from players.models import FORGOTTEN_NAME, Person, Player
from players.selectors import has_confirmed_address
from players.services.counted_acts import TooMany, count_act
from tournaments.core import notify
from tournaments.core.circuit_marks import mark_circuits
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CLAIM_CODES, NameClaimDetail, part_accounts_in_log, read_detail
from tournaments.core.permissions import may_run, require_organiser
from tournaments.core.reads import list_links, read_entries_of
from tournaments.core.reasons import read_reason
from tournaments.core.rows import LoggedClaim
from tournaments.core.visibility import plays_in
from tournaments.equal import secrets
from tournaments.models import Entry, EntryMember, LineUp, LogEntry, NameClaim, Tournament
from tournaments.rankings.points import note_change

State = NameClaim.State
ASKABLE = (Tournament.State.OPEN, Tournament.State.CHECKIN, Tournament.State.RUNNING, Tournament.State.FINISHED)
MAX_LISTED = 20  # tournaments on an account's page


@dataclass(frozen=True, slots=True)
class ClaimedTournament:
    """A tournament on the page of an account that claims a name in it. ``rank``: once it is over."""

    claim: NameClaim
    name: str  # of the entry
    rank: int | None
    entries: int


def list_claimable(tournament: Tournament) -> QuerySet[Person]:
    """Return the people who were entered by name and whom nobody is known to be, in the order they came."""
    inside = tournament.members.filter(entry__in=Entry.objects.in_place()).values("person")
    played = LineUp.objects.of(tournament).values("person")
    taken = tournament.name_claims.standing().values("person")
    people = Person.objects.filter(Q(pk__in=inside) | Q(pk__in=played), player=None)
    return people.exclude(typed_name=FORGOTTEN_NAME).exclude(pk__in=taken).order_by("pk")


def count_claims(tournament: Tournament) -> int | None:
    """Return how many claims wait for an answer; None where there are none at all."""
    states = list(tournament.name_claims.values_list("state", flat=True))
    return states.count(State.WAITING) if states else None


def find_claim_refusal(tournament: Tournament, player: Player) -> str | None:
    """Return the TournamentError code that keeps the player from claiming any name of it; None if they may."""
    if tournament.state not in ASKABLE:
        return "claims_closed"
    if may_run(tournament, player):
        return "claim_by_organiser"
    if secrets.has_prepared(tournament, player):
        return "claim_of_preparer"
    if not has_confirmed_address(player):
        return "claim_needs_address"
    if plays_in(tournament, player):
        return "already_entered"
    return "claim_once" if tournament.name_claims.filter(player=player).exists() else None


@transaction.atomic
def claim_name(*, tournament_id: int, player: Player, person_id: int, now: datetime) -> NameClaim:
    """Ask to be known as a person of the tournament. TournamentError: those of ``find_claim_refusal``, claim_unknown,
    claimed_often."""
    tournament = lock_tournament(tournament_id)
    refusal = find_claim_refusal(tournament, player)
    if refusal is not None:
        raise TournamentError(refusal)
    person = list_claimable(tournament).filter(pk=person_id).first()
    if person is None:
        raise TournamentError("claim_unknown")
    try:
        count_act({f"claims:{player.pk}": caps.CLAIMS_A_PERSON}, now=now)
    except TooMany as refused:
        raise TournamentError("claimed_often", wait=refused.wait) from None
    claim = NameClaim.objects.create(tournament=tournament, player=player, person=person, asked_at=now)
    _log(claim, "claim_asked", now, player)
    store_version(tournament)
    notify.tell_people(tournament, [tournament.organiser_id], "claim_asked", "tournament-claims")
    return claim


@transaction.atomic
def answer_claim(*, tournament_id: int, by: Player, claim_id: int, yes: bool, reason: str, now: datetime) -> None:
    """Say yes or no to a claim. A no needs a reason, ends what was accepted, and can become a yes later on.

    TournamentError: not_organiser, claim_gone, claim_by_organiser, claim_of_other, claim_of_preparer, already_entered,
    reason_missing, reason_long.
    """
    tournament, claim = _lock_claim(tournament_id, Q(pk=claim_id))
    require_organiser(tournament, by)
    if claim.player_id == by.pk:
        raise TournamentError("claim_by_organiser")
    stands = claim.state == State.ACCEPTED
    answerable = (State.WAITING, State.REFUSED, State.REVOKED) if yes else (State.WAITING, State.ACCEPTED)
    if claim.state not in answerable:
        raise TournamentError("claim_gone")
    if yes and not list_claimable(tournament).filter(pk=claim.person_id).exists():
        raise TournamentError("claim_of_other")
    if yes and secrets.has_prepared(tournament, claim.player):
        raise TournamentError("claim_of_preparer")
    if yes and plays_in(tournament, claim.player):
        raise TournamentError("already_entered")
    outcome = State.ACCEPTED if yes else State.REVOKED if stands else State.REFUSED
    _store(claim, outcome, read_reason(reason, required=not yes), now)
    _log(claim, f"claim_{outcome}", now, by)
    store_version(tournament)
    notify.tell_people(tournament, [claim.player_id], f"claim_{outcome}", "tournament-claim")
    about = f"{claim.pk}:{tournament.version}"
    notify.mail_people(
        tournament, [claim.player_id], "claim_answered", now, about=about, why=outcome, reason=claim.reason
    )


@transaction.atomic
def take_claim_back(*, tournament_id: int, player: Player, now: datetime) -> None:
    """End the player's own claim, answered or not, for good. TournamentError: claim_gone."""
    tournament, claim = _lock_claim(tournament_id, Q(player=player))
    if claim.state not in (State.WAITING, State.ACCEPTED):
        raise TournamentError("claim_gone")
    _store(claim, State.TAKEN_BACK, "", now)
    _log(claim, "claim_taken_back", now, player)
    store_version(tournament)


def _lock_claim(tournament_id: int, which: Q) -> tuple[Tournament, NameClaim]:
    tournament = lock_tournament(tournament_id)
    claim = tournament.name_claims.with_people().filter(which).first()
    if claim is None:
        raise TournamentError("claim_gone")
    claim.tournament = tournament
    return tournament, claim


def _store(claim: NameClaim, state: str, reason: str, now: datetime) -> None:
    claim.state, claim.reason, claim.answered_at = state, reason, now
    claim.save(update_fields=["state", "reason", "answered_at"])
    note_change(claim.tournament, now)  # who somebody is in the club's own rankings (Y1)
    mark_circuits(claim.tournament, now)


def _log(claim: NameClaim, code: str, now: datetime, by: Player) -> None:
    detail = NameClaimDetail(person=claim.person_id, account=claim.player.public_id, reason=claim.reason)
    write_log(claim.tournament, code, now, by, detail)


def forget_claims(person_ids: Collection[int]) -> None:
    """Delete the claims of people who are forgotten (I1), and let no log say any more whose account they were."""
    NameClaim.objects.filter(person__in=person_ids).delete()
    part_accounts_in_log(person_ids)


def name_logged_claims(log: Iterable[LogEntry]) -> dict[int, LoggedClaim]:
    """Return, by the id of each log entry about a claim, the name, the account and the reason, in two queries."""
    details = {entry.pk: read_detail(entry, NameClaimDetail) for entry in log if entry.code in CLAIM_CODES}
    if not details:
        return {}
    people = Person.objects.select_related("player").in_bulk({detail.person for detail in details.values()})
    accounts = Player.objects.filter(public_id__in={detail.account for detail in details.values()})
    names = dict(accounts.values_list("public_id", "name"))
    claims = {}
    for pk, detail in details.items():
        person = people.get(detail.person)
        claimed = () if person is None else list_links([person])
        account = ((names[detail.account], detail.account),) if detail.account in names else ()
        claims[pk] = LoggedClaim((*claimed, *account), detail.reason)
    return claims


def list_claimed_tournaments(player: Player) -> list[ClaimedTournament]:
    """Return the tournaments in which an account is known by a name, or asks to be, the latest first."""
    claims = NameClaim.objects.filter(player=player, state__in=(State.WAITING, State.ACCEPTED))
    listed = list(claims.with_people().select_related("tournament").order_by("-pk")[:MAX_LISTED])
    tournaments = [claim.tournament_id for claim in listed]
    members = EntryMember.objects.filter(
        tournament__in=tournaments, person__in=[claim.person_id for claim in listed]
    ).select_related("entry")
    entries = {(member.tournament_id, member.person_id): member.entry for member in members}
    shown = read_entries_of(entries.values())
    counted = Entry.objects.in_place().filter(tournament__in=tournaments).values("tournament").order_by()
    sizes = dict(counted.annotate(n=Count("pk")).values_list("tournament", "n"))
    rows = []
    for claim in listed:
        entry = entries.get((claim.tournament_id, claim.person_id))
        over = claim.tournament.state == Tournament.State.FINISHED
        name = claim.person.public_name if entry is None else shown[entry.pk].name
        rank = entry.rank if entry is not None and over else None
        rows.append(ClaimedTournament(claim, name, rank, sizes.get(claim.tournament_id, 0)))
    return rows
