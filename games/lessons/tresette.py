"""The lesson of Tresette, for two."""

from django.utils.translation import gettext_lazy as _

from games.lessons import trick_steps as shared
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, Task, WholeDeal

LEAD = Task(
    _("Uscire"),
    _(
        "Comincia chi siede alla destra di chi ha dato le carte, con la carta che vuole, e darà lui le prossime. Tu "
        "esci, cioè giochi per primo: gioca una carta che prende di sicuro, perché nel suo seme nessuna è più forte."
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
        "In due o in quattro a coppie, si gioca di solito a 21 punti, o a un certo numero di smazzate: si guarda a "
        "fine smazzata, e vince chi ne ha di più. Chi ha preso 17 terzi e l'ultima presa, quanti punti segna?"
    ),
    Layout(("", "4d")),
    (
        ("5", _("17 terzi fanno 5 punti e ne avanzano due, che si perdono. Manca il punto dell'ultima presa: 6.")),
        (
            "6",
            _(
                "Giusto: 17 terzi fanno 5, più l'ultima presa. Una partita che finisce pari è un pareggio; nei "
                "tornei a eliminazione (KO) decidono gli spareggi, o l'ultima presa se è a smazzate."
            ),
        ),
        ("17", _("I terzi vanno divisi per tre: 5, più uno per l'ultima presa, 6.")),
    ),
    1,
)

EXTRAS = Question(
    _("Quello che un tavolo può aggiungere"),
    _(
        "Accuso: nella prima mano, prima della tua carta, tre assi, tre 2 o tre 3 danno 3 punti, quattro uguali 4, e "
        "la napoletana, asso, 2 e 3 di un seme, 3. Vinco subito: chi ha appena preso e ha già i punti vince senza "
        "aspettare la fine. Dichiarazioni: chi esce può dire al compagno che cosa ha in quel seme. Quanti punti accusi?"
    ),
    Layout(("Ac 2c 3c Rd 7d 4b 5b Cb Fs 6s", "Ad 2d Fd 4c 5c 7b As 3s 7s 4s"), stock="5d 6c 7c 2b"),
    (
        ("0", _("C'è la napoletana di coppe: asso, 2 e 3. Sono 3 punti.")),
        ("3", _("Giusto: la napoletana di coppe. Di solito la accusa il sistema; più accuse si sommano.")),
        ("4", _("Quattro uguali non ne hai. Hai la napoletana di coppe: 3 punti.")),
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
        EXTRAS,
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
