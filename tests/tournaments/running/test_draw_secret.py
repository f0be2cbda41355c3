"""Secret of a tournament's lots: committed to when entries open, drawn from, published with the end of it (J3a, J5)."""

import hashlib
import json
import logging
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.core.management import call_command
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games import shuffles
from games.models import Commitment
from games.sealing import unseal
from players.models import Player
from tests.games import naive_shuffling
from tests.support.entries import change_settings, enter_all
from tests.support.html import read_hooks, read_ways
from tests.support.pages import tournament_url
from tests.support.people import create_person
from tests.support.tournaments import GIRONE, KO, Opened
from tests.support.waiting import PATIENCE
from tournaments.core.draw_secret import read_drawn
from tournaments.entries.seeding import place_entries
from tournaments.models import Entry, LogEntry, Tournament
from tournaments.organise.lifecycle import cancel_tournament, edit_tournament
from tournaments.rounds import drafts
from tournaments.rounds.swaps import swap_entries
from tournaments.running.start import start_due
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db, pytest.mark.rule("J3a")]

CHECK = Path(__file__).resolve().parents[3] / "docs" / "examples" / "check_draw.mjs"
PUBLIC = ("tournament", "draw", "tournament-embed", "tournament-wall", "standings", "ranks")
DANESE = {"format": "danese", "format_options": {"rounds": 2}, "length_kind": "deals", "length_value": 1}
DAY = timedelta(days=1)


def find_commitment(tournament: Tournament) -> Commitment:
    return Commitment.objects.get(scope=f"{tournament.public_id}/draw")


def open_secret(tournament: Tournament) -> bytes:
    return unseal(find_commitment(tournament).sealed)


def list_ids(tournament: Tournament) -> list[int]:
    """The ids of the entries as they stand before a draw by lot."""
    return list(tournament.entries.in_place().order_by("pk").values_list("pk", flat=True))


def read_seeds(tournament: Tournament) -> list[int]:
    return list(tournament.entries.drawn().order_by("seed").values_list("pk", flat=True))


def start(tournament: Tournament, now: datetime) -> Tournament:
    start_due(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    return tournament


def draw_naively(secret: bytes, tournament: Tournament, ids: list[int], number: int = 1) -> list[int]:
    scope = f"{tournament.public_id}/draw"
    return [ids[place - 1] for place in naive_shuffling.seeds(secret, scope, number, len(ids))]


def draw(tournament: Tournament, now: datetime) -> drafts.RoundDraft:
    return drafts.draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)


def publish(tournament: Tournament, now: datetime) -> Tournament:
    drafts.publish_round(tournament_id=tournament.pk, number=1, by=tournament.organiser, now=now)
    tournament.refresh_from_db()
    return tournament


def read_check(tournament: Tournament) -> dict[str, object]:
    whole: dict[str, object] = json.loads(Client().get(tournament_url("draw-json", tournament)).content)
    return whole


def check_by_hand(tournament: Tournament) -> list[int]:
    """Draw a tournament's seeds again from its file alone, as docs/rules/fair-deals.md says; entries by number."""
    said = read_check(tournament)
    secret, scope, number = bytes.fromhex(str(said["secret"])), str(said["scope"]), int(str(said["number"]))
    numbers = said["numbers"]
    assert isinstance(numbers, list)
    assert naive_shuffling.commit(scope, secret) == said["commitment"] == tournament.draw_commitment
    assert naive_shuffling.lot(secret, scope, number) == said["lot"] == tournament.lot
    return naive_shuffling.seeds(secret, scope, number, len(numbers))


