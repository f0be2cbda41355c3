"""The pages by which people enter themselves at real tables, and come back to their entry (O2)."""

from datetime import datetime

import pytest
from django.http import HttpResponse
from django.test import Client

from players import caps
from players.models import Player
from tests.support.entries import list_placed
from tests.support.html import read_attribute, read_hooks, read_ways
from tests.support.pages import read_page, tournament_url
from tests.support.people import sign_in
from tests.support.real_tables import draw_present, open_real
from tests.support.tournaments import PAIRS, Opened
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def send(client: Client, tournament: Tournament, **typed: str) -> HttpResponse:
    """Open the form and send it with these values."""
    address = tournament_url("self-entry", tournament)
    form = client.get(address)
    key = read_attribute(form, "value", "input")
    name = dict(zip(read_attribute(form, "name", "input"), key, strict=False))
    return client.post(address, {"key": name.get("key", ""), **typed}, follow=True)  # type: ignore[return-value]


def read_key(page: HttpResponse) -> str:
    return str(page.context["address"]).rstrip("/").rpartition("/")[2]


@pytest.mark.rule("O2")
def test_a_visitor_enters_and_is_shown_the_way_back_once(opened: Opened) -> None:
    tournament = open_real(opened)
    page_address = tournament_url("tournament", tournament)
    assert tournament_url("self-entry", tournament) in read_ways(Client().get(page_address))
    visitor = Client()
    page = send(visitor, tournament, player="Ada Neri")
    assert read_hooks(page, "note") == ["entered"]
    assert page["Cache-Control"] == "no-store"
    assert list_placed(tournament) == ["Ada Neri"]
    key = read_key(page)
    assert key not in read_page(Client().get(page_address))
    assert "own_entry" in read_hooks(visitor.get(page_address), "note")
    assert "own_entry" not in read_hooks(Client().get(page_address), "note")
    own = tournament_url("own-entry", tournament, key)
    left = Client().post(own, follow=True)
    assert "left" in read_hooks(left, "notice")
    assert list_placed(tournament) == []
    assert "entry_gone" in read_hooks(visitor.get(own, follow=True), "notice")
    assert not Player.objects.filter(kind="guest").exists(), "nobody becomes a guest of it"


@pytest.mark.rule("O2")
def test_a_refused_form_keeps_what_was_typed(opened: Opened) -> None:
    tournament = open_real(opened, PAIRS)
    visitor = Client()
    page = send(visitor, tournament, player="Ada Neri", partner="Smazzata staff")
    assert page.status_code == 422
    assert 'value="Ada Neri"' in read_page(page)
    assert list(page.context["form"].errors) == ["partner"]
    assert list_placed(tournament) == []
    page = send(visitor, tournament, player="Ada Neri", partner="Bice Neri", partner_minor="on")
    assert list_placed(tournament) == ["Ada Neri+Bice Neri"]
    assert "B. N." in read_page(page)
    assert "Bice Neri" not in read_page(page)


@pytest.mark.rule("O2")
def test_a_form_that_was_sent_twice_leads_to_the_same_entry(opened: Opened) -> None:
    tournament = open_real(opened)
    address, typed = tournament_url("self-entry", tournament), {"key": "a" * 22, "player": "Ada Neri"}
    first, second = Client().post(address, typed), Client().post(address, typed)
    assert first["Location"] == second["Location"]
    assert tournament.entries.count() == 1
    assert Client().post(address, {"key": "short", "player": "Bice Neri"})["Location"] != first["Location"]


@pytest.mark.rule("O2")
def test_another_name_over_a_form_that_was_sent_is_another_entry(opened: Opened) -> None:
    tournament, key = open_real(opened), {"key": "a" * 22}
    address = tournament_url("self-entry", tournament)
    first, other = (Client().post(address, key | {"player": name}) for name in ("Ada Neri", "Bice Neri"))
    assert first["Location"] != other["Location"]
    assert list_placed(tournament) == ["Ada Neri", "Bice Neri"]


@pytest.mark.rule("O2")
def test_one_browser_makes_ten_entries_and_others_go_on(opened: Opened) -> None:
    tournament = open_real(opened)
    visitor = Client()
    for number in range(caps.SELF_ENTRIES_A_BROWSER):
        send(visitor, tournament, player=f"Ada {'ABCDEFGHIJ'[number]}a")
    page = send(visitor, tournament, player="Zita Neri")
    assert page.context["form"].has_error("__all__", "self_many")
    assert send(Client(), tournament, player="Zita Neri").status_code == 200
    assert tournament.entries.count() == caps.SELF_ENTRIES_A_BROWSER + 1


