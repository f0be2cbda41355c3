"""The site on a telephone (U4): installed beside its apps, told of a table while no page is open, useful offline.

A Chromium with a folder of its own, as a telephone has; the one without windows knows no notifications. Its push
service can't be reached here: one of this machine stands in its place. What that gets is read with the browser's keys
and handed to the worker, as the browser would.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Error, Page, Playwright, expect

from config import web_app
from games.services import seating
from players import presence
from players.models import Player, PushDevice, User
from tests.browser.conftest import FLAGS, WHOLE
from tests.browser.windows import TIMEOUT
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.mail import open_bar_table
from tests.support.people import sign_in
from tests.support.push import Subscriber, send_due
from tests.support.receivers import ReceivingServer, receiving, statuses, write_certificates
from tests.support.tables import again, opened
from tests.support.tournaments import KO
from tests.support.waiting import until
from tournaments.models import Tournament
from tournaments.organise import lifecycle

pytestmark = [pytest.mark.rule("U4")]

# In the place of the browser's own service, which is out there: keeps a subscription as a browser does.
SERVICE = """
const given = %s;
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const build = (key) => ({
  endpoint: given.endpoint,
  options: { applicationServerKey: bytes(key).buffer },
  getKey: (name) => bytes(given[name]).buffer,
  unsubscribe: async () => localStorage.removeItem("subscribed") ?? true,
});
PushManager.prototype.getSubscription = async () => {
  const key = localStorage.getItem("subscribed");
  return key ? build(key) : null;
};
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  localStorage.setItem("subscribed", applicationServerKey);
  return build(applicationServerKey);
};
"""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(({ title, body, tag, lang }) => ({ title, body, tag, lang }));
}"""
KEPT = """async () => {
  const kept = {};
  for (const name of await caches.keys())
    kept[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  return kept;
}"""
# What a tap on a notification does, but for the window: a browser opens one only for a finger.
TAP = """async () => {
  const opened = [];
  self.clients.openWindow = async (url) => opened.push(new URL(url).pathname);
  const [notification] = await self.registration.getNotifications();
  if (!notification) return null;
  const tap = new NotificationEvent("notificationclick", { notification });
  const ended = new Promise((resolve) => { tap.waitUntil = (work) => resolve(work); });
  self.dispatchEvent(tap);
  await ended;
  return { opened, left: (await self.registration.getNotifications()).length };
}"""


LAUNCHES = 3  # a Chromium with windows and no screen now and then dies before it has opened


