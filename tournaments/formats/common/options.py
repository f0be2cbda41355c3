"""The options that several formats share (K2, K4, R1), as organisers and readers meet them."""

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
