"""Plot of a member's level in the problems of a game, with the figures beside it."""

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games import wording
from players.plots import PlotSeries, draw_line_plot
from records.problems.queries import ProblemStanding

MOST_POINTS = 60  # the latest
LEAST_POINTS = 2


@dataclass(frozen=True, slots=True)
class LevelPlot:
    """Line of a level over the problems tried, and its rows: the day and the level, the latest first."""

    drawing: SafeString
    rows: tuple[tuple[str, int], ...]


def build_level_plot(ruleset: str, standing: ProblemStanding) -> LevelPlot | None:
    """Return the plot of a level; None before there is a line to draw."""
    points = standing.levels[-MOST_POINTS:]
    if len(points) < LEAST_POINTS:
        return None
    name = wording.name_ruleset(ruleset)
    rows = [(date_format(localtime(at), _("j b, H:i")), level) for at, level in points]
    drawing = draw_line_plot(
        title=_("Livello nei problemi: %(game)s") % {"game": name},
        about=_("Il livello dopo ogni problema; le cifre sono nella tabella."),
        labels=[label for label, _level in rows],
        series=[PlotSeries(_("livello"), [level for _at, level in points])],
    )
    return LevelPlot(drawing, tuple(reversed(rows)))
