"""Permissions to run, referee and judge a tournament (F1). It never writes."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Seat
from players.models import Person, Player
from tournaments.core.errors import TournamentError
from tournaments.formats import FORMATS
from tournaments.models import ClubMember, Entry, EntryMember, Fixture, LineUp, NameClaim, Referee, Tournament

Role = ClubMember.Role
RUNS = (Role.ORGANISER, Role.ADMIN)  # the roles of a club that run its tournaments
REFEREES = (Role.REFEREE, *RUNS)


def may_run(tournament: Tournament, player: Player | None) -> bool:
    """Tell if the player organises it, or does so in the name of its club."""
    if player is None:
        return False
    return tournament.organiser_id == player.pk or _has_role(tournament, player, RUNS)


def may_referee(tournament: Tournament, player: Player | None) -> bool:
    """Tell if the player was named referee, runs it, or is a referee of its club (F1)."""
    if player is None:
        return False
    if tournament.organiser_id == player.pk or _has_role(tournament, player, REFEREES):
        return True
    return Referee.objects.filter(tournament=tournament, player=player).exists()


def may_judge(tournament: Tournament, player: Player | None, fixture: Fixture) -> bool:
    """Tell if the player referees it and neither plays nor has played in this fixture (F1)."""
    return player is not None and may_referee(tournament, player) and not _plays(player, fixture)


def _plays(player: Player, fixture: Fixture) -> bool:
    """Tell if they play or have played in it, or play now for an entry whose result it is; also by a name that is
    known to be theirs (O2)."""
    sides = [side for side in (fixture.first_id, fixture.second_id) if side is not None]
    own = list_own_persons(fixture.round.tournament_id, player)
    if EntryMember.objects.filter(entry__in=sides, person__in=own).exists():
        return True
    if LineUp.objects.filter(fixture=fixture, person__in=own).exists():
        return True
    return fixture.match_id is not None and Seat.objects.filter(player=player, match=fixture.match_id).exists()


def may_judge_between(tournament: Tournament, player: Player | None, entry_ids: Collection[int]) -> bool:
    """Tell if the player referees it and is in none of these entries (F1)."""
    if player is None or not may_referee(tournament, player):
        return False
    own = list_own_persons(tournament.pk, player)
    return not EntryMember.objects.filter(entry__in=entry_ids, person__in=own).exists()


def list_own_fixtures(tournament: Tournament, player: Player) -> frozenset[int]:
    """Return the ids of the fixtures in which the player plays, or is named for: none of them is theirs to judge."""
    persons = list_own_persons(tournament.pk, player)
    entries = list(tournament.members.filter(person__in=persons).values_list("entry_id", flat=True))
    own = Fixture.objects.of(tournament).filter(Q(first__in=entries) | Q(second__in=entries))
    named = LineUp.objects.of(tournament).filter(person__in=persons)
    return frozenset([*own.values_list("pk", flat=True), *named.values_list("fixture_id", flat=True)])


def list_own_persons(tournament_id: int, player: Player) -> QuerySet[Person]:
    """Return the persons that the player is in a tournament: their own, and one whose name they claim (O2)."""
    claims = NameClaim.objects.standing().filter(tournament=tournament_id, player=player)
    return Person.objects.filter(Q(player=player) | Q(pk__in=claims.values("person")))


def is_known_player(tournament: Tournament, player: Player) -> bool:
    """Tell if the player is entered in it, was, or says that they are somebody who was entered by name (O2)."""
    persons = list_own_persons(tournament.pk, player)
    waiting = NameClaim.objects.filter(tournament=tournament, player=player, state=NameClaim.State.WAITING)
    named = LineUp.objects.of(tournament).filter(person__in=persons)
    return tournament.members.filter(person__in=persons).exists() or named.exists() or waiting.exists()


def may_judge_entry(tournament: Tournament, player: Player | None, entry: Entry) -> bool:
    """Tell if a referee may take an entry out, or in again (F1): none on which their own results hang.

    So not their own, none they meet or have met, and none they may still meet: not in the bracket both are in, and
    never in a danese before they have left it.
    """
    if player is None or not may_referee(tournament, player):
        return False
    theirs = Fixture.objects.of_entry(entry)
    if Seat.objects.filter(player=player, match__fixture__in=theirs).exists():
        return False
    persons = list_own_persons(tournament.pk, player)
    if LineUp.objects.filter(fixture__in=theirs, person__in=persons).exists():
        return False
    own = tournament.members.filter(person__in=persons).select_related("entry").first()
    if own is None:
        return True
    if own.entry_id == entry.pk or theirs.of_entry(own.entry_id).exists():
        return False
    return is_out(tournament, own.entry)


def is_out(tournament: Tournament, entry: Entry) -> bool:
    """Tell if an entry meets nobody any more but those it is paired with: it left, or is out of the bracket."""
    if entry.withdrawn_at is not None:
        return True
    fixtures = Fixture.objects.of(tournament)
    if fixtures.of_entry(entry).open().exists():
        return False
    if FORMATS[tournament.format].is_bracket:
        if tournament.format_options.get("lucky_losers") and entry.rank is None:
            return False  # who lost the first round may be let in again (EV4)
        knockout = fixtures
    elif entry.group is not None:
        if fixtures.filter(group=entry.group).open().exists():
            return False  # who goes on from it isn't known yet, whoever has from another
        knockout = fixtures.filter(group=None)
    else:
        return FORMATS[tournament.format].pairs_everyone_at_draw
    own = knockout.of_entry(entry)
    if own.exists():
        return own.filter(Q(first=entry, winner=1) | Q(second=entry, winner=0) | Q(double_forfeit=True)).exists()
    return knockout.filter(Q(first__isnull=False) | Q(second__isnull=False)).exists()  # drawn without it


def _has_role(tournament: Tournament, player: Player, roles: tuple[Role, ...]) -> bool:
    if tournament.club_id is None:
        return False
    return ClubMember.objects.filter(club=tournament.club_id, player=player, confirmed=True, role__in=roles).exists()


def list_referees(tournament: Tournament) -> list[Referee]:
    """Return the referees the organiser named, in that order."""
    return list(Referee.objects.filter(tournament=tournament).select_related("player").order_by("pk"))


def make_run_condition(player: Player) -> Q:
    """Return ``may_run`` as a condition on tournaments."""
    role = ClubMember.objects.filter(club=OuterRef("club"), player=player, confirmed=True, role__in=RUNS)
    return Q(organiser=player) | Q(Exists(role))


def list_run_tournaments(player: Player) -> QuerySet[Tournament]:
    """Return all the tournaments ``player`` may run."""
    return Tournament.objects.filter(make_run_condition(player))


def require_referee(tournament: Tournament, by: Player) -> None:
    """Raise TournamentError unless the player referees it."""
    if not may_referee(tournament, by):
        raise TournamentError("not_referee")


def require_organiser(tournament: Tournament, by: Player) -> None:
    """Raise TournamentError unless the player runs it."""
    if not may_run(tournament, by):
        raise TournamentError("not_organiser")
