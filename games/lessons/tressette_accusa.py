"""The lesson of Tressette with accusa, for two."""

from django.utils.translation import gettext_lazy as _

from games.engine.game import Length
from games.lessons import trick_steps as shared
from games.lessons.steps import DEAL_TEXT, DEAL_TITLE, Layout, Lesson, Question, Task, WholeDeal

OPEN = Question(
    _("Chi gioca per primo"),
    _(
        "Le carte si danno cinque alla volta, dieci a testa. In ogni smazzata esce, cioè gioca per primo, chi ha il 4 "
        "di denari, con la carta che vuole; se è fra quelle da pescare, chi siede alla destra di chi ha dato le carte, "
        "che darà le prossime. Hai il 4 di denari: che cosa puoi giocare?"
    ),
    Layout(("4d 3b Rb 2c", "4b 5c 6c 7c")),
    (
        (_("solo il 4 di denari"), _("Il 4 di denari dice chi comincia, ma la carta la scegli tu.")),
        (_("quello che voglio"), _("Giusto: tocca a te, con la carta che vuoi.")),
        (_("una carta di denari"), _("Chi esce sceglie anche il seme: qualunque carta.")),
    ),
    1,
)

CALL = Task(
    _("L'accusa"),
    _(
        "Nella prima mano, prima di giocare la tua carta, accusi le combinazioni che hai: tre assi, tre 2 o tre 3 "
        "valgono 3 punti, quattro uguali 4, e la napoli, cioè asso, 2 e 3 di un seme, 3. Accusa: il tasto è sopra le "
        "tue carte."
    ),
    Layout(("Ad Ac As 3d 7d 4b 5b Rc Fs 6c", "4d 5d 2d 3c 2c Rb Cb 7b 6s 5s"), stock="6d 4c 5c 7c Ab 2b 3b 4s"),
    _(
        "Tre assi: 3 punti. Più accuse si sommano. Dove l'accusa è obbligatoria, come di solito, la fa il sistema per "
        "tutti."
    ),
    ("accuso 3xA",),
    _("Prima di giocare si accusa."),
)

LOSE = Question(
    _("Il cappotto"),
    _(
        "I punti accusati si segnano a fine smazzata. Ma chi in una smazzata non fa nemmeno un punto perde le sue "
        "accuse, e l'altro segna 17 punti invece di 11. Hai accusato 3 punti e hai preso due terzi soli: quanti ne "
        "segni?"
    ),
    Layout(("", "4d")),
    (
        ("3", _("Due terzi non fanno un punto: sei a zero, e le accuse sono perse.")),
        ("0", _("Giusto: due terzi non sono un punto, e senza un punto le accuse si perdono. L'altro ne segna 17.")),
        ("17", _("17 li segna l'altro. Tu non hai fatto un punto, e perdi anche l'accusa: 0.")),
    ),
    1,
)

END = Question(
    _("Chi vince"),
    _(
        "Si gioca a 11, 21, 31 o 41 punti: in due, in quattro a coppie, o in tre, uno contro due, e chi è solo gioca "
        "anche le carte del morto, che vede lui solo. Si guarda a fine smazzata: al traguardo vince chi ne ha di più. "
        "A 21, tu ne hai 24 e l'altro 22: chi vince?"
    ),
    Layout(("", "4d")),
    (
        (
            _("io"),
            _(
                "Giusto: ci siete arrivati tutti e due, vince chi ne ha di più. Chi finisce a pari pareggia; nei "
                "tornei a eliminazione (KO) si fa uno spareggio."
            ),
        ),
        (_("chi è arrivato prima"), _("Non conta chi arriva prima durante la smazzata: si guarda alla fine.")),
        (_("nessuno dei due"), _("Il traguardo è raggiunto: vince chi ne ha di più, cioè tu.")),
    ),
    0,
)

LESSON = Lesson(
    "tressette-accusa",
    "4d",
    (
        shared.ORDER,
        OPEN,
        CALL,
        shared.FOLLOW,
        shared.TAKE,
        shared.DISCARD,
        shared.THIRDS,
        shared.DRAW,
        shared.COUNT,
        LOSE,
        END,
        WholeDeal(
            DEAL_TITLE,
            DEAL_TEXT,
            shared.DECK,
            1,
            _("La smazzata è finita. Ora sai giocare a tressette con l'accusa: prova una partita vera, o allenati."),
        ),
    ),
    (_("Tu"), _("Nonna Pina")),
    Length("points", 41),
)
