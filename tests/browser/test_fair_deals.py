"""Browsers add to the secret of the cards, keep what they saw, and shuffle again when the match is over (J2, J7)."""

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.rigged import Sit
from tests.browser.table_state import read_chronicle
from tests.games import naive_shuffling
from tests.support.thorough import tries

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "static" / "js" / "table"
CHECK = ROOT / "docs" / "examples" / "check_deals.mjs"

KEPT = "JSON.parse(localStorage.getItem(Object.keys(localStorage).find((name) => name.startsWith('smazzata-mazzi/'))))"
WITHOUT_WEB_CRYPTO = "Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})"
EXCHANGE_TWO_CARDS = """
  const read = JSON.parse;
  JSON.parse = (text) => {
    const value = read(text);
    const swapped = (name) => ({"7d": "7c", "7c": "7d"})[name] ?? name;
    for (const deal of value?.shuffle?.secret ? value.deals : [])
      deal.deck = deal.deck.split(" ").map(swapped).join(" ");
    return value;
  };
"""
DRAW = """async (cases) => {
  const {drawLots} = await import('/decks.js');
  return Promise.all(cases.map(async (each) => Object.values(await drawLots(each))));
}"""
SHUFFLE = """async (cases) => {
  const {commit, drawDealer, shuffleDeck} = await import('/decks.js');
  return Promise.all(cases.map(async ({deal, ...shuffle}) => [
    await commit(shuffle.scope, shuffle.secret),
    await drawDealer(shuffle, 4),
    (await shuffleDeck(shuffle, deal)).join(' '),
  ]));
}"""


def seat_two(sit: Sit) -> dict[str, Page]:
    return sit(names=("Anna", "Bruno"), fair=True, ruleset="tresette", length=("deals", 1), dealer=1)


def lose(page: Page) -> None:
    page.locator("#options-open").click()
    page.locator("#abandon").click()
    page.locator("#abandon-dialog [value=abandon]").click()
    page.locator("#result-link").click()


def check(page: Page) -> None:
    page.locator("#deck-check-run").click()


@pytest.mark.rule("J2", "J7")
def test_two_browsers_add_their_numbers_and_check_the_decks_afterwards(sit: Sit, tmp_path: Path) -> None:
    pages = seat_two(sit)
    kept = {name: page.evaluate(KEPT) for name, page in pages.items()}
    anna, bruno = pages.values()
    assert kept["Anna"]["nonces"] == kept["Bruno"]["nonces"] == [kept["Anna"]["nonce"], kept["Bruno"]["nonce"]]
    assert all(len(each["nonce"]) == 32 for each in kept.values())
    assert kept["Anna"]["commitment"] == kept["Bruno"]["commitment"]
    anna.locator("#options-open").click()
    expect(anna.locator("#origin-commitment")).to_have_text(kept["Anna"]["commitment"])
    expect(anna.locator("#origin-digits")).to_have_text(kept["Anna"]["commitment"][:8])
    expect(anna.locator("#origin-nonces li")).to_have_count(2)
    assert kept["Anna"]["commitment"][:8] not in " ".join(read_chronicle(anna)), "it stands in the menu alone"
    anna.keyboard.press("Escape")
    bruno.reload()
    expect(bruno.locator("#hand .card")).to_have_count(10)
    expect(bruno.locator("#nonce-dialog")).to_be_hidden()

    lose(anna)
    expect(anna.locator("#deck-check")).not_to_have_attribute("data-checked", "agrees")
    check(anna)
    expect(anna.locator("#deck-check")).to_have_attribute("data-checked", "agrees")
    expect(anna.locator("#deck-check")).to_have_attribute("data-own", "agrees")

    anna.add_init_script(WITHOUT_WEB_CRYPTO)  # as on a page that isn't secure
    anna.reload()
    check(anna)
    expect(anna.locator("#deck-check")).to_have_attribute("data-checked", "agrees")

    with anna.expect_download() as saved:
        anna.locator("#deck-check-save").click()
    receipt = saved.value.path()
    with anna.expect_download() as saved:
        anna.locator("a[href$='verbale.json']").click()
    record = tmp_path / "record.json"
    saved.value.save_as(record)
    if shutil.which("node") is None:  # the browser's part has been seen to; the program of docs/examples needs node
        return
    assert run_script(record, receipt) == 0
    spoiled = json.loads(Path(receipt).read_text())
    Path(tmp_path / "spoiled.json").write_text(json.dumps({**spoiled, "nonces": ["", ""]}))
    assert run_script(record, tmp_path / "spoiled.json") == 1


