"""Sentences for what equal deals refuse (J9-J12). It refuses nothing itself."""

from django.utils.translation import gettext as _


def describe_equal_refusal(code: str) -> str | None:
    """Return the sentence of a refusal about equal deals; None for any other code."""
    return {
        "equal_deals_real": _("Le carte uguali si giocano solo sul sito: ai tavoli veri le carte le mescolate voi."),
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
        "withheld": _("Giochi in questo turno: finché è in corso non puoi guardare né decidere gli altri incontri."),
    }.get(code)
