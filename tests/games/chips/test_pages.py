"""Pages of chips: one's own ledger, the stake of a free table before one sits, what a result moved (Z2-Z5)."""

import re
from datetime import datetime
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.admin import AdminSite
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone, translation

from games.admin import MatchAdmin
from games.chips import queries
from games.chips.wording import describe_limit
from games.engine.game import Length
from games.lobby.rematches import count_evening
from games.models import ChipAccount, FreeTable, Match
from players.models import Player, User
from players.services.audience import choose_audience
from players.services.follows import follow_player
from players.services.own_data import read_part
from scoring.counted_matches import compute_own_share
from tests.support.chips import give_chips, read_chips, read_held
from tests.support.html import read_error_codes, read_hooks, read_ways
from tests.support.lobby import begin_at, finish_by_forfeit, open_free_table
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db

NEW = {
    "ruleset": "tresette", "players": "2", "length_kind": "deals", "length_value": "2", "turn_timeout": "60",
    "match_clock": "", "public": "on", "option_cappotto": "on",
}  # fmt: skip
TWO: dict[str, Any] = {"players": 2, "length": Length("deals", 1)}


def read(client: Client, name: str, *args: str) -> str:
    return client.get(reverse(name, args=args)).content.decode()


@pytest.mark.rule("Z5")
def test_chips_are_hidden_until_one_chooses_to_see_them(anna: Player, bruno: Player, now: datetime) -> None:
    client = sign_in(anna)
    text = read(client, "chips")
    assert read_hooks(text, "note") == ["no-money", "hidden"]
    assert "stake" not in client.get(reverse("free-table-new")).context["form"].fields
    give_chips(bruno, 100, now)
    staked = open_free_table(bruno, now, **TWO, stake=10)
    assert reverse("free-table", args=[staked.public_id]) not in read_ways(read(client, "lobby"))
    assert "sit" not in read_hooks(read(client, "free-table", staked.public_id), "action")
    assert client.post(reverse("chips-show"), {"shown": "1"}).status_code == 302
    assert User.objects.get(pk=anna.user_id).chips
    assert read_hooks(read(client, "chips"), "action") == ["top-up", "hide"]
    assert "stake" in client.get(reverse("free-table-new")).context["form"].fields
    assert reverse("free-table", args=[staked.public_id]) in read_ways(read(client, "lobby"))
    client.post(reverse("chips-show"), {"shown": "0"})
    assert read_hooks(read(client, "chips"), "note") == ["no-money", "hidden"]


@pytest.mark.rule("Z5")
def test_chips_are_chosen_among_the_preferences_too(anna: Player) -> None:
    client = sign_in(anna)
    form = client.get(reverse("preferences")).context["form"]
    client.post(reverse("preferences"), {**{name: form[name].value() or "" for name in form.fields}, "chips": "on"})
    assert User.objects.get(pk=anna.user_id).chips


@pytest.mark.rule("Z4")
def test_the_top_up_of_the_day_is_a_button(anna: Player) -> None:
    User.objects.filter(pk=anna.user_id).update(chips=True)
    client = sign_in(anna)
    for notice in ("topped_up_now", "topped_up"):
        text = client.post(reverse("chips-top-up"), follow=True).content.decode()
        assert notice in read_hooks(text, "notice")
    assert read_hooks(text, "balance") == ["100"]
    assert read_hooks(text, "entry") == ["top_up"]
    assert read_hooks(text, "action") == ["hide"]
    assert read_chips(anna) == [100]


def test_a_visitor_logs_in_and_a_guest_is_told_who_has_chips(anna: Player, client: Client) -> None:
    assert client.get(reverse("chips")).headers["Location"].startswith(reverse("account_login"))
    assert client.post(reverse("chips-top-up")).status_code == 302
    Player.objects.filter(pk=anna.pk).update(kind=Player.Kind.GUEST)
    guest = sign_in(anna)
    assert read_hooks(read(guest, "chips"), "note") == ["no-money", "members"]
    assert "stake_members" in read_hooks(guest.post(reverse("chips-top-up"), follow=True).content.decode(), "notice")
    assert not ChipAccount.objects.exists()