@pytest.mark.rule("J1")
def test_the_commitment_stands_everywhere_from_the_opening_of_entries(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = opened()
    row, client = find_commitment(tournament), Client()
    assert (row.digest, row.secret, row.drawn_at) == (tournament.draw_commitment, "", now.replace(microsecond=0))
    page = client.get(tournament_url("tournament", tournament))
    assert tournament_url("draw", tournament) in read_ways(page), "which has it, a link away"
    assert row.digest[:8] not in page.content.decode()
    assert read_hooks(client.get(tournament_url("draw", tournament)), "commitment") == [row.digest]
    assert read_hooks(client.get(reverse("deck-register")), "commitment") == [row.digest]
    told = client.get(f"/api/v1/tournaments/{tournament.public_id}/").json()["tournament"]
    assert told["draw_commitment"] == row.digest
    log = client.get(f"/api/v1/tournaments/{tournament.public_id}/log/").json()["results"]
    (entry,) = [entry for entry in log if entry["code"] == "draw_committed"]
    assert (entry["lots"]["scope"], entry["lots"]["commitment"], entry["lots"]["secret"]) == (row.scope, row.digest, "")
    assert row.digest in make_copy(tournament, now).decode()
    printed = client.get(reverse("tournament-print", args=[tournament.public_id, "iscritti"]))
    assert read_hooks(printed, "draw-commitment") == [row.digest]


@pytest.mark.rule("J5")
def test_nothing_tells_the_secret_or_what_comes_of_it_before_its_time(
    opened: Opened,
    four: list[Player],
    organisers: Client,
    admin_client: Client,
    now: datetime,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        tournament = enter_all(opened(publishes_rounds=True, **DANESE), four, now)
        drawn = draw(tournament, now)
        tournament.refresh_from_db()
        sealed = find_commitment(tournament).sealed
        secret, public_id = open_secret(tournament), tournament.public_id
        told: list[HttpResponse | bytes | str] = [
            client.get(address)
            for client in (Client(), organisers, admin_client)
            for address in (
                *(tournament_url(name, tournament) for name in PUBLIC),
                reverse("deck-register"),
                f"/api/v1/tournaments/{public_id}/",
                f"/api/v1/tournaments/{public_id}/log/",
                reverse("export-json", args=[public_id, "iscritti"]),
                reverse("tournament-print", args=[public_id, "iscritti"]),
                tournament_url("draw-json", tournament),
            )
        ]
        told += [
            organisers.get(tournament_url("tournament-rounds", tournament)),
            admin_client.get("/admin/tournaments/tournament/"),
            admin_client.get(f"/admin/tournaments/tournament/{tournament.pk}/change/"),
            make_copy(tournament, now),
            repr(tournament) + repr(find_commitment(tournament)),
        ]
    told.append(caplog.text)
    derived = naive_shuffling.lot(secret, f"{public_id}/draw", 2)  # of a draw to come
    assert drawn.lot == naive_shuffling.lot(secret, f"{public_id}/draw", 1)
    for one in told:
        content = one.content if isinstance(one, HttpResponse) else one
        text = content.decode() if isinstance(content, bytes) else content
        assert not [piece for piece in (secret.hex(), sealed, derived) if piece in text]
    for one in told[: len(told) // 3]:  # what everybody reads says nothing of the draft, either
        assert isinstance(one, HttpResponse)
        assert drawn.lot not in one.content.decode()


@pytest.mark.rule("J5", "K1")
def test_seeds_and_lot_come_from_the_secret_which_is_published_with_the_draw(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(min_entries=4, max_entries=8, starts_at=now + DAY), four, now)
    secret, ids = open_secret(tournament), list_ids(tournament)
    start(tournament, now + DAY)
    assert read_seeds(tournament) == draw_naively(secret, tournament, ids)
    row = find_commitment(tournament)
    assert (row.secret, row.sealed, row.reason, row.revealed_at) == (secret.hex(), "", "drawn", now + DAY)
    assert check_by_hand(tournament) == read_check(tournament)["numbers"]
    page = Client().get(tournament_url("draw", tournament))
    assert read_hooks(page, "secret") == [secret.hex()]
    assert read_hooks(page, "number") == ["1"]
    log = Client().get(f"/api/v1/tournaments/{tournament.public_id}/log/").json()["results"]
    (entry,) = [entry for entry in log if entry["code"] == "drawn"]
    assert (entry["lots"]["secret"], entry["entries"]) == (secret.hex(), read_seeds(tournament))


@pytest.mark.parametrize(
    ("format_", "options"), [("ko", {"byes_by_lot": True}), ("gironi", {"groups": 2}), ("danese", {})]
)
def test_whatever_the_lot_decides_later_is_read_from_the_lot_of_the_draw(
    opened: Opened, four: list[Player], now: datetime, format_: str, options: dict[str, int]
) -> None:
    settings = {"format": format_, "format_options": options, "min_entries": 4, "max_entries": 4}
    tournament = opened(KO if format_ == "ko" else GIRONE, **settings)
    secret = open_secret(tournament)
    enter_all(tournament, four, now)
    assert tournament.lot == naive_shuffling.lot(secret, f"{tournament.public_id}/draw", 1)


def test_a_draw_that_broke_off_comes_out_the_same_again(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = enter_all(opened(max_entries=8, starts_at=now + DAY), four, now)

    def break_off() -> list[int]:
        with transaction.atomic():
            seeds = read_seeds(start(Tournament.objects.get(pk=tournament.pk), now + DAY))
            transaction.set_rollback(True)
        return seeds

    first = break_off()
    assert find_commitment(tournament).secret == ""
    assert break_off() == first == read_seeds(start(tournament, now + DAY))
    assert tournament.draws == 1


def test_each_repeated_draw_is_another_and_is_counted_whatever_becomes_of_it(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(publishes_rounds=True, starts_at=now + DAY, **DANESE), four, now)
    secret, ids = open_secret(tournament), list_ids(tournament)
    drawn = [draw(tournament, now) for _ in range(3)]
    assert [list(one.order) for one in drawn] == [draw_naively(secret, tournament, ids, n) for n in (1, 2, 3)]
    assert [one.draws for one in drawn] == [1, 2, 3]
    assert find_commitment(tournament).secret == ""

    changed = change_settings(Tournament.objects.get(pk=tournament.pk), name="Un altro nome")  # it drops the draft
    edit_tournament(tournament_id=tournament.pk, by=tournament.organiser, settings=changed, now=now)
    assert list(draw(tournament, now).order) == draw_naively(secret, tournament, ids, 4)
    publish(tournament, now)
    assert read_seeds(tournament) == draw_naively(secret, tournament, ids, 4)
    assert (check_by_hand(tournament), read_check(tournament)["number"]) == (read_check(tournament)["numbers"], 4)
    assert read_hooks(Client().get(tournament_url("draw", tournament)), "number") == ["4"]
    published = LogEntry.objects.get(tournament=tournament, code="round_published")
    assert published.detail["draws"] == 4


@pytest.mark.rule("D4")
def test_who_changed_places_by_hand_is_said_and_the_rest_still_comes_from_the_secret(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(GIRONE, publishes_rounds=True, starts_at=now + DAY), four, now)
    first, second = draw(tournament, now).order[:2]
    by = tournament.organiser
    swap_entries(tournament_id=tournament.pk, first_id=first, second_id=second, by=by, now=now)
    publish(tournament, now)
    assert read_seeds(tournament)[:2] == [second, first]
    numbers = check_by_hand(tournament)
    assert read_check(tournament)["swapped"] == [numbers[:2]]
    assert read_check(tournament)["numbers"] == [numbers[1], numbers[0], *numbers[2:]]
    run_script(tournament)


def test_the_organisers_own_order_is_no_lot_and_the_lot_is_drawn_all_the_same(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(seeding="organiser", max_entries=8, starts_at=now + DAY), four, now)
    ids = list_ids(tournament)
    places = {pk: place for place, pk in enumerate(reversed(ids), start=1)}
    place_entries(tournament_id=tournament.pk, by=tournament.organiser, places=places, now=now)
    start(tournament, now + DAY)
    assert read_seeds(tournament) == list(reversed(ids))
    check_by_hand(tournament)
    assert read_check(tournament)["numbers"] == [1, 2, 3, 4]
    run_script(tournament)


@pytest.mark.rule("J5")
def test_a_cancelled_tournament_has_its_secret_published_with_the_reason(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    by_hand, alone = opened(), opened(min_entries=4, max_entries=8, starts_at=now + DAY)
    secret = open_secret(by_hand)
    cancel_tournament(tournament_id=by_hand.pk, by=organiser, now=now, reason="Piove")
    start_due(tournament_id=alone.pk, now=now + DAY)  # nobody came
    for tournament in (by_hand, alone):
        row = find_commitment(tournament)
        assert (row.reason, row.sealed) == ("cancelled", "")
        assert naive_shuffling.commit(row.scope, bytes.fromhex(row.secret)) == row.digest
    assert read_hooks(Client().get(tournament_url("draw", by_hand)), "secret") == [secret.hex()]


@pytest.mark.rule("J1")
def test_draws_stand_in_the_chain_of_the_register_and_none_is_counted_as_hidden_before_it_is_over(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament, later = enter_all(opened(max_entries=8, starts_at=now + DAY), four, now), opened()
    assert not shuffles.list_hidden_too_long(now + 30 * DAY).exists()
    start(tournament, now + DAY)
    digest = "0" * 64
    for number, row in enumerate(Commitment.objects.order_by("number"), start=1):
        assert (row.number, row.previous) == (number, digest)
        parts = ["smazzata-1", "row", str(number), f"{row.drawn_at:%Y-%m-%dT%H:%M:%SZ}", row.scope, row.digest, digest]
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    Commitment.objects.filter(scope=find_commitment(later).scope).update(sealed="", reason="lost")
    assert list(shuffles.list_hidden_too_long(now + 30 * DAY)) == [find_commitment(later)]


def test_a_tournament_from_before_there_were_secrets_is_drawn_as_ever(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    plain = enter_all(opened(max_entries=8, starts_at=now + DAY), four, now)
    drafted = enter_all(opened(publishes_rounds=True, starts_at=now + DAY, **DANESE), four, now)
    Commitment.objects.all().delete()
    Tournament.objects.update(draw_commitment="")
    orders = set()
    for _ in range(8):
        with transaction.atomic():
            orders.add(tuple(read_seeds(start(Tournament.objects.get(pk=plain.pk), now + DAY))))
            transaction.set_rollback(True)
    assert len(orders) > 1  # each is another: nobody keeps what they come from

    draw(drafted, now)
    drafted.refresh_from_db()
    assert drafted.draft is not None
    Tournament.objects.filter(pk=drafted.pk).update(draft={k: v for k, v in drafted.draft.items() if k != "listed"})
    publish(drafted, now)
    assert sorted(read_seeds(drafted)) == list_ids(drafted)
    assert len(drafted.lot) == 32
    assert read_drawn(drafted) is None
    assert Client().get(tournament_url("draw", drafted)).status_code == 404
    assert Client().get(tournament_url("draw-json", drafted)).status_code == 404
    assert tournament_url("draw", drafted) not in read_ways(Client().get(tournament_url("tournament", drafted)))


@pytest.mark.rule("J5")
def test_a_secret_that_is_lost_with_its_key_hinders_no_draw_and_is_said_to_be_lost(
    opened: Opened, four: list[Player], now: datetime, settings: LazySettings
) -> None:
    tournament = enter_all(opened(max_entries=8, starts_at=now + DAY), four, now)
    settings.DECK_KEYS = [Fernet.generate_key().decode()]
    call_command("deck_keys", "give-up")
    row = find_commitment(tournament)
    assert (row.reason, row.sealed, row.secret) == ("lost", "", "")
    start(tournament, now + DAY)
    assert sorted(read_seeds(tournament)) == list_ids(tournament)
    assert find_commitment(tournament).reason == "lost"
    assert read_hooks(Client().get(tournament_url("draw", tournament)), "secret") == [""]
    assert Client().get(tournament_url("draw-json", tournament)).status_code == 404


def run_script(tournament: Tournament, *, spoiled: bool = False) -> None:
    """Have docs/examples/check_draw.mjs check a tournament's file, where there is a node to run it."""
    if shutil.which("node") is None:
        return
    said = read_check(tournament)
    numbers = said["numbers"]
    assert isinstance(numbers, list)
    if spoiled:
        said["numbers"] = [numbers[-1], *numbers[1:-1], numbers[0]]
    run = subprocess.run(["node", CHECK, "/dev/stdin"], input=json.dumps(said).encode(), check=False, timeout=PATIENCE)
    assert run.returncode == spoiled


@pytest.mark.rule("J7")
def test_the_program_in_the_docs_draws_the_lots_again(opened: Opened, now: datetime) -> None:
    players = [create_person(f"Iscritto {number}", now) for number in range(40)]
    tournament = enter_all(opened(max_entries=64, starts_at=now + DAY), players, now)
    start(tournament, now + DAY)
    run_script(tournament)
    run_script(tournament, spoiled=True)
    names = {entry.pk: entry.members.get().person.name for entry in Entry.objects.filter(tournament=tournament)}
    numbers, listed = read_check(tournament)["numbers"], read_check(tournament)["names"]
    assert isinstance(numbers, list)
    assert isinstance(listed, list)
    assert [listed[number - 1] for number in numbers] == [names[pk] for pk in read_seeds(tournament)]
