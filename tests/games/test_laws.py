"""Laws that every ruleset on offer obeys, and Trionfo with them, however it is set up and whatever is played.

The matches are played at random by seeds; between them they hold every two values of options, length and context
(``setups.chosen``). Which moves may be made, and what a deal is worth, the naive games say.
"""

import copy
import itertools
import random

import pytest

from games.engine import match, record
from games.engine.cards import DECK_SIZE, FULL, NAMES, list_cards, make_mask
from games.engine.game import GameMove, HeaderError, IllegalMove, controlling_seat, count_hands
from games.engine.match import Progress
from games.rules import RULESETS
from scoring import vp
from tests.games import naive, naive_replay, setups
from tests.games.random_matches import RandomMatch, choose_setups
from tests.support.thorough import tries

pytestmark = pytest.mark.usefixtures("trionfo")
every_table = pytest.mark.parametrize(("ruleset", "players"), [*setups.TABLES, setups.TRIONFO])
THIRDS = ("tresette", "tresette-a-perdere", "tressette-classico")  # T4: eleven a deal


# How it may be set up


@pytest.mark.parametrize(("ruleset", "players"), setups.TABLES)
def test_a_match_may_be_set_up_as_the_documents_let_it_and_in_no_other_way(ruleset, players):
    for setup in setups.every_combination(ruleset, players):
        try:
            match.check(setup)
            vp.check_length(setup)
            refused = None
        except HeaderError as fault:
            refused = fault.code
        assert (refused is None) == setups.allowed(setup), (setup, refused)


def test_every_ruleset_of_the_documents_is_on_offer_with_its_options_and_numbers_of_players():
    assert set(RULESETS) == set(naive_replay.OPTIONS)
    for name, options in naive_replay.OPTIONS.items():
        if name == "trionfo":
            continue
        assert RULESETS[name].players == naive_replay.players_of(name)
        offered = {key: (option.default, set(option.values)) for key, option in RULESETS[name].options.items()}
        assert offered == {key: (values[0], set(values)) for key, values in options.items()}


def test_the_matches_of_these_laws_hold_every_value_of_every_option_length_and_context():
    for ruleset, players in setups.TABLES:
        chosen, every = setups.chosen(ruleset, players), setups.every(ruleset, players)
        for name in naive_replay.OPTIONS[ruleset]:
            assert {way.options[name] for way in chosen} == {way.options[name] for way in every}
        assert {(way.length, way.context) for way in chosen} == {(way.length, way.context) for way in every}


# What is played


@every_table
def test_forty_different_cards_are_there_at_every_moment(ruleset, players):
    for setup in choose_setups(ruleset, players):
        game = RandomMatch(setup, "cards")
        for progress, _ in itertools.islice(game.moments(), 120):
            state = progress.deal
            view = match.view(progress, None)
            hands = [list(list_cards(hand)) for hand in state.hands]
            assert [len(hand) for hand in hands] == [hand.count for hand in view.hands]
            assert len(hands) == count_hands(players)
            piles = sum(pile.cards for pile in view.piles)
            on_table = [card.card for card in view.table]
            assert len(state.stock) == view.stock
            assert sum(map(len, hands)) + len(on_table) + view.stock + piles == DECK_SIZE
            somewhere = [*itertools.chain(*hands), *on_table, *state.stock]
            assert len(set(somewhere)) == len(somewhere) == DECK_SIZE - piles
            taken = {NAMES[card] for card in set(range(DECK_SIZE)) - set(somewhere)}
            assert taken == {card for pile in game.game.taken for card in pile}


CALLS = ("redeal", "out", "buongioco", "collatondrione")
ARGUED = [
    *(("accuso", name) for name in ("3x3", "4xA", "3xA+3x3", "napoletana:d", "", "x", "3x3+3x3")),
    *(("declare", arg) for arg in ("d ho", "s busso", "c per-te", "b per-te+ho", "ho", "d", "x ho", "d busso+ho")),
    *(("signal", arg) for arg in ("busso", "volo", "striscio", "", "ho")),
]


def candidates(seats: int, legal: list[GameMove], rng: random.Random) -> list[GameMove]:
    """Moves of every kind, most of them not allowed."""
    moves = [GameMove(seat, "play", card) for seat in range(-1, seats + 1) for card in range(-1, DECK_SIZE + 1)]
    for move in legal[:12]:
        others = [0, rng.getrandbits(40) & FULL, move.takes | 1 << rng.randrange(40), move.takes & (move.takes - 1)]
        moves += [move._replace(takes=takes) for takes in others]
        moves += [move._replace(card=rng.randrange(40)), move._replace(seat=(move.seat + 1) % seats)]
        moves += [move._replace(arg="x"), move._replace(verb="out"), move._replace(verb="accuso")]
    moves += [
        GameMove(seat, verb) for seat in range(-1, seats + 1) for verb in ("", "sing", "signal", "declare", *CALLS)
    ]
    return moves + [GameMove(seat, verb, arg=arg) for seat in range(seats) for verb, arg in ARGUED]


@pytest.mark.rule("G10")
@every_table
def test_listed_moves_are_played_and_unlisted_ones_refused_with_nothing_changed_g10(ruleset, players):
    for setup in choose_setups(ruleset, players):
        game = RandomMatch(setup, "listed")
        for progress, _ in itertools.islice(game.moments(), 0, 50, tries(7, 3)):
            legal = match.legal(progress)
            assert legal
            assert len(set(legal)) == len(legal)
            assert {record.write_move(move) for move in legal} == set(naive.listed(game.game))
            before = copy.deepcopy((progress.setup, progress[2:]))  # all but the ruleset, which has no state
            for move in legal:
                match.play(progress, move)
            for move in set(candidates(count_hands(players), list(legal), game.rng)) - set(legal):
                with pytest.raises(IllegalMove):
                    match.play(progress, move)
            assert (progress.setup, progress[2:]) == before