def run_script(record: Path, receipt: Path) -> int:
    return subprocess.run(["node", CHECK, record, receipt], capture_output=True, check=False).returncode


@pytest.mark.rule("J7")
def test_a_record_that_does_not_agree_is_said_to(sit: Sit) -> None:
    anna, _bruno = seat_two(sit).values()
    anna.add_init_script(EXCHANGE_TWO_CARDS)
    lose(anna)
    check(anna)
    expect(anna.locator("#deck-check")).to_have_attribute("data-checked", "differs")


@pytest.mark.rule("J2")
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        ("kept.nonce = '0'.repeat(32)", "nonce-changed"),
        ("kept.commitment = '0'.repeat(64)", "commitment-changed"),
    ],
)
def test_a_browser_whose_own_number_is_another_plays_no_card_until_its_player_decides(
    sit: Sit, spoil: str, why: str
) -> None:
    pages = seat_two(sit)
    (page,) = [page for page in pages.values() if page.locator("#hand [data-playable]").count()]
    (other,) = [each for each in pages.values() if each is not page]
    page.evaluate(f"(() => {{ const kept = {KEPT}, name = 'smazzata-mazzi/' + kept.scope; {spoil};"
                  "localStorage.setItem(name, JSON.stringify(kept)); })()")  # fmt: skip
    page.reload()
    expect(page.locator("#nonce-dialog")).to_be_visible()
    expect(page.locator("#nonce-dialog")).to_have_attribute("data-why", why)
    expect(page.locator("#hand .card")).to_have_count(10)
    expect(page.locator("#hand [data-playable]")).to_have_count(0)
    page.locator("#nonce-accept").click()
    expect(page.locator("#hand [data-playable]").first).to_be_visible()
    page.locator("#hand [data-playable]").first.dblclick()
    expect(other.locator("#hand [data-playable]").first).to_be_visible()  # it was played
    expect(page.locator("#nonce-dialog")).to_be_hidden()


def make_cases(count: int) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """Return shuffles as the script takes them, and what another implementation makes of them."""
    dice = random.Random(7)
    cases, expected = [], []
    for _ in range(count):
        secret, scope = dice.randbytes(32), "".join(dice.choices("azAZ09/-", k=dice.randint(1, 64)))
        nonces = [dice.choice(["", dice.randbytes(16).hex()]) for _ in range(dice.randint(2, 4))]
        deal = dice.randint(0, 40)
        cases.append({"scope": scope, "secret": secret.hex(), "nonces": nonces, "deal": deal})
        dealer = naive_shuffling.dealer(secret, scope, nonces, 4)
        deck = " ".join(naive_shuffling.shuffled(secret, scope, nonces, deal))
        expected.append([naive_shuffling.commit(scope, secret), dealer, deck])
    secret, nonces = bytes(range(32)), ["0" * 32, ""]
    for deal in (0, 1, 4):  # J4
        cases.append({"scope": "abc123", "secret": secret.hex(), "nonces": nonces, "deal": deal})
        expected.append([
            naive_shuffling.commit("abc123", secret), naive_shuffling.dealer(secret, "abc123", nonces, 4),
            " ".join(naive_shuffling.shuffled(secret, "abc123", nonces, deal)),
        ])  # fmt: skip
    return cases, expected


def make_draws(count: int) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """Return draws of tournaments as the script takes them, and what another implementation makes of them (J3a)."""
    dice = random.Random(8)
    draws, expected = [], []
    for number in range(1, count + 1):
        secret, scope, size = dice.randbytes(32), f"t{number}/draw", dice.randint(1, 300)
        draws.append({"secret": secret.hex(), "scope": scope, "number": number, "numbers": [0] * size})
        lots = naive_shuffling.seeds(secret, scope, number, size), naive_shuffling.lot(secret, scope, number)
        expected.append(list(lots))
    return draws, expected


@pytest.mark.rule("J3a", "J4", "J7", "J8")
@pytest.mark.parametrize(("host", "secure"), [("localhost", True), ("hall.example", False)])
def test_the_browsers_own_shuffling_agrees_with_another_implementation(
    browser: Browser, host: str, secure: bool
) -> None:
    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name:
            route.fulfill(path=SCRIPTS / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    context = browser.new_context()
    page = context.new_page()
    page.route("**/*", serve)
    page.goto(f"http://{host}/")
    assert page.evaluate("Boolean(globalThis.crypto.subtle)") == secure
    cases, expected = make_cases(tries(60, 10_000))
    assert page.evaluate(SHUFFLE, cases) == expected
    draws, drawn = make_draws(tries(20, 1_000))
    assert page.evaluate(DRAW, draws) == drawn
    context.close()