@pytest.mark.rule("O2", "E3")
def test_without_the_link_or_the_code_the_form_does_not_open(opened: Opened) -> None:
    by_link, by_code = open_real(opened, registration="link"), open_real(opened, registration="code", name="Altro")
    for tournament, code in ((by_link, "link_needed"), (by_code, "code_needed")):
        form = tournament_url("self-entry", tournament)
        page = Client().get(form, follow=True)
        assert code in read_hooks(page, "notice")
        assert Client().post(form, {"player": "Ada Neri"}).status_code == 422
        assert not tournament.entries.exists()
    invited = Client()
    page = invited.get(tournament_url("tournament-invite", by_link, by_link.join_token), follow=True)
    assert page.redirect_chain[-1][0] == tournament_url("self-entry", by_link)
    send(invited, by_link, player="Ada Neri")
    coded = Client()
    page = coded.post(tournament_url("tournament-code", by_code), {"code": by_code.join_code}, follow=True)
    assert page.redirect_chain[-1][0] == tournament_url("self-entry", by_code)
    send(coded, by_code, player="Ada Neri")
    assert (list_placed(by_link), list_placed(by_code)) == (["Ada Neri"], ["Ada Neri"])


@pytest.mark.rule("O2")
def test_who_may_see_which_page(opened: Opened, anna: Player, now: datetime) -> None:
    alone, pairs, site = open_real(opened), open_real(opened, PAIRS, name="Coppie"), opened(name="Sul sito")
    draft = open_real(opened, name="Bozza")
    Tournament.objects.filter(pk=draft.pk).update(state="draft")
    statuses = {
        (reader, tournament.name): sign_in(who).get(tournament_url("self-entry", tournament)).status_code
        for reader, who in (("visitor", None), ("member", anna))
        for tournament in (alone, pairs, site, draft)
    }
    assert statuses == {
        ("visitor", alone.name): 200, ("visitor", pairs.name): 200,
        ("visitor", site.name): 404, ("visitor", draft.name): 404,
        ("member", alone.name): 302, ("member", pairs.name): 200,
        ("member", site.name): 404, ("member", draft.name): 404,
    }  # fmt: skip
    for tournament, status in ((alone, 302), (site, 302), (draft, 404)):
        assert Client().get(tournament_url("own-entry", tournament, "x" * 22)).status_code == status


@pytest.mark.rule("O2")
def test_an_account_writes_the_name_of_its_partner_alone(opened: Opened, anna: Player) -> None:
    tournament = open_real(opened, PAIRS)
    member = sign_in(anna)
    ways = read_ways(member.get(tournament_url("tournament", tournament)))
    assert {tournament_url(name, tournament) for name in ("self-entry", "pair")} <= ways
    page = send(member, tournament, partner="Bice Neri", player="Somebody Else")
    assert "entered" in read_hooks(page, "notice")
    assert list_placed(tournament) == ["Anna+Bice Neri"]


@pytest.mark.rule("O2")
def test_an_account_enters_alone_with_its_button(opened: Opened, anna: Player) -> None:
    tournament = open_real(opened)
    page = sign_in(anna).post(tournament_url("tournament-join", tournament), follow=True)
    assert "entered" in read_hooks(page, "notice")
    assert tournament.members.of_player(anna).exists()
    visitor = Client().post(tournament_url("tournament-join", tournament))
    assert visitor["Location"] == tournament_url("self-entry", tournament)


@pytest.mark.rule("O2", "E3")
def test_the_organiser_sees_who_entered_by_themselves(opened: Opened, anna: Player) -> None:
    tournament = open_real(opened, registration="approval", guests_allowed=True)
    send(Client(), tournament, player="Ada Neri")
    organiser, address = sign_in(tournament.organiser), tournament_url("tournament-entries", tournament)
    page = organiser.get(address)
    assert {"self_entry", "by_self"} <= set(read_hooks(page, "note"))
    assert page.context["self_link"].endswith(tournament_url("self-entry", tournament))
    organiser.post(tournament_url("tournament-decide", tournament), {"tutti": "1", "si": "1"})
    assert list_placed(tournament) == ["Ada Neri"]
    assert "by_self" in read_hooks(organiser.get(address), "note")
    listed = open_real(opened, registration="list", name="Altro")
    assert "self_entry" not in read_hooks(organiser.get(tournament_url("tournament-entries", listed)), "note")


@pytest.mark.rule("O2", "O7")
def test_the_code_on_the_wall_leads_to_the_form_until_the_draw(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    send(Client(), tournament, player="Ada Neri")
    send(Client(), tournament, player="Bice Neri")
    form = tournament_url("self-entry", tournament)
    qr, wall = (tournament_url(name, tournament) for name in ("tournament-qr", "tournament-wall"))
    assert Client().get(qr).context["join"].endswith(form)
    assert Client().get(wall).context["url"].endswith(form)
    draw_present(tournament, now)
    assert not Client().get(qr).context["join"].endswith(form)
    assert not Client().get(wall).context["enters"]
