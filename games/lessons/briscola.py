"""The lesson of Briscola, for two."""

from django.utils.translation import gettext_lazy as _

from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, Task, WholeDeal

START = Question(
    _("Come si comincia"),
    _(
        "Ognuno riceve tre carte; poi se ne scopre una, che resta sotto il mazzo: il suo seme è la briscola. Comincia "
        "chi siede alla destra di chi ha dato le carte, e darà lui le prossime. Dopo ogni presa tutti pescano una "
        "carta, per primo chi ha preso. Qual è la briscola qui?"
    ),
    Layout(("7d Fc 2s", "Ad 2d 3d"), stock="4d 6d 2c 4c 6c 4s 5b", turned="5b"),
    (
        (
            _("bastoni"),
            _("Giusto: la carta scoperta è il 5 di bastoni. Non si scambia: la prende chi pesca per ultimo."),
        ),
        (_("denari"), _("Guarda la carta scoperta vicino al mazzo: è il 5 di bastoni.")),
        (_("coppe"), _("Guarda la carta scoperta vicino al mazzo: è il 5 di bastoni.")),
    ),
    0,
)

ORDER = Question(
    _("Quale carta prende"),
    _(
        "Ci sono quaranta carte di quattro semi: denari, coppe, bastoni e spade. In ogni seme la più forte è l'asso, "
        "poi vengono il 3, il re (R), il cavallo (C), il fante (F), e il 7, il 6, il 5, il 4 e il 2. Quale di queste è "
        "la più forte?"
    ),
    Layout(("3d Rd 7d", "2d 4c 5c"), stock="4d 6d 2c 6c 4s 5b", turned="5b"),
    (
        (_("il 3"), _("Giusto: più forte c'è solo l'asso.")),
        (_("il re"), _("Il re è terzo, dopo l'asso e il 3.")),
        (_("il 7"), _("Il 7 viene dopo le figure. La più forte qui è il 3.")),
    ),
    0,
)

TAKE = Task(
    _("Fare la presa"),
    _(
        "Ognuno gioca una carta, e non c'è obbligo di rispondere al seme. Prende la più alta del seme uscito, se "
        "nessuno gioca una briscola. È uscito il cavallo di coppe: prendi con una carta di coppe."
    ),
    Layout(("Rc 7s 2d", "Fd 6s 7b"), "Cc", stock="4d 6d 2c 4c 6c 2s 4s 5b", turned="5b"),
    _("Il re batte il cavallo. Chi prende gioca per primo la volta dopo."),
    ("play Rc",),
    _("Questa è di un altro seme e non è briscola: non prende. Riprova."),
)

TRUMP = Task(
    _("La briscola"),
    _(
        "Una briscola prende su ogni carta degli altri semi, e tra due briscole prende la più alta. È uscito l'asso "
        "di spade, che vale tanto: prendilo con la briscola più piccola."
    ),
    Layout(("2b Rb 7d", "Fd 6s 7b"), "As", stock="4d 6d 2c 4c 6c 2s 4s 5b", turned="5b"),
    _("Un 2 di briscola ha preso un asso. Il re di briscola serve ancora."),
    ("play 2b",),
    _("Prendi, ma con la briscola più piccola: il re vale punti e serve dopo. E il 7 non prende. Riprova."),
)

LET_GO = Task(
    _("Lasciare andare"),
    _(
        "Non sempre conviene prendere. È uscito un 4, che non vale niente: gioca una carta che non valga punti e che "
        "non sia una briscola."
    ),
    Layout(("Ac 6s 7b", "Fd 7s Rb"), "4d", stock="6d 2c 4c 6c 2s 4s 5b", turned="5b"),
    _("Il 6 non vale niente: l'altro prende zero punti, e tu tieni l'asso e la briscola."),
    ("play 6s",),
    _("Così regali punti, o sprechi una briscola per una presa che non vale niente. Riprova."),
)

POINTS = Question(
    _("I punti delle carte"),
    _(
        "L'asso vale 11 punti, il 3 ne vale 10, il re 4, il cavallo 3, il fante 2; le altre carte niente. In tutto "
        "sono 120. Quanto vale una presa con un 3 e un re?"
    ),
    Layout(("3c Rc 2d", "4d 5d 6d"), stock="7d 2c 4c 6c 2s 4s 5b", turned="5b"),
    (
        ("7", _("Il 3 non vale 3: vale 10. Con il re, che vale 4, sono 14.")),
        ("13", _("Il 3 vale 10 e il re 4: 14.")),
        ("14", _("Giusto: 10 del 3 e 4 del re.")),
    ),
    2,
)

COUNT = Task(
    _("La fine della smazzata"),
    _(
        "Finito il mazzo si giocano le ultime carte in mano, e si contano i punti presi. Con più di 60 su 120 si "
        "vince la smazzata; a 60 pari non la vince nessuno. Gioca l'ultima carta."
    ),
    Layout(
        ("Ab", ""),
        "3d",
        turned="5b",
        taken=(
            "Ad Rd Cd 2d 4d 5d Ac 6c 7c 2c 3c 4c 5b 2b 4b 6b 7b Fb",
            "Fd 6d 7d Rc Cc Fc 5c 3b Rb Cb As 2s 3s 4s 5s 6s 7s Fs Cs Rs",
        ),
    ),
    _("Ecco i punti, carta per carta, e a chi va la smazzata."),
    ("play Ab",),
    _("Gioca l'asso."),
)

END = Question(
    _("Chi vince"),
    _(
        "Ogni smazzata vinta vale un punto, e vince la partita chi ne ha di più dopo le smazzate decise prima, o chi "
        "arriva al numero deciso, di solito 3. Si gioca in due, o in quattro a coppie con il compagno di fronte. Con "
        "61 punti hai vinto la smazzata?"
    ),
    Layout(("", "4d"), turned="5b"),
    (
        (
            _("sì"),
            _(
                "Giusto: 61 è più della metà di 120. Una partita che finisce pari è un pareggio; nei "
                "tornei a eliminazione (KO) si fa uno spareggio."
            ),
        ),
        (_("no, ne servono 120"), _("120 sono tutti i punti: basta averne più della metà, cioè 61.")),
        (_("è pari"), _("Pari è 60 a 60. Con 61 hai vinto tu.")),
    ),
    0,
)

LESSON = Lesson(
    "briscola",
    "Ad",
    (
        START,
        ORDER,
        TAKE,
        TRUMP,
        LET_GO,
        POINTS,
        COUNT,
        END,
        WholeDeal(
            DEAL_TITLE,
            DEAL_TEXT,
            "Rd 4c 2b 7s 3d Fb 5b Ac 6s 2d Cc 7b 4d Rs 3c 5d Ab 2c 6d Fs 7c 3b Cd 4s Ad 5c 6b Rc 2s Fd 4b 3s 7d Cb "
            "6c As 5s Fc Rb Cs",
            1,
            _("La smazzata è finita. Ora sai giocare a briscola: prova una partita vera, o allenati contro la casa."),
        ),
    ),
    (_("Tu"), _("Nonna Pina")),
)
