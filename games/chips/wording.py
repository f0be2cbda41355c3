"""The words of chips: why an act is refused, why chips moved, stakes."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

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
