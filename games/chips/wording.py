"""The words of chips: why an act is refused, why chips moved, stakes."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.chips.terms import CAP
from games.models import ChipEntry, ChipTransfer, FreeTable
from games.wording import LOBBY_REFUSALS, write_signed

CHIP_REFUSALS = {
    "stake_members": LOBBY_REFUSALS["stake_members"],
    "stakes_off": LOBBY_REFUSALS["stakes_off"],
    "too_few_chips": LOBBY_REFUSALS["too_few_chips"],
    "topped_up": gettext_lazy("Hai già fatto la ricarica di oggi: la prossima domani."),
    "enough_chips": gettext_lazy("Hai già almeno 100 gettoni: la ricarica serve a chi ne ha meno."),
}

REASONS = {
    ChipTransfer.Reason.TOP_UP: gettext_lazy("Ricarica del giorno"),
    ChipTransfer.Reason.SETTLEMENT: gettext_lazy("Posta di una partita"),
    ChipTransfer.Reason.ANNULMENT: gettext_lazy("Partita annullata: la posta torna indietro"),
    ChipTransfer.Reason.CLOSING: gettext_lazy("Account chiuso"),
}


def describe_chip_refusal(code: str) -> str:
    """Describe why an act with chips is refused."""
    return str(CHIP_REFUSALS[code])


def describe_reason(entry: ChipEntry) -> str:
    """Describe why chips moved."""
    return str(REASONS[ChipTransfer.Reason(entry.transfer.reason)])


def describe_chips(amount: int) -> str:
    """Describe a number of chips: "1 gettone", "40 gettoni"."""
    return ngettext("%(n)d gettone", "%(n)d gettoni", amount) % {"n": amount}


def describe_moved_chips(amount: int) -> str:
    """Describe chips won or lost, with their sign."""
    return ngettext("%(n)s gettone", "%(n)s gettoni", abs(amount)) % {"n": write_signed(amount)}


def describe_stake(table: FreeTable) -> str:
    """Describe the stake of a free table: "2 gettoni a partita"."""
    chips = describe_chips(table.stake)
    if table.stake_per == FreeTable.StakePer.POINT:
        return _("%(chips)s per ogni punto di differenza") % {"chips": chips}
    return _("%(chips)s a partita") % {"chips": chips}


def describe_limit(loss: int, lone: int, cap: int) -> str:
    """Describe in chips what one can lose in a match with its options, and the cap of its table (Z2). ``lone``: what
    who plays alone where three play can lose; elsewhere as much as everybody."""
    if loss == lone == cap:
        words = _("Nessuno può perdere più di %(cap)s in una partita: %(stakes)s poste, il limite di ogni tavolo.")
    elif loss == lone:
        words = _(
            "Con queste opzioni nessuno può perdere più di %(loss)s in una partita. Il limite di ogni tavolo è di "
            "%(stakes)s poste, qui %(cap)s."
        )
    else:
        words = _(
            "Con queste opzioni chi gioca da solo può perdere al massimo %(lone)s in una partita, ognuno della coppia "
            "%(loss)s. Il limite di ogni tavolo è di %(stakes)s poste, qui %(cap)s."
        )
    values = {"loss": describe_chips(loss), "lone": describe_chips(lone), "cap": describe_chips(cap)}
    return words % {**values, "stakes": CAP}
