"""A match record in words: the seats, every deal card by card, the making of each point, the end.

It reads one record and decides nothing: the rules are the engine's, the result is that of ``results``. A faulty record
is described up to its fault, then the place and the reason. Names come from ``about.names``; without them the seats are
called by their line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.translation import gettext as _

from games import wording as game_wording
from games.engine import match
from games.engine import record as verbale
from games.engine.game import THREE, HeaderError, IllegalMove, Setup, Tally
from games.engine.match import Progress
from games.engine.record import Record, RecordError
from records import forfeit_narrative, results, wording
from records.deal_narrative import (
    PlayerNames,
    Sentence,
    count_deal,
    name_deal,
    narrate_dealing,
    narrate_move,
    narrate_open_trick,
    read_names,
)
from scoring import vp

MAX_SHOWN_CHARACTERS = 120
NEARBY_MOVES = 8


@dataclass(slots=True)
class DealNarrative:
    """A deal's sentences, in order."""

    title: str
    dealer: str
    sentences: list[Sentence] = field(default_factory=list)
    tally: Tally | None = None  # its count, a broken deal's too; None while it runs, and of a void one


class NearbyMove(NamedTuple):
    """A move beside a fault, as the record has it; ``place`` counts in the whole deal."""

    place: int
    text: str
    faulty: bool


@dataclass(frozen=True, slots=True)
class RecordFault:
    """The reason and the place a record can't be replayed; ``deal`` and ``move`` count from 0 (record-format.md)."""

    code: str
    deal: int | None
    move: int | None
    text: str
    written: str = ""  # the text at that place, as far as it can be shown
    nearby: tuple[NearbyMove, ...] = ()

    @property
    def place(self) -> str:
        """Return the place in words, counted from 1."""
        if self.deal is None:
            return _("nell'intestazione o nella struttura del verbale")
        if self.move is None:
            return _("smazzata %(deal)d") % {"deal": self.deal + 1}
        return _("smazzata %(deal)d, mossa %(move)d") % {"deal": self.deal + 1, "move": self.move + 1}


@dataclass(slots=True)
class MatchNarrative:
    """A match in words: opening, deals, ending, or the fault that stops it."""

    opening: list[str] = field(default_factory=list)
    deals: list[DealNarrative] = field(default_factory=list)
    ending: list[str] = field(default_factory=list)
    forfeit: list[str] = field(default_factory=list)  # part of the ending: the MP and VP of a forfeit (V5)
    fault: RecordFault | None = None


def narrate_record(record: object) -> MatchNarrative:
    """Narrate a decoded record. It raises nothing: a fault is part of the narrative."""
    narrative = MatchNarrative()
    try:
        parsed = verbale.parse(record)
        vp.check_length(parsed.setup)
    except (RecordError, HeaderError) as fault:
        narrative.fault = RecordFault(fault.code, None, None, game_wording.describe_fault(fault.code))
        return narrative
    names = read_names(record, parsed.setup)
    narrative.opening = _narrate_opening(parsed.setup, names)
    progress = match.start(parsed.setup)
    try:
        for after in _narrate_deals(parsed, names, narrative.deals):
            progress = after
    except RecordError as fault:
        narrative.fault = _describe_fault(parsed, fault)
        return narrative
    narrative.forfeit = forfeit_narrative.explain_points(progress)
    narrative.ending = _narrate_ending(progress, names, narrative.forfeit)
    if parsed.shuffle is not None:
        narrative.ending.append(_("Segreto: mazzi controllati, vengono da quello che il verbale dichiara."))
    return narrative


def narrate_text(text: bytes) -> MatchNarrative:
    """Narrate a record's text. A text that isn't JSON gives a fault alone."""
    try:
        return narrate_record(results.decode(text))
    except RecordError as fault:
        return MatchNarrative(fault=RecordFault(fault.code, None, None, game_wording.describe_fault(fault.code)))


def write_lines(narrative: MatchNarrative) -> Iterator[str]:
    """Write a narrative as plain text, line by line."""
    yield from narrative.opening
    for deal in narrative.deals:
        yield ""
        yield f"{deal.title} · {deal.dealer}"
        yield from (f"  {sentence.text}" for sentence in deal.sentences)
    if narrative.ending:
        yield ""
        yield from narrative.ending
    if narrative.fault is not None:
        yield ""
        yield _("Il verbale non si può rigiocare: %(place)s.") % {"place": narrative.fault.place}
        yield f"  {narrative.fault.text}"
        if narrative.fault.written:
            yield "  " + _("Nel verbale c'è scritto: %(written)s") % {"written": narrative.fault.written}


