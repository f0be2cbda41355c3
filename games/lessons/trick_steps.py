"""Steps that the lessons of all Tresette games share: who takes, following suit, thirds. Two players' tables."""

from django.utils.translation import gettext_lazy as _

from games.lessons.steps import Layout, Question, Task

ORDER = Question(
    _("Quale carta prende"),
    _(
        "Ci sono quaranta carte di quattro semi: denari, coppe, bastoni e spade. In ogni seme l'ordine è strano: la "
        "più forte è il 3, poi il 2, l'asso, il re (R), il cavallo (C), il fante (F), il 7, il 6, il 5 e il 4. Quale "
        "di queste è la più forte?"
    ),
    Layout(("Ad 2d Rd 7d", "4c 5c")),
    (
        (_("l'asso"), _("L'asso è terzo: prima vengono il 3 e il 2.")),
        (_("il 2"), _("Giusto: più forte del 2 c'è solo il 3.")),
        (_("il re"), _("Il re è quarto, dopo il 3, il 2 e l'asso.")),
    ),
    1,
)

FOLLOW = Task(
    _("Rispondere al seme"),
    _(
        "Ognuno gioca una carta: è una presa. Chi ha una carta del seme giocato per primo deve giocarla. È uscito il "
        "cavallo di coppe: rispondi."
    ),
    Layout(("4c 5c 3d Rs", "Fd 6s 7b"), "Cc"),
    _("Hai risposto a coppe. Il 3 e il re non si potevano giocare. Basta il seme: nessuno è obbligato a prendere."),
    ("play 4c", "play 5c"),
    _("Bisogna rispondere a coppe."),
)

TAKE = Task(
    _("Fare la presa"),
    _(
        "La presa è di chi ha giocato la carta più forte del seme uscito; chi la fa, gioca per primo la volta dopo. "
        "È uscito il re di spade: prendilo."
    ),
    Layout(("As 7s 4c", "Fd 6s 7b"), "Rs"),
    _("La presa è tua: l'asso batte il re. Adesso esci tu."),
    ("play As",),
    _("Il 7 è più debole del re: la presa sarebbe dell'altro. Riprova."),
)

DISCARD = Task(
    _("Non avere il seme"),
    _(
        "Chi non ha il seme uscito può giocare qualunque carta, ma così non prende, nemmeno con un 3: non ci sono "
        "briscole. È uscito il 3 di denari e tu non hai denari: liberati di una carta che non vale punti."
    ),
    Layout(("Ac 5b 6s", "Fc 7s 7b"), "3d"),
    _("Giusto: perso per perso, si dà una carta che non vale niente."),
    ("play 5b", "play 6s"),
    _("Così regali all'altro un asso, che vale un punto intero. Riprova."),
)

THIRDS = Question(
    _("I punti delle carte"),
    _(
        "L'asso vale un punto. Il 3, il 2, il re, il cavallo e il fante valgono un terzo di punto; le altre carte "
        "niente. Chi fa l'ultima presa ha un punto in più. Quanto vale questa presa: asso, re, 2 e 3?"
    ),
    Layout(("Ac Rc 2c 3c", "4d 5d")),
    (
        (
            _("4 punti"),
            _("Solo l'asso vale un punto intero; gli altri tre fanno tre terzi, cioè un punto. In tutto 2."),
        ),
        (_("2 punti"), _("Giusto: uno per l'asso, e tre terzi fanno un altro punto.")),
        (_("1 punto"), _("Uno è l'asso; re, 2 e 3 sono tre terzi, cioè un altro punto. In tutto 2.")),
    ),
    1,
)

COUNT = Task(
    _("L'ultima presa e la conta"),
    _(
        "A fine smazzata si contano i terzi presi: tre fanno un punto, quelli che avanzano si perdono. In tutto, con "
        "l'ultima presa, sono 11 punti. Prendi l'ultima e guarda la conta."
    ),
    Layout(
        ("3s", ""),
        "Rs",
        taken=(
            "Ad 2d 3d Ac 2c Rc Fb Cb 4d 5d 6d 7d 4c 5c 6c 7c 4b 5b",
            "Rd Cd Fd 3c Cc Fc 3b 2b Ab Rb 6b 7b As 2s Cs Fs 4s 5s 6s 7s",
        ),
    ),
    _("Ecco la conta: i terzi divisi per tre, senza il resto, e il punto dell'ultima presa."),
    ("play 3s",),
    _("Gioca il 3."),
)

DRAW = Question(
    _("Le carte e il pescare"),
    _(
        "Si danno dieci carte a testa: in quattro sono tutte. In due le altre venti restano coperte: dopo ogni presa "
        "tutti e due pescano una carta e la mostrano, per primo chi ha preso. Quante carte hai in mano dopo la prima "
        "presa e la pescata?"
    ),
    Layout(("3d 7d 4c 5c Rc Fb 6b 2s 5s 6s", "Ad 2d Fd Ac 2c Cb 7b As 3s 7s"), stock="4d 5d 6d 3c 6c 7c Ab 2b 3b 4b"),
    (
        ("9", _("Ne giochi una e ne peschi una: restano dieci, finché c'è da pescare.")),
        ("10", _("Giusto: una giocata, una pescata. Poi si giocano le ultime dieci senza pescare.")),
        ("11", _("Una giocata e una pescata: dieci.")),
    ),
    1,
)

DECK = (
    "3d 7d Ac 2c 4b Rd Fc 5s 3s 6b Ad Cc 7s 2b 5d Rb 4c As Fd 6s 2d 3c Cb 7b 4s Rc 5b 6c Fs Ab 3b 7c 4d Cs 2s 5c Rs "
    "6d Fb Cd"
)
