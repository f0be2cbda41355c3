"""Sentences for what equal deals refuse (J9-J12). It refuses nothing itself."""

from django.utils.translation import gettext as _


def describe_equal_refusal(code: str) -> str | None:
    """Return the sentence of a refusal about equal deals; None for any other code."""
    return {
        "equal_deals_two_tables": _(
            "Ai tavoli veri le carte uguali non si giocano con due tavoli per incontro: scegli una cosa o l'altra."
        ),
        "equal_deals_ko": _("Nell'eliminazione diretta non ci sono carte uguali: scegli girone, gironi o danese."),
        "equal_deals_points": _("Con le carte uguali una partita è a smazzate, non a punti: scegli quante."),
        "equal_deals_hours": _(
            "Con le carte uguali i tavoli di un turno si aprono insieme: togli i minuti e le ore dei turni."
        ),
        "percentage_without_equal_deals": _("La classifica a percentuale serve le carte uguali: scegli anche quelle."),
        "nonce_refused": _("Questo numero non è quello che il tuo browser aveva promesso."),
        "nonces_over": _("I numeri per le carte adesso non si raccolgono."),
        "equal_deals_stay": _("Un torneo a carte uguali resta qui: i segreti dei mazzi non lasciano il sito."),
        "no_comparison": _("Qui non si confronta niente: le carte non sono uguali a quelle degli altri tavoli."),
        "deals_needed": _("Con le carte uguali servono i punti di ogni smazzata: scrivi per esempio 11+4+6."),
        "decks_closed": _("I mazzi si preparano quando il turno è pubblicato, e finché si gioca."),
        "decks_of_player": _("Chi gioca nel torneo non può vedere i mazzi: li prepara qualcun altro."),
        "withheld": _("Giochi in questo turno: finché è in corso non puoi guardare né decidere gli altri incontri."),
    }.get(code)
