"""The list of rules that no test carries."""

from pathlib import Path

from tests import rules


def written(folder: Path, text: str) -> dict[object, list[str]]:
    (folder / "test_some.py").write_text(text)
    return rules.carried(folder)


def test_a_rule_that_no_test_carries_is_named(tmp_path: Path):
    marked = "\n".join(f'@pytest.mark.rule("{rule}")\ndef test_{rule}(): ...' for rule in rules.RULES if rule != "T5")
    numbers = written(tmp_path, marked)
    assert rules.report(numbers) == ["No test carries: T5"]
    assert rules.report({**numbers, "T5": ["test_some.py:1"]}) == []


def test_a_number_that_is_no_rule_is_named_with_its_place_but_not_one_of_a_tournament(tmp_path: Path):
    numbers = written(tmp_path, 'x = 1\npytestmark = pytest.mark.rule("T13", "E8", 5)\n')
    faults = rules.report(numbers)
    assert faults[:2] == ["'T13' is no rule: test_some.py:2", "5 is no rule: test_some.py:2"]
    assert len(faults) == 3
