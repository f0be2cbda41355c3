"""The pages of pairs: to ask, to answer, to send a link, to put the seeds in order; and what is typed wrong on them."""

import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from players.services.blocks import block_player, unblock_player
from players.services.fixed_pairs import answer_pair, invite_to_pair, leave_pair
from players.services.house import create_house_player
from tests.support.arrangements import arrange_once
from tests.support.html import read_attribute, read_hooks, read_ways
from tests.support.pages import read_page, tournament_url
from tests.support.people import sign_in
from tests.support.tournaments import KO, PAIRS, Opened
from tournaments.entries import join, pairs
from tournaments.models import Entry, EntryMember, Tournament

pytestmark = pytest.mark.django_db


@arrange_once
def doubles(opened: Opened) -> Tournament:
    """A tournament of doubles that is open to entries."""
    return opened(PAIRS)


def test_a_pair_is_asked_for_on_its_page_and_answered_on_every_page(
    doubles: Tournament, anna: Player, bruno: Player
) -> None:
    annas, brunos = sign_in(anna), sign_in(bruno)
    assert tournament_url("pair", doubles) in read_ways(annas.get(tournament_url("tournament", doubles)))
    asked = annas.post(tournament_url("pair", doubles), {"partner": "bruno"}, follow=True)
    assert (read_hooks(asked, "notice"), read_hooks(asked, "note")) == (["partner_asked"], ["partner_asked"])
    assert "Hai invitato Bruno" in read_page(asked)
    entry = Entry.objects.get()
    for page in (reverse("home"), reverse("profile"), tournament_url("tournament", doubles)):
        text = read_page(brunos.get(page))
        assert text.count("<strong>Anna</strong> ti vuole come compagno") == 1, page
        assert read_hooks(text, "note").count("partner_asks") == 1, page
        assert "partner_asks" not in read_hooks(annas.get(page), "note")
    assert "Bruno" not in read_page(Client().get(tournament_url("tournament", doubles))), "nobody else's business"
    agreed = brunos.post(tournament_url("pair-answer", doubles), {"entry": entry.pk, "si": ""}, follow=True)
    assert read_hooks(agreed, "notice") == ["pair_complete"]
    shown = re.sub(r"<[^>]+>", "", read_page(Client().get(tournament_url("tournament", doubles))))
    assert "Anna – Bruno" in shown


def test_who_says_no_is_out_and_who_asked_may_ask_another(doubles: Tournament, anna: Player, bruno: Player) -> None:
    annas, brunos = sign_in(anna), sign_in(bruno)
    annas.post(tournament_url("pair", doubles), {"partner": "Bruno"})
    entry = Entry.objects.get()
    answer = brunos.post(tournament_url("pair-answer", doubles), {"entry": entry.pk, "no": ""}, follow=True)
    assert read_hooks(answer, "notice") == ["pair_declined"]
    assert read_hooks(annas.get(tournament_url("tournament", doubles)), "note") == ["partner_declined"]
    assert read_hooks(annas.get(tournament_url("pair", doubles)), "note") == ["ask_another"]
    again = brunos.post(tournament_url("pair-answer", doubles), {"entry": entry.pk, "si": ""}, follow=True)
    assert read_hooks(again, "notice") == ["invitation_gone"]