def _narrate_opening(setup: Setup, names: PlayerNames) -> list[str]:
    sentences = [wording.describe_setup(setup)]
    if len(names.seats) > len(names.lines):
        sentences += [
            _name_side(letter, line, alone=letter == "A" and setup.players == THREE)
            for letter, line in zip("AB", names.lines, strict=True)
        ]
    sentences.append(_("Posti, in senso antiorario: %(names)s") % {"names": ", ".join(names.seats)})
    if any(setup.handicap):
        sentences.append(wording.describe_handicap(setup.handicap, names.lines))
    return sentences


def _name_side(letter: str, names: str, *, alone: bool) -> str:
    """Return the names of the players of one side. ``alone``: a single player with the morto (M3)."""
    what = _("Giocatore %(letter)s: %(names)s") if alone else _("Coppia %(letter)s: %(names)s")
    return what % {"letter": letter, "names": names}


# --- Deals ---


def _narrate_deals(parsed: Record, names: PlayerNames, deals: list[DealNarrative]) -> Iterator[Progress]:
    """Yield the match after each deal and move, and fill ``deals`` on the way. RecordError as ``record.replay``."""
    progress = match.start(parsed.setup)
    yield progress
    for number, recorded in enumerate(parsed.deals):
        if not progress.needs_deck:
            raise RecordError("deal_after_end" if progress.outcome else "deal_unfinished", number)
        deck = verbale.read_deck(parsed, number)
        deal = DealNarrative(name_deal(progress), _("mazziere %(name)s") % {"name": names.seats[progress.dealer]})
        deals.append(deal)
        after = match.deal(progress, deck)
        deal.sentences += narrate_dealing(progress, after, deck, names)
        progress = after
        yield progress
        for place, text in enumerate(recorded.moves):
            try:
                move = verbale.parse_move(text) if isinstance(text, str) else None
                if move is None:
                    raise IllegalMove("unreadable_move")
                after = match.play(progress, move)
            except IllegalMove as fault:
                deal.sentences += narrate_open_trick(progress, names)
                raise RecordError(fault.code, number, place) from None
            deal.tally = count_deal(progress, move, after)
            deal.sentences += narrate_move(progress, move, after, names, deal.sentences)
            progress = after
            yield progress
        deal.sentences += narrate_open_trick(progress, names)


# --- The end ---


def _narrate_ending(progress: Progress, names: PlayerNames, forfeit: Sequence[str]) -> list[str]:
    result = results.build_result(progress)
    score = {"score": wording.write_score(progress.score)}
    if progress.outcome is None:
        return [_("Il verbale finisce prima della partita. Punteggio delle smazzate finite: %(score)s.") % score]
    if progress.outcome.winner is None:
        sentences = [_("La partita finisce in parità, %(score)s.") % score]
    else:
        winner = names.lines[progress.outcome.winner]
        how = game_wording.describe_decision(progress.outcome.decided_by)
        text = _("Vittoria di %(winner)s, %(how)s: %(score)s, scarto %(margin)d.")
        sentences = [text % {**score, "winner": winner, "how": how, "margin": progress.outcome.margin}]
    if result["vp"] is not None:
        text = _("MP: %(mp)s. VP: %(vp)s.")
        sentences.append(text % {"mp": wording.write_score(result["mp"]), "vp": wording.write_score(result["vp"])})
    sentences += forfeit
    if any(progress.stakes):
        sentences.append(wording.describe_stakes(progress.stakes, names.lines))
    return sentences


# --- Faults ---


def _describe_fault(parsed: Record, fault: RecordError) -> RecordFault:
    text = game_wording.describe_fault(fault.code)
    if fault.deal is None:
        return RecordFault(fault.code, None, None, text)
    recorded = parsed.deals[fault.deal]
    if fault.move is None:
        written = _make_printable(recorded.deck) if fault.code in ("unreadable_deck", "not_a_whole_deck") else ""
        return RecordFault(fault.code, fault.deal, None, text, written)
    first = max(0, fault.move - NEARBY_MOVES)
    nearby = tuple(
        NearbyMove(place, _make_printable(move), place == fault.move)
        for place, move in enumerate(recorded.moves[first : fault.move + NEARBY_MOVES + 1], start=first)
    )
    return RecordFault(fault.code, fault.deal, fault.move, text, _make_printable(recorded.moves[fault.move]), nearby)


def _make_printable(value: object) -> str:
    """Return a value of a record as a short printable text."""
    if not isinstance(value, str):
        return _("(non è un testo)")
    shown = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in value[:MAX_SHOWN_CHARACTERS]
    )
    return shown + ("…" if len(value) > MAX_SHOWN_CHARACTERS else "")
