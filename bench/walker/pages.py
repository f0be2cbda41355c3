"""Acts by pages and by the API: somebody opens an address of the tournament, and sends a form that stands there.

Nothing of a page is known here but where it is: its forms are filled as a browser without scripts would fill them, with
what somebody types in their fields. What is answered without leading on was refused, and changes nothing.
"""

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.urls import reverse

from bench.walker.kinds import (
    ANYBODY,
    NAMES,
    TEAMS,
    WHY,
    Call,
    act,
    list_entries,
    list_fixtures,
    name,
    pick,
    pick_fixture,
)
from bench.walker.world import make_program
from players.models import Player
from tournaments.models import Fixture

if TYPE_CHECKING:
    from bench.walker.walk import Walk

FOR_STAFF = (
    "tournament-entries", "tournament-rounds", "tournament-results", "tournament-desk", "tournament-hall",
    "tournament-seeds", "tournament-fees", "tournament-line-ups", "tournament-slips", "tournament-import", "referees",
    "tournament-result-list", "tournament-edit",
)  # fmt: skip
FOR_ALL = (
    "tournament", "standings", "ranks", "draw", "self-entry", "tournament-late", "tournament-phone", "tournament-wall",
)  # fmt: skip
# Of other people, or of the whole site; and what ends a walk before it has begun.
NOT_SENT = ("/annulla/", "/lingua/", "/esci/", "/porta/", "/profilo/", "/arbitri/")
SHOWS_WHAT_IT_DID = "/stampa/segnapunti/"  # codes that stand nowhere else
MOST_FIELDS = 60


class Broken(Exception):
    """Sentence about a page or an answer that can't be."""


@dataclass
class PageForm:
    """A form of a page: its fields as they stand there, what may be chosen, and its buttons."""

    action: str
    post: bool
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    boxes: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)  # name, value, address of its own


