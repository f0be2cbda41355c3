"""Every page, message, mail and frame, spoken in brackets: no word reaches people that isn't in the catalogues."""

import re
from collections import Counter
from datetime import datetime, time, timedelta
from zoneinfo import available_timezones

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from django.utils import translation

from games import table_views
from games import wording as games
from games import wording as games_words
from games.models import FreeTable, Match, Seek
from games.rules import RULESETS
from players import wording as players
from players.models import WISHES, Player
from players.services.players import create_guest
from scoring.standings import TieBreakReason
from tests.languages import pseudo
from tests.languages.extraction import said as messages_said
from tests.languages.pages import has_errors, read_body, read_raw
from tests.languages.pseudo import raw_words
from tests.languages.world import House
from tests.support.entries import find_invitation
from tests.support.people import sign_in
from tests.support.thorough import tries
from tournaments.clubs import wording as clubs
from tournaments.clubs.actions import CLUB_CODES
from tournaments.core import dates, refusals, wording
from tournaments.core.errors import CODES
from tournaments.core.log_details import (
    ACT,
    KINDS,
    ActDetail,
    CancellationDetail,
    ClocksActDetail,
    CountDetail,
    LoggedResult,
    TimeActDetail,
)
from tournaments.core.result import NO_RESULT
from tournaments.desk.wording import describe_log_entry, name_act
from tournaments.entries.list_problems import PROBLEMS
from tournaments.entries.wording import describe_problem
from tournaments.models import Fixture, RegisterCard, RegisterLogEntry, Tournament
from tournaments.register import wording as registers
from tournaments.register.errors import REGISTER_CODES
from tournaments.register.imports import FAULTS, Fault
from tournaments.standings.wording import describe_lead, describe_outcome

COUNTED = ("approved", "moved_up", "not_checked_in", "entered_by_list")
SEPARATIONS = ("vp", "direct", "mp", "won", "lot", "equal", "round", "qualified", "left", "group_place", "vp_average")

pytestmark = pytest.mark.django_db

# Addresses that are files, or for programs and the site's own staff.
OTHERS = ("/static/", "/api/", "/admin/")
FILES = (".csv", ".xlsx", ".json", ".ics")
# Pages that say the same to everybody: one reader's are enough.
ALIKE = ("/stampa/", "/qr/", "/regole/", "/smazzate/")
# Lists to choose from: places, and languages, each by its own name.
LISTED = available_timezones() | {"Italiano", "English", "Pseudo"}

OF_ONE_VIEW = tries(8, 10_000)  # pages that one reader opens, but of each tournament, which differ and lead to others


def crawl(
    client: Client, names: set[str], start: tuple[str, ...], read: set[str]
) -> tuple[set[str], dict[str, set[str]]]:
    """Follow every link from ``start``; the pages seen, and the raw words of each that has some. What is alike for
    everybody and was ``read`` isn't opened again, nor are more than a few pages that one view gives."""
    todo, raw, opened = list(start), {}, Counter[str]()
    seen = {*start, *(path for path in read if any(part in path for part in ALIKE))}
    while todo:
        address = todo.pop()
        view = resolve(address.partition("?")[0]).view_name
        opened[view] += 1
        if opened[view] > OF_ONE_VIEW and view != "tournament":
            continue
        answer = client.get(address)
        if answer.status_code in (301, 302):
            links = [answer.headers["Location"]]
        else:
            assert answer.status_code == 200, address
            if not answer.headers["Content-Type"].startswith("text/html"):
                continue
            stray, links = pseudo.read(read_body(answer), names)
            if stray:
                raw[address] = stray
        for link in links:
            path = link.partition("#")[0]
            if path not in seen and not path.startswith(OTHERS) and not path.partition("?")[0].endswith(FILES):
                seen.add(path)
                todo.append(path)
    return seen, raw


