"""Every page, form and message of a house in brackets: no word reaches people that isn't in the catalogues."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import table_views
from games.models import FreeTable, Match, Seek
from players.models import Player
from tests.crawl.walk import LISTED, Crawl
from tests.languages import pseudo
from tests.languages.pages import has_errors, read_raw
from tests.languages.world import House
from tests.support.entries import find_invitation
from tests.support.people import sign_in
from tests.support.thorough import tries
from tournaments.models import RegisterCard, Tournament

pytestmark = pytest.mark.django_db


def test_every_page_speaks_the_readers_language(crawl: Crawl) -> None:
    assert {str(page): page.stray for page in crawl.list_pages() if page.stray} == {}
    assert len(crawl.list_pages()) > 300


@pytest.fixture
def wanted(house: House) -> list[str]:
    """Addresses of pages to which some page has to lead."""
    plain = ("invitations", "profile", "sessions", "account-delete", "privacy", "account_email", "account_login")
    plain += ("account_signup", "account_reset_password", "rules", "records", "decks", "deck-register", "fair-deals")
    plain += ("clubs", "club-new", "organiser-home", "calendar-page", "series-new", "free-table-new")
    equal = Tournament.objects.get(name="Coppa Uguale").public_id
    fours = Tournament.objects.get(team_tables=2, equal_deals=True, state="finished").public_id
    club = house.club.public_id
    cards = [reverse("register-card", args=[club, card.public_id]) for card in RegisterCard.objects.all()]
    tables = Match.objects.exclude(status="finished")
    return [
        *map(reverse, plain),
        *(reverse("table", args=[match.public_id]) for match in tables),
        reverse("tournament-edit", args=[house.draft.public_id]),
        reverse("pair", args=[house.pairs.public_id]),
        reverse("tournament-seeds", args=[house.seeded.public_id]),
        reverse("free-table", args=[FreeTable.objects.get().public_id]),
        reverse("equal-deals", args=[equal]),
        reverse("traveller", args=[equal, 1]),
        reverse("team-match", args=[fours, 1, 1]),
        reverse("standings", args=[fours]),
        *(reverse(name, args=[club]) for name in ("club", "club-edit", "register")),
        *(reverse(name, args=["mio"]) for name in ("register", "register-card-new", "register-import", "register-log")),
        *cards,
        reverse("series-edit", args=[house.series.public_id]),
        *(reverse(name, args=[house.asked.public_id]) for name in ("tournament-entries", "tournament-import")),
    ]


def test_some_page_leads_to_what_people_look_for(crawl: Crawl, wanted: list[str]) -> None:
    links = crawl.list_links()
    assert [path for path in wanted if path not in links] == [], "nothing leads there"
    finished = Match.objects.filter(status="finished", fixture__isnull=False)
    results = [reverse("match-result", args=[match.public_id]) for match in finished]
    dealt = finished.filter(deals__isnull=False).distinct()
    replays = [reverse("match-replay", args=[match.public_id, 1]) for match in dealt]
    for paths in (results, replays):
        assert tries(any, all)(path in links for path in paths), "nothing leads there"


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


def test_no_frame_of_a_table_holds_words(house: House) -> None:
    """Names people gave, codes and addresses: what they mean is said by the page, in its reader's language."""
    for match in Match.objects.all():
        view = table_views.build_table_view(match, None, timezone.now())
        names = {info.pop("name") for info in view["seats"]}
        assert names <= house.names()
        codes = re.compile(r"[a-zA-Z0-9_]*|\w+/\d+|/[\w/]+|play [\w ]+")
        assert [text for text in pseudo.strings(view) if not codes.fullmatch(text)] == []
