"""Pages of fixed pairs: invitation, yes, name, what was played together, leaving."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from players.models import FixedPair, Player
from players.services.audience import choose_audience
from players.services.fixed_pairs import invite_to_pair
from scoring.models import Level
from tests.support.arrangements import arrange_once
from tests.support.html import read_attribute, read_hooks
from tests.support.people import sign_in
from tests.support.tables import play_out, seated

pytestmark = pytest.mark.django_db


def act(client: Client, pair: FixedPair, name: str, **data: str) -> list[str]:
    answer = client.post(reverse("fixed-pair-act", args=[pair.public_id, name]), data, follow=True)
    return read_hooks(answer, "notice")


@arrange_once
def pair(anna: Player, bruno: Player, now: datetime) -> FixedPair:
    pair = invite_to_pair(player=anna, other=bruno, now=now)
    return invite_to_pair(player=bruno, other=anna, now=now) and FixedPair.objects.get(pk=pair.pk)


def page_of(pair: FixedPair) -> str:
    return reverse("fixed-pair", args=[pair.public_id])


def test_two_form_a_pair_give_it_a_name_and_one_leaves(anna: Player, bruno: Player, client: Client) -> None:
    annas, brunos, own = sign_in(anna), sign_in(bruno), reverse("pairs")
    assert client.get(own).status_code == 302
    assert read_hooks(annas.get(own), "note") == ["no_pairs"]
    assert read_hooks(annas.post(own, {"chi": "nessuno"}), "notice") == ["nobody_to_pair"]
    assert read_hooks(annas.post(own, {"chi": "BRUNO"}, follow=True), "notice") == ["pair_invited"]
    pair = FixedPair.objects.get()
    assert client.get(page_of(pair)).status_code == 404
    assert "pair_invitation" in read_hooks(brunos.get(reverse("profile")), "note")
    assert read_hooks(annas.get(own), "action") == ["take_back", "invite"]
    assert read_hooks(brunos.get(own), "action") == ["accept", "decline", "invite"]
    assert act(brunos, pair, "accetta") == ["pair_formed"]
    assert act(annas, pair, "nome", coppia="Le volpi") == ["pair_named"]
    assert {"agree", "name", "leave"} <= set(read_hooks(brunos.get(page_of(pair)), "action"))
    assert act(brunos, pair, "nome", coppia="Le volpi") == ["pair_name_holds"]
    assert "Le volpi" in client.get(page_of(pair)).content.decode()
    for player in (anna, bruno):
        page = client.get(reverse("person", args=[player.public_id]))
        assert read_hooks(page, "pair") == [pair.public_id]
    assert act(annas, pair, "lascia") == ["pair_left"]
    assert act(annas, pair, "lascia") == ["no_such_pair"]
    assert client.get(page_of(pair)).status_code == 200, "what they played stays"
    assert read_hooks(brunos.get(page_of(pair)), "action") == []


def test_its_page_counts_only_what_they_played_on_one_side(
    pair: FixedPair, anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, client: Client
) -> None:
    assert read_hooks(client.get(page_of(pair)), "note") == ["no_matches"]
    now = play_out(seated([anna, carla, bruno, dino], now, ruleset="tresette", context="free"), now)
    now = play_out(seated([anna, bruno, carla, dino], now, ruleset="tresette", context="free"), now)
    page = client.get(page_of(pair))
    assert (read_hooks(page, "played"), len(read_hooks(page, "outcome"))) == (["1"], 1)
    assert {reverse("person", args=[player.public_id]) for player in (anna, bruno)} <= set(read_attribute(page, "href"))


@pytest.mark.parametrize("which", [0, 1])
def test_it_is_hidden_as_soon_as_one_of_them_hides_it(
    pair: FixedPair, anna: Player, bruno: Player, carla: Player, which: int
) -> None:
    hiding = (anna, bruno)[which]
    choose_audience(player=hiding, readers={"statistics": "nobody", "history": "nobody", "levels": "nobody"})
    page = sign_in(carla).get(page_of(pair))
    assert set(read_hooks(page, "note")) == {"statistics_hidden", "history_hidden"}
    choose_audience(player=hiding, readers={"pairs": "nobody"})
    for reader in (None, carla):
        assert sign_in(reader).get(page_of(pair)).status_code == 404
    for reader in (anna, bruno):
        assert sign_in(reader).get(page_of(pair)).status_code == 200
    other = (anna, bruno)[1 - which]
    page = sign_in(carla).get(reverse("person", args=[other.public_id]))
    assert read_hooks(page, "pair") == [], "nor through the other's page"


def test_a_name_that_is_refused_is_still_in_its_field(pair: FixedPair, anna: Player, carla: Player) -> None:
    address = reverse("fixed-pair-act", args=[pair.public_id, "nome"])
    shown = sign_in(anna).post(address, {"coppia": "Arbitro"})
    assert read_hooks(shown, "notice") == ["pair_name_reserved"]
    assert 'value="Arbitro"' in shown.content.decode()
    assert sign_in(carla).post(address, {"coppia": "Arbitro"})["Location"] == reverse("pairs")


def test_its_levels_and_each_of_its_parts_are_shown_only_if_both_show_theirs(
    pair: FixedPair, anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, client: Client
) -> None:
    play_out(seated([anna, carla, bruno, dino], now, ruleset="tresette", context="free"), now)
    for player in (anna, bruno):
        values = {"mu": 35.0, "sigma": 3.0, "matches": 9, "rated_at": now}
        Level.objects.update_or_create(player=player, ruleset="tresette", form="pairs", defaults=values)
    hooks = {"levels": "level", "statistics": "played", "history": "outcome"}

    def find_shown() -> set[str]:
        page = client.get(page_of(pair))
        return {part for part, hook in hooks.items() if read_hooks(page, hook)}

    assert find_shown() == set(hooks)
    for part in hooks:
        choose_audience(player=bruno, readers={part: "nobody"})
        assert find_shown() == set(hooks) - {part}
        choose_audience(player=bruno, readers={part: "everybody"})
