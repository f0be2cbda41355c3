"""Results that are withheld while a round with equal deals is on (J12): of its fixtures everybody is told that they
are played or over, and nothing else. ``Round.withheld`` says which, ``Match.withheld`` does so of tables;
what is read of either tells no result (games/withheld.py).
"""

from django.db.models import QuerySet

from games.withheld import require_withheld
from players.models import Player
from tournaments.core.log_details import ACT
from tournaments.core.visibility import plays_in
from tournaments.models import Fixture, LogEntry, Tournament


def hide_withheld_acts(logged: QuerySet[LogEntry], tournament: Tournament) -> QuerySet[LogEntry]:
    """Leave out of a log the acts about fixtures whose results are withheld: they come with the others of the round."""
    if not tournament.equal_deals:
        return logged
    fixtures = Fixture.objects.of(tournament).filter(require_withheld("round__"))
    hidden = LogEntry.objects.filter(
        tournament=tournament,
        code__startswith=ACT,
        detail__place__fixture__in=list(fixtures.values_list("pk", flat=True)),
    )
    return logged.exclude(pk__in=hidden.values("pk"))


def is_kept_from(fixture: Fixture, player: Player) -> bool:
    """Tell if the player must see nothing of a fixture, as its referee either: they play in its round."""
    return not fixture.is_shown and plays_in(fixture.round.tournament, player)
