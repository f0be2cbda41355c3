"""The lessons there are, by ruleset, in the order they are listed."""

from games.lessons import (
    asso_piglia_tutto,
    briscola,
    scopa,
    scopone,
    tresette,
    tresette_a_perdere,
    tressette_accusa,
    tressette_classico,
)
from games.lessons.steps import Lesson

MODULES = (
    scopa,
    asso_piglia_tutto,
    scopone,
    briscola,
    tresette,
    tresette_a_perdere,
    tressette_accusa,
    tressette_classico,
)
LESSONS: dict[str, Lesson] = {module.LESSON.ruleset: module.LESSON for module in MODULES}
