"""The lesson of Tresette a perdere: that of Tresette, played the other way round."""

from django.utils.translation import gettext_lazy as _

from games.lessons import trick_steps as shared
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, Task, WholeDeal

AVOID = Task(
    _("Non prendere"),
    _(
        "Le carte e le prese sono quelle del tresette, ma vince chi fa meno punti: quindi di solito si cerca di non "
        "prendere. È uscito il cavallo di coppe: rispondi senza fare la presa."
    ),
    Layout(("Ac 5c 3c", "Fd 6s 7b"), "Cc"),
    _("Il 5 è più debole del cavallo: la presa, con il suo terzo, va all'altro."),
    ("play 5c",),
    _("Con questa la presa è tua, e i punti li segni tu. Riprova."),
)

GIVE = Task(
    _("Dare i punti all'altro"),
    _(
        "Quando non hai il seme uscito, è il momento di liberarti delle carte che pesano. È uscito il re di denari: "
        "dai all'altro quella che vale di più."
    ),
    Layout(("Ac 2b 6s", "Fc 7s 7b"), "Rd"),
    _("L'asso vale un punto intero, e adesso è dell'altro."),
    ("play Ac",),
    _("C'è una carta che vale di più: l'asso, un punto intero. Riprova."),
)

LEAD = Task(
    _("Uscire piano"),
    _(
        "Comincia chi siede alla destra di chi ha dato le carte. Tu esci: gioca la carta con cui è meno facile fare "
        "la presa."
    ),
    Layout(("3b Rb 4c", "5c 6s 7s")),
    _("Il 4 è la più debole di tutte: chi ha coppe deve rispondere, e prende."),
    ("play 4c",),
    _("Con questa rischi di prendere. La più debole di ogni seme è il 4. Riprova."),
    ("1 play 5c",),
)

END = Question(
    _("Chi vince"),
    _(
        "Si gioca a un numero di smazzate o di punti, in due o a coppie. Alla fine vince chi ha meno punti; a pari, "
        "perde chi ha fatto l'ultima presa. Tu hai 9 punti e l'altro 13: chi vince?"
    ),
    Layout(("", "4d")),
    (
        (_("io"), _("Giusto: qui meno punti sono meglio.")),
        (_("l'altro"), _("Nel tresette sì. A perdere vince chi ne ha meno: tu.")),
        (_("nessuno"), _("Vince sempre chi ha meno punti; solo a pari decide l'ultima presa.")),
    ),
    0,
)

LESSON = Lesson(
    "tresette-a-perdere",
    "4b",
    (
        shared.ORDER,
        shared.FOLLOW,
        AVOID,
        LEAD,
        GIVE,
        shared.THIRDS,
        shared.DRAW,
        shared.COUNT,
        END,
        WholeDeal(
            DEAL_TITLE,
            DEAL_TEXT,
            shared.DECK,
            1,
            _("La smazzata è finita. Ora sai giocare a tresette a perdere: prova una partita vera, o allenati."),
        ),
    ),
    (_("Tu"), _("Nonna Pina")),
)
