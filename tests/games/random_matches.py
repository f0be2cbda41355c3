"""Matches played at random, in the product and in the naive games side by side."""

import random
from collections.abc import Iterator

from games.engine import match, record
from games.engine.cards import CARDS
from games.engine.game import GameMove, Length, Setup, count_hands
from games.engine.match import Progress
from tests.games import naive, naive_decks, setups

TRIONFO = tuple(Setup("trionfo", 2, Length(*length), "free", {}, 1) for length in setups.OTHER_LENGTHS)


def choose_setups(ruleset: str, players: int) -> tuple[Setup, ...]:
    return TRIONFO if ruleset == "trionfo" else setups.chosen(ruleset, players)


class RandomMatch:
    """A match played at random, in the product and in the naive games side by side, with its record."""

    def __init__(self, setup: Setup, seed: object) -> None:
        self.rng = random.Random(repr((setup, seed)))
        self.progress: Progress = match.start(setup)
        self.game = None
        self.deals: list[tuple[list[int], list[str]]] = []

    def moments(self) -> Iterator[tuple[Progress, GameMove]]:
        """Yield, before each move, where the match stands, and the move."""
        while self.progress.outcome is None:
            assert len(self.progress.deals) < 60, "a match must end"
            if self.progress.needs_deck:
                self.deal()
                continue
            move = self.some_move()
            yield self.progress, move
            self.play(move)

    def deal(self) -> None:
        setup = self.progress.setup
        self.names = naive_decks.some_deck(self.rng, setup.ruleset, count_hands(setup.players), self.progress.dealer)
        self.game = self.new_game(self.names)
        self.deals.append(([CARDS[name] for name in self.names], []))
        self.progress = match.deal(self.progress, self.deals[-1][0])

    def new_game(self, names: list[str]):
        """The naive game of a deck, dealt as things stand."""
        progress, setup = self.progress, self.progress.setup
        score = None if progress.tie_break else list(progress.score)
        target = setup.length.value if setup.length.kind == "points" else None
        return naive.GAMES[setup.ruleset](setup.players, progress.dealer, names, setup.options, score, target)

    def some_move(self) -> GameMove:
        """A card, or now and then a call; what would end the deal at once is not said whenever it could be."""
        legal = match.legal(self.progress)
        plays = [move for move in legal if move.verb == "play"]
        calls = [move for move in legal if move.verb != "play"]
        endings = ("out", "redeal", "collatondrione")
        calls = [move for move in calls if move.verb not in endings or self.rng.random() < 0.3]
        return self.rng.choice(calls if calls and (not plays or self.rng.random() < 0.5) else plays)

    def play(self, move: GameMove) -> None:
        self.progress = match.play(self.progress, move)
        text = record.write_move(move)
        self.deals[-1][1].append(text)
        if move.verb not in match.FORFEITS:
            naive.do(self.game, text)