@pytest.mark.rule("Z1")
def test_the_ledger_goes_on_over_pages_and_names_each_match(
    anna: Player, bruno: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "ENTRIES_A_PAGE", 2)
    give_chips(anna, 100, now)
    give_chips(bruno, 100, now)
    match = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=7), 1, now)
    give_chips(anna, 1, now)
    client = sign_in(anna)
    text = read(client, "chips")
    assert read_hooks(text, "entry") == ["top_up", "settlement"]
    assert reverse("match-result", args=[match.public_id]) in read_ways(text)
    assert "+7" in text
    older = client.get(reverse("chips"), {"pagina": "2"}).content.decode()
    assert read_hooks(older, "entry") == ["top_up"]
    assert "Bruno" not in read_hooks(older, "entry")


@pytest.mark.rule("Z2")
def test_who_opens_a_table_reads_what_they_can_lose_before_they_sit(anna: Player, now: datetime) -> None:
    give_chips(anna, 100, now)
    client = sign_in(anna)
    asked = client.post(
        reverse("free-table-new"),
        {**NEW, "stake": "20", "mostra": "1", "shown": "tresette accuso cappotto carte_viste"},
        headers={"HX-Request": "true"},
    )
    assert read_hooks(asked.content.decode(), "loss") == ["60"]  # two deals with cappotto, and the match
    assert not FreeTable.objects.exists()
    answer = client.post(reverse("free-table-new"), {**NEW, "stake": "20", "stake_per": "match"})
    table = FreeTable.objects.get()
    assert answer.headers["Location"] == reverse("free-table", args=[table.public_id])
    assert (table.stake, table.stake_per) == (20, "match")
    assert read_held(anna) == [60]
    text = read(client, "free-table", table.public_id)
    assert read_hooks(text, "stake") == ["20"]
    assert read_hooks(text, "cap") == ["800"]
    assert describe_limit(60, 60, 800) in text
    assert reverse("free-table-house", args=[table.public_id]) not in read_ways(text)


@pytest.mark.rule("Z2")
@pytest.mark.parametrize(
    ("stake", "codes"), [("34", ["too_few_chips"]), ("-1", ["min_value"]), ("1001", ["max_value"])]
)
def test_a_stake_that_will_not_do_is_refused_on_the_form(
    anna: Player, now: datetime, stake: str, codes: list[str]
) -> None:
    give_chips(anna, 100, now)
    answer = sign_in(anna).post(reverse("free-table-new"), {**NEW, "stake": stake})
    assert answer.status_code == 200
    assert list(read_error_codes(answer).values()) == [codes]
    assert not FreeTable.objects.exists()


@pytest.mark.rule("Z5")
def test_who_does_not_see_chips_cannot_post_a_stake_either(anna: Player) -> None:
    sign_in(anna).post(reverse("free-table-new"), {**NEW, "stake": "20"})
    assert FreeTable.objects.get().stake == 0


@pytest.mark.rule("Z2", "Z5")
def test_who_may_sit_down_at_a_stake_reads_there_how_much_they_have(
    anna: Player, bruno: Player, client: Client, now: datetime
) -> None:
    for player, amount in ((anna, 100), (bruno, 60)):
        give_chips(player, amount, now)
    table = open_free_table(anna, now, **TWO, stake=10)
    for reader, free in ((sign_in(bruno), ["60"]), (sign_in(anna), []), (client, [])):
        assert read_hooks(read(reader, "free-table", table.public_id), "free") == free


@pytest.mark.rule("Z2")
def test_a_visitor_is_refused_at_a_staked_table_and_made_no_guest_of(
    anna: Player, client: Client, now: datetime
) -> None:
    give_chips(anna, 100, now)
    table = open_free_table(anna, now, **TWO, stake=10)
    answer = client.post(reverse("free-table-sit", args=[table.public_id]), {"posto": "1"}, follow=True)
    assert "stake_members" in read_hooks(answer.content.decode(), "notice")
    link = read(sign_in(anna), "free-table", table.public_id)
    assert "members_only" in read_hooks(link, "note"), "the link to send says so"
    assert Player.objects.count() == 1


