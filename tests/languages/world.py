"""A house with everything in it: tournaments in every state, tables waited at, played and finished, pairs asked."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from games.engine.game import Length
from games.models import Match, Report
from games.services import lobby
from players.models import Player
from tests.conftest import person
from tests.games.tables import play
from tests.tournaments import running
from tests.tournaments.conftest import GIRONE, KO, PAIRS
from tournaments import services
from tournaments.models import Fixture, Tournament
from tournaments.services import Settings


@dataclass(frozen=True, slots=True)
class House:
    """Its people: Teresa organises everything, the four play."""

    teresa: Player
    four: list[Player]
    draft: Tournament
    pairs: Tournament  # open; Anna asks Bruno, Carla has a link
    seeded: Tournament  # open; the organiser orders the seeds
    timed: Tournament  # open, for members only
    live: Tournament  # running, with one table waiting and one being played

    def names(self) -> set[str]:
        """What people and tournaments are called, and the initials beside people's names."""
        called = Player.objects.values_list("name", flat=True)
        return {*called, *(name[0] for name in called), *Tournament.objects.values_list("name", flat=True)}


def ended(tournament: Tournament, now: datetime, whole: int) -> None:
    """Bring it to its end: the last ``whole`` matches played to the last card, those before given up at once."""
    left = Fixture.objects.filter(round__stage__tournament=tournament, state__in=("waiting", "ready", "playing"))
    while left.exists():
        now += running.OPENING
        matches = running.open_ready(tournament, now)
        assert matches, "running, and no table opens"
        for match in matches:
            if left.count() <= whole:
                now = running.play(match, now)
            else:
                running.abandon(match, 0, now)


def furnish(now: datetime) -> House:
    """All of it, through the services; takes a few seconds."""
    teresa = person("Teresa", now)
    four = [person(name, now) for name in ("Anna", "Bruno", "Carla", "Dino")]
    anna, bruno, carla, dino = four

    def made(base: Settings, name: str, **changed: object) -> Tournament:
        known = {field: getattr(base, field) for field in Settings.__slots__}
        return services.create(organiser=teresa, settings=Settings(**{**known, "name": name, **changed}), now=now)

    def opened(base: Settings, name: str, **changed: object) -> Tournament:
        return services.publish(tournament_id=made(base, name, **changed).pk, by=teresa, now=now)

    def joined(tournament: Tournament, players: list[Player]) -> Tournament:
        for player in players:
            services.join(tournament_id=tournament.pk, player=player, now=now)
        tournament.refresh_from_db()
        return tournament

    draft = made(KO, "Bozza Uno")

    # Finished: a bracket whose final is played to the last card, round robins with the house, and with absent players.
    bracket = joined(opened(KO, "Coppa Due", format_options={"third_place": True}), four)
    ended(bracket, now, whole=2)
    mixed = joined(opened(GIRONE, "Coppa Tre", max_entries=3, house_allowed=True), [anna, bruno])
    services.enter_house(tournament_id=mixed.pk, count=1, now=now)
    ended(mixed, now, whole=1)
    absent = joined(opened(GIRONE, "Coppa Quattro", max_entries=2), [carla, dino])
    for match in running.open_ready(absent, now + running.OPENING):
        running.nobody_comes(match)

    cancelled = joined(opened(KO, "Coppa Cinque"), [anna])
    services.cancel(tournament_id=cancelled.pk, by=teresa, now=now)
    too_few = opened(KO, "Coppa Sei", starts_at=now + timedelta(minutes=5))
    services.start_due(tournament_id=too_few.pk, now=now + timedelta(minutes=6))

    # Open.
    opened(KO, "Coppa Sette", house_allowed=True)
    timed = joined(opened(KO, "Coppa Otto", starts_at=now + timedelta(days=3), guests_allowed=False), [dino])
    pairs = opened(PAIRS, "Coppa Nove", house_allowed=True, tie_break="club", format_options={"double": True})
    services.enter_pair(tournament_id=pairs.pk, player=anna, partner="Bruno", now=now)
    services.enter_pair(tournament_id=pairs.pk, player=carla, partner=None, now=now)
    options = {"third_place": True, "byes_by_lot": True}
    seeded = opened(KO, "Coppa Dieci", starts_at=now + timedelta(days=2), seeding="organiser", format_options=options)
    joined(seeded, [anna, dino])

    # A free table that waits.
    lobby.open_table(
        host=teresa,
        ruleset="tresette",
        players=4,
        length=Length("points", 21),
        options={"vinco_subito": True, "accuso": True, "dichiarazioni": True},
        turn_timeout=60,
        match_clock=None,
        public=True,
        now=now,
    )

    # Running.
    live = joined(opened(KO, "Coppa Undici"), four)
    playing, _waiting = running.open_ready(live, now + running.OPENING)
    running.sit_down(playing, now + running.OPENING)
    for ply in range(4):
        play(playing, now + running.OPENING + timedelta(seconds=5 * (ply + 1)))
    seated = [seat.player for seat in playing.seats.all()]
    Report.objects.create(match=playing, reporter=seated[0], about=seated[1], reason=Report.Reason.CARDS, at=now)
    assert set(Match.objects.values_list("status", flat=True)) == set(Match.Status.values)
    assert set(Tournament.objects.values_list("state", flat=True)) == set(Tournament.State.values)
    return House(teresa, four, draft, pairs, seeded, timed, live)
