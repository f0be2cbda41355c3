"""A laptop in a hall, on plain http: accounts are used on the machine itself, and nowhere else in its network (O9)."""

from collections.abc import Iterator

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from websockets.exceptions import InvalidStatus

from config.environment import Environment, read_environment, shows_plain_network
from players.addresses import is_this_machine
from players.models import Player
from players.services.players import create_guest
from players.services.tokens import create_token
from tests.support.html import read_hooks
from tests.support.lan import ask_from, find_lan_addresses
from tests.support.live import Site
from tests.support.people import PASSWORD, is_logged_in, log_in, sign_in
from tests.support.sockets import join_cookies, open_socket, receive

pytestmark = [pytest.mark.django_db]

ELSEWHERE = "192.168.1.30"


@pytest.fixture
def hall() -> Iterator[None]:
    with override_settings(PLAIN_NETWORK=True):
        yield


@pytest.mark.rule("O9")
@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password", "account_logout"])
def test_pages_of_accounts_open_on_the_machine_itself_alone_o9(hall: None, name: str) -> None:
    away = Client(REMOTE_ADDR=ELSEWHERE).get(reverse(name))
    assert (away.status_code, read_hooks(away, "note")) == (403, ["only_here"])
    assert Client().get(reverse(name)).status_code in (200, 302)


@pytest.mark.rule("O9")
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000"])
def test_nobody_logs_in_from_another_machine_whatever_it_says_of_itself_o9(hall: None, anna: Player, host: str) -> None:
    away = Client(REMOTE_ADDR=ELSEWHERE, headers={"host": host, "x-forwarded-for": "127.0.0.1"})
    assert log_in(away, "anna").status_code == 403
    assert not is_logged_in(away)
    assert away.post("/admin/login/", {"username": "anna", "password": PASSWORD}).status_code == 403
    behind = Client(headers={"x-forwarded-for": "127.0.0.1"})  # a proxy on the machine itself
    assert log_in(behind, "anna").status_code == 403
    here = Client()
    assert log_in(here, "anna").status_code == 302
    assert is_logged_in(here)


@pytest.mark.rule("O9")
def test_a_session_or_a_key_of_an_account_opens_nothing_from_another_machine_o9(hall: None, anna: Player) -> None:
    now = timezone.now()
    carried = sign_in(anna)
    carried.defaults["REMOTE_ADDR"] = ELSEWHERE
    for name in ("organiser-home", "profile", "sessions", "tokens", "webhooks", "tournament-new"):
        answer = carried.get(reverse(name))
        assert answer.status_code == 302, name
        assert answer.headers["location"].startswith("/account/")
    page = carried.get(reverse("home"))
    assert page.context["player"] == None  # noqa: E711 a lazy object
    assert b"/account/" not in page.content, "no link that leads to a closed page"
    _token, text = create_token(user=anna.user, name="", scopes=["read"], targets=[], days=7, now=now)
    with_key = {"headers": {"authorization": f"Bearer {text}"}}
    refused = Client(REMOTE_ADDR=ELSEWHERE).get("/api/v1/me/", **with_key)
    assert (refused.status_code, refused.json()["code"]) == (403, "only_here")
    assert Client().get("/api/v1/me/", **with_key).status_code == 200
    assert carried.get("/api/v1/me/").status_code in (401, 403)
    assert Client(REMOTE_ADDR=ELSEWHERE).get("/api/v1/tournaments/").status_code == 200


@pytest.mark.rule("O9")
def test_guests_play_on_their_telephones_o9(hall: None) -> None:
    guest = sign_in(create_guest(address=ELSEWHERE, now=timezone.now()))
    guest.defaults["REMOTE_ADDR"] = ELSEWHERE
    assert guest.get(reverse("profile")).status_code == 200


@pytest.mark.rule("O9")
def test_elsewhere_than_in_a_hall_accounts_are_used_from_everywhere_o9(anna: Player) -> None:
    away = Client(REMOTE_ADDR=ELSEWHERE)
    assert log_in(away, "anna").status_code == 302
    assert is_logged_in(away)


@pytest.mark.rule("O9")
def test_the_machine_itself_is_known_by_its_address_and_by_nothing_that_is_sent_o9() -> None:
    assert all(is_this_machine(address, ["Host"]) for address in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"))
    assert not any(is_this_machine(address, []) for address in (ELSEWHERE, "", "unknown", "::", "0.0.0.0", "localhost"))
    for header in ("X-Forwarded-For", "forwarded", "Via", "X-Real-IP", "X-Forwarded-Host"):
        assert not is_this_machine("127.0.0.1", ["Host", header])


@pytest.mark.rule("O9")
@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ({"HOST": "0.0.0.0"}, True),
        ({"HOST": "192.168.1.20"}, True),
        ({"HOST": "127.0.0.1"}, False),
        ({"HOST": "::1"}, False),
        ({"HOST": "0.0.0.0", "HTTPS": "1"}, False),
        ({"HOST": "10.0.0.5", "ENVIRONMENT": "production"}, False),
    ],
)
def test_the_supervisor_says_when_a_network_reads_along_o9(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], plain: bool
) -> None:
    def read() -> Environment:
        for name in ("HOST", "HTTPS", "ENVIRONMENT"):
            monkeypatch.delenv(name, raising=False)
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        return read_environment.__wrapped__()

    assert shows_plain_network(read()) is plain
    monkeypatch.setenv("PLAIN_NETWORK", "1")
    if not plain and given["HOST"] not in ("127.0.0.1", "::1"):
        assert not read().plain_network, "neither production nor https"


@pytest.mark.rule("O9")
@pytest.mark.django_db(transaction=True)
def test_over_real_connections_pages_and_sockets_ask_who_connects_o9(live_site: Site, hall: None, anna: Player) -> None:
    annas, path = sign_in(anna), reverse("account_login")
    assert ask_from(live_site, path) == 200
    assert ask_from(live_site, path, x_forwarded_for=ELSEWHERE) == 403
    assert ask_from(live_site, path, x_forwarded_for="127.0.0.1") == 403
    for source in find_lan_addresses():
        assert ask_from(live_site, path, source) == 403
        assert ask_from(live_site, path, source, x_forwarded_for="127.0.0.1", host="localhost") == 403
        assert ask_from(live_site, reverse("home"), source) == 200
    cookies = join_cookies(annas)
    assert ask_from(live_site, reverse("organiser-home"), cookie=cookies) == 200
    assert ask_from(live_site, reverse("organiser-home"), cookie=cookies, x_forwarded_for=ELSEWHERE) == 302
    with open_socket(live_site, annas) as here:
        assert receive(here)["t"] == "hello"
    with pytest.raises(InvalidStatus), open_socket(live_site, annas, more={"X-Forwarded-For": ELSEWHERE}):
        pass
