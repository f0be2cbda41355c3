"""A match record told to a person: who sits where, every deal card by card, how each point was made, how it ended.

It reads one record and decides nothing: rules are the engine's, results ``selectors``'. A faulty record is told up to
its fault, then where and why. Names come from ``about.names``; without them the seats are called by their line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.translation import gettext as _

from games import words
from games.engine import match
from games.engine import record as verbale
from games.engine.game import HeaderError, IllegalMove, Setup, Tally
from games.engine.match import Progress
from games.engine.record import Record, RecordError
from scoring import forfeits, selectors, sentences, vp
from scoring.telling import Entry, Names, count, dealt, moved, names_of, open_trick, title

LONGEST_SHOWN = 120  # characters
MOVES_AROUND = 8


@dataclass(slots=True)
class DealAccount:
    """A deal, told in order."""

    title: str
    dealer: str
    entries: list[Entry] = field(default_factory=list)
    tally: Tally | None = None  # its count, a broken deal's too; None while it runs, or where it is void


class Around(NamedTuple):
    """The moves around a fault as the record has them; the faulty one at ``place`` of the whole deal."""

    place: int
    text: str
    faulty: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """Why and where a record can't be replayed; ``deal`` and ``move`` count from 0, None as record-format.md says."""

    code: str
    deal: int | None
    move: int | None
    text: str
    written: str = ""  # what stands there, as far as it can be shown
    around: tuple[Around, ...] = ()

    @property
    def place(self) -> str:
        """Where it is, counted as people count."""
        if self.deal is None:
            return _("nell'intestazione o nella struttura del verbale")
        if self.move is None:
            return _("smazzata %(deal)d") % {"deal": self.deal + 1}
        return _("smazzata %(deal)d, mossa %(move)d") % {"deal": self.deal + 1, "move": self.move + 1}


@dataclass(slots=True)
class Account:
    """The whole of it."""

    opening: list[str] = field(default_factory=list)
    deals: list[DealAccount] = field(default_factory=list)
    ending: list[str] = field(default_factory=list)
    forfeit: list[str] = field(default_factory=list)  # of the ending: how a forfeit made MP and VP (V5)
    fault: Fault | None = None


def tell(record: object) -> Account:
    """The account of a record, given as what JSON made of it. Never an error: a fault is part of the account."""
    account = Account()
    try:
        parsed = verbale.parse(record)
        vp.check_length(parsed.setup)
    except (RecordError, HeaderError) as fault:
        account.fault = Fault(fault.code, None, None, words.fault(fault.code))
        return account
    names = names_of(record, parsed.setup)
    account.opening = _opening(parsed.setup, names)
    progress = match.start(parsed.setup)
    try:
        for after in _told(parsed, names, account.deals):
            progress = after
    except RecordError as fault:
        account.fault = _fault(parsed, fault)
        return account
    account.forfeit = forfeits.worth(progress)
    account.ending = _ending(progress, names, account.forfeit)
    return account


def tell_text(text: bytes) -> Account:
    """The account of a record's text; what isn't JSON has nothing but a fault."""
    try:
        return tell(selectors.decoded(text))
    except RecordError as fault:
        return Account(fault=Fault(fault.code, None, None, words.fault(fault.code)))


def lines(account: Account) -> Iterator[str]:
    """The account as plain text."""
    yield from account.opening
    for deal in account.deals:
        yield ""
        yield f"{deal.title} · {deal.dealer}"
        yield from (f"  {entry.text}" for entry in deal.entries)
    if account.ending:
        yield ""
        yield from account.ending
    if account.fault is not None:
        yield ""
        yield _("Il verbale non si può rigiocare: %(place)s.") % {"place": account.fault.place}
        yield f"  {account.fault.text}"
        if account.fault.written:
            yield "  " + _("Nel verbale c'è scritto: %(written)s") % {"written": account.fault.written}


