"""Actions that a tournament's page offers its reader, as data: the template draws them all alike. The services decide
again what is allowed."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from players.caps import MAX_HOUSE_ENTRIES
from tournaments.core.rows import TournamentPage
from tournaments.core.states import ENTERING, UNDER_WAY, UNDRAWN
from tournaments.formats import FORMATS
from tournaments.models import Fixture, Tournament

State = Tournament.State
RARE = frozenset({"edit", "edit_texts", "hall", "transfer", "clone", "repeat", "cancel"})


@dataclass(frozen=True, slots=True)
class PageAction:
    """Link, or button that posts."""

    code: str
    label: str
    url: str
    posts: bool = False
    style: str = "button-plain"
    fields: tuple[tuple[str, str], ...] = ()
    count: int = 0  # shown behind the label; 0: none
    note: str = ""

    @property
    def is_rare(self) -> bool:
        """Tell whether an evening does without it: it stands apart, smaller."""
        return self.code in RARE


def list_viewer_actions(page: TournamentPage) -> tuple[PageAction, ...]:
    """Return what a reader who is entered may do now: play again, withdraw (R5), leave before the draw."""
    tournament, viewer = page.header.tournament, page.viewer
    own = viewer.own
    at_work = viewer.my_table is not None or viewer.next_fixture is not None
    actions = []
    if tournament.standing_offer and own and not at_work and not page.header.takes_entries:
        actions.append(make_play_again(tournament))
    if tournament.state == State.RUNNING and own and not own.withdrawn and (not page.header.is_bracket or at_work):
        actions.append(PageAction("withdraw", _("Ritirati dal torneo"), _address("withdraw", tournament)))
    if own and not own.withdrawn and FORMATS[tournament.format].keeps_rounds and tournament.state in UNDER_WAY:
        actions.append(PageAction("bye", _("Riposo o assenza"), _address("bye", tournament)))
    if viewer.late_round is not None and not page.viewer.is_organiser:
        label = _("Arrivi adesso? Chiedi di entrare dal turno %(n)d") % {"n": viewer.late_round}
        actions.append(PageAction("late", label, _address("late", tournament)))
    if viewer.can_leave:
        actions.append(PageAction("leave", _("Ritirati"), _address("leave", tournament), True))
    return tuple(actions)


def make_play_again(tournament: Tournament) -> PageAction:
    """Return the way into another tournament on offer, for whoever is done in this one."""
    pair = () if tournament.entry_kind.sits_alone else (("coppia", "1"),)
    return PageAction("play_again", _("Gioca ancora"), reverse("play-offer"), True, "", pair)


def list_organiser_actions(page: TournamentPage) -> tuple[PageAction, ...]:
    """Return what whoever runs the tournament may do now (E2); nothing for everybody else."""
    if not page.viewer.is_organiser:
        return ()
    tournament, header = page.header.tournament, page.header
    if tournament.lent_to:
        return (PageAction("transfer", _("Richiama il torneo"), _address("transfer", tournament)),)
    undrawn = tournament.state in UNDRAWN
    waits_for_results = tournament.venue.types_results and _has_fixture_to_play(page)
    waits_for_names = undrawn and tournament.venue.enters_names and header.total < tournament.min_entries
    actions = []
    if tournament.state == State.DRAFT:
        starts = _("Il torneo è al completo: comincia appena lo pubblichi.")
        note = starts if header.full and not (tournament.starts_at or tournament.publishes_rounds) else ""
        url = _address("publish", tournament)
        actions.append(PageAction("publish", _("Apri le iscrizioni"), url, True, "", note=note))
    room = MAX_HOUSE_ENTRIES - (header.total - header.people)
    if header.takes_entries and tournament.house_allowed and not header.full and room > 0:
        free = tournament.max_entries - header.total - header.held
        note = _("La casa riempie al massimo %(limit)d posti liberi.") % {"limit": room} if free > room else ""
        actions.append(PageAction("fill", _("Riempi con la casa"), _address("house", tournament), True, note=note))
    if undrawn:
        asking = len(page.entries.applicants)
        style = "" if waits_for_names else "button-plain"
        url = _address("entries", tournament)
        actions.append(PageAction("manage", _("Gestisci gli iscritti"), url, style=style, count=asking))
        if tournament.takes_places:
            actions.append(PageAction("seeds", _("Teste di serie"), _address("seeds", tournament)))
        actions.append(PageAction("edit", _("Modifica"), _address("edit", tournament)))
    draws = FORMATS[tournament.format].keeps_rounds
    stuck = tournament.stuck_round
    if (tournament.publishes_rounds or draws) and (tournament.state in (*ENTERING, State.RUNNING) or stuck):
        label = _("Turni da pubblicare") if tournament.publishes_rounds else _("Riposi e divieti")
        note = _("Il turno %(n)d non si può abbinare: come si va avanti lo decidi tu.") % {"n": stuck} if stuck else ""
        due = tournament.publishes_rounds and not waits_for_names and not waits_for_results
        style = "" if due else "button-plain"
        url, count = _address("rounds", tournament), page.viewer.late_asked
        actions.append(PageAction("rounds", label, url, style="" if count else style, count=count, note=note))
    if tournament.names_line_ups and tournament.state in (*ENTERING, State.RUNNING):
        actions.append(PageAction("line_ups", _("Formazioni"), _address("line-ups", tournament)))
    if tournament.state == State.RUNNING:
        if tournament.venue.types_results:
            style = "" if waits_for_results else "button-plain"
            url = _address("results", tournament)
            actions.append(PageAction("results", _("Inserisci i risultati"), url, style=style))
            actions.append(PageAction("manage", _("Nomi e tavoli fissi"), _address("entries", tournament)))
        label = _("Modifica testi e ore") if tournament.has_hours else _("Modifica i testi")
        actions.append(PageAction("edit_texts", label, _address("edit", tournament)))
    if undrawn or tournament.state == State.RUNNING:
        actions.append(PageAction("hall", _("Rete e telefoni del locale"), _address("hall", tournament)))
    if tournament.state != State.CANCELLED:
        actions.append(PageAction("transfer", _("Porta su un altro computer"), _address("transfer", tournament)))
        actions.append(PageAction("fees", _("Quote e premi"), _address("fees", tournament)))
    if page.viewer.claims is not None:
        url, style = _address("claims", tournament), "" if page.viewer.claims else "button-plain"
        actions.append(PageAction("claims", _("Chi dice «sono io»"), url, style=style, count=page.viewer.claims))
    like = f"?da={tournament.public_id}"
    actions.append(PageAction("clone", _("Rifallo uguale"), reverse("tournament-new") + like))
    actions.append(PageAction("repeat", _("Ripeti ogni settimana"), reverse("series-new") + like))
    if tournament.state in (State.DRAFT, *ENTERING, State.RUNNING):
        cancel = _address("cancel", tournament)
        actions.append(PageAction("cancel", _("Annulla il torneo"), cancel, style="button-danger"))
    return tuple(actions)


def _has_fixture_to_play(page: TournamentPage) -> bool:
    part = page.schedule.part
    rounds = page.schedule.rounds if part is None else (part.turn,)
    return any(fixture.state == Fixture.State.READY for row in rounds for fixture in row.fixtures)


def _address(act: str, tournament: Tournament) -> str:
    return reverse(f"tournament-{act}", args=[tournament.public_id])
