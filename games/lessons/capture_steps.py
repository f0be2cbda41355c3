"""Steps that the lessons of all games of the Scopa family share: values, taking, what scores. Two players' tables."""

from django.utils.translation import gettext_lazy as _

from games.lessons.steps import Layout, Question, Task

VALUES = Question(
    _("Quanto valgono le carte"),
    _(
        "Ci sono quaranta carte di quattro semi: denari, coppe, bastoni e spade. Le carte dal 2 al 7 valgono quanto "
        "dicono, l'asso vale 1, il fante (F) 8, il cavallo (C) 9 e il re (R) 10. Quanto vale il cavallo?"
    ),
    Layout(("Ad Fc Cb Rs", "2d 3d")),
    (
        ("8", _("8 è il fante. Dopo il fante viene il cavallo: 9.")),
        ("9", _("Giusto: fante 8, cavallo 9, re 10.")),
        ("10", _("10 è il re. Il cavallo viene prima: 9.")),
    ),
    1,
)

SAME_VALUE = Task(
    _("Prendere"),
    _(
        "Al tuo turno giochi una carta. Se in tavola ce n'è una dello stesso valore, la prendi. Prendi il 7 che è in "
        "tavola: tocca il tuo 7 una volta per alzarlo e un'altra per giocarlo."
    ),
    Layout(("7c Ab Fs", "2c 3c 4c"), "7d Rs 5b", stock="2s 3s 4s 6s Ac Rd"),
    _(
        "Preso! Le due carte vanno nel tuo mucchio. Il 7 di denari si chiama settebello: chi lo ha preso fa un punto "
        "a fine smazzata."
    ),
    ("play 7c x 7d",),
    _("Con questa carta non si prende il 7: per prenderlo ne serve uno uguale. Riprova."),
)

SUM = Task(
    _("Prendere con una somma"),
    _(
        "Se in tavola non c'è una carta dello stesso valore, puoi prenderne più d'una che sommate lo fanno. Il tuo "
        "fante vale 8: prendi le due carte che insieme fanno 8."
    ),
    Layout(("Fd 2b Ac", "7d 6d Cb"), "5c 3s Rb", stock="2s 3b 4s 6s 4d Rd"),
    _("Bene: 5 e 3 fanno 8. Con una carta sola ne hai prese due. Quando le somme possibili sono più d'una, scegli tu."),
    ("play Fd x 5c 3s",),
    _("Serve il fante, che vale 8: 5 e 3 fanno 8. Riprova."),
)

SINGLE_FIRST = Task(
    _("Prima la carta uguale"),
    _(
        "Se c'è una carta dello stesso valore si prende quella, e non la somma. E chi può prendere con la carta che "
        "gioca deve prendere. Gioca il 6."
    ),
    Layout(("6c", "7d Fd Cb"), "6b 4d 2s", stock="2d 3b 4s 6s 3d Rd"),
    _("Hai preso il 6. Il 4 e il 2, che insieme fanno pure 6, sono rimasti: c'era la carta uguale."),
    ("play 6c x 6b",),
    _("Gioca il 6."),
)

PUT_DOWN = Task(
    _("Quando non si prende"),
    _(
        "Se con nessuna carta puoi prendere, ne lasci una in tavola, e gli altri potranno prenderla. Qui non puoi "
        "prendere niente: lascia una carta che non sia il 7 di denari."
    ),
    Layout(("7d Fc Rb", "3d 5d 6d"), "Cs", stock="2d 3b 4s 6s 4d Rd"),
    _("Ben fatto: il settebello resta in mano tua, e lo giocherai quando può prendere."),
    ("play Fc", "play Rb"),
    _("Così lasci il settebello a chi ha un 7: è la carta che vale di più. Riprova con un'altra."),
)

SCOPA = Task(
    _("La scopa"),
    _(
        "Chi prende tutte le carte in tavola fa scopa: un punto subito, e chi gioca dopo trova il tavolo vuoto. "
        "Prendi tutto con una carta sola."
    ),
    Layout(("Cc 4d Fs", "3d 5d 6d"), "4s 3c 2b", stock="2d 3b 7s 6s Ac Rd"),
    _("Scopa! 4, 3 e 2 fanno 9, come il cavallo. Solo con l'ultima carta della smazzata la scopa non vale."),
    ("play Cc x 3c 2b 4s",),
    _("Con questa resta qualcosa in tavola. Quanto fanno 4, 3 e 2? Riprova."),
)

PRIZES = Task(
    _("La conta"),
    _(
        "A fine smazzata si contano quattro punti: il settebello, i denari (chi ne ha di più), le carte (chi ne ha "
        "di più) e la primiera. Chi ha preso per ultimo prende anche quello che resta in tavola. Gioca l'ultima "
        "carta e guarda la conta."
    ),
    Layout(
        ("3c", ""),
        "3s Fb",
        taken=(
            "7d Ad 2d 4d 5d 6d 7c 7b Ac 2c 4c 5c 6c Ab 2b 4b 5b 6b Fs Cs",
            "3d Fd Cd Rd Fc Cc Rc 3b Cb Rb As 2s 4s 5s 6s 7s Rs",
        ),
    ),
    _(
        "Con 10 denari in tutto ne servono 6, con 40 carte 21: a 5 o a 20 pari il punto non è di nessuno. Le scope si "
        "aggiungono."
    ),
    ("play 3c x 3s",),
    _("Gioca il 3."),
)

PRIMIERA = Question(
    _("La primiera"),
    _(
        "Per la primiera contano la carta migliore che hai preso di ogni seme e il suo valore speciale: il 7 vale "
        "21, il 6 18, l'asso 16, il 5 15, il 4 14, il 3 13, il 2 12, le figure 10. Chi somma di più fa il punto. "
        "Quale carta conviene prendere, se le altre sono uguali?"
    ),
    Layout(("Ac 6b 7s Rd", "2d 3d")),
    (
        (_("il re"), _("In primiera le figure valgono solo 10. La migliore è il 7, che vale 21.")),
        (
            _("il 7"),
            _(
                "Giusto: 21. Dopo vengono il 6 con 18 e l'asso con 16. Chi non ha preso carte di tutti e quattro i "
                "semi non può fare il punto, e in parità non lo fa nessuno."
            ),
        ),
        (_("l'asso"), _("L'asso è buono, 16, ma il 7 vale 21.")),
    ),
    1,
)
