"""Statistics of a person: each a table, and a plot of it drawn on the server."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.formats import date_format, number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.facts.queries import (
    Companion,
    FactSums,
    list_companions,
    list_rulesets,
    read_months,
    read_sums,
    read_sums_by_game,
)
from games.models import SeatFacts
from games.options import CAPTURING_RULESETS
from players.models import Player
from players.plots import PlotSeries, draw_bar_plot, draw_line_plot
from scoring.levels import LevelHistory, LevelPoint
from tournaments.profiles.history import choose_counted

PERIOD_DAYS = {"30": 30, "90": 90, "365": 365, "": None}  # days; everything
MOST_MONTHS = 24  # in one plot and its table: the latest
MOST_BARS = 8
LEAST_CHARTED = 3  # months; a chart of fewer says nothing that its figures don't
MOST_FIGURES = 4
MOST_OPPONENTS = 5  # whose bars are seen at once
MOST_POINTS = 60
OWN_FACTS = {
    "scope": gettext_lazy("Scope"),
    "settebello": gettext_lazy("Settebello"),
    "primiera": gettext_lazy("Primiera"),
    "accusi": gettext_lazy("Accusi"),
    "cappotti": gettext_lazy("Cappotti"),
    "last_tricks": gettext_lazy("Ultime prese"),
}


@dataclass(frozen=True, slots=True)
class StatTable:
    """A statistic: its code, plot, heads and rows; of companions the rows are those."""

    code: str
    title: str
    plot: SafeString
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    companions: tuple[Companion, ...] = ()


class StatFigure(NamedTuple):
    """A figure that a game knows: what it is of, its value and its unit."""

    code: str
    name: str
    value: str
    unit: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """All statistics of a person, of one game and period if asked."""

    sums: FactSums = field(default_factory=FactSums)
    rulesets: tuple[str, ...] = ()
    ruleset: str = ""
    period: str = ""
    tables: tuple[StatTable, ...] = ()
    months: tuple[FactSums, ...] = ()
    opponents: tuple[Companion, ...] = ()  # whom they met most
    figures: tuple[StatFigure, ...] = ()


def read_statistics(player: Player, *, ruleset: str, period: str, now: datetime) -> Statistics:
    """Return the statistics of a person in as many queries for any number of matches. An unknown game or period is
    all of them."""
    rows = choose_counted(player)
    rulesets = tuple(list_rulesets(rows))
    if ruleset in rulesets:
        rows = rows.filter(ruleset=ruleset)
    days = PERIOD_DAYS.get(period)
    if days is not None:
        rows = rows.filter(finished_at__gte=now - timedelta(days=days))
    months = read_months(rows)[-MOST_MONTHS:]
    tables = build_tables(rows, player, months)
    opponents = next((table.companions for table in tables if table.code == "opponents"), ())
    return Statistics(
        sums=read_sums(rows),
        rulesets=rulesets,
        ruleset=ruleset if ruleset in rulesets else "",
        period=period if period in PERIOD_DAYS else "",
        tables=tables,
        months=tuple(months),
        opponents=opponents[:MOST_OPPONENTS],
        figures=tuple(build_figures(read_sums_by_game(rows))),
    )


def build_figures(games: Mapping[str, FactSums]) -> list[StatFigure]:
    """Return a few figures that these games know, the time for a card the last."""

    def add_up(code: str, *, of: Collection[str]) -> int:
        return sum(getattr(sums, code) for ruleset, sums in games.items() if ruleset in of)

    taking = [ruleset for ruleset in games if ruleset in CAPTURING_RULESETS]
    others = [ruleset for ruleset in games if ruleset not in CAPTURING_RULESETS]
    deals, card_deals = add_up("deals", of=taking), add_up("card_deals", of=games)
    with_tricks = add_up("deals", of=others)
    plays, seconds = add_up("plays", of=games), add_up("thinking_ms", of=games) / 1000
    figures = []
    if deals:
        share = round(100 * add_up("settebello", of=taking) / deals)
        figures.append(StatFigure("settebello", _("Settebello"), f"{share} %", _("delle smazzate")))
        scope = _write_short(add_up("scope", of=taking) / deals)
        figures.append(StatFigure("scope", _("Scope"), scope, _("a smazzata")))
    if card_deals:
        cards = number_format(round(add_up("cards_for", of=games) / card_deals))
        figures.append(StatFigure("cards", _("Punti delle carte"), cards, _("a smazzata")))
    if with_tricks and (last := add_up("last_tricks", of=others)):
        figures.append(StatFigure("last_tricks", _("Ultime prese"), _write_short(last / with_tricks), _("a smazzata")))
    if with_tricks and (accusi := add_up("accusi", of=others)):
        figures.append(StatFigure("accusi", _("Accusi"), _write_short(accusi / with_tricks), _("a smazzata")))
    figures = figures[: MOST_FIGURES - 1]
    if plays:
        time = _("%(seconds)s sec.") % {"seconds": _write_short(seconds / plays)}
        figures.append(StatFigure("time", _("Tempo per carta"), time, _("in media")))
    return figures


def _write_short(value: float) -> str:
    return str(number_format(round(value, 1)))


def build_tables(
    rows: QuerySet[SeatFacts], player: Player, months: Sequence[FactSums] | None = None
) -> tuple[StatTable, ...]:
    """Return the statistics of these rows, those in which there is something; ``months``: theirs, where they were
    read."""
    if months is None:
        months = read_months(rows)[-MOST_MONTHS:]
    if not months:
        return ()
    tables = [_build_results(months)]
    if _add_up(months, "card_deals") < _add_up(months, "deals"):
        tables.append(_build_points(months))
    if _add_up(months, "cards_for") + _add_up(months, "cards_against"):
        tables.append(_build_card_points(months))
    tables += [_build_fact(code, str(name), months) for code, name in OWN_FACTS.items() if _add_up(months, code)]
    if _add_up(months, "plays"):
        tables.append(_build_time(months))
    if len(months) < LEAST_CHARTED:
        tables = [replace(table, plot=SafeString("")) for table in tables]
    for partners in (False, True):
        companions = list_companions(rows, player, partners=partners)
        if companions:
            tables.append(_build_companions(companions, partners=partners))
    return tuple(tables)


def _add_up(months: Sequence[FactSums], code: str) -> int:
    return sum(getattr(month, code) for month in months)


def _name_months(months: Sequence[FactSums], shape: str) -> list[str]:
    return [date_format(month.month, shape) for month in months if month.month is not None]


def _build_results(months: Sequence[FactSums]) -> StatTable:
    counts = ("won", _("vinte")), ("drawn", _("pari")), ("lost", _("perse"))
    title = _("Risultati nel tempo")
    plot = draw_bar_plot(
        title=title,
        about=_("Partite vinte, pari e perse, mese per mese; le cifre sono nella tabella."),
        labels=_name_months(months, "m/y"),
        series=[PlotSeries(name, [getattr(month, code) for month in months]) for code, name in counts],
    )
    rows = [
        (name, str(month.matches), str(month.won), str(month.drawn), str(month.lost), str(month.won_percent))
        for name, month in zip(_name_months(months, _("b Y")), months, strict=True)
    ]
    heads = (_("Mese"), _("Partite"), _("Vinte"), _("Pari"), _("Perse"), _("% vinte"))
    return StatTable("results", title, plot, heads, tuple(reversed(rows)))


def _build_points(months: Sequence[FactSums]) -> StatTable:
    about = _("Punti fatti e subiti in media in una smazzata, mese per mese.")
    means = [(month.deals, month.points_a_deal, month.against_a_deal) for month in months]
    return _build_means("points", _("Punti a smazzata"), about, months, means)


def _build_card_points(months: Sequence[FactSums]) -> StatTable:
    """Return the points of the cards in games whose score counts deals won (BR4)."""
    about = _("Punti delle carte fatti e subiti in media in una smazzata di Briscola, mese per mese.")
    means = [(month.card_deals, month.cards_a_deal, month.cards_against_a_deal) for month in months]
    return _build_means("cards", _("Punti delle carte a smazzata"), about, months, means)


def _build_means(
    code: str,
    title: str,
    about: str,
    months: Sequence[FactSums],
    means: Sequence[tuple[int, float | None, float | None]],
) -> StatTable:
    """Return what was made and conceded in a deal; ``means``: for each month its deals, and both means."""
    plot = draw_line_plot(
        title=title,
        about=about,
        labels=_name_months(months, "m/y"),
        series=[
            PlotSeries(_("fatti"), [own for _deals, own, _others in means]),
            PlotSeries(_("subiti"), [others for _deals, _own, others in means]),
        ],
    )
    heads = (_("Mese"), _("Smazzate"), _("Fatti"), _("Subiti"))
    rows = [
        (name, str(deals), _write_mean(own), _write_mean(others))
        for name, (deals, own, others) in zip(_name_months(months, _("b Y")), means, strict=True)
    ]
    return StatTable(code, title, plot, heads, tuple(reversed(rows)))


def _build_fact(code: str, name: str, months: Sequence[FactSums]) -> StatTable:
    plot = draw_bar_plot(
        title=name,
        about=_("%(what)s: quante, mese per mese.") % {"what": name},
        labels=_name_months(months, "m/y"),
        series=[PlotSeries(name, [getattr(month, code) for month in months])],
    )
    rows = [
        (label, str(getattr(month, code)), _write_mean(getattr(month, code) / month.deals if month.deals else None))
        for label, month in zip(_name_months(months, _("b Y")), months, strict=True)
    ]
    return StatTable(code, name, plot, (_("Mese"), name, _("A smazzata")), tuple(reversed(rows)))


def _build_time(months: Sequence[FactSums]) -> StatTable:
    title = _("Tempo per una carta")
    plot = draw_line_plot(
        title=title,
        about=_("Secondi pensati in media per una carta, mese per mese."),
        labels=_name_months(months, "m/y"),
        series=[PlotSeries(_("secondi"), [month.seconds_a_play for month in months])],
    )
    rows = [
        (name, str(month.plays), _write_mean(month.seconds_a_play))
        for name, month in zip(_name_months(months, _("b Y")), months, strict=True)
    ]
    return StatTable("time", title, plot, (_("Mese"), _("Carte giocate"), _("Secondi")), tuple(reversed(rows)))


def _build_companions(companions: Sequence[Companion], *, partners: bool) -> StatTable:
    title = _("Con chi") if partners else _("Contro chi")
    most = companions[:MOST_BARS]
    plot = draw_bar_plot(
        title=title,
        about=_("Partite insieme e quante vinte, con chi si è giocato di più."),
        labels=[row.player.name for row in most],
        series=[
            PlotSeries(_("partite"), [row.matches for row in most]),
            PlotSeries(_("vinte"), [row.won for row in most]),
        ],
    )
    heads = (_("Compagno") if partners else _("Avversario"), _("Partite"), _("Vinte"), _("% vinte"))
    code = "partners" if partners else "opponents"
    return StatTable(code, title, plot, heads, companions=tuple(companions))


def _write_mean(value: float | None) -> str:
    return "–" if value is None else number_format(round(value, 2))


def draw_level(history: LevelHistory, name: str) -> SafeString:
    """Return the plot of a level over time, of at most so many points."""
    points = _thin(history.points)
    first, last = (date_format(point.at, "SHORT_DATE_FORMAT") for point in (points[0], points[-1]))
    about = ngettext("Il livello dopo %(n)d partita", "Il livello dopo %(n)d partite", len(history.points)) % {
        "n": len(history.points)
    }
    shape = "d/m" if points[0].at.year == points[-1].at.year else "m/y"  # a longer one would lie on its neighbour
    return draw_line_plot(
        title=name,
        about=f"{about}, {first} – {last}",
        labels=[date_format(point.at, shape) for point in points],
        series=[PlotSeries(name, [point.level.value for point in points])],
    )


def _thin(points: Sequence[LevelPoint]) -> list[LevelPoint]:
    step = max(1, -(-len(points) // MOST_POINTS))
    return [*points[:-1:step], points[-1]]
