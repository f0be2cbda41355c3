"""Levels in tournaments: seeds by them (K1), and the range that one admits (L7)."""

from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from players.models import Player
from scoring.models import Level
from tests.games import naive_shuffling
from tests.support.people import create_person, sign_in
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments.core.draw_secret import make_scope, read_draw_secret
from tournaments.entries import join, pairs
from tournaments.entries.level_admission import order_by_level
from tournaments.models import Entry, Tournament
from tournaments.organise.settings import Settings, check_settings, drop_inapplicable, read_settings
from tournaments.running.start import draw_lots, start_due
from tournaments.venues import HALL

pytestmark = [pytest.mark.django_db, pytest.mark.rule("L7")]


def give_level(player: Player, value: int, now: datetime, form: str = "alone", ruleset: str = "scopa") -> None:
    """Give a player a level that is shown as this number."""
    mu = 25 + (value - 1500) / 60
    Level.objects.create(player=player, ruleset=ruleset, form=form, mu=mu, sigma=3, matches=20, rated_at=now)


def enter(tournament: Tournament, player: Player, now: datetime) -> Entry:
    return join.enter_player(tournament_id=tournament.pk, player=player, now=now)


@pytest.mark.rule("K1")
def test_seeds_go_by_level_and_who_has_none_comes_after_1500(opened: Opened, four: list[Player], now: datetime) -> None:
    anna, bruno, carla, dino = four
    for player, value in ((anna, 1400), (bruno, 1500), (dino, 1710)):
        give_level(player, value, now)
    give_level(carla, 1900, now, form="pairs")  # it is another one
    tournament = opened(seeding="levels", max_entries=4)
    for player in (carla, anna, bruno, dino):
        enter(tournament, player, now)
    start_due(tournament_id=tournament.pk, now=now)
    seeds = {entry.members.get().person.name: entry.seed for entry in Entry.objects.filter(tournament=tournament)}
    assert seeds == {"Dino": 1, "Bruno": 2, "Carla": 3, "Anna": 4}


@pytest.mark.rule("K1", "J3a")
def test_equals_stand_as_the_lot_draws_them(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(seeding="levels", max_entries=8)
    give_level(four[3], 1710, now)
    ids = [enter(tournament, player, now).pk for player in four]
    secret = read_draw_secret(tournament)
    assert secret is not None
    orders = set()
    for number in range(1, 7):
        drawn = [ids[place - 1] for place in naive_shuffling.seeds(secret, make_scope(tournament), number, 4)]
        draw = draw_lots(tournament, ids, now)
        assert list(draw.order) == [ids[3], *(pk for pk in drawn if pk != ids[3])]
        orders.add(draw.order)
    assert len(orders) > 1


@pytest.mark.rule("K1")
def test_a_pair_is_seeded_by_its_mean(opened: Opened, four: list[Player], now: datetime) -> None:
    anna, bruno, carla, dino = four
    for player, value in ((anna, 1700), (bruno, 1300), (carla, 1600)):
        give_level(player, value, now, form="pairs", ruleset=PAIRS.ruleset)
    tournament = opened(PAIRS, seeding="levels", max_entries=4)
    ids = []
    for first, second in ((anna, bruno), (carla, dino)):
        entry = pairs.enter_pair(tournament_id=tournament.pk, player=first, partner=second.name, now=now)
        pairs.confirm_pair(tournament_id=tournament.pk, player=second, entry_id=entry.pk, now=now)
        ids.append(entry.pk)
    assert order_by_level(tournament, ids) == [ids[1], ids[0]]  # 1550 before 1500


def test_who_is_outside_the_range_is_told_so_and_the_page_says_the_range(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, _dino = four
    give_level(anna, 1399, now)
    give_level(bruno, 1400, now)
    tournament = opened(level_min=1400, level_max=1500)
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=anna, now=now) == "level_outside"
    enter(tournament, bruno, now)
    enter(tournament, carla, now)  # who has none counts as 1500
    page = sign_in(anna).get(reverse("tournament", args=[tournament.public_id]))
    assert page.context["page"].viewer.join_refusal == "level_outside"
    assert 'data-note="levels_admitted"' in page.content.decode()


def test_a_level_that_changes_afterwards_changes_nothing(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(level_max=1500, max_entries=4, min_entries=2)
    entry = enter(tournament, four[0], now)
    give_level(four[0], 1900, now + timedelta(minutes=1))
    assert tournament.entries.in_place().filter(pk=entry.pk).exists()


def test_a_pair_is_held_against_the_range_when_it_is_complete(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, _dino = four
    for player, value in ((anna, 1900), (bruno, 1900), (carla, 1100)):
        give_level(player, value, now, form="pairs", ruleset=PAIRS.ruleset)
    tournament = opened(PAIRS, level_max=1600)
    entry = pairs.enter_pair(tournament_id=tournament.pk, player=anna, partner=bruno.name, now=now)
    asked = {"tournament_id": tournament.pk, "player": bruno, "entry_id": entry.pk, "now": now}
    assert catch_code(pairs.confirm_pair, **asked) == "pair_level_outside"
    pairs.invite_partner(tournament_id=tournament.pk, player=anna, partner=carla.name, now=now)
    pairs.confirm_pair(tournament_id=tournament.pk, player=carla, entry_id=entry.pk, now=now)
    entry.refresh_from_db()
    assert entry.confirmed


@pytest.mark.parametrize(("low", "high"), [(1600, 1500), (None, 3001), (-1, None)])
def test_a_range_that_cannot_be_is_refused(opened: Opened, low: int | None, high: int | None) -> None:
    assert catch_code(opened, level_min=low, level_max=high) == "levels_range"


def test_at_real_tables_levels_mean_nothing(opened: Opened) -> None:
    settings = read_settings(opened(level_min=1400, seeding="levels"))
    values = {name: getattr(settings, name) for name in Settings.__slots__}
    real = drop_inapplicable(Settings(**{**values, "venue": HALL}))
    check_settings(real)
    assert (real.level_min, real.seeding) == (None, Tournament.Seeding.LOT)


def test_a_guest_counts_as_1500(opened: Opened, now: datetime) -> None:
    guest = create_person("Ospite", now)
    Player.objects.filter(pk=guest.pk).update(kind=Player.Kind.GUEST)
    guest.refresh_from_db()
    assert catch_code(join.enter_player, tournament_id=opened(level_min=1501).pk, player=guest, now=now) == (
        "level_outside"
    )
