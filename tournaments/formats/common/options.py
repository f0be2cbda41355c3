"""The options that several formats share (K4, R1), with their Italian texts. It decides nothing about play."""

from tournaments.formats.protocol import OptionField, gettext_noop

THIRD_PLACE = OptionField(
    gettext_noop("Finale per il terzo posto"),
    gettext_noop("Chi perde le semifinali gioca ancora; altrimenti sono terzi tutti e due."),
    gettext_noop("con la finale per il terzo posto"),
)
DOUBLE = OptionField(
    gettext_noop("Andata e ritorno"),
    gettext_noop("Ognuno incontra ogni altro due volte, a posti scambiati."),
    gettext_noop("andata e ritorno"),
)
BYES_BY_LOT = OptionField(
    gettext_noop("Chi passa il primo turno si sorteggia"),
    gettext_noop("Quando gli iscritti non riempiono il tabellone; altrimenti passano le prime teste."),
    gettext_noop("chi passa il primo turno è sorteggiato"),
)
LUCKY_LOSERS = OptionField(
    gettext_noop("Ripescati"),
    gettext_noop(
        "Al primo turno giocano tutti, e i posti che mancano nel secondo vanno a chi ha perso di meno, poi a sorte."
    ),
    gettext_noop("con i ripescati: chi ha perso di meno al primo turno"),
)
APART = OptionField(
    gettext_noop("Protezione di circolo"),
    gettext_noop(
        "Chi è di uno stesso circolo si incontra il meno possibile: nel primo turno, o nei gironi. Vale il circolo che "
        "sta nell'elenco, o quello di cui si è soci sul sito."
    ),
    gettext_noop("protezione di circolo"),
)
