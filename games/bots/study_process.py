"""The process that looks back at decisions (HP6): ``python -m games.bots.study_process IN OUT``, as ``process`` is run.

It is another one than that of the house's players, which never hears of a card that a seat can't see, and steps further
back than that one.
"""

from games.bots.process import run
from games.bots.study import StudyAnswer, weigh_decision

NICENESS = 15

if __name__ == "__main__":
    run(weigh_decision, StudyAnswer, NICENESS)