class Forms(HTMLParser):
    """Forms of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[PageForm] = []
        self._open: PageForm | None = None
        self._select = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = PageForm(values.get("action", ""), values.get("method", "").lower() == "post")
            self.forms.append(self._open)
        form, about = self._open, values.get("name", "")
        if form is None or "disabled" in values:
            return
        if tag == "select":
            self._select = about
            form.choices[about] = []
        elif tag == "option" and self._select:
            form.choices[self._select].append(values.get("value", ""))
            if "selected" in values or len(form.choices[self._select]) == 1:
                form.fields[self._select] = values.get("value", "")
        elif tag == "textarea":
            form.fields[about] = ""
            form.texts.append(about)
        elif tag == "button" or (tag == "input" and values.get("type") == "submit"):
            form.buttons.append((about, values.get("value", ""), values.get("formaction", "")))
        elif tag == "input" and about:
            self._add_input(form, about, values)

    def _add_input(self, form: PageForm, about: str, values: dict[str, str]) -> None:
        kind, value = values.get("type", "text"), values.get("value", "")
        if kind == "checkbox":
            form.boxes[about] = value or "on"
        elif kind == "radio":
            form.choices.setdefault(about, []).append(value)
        elif kind != "file":
            form.fields[about] = value
            if kind != "hidden":
                form.texts.append(about)
        if kind in ("checkbox", "radio") and "checked" in values:
            form.fields[about] = value or "on"

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        elif tag == "form":
            self._open = None


def fill(walk: "Walk", dice: Random, form: PageForm) -> dict[str, str]:
    """Fill a form in as somebody might, and press one of its buttons."""
    sent = dict(form.fields)
    for about, values in form.choices.items():
        if values and dice.random() < 0.6:
            sent[about] = dice.choice(values)
    for about, value in form.boxes.items():
        if dice.random() < 0.4:
            sent[about] = value
        elif dice.random() < 0.3:
            sent.pop(about, None)
    game = walk.modes.game
    deals = dice.choice(game.deals)
    points = [sum(deal[side] for deal in deals) for side in (0, 1)]
    for about in form.texts:
        if sent.get(about) and dice.random() < 0.7:
            continue
        sent[about] = _type(about, dice, points, deals)
    if form.buttons:
        button, value, _address = dice.choice(form.buttons)
        if button:
            sent[button] = value
    return sent


def _type(about: str, dice: Random, points: list[int], deals: Any) -> str:
    """Return what somebody types in a field of this name."""
    if about == "games":
        return " ".join(["-".join(map(str, points if dice.random() < 0.6 else points[::-1])) for _game in range(2)])
    if about.startswith("games_"):
        return str(points[int(about[-1])])
    if "points_0" in about:
        return str(points[0])
    if "points_1" in about:
        return str(points[1])
    if "reason" in about or "motiv" in about:
        return WHY
    if "deal" in about:
        return " ".join(f"{first}-{second}" for first, second in deals)
    if "people" in about or about == "text":
        return ", ".join(dice.sample(NAMES, 3))
    if about == "team":
        return dice.choice(TEAMS)
    if any(word in about for word in ("player", "partner", "name", "person")):
        return dice.choice(NAMES)
    return dice.choice(("", "1", "2", "5", "x", "1,50"))


def list_places(walk: "Walk", dice: Random, staff: bool) -> str:
    """Return the address of a page of the tournament."""
    public_id = walk.tournament.public_id
    fixture = pick_fixture(walk, dice)
    if staff and fixture is not None and dice.random() < 0.35:
        return reverse("desk-fixture", args=[public_id, fixture.pk])
    if staff and dice.random() < 0.06 and walk.tournament.entries.exists():
        return reverse("tournament-entry", args=[public_id, dice.choice(list_entries(walk)).pk])
    return reverse(dice.choice(FOR_STAFF if staff and dice.random() < 0.85 else FOR_ALL), args=[public_id])


@act(entering=3, running=5, over=3)
def open_page(walk: "Walk", dice: Random) -> Call | None:
    """Somebody opens a page, and sends a form of it."""
    staff = dice.random() < 0.7
    who: Player | None = dice.choice([*walk.world.list_staff(), walk.world.organiser]) if staff else None
    if not staff and dice.random() < 0.7:
        who = dice.choice(walk.world.players)
    address = list_places(walk, dice, staff)
    by = "a stranger" if who is None else name(walk, who)
    call = Call(f"{by} opens {address.split('/', 3)[-1]}", lambda: _send(walk, dice, who, address))
    return call


def _send(walk: "Walk", dice: Random, who: Player | None, address: str) -> None:
    """Open a page and send one of its forms. PageRefusal: it was shown again, or refused by name."""
    browser = walk.world.visit(who)
    shown = browser.get(address)
    _require_sound(shown, f"GET {address}")
    if shown.status_code != 200 or "html" not in shown.headers.get("Content-Type", ""):
        return
    own = f"/tornei/{walk.tournament.public_id}/"
    forms = [form for form in Forms(shown.content.decode()).forms if form.post]
    forms = [form for form in forms if (form.action or address).startswith(own)]
    form = pick(dice, [form for form in forms if not any(part in (form.action or address) for part in NOT_SENT)])
    if form is None or len(form.fields) > MOST_FIELDS:
        return
    sent, to = fill(walk, dice, form), form.action or address
    if any(word in about for about in sent for word in ("another", "suffix", "more")):
        walk.others.add(ANYBODY)
    answer = browser.post(to, sent)
    _require_sound(answer, f"POST {to} {sent}")
    sure = _read_seal(answer)
    if answer.status_code == 200 and sure:
        answer = browser.post(to, {**sent, "sure": sure})
        _require_sound(answer, f"POST {to} {sent} sure")
        walk.acts.append(f"   sends {to} {_show(sent)}, and is sure: {answer.status_code}")
    else:
        walk.acts.append(f"   sends {to} {_show(sent)}: {answer.status_code}")
    if answer.status_code not in (301, 302, 303) and not to.endswith(SHOWS_WHAT_IT_DID):
        raise PageRefusal(_read_codes(answer))


def _show(sent: dict[str, str]) -> str:
    return " ".join(f"{name}={value[:20]}" for name, value in sent.items() if value and "token" not in name)


class PageRefusal(Exception):
    """Answer that led nowhere; ``code``: those that its forms show."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _require_sound(answer: HttpResponse, what: str) -> None:
    if answer.status_code >= 500:
        raise Broken(f"{answer.status_code} for {what}")


def _read_seal(answer: HttpResponse) -> str:
    """Return the seal with which a preview is confirmed."""
    context: Any = getattr(answer, "context", None) or {}
    for form in context.get("acts", ()) if "acts" in context else ():
        if form.is_bound and form.consequences is not None:
            return str(form.seal)
    return ""


def _read_codes(answer: HttpResponse) -> str:
    """Return what a page says against what was sent."""
    context: Any = getattr(answer, "context", None)
    found: list[str] = []
    for layer in context or ():
        for value in (layer or {}).values() if isinstance(layer, dict) else ():
            errors = getattr(value, "errors", None)
            if hasattr(errors, "as_data"):
                found += [error.code or "" for each in errors.as_data().values() for error in each]
    return ", ".join(sorted(set(found))) or str(answer.status_code)


# --- Programs ---------------------------------------------------------------------------------------------------------


