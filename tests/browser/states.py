"""Every state a table can be in, as scenes: what the page's look is tried against."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tests.browser.rigged import deck
from tests.browser.scenes import Scene

Frames = list[dict[str, Any]]

HANDS = {
    0: "Ad 2d 3d Rd Cd 4b 5b 6b 7b Fb",  # napoletana di denari
    1: "Ac 2c 3c Rc Cc 4d 5d 6d 7d Fd",
    2: "Ab Rb Cb Rs Cs 4c 5c 6c 7c Fc",
    3: "3b 3s As 2b 2s 4s 5s 6s 7s Fs",
}
RICH = {
    0: "3d 4d 2c 5b 6b 7b Fb 4s 5s 6s",
    1: "Ad Ab As Rc Cc 4c 5c 6c 7c Fc",
    2: "2d 5d 3c Ac 4b Rb Cb 7s Fs Rs",
    3: "6d 7d Fd Cd Rd 3b 2b 3s 2s Cs",
}
MORTO = {
    0: "4d Rd 5d 3c Rc 4b Cs 2s As 6c",
    1: "5c 7c 2d 3d 5b 6b 4s 5s 6s Ac",
    2: "7d 6d Fc 2c 4c Ab Cb Rb 7s 3s",
    3: "Ad Cd Fd Cc 7b Fb 2b 3b Fs Rs",
}
SCOPA = "Rd 3c 6s 4b 7c 2s 5d 5b 3d 2c"  # Anna: Rd 6s 7c, Bruno: 3c 4b 2s; on the table 5d 5b 3d 2c

SCOPONE = (
    "2s Fb 3b 5c Rb Cb Cc 3c Fs Ab Cs 4s 2d 7d Ad 5b 4b 3s Rs 6c "
    "As Fd Rd 4d 6b 5s 2c 7s 7b 7c Rc 2b Fc 4c 6s Ac Cd 6d 3d 5d"
)
LAST_SCOPA = "Fd 3d 6s 4b 7c 2s 5d 5b Rd 2c"
LATE: dict[str, Any] = {"late": True, "clock": {"from": None, "ends": None, "extra": 0, "left": None, "noshow": None}}


def tresette(**options: Any) -> Scene:
    chosen = {"accuso": True, "dichiarazioni": True, "carte_viste": True, "vinco_subito": True, **options}
    return Scene("tresette", 4, points=21, **chosen).deal(deck(HANDS, dealer=3))


def scopa(**options: Any) -> Scene:
    return Scene("scopa", 2, points=11, house=(1,), **options).deal(SCOPA)


def waiting() -> Frames:
    scene = Scene("tresette", 4, points=21)
    scene.status = "waiting"
    scene.seats[1].arrived_at = scene.seats[2].arrived_at = None
    return [scene.frame()]


def own_turn() -> Frames:
    return [scopa().play("0 play 7c x 5d 2c", "1 play 3c x 3d").frame()]


def other_turn() -> Frames:
    return [scopa().play("0 play 7c x 5d 2c").frame()]


def last_seconds() -> Frames:
    scene = scopa().play("0 play 7c x 5d 2c", "1 play 3c x 3d")
    scene.turn_left = timedelta(seconds=7)
    return [scene.frame()]


def ambiguous() -> Frames:
    """5, 5, 3, 2 on the table and a king in hand: the case of the rulebook."""
    return [Scene("scopa", 2, points=11, dealer=1).deal("Rd 3c 6s 4b 7c 2s 5d 5b 3d 2c").frame()]


def taking() -> Frames:
    scene = scopa().play("0 play 7c x 5d 2c")
    first = scene.frame()
    return [first, scene.play("1 play 3c x 3d").frame()]


def sweeping() -> Frames:
    scene = Scene("scopa", 2, points=11).deal("Rd 3c 2s 4b 7c 6s 5d 5b 3d 2c")
    scene.play("0 play Rd x 5d 5b", "1 play 3c x 3d")
    before = scene.frame()
    return [before, scene.play("0 play 2s x 2c").frame()]


def crowded() -> Frames:
    """Many cards on the table, and a hand of three."""
    scene = Scene("scopa", 4, points=11, dealer=3).deal("7d 7c 6d 4c 6c 5c 4b 3s 6s 3b 2b 2s Rd Cd Ad Fd")
    return [scene.play("5").frame()]


def four_of_scopa() -> Frames:
    scene = Scene("scopa", 4, points=11, carte_scoperte=True, carte_viste=True).deal()
    return [scene.play("21").frame()]


def ten_on_the_table() -> Frames:
    """Scopone with as many cards on the table as there may well be, and eight in hand."""
    scene = Scene("scopone", 4, points=21, dealer=3).deal(SCOPONE)
    scene.play("0 play Fs", "1 play 7d", "2 play Cc", "3 play 6c", "0 play Rb", "1 play 4c", "2 play 3b", "3 play 5c")
    return [scene.play("0 play 2d", "1 play Ab").frame(2)]


def empty_table() -> Frames:
    """The first card of a deal of Scopone: ten in hand, and nothing to take."""
    return [Scene("scopone", 4, points=21, dealer=3).deal(SCOPONE).frame(0)]


def briscola_in_pairs() -> Frames:
    scene = Scene("briscola", 4, points=3, dealer=3, context="ko").deal()
    return [scene.play("7").frame(3)]


def briscola_for_two() -> Frames:
    return [Scene("briscola", 2, points=3, dealer=1).deal().play("2").frame(0)]


def partner_shown() -> Frames:
    """The last cards of Briscola in pairs: the partner's hand is open, and the turned card in whosever hand it is."""
    scene = Scene("briscola", 4, points=3, dealer=3, mostra_compagno=True).deal()
    return [scene.play("29").frame(0)]


