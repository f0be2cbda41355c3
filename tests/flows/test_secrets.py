"""A match over real sockets (in the soak of two deals), with a real worker: until it is over nobody is sent its secret,
its decks, or the sealed form of either (J5).

Every byte is looked at: frames of the players, of a visitor who watches, of whoever has a page of the site open; pages,
records, API and admin; what both processes log; and every row of the database, which a stolen backup has without the
key.
"""

import hashlib
import logging
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import Popen

import pytest
from django.conf import LazySettings
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.engine.cards import NAMES
from games.engine.game import Length
from games.engine.shuffling import shuffle_deck
from games.models import Commitment, Deal, Match
from games.sealing import unseal
from games.services import seating
from players.models import Player
from tests.support.live import Site
from tests.support.logged_cards import find_cards
from tests.support.people import create_person, sign_in
from tests.support.thorough import THOROUGH, tries
from tests.support.wire import AtTable, Frame, at_table, on_site

pytestmark = [pytest.mark.process("flows"), pytest.mark.rule("J5", "N2")]

DEALS = tries(1, 2)
DECKS = 2  # looked for: that of a deal to come too
NONCES = ("5a" * 16, "c3" * 16)
LISTS = ("/", "/sala/", "/mazzi/registro/", "/classifiche/", "/api/v1/free-tables/")


@pytest.fixture
def match(transactional_db: None, settings: LazySettings) -> Match:
    """A table of Scopa at which everybody may watch, and whose cards wait for nonces."""
    settings.MIXING_SECONDS = 60
    now = timezone.now()
    return seating.open_match(
        ruleset="scopa",
        length=Length("deals", DEALS),
        context="free",
        options={},
        players=[create_person("Anna", now), create_person("Bruno", now)],
        turn_timeout=600,
        match_clock=None,
        noshow_after=600,
        first_dealer=None,
        title="Anna · Bruno",
        now=now,
    )


def list_pieces(match: Match) -> dict[str, list[str]]:
    """List what nobody may read yet: ``secret`` and ``decks`` in all ways they might be written, and ``sealed``."""
    commitment = Commitment.objects.get(pk=match.commitment_id)
    secret = unseal(commitment.sealed)
    decks = [shuffle_deck(secret, commitment.scope, commitment.nonces, number) for number in range(DECKS)]
    written = [secret.hex(), secret.hex().upper(), b64encode(secret).decode(), urlsafe_b64encode(secret).decode()]
    return {
        "secret": [*written, repr(secret)[2:-1]],
        "decks": [
            text
            for deck in decks
            for names in ([NAMES[card] for card in deck],)
            for text in ("".join(names), " ".join(names), str(names), str(list(deck)), bytes(deck).hex())
        ],
        "sealed": [commitment.sealed, *Deal.objects.filter(match=match).with_results().values_list("deck", flat=True)],
    }


def find_pieces(texts: Iterable[str], pieces: Iterable[str]) -> list[str]:
    wanted = list(pieces)
    return [piece for text in texts for piece in wanted if piece in text]


def read_pages(match: Match, clients: Iterable[Client]) -> Iterator[str]:
    """Yield all that this match's pages, records and answers to programs say to each of these readers."""
    paths = (f"/tavoli/{match.public_id}/", f"/partite/{match.public_id}/", f"/partite/{match.public_id}/verbale.json")
    for client in clients:
        for path in (*LISTS, *paths, f"/api/v1/matches/{match.public_id}/"):
            answer = client.get(path)
            yield f"{path} {answer.status_code} {answer.headers}"
            yield answer.content.decode()


def read_admin(client: Client) -> Iterator[str]:
    """Yield every list of the admin, and the page of every row in those of the app of tables."""
    for model in admin.site._registry:
        meta = model._meta
        yield client.get(reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")).content.decode()
        if meta.app_label == "games":
            for key in model._default_manager.values_list("pk", flat=True):
                page = client.get(reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[key]))
                yield page.content.decode()


def read_backup() -> Iterator[str]:
    """Yield every value of the database."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                for value in row:
                    raw = bytes(value) if isinstance(value, bytes | memoryview) else None
                    yield str(value) if raw is None else raw.hex() + repr(raw)


def await_view(tables: Iterable[AtTable], version: int) -> Frame:
    """Return the view after this version, once everybody at the table has it."""
    views = [table.showing(lambda frame: frame["v"] > version and frame["status"] != "waiting") for table in tables]
    return views[0]


@pytest.mark.long("every page, log and row is read before each deal")
def test_no_byte_of_the_secret_or_the_decks_is_anywhere_before_the_end(
    live_site: Site, celery_worker: Popen[bytes], match: Match, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    people = list(Player.objects.filter(seats__match=match).order_by("seats__number"))
    staff = create_person("Teresa", timezone.now())
    staff.user.is_staff = staff.user.is_superuser = True
    staff.user.save()
    readers = [Client(), *map(sign_in, people), sign_in(staff)]
    looked_at = 0

    with ExitStack() as stack:
        tables = [stack.enter_context(at_table(live_site, match, player)) for player in people]
        watching = [stack.enter_context(at_table(live_site, match, player)) for player in (None, staff)]
        watching += [
            stack.enter_context(on_site(live_site, path, staff))
            for path in ("/ws/persona/", "/ws/tavoli/", "/ws/tornei/")
        ]

        def expect_nothing(*, is_dealt: bool = False) -> None:
            nonlocal looked_at
            pieces = list_pieces(match)
            for socket in watching:
                socket.answers()  # all that was sent before has come
            heard = [text for socket in (*tables, *watching) for text in socket.raw]
            logs = [caplog.text, (folder / "worker.log").read_text()]
            administered = read_admin(readers[-1]) if is_dealt or THOROUGH else []
            told = [*heard, *read_pages(match, readers), *administered, *logs]
            assert find_pieces(told, [*pieces["secret"], *pieces["decks"], *pieces["sealed"]]) == []
            assert find_pieces(read_backup(), [*pieces["secret"], *pieces["decks"]]) == []
            looked_at += 1

        for table in tables:
            table.view()
        expect_nothing()
        for table, nonce in zip(tables, NONCES, strict=True):
            digest = hashlib.sha256(bytes.fromhex(nonce)).hexdigest()
            assert table.ask({"t": "nonce_hash", "id": f"h{nonce}", "hash": digest})["t"] == "ack"
        expect_nothing()
        for table, nonce in zip(tables, NONCES, strict=True):
            assert table.ask({"t": "nonce", "id": f"n{nonce}", "nonce": nonce})["t"] == "ack"
        expect_nothing()

        version, deal = -1, -1
        while not (view := await_view(tables, version))["result"]:
            version = view["v"]
            if view["deal"]["number"] != deal:  # before the first card of each deal
                deal = view["deal"]["number"]
                expect_nothing(is_dealt=True)
            assert tables[view["turn"]].play()["t"] == "ack"
        assert looked_at == 3 + DEALS
        served = "\n".join(record.getMessage() for record in caplog.records if record.levelno >= logging.INFO)
        assert find_cards(served) == find_cards((folder / "worker.log").read_text()) == [], "nor a card that was played"
        assert [player.name for player in people if player.name in served] == [], "nor anybody's name"
    commitment = Commitment.objects.get(pk=match.commitment_id)
    assert find_pieces(read_pages(match, readers[:1]), [commitment.secret]), "it is everybody's now"
    assert find_pieces(read_backup(), [commitment.secret])