def test_who_has_fixed_pairs_asks_a_partner_with_one_click(
    opened: Opened, anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    for first, second in ((anna, bruno), (carla, anna), (anna, dino)):
        pair = invite_to_pair(player=first, other=second, now=now)
        answer_pair(public_id=pair.public_id, player=second, accepts=True, now=now)
    leave_pair(public_id=pair.public_id, player=dino, now=now)
    tournament = opened(PAIRS, house_allowed=True)
    annas = sign_in(anna)

    def read_offered(client: Client) -> list[str]:
        values = read_attribute(client.get(tournament_url("pair", tournament)), "value", "button")
        return [value for value in values if value not in ("it", "en")]  # those choose a language

    assert read_offered(annas) == ["Bruno", "Carla"], "with Dino she has none any more"
    assert read_offered(sign_in(dino)) == []
    block_player(player=bruno, blocked=anna, now=now)
    assert read_offered(annas) == ["Bruno", "Carla"], "whoever is blocked is never told"
    pairs.enter_with_house(tournament_id=tournament.pk, player=carla, now=now)
    assert read_offered(annas) == ["Bruno"]
    unblock_player(player=bruno, public_id=anna.public_id)
    asked = annas.post(tournament_url("pair", tournament), {"partner": "Bruno"}, follow=True)
    assert read_hooks(asked, "notice") == ["partner_asked"]


@pytest.mark.parametrize("entry", ["", "x", "-1", "9" * 30, "٣", "<b>"])
def test_an_answer_to_nothing_is_refused(opened: Opened, anna: Player, entry: str) -> None:
    answer = sign_in(anna).post(tournament_url("pair-answer", opened(PAIRS)), {"entry": entry, "si": ""}, follow=True)
    assert read_hooks(answer, "notice") == ["invitation_gone"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "Scrivi il nome"),
        ("   ", "Scrivi il nome"),
        ("x" * 61, "al massimo 60 caratteri"),
        ("\u202eonurb", "nessuno si chiama così"),
        ("Бруно", "nessuno si chiama così"),
        ("Bruno\x00", "null"),
        ("<b>Bruno</b>", "nessuno si chiama così"),
        ("Anna", "dev'essere un altro"),
        ("Zia Assunta", "compagno della casa"),
    ],
)
def test_a_name_that_will_not_do_is_said_beside_it_and_not_lost(
    opened: Opened, anna: Player, bruno: Player, now: datetime, typed: str, words: str
) -> None:
    create_house_player(now=now, name="Zia Assunta")
    answer = sign_in(anna).post(tournament_url("pair", opened(PAIRS)), {"partner": typed})
    assert answer.status_code == 200
    (error,) = answer.context["form"].errors["partner"]
    assert words in error
    text = read_page(answer)
    assert 'id="id_partner_error"' in text
    assert 'aria-invalid="true"' in text
    assert "<b>Bruno" not in text
    if typed.isascii() and typed.isalpha():
        assert f'value="{typed}"' in text
    assert not Entry.objects.exists()


def test_a_link_is_shown_to_who_asks_alone_and_taken_by_whoever_opens_it(
    doubles: Tournament, anna: Player, bruno: Player, client: Client
) -> None:
    annas = sign_in(anna)
    annas.post(tournament_url("pair", doubles), {"link": ""})
    address = tournament_url("pair-link", doubles, Entry.objects.get().token)
    assert address in read_page(annas.get(tournament_url("tournament", doubles)))
    for other in (sign_in(bruno), client):
        assert address not in read_page(other.get(tournament_url("tournament", doubles)))
        assert read_hooks(other.get(address), "note") == ["partner_asks"]
        assert "Anna ti vuole come compagno" in read_page(other.get(address))
    assert read_hooks(annas.get(address), "note") == ["own_invitation"]
    assert read_hooks(client.post(address, follow=True), "notice") == ["pair_complete"]
    member = EntryMember.objects.select_related("person__player").get(tournament=doubles, position=1)
    assert member.person.player.is_guest
    assert read_hooks(sign_in(bruno).get(address), "note") == ["invitation_gone"]
    assert read_hooks(sign_in(bruno).post(address, follow=True), "notice") == ["invitation_gone"]
    assert client.get(tournament_url("pair-link", doubles, "niente")).status_code == 200


def test_where_guests_are_not_allowed_a_visitor_signs_in_first(opened: Opened, anna: Player, client: Client) -> None:
    tournament = opened(PAIRS, guests_allowed=False)
    sign_in(anna).post(tournament_url("pair", tournament), {"link": ""})
    address = tournament_url("pair-link", tournament, Entry.objects.get().token)
    for page, sent in (
        (address, {}),
        (tournament_url("pair", tournament), {"link": ""}),
        (tournament_url("pair-house", tournament), {}),
    ):
        assert reverse("account_login") in client.post(page, sent).headers["Location"]
    assert not Player.objects.filter(kind=Player.Kind.GUEST).exists()


