"""Each law of tests/lint finds the fault it is there for, in a made-up house, and nothing in the house without it."""

import pytest

from tests.lint import catalogue, harm, layout, names, numbers, pages, sheets, told, values
from tests.lint.__main__ import LAWS, Law
from tests.lint.sources import Sources

CATALOGUE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n\nmsgid "Carta"\nmsgstr "Card"\n\n'
CONTRACTS = "\n".join(
    f'[[tool.importlinter.contracts]]\nid = "{name}"\nlayers = ["views", "queries : forms"]'
    for name in ("games", "players", "scoring", "rooms")
)
LAYERS = "\n\n".join(
    f"In `{app}`:\n\n    views            what is shown\n    queries · forms\n" for app in pages.LAYERS_TOLD
)
ROOMS = "| room | what it does |\n|---|---|\n| `views` | shows |\n| `queries`, `forms` | read |\n"
CARRIED = "".join(f'pytest.mark.rule("{rule}")\n' for rule in numbers.rules.RULES)
REVIEWED = {
    name: "\n".join(
        {
            r"\bmark_safe\(": "mark_safe(text)",
            r"\bmessages\.error\(": "messages.error(request, why, extra_tags=code)",
            r"\bcsrf_exempt\b": "csrf_exempt",
            r"\bcursor\(": "cursor()",
            r"^(?:import random\b|from random import)": "import random",
        }[words]
        for words, places in harm.REVIEWED.items()
        if name in places
    )
    for places in harm.REVIEWED.values()
    for name in places
}
ASKED = tuple(zip(told.ASKING.values(), ("rows.with_results()", "row.withheld"), strict=True))
TOLD = {
    name: "\n".join(
        [
            REVIEWED.get(name, ""),
            *(words for places, words in ASKED if name in places),
            "rows.filter(match__winner=1)" if name in told.QUERIES else "",
        ]
    )
    for name in {*told.QUERIES, *(name for places in told.ASKING.values() for name in places)}
}
HOUSE = {
    **REVIEWED,
    **TOLD,
    "games/models.py": 'class Match:\n    RESULTS = ("winner",)\n    def tell(self): return self.withheld\n',
    "README.md": "`make run` starts it.",
    "Makefile": "run:\n",
    "pyproject.toml": CONTRACTS,
    "docs/architecture.md": f"{LAYERS}\n\n{ROOMS}",
    "docs/guarantees.md": "",
    "docs/rules/common.md": " ".join(numbers.rules.RULES),
    "locale/en/LC_MESSAGES/django.po": CATALOGUE,
    "templates/_field.html": "{{ help|safe }}",
    "templates/page.html": '{% load i18n %}{% translate "Carta" %}',
    "static/css/site.css": "p {}",
    "static/js/page.js": "run();",
    "players/caps.py": "from datetime import timedelta\nLIMIT = 3  # of one person\n",
    "tournaments/core/log_details.py": 'read(entry.detail["code"])',
    "tests/__init__.py": "",
    "tests/test_all.py": f"{CARRIED}def test_all(): ...",
}
MESSAGES = "locale/en/LC_MESSAGES/django.po"
FAULTS: list[tuple[Law, dict[str, str], str]] = [
    (names.find_classes_of_one_name, {"games/a.py": "class Row: ...", "players/b.py": "class Row: ..."}, "class Row"),
    (
        names.find_packages_that_pass_on,
        {"games/lobby/__init__.py": "from games.lobby.seeks import Seek"},
        "lobby.seeks",
    ),
    (names.find_indirect_docstrings, {"tests/a.py": '"""Who has won."""'}, "Who has won"),
    (names.find_indirect_docstrings, {"games/a.py": 'def win():\n    """T5 holds."""'}, "a.py:1: T5 holds"),
    (names.find_gendered_people, {"docs/page.md": "A player leaves when he likes."}, "page.md:1"),
    (names.find_bare_who, {"docs/page.md": "It is told to " + "who plays."}, "page.md:1"),
    (names.find_vague_values, {"games/a.py": "found = 3"}, "a.py:1: found"),
    (names.find_bare_participles, {"games/a.py": "def known(): ..."}, "known"),
    (names.find_entries_called_lines, {"tournaments/a.py": "def sort(line): ..."}, "a.py:1: line"),
    (names.find_entries_called_lines, {"templates/tournaments/a.html": "{% for line in entries %}"}, "line in entries"),
    (names.find_entries_called_lines_to_readers, {"static/js/a.js": 'say("La linea")'}, "La linea"),
    (names.find_entries_called_lines_to_readers, {"templates/records/rules/en/a.html": "a line of two"}, "line"),
    (values.find_constants_without_unit, {"games/a.py": "PATIENCE = 3  # seconds"}, "PATIENCE counts seconds"),
    (values.find_values_without_type, {"games/a.py": "def tell(about: dict[str, Any]): ..."}, "a.py:1: tell"),
    (values.find_readers_of_log_details, {"tournaments/a.py": 'entry.detail["code"]'}, "a.py:1"),
    (values.find_messages_without_code, {"games/a.py": 'messages.error(request, "No.")'}, "a.py:1"),
    (values.find_mute_caps, {"players/caps.py": "LIMIT = 3"}, "LIMIT"),
    (values.find_mute_caps, {"players/caps.py": "import django"}, "isn't plain"),
    (values.find_ids_of_formats, {"tournaments/a.py": 'if format == "girone": ...'}, "a.py:1: 'girone'"),
    (values.find_ids_of_formats, {"static/css/a.css": ".for-girone {}"}, "a.css:1"),
    (harm.find_harmful_code, {"games/a.py": "mark_safe(text)"}, "a.py: mark_safe( wasn't reviewed"),
    (harm.find_harmful_code, {"games/bots/dice.py": ""}, "dice.py: "),
    (harm.find_unescaped_templates, {"templates/a.html": "{{ name|safe }}"}, "a.html: "),
    (pages.find_untrue_layers, {"docs/architecture.md": f"{LAYERS.replace('views', 'pages')}\n\n{ROOMS}"}, "games"),
    (pages.find_untrue_layers, {"docs/architecture.md": LAYERS}, "rooms"),
    (pages.find_missing_files, {"docs/a.md": "see `games/nowhere.py`"}, "games/nowhere.py"),
    (pages.find_missing_files, {"docs/a.md": "see [there](nowhere.md)"}, "nowhere.md"),
    (pages.find_names_without_code, {"docs/a.md": "calls `run_away()`"}, "run_away"),
    (pages.find_missing_commands, {"docs/a.md": "`make money`"}, "make money"),
    (numbers.find_numbers_without_page, {"games/a.py": f"# what holds (E{99})"}, "a.py: E"),
    (numbers.find_rules_without_test, {"tests/test_all.py": CARRIED.replace('"T5"', "")}, "No test carries: T5"),
    (numbers.find_rules_without_test, {"docs/rules/common.md": ""}, "T5 stands in no page"),
    (catalogue.find_unknown_messages, {"games/a.py": '_("Asso")'}, "'Asso' isn't in the catalogue"),
    (catalogue.find_unknown_messages, {"templates/page.html": ""}, "'Carta' is said nowhere"),
    (catalogue.find_unknown_messages, {"games/a.py": "_(name)"}, "put together"),
    (catalogue.find_untranslated_messages, {MESSAGES: f'{CATALOGUE}msgid "Asso"\nmsgstr ""\n'}, "isn't translated"),
    (catalogue.find_untranslated_messages, {MESSAGES: f'{CATALOGUE}#, fuzzy\nmsgid "A"\nmsgstr "B"\n'}, "doubtful"),
    (catalogue.find_untranslated_messages, {MESSAGES: f'{CATALOGUE}#~ msgid "A"\n#~ msgstr "B"\n'}, "left over"),
    (catalogue.find_untrue_translations, {MESSAGES: f'{CATALOGUE}msgid "{{n}} A"\nmsgstr "B"\n'}, "other places"),
    (catalogue.find_untrue_translations, {MESSAGES: f'{CATALOGUE}msgid "A "\nmsgstr "B"\n'}, "other spaces"),
    (catalogue.find_untrue_translations, {MESSAGES: f'{CATALOGUE}msgid "A:"\nmsgstr "B"\n'}, "another end"),
    (catalogue.find_untrue_translations, {MESSAGES: f'{CATALOGUE}msgid "Mazzo"\nmsgstr "Mazzo"\n'}, "the same"),
    (catalogue.find_plain_punctuation, {MESSAGES: f'{CATALOGUE}msgid "A"\nmsgstr "It\'s"\n'}, "It's"),
    (catalogue.find_lines_in_english, {MESSAGES: f'{CATALOGUE}msgid "Coppia"\nmsgstr "A line"\n'}, "A line"),
    (
        layout.find_imports_of_tests,
        {"tests/a.py": "from tests.test_all import test_all"},
        "a.py imports tests.test_all",
    ),
    (layout.find_folders_without_package, {"tests/games/test_a.py": ""}, "tests/games"),
    (
        told.find_results_asked_for_elsewhere,
        {"api/a.py": "Fixture.objects.with_results()"},
        "api/a.py: with_results() wasn't reviewed",
    ),
    (told.find_results_asked_for_elsewhere, {"games/facts/store.py": ""}, "store.py: "),
    (told.find_results_asked_for_elsewhere, {"api/a.py": "seats.filter(match__withheld=False)"}, "api/a.py: "),
    (
        told.find_results_in_queries,
        {"api/a.py": "seats.filter(Q(match__winner=1), number=0)"},
        "api/a.py: match__winner",
    ),
    (told.find_results_in_queries, {"api/a.py": 'rows.order_by("-winner")'}, "api/a.py: -winner"),
    (told.find_results_in_queries, {"api/a.py": "rows.get(fixture__winner=1)"}, "api/a.py: fixture__winner"),
    (told.find_results_in_queries, {"games/lobby/rematches.py": 'row.get("winner")'}, "names no result any more"),
    (layout.find_long_lines, {"static/css/a.css": "p" * 121}, "a.css:1: 121 characters"),
    (layout.find_downloads, {"fonttools-4.60-py3-none-any.whl": ""}, "fonttools-4.60"),
    (
        sheets.find_other_widths,
        {"static/css/a.css": "@media (width < 64rem), (max-width: 30rem) {}"},
        "(max-width: 30rem)",
    ),
    (sheets.find_other_widths, {"static/css/a.css": "p {}\n@media (height >= 31rem) {}"}, "a.css:2"),
    (
        sheets.find_other_sizes,
        {"static/css/components/a.css": "p {\n  font: 700 1rem var(--text);\n}"},
        "a.css:2: 1rem",
    ),
    (sheets.find_small_letters, {"static/css/a.css": "p { font-size: 0.75rem; }"}, "a.css:1: 12 px"),
    (sheets.find_small_letters, {"static/css/a.css": "p { font: 600 11px / 1.2 serif; }"}, "a.css:1: 11 px"),
    (sheets.find_files_that_are_gone, {"templates/a.html": "{% static 'css/gone.css' %}"}, "a.html: css/gone.css"),
    (
        sheets.find_sheets_linked_by_hand,
        {f"templates/{name}.html": "{% static 'css/a.css' %}" for name in "abcd"} | {"static/css/a.css": ""},
        "css/a.css: a.html, b.html, c.html, d.html",
    ),
]


@pytest.mark.parametrize(("law", "fault", "words"), FAULTS)
def test_a_law_finds_its_fault_and_nothing_without_it(law: Law, fault: dict[str, str], words: str) -> None:
    assert list(law(Sources(HOUSE))) == []
    findings = list(law(Sources(HOUSE | fault)))
    assert [finding for finding in findings if words in finding], findings


def test_every_law_has_a_fault_here_but_the_one_that_asks_another_program() -> None:
    assert {law for law, _, _ in FAULTS} == set(LAWS) - {layout.find_unformatted_templates}


@pytest.mark.parametrize("number", ["E1", "F3", "R5", "H8", "N4", "W2", "AT4", "SP9", "BR5", "HP0", "SC2"])
def test_a_number_is_read_where_it_is_cited(number: str) -> None:
    assert numbers.CITED.findall(f"what holds ({number}), and {number}: so") == [number, number]
    assert numbers.CITED.findall(f"x{number} #{number} {number}x") == []
