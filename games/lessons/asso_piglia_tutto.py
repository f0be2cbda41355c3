"""The lesson of asso piglia tutto: that of Scopa, and what an ace does."""

from django.utils.translation import gettext_lazy as _

from games.lessons import capture_steps as shared
from games.lessons.scopa import END, START
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Task, WholeDeal

ACE = Task(
    _("L'asso piglia tutto"),
    _(
        "Qui l'asso prende tutte le carte che sono in tavola, quante che siano. Non è una scopa, però, e non dà il "
        "suo punto. Prendi tutto."
    ),
    Layout(("Ac 2b 4s", "3d 5d 6d"), "7d Fs Rb 5c", stock="2d 3b 7s 6s 4c Rd"),
    _("Cinque carte in una volta, e tra queste il settebello. La scopa non si segna."),
    ("play Ac x 7d 5c Rb Fs",),
    _("Con questa non le prendi tutte: ci vuole l'asso. Riprova."),
)

ACE_LIES = Task(
    _("Asso contro asso"),
    _(
        "Se in tavola c'è già un asso, il tuo prende solo quello: l'altro resta dov'è. Per questo chi ha due assi ne "
        "tiene in mano uno. Gioca l'asso."
    ),
    Layout(("Ac 2b 4s", "3d 5d 6d"), "As Fs Rb", stock="2d 3b 7s 6s 4c Rd"),
    _(
        "Solo l'asso. Il fante e il re sono rimasti. A tavolo vuoto, poi, un asso resta in tavola come ogni altra "
        "carta."
    ),
    ("play Ac x As",),
    _("Gioca l'asso, e guarda che cosa prende."),
)

ACE_SCOPA = Task(
    _("La scopa con l'asso"),
    _(
        "Se in tavola c'è soltanto un asso, chi lo prende con un altro asso fa scopa. È l'unica scopa che un asso "
        "può fare: prova."
    ),
    Layout(("Ac 2b 4s", "3d 5d 6d"), "As", stock="2d 3b 7s 6s 4c Rd"),
    _("Scopa! Un asso con un asso vale come ogni carta uguale. E in una somma, per le altre carte, l'asso vale 1."),
    ("play Ac x As",),
    _("Prendi l'asso con l'asso."),
)

LESSON = Lesson(
    "asso-piglia-tutto",
    "As",
    (
        shared.VALUES,
        START,
        shared.SAME_VALUE,
        shared.SUM,
        shared.SINGLE_FIRST,
        shared.PUT_DOWN,
        shared.SCOPA,
        ACE,
        ACE_LIES,
        ACE_SCOPA,
        shared.PRIMIERA,
        shared.PRIZES,
        END,
        WholeDeal(
            DEAL_TITLE,
            DEAL_TEXT,
            "Ac 7b Fd 2s 6b 4c 3c 5d Rs 7d Cb 2c Fb 4d 6s 3d Rc Ab 7c 5s Cd 2b Fs 6c 4s Rb 3s Ad 7s 5c Cc 2d Fc 6d "
            "4b Rd 3b As Cs 5b",
            1,
            _("La smazzata è finita. Ora sai giocare ad asso piglia tutto: prova una partita vera, o allenati."),
        ),
    ),
    (_("Tu"), _("Nonna Pina")),
)
