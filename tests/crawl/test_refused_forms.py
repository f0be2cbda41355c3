"""A law over all forms: what somebody typed into one that is refused isn't lost. The page that answers shows it, or the
browser is told to bring it back (players/sent_forms.py)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from django.contrib.messages import ERROR, get_messages
from django.db import transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from players.models import Player
from tests.crawl.walk import Crawl, find_view
from tests.languages.world import House
from tests.support.people import sign_in
from tests.support.thorough import tries
from tournaments.models import Circuit, Tournament

TYPED = "Zibibbo Quarantadue"
SECRET = {"password", "file", "hidden", "submit", "button", "image", "reset"}


@dataclass
class SentForm:
    """A form as a page brings it, and the names of the fields in which somebody types."""

    address: str
    values: dict[str, str] = field(default_factory=dict)
    typed: list[str] = field(default_factory=list)


class FormReader(HTMLParser):
    """Reads the forms of a page that are sent by POST."""

    def __init__(self, address: str, text: str) -> None:
        super().__init__()
        self.forms: list[SentForm] = []
        self._address, self._open, self._pressed, self._select = address, False, False, ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = known.get("method", "").lower() == "post"
            if self._open:
                self._pressed = False
                self.forms.append(SentForm(urljoin(self._address, known.get("action", ""))))
        if not self._open:
            return
        form, name = self.forms[-1], known.get("name", "")
        if tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            form.values.setdefault(self._select, known.get("value", ""))
        elif tag == "button" and name and not self._pressed:
            self._pressed = True
            form.values[name] = known.get("value", "")
        elif tag == "textarea" or (tag == "input" and name):
            self._note_field(form, name, tag, known)

    def _note_field(self, form: SentForm, name: str, tag: str, known: dict[str, str]) -> None:
        kind = "text" if tag == "textarea" else known.get("type", "text")
        if kind in ("radio", "checkbox"):
            form.values.setdefault(name, known.get("value", "on"))
        elif kind in SECRET or "data-secret" in known:
            form.values[name] = known.get("value", "")
        else:
            form.values[name] = "987654" if known.get("inputmode") in ("numeric", "decimal") else TYPED
            form.typed.append(name)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = False
        elif tag == "select":
            self._select = ""


def list_forms(crawl: Crawl) -> Iterator[tuple[str, SentForm]]:
    """Yield each kind of form in which somebody types, as one page brings it, with its reader."""
    met = set()
    for page in crawl.list_pages():
        for form in FormReader(page.address, page.text).forms if page.status == 200 else ():
            last_words = form.address.split("#")[0].rsplit("/", 2)[1:]
            kind = (find_view(form.address.split("#")[0]), *last_words, *form.values)
            if form.typed and kind not in met:
                met.add(kind)
                yield page.reader, form


def find_lost(client: Client, form: SentForm) -> str:
    """Send a form; what is lost by the answer, empty for nothing."""
    client.cookies.load({"sent": "1-2-3"})
    answer = client.post(form.address, form.values, headers={"Accept": "text/html"})
    told = answer.cookies["answered"].value if "answered" in answer.cookies else ""
    if told.endswith(".2"):
        return ""
    if "Location" in answer.headers:
        refused = any(message.level == ERROR for message in get_messages(answer.wsgi_request))
        return f"{form.address}: refused on the way to {answer.headers['Location']}" if refused else ""
    shown = answer.content.decode()
    lost = [name for name in form.typed if form.values[name] not in shown]
    return f"{form.address}: {answer.status_code} without {', '.join(lost)}" if lost else ""


@pytest.fixture(scope="package")
def lost(furnished: House, crawl: Crawl, django_db_blocker: DjangoDbBlocker) -> list[str]:
    """Return the losses of all forms, sent when everything is over, which refuses most of them; and as they are."""
    found = []
    with django_db_blocker.unblock():
        people = {player.name: player for player in Player.objects.all()}
    for over in tries((True,), (True, False)):
        for reader, form in list_forms(crawl):
            if reader and reader not in people:  # of the crawl alone
                continue
            with django_db_blocker.unblock(), transaction.atomic():
                if over:
                    Tournament.objects.update(state="cancelled")
                    Circuit.objects.update(ended_at=timezone.now())
                found.append(find_lost(sign_in(people.get(reader)), form))
                transaction.set_rollback(True)
    assert len(found) > 40
    return list(filter(None, found))


def test_what_somebody_typed_into_a_refused_form_is_not_lost(lost: list[str]) -> None:
    assert lost == []
