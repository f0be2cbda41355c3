"""The lesson of traditional Tressette, in pairs to 21 points."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from games.engine.game import Length
from games.lessons import trick_steps as shared
from games.lessons.seating import seat_four
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, Task, WholeDeal

PAIRS = Question(
    _("In quattro, a coppie"),
    _(
        "Le quaranta carte si danno tutte, dieci a testa. Il compagno siede di fronte, e i punti sono della coppia. "
        "Comincia chi siede alla destra di chi ha dato le carte, e darà lui le prossime. L'asso vale un punto, 3, 2 e "
        "figure un terzo: chi in mano ne ha meno di uno può chiedere, prima della prima carta, che si ridiano. Con un "
        "re e un fante soli puoi?"
    ),
    Layout(("Rd Fc 4b 5b 6b 7b 4s 5s 6s 7c", "Ad 2d 3d", "Ac 2c 3c", "As 2s 3s")),
    (
        (_("sì"), _("Giusto: un re e un fante sono due terzi, meno di un punto.")),
        (_("no"), _("Un re e un fante sono due terzi: meno di un punto, quindi puoi chiederlo.")),
    ),
    0,
)

PARTNER = Task(
    _("La presa del compagno"),
    _(
        "Il tuo compagno ha giocato il 3 di coppe, e sta facendo la presa: tu sei l'ultimo. Dagli la carta di coppe "
        "che vale di più."
    ),
    Layout(("Ac 6c 7d", "4d 5d 6d", "4b 5b 6b", "4s 5s 6s"), "4c 3c 5c"),
    _("L'asso è un punto intero, e resta nella coppia."),
    ("play Ac",),
    _("Si può, ma l'asso darebbe un punto intero alla coppia. Riprova."),
)

SIGNAL = Task(
    _("I segnali"),
    _(
        "Se si gioca con i segnali, chi esce può dirne uno insieme alla carta, dalla seconda mano in poi. Busso: "
        "gioca la tua più alta e torna a questo seme. Volo: è l'ultima che ho di questo seme. Striscio: ne ho altre. "
        "Esci con il 7 di bastoni, che è l'unico tuo, dicendo volo se vuoi."
    ),
    Layout(("7b Rc 3c", "4d 5d 2d", "2b Ab 4b", "Rb Cb Fb")),
    _("Il compagno ora sa che di bastoni non ne hai più. Il volo si può dire solo se è vero."),
    ("play 7b",),
    _("Esci con il 7 di bastoni."),
    ("1 play 5d", "2 play 2b", "3 play Fb"),
)

HONOURS = Question(
    _("Gli onori"),
    _(
        "A 31 o a 51 si gioca con gli onori. Chi ha tre assi, tre 2, tre 3 o la napoletana, asso, 2 e 3 di un seme, "
        "dice buon gioco prima della sua prima carta; dopo la prima mano accusa che cosa ha, e segna 3 punti "
        "subito, 4 se sono quattro uguali. Quanti ne segni qui?"
    ),
    Layout(("3d 3b 3s Ac 2c Rd 7d 4b 5b 6s", "Ad 2d", "2b Ab", "As 2s")),
    (
        ("0", _("Hai tre 3: sono 3 punti, se prima della tua carta dici buon gioco.")),
        ("3", _("Giusto: tre 3. Quando si accusano, si dice anche il seme che manca.")),
        ("4", _("Il 3 di coppe non ce l'hai: tre uguali sono 3 punti.")),
    ),
    1,
)

COUNT = replace(
    shared.COUNT,
    layout=Layout(
        ("3s", "6s", "7c", ""),
        "Rs",
        taken=(
            "Ad 2d 3d Ac 2c Rc Fb Cb 4d 5d 6d 7d 4c 5c 6c 4b",
            "Rd Cd Fd 3c Cc Fc 3b 2b Ab Rb 5b 7b As 2s Cs Fs 4s 5s 7s 6b",
        ),
    ),
    then=("1 play 6s", "2 play 7c"),
)

END = Question(
    _("Chi vince"),
    _(
        "I punti di ogni smazzata si sommano, fino a 21; con gli onori fino a 31 o a 51. Chi ha appena preso, se la "
        "sua coppia ci è arrivata, si chiama fuori e vince subito, anche se gli altri ne hanno di più: di solito lo fa "
        "il sistema. La tua coppia ha 20 punti e tu prendi un asso: che cosa succede?"
    ),
    Layout(("", "4d", "", "")),
    (
        (_("si continua"), _("Non serve: con 21 punti chi ha appena preso si chiama fuori.")),
        (
            _("abbiamo vinto"),
            _(
                "Giusto: con l'asso sono 21. Se nessuno si chiama fuori, a fine smazzata vince chi ha più punti; chi "
                "finisce a pari pareggia, e nei tornei a eliminazione (KO) si fa uno spareggio."
            ),
        ),
        (_("chi ne ha di più"), _("Chi si chiama fuori vince anche se gli altri ne hanno di più.")),
    ),
    1,
)

STAKES = Question(
    _("Per che cosa si gioca"),
    _(
        "Una partita vinta vale una posta, cioè quello che ci si è giocati. Chi fa tutte e dieci le prese vince "
        "comunque, e ne vale due: è il cappotto. Chi prende tutti i punti delle carte, ma lascia una presa agli altri, "
        "vince tre poste: è lo stramazzo. La tua coppia ha fatto tutte le prese: quanto vale?"
    ),
    Layout(("", "4d", "", "")),
    (
        (_("1 posta"), _("Una è la vittoria di sempre. Con tutte le prese è cappotto: due.")),
        (
            _("2 poste"),
            _(
                "Giusto: è il cappotto. Se le prese le ha fatte uno solo dei due è il cappottone, e ne vale sei; lo "
                "stramazzo di uno solo, lo stramazzone, otto."
            ),
        ),
        (_("3 poste"), _("Tre sono dello stramazzo, quando agli altri resta una presa. Qui è cappotto: due.")),
    ),
    1,
)

TAKE = replace(
    seat_four(shared.TAKE, "4b 5b 6b", "7d 6d 5d"),
    well=_("L'asso batte il re, e nessuno ha giocato il 3 o il 2 di spade: la presa è della tua coppia, ed esci tu."),
    then=("1 play 6s", "2 play 4b"),
)

LESSON = Lesson(
    "tressette-classico",
    "Ac",
    (
        seat_four(shared.ORDER, "6c 7c", "4b 5b"),
        PAIRS,
        seat_four(shared.FOLLOW, "4d 5d 6d", "4b 5b 6b"),
        TAKE,
        seat_four(shared.DISCARD, "4d 5d 6d", "4b 6b 4s"),
        PARTNER,
        seat_four(shared.THIRDS, "6d 7d", "4b 5b"),
        SIGNAL,
        COUNT,
        HONOURS,
        END,
        STAKES,
        WholeDeal(
            DEAL_TITLE,
            DEAL_TEXT,
            shared.DECK,
            3,
            _("La smazzata è finita. Ora sai giocare a tressette: prova una partita vera, o allenati contro la casa."),
        ),
    ),
    (_("Tu"), _("Zio Nello"), _("Nonna Pina"), _("Zia Rosa")),
    Length("points", 21),
    {"segnali": "tre"},
)
