"""The contract of every room finds what it is there for, in a made-up app (tests/inside_rooms.py)."""

import pytest
from grimp import ImportGraph

from tests.inside_rooms import find_faults


def make_graph(*arrows: tuple[str, str]) -> ImportGraph:
    graph = ImportGraph()
    for upper, lower in arrows:
        graph.add_import(importer=f"club.{upper}", imported=f"club.{lower}")
    return graph


@pytest.mark.parametrize(
    ("arrow", "fault"),
    [
        (("desk.acts", "desk.phone_views"), "club.desk.acts -> club.desk.phone_views"),
        (("desk.queries", "desk.forms"), "club.desk.queries -> club.desk.forms"),
        (("desk.wording", "desk.forms"), "club.desk.wording -> club.desk.forms"),
        (("desk.undo", "desk.acts"), "club.desk.acts -> club.desk.undo -> club.desk.acts"),
    ],
)
def test_what_breaks_a_room_is_named(arrow: tuple[str, str], fault: str) -> None:
    kept = (("desk.views", "desk.forms"), ("desk.forms", "desk.acts"), ("desk.acts", "desk.undo"))
    assert find_faults(make_graph(*kept), ["club"]) == []
    assert find_faults(make_graph(*kept, arrow), ["club"]) == [fault]


def test_other_rooms_and_apps_are_no_business_of_it() -> None:
    graph = make_graph(("desk.urls", "desk.views"), ("hall.acts", "desk.views"), ("apps", "desk.views"))
    assert find_faults(graph, ["club"]) == []
    assert find_faults(make_graph(("desk.acts", "desk.views")), ["players"]) == []