@act(entering=2, running=4, over=2)
def call_program(walk: "Walk", dice: Random) -> Call | None:
    """A program of the organiser's or of a referee's writes."""
    owner = dice.choice([walk.world.organiser, walk.world.organiser, walk.world.referees[0]])
    method, path, body = _draw_write(walk, dice)
    address = f"/api/v1/tournaments/{walk.tournament.public_id}/{path}"

    def run() -> None:
        if owner.pk not in walk.programs:
            walk.programs[owner.pk] = make_program(walk.tournament, owner, walk.now)
        client = walk.programs[owner.pk]
        answer = client.generic(method, address, json.dumps(body), "application/json")
        _require_sound(answer, f"{method} {path} {body}")
        if answer.status_code >= 400:
            kind = answer.headers.get("Content-Type", "")
            if "problem+json" not in kind or not answer.json().get("code"):
                raise Broken(f"{answer.status_code} without a code for {method} {path} {body}")
            raise PageRefusal(f"{answer.status_code} {answer.json()['code']}")

    return Call(f"program of {name(walk, owner)}: {method} {path} {body}", run)


def _draw_write(walk: "Walk", dice: Random) -> tuple[str, str, dict[str, Any]]:
    """Return a write to the API: method, path and body."""
    fixtures, entries = list_fixtures(walk), list_entries(walk)
    writes: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "rounds/draw/", {}),
        ("POST", "rounds/publish/", {"round": dice.randint(1, 3)}),
        ("POST", "roll-call/", {}),
        ("POST", "entries/", {"entries": [_draw_body(walk, dice)]}),
        ("POST", "entries/late/", _draw_body(walk, dice)),
        ("GET", "", {}),
        ("GET", "standings/", {}),
        ("GET", "fixtures/", {}),
        ("PATCH", "", {"name": "Un nome dal programma"}),
    ]
    fixture = pick(dice, [row for row in fixtures if row.state in Fixture.OPEN]) or pick(dice, fixtures)
    if fixture is not None:
        place = f"fixtures/{fixture.round.number}-{fixture.board}" + ("-2" if fixture.part == 2 else "")
        deals = [list(deal) for deal in dice.choice(walk.modes.game.deals)]
        points = [sum(deal[side] for deal in deals) for side in (0, 1)]
        reason = {"reason": WHY} if dice.random() < 0.7 else {}
        more = {"deals": deals} if walk.tournament.equal_deals else {}
        if walk.modes.has_games and dice.random() < 0.7:
            more = {"games": [{"points": points}] * 2}
            points = [2 * (points[0] > points[1]), 2 * (points[1] > points[0])]
        writes += 4 * [("PUT", f"{place}/result/", {"points": points, **more, **reason})]
        writes += 2 * [("POST", f"{place}/forfeit/", {"forfeit_by": dice.choice(([0], [1], [0, 1])), **reason})]
        writes += [
            ("POST", f"{place}/{what}/", {"reason": WHY}) for what in ("annul", "restore", "replay", "real-table")
        ]
        writes += [("POST", f"{place}/preview/", {"act": "result", "points": points, "reason": WHY})]
        writes += [("GET", f"{place}/", {})]
    if entries:
        one, other = dice.choice(entries).pk, dice.choice(entries).pk
        writes += [
            ("POST", "byes/", {"entry": one, "round": dice.randint(1, 4), "kind": dice.choice(("asked", "absent"))}),
            ("POST", "bans/", {"entries": [one, other]}),
            ("POST", f"entries/{one}/check-in/", {"present": True}),
            ("POST", f"entries/{one}/withdraw/", {"reason": WHY}),
            ("POST", f"entries/{one}/reinstate/", {"reason": WHY}),
            ("PATCH", f"entries/{one}/", {"table": dice.choice((None, 1, 2))}),
            ("POST", f"entries/{one}/side/", {"side": dice.choice(("A", "B", ""))}),
            ("POST", "entries/tie/", {"entries": [one, other]}),
        ]
        if walk.modes["leaving"] == "no":
            writes = [write for write in writes if "withdraw" not in write[1]]
    return dice.choice(writes)


def _draw_body(walk: "Walk", dice: Random) -> dict[str, Any]:
    names = dice.sample(NAMES, 2 * walk.modes.seats if walk.tournament.entry_kind.has_name else walk.modes.seats)
    body: dict[str, Any] = {"player": names[0]}
    if len(names) > 1:
        body["partner"] = names[1]
    if walk.tournament.entry_kind.has_name:
        body |= {"team": dice.choice(TEAMS), "others": names[2:]}
    return body
