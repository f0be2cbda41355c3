"""A hall with something in it: who seeks, a table that waits, tournaments within the hour, tables that are played."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from playwright.sync_api import BrowserContext

from games.engine.game import Length
from games.lobby import seeks
from games.lobby.kinds import SeekKind
from games.models import Match, Seek
from players import presence
from players.models import Player
from scoring.models import Level
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.people import create_person, sign_in
from tests.support.tables import opened as open_table
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened
from tournaments.core.shared_reads import forget_shared_reads
from tournaments.entries import house, join

# Layout shifts that nobody asked for, since the page began.
WATCH_SHIFTS = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"


@dataclass(frozen=True, slots=True)
class Hall:
    """People of the hall: who looks at it, and who seeks."""

    peppino: Player
    marta: Player


def lay_hall(opened: Opened, now: datetime) -> Hall:
    """Fill the hall: three seeks, one table, two tournaments, two tables to watch."""
    Player.objects.filter(pk=opened.organiser.pk).update(created_at=now - timedelta(days=60))
    peppino, marta, nino, ida, gege = (
        create_person(name, now) for name in ("Peppino", "Marta", "Nino di Bari", "Ida", "Gegè")
    )
    # Who is how strong, as the rows say.
    for player, form, mu in ((marta, "alone", 25.7), (nino, "alone", 23.1), (ida, "pairs", 26.8)):
        Level.objects.create(
            player=player,
            ruleset="tresette" if form == "pairs" else "scopa",
            form=form,
            mu=mu,
            sigma=3.0,
            matches=9,
            rated_at=now,
        )
    kinds = (
        (marta, SeekKind()),
        (nino, SeekKind(speed="lampo")),
        (ida, SeekKind("tresette", form="pairs", speed="calmo")),
    )
    for number, (player, kind) in enumerate(kinds):
        seeks.seek_match(player=player, kind=kind, now=now - timedelta(seconds=12 + 29 * number))
    Seek.objects.update(heard_at=now + timedelta(hours=1))  # however slow a test is
    table = open_free_table(gege, now, ruleset="briscola", players=4, length=Length("points", 3))
    for number, name in enumerate(("Sara", "Totò"), 1):
        sit_down_at(table, create_person(name, now), number, now)
    soon = opened(
        KO, name="KO veloce di scopa", max_entries=8, house_allowed=True, starts_at=now + timedelta(minutes=40)
    )
    for name in ("Lina", "Mimì", "Ciro"):
        join.enter_player(tournament_id=soon.pk, player=create_person(name, now), now=now)
    house.enter_house_players(tournament_id=soon.pk, count=4, now=now)
    opened(
        GIRONE, name="Briscola delle nove", ruleset="briscola", max_entries=32, starts_at=now + timedelta(minutes=24)
    )
    opened(PAIRS, name="Coppie di tresette", starts_at=now + timedelta(hours=5))
    opened(KO, name="Asso piglia tutto", ruleset="asso-piglia-tutto", starts_at=now + timedelta(days=1))
    opened(GIRONE, name="Campionato di tresette", max_entries=64, starts_at=now + timedelta(days=2))
    opened(GIRONE, name="Scopone del sabato", ruleset="scopone", seats_an_entry=2, starts_at=now + timedelta(days=3))
    for names, ruleset in ((("Lia", "Sasà", "Pia", "Ugo"), "tresette"), (("Tano", "Ciccio"), "asso-piglia-tutto")):
        open_table([create_person(name, now) for name in names], now, ruleset=ruleset, context="free", title="")
    Match.objects.update(status=Match.Status.PLAYING)
    presence.mark_here([one.pk for one in (peppino, marta, nino, ida, gege)], now)
    forget_shared_reads()
    return Hall(peppino, marta)


def let_in(context: BrowserContext, player: Player, url: str) -> None:
    """Have somebody read in these windows."""
    session = sign_in(player).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": url}])