@every_table
@pytest.mark.parametrize("seed", range(tries(1, 4)))
def test_a_match_goes_as_the_naive_games_say_ends_and_its_record_replays_to_the_same(ruleset, players, seed):
    for setup in choose_setups(ruleset, players):
        game = RandomMatch(setup, seed)
        for progress, move in game.moments():
            if game.rng.random() < 0.003:
                game.play(GameMove(match.turn(progress), game.rng.choice(["timeout", "clock", "abandon"])))
                break
            assert match.turn(progress) == game.game.turn
            assert {record.write_move(legal_move) for legal_move in match.legal(progress)} == set(
                naive.listed(game.game)
            )
            assert move in match.legal(progress)
        progress = game.progress
        exported = record.dump(setup, game.deals)
        assert record.replay(record.parse(exported)).progress == progress
        expected = naive_replay.replay(exported)
        assert expected["complete"]
        assert [list(deal.points) for deal in progress.deals] == [deal["points"] for deal in expected["deals"]]
        end = progress.outcome
        assert [end.winner, end.decided_by, end.margin, list(progress.stakes)] == [
            expected[name] for name in ("winner", "decided_by", "margin", "stakes")
        ]
        assert match.turn(progress) is None
        assert match.legal(progress) == ()


@every_table
def test_a_match_taken_up_from_its_finished_deals_goes_on_the_same(ruleset, players):
    for setup in choose_setups(ruleset, players)[:6]:
        played: list[GameMove] = []
        dealt: Progress | None = None
        game = RandomMatch(setup, "taken up")
        for progress, move in itertools.islice(game.moments(), 150):
            if dealt is None or len(progress.deals) != len(dealt.deals):
                dealt, played = progress, []
            if game.rng.random() < 0.1:
                resumed = match.start(progress.setup, dealt.deals)._replace(deal=dealt.deal)
                for played_move in played:
                    resumed = match.play(resumed, played_move)
                stakes, begun = Progress._fields.index("stakes"), Progress._fields.index("begun")
                assert resumed[:stakes] == progress[:stakes]
                assert resumed[stakes:begun] == progress[stakes:begun]  # T6's extra stakes and the tie-break too
            played.append(move)


@pytest.mark.rule("T4")
@every_table
def test_a_deals_points_are_the_sum_of_its_rows_and_of_what_the_rulebook_gives_away(ruleset, players):
    for setup in choose_setups(ruleset, players):
        game = RandomMatch(setup, "points")
        for _ in game.moments():
            tally = game.progress.tally
            if tally is not None:
                check_tally(game, tally)
        if game.progress.tally is not None:
            check_tally(game, game.progress.tally)


def check_tally(game: RandomMatch, tally) -> None:
    points = game.progress.deals[-1].points
    if game.progress.deals[-1].void:
        return
    assert tally.points == points
    assert tally.points == tuple(sum(row.points[line] for row in tally.rows) for line in (0, 1))
    ruleset = game.progress.setup.ruleset
    if ruleset == "briscola":
        assert sum(next(row.values for row in tally.rows if row.code == "card_points")) == 120
        assert points in {(1, 0), (0, 1), (0, 0)}  # BR4
    if ruleset in ("scopa", "asso-piglia-tutto", "scopone"):
        scope = sum(row.points[line] for row in tally.rows if row.code == "scope" for line in (0, 1))
        assert 1 <= sum(points) - scope <= 4  # S7: the settebello always goes to somebody
    if ruleset in THIRDS and tally.whole:
        calls = [move for move in game.deals[len(game.progress.deals) - 1][1] if " accuso " in move]
        called = sum(4 if name.startswith("4") else 3 for move in calls for name in move.split(" ")[2].split("+"))
        ending = tally.ending.decided_by if tally.ending else ""
        eleven = 10 if ending.startswith("stramazz") else 11  # C6
        if 0 in points and game.progress.terms.extra_stake:
            assert eleven <= sum(points) <= 11 + called  # T6: the other line's are taken back
        else:
            assert sum(points) == eleven + called
    if ruleset == "tressette-accusa":
        assert min(points) >= 1 or max(points) >= 17  # M6


@every_table
@pytest.mark.parametrize("wants", ["everything", "nothing"])
def test_automatic_calls_are_legal_one_after_the_other_and_come_to_an_end(ruleset, players, wants):
    wanted = [frozenset({"out", "accuso", "declare"} if wants == "everything" else ())] * count_hands(players)
    for setup in choose_setups(ruleset, players)[:8]:
        game = RandomMatch(setup, wants)
        for progress, move in itertools.islice(game.moments(), 100):
            for play in (None, move if move.verb == "play" else None):
                after = progress
                for call in match.automatic(progress, wanted, play):
                    assert call.verb != "play"
                    assert call in match.legal(after)
                    after = match.play(after, call)
                if play is None and after.deal is not None:
                    assert not match.automatic(after, wanted)
                elif after.deal is not None and after is not progress:
                    assert play in match.legal(after)


def test_who_plays_a_seat_is_its_own_player_but_for_the_morto():
    assert [controlling_seat(seat, 3) for seat in range(4)] == [0, 1, 0, 3]
    assert [controlling_seat(seat, 4) for seat in range(4)] == [0, 1, 2, 3]


def test_masks_and_cards_are_two_ways_to_write_the_same_set():
    assert list(list_cards(make_mask([3, 17, 39]))) == [3, 17, 39]
