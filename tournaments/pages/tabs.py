"""Parts of a tournament's page behind its tabs: which there are, in their order, and which stands open at first.
Nothing empty has a tab."""

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from players.web.live import PageContext
from tournaments.core.rows import TournamentPage
from tournaments.models import Tournament

FOLDER = "tournaments/pages"


@dataclass(frozen=True, slots=True)
class PageTab:
    """Part of the page behind a tab.

    ``together``: at the desk all such parts stand below each other, behind the first one's tab; ``aside``: there it
    always stands beside the others, without a tab. ``chosen``: open at first; ``leads``: the first of those that aren't
    aside.
    """

    code: str
    label: str
    template: str
    together: bool = False
    aside: bool = False
    chosen: bool = False
    leads: bool = False


def list_tabs(page: TournamentPage, parts: PageContext) -> tuple[PageTab, ...]:
    """Return the tabs of this page; ``parts``: what is drawn beside it (``read_page_parts``)."""
    ended = page.header.tournament.state == Tournament.State.FINISHED and bool(page.schedule.rounds)
    tabs = [PageTab("fine", _("Classifica"), f"{FOLDER}/_end_table.html", aside=True)] if ended else []
    tabs += _list_play(page, parts, ended=ended)
    tabs += [
        PageTab("iscritti", _("Iscritti"), "tournaments/entries/_entries.html"),
        PageTab("regole", _("Regole"), f"{FOLDER}/_beside.html", aside=True),
        PageTab("diario", _("Diario"), f"{FOLDER}/_diary.html"),
        PageTab("condividi", _("Condividi"), f"{FOLDER}/_share.html"),
    ]
    lead = next(tab.code for tab in tabs if not tab.aside)
    return tuple(replace(tab, chosen=number == 0, leads=tab.code == lead) for number, tab in enumerate(tabs))


def _list_play(page: TournamentPage, parts: PageContext, *, ended: bool) -> list[PageTab]:
    """Return the parts that say who plays whom, and how it stands."""
    if not page.schedule.rounds:
        return []
    bracket = PageTab("tabellone", _("Tabellone"), f"{FOLDER}/_bracket_part.html", together=True)
    rounds = PageTab("turni", _("Turni"), f"{FOLDER}/_rounds.html", together=True)
    label = _("Conti") if ended else _("Classifica")
    together = not ended and page.header.has_vp  # of a bracket it only says who is out
    table = PageTab("classifica", label, f"{FOLDER}/_standings_part.html", together=together)
    if page.schedule.part is not None:
        part = PageTab("turni", _("Turni"), f"{FOLDER}/_part.html", together=True)
        return [part, *([table] if _has_standings(page) else [])]
    first = bool(parts["bracket"]) and (parts["bracket_first"] or ended)
    shown = [bracket] if first else []
    shown += [table] if _has_standings(page) and not ended and page.header.has_vp else []
    shown += [bracket] if parts["bracket"] and not first else []
    shown += [rounds] if parts["listed_rounds"] or parts["crosses"] else []
    last = page.header.has_vp if ended else _has_standings(page) and not page.header.has_vp
    return [*shown, *([table] if last else [])]


def _has_standings(page: TournamentPage) -> bool:
    """Tell whether the standings say something: they have VP, or everybody has a rank."""
    rows = page.standings.rows
    return bool(rows) and (page.header.has_vp or rows[-1].rank is not None)
