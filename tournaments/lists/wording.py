"""Problems of a list of players in words: of the file, and of each row."""

from django.utils.translation import gettext as _


def describe_unreadable(code: str) -> str:
    """Return the sentence for a file that can't be read: the codes of ``tournaments.lists.spreadsheet``."""
    return {
        "too_big": _("Il file è troppo grande: un elenco può avere al massimo 1 MB."),
        "not_a_sheet": _("Questo file non si legge come un elenco. Salvalo come CSV, XLSX o ODS e riprova."),
        "old_excel": _("È un file di Excel di una volta (.xls): salvalo come XLSX o come CSV e riprova."),
        "too_many_rows": _("Il file ha troppe righe: un elenco ne ha al massimo 5000."),
        "no_player_column": _(
            "Una riga, sopra i nomi, deve dire che cosa c'è nelle colonne, e una deve chiamarsi «giocatore»."
        ),
        "no_name_column": _(
            "Una riga, sopra i nomi, deve dire che cosa c'è nelle colonne, e una deve chiamarsi «Nome», «Cognome», "
            "«Cognome e nome» o «Giocatore»."
        ),
        "no_team_column": _(
            "Una riga, sopra i nomi, deve dire che cosa c'è nelle colonne, e una deve chiamarsi «Squadra»."
        ),
        "column_twice": _("Due colonne hanno lo stesso significato: tienine una."),
        "no_rows": _("Nell'elenco non c'è nessuno."),
    }[code]


def describe_problem(code: str, typed: str, other: int) -> str:
    """Return the sentence for a row's problem: the codes of ``tournaments.lists.problems``."""
    values = {"typed": typed, "other": other}
    return {
        "player_missing": _("Manca il nome del giocatore."),
        "unknown_name": _("Qui nessuno si chiama «%(typed)s».") % values,
        "name_of_house": _("«%(typed)s» è un giocatore della casa: per loro c'è il pulsante apposta.") % values,
        "name_of_guest": _("«%(typed)s» è un ospite, e qui gioca solo chi ha un account.") % values,
        "twice": _("«%(typed)s» c'è già nella riga %(other)d.") % values,
        "in_already": _("«%(typed)s» è già fra gli iscritti, in lista d'attesa o in attesa di risposta.") % values,
        "invited_already": _("«%(typed)s» è già fra gli invitati, e non ha ancora risposto.") % values,
        "not_invitable": _("«%(typed)s» non si può invitare.") % values,
        "no_invitations": _("Troppi inviti senza risposta: adesso ne puoi mandare %(other)d.") % values,
        "partner_missing": _("Manca il compagno di «%(typed)s».") % values,
        "partner_unwanted": _("Qui non si gioca a coppie: «%(typed)s» non può essere un compagno.") % values,
        "same_person": _("«%(typed)s» è scritto due volte nella stessa coppia.") % values,
        "card_twice": _("La tessera %(typed)s è già nella riga %(other)d.") % values,
        "pair_missing": _("Manca il numero della coppia di «%(typed)s».") % values,
        "pair_size": _("La coppia %(typed)s è di %(other)d: dev'essere di due, ognuno nella sua riga.") % values,
        "team_missing": _("Manca il nome della squadra."),
        "team_in_already": _("Una squadra «%(typed)s» c'è già.") % values,
        "team_small": _("La squadra «%(typed)s» è troppo piccola: servono almeno %(other)d persone.") % values,
        "team_big": _("La squadra «%(typed)s» è troppo grande: può avere al massimo %(other)d persone.") % values,
        "same_in_team": _("«%(typed)s» è scritto due volte nella stessa squadra.") % values,
        "level_no_number": _("«%(typed)s» non è un livello: serve un numero.") % values,
        "namesake": _("C'è già «%(typed)s» scritto così: distinguili, per esempio con il circolo.") % values,
        "name_short": _("«%(typed)s» è troppo corto: un nome ha almeno 2 caratteri.") % values,
        "name_long": _("«%(typed)s» è troppo lungo: un nome ha al massimo 60 caratteri.") % values,
        "name_characters": _(
            "In «%(typed)s» c'è un segno che nei nomi non va: vanno lettere di ogni lingua, numeri, spazi, punti, "
            "trattini, apostrofi, virgolette, parentesi e «&»."
        )
        % values,
        "name_letters": _("«%(typed)s» non è un nome: servono almeno due lettere.") % values,
        "name_reserved": _("«%(typed)s» contiene una parola riservata alla casa: scrivi il nome in un altro modo.")
        % values,
        "no_room": _("Non c'è più posto: i posti liberi sono %(other)d.") % values,
        "seed_no_number": _("«%(typed)s» non è una testa di serie: serve un numero da 1 in su.") % values,
        "seed_twice": _("La testa di serie %(typed)s è già data nella riga %(other)d.") % values,
        "seeds_by_lot": _("In questo torneo le teste di serie si sorteggiano: lascia vuota la colonna."),
    }[code]


def name_column(about: str) -> str:
    """Return the name of the column that a row's problem is about, as it stands in a list."""
    return {
        "player": _("Nome"),
        "partner": _("Nome 2"),
        "card": _("Tessera"),
        "level": _("Livello"),
        "pair": _("Coppia"),
        "team": _("Squadra"),
        "people": _("Chi ne fa parte"),
        "seed": _("Testa di serie"),
    }[about]
