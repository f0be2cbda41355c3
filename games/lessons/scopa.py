"""The lesson of Scopa."""

from django.utils.translation import gettext_lazy as _

from games.lessons import capture_steps as shared
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, WholeDeal

START = Question(
    _("Come si comincia"),
    _(
        "Ognuno riceve tre carte e quattro vanno in tavola, scoperte. Comincia chi siede alla destra di chi ha dato le "
        "carte, e darà lui le prossime. Finite le tre carte se ne danno altre tre, fino alla fine del mazzo. Quante "
        "carte hai in mano all'inizio?"
    ),
    Layout(("7c Ab Fs", "2c 3c 4c"), "7d Rs 5b 2s", stock="3s 4s 6s Ac Rd 4d"),
    (
        ("3", _("Giusto: tre per volta. Se tra le quattro in tavola ci sono tre re o più, si ridanno le carte.")),
        ("4", _("Quattro sono quelle in tavola. In mano ne hai tre.")),
        ("10", _("Dieci a testa si danno nello scopone e nel tresette. Qui se ne danno tre per volta.")),
    ),
    0,
)

END = Question(
    _("Chi vince"),
    _(
        "Si gioca in due, o in quattro a coppie, di solito a 11 punti: si sommano quelli di ogni smazzata, e vince chi "
        "alla fine di una ne ha almeno 11 e più dell'altro. In una smazzata fai carte, settebello e due scope: quanti "
        "punti sono?"
    ),
    Layout(("", "2d"), taken=("7d", "")),
    (
        ("3", _("Conta anche la seconda scopa: ogni scopa vale un punto. Sono 4.")),
        (
            "4",
            _(
                "Giusto: uno per le carte, uno per il settebello e due per le scope. A pari, "
                "anche a 11 a 11, è un pareggio; nei tornei a eliminazione (KO) si fa uno spareggio."
            ),
        ),
        ("5", _("Uno per le carte, uno per il settebello, due per le scope: 4.")),
    ),
    1,
)

LESSON = Lesson(
    "scopa",
    "7d",
    (
        shared.VALUES,
        START,
        shared.SAME_VALUE,
        shared.SUM,
        shared.SINGLE_FIRST,
        shared.PUT_DOWN,
        shared.SCOPA,
        shared.PRIMIERA,
        shared.PRIZES,
        END,
        WholeDeal(
            DEAL_TITLE,
            DEAL_TEXT,
            "4c 7b Fd 2s 6b Ad 3c 5d Rs 7d Cb 2c Fb 4d 6s 3d Rc Ab 7c 5s Cd 2b Fs 6c 4s Rb 3s Ac 7s 5c Cc 2d Fc 6d "
            "4b Rd 3b As Cs 5b",
            1,
            _("La smazzata è finita. Ora sai giocare a Scopa: prova una partita vera, o allenati contro la casa."),
        ),
    ),
    (_("Tu"), _("Nonna Pina")),
)