@pytest.mark.rule("Z3", "Z5")
def test_the_result_says_what_was_won_by_whom_to_who_sees_chips(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    for player in (anna, bruno):
        give_chips(player, 100, now)
    match = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=7), 1, now)
    assert read_hooks(read(sign_in(anna), "match-result", match.public_id), "chips") == ["7", "-7"]
    for other in (carla, None):
        assert read_hooks(read(sign_in(other), "match-result", match.public_id), "chips") == []
    Match.objects.filter(pk=match.pk).update(annulled_at=timezone.now())
    assert "annulled" in read_hooks(read(sign_in(carla), "match-result", match.public_id), "note")


@pytest.mark.rule("Z4", "Z5")
def test_others_read_what_was_won_only_where_everybody_shows_their_chips(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    for player in (anna, bruno, carla):
        give_chips(player, 100, now)
    match = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=7), 1, now)

    def look(reader: Player) -> list[str]:
        return read_hooks(read(sign_in(reader), "match-result", match.public_id), "chips")

    assert look(carla) == [], "nobody shows theirs unless they say so"
    choose_audience(player=anna, readers={"stakes": "everybody"})
    assert look(carla) == [], "what one won the other has lost"
    choose_audience(player=bruno, readers={"stakes": "friends"})
    assert look(carla) == []
    follow_player(player=bruno, followed=carla, now=now)
    assert look(carla) == look(anna) == look(bruno) == ["7", "-7"]


@pytest.mark.rule("Z2")
def test_the_table_states_its_stake_and_cap(anna: Player, bruno: Player, now: datetime) -> None:
    for player in (anna, bruno):
        give_chips(player, 100, now)
    match = begin_at([anna, bruno], now, length=Length("deals", 1), stake=7)
    text = read(sign_in(anna), "table", match.public_id)
    assert read_hooks(text, "stake") == ["7"]
    assert describe_limit(7, 7, 280) in text
    assert "stake" in read_hooks(text, "note")


@pytest.mark.rule("Z2")
@pytest.mark.parametrize(
    ("loss", "lone", "cap", "said"),
    [
        (5, 5, 200, ["5", "40", "200"]),
        (200, 200, 200, ["200", "40"]),  # the options let one lose as much as the cap: it is said once
        (5, 10, 200, ["10", "5", "40", "200"]),
    ],
)
@pytest.mark.parametrize("language", ["it", "en"])
def test_what_the_options_let_one_lose_and_the_cap_are_said_in_one_breath(
    loss: int, lone: int, cap: int, said: list[str], language: str
) -> None:
    with translation.override(language):
        assert re.findall(r"\d+", describe_limit(loss, lone, cap)) == said


def test_the_export_of_ones_own_data_has_the_ledger(anna: Player, bruno: Player, now: datetime) -> None:
    give_chips(anna, 100, now)
    give_chips(bruno, 100, now)
    match = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=7), 1, now)
    rows = list(read_part("chips", anna))
    assert [(row["reason"], row["amount"], row["match"]) for row in rows] == [
        ("settlement", 7, match.public_id), ("top_up", 100, None),
    ]  # fmt: skip


@pytest.mark.rule("Z3", "L2")
def test_the_staff_annuls_a_free_match_and_it_counts_for_nobody(anna: Player, bruno: Player, now: datetime) -> None:
    for player in (anna, bruno):
        give_chips(player, 100, now)
    match = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=7), 1, now)
    running = begin_at([anna, bruno], now, length=Length("deals", 1))
    site = MatchAdmin(Match, AdminSite())
    with patch.object(site, "message_user") as said:
        site.annul_matches(RequestFactory().post("/"), Match.objects.all())
    assert [running.public_id in call.args[1] for call in said.call_args_list] == [True]
    assert read_chips(anna, bruno) == [100, 100]
    assert count_evening(match.free_table).played == 0
    assert compute_own_share(Match.objects.get(pk=match.pk)) is None
