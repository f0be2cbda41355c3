"""The lesson of Tresette, for two."""

from django.utils.translation import gettext_lazy as _

from games.lessons import trick_steps as shared
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, Task, WholeDeal

LEAD = Task(
    _("Uscire"),
    _(
        "Comincia chi siede alla destra di chi ha dato le carte, con la carta che vuole. Tu esci: gioca una carta "
        "che prende di sicuro, perché nel suo seme nessuna è più forte."
    ),
    Layout(("3b Rb 2c", "4b 5c 6c")),
    _("Il 3 è la più forte del suo seme: la presa è tua."),
    ("play 3b",),
    _("Con questa non sei sicuro: c'è una carta più forte. La più forte di tutte è il 3. Riprova."),
    ("1 play 4b",),
)

END = Question(
    _("Chi vince"),
    _(
        "In due o in quattro a coppie, si gioca a un certo numero di punti o di smazzate, e vince chi alla fine ne "
        "ha di più. Chi ha preso 17 terzi e l'ultima presa, quanti punti segna?"
    ),
    Layout(("", "4d")),
    (
        ("5", _("17 terzi fanno 5 punti e ne avanzano due, che si perdono. Manca il punto dell'ultima presa: 6.")),
        ("6", _("Giusto: 17 terzi fanno 5, più l'ultima presa.")),
        ("17", _("I terzi vanno divisi per tre: 5, più uno per l'ultima presa, 6.")),
    ),
    1,
)

LESSON = Lesson(
    "tresette",
    "3d",
    (
        shared.ORDER,
        LEAD,
        shared.FOLLOW,
        shared.TAKE,
        shared.DISCARD,
        shared.THIRDS,
        shared.DRAW,
        shared.COUNT,
        END,
        WholeDeal(
            DEAL_TITLE,
            DEAL_TEXT,
            shared.DECK,
            1,
            _("La smazzata è finita. Ora sai giocare a Tresette: prova una partita vera, o allenati contro la casa."),
        ),
    ),
    (_("Tu"), _("Nonna Pina")),
)
