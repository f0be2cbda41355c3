"""Every page of the site, in the world of tests/languages/world.py: where it is, and who looks at it there.

A route is a page, or answers 405 to whoever only looks (an act), or is a file, or is in ``NO_PAGES``; one that is none
of these fails test_every_page.py.
"""

from collections.abc import Iterator
from typing import NamedTuple

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.db.models import Count
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from games.models import FreeTable, Match, Report
from games.rules import RULESETS
from players.models import WISHES, FixedPair, ModerationAct, Player, User
from players.services.mail_preferences import build_stop_path
from players.services.moderation import appeal_act, judge_player
from records.problems.actions import answer_problem
from tests.languages.world import LATE_KEY, OWN_KEY, House
from tests.support.analysis import store_analysis
from tests.support.people import create_person
from tests.support.problems import plant_problem
from tournaments.models import Circuit, Fixture, RegisterCard, Tournament

NOT_FOR_READERS = ("admin/", "api/")  # the site's own staff, and programs
FILES = (".csv", ".xlsx", ".json", ".ics", ".svg", ".zip")
NO_PAGES = {
    "healthz": "for programs",
    "readyz": "for programs",
    "robots": "for programs",
    "sitemap": "for programs",
    "favicon": "the icon",
    "manifest": "for telephones",
    "service-worker": "for browsers",
    "play-now": "leads home who only looks",
    "seek": "leads to the lobby who only looks",
    "rematch": "leads to the result",
    "style": "for whoever writes pages, in development",
    "after-match": "a piece of a table's and of a result's page",
    "showcase": "a piece of the front page",
    "tournament-invite": "leads to the tournament",
    "lesson": "leads to a step of the lesson",
    "lesson-answer": "for the script of a lesson",
    "problem-another": "leads to a problem",
    "account_set_password": "leads to the signing up",
    "account_confirm_login_code": "nobody logs in by code",
}


class Stop(NamedTuple):
    """A page: its route, its address, and whose eyes look at it: nobody's (None), a player's or the organiser's."""

    route: str
    address: str
    reader: Player | None


