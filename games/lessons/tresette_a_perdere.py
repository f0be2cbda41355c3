"""The lesson of Tresette a perdere: that of Tresette, played the other way round."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from games.lessons import trick_steps as shared
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, Task, WholeDeal

AVOID = Task(
    _("Non prendere"),
    _(
        "La presa è di chi ha giocato la carta più forte del seme uscito; chi la fa, gioca per primo la volta dopo. Ma "
        "qui vince chi fa meno punti: di solito si cerca di non prendere. È uscito il cavallo di coppe: rispondi "
        "senza fare la presa."
    ),
    Layout(("Ac 5c 3c", "Fd 6s 7b"), "Cc"),
    _("Il 5 è più debole del cavallo: la presa, con il suo terzo, va all'altro."),
    ("play 5c",),
    _("Con questa la presa è tua, e i punti li segni tu. Riprova."),
)

GIVE = Task(
    _("Dare i punti all'altro"),
    _(
        "Quando non hai il seme uscito puoi giocare qualunque carta, e non prende: è il momento di liberarti di quelle "
        "che pesano. È uscito il re di denari: dai all'altro quella che vale di più."
    ),
    Layout(("Ac 2b 6s", "Fc 7s 7b"), "Rd"),
    _("L'asso vale un punto intero, e adesso è dell'altro."),
    ("play Ac",),
    _("C'è una carta che vale di più: l'asso, un punto intero. Riprova."),
)

LEAD = Task(
    _("Uscire piano"),
    _(
        "Comincia chi siede alla destra di chi ha dato le carte, e darà lui le prossime. Tu esci, cioè giochi per "
        "primo: gioca la carta con cui è meno facile fare la presa."
    ),
    Layout(("3b Rb 4c", "5c 6s 7s")),
    _("Il 4 è la più debole di tutte: chi ha coppe deve rispondere, e prende."),
    ("play 4c",),
    _("Con questa rischi di prendere. La più debole di ogni seme è il 4. Riprova."),
    ("1 play 5c",),
)

THIRDS = replace(
    shared.THIRDS,
    text=_(
        "L'asso vale un punto. Il 3, il 2, il re, il cavallo e il fante valgono un terzo di punto; le altre carte "
        "niente. Chi fa l'ultima presa ha un punto in più, che qui fa male. Quanto pesa questa presa: asso, re, 2 e 3?"
    ),
)

COUNT = replace(
    shared.COUNT,
    text=_(
        "A fine smazzata si contano i terzi presi: tre fanno un punto, quelli che avanzano si perdono. Il punto "
        "dell'ultima presa va a chi la fa, e fa male come gli altri: in tutto sono 11. Questa volta tocca a te: "
        "prendila e guarda la conta."
    ),
    well=_(
        "Ecco la conta: in verde c'è chi ha meno. L'ultima presa ti è costata un punto: meglio lasciarla all'altro."
    ),
)

END = Question(
    _("Chi vince"),
    _(
        "In due o in quattro a coppie, si gioca un numero di smazzate, o fino a quella in cui qualcuno arriva ai punti "
        "decisi. Vince chi ne ha meno; a pari, chi ha fatto l'ultima presa. Tu hai 9 punti e l'altro 13: chi vince?"
    ),
    Layout(("", "4d")),
    (
        (_("io"), _("Giusto: qui meno punti sono meglio.")),
        (_("l'altro"), _("Nel tresette sì. A perdere vince chi ne ha meno: tu.")),
        (_("nessuno dei due"), _("Vince sempre chi ha meno punti; solo a pari decide l'ultima presa.")),
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
        THIRDS,
        shared.DRAW,
        COUNT,
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