def test_a_partner_of_the_house_by_one_click_where_it_is_allowed(opened: Opened, client: Client) -> None:
    tournament = opened(PAIRS, house_allowed=True)
    with_house = tournament_url("pair-house", tournament)
    assert with_house in read_ways(client.get(tournament_url("tournament", tournament)))
    assert read_hooks(client.post(with_house, follow=True), "notice") == ["entered"]
    assert Entry.objects.get().members.count() == 2
    closed = opened(PAIRS)
    refused = client.post(tournament_url("pair-house", closed), follow=True)
    assert read_hooks(refused, "notice") == ["house_not_allowed"]


def test_pages_of_pairs_are_not_there_for_single_players(opened: Opened, anna: Player) -> None:
    tournament = opened(KO)
    annas = sign_in(anna)
    for page in (tournament_url("pair", tournament), tournament_url("pair-link", tournament, "abc")):
        assert annas.get(page).status_code == 404
    for name in ("pair-answer", "pair-house"):
        assert annas.post(tournament_url(name, tournament)).status_code == 404
        assert annas.get(tournament_url(name, opened(PAIRS))).status_code == 405


def test_a_full_tournament_lets_no_visitor_in_as_a_guest(opened: Opened, four: list[Player], client: Client) -> None:
    tournament = opened(PAIRS, max_entries=2)
    for player in four[:2]:
        pairs.enter_pair(tournament_id=tournament.pk, player=player, partner=None, now=timezone.now())
    refused = client.post(tournament_url("pair", tournament), {"link": ""}, follow=True)
    assert read_hooks(refused, "notice") == ["full"]
    assert not Player.objects.filter(kind=Player.Kind.GUEST).exists()


# --- Seeds ---------------------------------------------------------------------------------------------------------


@arrange_once
def seeded(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    tournament = opened(seeding="organiser", starts_at=timezone.now() + timedelta(days=1))
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    return tournament


def test_the_organiser_puts_the_seeds_in_order(seeded: Tournament, organiser: Player, anna: Player) -> None:
    organisers = sign_in(organiser)
    page = tournament_url("tournament-seeds", seeded)
    assert page in read_page(organisers.get(tournament_url("tournament", seeded)))
    entries = list(Entry.objects.order_by("pk"))
    sent = {f"entry-{entries[2].pk}": "1", f"entry-{entries[0].pk}": "2", f"entry-{entries[1].pk}": ""}
    assert read_hooks(organisers.post(page, sent, follow=True), "notice") == ["seeds_saved"]
    assert list(Entry.objects.order_by("pk").values_list("placed", flat=True)) == [2, None, 1, None]
    assert read_page(organisers.get(page)).index("Carla") < read_page(organisers.get(page)).index("Anna")
    for other in (sign_in(anna), Client()):
        assert other.get(page).status_code == 404
        assert other.post(page, sent).status_code == 404


@pytest.mark.parametrize("typed", ["0", "5", "-1", "primo", "1.5", "9" * 40])
def test_a_place_that_is_none_is_said_beside_its_field(seeded: Tournament, organiser: Player, typed: str) -> None:
    name = f"entry-{Entry.objects.earliest('pk').pk}"
    answer = sign_in(organiser).post(tournament_url("tournament-seeds", seeded), {name: typed})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [name]
    assert f'id="id_{name}_error"' in read_page(answer)
    assert f'value="{typed}"' in read_page(answer)
    assert not Entry.objects.exclude(placed=None).exists()


def test_where_the_seeds_are_drawn_there_is_no_such_page(opened: Opened, organiser: Player) -> None:
    assert sign_in(organiser).get(tournament_url("tournament-seeds", opened())).status_code == 404