def _patterns(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield path, pattern
        else:
            yield from _patterns(pattern.url_patterns, path)


def pages() -> set[str]:
    """The names of all routes that lead to a page."""
    routes = set()
    for path, pattern in _patterns(get_resolver().url_patterns):
        if path.startswith(NOT_FOR_READERS) or path.endswith(FILES) or pattern.name in NO_PAGES:
            continue
        assert pattern.name, path
        routes.add(pattern.name)
    return routes


def is_act(route: str) -> bool:
    """Tell whether a page is only posted to."""
    pattern = next(candidate for _, candidate in _patterns(get_resolver().url_patterns) if candidate.name == route)
    values = dict.fromkeys(pattern.pattern.converters, "x")
    return bool(pattern.callback(RequestFactory().get("/"), **values).status_code == 405)


def named(name: str) -> Tournament:
    return Tournament.objects.get(name=f"Coppa {name}")


def fixture_of(tournament: Tournament, **about: str) -> Fixture:
    fixture = Fixture.objects.filter(round__tournament=tournament, **about).order_by("pk").first()
    assert fixture is not None
    return fixture


def stops(house: House) -> list[Stop]:
    """Return the stops of each page, where there is most to see."""
    return [
        *_of_accounts(house),
        *_of_moderation(house),
        *_of_tables(house),
        *_of_tournaments(house),
        *_of_who_runs_them(house),
    ]


def _plain(reader: Player | None, *names: str) -> list[Stop]:
    """Pages of which there is one."""
    return [Stop(name, reverse(name), reader) for name in names]


def _at(reader: Player | None, public_id: str, *names: str) -> list[Stop]:
    """Pages of one tournament, club, table or series."""
    return [Stop(name, reverse(name, args=[public_id]), reader) for name in names]


def _of_accounts(house: House) -> list[Stop]:
    anna, teresa, club = house.four[0], house.teresa, house.club.public_id
    circuit = Circuit.objects.get().public_id
    address = EmailAddress.objects.create(user=anna.user, email="anna@example.org", primary=True, verified=False)
    confirm = reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])
    reset = {"uidb36": user_pk_to_url_str(anna.user), "key": default_token_generator.make_token(anna.user)}
    return [
        *_plain(None, "account_signup", "account_login", "account_reset_password", "account_reset_password_done"),
        *_plain(None, "account_reset_password_from_key_done", "account_inactive", "privacy"),
        Stop("account_reset_password_from_key", reverse("account_reset_password_from_key", kwargs=reset), None),
        Stop("mails-stop", build_stop_path(anna.user, WISHES[0]), None),
        Stop("account_confirm_email", confirm, anna),
        *_plain(anna, "profile", "preferences", "sessions", "account-delete", "calendar-page", "account_email"),
        *_plain(anna, "devices"),
        *_plain(None, "offline"),
        *_plain(anna, "audience"),
        *_at(None, anna.public_id, "person", "person-matches", "person-tournaments", "person-statistics"),
        *_at(None, anna.public_id, "person-awards"),
        *_plain(anna, "settings", "welcome"),
        *_at(anna, anna.public_id, "person", "person-statistics"),
        *_plain(anna, "pairs"),
        *_plain(house.four[1], "pairs"),
        *_at(anna, FixedPair.objects.get(formed_at__isnull=False).public_id, "fixed-pair"),
        *_plain(teresa, "chips", "free-table-new"),
        *_plain(anna, "chips"),
        *_plain(house.four[1], "chips"),
        *_at(None, anna.public_id, "person"),
        *_plain(teresa, "tokens"),
        *_plain(teresa, "webhooks"),
        *_at(teresa, house.webhook.public_id, "webhook"),
        *_plain(anna, "account_email_verification_sent", "account_change_password", "account_reauthenticate"),
        *_plain(anna, "account_logout", "clubs"),
        *_plain(house.irma, "invitations"),
        *_at(house.irma, house.asked.public_id, "tournament"),
        *_at(anna, club, "club"),
        *_plain(teresa, "club-new"),
        *_at(teresa, club, "club", "club-edit", "register", "register-card-new", "register-import", "register-log"),
        *(
            Stop(name, reverse(name, args=[club, RegisterCard.objects.get().public_id]), teresa)
            for name in ("register-card", "register-merge", "register-forget")
        ),
        *_at(teresa, named("Sala").public_id, "name-forget", "register-enter"),
        *_plain(teresa, "circuits", "circuit-new"),
        *_at(None, circuit, "circuit", "circuit-print", "circuit-embed"),
        *_at(teresa, circuit, "circuit", "circuit-desk", "circuit-edit", "circuit-names"),
    ]


def _of_moderation(house: House) -> list[Stop]:
    """Pages of the moderators, with a report and an appeal, and the page of whom they judged."""
    now = timezone.now()
    moderator, anna = create_person("Moreno", now), house.four[0]
    User.objects.filter(pk=moderator.user_id).update(is_staff=True)
    moderator.user.refresh_from_db()
    kind, reason = ModerationAct.Kind.MUTE, "Insulti in chat"
    act = judge_player(player=anna, by=moderator, kind=kind, reason=reason, days=1, now=now)
    appeal_act(act_id=act.pk, player=anna, text="Non ero io", now=now)
    report = Report.objects.exclude(reason=Report.Reason.CALL).get()
    return [
        *_plain(moderator, "moderation"),
        *_at(moderator, report.public_id, "moderation-report"),
        *_at(moderator, anna.public_id, "moderation-person"),
        *_at(moderator, act.public_id, "moderation-act"),
        *_plain(anna, "own-moderation", "friends"),
    ]


