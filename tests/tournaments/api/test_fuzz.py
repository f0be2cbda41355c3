"""The whole API under schemathesis, as a visitor, a player and an organiser: no fault of ours, nothing undocumented."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import FreeTable
from players.models import Player
from tests.support.entries import enter_all
from tests.support.keys import make_key
from tests.support.live import Site
from tests.support.lobby import open_free_table
from tests.support.real_tables import draw_real, open_real, type_names
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, Opened
from tournaments.clubs.actions import create_club
from tournaments.models import Club, PlayInvitation, RegisterCard, Series, Tournament, Webhook
from tournaments.organise.settings import Settings
from tournaments.register.cards import CardValues, add_card
from tournaments.register.queries import OWN, find_register

DANESE = Settings(
    name="Danese", format="danese", ruleset="scopa", length_kind="points", length_value=11, format_options={"rounds": 3}
)
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")
PATIENCE_SECONDS = 2700


def write_document(path: Path, tournaments: list[Tournament]) -> None:
    """Write the API's document with the ids there are in the place of any: a made-up one is only ever 404."""
    document = Client().get("/api/schema/", headers={"accept": "application/json"}).json()
    entries = [str(pk) for one in tournaments for pk in one.entries.values_list("pk", flat=True)]
    invitations = PlayInvitation.objects.values_list("pk", flat=True)
    clubs = Club.objects.values_list("public_id", flat=True)
    known = {
        "invitation": [*map(str, invitations), "999999"],
        "player": [*Player.objects.values_list("public_id", flat=True)],
        "public_id": [
            *clubs,
            *(one.public_id for one in tournaments),
            "nothinghere",
        ],
        "entry": [*entries, "999999"],
        "place": ["1-1", "1-2", "2-1", "9-9"],
        "clock": ["1-1", "9-9"],
        **{
            name: ["1", "999999"]
            for name in ("act", "bye", "ban", "call", "claim", "number", "report", "round", "seek")
        },
        "series": [*Series.objects.values_list("public_id", flat=True), "nothinghere"],
        **{name: ["nothinghere"] for name in ("training", "circuit", "pair")},
        "person": [*Player.objects.values_list("public_id", flat=True), "nothinghere"],
        "table": [*FreeTable.objects.values_list("public_id", flat=True), "nothinghere"],
        "register": ["mine", *clubs, "nothinghere"],
        "card": [*RegisterCard.objects.values_list("public_id", flat=True), "nothinghere"],
        "webhook": [*Webhook.objects.values_list("public_id", flat=True), "nothinghere"],
    }
    for methods in document["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    ids = known[parameter["name"]]
                    parameter["schema"] = {"type": "string", "enum": ids}
    path.write_text(json.dumps(document))


@pytest.mark.soak
@pytest.mark.timeout(PATIENCE_SECONDS + 60)
@pytest.mark.rule("AP9")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("role", ["visitor", "player", "organiser"])
def test_no_request_is_a_fault_of_ours_or_answered_by_what_the_document_lacks_u9(
    role: str, opened: Opened, four: list[Player], organiser: Player, live_site: Site, tmp_path: Path, settings: Any
) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}
    now: datetime = timezone.now()
    tournaments = [
        enter_all(opened(GIRONE), four, now),
        opened(GIRONE, name="Coppie", seats_an_entry=2),
        enter_all(opened(name="Bozze", publishes_rounds=True), four, now),
        enter_all(opened(name="Aperto", max_entries=8), four[:2], now),
    ]
    real = open_real(opened, registration="list")
    type_names(real, ["Ada", "Bice", "Ciro", "Dora"], now)
    hall = draw_real(opened, 6, now, DANESE, clock_minutes=30)
    tournaments += [real, hall]
    club = create_club(by=organiser, name="Circolo", description="", now=now)
    register = find_register(OWN, organiser)
    assert register is not None
    for name in ("Ugo Bianchi", "Zita Rossi"):
        add_card(register=register, by=organiser, values=CardValues(name=name), now=now)
    Webhook.objects.create(owner=organiser, url="https://hooks.example/", secret="s", since=now)
    open_free_table(four[3], now)
    targets = ["new", "own", f"club:{club.public_id}", *(f"tournament:{one.public_id}" for one in tournaments)]
    keys: dict[str, Callable[[], str]] = {
        "player": lambda: make_key(four[0], scopes=["read", "play"]),
        "organiser": lambda: make_key(organiser, targets=targets),
    }
    document = tmp_path / "api.json"
    write_document(document, tournaments)
    sent = ("-H", f"Authorization: Bearer {keys[role]()}") if role in keys else ()
    fuzzing = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", str(document), "--url", live_site.url, *sent),
            *("--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--no-color"),
            *("--max-examples", str(tries(5, 40)), "--continue-on-failure", "--generation-database", "none"),
            *("--warnings", "off", "--suppress-health-check", "all"),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=PATIENCE_SECONDS,
    )
    assert fuzzing.returncode == 0, fuzzing.stdout[-20_000:]
