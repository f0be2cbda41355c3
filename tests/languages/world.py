"""A house with everything in it: tournaments in every state, tables waited at, played and finished, pairs asked."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from games.chips import actions as chips
from games.engine.game import Length
from games.lobby import actions
from games.models import Match, Report
from players.models import Person, Player
from players.services import fixed_pairs
from players.services.blocks import block_player
from tests.support import play as running
from tests.support.entries import find_invitation
from tests.support.equal import EQUAL, EQUAL_DANESE
from tests.support.fours import TWOS, TWOS_DANESE, enter_team
from tests.support.people import create_person
from tests.support.push import add_browser
from tests.support.real_tables import draw_present, type_names, type_teams
from tests.support.tables import play
from tests.support.tournaments import GIRONE, KO, PAIRS
from tournaments.circuits import actions as circuit_actions
from tournaments.circuits.actions import CircuitTerms
from tournaments.circuits.totals import count_circuit
from tournaments.clubs import actions as clubs
from tournaments.desk import clocks, results
from tournaments.desk.act import Act
from tournaments.entries import checkin, invitations, join, team_entry
from tournaments.entries.fixed_tables import fix_table
from tournaments.entries.house import enter_house_players
from tournaments.entries.import_list import add_names
from tournaments.entries.pairs import enter_pair
from tournaments.equal.prepared_decks import open_decks
from tournaments.lists.spreadsheet import Row
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import (
    Circuit,
    Club,
    Entry,
    Fixture,
    PlayInvitation,
    Register,
    Series,
    Tournament,
    Webhook,
    WebhookDelivery,
)
from tournaments.organise import lifecycle, referees
from tournaments.organise.settings import Settings
from tournaments.own_names import claims
from tournaments.own_names.self_entry import enter_by_name
from tournaments.register.cards import CardValues, add_card
from tournaments.register.imports import DraftRow, stage_list
from tournaments.rounds import drafts
from tournaments.rounds.late_requests import ask_to_enter_late
from tournaments.running import start
from tournaments.series import actions as series_actions
from tournaments.series.actions import Weekly
from tournaments.venues import HALL
from tournaments.webhooks import actions as webhooks

OWN_KEY = "k" * 22  # of a pair at real tables that has entered by itself
LATE_KEY = "t" * 22  # of whoever asks to come late


@dataclass(frozen=True, slots=True)
class House:
    """Its people: Teresa organises everything, the four play."""

    teresa: Player
    four: list[Player]
    draft: Tournament
    pairs: Tournament  # open; Anna asks Bruno, Carla has a link
    seeded: Tournament  # open; the organiser orders the seeds, and has drawn the first round as a draft
    timed: Tournament  # open, for members only
    live: Tournament  # running, with one table waiting and one being played; the referee was called and has ruled
    asked: Tournament  # open where entries are approved; one waits for an answer
    ruled: Tournament  # groups then a bracket, running, with the log of every kind of ruling
    club: Club  # Teresa administers it, Anna is a member, Bruno is invited, Dino asks
    series: Series
    irma: Player  # invited to ``asked``; takes no invitation of Olga any more
    webhook: Webhook  # Teresa's: tried, resting after a failure, its secret just changed

    def names(self) -> set[str]:
        """Return all names of people, tournaments, clubs and series, initials beside people's names, and what was
        typed."""
        called = Player.objects.values_list("name", flat=True)
        people = Person.objects.exclude(typed_name="")
        called = [*called, *(name for person in people for name in (person.typed_name, person.public_name))]
        typed = [name for model in (Tournament, Club, Circuit) for name in model.objects.values_list("name", flat=True)]
        typed += [settings["name"] for settings in Series.objects.values_list("settings", flat=True)]
        typed += Tournament.objects.values_list("join_code", flat=True)
        typed += Entry.objects.values_list("team_name", flat=True)
        typed += PlayInvitation.objects.values_list("team_name", flat=True)
        typed += [str(person) for person in Person.objects.filter(player=None)]
        typed += [text for row in Webhook.objects.values_list("url", "secret", "public_id") for text in row]
        typed += WebhookDelivery.objects.values_list("event_id", flat=True)
        return {*called, *(name[0] for name in called), *typed}


def ended(tournament: Tournament, now: datetime, whole: int) -> None:
    """Bring it to its end: the last ``whole`` matches played to the last card, those before given up at once."""
    left = Fixture.objects.filter(round__tournament=tournament, state__in=("waiting", "ready", "playing"))
    while left.exists():
        now += running.OPENING
        matches = running.open_ready(tournament, now)
        assert matches, "running, and no table opens"
        for match in matches:
            if left.count() <= whole:
                now = running.play(match, now)
            else:
                running.abandon(match, 0, now)


def make_webhook(owner: Player, now: datetime) -> Webhook:
    """A webhook whose log has every outcome; nothing was really sent."""
    webhook = webhooks.create_webhook(owner=owner, url="https://93.184.215.14/", now=now)
    webhooks.change_secret(webhook_id=webhook.pk, by=owner, now=now)
    for _number in range(4):
        webhooks.try_webhook(webhook_id=webhook.pk, by=owner, now=now)
    _waiting, failing, delivered, lost = webhook.deliveries.order_by("pk")
    later = now + timedelta(minutes=2)
    for delivery, values in (
        (failing, {"attempts": 2, "status": 500, "due_at": later}),
        (delivered, {"attempts": 1, "status": 200, "due_at": None, "delivered_at": now}),
        (lost, {"attempts": 9, "error": "too_late", "due_at": None}),
    ):
        WebhookDelivery.objects.filter(pk=delivery.pk).update(**values)
    Webhook.objects.filter(pk=webhook.pk).update(failures=2, failing_since=now, rests_until=later)
    return webhook


def pair_up(anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    """A fixed pair for which a name is proposed, and an invitation that waits for its answer."""
    pair = fixed_pairs.invite_to_pair(player=anna, other=bruno, now=now)
    fixed_pairs.answer_pair(public_id=pair.public_id, player=bruno, accepts=True, now=now)
    for player, name in ((anna, "Coppa"), (bruno, "Coppa"), (bruno, "Bo")):
        fixed_pairs.name_pair(public_id=pair.public_id, player=player, name=name)
    fixed_pairs.invite_to_pair(player=carla, other=bruno, now=now)


def rule(tournament: Tournament, referee: Player, now: datetime) -> None:
    """Every kind of ruling, one after another, on a tournament of two groups of two that has just been drawn."""
    now += running.OPENING
    act = Act(by=referee, reason="Coppa", now=now)
    running.open_ready(tournament, now)
    first, second = Fixture.objects.filter(round__tournament=tournament, state="playing").order_by("pk")
    own, other = (
        {"tournament_id": tournament.pk, "fixture_id": first.pk},
        {"tournament_id": tournament.pk, "fixture_id": second.pk},
    )
    clocks.hold_clocks(**own, act=act)
    clocks.resume_clocks(**own, act=act)
    results.set_result(**own, decision=results.Decision(points=(8, 3), winner=0), act=act)
    results.annul_result(**own, act=act)
    results.order_replay(**own, act=act)
    results.declare_forfeit(**other, lines=(1,), act=act)


def claim_names(tournament: Tournament, organiser: Player, players: list[Player], now: datetime) -> None:
    """Claims of these players to be the first entries, of every state: accepted, refused, waiting."""
    entries = list(tournament.entries.order_by("pk"))[: len(players)]
    for player, entry in zip(players, entries, strict=True):
        player.user.emailaddress_set.create(email=f"{player.public_id}@example.org", verified=True, primary=False)
        person = entry.members.get().person_id
        claims.claim_name(tournament_id=tournament.pk, player=player, person_id=person, now=now)
        player.user.emailaddress_set.all().delete()
    known, refused, _waiting = tournament.name_claims.order_by("pk")
    answer: Any = {"tournament_id": tournament.pk, "by": organiser, "now": now}
    claims.answer_claim(claim_id=known.pk, yes=True, reason="", **answer)
    claims.answer_claim(claim_id=refused.pk, yes=False, reason="Coppa", **answer)


def make_season(organiser: Player, club: Club, now: datetime) -> None:
    """A circuit of the club with tournaments that are over and some to come, two names to link, and a tie."""
    circuit = circuit_actions.create_circuit(
        by=organiser,
        terms=CircuitTerms(
            "Circuito Uno", "Circuito **Uno**", club.public_id, "places", places=(9, 9), taking_part=9, best_of=1
        ),
        now=now,
    )
    own = Tournament.objects.filter(organiser=organiser).exclude(state="cancelled").order_by("pk")
    chosen = [*own.filter(state="finished")[:3], *own.filter(venue=HALL)[:2], *own.filter(state="open")[:1]]
    ids = {tournament.public_id for tournament in chosen}
    circuit_actions.add_tournaments(circuit_id=circuit.pk, by=organiser, tournaments=ids, now=now)
    count_circuit(circuit_id=circuit.pk, now=now)


def furnish(now: datetime) -> House:
    """All of it, through the services; takes a few seconds."""
    teresa = create_person("Teresa", now)
    four = [create_person(name, now) for name in ("Anna", "Bruno", "Carla", "Dino")]
    anna, bruno, carla, dino = four

    def made(base: Settings, name: str, by: Player = teresa, **changed: object) -> Tournament:
        known = {field: getattr(base, field) for field in Settings.__slots__}
        return lifecycle.create_tournament(
            organiser=by, settings=Settings(**{**known, "name": name, **changed}), now=now
        )

    def opened(base: Settings, name: str, by: Player = teresa, **changed: object) -> Tournament:
        return lifecycle.publish_tournament(tournament_id=made(base, name, by, **changed).pk, by=by, now=now)

    def joined(tournament: Tournament, players: list[Player]) -> Tournament:
        for player in players:
            join.enter_player(tournament_id=tournament.pk, player=player, now=now)
        tournament.refresh_from_db()
        return tournament

    add_browser(anna, "https://push.example.org/anna", now)
    draft = made(KO, "Bozza Uno")

    # Finished: a bracket whose final is played to the last card, round robins with the house, and with absent players.
    bracket = joined(opened(KO, "Coppa Due", format_options={"third_place": True}), four)
    ended(bracket, now, whole=2)
    mixed = joined(opened(GIRONE, "Coppa Tre", max_entries=3, house_allowed=True), [anna, bruno])
    enter_house_players(tournament_id=mixed.pk, count=1, now=now)
    ended(mixed, now, whole=1)
    absent = joined(opened(GIRONE, "Coppa Quattro", max_entries=2), [carla, dino])
    for match in running.open_ready(absent, now + running.OPENING):
        running.nobody_comes(match)

    equal = joined(opened(EQUAL_DANESE, "Coppa Uguale", format_options={"rounds": 1}, tie_break="percentuale"), four)
    for match in running.open_ready(equal, now + running.OPENING):
        running.play(match, now + running.OPENING)

    fours = opened(TWOS, "Coppa Squadrata", max_entries=2)
    enter_team(fours, "Gufi", four[:2], now)
    enter_team(fours, "Tassi", four[2:], now)
    for match in running.open_ready(fours, now + running.OPENING):
        running.play(match, now + running.OPENING)
    teams = opened(TWOS_DANESE, "Coppa Squadrata Aperta", house_allowed=True)
    row = Row(1, anna.name, dino.name, team="Gatti")
    team_entry.ask_team(tournament_id=teams.pk, player=anna, row=row, now=now)

    cancelled = joined(opened(KO, "Coppa Cinque"), [anna])
    lifecycle.cancel_tournament(tournament_id=cancelled.pk, by=teresa, reason="Coppa Cinque", now=now)
    too_few = opened(KO, "Coppa Sei", starts_at=now + timedelta(minutes=5))
    start.start_due(tournament_id=too_few.pk, now=now + timedelta(minutes=6))

    # Open.
    opened(KO, "Coppa Sette", house_allowed=True)
    timed = joined(opened(KO, "Coppa Otto", starts_at=now + timedelta(days=3), guests_allowed=False), [dino])
    pairs = opened(PAIRS, "Coppa Nove", house_allowed=True, tie_break="club", format_options={"double": True})
    enter_pair(tournament_id=pairs.pk, player=anna, partner="Bruno", now=now)
    enter_pair(tournament_id=pairs.pk, player=carla, partner=None, now=now)
    options = {"third_place": True, "byes_by_lot": True}
    day = now + timedelta(days=2)
    own = {"seeding": "organiser", "publishes_rounds": True}
    seeded = opened(KO, "Coppa Dieci", starts_at=day, format_options=options, **own)
    joined(seeded, [anna, dino])
    drafts.draw_round(tournament_id=seeded.pk, by=teresa, now=now)

    # A free table that waits, with a stake.
    for player in (teresa, anna):
        chips.show_chips(player=player, shown=True)
        chips.top_up(player=player, now=now - timedelta(days=1))
    actions.open_table(
        host=teresa,
        ruleset="tresette",
        players=4,
        length=Length("points", 21),
        options={"vinco_subito": True, "accuso": True, "dichiarazioni": True},
        turn_timeout=60,
        match_clock=None,
        public=True,
        now=now,
        stake=5,
    )

    # Running.
    live = joined(opened(KO, "Coppa Undici"), four)
    playing, _waiting = running.open_ready(live, now + running.OPENING)
    running.sit_down(playing, now + running.OPENING)
    for ply in range(4):
        play(playing, now + running.OPENING + timedelta(seconds=5 * (ply + 1)))
    seated = [seat.player for seat in playing.seats.all()]
    Report.objects.create(match=playing, reporter=seated[0], about=seated[1], reason=Report.Reason.CARDS, at=now)
    Report.objects.create(match=playing, reporter=seated[0], client_id="call", reason=Report.Reason.CALL, at=now)
    referees.name_referee(tournament_id=live.pk, by=teresa, name="Anna", now=now)

    # Entered in other ways; the check-in of one is open, its last place taken, and somebody waits.
    soon = joined(
        opened(KO, "Coppa Dodici", max_entries=2, starts_at=now + timedelta(minutes=20), checkin_minutes=30),
        [anna, bruno],
    )
    for player in (carla, dino):
        join.enter_player(tournament_id=soon.pk, player=player, wait=True, now=now)
    start.start_due(tournament_id=soon.pk, now=now)
    checkin.check_in(tournament_id=soon.pk, player=anna, now=now)
    olga = create_person("Olga", now)  # one person may have ten that haven't begun
    asked = opened(KO, "Coppa Tredici", registration="approval", description="Coppa **Tredici**")
    join.enter_player(tournament_id=asked.pk, player=anna, now=now)
    opened(KO, "Coppa Quattordici", olga, registration="code", join_code="COPPA14")
    for name, way in (("Coppa Quindici", "link"), ("Coppa Sedici", "list")):
        opened(KO, name, olga, registration=way, time_zone="America/New_York", starts_at=now + timedelta(days=2))

    club = clubs.create_club(by=teresa, name="Circolo Uno", description="Circolo *Uno*", now=now)
    for player in (anna, bruno):
        clubs.invite_to_club(club_id=club.pk, by=teresa, name=player.name, now=now)
    clubs.answer_club(club_id=club.pk, player=anna, accept=True, now=now)
    clubs.ask_to_join(club_id=club.pk, player=dino, now=now)
    opened(KO, "Coppa Diciassette", club_id=club.pk)
    card = CardValues(name="Ugo Zeta", number="7", birth_year=now.year - 9, contact="Zeta", level="3")
    register = add_card(register=Register(club=club), by=teresa, values=card, now=now).register
    stage_list(register=register, by=teresa, rows=[DraftRow(2, name="Ugo Zeta", birth_year="7")], now=now)
    known = {field: getattr(KO, field) for field in Settings.__slots__}
    series = series_actions.create_series(
        organiser=teresa,
        settings=Settings(**{**known, "name": "Serie Uno"}),
        weekly=Weekly(weekday=3, hour=time(21), days_ahead=3),
        now=now,
    )

    others = [create_person(name, now) for name in ("Elena", "Fabio", "Gino", "Irma")]  # the four are at their tables
    ruled = joined(
        opened(GIRONE, "Coppa Diciotto", format="gironi", min_entries=4, format_options={"groups": 2, "qualify": 1}),
        others,
    )
    rule(ruled, teresa, now)
    joined(opened(GIRONE, "Coppa Diciannove", format="danese", min_entries=4, format_options={"rounds": 3}), four)
    hall = opened(PAIRS, "Coppa Sala", venue=HALL, max_entries=16)
    type_names(hall, [("Ugo", "Ugo Bo"), ("Pia", "Rita")], now)
    themselves = {"own_key": OWN_KEY, "address": "192.0.2.1", "now": now, "player": None}
    enter_by_name(
        tournament_id=hall.pk, people=(TypedPerson("Ugo"), TypedPerson("Lia", minor=True)), another=True, **themselves
    )
    playing = opened(GIRONE, "Coppa Tavoli", venue=HALL, max_entries=16, hall_tables=1)
    type_names(playing, ["Ugo", "Pia", "Rita"], now)
    type_names(playing, ["Ugo"], now, another=True)
    entry = playing.entries.order_by("pk")[0]
    fix_table(tournament_id=playing.pk, by=teresa, entry_id=entry.pk, table=1, now=now)
    draw_present(playing, now)
    for name in ("Coppa Mazzi", "Coppa Mazzieri"):
        prepared = opened(EQUAL, name, venue=HALL, max_entries=4)
        type_names(prepared, ["Ugo", "Pia", "Rita", "Ivo"], now)
        draw_present(prepared, now)
    open_decks(tournament_id=prepared.pk, number=1, by=teresa, now=now)
    teams = opened(GIRONE, "Coppa Squadre", venue=HALL, max_entries=16, team_size=3)
    type_teams(teams, {"Leoni": ("Ugo", "Pia"), "Volpi": ("Rita", "Ugo")}, now)
    enter_by_name(tournament_id=teams.pk, team="Orsi", people=(TypedPerson("Lia"), TypedPerson("Ivo Bo")), **themselves)
    draw_present(teams, now)
    claim_names(playing, teresa, [bruno, dino, carla], now)
    late = opened(GIRONE, "Coppa Tardi", format="danese", venue=HALL, max_entries=16, format_options={"rounds": 4})
    type_names(late, ["Ugo", "Pia", "Rita"], now)
    enter_by_name(tournament_id=late.pk, people=(TypedPerson("Lia"),), **themselves)
    draw_present(late, now)
    latecomer: Any = {"tournament_id": late.pk, "address": "192.0.2.1", "now": now}
    ask_to_enter_late(player=bruno, people=(), own_key="", **latecomer)
    ask_to_enter_late(player=None, people=(TypedPerson("Ugo Bo"),), own_key=LATE_KEY, **latecomer)
    for name in ("Irma", "Gino"):
        add_names(tournament_id=asked.pk, by=teresa, row=Row(1, name), now=now)
    gino, irma = others[2:]
    refused = find_invitation(asked, gino)
    invitations.refuse_invitation(tournament_id=asked.pk, player=gino, invitation_id=refused.pk, now=now)
    block_player(player=irma, blocked=olga, now=now)
    pair_up(anna, bruno, carla, now)
    make_season(teresa, club, now)
    webhook = make_webhook(teresa, now)
    assert set(Match.objects.values_list("status", flat=True)) == set(Match.Status.values)
    assert set(Tournament.objects.values_list("state", flat=True)) == set(Tournament.State.values)
    return House(teresa, four, draft, pairs, seeded, timed, live, asked, ruled, club, series, irma, webhook)
