"""Pages in tests: their addresses, their text, and the organiser's form."""

from django.test import Client
from django.urls import reverse

from tests.support.html import drop_layout
from tournaments.models import Tournament


def tournament_url(name: str, tournament: Tournament, *more: str) -> str:
    return reverse(name, args=[tournament.public_id, *more])


def read_page(answer: object) -> str:
    return drop_layout(answer.content.decode()).replace("&#x27;", "'")  # type: ignore[attr-defined,no-any-return]


def get_tournament_page(client: Client, tournament: Tournament, **headers: str) -> str:
    answer = client.get(reverse("tournament", args=[tournament.public_id]), headers=headers)
    assert answer.status_code == 200
    return drop_layout(answer.content.decode())


TOURNAMENT_FORM = {
    "name": "Torneo del giovedì",
    "ruleset": "scopa",
    "seats_an_entry": "1",
    "tie_break": "standard",
    "seeding": "lot",
    "format": "ko",
    "length_kind": "points",
    "length_value": "11",
    "turn_timeout": "60",
    "match_clock": "900",
    "noshow_after": "300",
    "start": "full",
    "starts_at": "",
    "min_entries": "2",
    "max_entries": "8",
    "guests_allowed": "on",
}


def post_tournament(client: Client, *, publish: bool = True, **changed: str):  # type: ignore[no-untyped-def]
    data = {**TOURNAMENT_FORM, **changed, **({"publish": ""} if publish else {})}
    return client.post(reverse("tournament-new"), {name: value for name, value in data.items() if value is not None})


def show_anew(client: Client, url: str, **changed: str):  # type: ignore[no-untyped-def]
    """Ask for a tournament's form as it is with these choices, and store nothing."""
    return client.post(url, {**TOURNAMENT_FORM, "mostra": "1", **changed})


PREFERENCES_URL = "/profilo/preferenze/"


PREFERENCES_FORM = {
    "language": "", "time_zone": "", "banner": "on", "sound": "on",
    "auto_out": "on", "auto_accuso": "on", "auto_declare": "on",
}  # fmt: skip