def first_trick() -> Frames:
    """Accuso and declarations, all by hand."""
    scene = tresette()
    scene.by_hand[0] = ("out",)
    return [scene.frame()]


def declared() -> Frames:
    scene = tresette().play(
        "0 accuso napoletana:d", "0 declare d per-te+ho", "0 play Ad", "1 accuso napoletana:c", "1 play 4d"
    )
    return [scene.play("2 play 4c").frame(0)]


def declared_seen_by_next() -> Frames:
    scene = tresette().play("0 accuso napoletana:d", "0 declare d per-te+ho", "0 play Ad")
    scene.by_hand[1] = ()
    return [scene.frame(1)]


def trick_led() -> Frames:
    scene = tresette().play("0 accuso napoletana:d", "0 play Ad", "1 play 4d", "2 play 4c", "3 play 4s")
    scene.by_hand[0] = ()
    return [scene.frame(0)]


def trick_taken() -> Frames:
    scene = tresette().play("0 accuso napoletana:d", "0 play Ad", "1 play 4d", "2 play 4c")
    before = scene.frame(0)
    return [before, scene.play("3 play 4s").frame(0)]


def opening() -> Frames:
    scene = Scene("tressette-classico", 4, points=31, onori=True, segnali="tre").deal(deck(RICH, dealer=3))
    scene.opening = True
    return [scene.frame(1)]


def signals() -> Frames:
    scene = Scene("tressette-classico", 4, points=31, onori=True, segnali="tre").deal(deck(RICH, dealer=3))
    scene.play("1 buongioco", "0 play 3d", "1 play Ad", "2 play 2d", "3 play 6d", "1 accuso 3xA")
    return [scene.frame(0)]


def morto() -> Frames:
    scene = Scene("tressette-accusa", 3, points=11, accusa="facoltativa").deal(deck(MORTO, dealer=3, at_a_time=5))
    return [scene.play("0 play 4d", "1 play 3d").frame(0)]


def morto_against() -> Frames:
    scene = Scene("tressette-accusa", 3, points=11, accusa="facoltativa").deal(deck(MORTO, dealer=3, at_a_time=5))
    return [scene.play("0 play 4d").frame(1)]


def open_hands() -> Frames:
    scene = Scene("tresette", 4, points=21, carte_scoperte=True, carte_viste=True).deal(deck(HANDS, dealer=3))
    return [scene.play("6").frame(0)]


def spizzichino() -> Frames:
    return [Scene("tresette", 2, points=21, carte_viste=True).deal().play("9").frame(0)]


def spizzichino_open() -> Frames:
    return [Scene("tresette", 2, points=21, carte_viste=True).deal().play("25").frame(0)]


def spectator() -> Frames:
    return [tresette().play("0 accuso napoletana:d", "0 play Ad", "1 play 4d").frame(None)]


def late_first_deal() -> Frames:
    """Return what who watches late is shown while the first deal is played."""
    scene = Scene("scopa", 2, deals=2, context="ko")
    scene.status = "waiting"
    return [scene.frame(None, **LATE)]


def late_deal() -> Frames:
    """Return the first deal, as shown while the second is played."""
    return [Scene("scopa", 2, deals=2, context="ko", dealer=1).deal(SCOPA).play("35").frame(None, **LATE)]


def late_end() -> Frames:
    """Return the first deal, and then the end of the second."""
    scene = Scene("scopa", 2, deals=2, context="round_robin", dealer=1).deal(SCOPA).play("35")
    before = scene.frame(None, **LATE)
    return [before, scene.play("1").deal(LAST_SCOPA).end().frame(None)]


def count_of_scopa() -> Frames:
    scene = Scene("scopa", 2, points=11, dealer=1).deal(SCOPA)
    scene.play("35")
    before = scene.frame()
    scene.play("1")
    scene.deal("Rd 3c 6s 4b 7c 2s 5d 5b 3d 2c")
    return [before, scene.frame()]


def count_of_briscola() -> Frames:
    scene = Scene("briscola", 2, points=3, dealer=1).deal().play("39")
    before = scene.frame()
    return [before, scene.play("1").deal().frame()]


def count_of_tresette() -> Frames:
    scene = tresette().play("0 accuso napoletana:d", "39")
    before = scene.frame()
    return [before, scene.play("1").deal(deck(RICH, dealer=0)).frame()]


def result_won() -> Frames:
    scene = Scene("scopa", 2, deals=1, dealer=1).deal(SCOPA).play("35")
    before = scene.frame()
    return [before, scene.play("1").frame()]


def result_of_a_round_robin() -> Frames:
    scene = Scene("tresette", 4, deals=1, context="round_robin", accuso=True).deal(deck(HANDS, dealer=3)).play("39")
    before = scene.frame(1)
    return [before, scene.play("1").frame(1, result={**scene.frame(1)["result"], "mp": [-7, 7], "vp": [3, 17]})]


STATES: dict[str, Callable[[], Frames]] = {
    state.__name__: state
    for state in (
        waiting,
        own_turn,
        other_turn,
        last_seconds,
        ambiguous,
        taking,
        sweeping,
        crowded,
        four_of_scopa,
        ten_on_the_table,
        empty_table,
        briscola_in_pairs,
        briscola_for_two,
        partner_shown,
        first_trick,
        declared,
        declared_seen_by_next,
        trick_led,
        trick_taken,
        opening,
        signals,
        morto,
        morto_against,
        open_hands,
        spizzichino,
        spizzichino_open,
        spectator,
        late_first_deal,
        late_deal,
        late_end,
        count_of_scopa,
        count_of_briscola,
        count_of_tresette,
        result_won,
        result_of_a_round_robin,
    )
}