def _of_tables(house: House) -> list[Stop]:
    anna, teresa = house.four[0], house.teresa
    tables = Match.objects.filter(fixture__round__tournament=house.live)
    finished = Match.objects.filter(fixture__round__tournament=named("Due"), deals__isnull=False).first()
    assert finished is not None
    played = Match.objects.filter(fixture__round__tournament__state="finished", deals__finished=True)
    longest = played.annotate(length=Count("deals__moves")).order_by("-length", "pk").first()
    assert longest is not None
    problems = [plant_problem(longest)]
    answer_problem(problem_id=problems[0].pk, player=teresa, chosen=problems[0].plays[-1]["move"], now=timezone.now())
    return [
        *_plain(
            None,
            "lobby",
            "tournaments",
            "free-table-new",
            "training",
            "decks",
            "rules",
            "records",
            "lessons",
            "problems",
        ),
        *_plain(teresa, "problems"),
        *(Stop("problem", reverse("problem", args=[one.ruleset, one.public_id]), None) for one in problems),
        *(Stop("problem", reverse("problem", args=[one.ruleset, one.public_id]), teresa) for one in problems),
        Stop("lesson-step", reverse("lesson-step", args=["scopa", 3]), None),
        Stop("lesson-step", reverse("lesson-step", args=["tressette-classico", 2]), None),
        *_plain(None, "deck-register", "fair-deals"),
        *(Stop("rules-of", reverse("rules-of", args=[game]), None) for game in sorted(RULESETS)[:2]),
        *_at(teresa, FreeTable.objects.get().public_id, "free-table"),
        *_at(None, tables.get(status="playing").public_id, "table"),
        *(stop for table in tables.filter(seats__player=anna) for stop in _at(anna, table.public_id, "table")),
        *_at(None, finished.public_id, "match-result"),
        Stop("match-replay", reverse("match-replay", args=[finished.public_id, 1]), None),
        *_at(finished.seats.get(number=0).player, finished.public_id, "match-analysis"),
        *_at(teresa, store_analysis(teresa, timezone.now()).public_id, "record-analysis"),
    ]


def _of_tournaments(house: House) -> list[Stop]:
    """Every state and format once, as those see it for whom it has most to say."""
    anna, carla, ruled = house.four[0], house.four[2], house.ruled
    link = house.pairs.entries.exclude(token="").get().token
    group = ruled.public_id
    return [
        *_plain(None, "home", "rankings", "archive"),
        *_plain(anna, "home", "rankings"),
        *_at(anna, house.club.public_id, "club-ranking"),
        *(stop for name in ("Due", "Cinque", "Undici") for stop in _at(None, named(name).public_id, "tournament")),
        *(
            stop
            for name in ("Tre", "Nove", "Dodici", "Tredici", "Quattordici", "Diciotto", "Diciannove")
            for stop in _at(anna, named(name).public_id, "tournament")
        ),
        *_at(carla, house.pairs.public_id, "pair"),
        *_at(anna, named("Diciannove").public_id, "tournament-bye"),
        Stop("pair-link", reverse("pair-link", args=[house.pairs.public_id, link]), None),
        *_at(anna, house.live.public_id, "tournament-withdraw"),
        *_at(None, group, "standings", "ranks", "draw", "tournament-qr", "tournament-embed"),
        *_at(None, named("Due").public_id, "standings", "ranks", "tournament-embed"),
        Stop("standings-of", reverse("standings-of", args=[group, 1]), None),
        *_at(anna, named("Uguale").public_id, "equal-deals", "standings"),
        Stop("traveller", reverse("traveller", args=[named("Uguale").public_id, 1]), None),
        Stop("team-match", reverse("team-match", args=[named("Squadrata").public_id, 1, 1]), None),
        *_at(None, named("Squadrata").public_id, "standings", "tournament"),
        *_at(carla, named("Squadrata Aperta").public_id, "team", "tournament"),
        *_at(anna, named("Squadrata Aperta").public_id, "tournament"),
        *(_printed(group, what) for what in ("iscritti", "turno", "incrociata", "classifica")),
        _printed(named("Due").public_id, "tabellone"),
        _printed(named("Tavoli").public_id, "posti"),
    ]


def _printed(public_id: str, what: str) -> Stop:
    return Stop("tournament-print", reverse("tournament-print", args=[public_id, what]), None)