def _opening(setup: Setup, names: Names) -> list[str]:
    found = [sentences.agreed(setup)]
    if len(names.seats) > len(names.lines):
        found += [
            _("Linea %(letter)s: %(names)s") % {"letter": letter, "names": line}
            for letter, line in zip("AB", names.lines, strict=True)
        ]
    found.append(_("Posti, in senso antiorario: %(names)s") % {"names": ", ".join(names.seats)})
    return found


# --- Deals ---


def _told(parsed: Record, names: Names, deals: list[DealAccount]) -> Iterator[Progress]:
    """The match after each deal and move, each deal told in ``deals`` as it goes. RecordError as ``record.replay``."""
    progress = match.start(parsed.setup)
    yield progress
    for number, recorded in enumerate(parsed.deals):
        if not progress.needs_deck:
            raise RecordError("deal_after_end" if progress.outcome else "deal_unfinished", number)
        if not isinstance(recorded.deck, str):
            raise RecordError("unreadable_deck", number)
        try:
            deck = verbale.parse_deck(recorded.deck)
        except ValueError as fault:
            raise RecordError(str(fault), number) from None
        deal = DealAccount(title(progress), _("mazziere %(name)s") % {"name": names.seats[progress.dealer]})
        deals.append(deal)
        after = match.deal(progress, deck)
        deal.entries += dealt(progress, after, deck, names)
        progress = after
        yield progress
        for place, text in enumerate(recorded.moves):
            try:
                move = verbale.parse_move(text) if isinstance(text, str) else None
                if move is None:
                    raise IllegalMove("unreadable_move")
                after = match.play(progress, move)
            except IllegalMove as fault:
                deal.entries += open_trick(progress, names)
                raise RecordError(fault.code, number, place) from None
            deal.tally = count(progress, move, after)
            deal.entries += moved(progress, move, after, names, deal.entries)
            progress = after
            yield progress
        deal.entries += open_trick(progress, names)


# --- The end ---


def _ending(progress: Progress, names: Names, forfeit: Sequence[str]) -> list[str]:
    result = selectors.result(progress)
    score = {"score": sentences.versus(progress.score)}
    if progress.outcome is None:
        return [_("Il verbale finisce prima della partita. Punteggio delle smazzate finite: %(score)s.") % score]
    if progress.outcome.winner is None:
        found = [_("La partita finisce in parità, %(score)s.") % score]
    else:
        winner = names.lines[progress.outcome.winner]
        how = words.decided_by(progress.outcome.decided_by)
        text = _("Vittoria di %(winner)s, %(how)s: %(score)s, scarto %(margin)d.")
        found = [text % {**score, "winner": winner, "how": how, "margin": progress.outcome.margin}]
    if result["vp"] is not None:
        text = _("MP: %(mp)s. VP: %(vp)s.")
        found.append(text % {"mp": sentences.versus(result["mp"]), "vp": sentences.versus(result["vp"])})
    found += forfeit
    if any(progress.stakes):
        found.append(sentences.stakes(progress.stakes, names.lines))
    return found


# --- Faults ---


def _fault(parsed: Record, fault: RecordError) -> Fault:
    text = words.fault(fault.code)
    if fault.deal is None:
        return Fault(fault.code, None, None, text)
    recorded = parsed.deals[fault.deal]
    if fault.move is None:
        written = _shown(recorded.deck) if fault.code in ("unreadable_deck", "not_a_whole_deck") else ""
        return Fault(fault.code, fault.deal, None, text, written)
    first = max(0, fault.move - MOVES_AROUND)
    around = tuple(
        Around(place, _shown(move), place == fault.move)
        for place, move in enumerate(recorded.moves[first : fault.move + MOVES_AROUND + 1], start=first)
    )
    return Fault(fault.code, fault.deal, fault.move, text, _shown(recorded.moves[fault.move]), around)


def _shown(value: object) -> str:
    """What a record says somewhere, fit to be shown."""
    if not isinstance(value, str):
        return _("(non è un testo)")
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in value[:LONGEST_SHOWN])
    return shown + ("…" if len(value) > LONGEST_SHOWN else "")
