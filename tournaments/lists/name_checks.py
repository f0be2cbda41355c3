"""Check of a name in a list that somebody typed. It looks nobody up."""

from collections.abc import Iterable

from players.names import BadName, clean_typed_name
from tournaments.lists.problems import Problem


def check_name(number: int, about: str, name: str) -> Iterable[Problem]:
    """Yield the problem of a name that can't be."""
    try:
        clean_typed_name(name)
    except BadName as error:
        yield Problem(number, f"name_{error.code}", about, name)
