"""Tournaments that travel in tests: a picture of one without the ids of its site, and one that is played by rulings."""

import json
from datetime import datetime
from typing import Any

from players.models import Player
from tests.support.desk import build_act
from tests.support.real_tables import publish_next
from tournaments.desk.results import Decision, set_result
from tournaments.models import Fixture, Tournament
from tournaments.rounds.drafts import find_next_round
from tournaments.transfer.outgoing import OpaqueIds, make_body
from tournaments.transfer.venue import OF_VENUE

Body = dict[str, Any]
OF_ROUND = ("opens_at", "published_at")
OF_FIXTURE = ("wave", "table", "ruled", "state")


def read_picture(tournament: Tournament) -> Body:
    """Everything a file carries, with names in the place of ids, and without what each site says of itself."""
    tournament.refresh_from_db()
    body = make_body(tournament, OpaqueIds())
    names = {person["id"]: person["name"] for person in body["persons"]}
    names |= {entry["id"]: " e ".join(names[one["person"]] for one in entry["members"]) for entry in body["entries"]}
    text = json.dumps({name: body[name] for name in ("tournament", "entries", "forbidden", "rounds", "log")})
    for opaque, name in names.items():
        text = text.replace(f'"{opaque}"', json.dumps(name))
    picture: Body = json.loads(text)
    picture["log"] = [entry for entry in picture["log"] if entry["code"] not in ("imported", "lent", "returned")]
    return picture


def read_results(tournament: Tournament) -> Body:
    """The picture without what follows from where it is played: on the site, at real tables."""
    picture = read_picture(tournament)
    for round_ in picture["rounds"]:
        fixtures = [fixture | dict.fromkeys(OF_FIXTURE) for fixture in round_["fixtures"]]
        round_.update(dict.fromkeys(OF_ROUND), fixtures=fixtures)
    settings = picture["tournament"] | dict.fromkeys(OF_VENUE)
    return {"tournament": settings, "entries": picture["entries"], "rounds": picture["rounds"]}


def decide(fixture: Fixture) -> Decision:
    """A result that depends on the fixture's place alone: a one-deal match at scopa or tresette."""
    if fixture.round.tournament.ruleset == "tresette":
        points = ((7, 4), (3, 8), (6, 5), (1, 10))[(fixture.round.number + fixture.board) % 4]
    else:
        points = ((3, 1), (2, 5), (4, 2), (1, 6))[(fixture.round.number + fixture.board) % 4]
    return Decision(points=points, winner=int(points[1] > points[0]))


def rule_ready(tournament: Tournament, by: Player, now: datetime, most: int | None = None) -> int:
    """Give a result to every fixture that is ready now; gives how many."""
    ready = (
        Fixture.objects.of(tournament).ready().select_related("round__tournament").order_by("round__number", "board")
    )
    fixtures = list(ready[:most])
    for fixture in fixtures:
        set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decide(fixture), act=build_act(by, now))
    return len(fixtures)


def finish(tournament: Tournament, by: Player, now: datetime) -> None:
    """Play to the end: by rulings, or by plain entries at real tables, where each round is published before."""
    while rule_ready(tournament, by, now) or _publish(tournament, now):
        pass
    assert tournament.state == Tournament.State.FINISHED


def _publish(tournament: Tournament, now: datetime) -> bool:
    """Publish the next round, if the organiser does that and there is one."""
    tournament.refresh_from_db()
    running = tournament.publishes_rounds and tournament.state == Tournament.State.RUNNING
    if not running or find_next_round(tournament) is None:
        return False
    publish_next(tournament, now)
    return True


def change_file(data: bytes, change: Any) -> bytes:
    """A file whose body somebody changed, with the digest that the new contents have."""
    from tournaments.transfer.document import Document, LoanSlip

    whole = json.loads(data)
    change(whole["body"])
    loan = whole["loan"]
    known = {name: whole[name] for name in Document.__slots__ if name != "loan"}
    return Document(**known, loan=loan and LoanSlip(**loan)).encode()