def _of_who_runs_them(house: House) -> list[Stop]:
    (anna, bruno, carla, _dino), teresa, live = house.four, house.teresa, house.live.public_id
    fixture = fixture_of(house.live, match__status="playing").pk
    entry = named("Sala").entries.order_by("pk")[0].pk
    EmailAddress.objects.create(user=anna.user, email="anna@example.com", primary=False, verified=True)
    return [
        *_plain(teresa, "organiser-home", "tournament-new", "series-new", "tournament-file"),
        *_at(teresa, house.series.public_id, "series-edit"),
        *_at(teresa, house.draft.public_id, "tournament", "tournament-edit"),
        *_at(teresa, house.seeded.public_id, "tournament", "tournament-seeds", "tournament-rounds"),
        *_at(teresa, house.asked.public_id, "tournament-entries", "tournament-import", "tournament-qr"),
        *_at(teresa, live, "tournament-transfer"),
        *_at(teresa, live, "tournament", "referees", "tournament-hall", "tournament-desk", "tournament-edit"),
        *_at(teresa, house.asked.public_id, "tournament-cancel"),
        *_at(teresa, house.ruled.public_id, "tournament", "tournament-desk"),
        *_at(teresa, named("Dodici").public_id, "tournament-entries"),
        *_at(teresa, named("Diciannove").public_id, "tournament-rounds"),
        *_at(teresa, named("Sala").public_id, "tournament", "tournament-entries"),
        *_at(
            teresa,
            named("Tavoli").public_id,
            "tournament",
            "tournament-evening",
            "tournament-results",
            "tournament-fees",
            "play-offs",
        ),
        *_at(teresa, named("Tavoli").public_id, "tournament-result-list"),
        *_at(None, named("Tavoli").public_id, "tournament-phone"),
        Stop("desk-pass", reverse("desk-pass", args=[named("Tavoli").public_id, "x" * 32]), None),
        *_at(teresa, named("Squadre").public_id, "tournament", "tournament-line-ups", "tournament-entries"),
        *_at(teresa, named("Tavoli").public_id, "tournament-slips"),
        *(
            Stop("prepared-decks", reverse("prepared-decks", args=[named(name).public_id, 1]), teresa)
            for name in ("Mazzi", "Mazzieri")
        ),
        *_at(teresa, named("Mazzieri").public_id, "equal-deals"),
        *_at(teresa, named("Sala").public_id, "tournament-import"),
        *_at(None, named("Sala").public_id, "tournament", "self-entry"),
        *_at(carla, named("Tardi").public_id, "tournament", "tournament-late"),
        *_at(bruno, named("Tardi").public_id, "tournament-late"),
        *_at(None, named("Tardi").public_id, "tournament", "tournament-late"),
        *_at(teresa, named("Tardi").public_id, "tournament-rounds"),
        Stop("own-entry", reverse("own-entry", args=[named("Tardi").public_id, OWN_KEY]), None),
        Stop("own-entry", reverse("own-entry", args=[named("Tardi").public_id, LATE_KEY]), None),
        Stop("own-bye", reverse("own-bye", args=[named("Tardi").public_id, OWN_KEY]), None),
        *(_at(one, named("Tavoli").public_id, "tournament-claim")[0] for one in house.four),
        *_at(carla, named("Tavoli").public_id, "tournament"),
        *_at(teresa, named("Tavoli").public_id, "tournament-claims", "tournament-desk"),
        *_at(anna, named("Sala").public_id, "self-entry"),
        Stop("own-entry", reverse("own-entry", args=[named("Sala").public_id, OWN_KEY]), None),
        Stop("own-line-up", reverse("own-line-up", args=[named("Squadre").public_id, OWN_KEY]), None),
        *(_at(None, named(name).public_id, "tournament-wall")[0] for name in ("Sala", "Tavoli")),
        Stop("tournament-entry", reverse("tournament-entry", args=[named("Sala").public_id, entry]), teresa),
        *(Stop(name, reverse(name, args=[live, fixture]), teresa) for name in ("desk-fixture", "desk-record")),
        Stop("desk-fixture", reverse("desk-fixture", args=[house.ruled.public_id, fixture_of(house.ruled).pk]), teresa),
    ]
