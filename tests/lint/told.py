"""Laws of what is withheld (J12): who counts results asks for them, and stands here with the reason; everybody else
reads what a row tells (games/withheld.py).
"""

import ast
import re
from collections.abc import Iterator

from tests.lint.harm import find_places
from tests.lint.sources import APPS, Sources

ASKING = {
    r"\bwith_results\(\)": {
        # What it is made of
        "games/withheld.py": "what it is",
        "games/prepared_sql.py": "rows read past the ORM",
        "tournaments/core/bulk.py": "rows read past their constructor",
        # The table itself, shown to those who sit there
        "games/locked_row.py": "the row that a table plays on",
        "games/locked_match.py": "a deal that was taken back comes again (B7)",
        "games/match_cache.py": "the position of a running match",
        "games/late_deals.py": "the deal before, for those who watch; what is withheld nobody watches",
        "games/shuffles.py": "decks of a match that is over are unsealed",
        "games/sealed_decks.py": "decks are sealed with another key",
        "games/training/hints.py": "training takes back (B7)",
        # What is counted of a match that is over
        "games/selectors.py": "the record, of what is shown",
        "games/facts/store.py": "facts of what is shown",
        "games/moderation/hints.py": "matches of what is shown",
        "games/lobby/conduct.py": "who left, of the forfeits that rows tell",
        # What is counted of a tournament
        "tournaments/running/results.py": "a result is taken in",
        "tournaments/running/plan_basis.py": "the plan after all results",
        "tournaments/running/path_store.py": "the same, of a path",
        "tournaments/running/dependents.py": "the same, of what stays as it was",
        "tournaments/running/level_results.py": "levels, of what counts",
        "tournaments/rankings/points.py": "who came to their fixtures",
        "tournaments/equal/confronto.py": "deals are compared",
        # Acts
        "tournaments/desk/act.py": "the fixture that an act locks",
        "tournaments/desk/results.py": "its points before a forfeit",
        "tournaments/desk/reinstatement.py": "what an entry gave up",
        "tournaments/desk/rehearsal.py": "the difference an act makes, of which it hides what is withheld",
        "tournaments/hall/phone_results.py": "the result of a slip, for whoever holds its code",
        "tournaments/hall/result_list.py": "a list that is sent again",
    },
    # Everybody else asks a row, or the rows of a query, whether they are shown.
    r"\b(?:self|match|round_?|fixture|table|row)\.withheld\b|\bwithheld=|__withheld\b": {
        "games/models.py": "the column",
        "games/services/seating.py": "a table is opened",
        "tournaments/models/fixtures.py": "the column",
        "tournaments/running/plan_store.py": "a round is stored",
        "tournaments/running/tables.py": "a table of a round is opened",
        "tournaments/equal/secrets.py": "a round is revealed",
    },
}
# Queries that name a column of results: of what is shown, of free matches, or for whoever counts.
QUERIES = {
    "games/lobby/conduct.py": "tables that everybody left, which have no result",
    "games/lobby/rematches.py": "free matches",
    "games/match_cache.py": "the position of a running match",
    "games/moderation/hints.py": "of what is shown",
    "tournaments/core/card_points.py": "of what is shown",
    "tournaments/core/permissions.py": "who is out of a KO",
    "tournaments/desk/part_queries.py": "of what is shown",
    "tournaments/core/results_in_force.py": "facts, which nothing else has, and matches of what is shown",
    "tournaments/webhooks/outbox.py": "of what is shown",
}
MODELS = ("games/models.py", "tournaments/models/fixtures.py")
QUERYING = re.compile(
    r"filter|exclude|get|get_or_create|update_or_create|values|values_list|annotate|alias|aggregate|order_by|only|defer|"
    r"F|Q|When|Case|Sum|Max|Min|Avg|Count|OuterRef|Cast|Coalesce|Prefetch|FilteredRelation|JSONArray|latest|earliest"
)
BY_KEYWORD = {"get", "get_or_create", "update_or_create"}  # a dictionary's, too: their queries name columns by keywords
PLAIN = {"text", "deck"}  # so others are called, too: of these alone, a row or ``values`` refuses at once


def find_results_asked_for_elsewhere(sources: Sources) -> Iterator[str]:
    """Rows with what is withheld are asked for only by those who count (J12)."""
    return find_places(ASKING, sources.list(*APPS))


def list_columns(sources: Sources) -> set[str]:
    """Return the columns that rows hold back."""
    columns: set[str] = set()
    for name in MODELS:
        for node in sources[name].nodes if sources.exists(name) else ():
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "RESULTS":
                columns |= set(ast.literal_eval(node.value))
    return columns - PLAIN


def list_named(node: ast.AST) -> Iterator[str]:
    """Yield the paths that a part of a query names."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) == "register.filter":
        return
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    if QUERYING.fullmatch(called):
        yield from (word.arg for word in node.keywords if word.arg)
        words = (word.value for word in node.args if isinstance(word, ast.Constant) and called not in BY_KEYWORD)
        yield from (word for word in words if isinstance(word, str))


def find_results_in_queries(sources: Sources) -> Iterator[str]:
    """Queries that name what may be withheld stand only where they were reviewed (J12)."""
    columns = list_columns(sources)
    for source in sources.list(*APPS):
        paths = {path for node in source.nodes for path in list_named(node)}
        named = {path for path in paths if columns & set(path.lstrip("-").split("__"))}
        if named and source.name not in QUERIES:
            yield f"{source.name}: {', '.join(sorted(named))} wasn't reviewed there"
        if not named and source.name in QUERIES:
            yield f"{source.name} names no result any more"


LAWS = (find_results_asked_for_elsewhere, find_results_in_queries)
