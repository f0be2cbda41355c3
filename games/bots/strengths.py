"""The strengths of the house's players, and how hard each thinks in each game (HP2).

A *Principiante* tries a few ways in which the hidden cards may lie, a *Circolo* more; a *Maestro* tries many,
likelier ones first, and plays the end of a deal exactly. All of them remember the deal: who doesn't plays below rules
of thumb. Measured in docs/bench.md, HOUSE.
"""

from games.bots.effort import Effort

BEGINNER, CLUB, MASTER = "beginner", "club", "master"
STRENGTHS = (BEGINNER, CLUB, MASTER)  # weakest first

_TRICKS = {
    BEGINNER: Effort(worlds=6),
    CLUB: Effort(worlds=40),
    MASTER: Effort(worlds=320, first=40, exact_cards=5, exact_worlds=36, nodes=16_000),
}
_TRICKS_OF_TWO = {
    **_TRICKS,
    MASTER: Effort(worlds=320, first=40, exact_cards=10, exact_worlds=36, nodes=16_000),
}
_LOSING = {
    BEGINNER: Effort(worlds=9),
    CLUB: Effort(worlds=16),
    MASTER: _TRICKS[MASTER]._replace(exact_cards=4),
}
_CLASSIC = {**_TRICKS, CLUB: Effort(worlds=20)}
_CAPTURES = {
    BEGINNER: Effort(worlds=3),
    CLUB: Effort(worlds=10),
    MASTER: Effort(worlds=240, first=60, ways=4, nodes=4_000),
}
_ACES = {**_CAPTURES, BEGINNER: Effort(worlds=5), CLUB: Effort(worlds=14)}
_CAPTURES_OF_FOUR = {**_CAPTURES, BEGINNER: Effort(worlds=8), CLUB: Effort(worlds=24)}
# Ten cards in hand, and each world is played to the end of the deal: fewer of them, and the worse cards go sooner.
_SCOPONE = {
    BEGINNER: Effort(worlds=10),
    CLUB: Effort(worlds=18),
    MASTER: Effort(worlds=48, first=6, ways=3, nodes=4_000),
}
_BRISCOLA = {  # a world is soon played out, and takes many to tell cards apart
    BEGINNER: Effort(worlds=70),
    CLUB: Effort(worlds=180),
    MASTER: Effort(worlds=600, first=150, exact_cards=5, exact_worlds=60, nodes=12_000),
}
_BRISCOLA_OF_FOUR = {
    BEGINNER: Effort(worlds=40),
    CLUB: Effort(worlds=110),
    MASTER: _BRISCOLA[MASTER]._replace(exact_cards=3),
}
_EFFORTS: dict[tuple[str, int], dict[str, Effort]] = {
    ("tresette", 2): _TRICKS_OF_TWO,
    ("tresette-a-perdere", 2): _TRICKS_OF_TWO,
    ("tresette-a-perdere", 4): _LOSING,
    ("tressette-accusa", 2): _TRICKS_OF_TWO,
    ("tressette-classico", 4): _CLASSIC,
    ("scopa", 2): _CAPTURES,
    ("scopa", 4): _CAPTURES_OF_FOUR,
    ("asso-piglia-tutto", 2): _ACES,
    ("asso-piglia-tutto", 4): _CAPTURES_OF_FOUR,
    ("scopone", 4): _SCOPONE,
    ("briscola", 2): _BRISCOLA,
    ("briscola", 4): _BRISCOLA_OF_FOUR,
}


STUDY_WORLDS = 500  # where each is soon played out; every card is tried in all of them
STUDY_NODES = 40_000


def find_study_effort(ruleset_id: str, hands: int) -> Effort:
    """Return how hard a decision is thought about when it is looked back at (HP6): a *Maestro*'s, no card left out."""
    effort = _EFFORTS.get((ruleset_id, hands), _TRICKS)[MASTER]
    worlds = effort.worlds if effort.worlds < 100 else STUDY_WORLDS  # where each takes long
    return effort._replace(worlds=2 * worlds if worlds < 100 else worlds, first=0, nodes=STUDY_NODES)


def find_effort(ruleset_id: str, hands: int, strength: str, halvings: int = 0) -> Effort:
    """Return how hard a player of this strength thinks, ``hands`` being dealt; less, where time is short (HP0)."""
    efforts = _EFFORTS.get((ruleset_id, hands), _TRICKS)
    return efforts[strength].halve(halvings, efforts[CLUB])