@pytest.mark.timeout(600)
def test_every_page_anybody_can_reach_speaks_the_readers_language(house: House, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    names = house.names() | LISTED
    seen: set[str] = set()
    for reader in (None, guest, house.four[0], house.irma, house.teresa):
        addresses, raw = crawl(sign_in(reader), names, ("/", reverse("preferences"), reverse("tournament-new")), seen)
        assert raw == {}, reader
        seen |= addresses
    wanted = [reverse("table", args=[match.public_id]) for match in Match.objects.exclude(status="finished")]
    wanted += [
        reverse("match-result", args=[match.public_id])
        for match in Match.objects.filter(status="finished", fixture__isnull=False)
    ]
    wanted += [
        reverse(name) for name in ("invitations", "profile", "sessions", "account-delete", "privacy", "account_email")
    ]
    wanted += [reverse(name) for name in ("account_login", "account_signup", "account_reset_password")]
    wanted += [reverse("tournament-edit", args=[house.draft.public_id]), reverse("pair", args=[house.pairs.public_id])]
    wanted += [reverse("tournament-seeds", args=[house.seeded.public_id])]
    wanted += [reverse("free-table", args=[FreeTable.objects.get().public_id]), reverse("free-table-new")]
    dealt = Match.objects.filter(status="finished", deals__isnull=False, fixture__isnull=False).distinct()
    wanted += [reverse("match-replay", args=[match.public_id, 1]) for match in dealt]
    wanted += [reverse("rules"), reverse("records"), reverse("decks"), reverse("deck-register"), reverse("fair-deals")]
    equal = Tournament.objects.get(name="Coppa Uguale").public_id
    wanted += [reverse("equal-deals", args=[equal]), reverse("traveller", args=[equal, 1])]
    fours = Tournament.objects.get(team_tables=2, equal_deals=True, state="finished").public_id
    wanted += [reverse("team-match", args=[fours, 1, 1]), reverse("standings", args=[fours])]
    wanted += [reverse("clubs"), reverse("club-new"), reverse("organiser-home"), reverse("calendar-page")]
    wanted += [reverse(name, args=[house.club.public_id]) for name in ("club", "club-edit")]
    cards = [
        reverse("register-card", args=[house.club.public_id, card.public_id]) for card in RegisterCard.objects.all()
    ]
    wanted += [
        reverse(name, args=["mio"]) for name in ("register", "register-card-new", "register-import", "register-log")
    ]
    wanted += [reverse("register", args=[house.club.public_id]), *cards]
    wanted += [reverse("series-new"), reverse("series-edit", args=[house.series.public_id])]
    wanted += [reverse(name, args=[house.asked.public_id]) for name in ("tournament-entries", "tournament-import")]
    assert set(wanted) - {address.partition("?")[0] for address in seen} == set(), "nothing leads there"
    direct = [reverse(name, args=[house.ruled.public_id]) for name in ("standings", "tournament-qr", "referees")]
    direct += [
        reverse("standings-of", args=[house.ruled.public_id, 1]),
        reverse("tournament-desk", args=[house.live.public_id]),
    ]
    direct += [reverse("tournament-embed", args=[house.ruled.public_id])]
    direct += [
        reverse("tournament-print", args=[house.ruled.public_id, what])
        for what in ("iscritti", "incontri", "tabellone", "classifica")
    ]
    sure = Fixture.objects.filter(round__tournament=house.live, match__status="playing").get()
    direct += [reverse(name, args=[house.live.public_id, sure.pk]) for name in ("desk-fixture", "desk-record")]
    direct += [reverse("rules-of", args=[game]) for game in RULESETS]
    for address in direct:
        assert pseudo.read(read_body(sign_in(house.teresa).get(address)), names)[0] == set(), address


def test_a_table_and_the_page_of_a_link_speak_the_readers_language(house: House) -> None:
    names = house.names()
    for match in Match.objects.filter(fixture__round__tournament=house.live):
        for reader in (None, *house.four):
            answer = sign_in(reader).get(reverse("table", args=[match.public_id]))
            if answer.status_code == 200:
                assert read_raw(answer, names) == set()
    link = reverse("pair-link", args=[house.pairs.public_id, house.pairs.entries.exclude(token="").get().token])
    gone = reverse("pair-link", args=[house.pairs.public_id, "nienteniente"])
    for reader in (None, house.four[2], house.four[3]):
        for address in (link, gone):
            assert read_raw(sign_in(reader).get(address), names) == set()


def test_forms_say_what_is_wrong_in_the_readers_language(house: House) -> None:
    names = house.names() | {"typed", "http", "https"}
    anna, dino = house.four[0], house.four[3]
    long = "x" * 300
    forms: list[tuple[Player | None, str, dict[str, str]]] = [
        (None, "account_signup", {}),
        (None, "account_signup", {"username": "x", "password1": "1", "password2": "2", "email": "no"}),
        (None, "account_signup", {"username": "Anna", "password1": "12345678", "password2": "12345678"}),
        (None, "account_signup", {"username": long, "email": f"{long}@example.org", "password1": long}),
        (None, "account_login", {}),
        (None, "account_login", {"login": "Anna", "password": "sbagliata-di-molto"}),
        (None, "account_reset_password", {"email": "no"}),
        (None, "account_reset_password", {}),
        (dino, "account_change_password", {"oldpassword": "no", "password1": "Dino", "password2": "no"}),
        (dino, "account_email", {"email": "no", "password": "no"}),
        (dino, "preferences", {"language": "klingon", "time_zone": "Nowhere"}),
        (dino, "account-delete", {"password": "no"}),
        (house.teresa, "tournament-new", {"name": ""}),
        (house.teresa, "tournament-new", {"name": long, "length_value": "no", "max_entries": "1", "start": "at"}),
    ]
    whole = {
        **{"name": "typed", "ruleset": "scopa", "seats_an_entry": "1", "format": "girone", "length_kind": "points"},
        **{"length_value": "12", "noshow_after": "300", "start": "full", "min_entries": "2", "max_entries": "4"},
        **{"turn_timeout": "60", "match_clock": "900", "seeding": "lot", "tie_break": "standard", "publish": ""},
    }
    for changed in (
        {},
        {"format": "ko", "turn_timeout": "", "match_clock": ""},
        {"format": "ko", "min_entries": "9"},
        {"format": "ko", "start": "at", "starts_at": "2020-01-01T10:00"},
        {"format": "ko", "seeding": "organiser"},
        {"name": "\u202e\u200b"},
    ):
        forms.append((house.teresa, "tournament-new", {**whole, **changed}))
    for reader, name, data in forms:
        answer = sign_in(reader).post(reverse(name), data)
        assert answer.status_code == 200, (name, data)
        assert has_errors(answer), (name, data)
        assert read_raw(answer, names | LISTED) == set(), (name, data)

    for reader, name, tournament, data in (
        (anna, "pair", house.pairs, {"partner": ""}),
        (anna, "pair", house.pairs, {"partner": "Nessuno", "comunque": "1"}),  # warned of her other tournaments
        (anna, "pair", house.pairs, {"partner": long}),
        (house.teresa, "tournament-seeds", house.seeded, {f"entry-{house.seeded.entries.first().pk}": "abc"}),
        (house.teresa, "tournament-edit", house.draft, {**whole, "name": ""}),
        (house.teresa, "tournament-cancel", house.asked, {"reason": ""}),
    ):
        answer = sign_in(reader).post(reverse(name, args=[tournament.public_id]), data)
        assert has_errors(answer), (name, data)
        assert read_raw(answer, names | LISTED) == set(), (name, data)


def test_what_was_done_or_refused_is_said_in_the_readers_language(house: House) -> None:
    names = house.names()
    anna, bruno, carla, dino = house.four
    acts = (
        (dino, "pair-house", house.pairs, {}),
        (bruno, "pair-answer", house.pairs, {"si": "", "entry": str(house.pairs.entries.get(invited=bruno).pk)}),
        (bruno, "pair-answer", house.pairs, {"no": "", "entry": "1"}),
        (house.irma, "invitation-answer", house.asked, {"si": "", "invitation": "1"}),
        (
            house.irma,
            "invitation-answer",
            house.asked,
            {"mai": "", "invitation": str(find_invitation(house.asked, house.irma).pk)},
        ),
        (dino, "tournament-join", house.timed, {}),
        (dino, "tournament-leave", house.timed, {}),
        (anna, "tournament-cancel", house.timed, {}),
        (carla, "pair", house.pairs, {"link": ""}),
        (None, "tournament-join", house.timed, {}),
        (house.teresa, "tournament-publish", house.draft, {}),
        (house.teresa, "tournament-house", house.draft, {}),
        (house.teresa, "tournament-cancel", house.draft, {}),
    )
    for reader, name, tournament, data in acts:
        answer = sign_in(reader).post(reverse(name, args=[tournament.public_id]), data, follow=True)
        assert read_raw(answer, names) == set(), name
    for name, data in (("preferences", {"language": ""}), ("sessions-end", {}), ("account_logout", {})):
        answer = sign_in(dino).post(reverse(name), data, follow=True)
        assert read_raw(answer, names | LISTED) == set(), name
    answer = Client().post(reverse("play-offer"), follow=True)  # the house keeps no offer here
    assert read_raw(answer, house.names()) == set()
    guest = Client()
    answer = guest.post(reverse("play-now"), follow=True)
    assert read_raw(answer, house.names() | {Seek.objects.get().player.name}) == set()


def test_pages_of_what_goes_wrong_speak_the_readers_language(brackets: None) -> None:
    assert read_raw(Client().get("/tornei/nessuno/"), set()) == set()
    assert read_raw(Client(enforce_csrf_checks=True).post(reverse("play-now")), set()) == set()
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with translation.override(pseudo.CODE):
        for name in ("403.html", "405.html", "429.html", "500.html"):
            assert read_raw(HttpResponse(render_to_string(name, request=request)), set()) == set(), name


def test_no_frame_of_a_table_holds_words(house: House, now: datetime) -> None:
    """Names people gave, codes and addresses: what they mean is said by the page, in its reader's language."""
    for match in Match.objects.all():
        view = table_views.build_table_view(match, None, now)
        names = {info.pop("name") for info in view["seats"]}
        assert names <= house.names()
        codes = re.compile(r"[a-zA-Z0-9_]*|\w+/\d+|/[\w/]+|play [\w ]+")
        assert [text for text in pseudo.strings(view) if not codes.fullmatch(text)] == []


def test_every_code_has_words_in_the_readers_language(brackets: None) -> None:
    values: dict[str, object] = {name: 3 for _, text, _ in messages_said() for name in re.findall(r"%\((\w+)\)", text)}
    values["allowed"] = [("points", 11), ("points", 21), ("deals", 1)]
    values["about"] = "length"
    values["fixtures"] = [("final", 2, 1), ("round", 1, 3)]
    values["wait"] = timedelta(hours=3)
    values |= {"stored": LoggedResult(over=False, playing=True, annulled=False, result=NO_RESULT), "names": ("A", "B")}
    with translation.override(pseudo.CODE):
        texts = [refusals.describe_refusal(code, values) for code in CODES]
        texts += [text for pair in wording.list_notices().values() for text in pair]
        texts += [describe_log_entry("cancelled", CancellationDetail(because="too_few_entries"))]
        texts += [
            describe_log_entry("house_joined", CountDetail(count=3)),
            wording.describe_separation("direct", 12, 8),
        ]
        texts += [games_words.describe_duration(None), games_words.describe_duration(90)]
        tables = {name for name in dir(games) if name.isupper()} - {"RANKS", "SUITS", "FRENCH"}  # those are codes
        texts += [str(text) for name in tables for text in _texts(getattr(games, name))]
        texts += [
            players.describe_frame_error(code)
            for code in ("malformed", "too_long", "unknown", "unavailable", "internal")
        ]
        waits = (timedelta(minutes=1), timedelta(minutes=7), timedelta(hours=1), timedelta(hours=3))
        texts += [
            players.describe_crowd(code, wait) for code in ("too_many_guests", "too_many_signups") for wait in waits
        ]
        texts += [players.describe_throttling(wait) for wait in waits]
        texts += [games.describe_lobby_refusal("too_many_tables", wait) for wait in waits]
        assert raw_words(texts) == set()
        assert all(pseudo.OPEN in text for text in texts)


def test_every_word_about_lists_clubs_hours_standings_and_rulings_is_the_readers(brackets: None, now: datetime) -> None:
    numbers = {name: 3 for _, text, _ in messages_said() for name in re.findall(r"%\((\w+)\)", text)}
    with translation.override(pseudo.CODE):
        texts = [describe_problem(code, "3", 3) for code in PROBLEMS]
        texts += [clubs.describe_refusal(code, numbers) for code in CLUB_CODES]
        texts += [registers.describe_refusal(code, {**numbers, "name": 3}) for code in REGISTER_CODES]
        texts += [registers.describe_fault(Fault(1, "name", code, "3", 3)) for code in FAULTS]
        acts_of_register = [
            RegisterLogEntry(code=code)
            for code in ("added", "edited", "imported", "exported", "merged", "unmerged", "forgotten")
        ]
        texts += [registers.describe_register_act(entry) for entry in acts_of_register]
        texts += [describe(wish) for wish in WISHES for describe in (players.name_wish, players.describe_wish)]
        texts += [describe_log_entry(code, CountDetail(count=n)) for code in COUNTED for n in (1, 2)]
        acts = {code.removeprefix(ACT) for code in KINDS if code.startswith(ACT)} - {"time"}
        texts += [name_act(code, ActDetail()) for code in acts]
        texts += [name_act(code, ClocksActDetail(count=n, all=True)) for code in ("pause", "resume") for n in (0, 1, 2)]
        texts += [name_act("time", TimeActDetail(minutes=n, before=None, after=None)) for n in (1, 2)]
        texts += [dates.describe_weekly(3, time(21), zone) for zone in ("", "3/3")]
        texts += [
            dates.describe_hour_elsewhere(now, "3/3"),
            dates.describe_hour(now),
            dates.describe_series_trouble("not_of_club"),
        ]
        texts += [describe_lead(TieBreakReason(code, 3, 2), "3") for code in SEPARATIONS]
        texts += [describe_outcome(code) for code in ("won", "given", "nobody", "annulled")]
        assert raw_words(texts) == set()
        assert [text for text in texts if pseudo.OPEN not in text] == []


def _texts(words: object) -> list[object]:
    if isinstance(words, dict):
        return [text for value in words.values() for text in _texts(value)]
    if isinstance(words, int):
        return []
    return [text for word in words for text in _texts(word)] if isinstance(words, tuple) else [words]


def test_the_crawl_would_see_a_forgotten_word(brackets: None) -> None:
    with translation.override(pseudo.CODE):
        good = '<html lang="xx"><p title="⟦Vinte⟧">⟦Ciao <b>Anna</b>⟧, 3–1</p><button lang="it">Italiano</button>'
        assert pseudo.read(good) == (set(), [])
        assert pseudo.read("<p>⟦Ciao⟧ Anna</p>", {"Anna"}) == (set(), [])
        assert pseudo.read("<p>⟦Ciao⟧ Anna</p>")[0] == {"Anna"}
        assert pseudo.read('<p title="Vinte">⟦Ciao⟧</p>')[0] == {"Vinte"}
        assert pseudo.read('<script type="application/json">{"a": ["⟦b⟧", "Gioca"]}</script>')[0] == {"Gioca"}
        assert pseudo.read("<svg><use/></svg><code>abc</code><p>fuori</p>")[0] == {"fuori"}
        assert str(games.RULESET_NAMES["scopa"]) == "⟦Scopa⟧"
