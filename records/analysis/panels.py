"""Panels that a page draws of an analysis: for each decision a bar for each legal card; and the whole in sums."""

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine import record as verbale
from games.engine.record import Json
from games.selectors import build_record
from players.plots import PlotSeries, draw_line_plot
from records import results
from records.analysis import summary, wording
from records.models import Analysis

LEAST_BAR, WIDEST = 4, 100


@dataclass(frozen=True, slots=True)
class MoveBar:
    """A legal move: its words, the card, points that could be expected, and the length of its bar in hundredths."""

    text: str
    card: str
    worth: str
    width: int
    played: bool
    open_worth: str


@dataclass(frozen=True, slots=True)
class DecisionPanel:
    """A decision: its word, why, and its bars. ``openly``: the card that was best with open cards, if it is another."""

    deal: int
    step: int
    word: str
    word_code: str
    reason: str
    played: str
    loss: str
    bars: tuple[MoveBar, ...]
    openly: str


@dataclass(frozen=True, slots=True)
class AnalysisPage:
    """The whole of an analysis for its page."""

    accuracy: int | None
    words: tuple[tuple[str, str, int], ...]  # code, word, how often
    deals: tuple[tuple[int, tuple[DecisionPanel, ...]], ...]
    plot: SafeString | None
    course: tuple[tuple[str, str], ...]
    turns: tuple[tuple[int, int, str], ...]
    open_deals: tuple[tuple[int, str, str, int, int], ...]


def read_record(analysis: Analysis) -> Json | None:
    """Return the record that an analysis is of."""
    if analysis.match is not None:
        return build_record(analysis.match)
    record: Json | None = analysis.record
    return record


def build_panels(analysis: Analysis) -> dict[tuple[int, int], DecisionPanel]:
    """Return the panels of a finished analysis, by deal and step."""
    record = read_record(analysis)
    if record is None:
        return {}
    scale = summary.SCALES.get(record["ruleset"], 1.0)
    judged = [summary.judge(result, scale) for result in analysis.results if result["moves"]]
    return {(decision.deal, decision.step): build_panel(decision, scale) for decision in judged}


def build_panel(decision: summary.JudgedDecision, scale: float) -> DecisionPanel:
    """Return the panel of a decision; of equal loss bars are equally long."""
    result = decision.result
    best = result["moves"][0][1]
    span = max(2 * scale, best - min(worth for _text, worth in result["moves"]))
    openly = max(result["open"], key=lambda text: (result["open"][text], text == result["played"]))
    same = result["open"][openly] - result["open"][result["played"]] <= summary.OPEN_SAME
    return DecisionPanel(
        deal=decision.deal,
        step=decision.step,
        word=wording.name_word(decision.word),
        word_code=decision.word,
        reason=_describe_reason(decision),
        played=wording.describe_play(result["played"]),
        loss=number_format(decision.loss, 1),
        bars=tuple(
            MoveBar(
                text=wording.describe_play(text),
                card=text.split()[0],
                worth=wording.write_signed(worth),
                width=max(LEAST_BAR, round(WIDEST * (1 - (best - worth) / span))),
                played=text == result["played"],
                open_worth=wording.write_signed(result["open"][text]),
            )
            for text, worth in result["moves"]
        ),
        openly="" if same else wording.describe_play(openly),
    )


def _describe_reason(decision: summary.JudgedDecision) -> str:
    if decision.result["agreed"]:
        return _("Era la carta che il compagno aveva chiesto.")
    return "" if decision.word == "best" else wording.describe_reason(decision.result)


def build_page(analysis: Analysis) -> AnalysisPage:
    """Return the page of a finished analysis."""
    record = read_record(analysis) or {}
    setup = verbale.parse(record).setup
    scale = summary.SCALES.get(setup.ruleset, 1.0)
    whole = summary.summarise(analysis.results, setup, analysis.seat, results.list_deal_summaries(record))
    panels = [build_panel(decision, scale) for decision in whole.decisions]
    by_deal: dict[int, list[DecisionPanel]] = {}
    for panel in panels:
        by_deal.setdefault(panel.deal, []).append(panel)
    labels = [_label(point) for point in whole.course]
    about = _("Il vantaggio che ti potevi aspettare dopo ogni scelta, e quello vero alla fine di ogni smazzata.")
    series = PlotSeries(_("vantaggio"), [round(point.lead, 2) for point in whole.course])
    plot = draw_line_plot(title=_("Andamento"), about=about, labels=labels, series=[series]) if labels else None
    return AnalysisPage(
        accuracy=whole.accuracy,
        words=tuple((code, wording.name_word(code), number) for code, number in whole.words.items()),
        deals=tuple((deal, tuple(own)) for deal, own in by_deal.items()),
        plot=plot,
        course=tuple(
            (label, wording.write_signed(point.lead)) for label, point in zip(labels, whole.course, strict=True)
        ),
        turns=tuple((turn.deal, turn.step, wording.describe_turn(turn.own, turn.change)) for turn in whole.turns),
        open_deals=tuple(
            (row.deal, wording.write_signed(row.possible), wording.write_signed(row.reached), row.same, row.decisions)
            for row in whole.open_deals
        ),
    )


def _label(point: summary.CoursePoint) -> str:
    return _("fine %(deal)s") % {"deal": point.deal} if point.step is None else f"{point.deal}.{point.step}"