def launch_telephone(playwright: Playwright, folder: Path, url: str) -> BrowserContext:
    """Launch a Chromium that keeps what it is told in this folder."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch_persistent_context(
        folder,
        executable_path=str(WHOLE),
        args=[*FLAGS, *sandbox],
        base_url=url,
        locale="it-IT",
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        permissions=["notifications"],
        service_workers="allow",
    )


@pytest.fixture(scope="module")
def launched(
    playwright: Playwright, base_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """The telephone that all tests here have in hand, one after the other."""
    context = None
    for _launch in range(1, LAUNCHES):
        with suppress(Error):
            context = launch_telephone(playwright, tmp_path_factory.mktemp("profile"), base_url)
            break
    context = context or launch_telephone(playwright, tmp_path_factory.mktemp("profile"), base_url)
    context.set_default_timeout(TIMEOUT)
    yield context
    context.close()


@pytest.fixture
def telephone(live_site: live.Site, launched: BrowserContext) -> Iterator[BrowserContext]:
    """A telephone that knows nothing of the site."""
    presence.forget_here()
    yield launched
    blank = launched.new_page()
    for page in launched.pages:
        if page is not blank:
            page.close()
    launched.set_offline(False)  # only now: a page that is just coming back doesn't let itself be closed
    launched.clear_cookies()
    tools = launched.new_cdp_session(blank)
    tools.send("ServiceWorker.enable")
    tools.send("ServiceWorker.unregister", {"scopeURL": f"{live_site.url}/"})
    tools.send("ServiceWorker.stopAllWorkers")
    wait_while_heard(blank, lambda: not launched.service_workers, what="its worker gone")
    tools.send("Storage.clearDataForOrigin", {"origin": live_site.url, "storageTypes": "all"})  # no worker adds to it
    presence.forget_here()


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[ReceivingServer]:
    """A push service on this machine, which the site may reach."""
    settings.OUTGOING_OPEN = True
    monkeypatch.setenv("SSL_CERT_FILE", str(write_certificates(tmp_path)))
    with receiving(tmp_path, statuses(201)) as server:
        yield server


def sign_in_on(telephone: BrowserContext, player: Player, url: str) -> None:
    session = sign_in(player).cookies["sessionid"].value
    telephone.add_cookies([{"name": "sessionid", "value": session, "url": url}])


def wait_for_worker(page: Page) -> None:
    """Wait until the worker answers for this page."""
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def publish_cup(organiser: Player) -> Tournament:
    """A tournament tomorrow, open to all."""
    settings = replace(KO, name="Coppa di domani", starts_at=timezone.now() + timedelta(days=1))
    made = lifecycle.create_tournament(organiser=organiser, settings=settings, now=timezone.now())
    return lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=timezone.now())


def deliver(telephone: BrowserContext, page: Page, url: str, text: str) -> list[dict[str, str]]:
    """Hand a message to the worker, as the browser does once it has decrypted it; return what it shows then.

    The browser's tools hand it over once, and not at all to a worker that is just being stopped: so it is done again
    until something is shown. A message that comes twice takes its own place.
    """
    cdp = telephone.new_cdp_session(page)
    known: list[dict[str, Any]] = []
    cdp.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    cdp.send("ServiceWorker.enable")
    wait_while_heard(page, lambda: bool(known), what="the worker's registration")
    message = {"origin": url, "registrationId": known[-1]["registrationId"], "data": text}

    def hand_over() -> list[dict[str, str]]:
        cdp.send("ServiceWorker.deliverPushMessage", message)
        with suppress(AssertionError):
            return until(lambda: page.evaluate(SHOWN), seconds=5)
        return []

    shown = until(hand_over, seconds=60, what="the message on the screen")
    cdp.detach()
    return shown


def wait_while_heard(page: Page, condition: Callable[[], bool], *, what: str) -> None:
    """Wait for what the browser tells, which it does only while it is waited for."""

    def listen() -> bool:
        page.wait_for_timeout(20)
        return condition()

    until(listen, seconds=60, what=what)


def test_a_telephone_can_put_the_site_beside_its_apps(telephone: BrowserContext, live_site: live.Site) -> None:
    page = telephone.new_page()
    heard = collect_complaints(page)
    page.goto("/")
    wait_for_worker(page)
    cdp = telephone.new_cdp_session(page)
    assert cdp.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = cdp.send("Page.getAppManifest")
    assert (manifest["url"], manifest["errors"]) == (f"{live_site.url}/manifest.webmanifest?lingua=it", [])
    (worker,) = telephone.service_workers
    assert worker.url == f"{live_site.url}/sw.js?lingua=it"
    assert heard == []


def test_offline_the_page_says_so_shows_what_is_known_and_comes_back_by_itself(
    telephone: BrowserContext, live_site: live.Site, anna: Player, bruno: Player
) -> None:
    sign_in_on(telephone, anna, live_site.url)
    cup = publish_cup(bruno)
    match = opened([anna, bruno], timezone.now())
    page = telephone.new_page()
    page.goto(reverse("tournament", args=[cup.public_id]))
    wait_for_worker(page)  # a page that is only coming while the worker starts is never its own
    page.goto(reverse("table", args=[match.public_id]))
    telephone.set_offline(True)
    page.goto("/regole/")
    expect(page.locator("h1")).to_have_text("Senza rete")
    expect(page.locator("#tables a")).to_have_text(["Finale"])
    expect(page.locator("#tables a")).to_have_attribute("href", reverse("table", args=[match.public_id]))
    expect(page.locator("#tournaments li")).to_have_count(1)
    expect(page.locator("#tournaments a")).to_have_text("Coppa di domani")
    expect(page.locator("#tournaments time")).to_be_visible()
    expect(page.locator("#nothing")).to_be_hidden()
    page.locator("#again").click()
    expect(page.locator("#tried")).to_have_text("Ancora niente. Riprovo fra poco.")
    telephone.set_offline(False)
    expect(page.locator("main[data-alive]")).to_have_count(0)
    assert page.url == f"{live_site.url}/regole/", "the page that was wanted"


def test_the_offline_page_speaks_the_language_that_was_chosen(telephone: BrowserContext) -> None:
    page = telephone.new_page()
    page.goto("/")
    wait_for_worker(page)
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")

    def is_english() -> bool:
        return any("lingua=en" in worker.url for worker in telephone.service_workers)

    wait_while_heard(page, is_english, what="the English worker")
    page.wait_for_function("() => navigator.serviceWorker.controller?.scriptURL.endsWith('lingua=en')")
    telephone.set_offline(True)
    page.goto("/regole/")
    expect(page.locator("main[data-alive]")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_browser_keeps_one_page_that_is_everybodys_and_its_files(
    telephone: BrowserContext, live_site: live.Site, anna: Player, bruno: Player
) -> None:
    sign_in_on(telephone, anna, live_site.url)
    match = opened([anna, bruno], timezone.now())
    page = telephone.new_page()
    page.goto("/")
    wait_for_worker(page)
    for path in (reverse("table", args=[match.public_id]), "/profilo/", "/sala/", "/api/v1/tournaments/", "/"):
        page.goto(path)
    kept: dict[str, list[str]] = page.evaluate(KEPT)
    (paths,) = kept.values()
    assert sorted(paths) == sorted(["/senza-rete/", *map(static, web_app.KEPT_FILES)])
    offline = page.evaluate("async () => (await (await caches.match('/senza-rete/?lingua=it')).text())")
    assert anna.name not in offline
    assert anna.public_id not in offline
    notes = json.loads(page.evaluate("() => localStorage.getItem('smazzata-notes')"))
    assert set(notes) == {"reader", "tables", "tournaments"}
    assert [set(note) for note in notes["tables"]] == [{"url", "title", "at"}]
    page.goto("/account/logout/")
    page.locator("main form button[type=submit]").click()
    expect(page.locator("body")).not_to_have_attribute("data-reader", anna.public_id)
    page.wait_for_function("() => JSON.parse(localStorage.getItem('smazzata-notes')).tables.length === 0")


def test_a_new_worker_takes_the_old_ones_place_at_once_with_nothing_left_of_it(
    telephone: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = telephone.new_page()
    page.goto("/")
    wait_for_worker(page)
    (before,) = page.evaluate(KEPT)
    draw = web_app._draw_offline
    monkeypatch.setattr(web_app, "_draw_offline", lambda language: draw(language).replace("Senza rete", "Niente rete"))
    web_app.build_worker.cache_clear()

    def is_replaced() -> bool:
        """Look for a new worker as each page does: the first look may join one that began with the page itself."""
        page.evaluate("async () => { await (await navigator.serviceWorker.ready).update(); }")
        return before not in page.evaluate(KEPT)

    try:
        wait_while_heard(page, is_replaced, what="the old worker's files gone")
        assert len(page.evaluate(KEPT)) == 1
        telephone.set_offline(True)
        page.goto("/regole/")
        expect(page.locator("h1")).to_have_text("Niente rete")
    finally:
        web_app.build_worker.cache_clear()


def test_a_tap_on_the_message_of_an_open_table_leads_there(
    telephone: BrowserContext, live_site: live.Site, service: ReceivingServer, anna: Player, bruno: Player
) -> None:
    sign_in_on(telephone, anna, live_site.url)
    subscriber = Subscriber(service.build_url("/push/telephone", host="127.0.0.1"))
    page = telephone.new_page()
    page.add_init_script(SERVICE % json.dumps(subscriber.given))
    heard = collect_complaints(page)
    page.goto("/profilo/dispositivi/")
    expect(page.locator("[data-when=off]")).to_be_visible()
    page.locator("#push-on").click()
    expect(page.locator("[data-when=on]")).to_be_visible()
    expect(page.locator("[data-this]")).to_be_visible()
    assert PushDevice.objects.get().user_id == anna.user_id
    assert page.evaluate(SHOWN) == [
        {
            "title": "Gli avvisi sono accesi",
            "body": "Arrivano così: un tocco, e sei al tavolo.",
            "tag": "on",
            "lang": "",
        }
    ]
    page.evaluate("async () => (await (await navigator.serviceWorker.ready).getNotifications())[0].close()")
    wait_while_heard(page, lambda: page.evaluate(SHOWN) == [], what="the first message gone")
    assert heard == []

    page.goto("about:blank")  # no page of the site is open
    until(lambda: presence.find_watching(timezone.now()) == set(), what="nobody looks")
    match = open_bar_table(timezone.now(), anna, bruno)
    assert send_due(timezone.now()) == 1
    text = subscriber.decrypt(service.received[0].body).decode()
    path = reverse("table", args=[match.public_id])
    page.goto("/regole/")
    told = {"title": "Il tuo tavolo è aperto", "body": "Coppa del bar", "tag": path, "lang": "it"}
    assert deliver(telephone, page, live_site.url, text) == [told]
    (worker,) = telephone.service_workers
    # One that came twice is gone while it takes its own place, and may come after the tap.
    until(lambda: worker.evaluate(TAP) == {"opened": [path], "left": 0}, what="the tap leads to the table")


def test_a_device_is_taken_away_with_its_browsers_own_subscription(
    telephone: BrowserContext, live_site: live.Site, service: ReceivingServer, anna: Player
) -> None:
    sign_in_on(telephone, anna, live_site.url)
    page = telephone.new_page()
    page.add_init_script(SERVICE % json.dumps(Subscriber(service.build_url(host="127.0.0.1")).given))
    page.goto("/profilo/dispositivi/")
    page.locator("#push-on").click()
    expect(page.locator("[data-this]")).to_be_visible()
    page.locator("[data-device] button").click()
    expect(page.locator("[data-notice=device_removed]")).to_be_visible()
    expect(page.locator("[data-when=off]")).to_be_visible()
    assert page.evaluate("() => localStorage.getItem('subscribed')") is None
    assert not PushDevice.objects.exists()


def test_what_the_server_refuses_is_said_on_the_page_and_permission_is_asked_only_at_a_click(
    telephone: BrowserContext, live_site: live.Site, anna: Player
) -> None:
    sign_in_on(telephone, anna, live_site.url)
    page = telephone.new_page()
    page.add_init_script(SERVICE % json.dumps(Subscriber("https://127.0.0.1/inside").given))
    page.add_init_script(
        "window.asked = 0; Notification.requestPermission = async () => { window.asked += 1; return 'granted'; }"
    )
    for path in ("/", "/sala/", "/profilo/dispositivi/"):
        page.goto(path)
        assert page.evaluate("() => window.asked") == 0
    expect(page.locator("[data-when=off]")).to_be_visible()
    page.locator("#push-on").click()
    expect(page.locator("#push-said")).to_have_text("Questo browser ha un servizio di avvisi che qui non si può usare.")
    assert page.evaluate("() => window.asked") == 1
    expect(page.locator("#push-on")).to_be_enabled()
    assert not PushDevice.objects.exists()


def test_a_page_that_is_hidden_is_not_looked_at(telephone: BrowserContext, live_site: live.Site, anna: Player) -> None:
    def looks() -> bool:
        return anna.pk in (presence.find_watching(timezone.now()) or set())

    sign_in_on(telephone, anna, live_site.url)
    page = telephone.new_page()
    page.goto("/sala/")
    wait_while_heard(page, looks, what="somebody who looks")
    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    wait_while_heard(page, lambda: not looks(), what="nobody who looks")
    assert anna.pk in (presence.find_here(timezone.now()) or set())


@pytest.mark.parametrize("wanted", [True, False])
def test_the_telephone_vibrates_at_ones_turn_if_one_wants(
    telephone: BrowserContext, live_site: live.Site, anna: Player, bruno: Player, wanted: bool
) -> None:
    User.objects.filter(pk=anna.user_id).update(vibration=wanted)
    sign_in_on(telephone, anna, live_site.url)
    match = opened([bruno, anna], timezone.now(), noshow_after=None, turn_timeout=None, match_clock=None)
    page = telephone.new_page()
    page.add_init_script("window.felt = []; navigator.vibrate = (way) => window.felt.push(way) > 0;")
    page.goto(reverse("table", args=[match.public_id]))
    expect(page.locator("#table")).to_have_attribute("data-line", "open")
    page.locator("#score").click()  # a finger was on the page
    sit_down(match.pk, bruno)
    expect(page.locator("#table")).to_have_attribute("data-turn", "mine")
    page.wait_for_function("() => document.title.startsWith('●')")
    assert again(match).turn_seat == 1
    assert page.evaluate("() => window.felt") == ([[70, 90, 70]] if wanted else [])


def sit_down(match_id: int, player: Player) -> None:
    seating.sit_down(match_id=match_id, player_id=player.pk, token="t", now=timezone.now)
