"""The lesson of Scopone: that of Scopa in pairs, with all the cards dealt at once."""

from django.utils.translation import gettext_lazy as _

from games.lessons import capture_steps as shared
from games.lessons.seating import seat_four
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, Task, WholeDeal

START = Question(
    _("Come si comincia"),
    _(
        "Si gioca in quattro, a coppie: il tuo compagno siede di fronte, e le carte che prendete vanno nello stesso "
        "mucchio. Si danno tutte e quaranta le carte, e in tavola non ce n'è nessuna. Quante ne ricevi?"
    ),
    Layout(("7c Ab Fs 2d 4d 6s Rb Cc 3s 5b", "2c 3c 4c", "7d 6d 5d", "Rs Rd Rc")),
    (
        ("3", _("Tre per volta si danno nella scopa. Qui tutte subito: dieci a testa.")),
        ("9", _("Nove a testa e quattro in tavola è una variante, che si sceglie prima. Di solito sono dieci.")),
        (
            "10",
            _(
                "Giusto. Comincia chi siede alla destra del mazziere, cioè di chi dà le carte, e per forza lascia la "
                "sua in tavola. Alla smazzata dopo le dà lui."
            ),
        ),
    ),
    2,
)

CAREFUL = Task(
    _("Non lasciare scope"),
    _(
        "In tavola c'è un 4 e non puoi prendere. Chi gioca dopo di te è un avversario: se la somma in tavola supera "
        "10, non può fare scopa con una carta sola. Scegli bene."
    ),
    Layout(("5c 2b Rs", "7d 6d Cd", "3b 3c 3s", "Fs Fc Fb"), "4d"),
    _("4 e 10 fanno 14: nessuna carta prende tutto. È la prima cosa che un compagno si aspetta da te."),
    ("play Rs",),
    _("Così in tavola restano 10 o meno: l'avversario può fare scopa. Riprova."),
)

END = Question(
    _("Chi vince"),
    _(
        "Si gioca a 11 o a 21 punti, o a un numero di smazzate. Quando alla fine di una smazzata una coppia c'è "
        "arrivata, vince chi ne ha di più. Il tuo compagno fa una scopa: per chi è il punto?"
    ),
    Layout(("", "2d", "", "")),
    (
        (_("per lui solo"), _("Nello scopone tutto è della coppia: il punto è di tutti e due.")),
        (
            _("per la coppia"),
            _(
                "Giusto: mucchio e punti sono in comune. Se alla fine sono pari, si pareggia; nei tornei a "
                "eliminazione (KO) si fa uno spareggio."
            ),
        ),
        (_("per nessuno"), _("La scopa vale un punto, e i punti sono della coppia.")),
    ),
    1,
)

LESSON = Lesson(
    "scopone",
    "Rb",
    (
        seat_four(shared.VALUES, "4d 5d", "6d 7d"),
        START,
        seat_four(shared.SAME_VALUE, "4s 6s Ac", "5d 6d Ad"),
        seat_four(shared.SUM, "4s 6s As", "5d Ad 2d"),
        seat_four(shared.SINGLE_FIRST, "5s 6s As", "5d Ad 3c"),
        CAREFUL,
        seat_four(shared.SCOPA, "5s 6s As", "Fd Ad 3s"),
        seat_four(shared.PRIMIERA, "5s 6s", "Fd 3s"),
        seat_four(shared.PRIZES, "", ""),
        END,
        WholeDeal(
            DEAL_TITLE,
            DEAL_TEXT,
            "4c 7b Fd 2s 6b Ad 3c 5d Rs 7d Cb 2c Fb 4d 6s 3d Rc Ab 7c 5s Cd 2b Fs 6c 4s Rb 3s Ac 7s 5c Cc 2d Fc 6d "
            "4b Rd 3b As Cs 5b",
            3,
            _("La smazzata è finita. Ora sai giocare a scopone: prova una partita vera, o allenati contro la casa."),
        ),
    ),
    (_("Tu"), _("Zio Nello"), _("Nonna Pina"), _("Zia Rosa")),
)
