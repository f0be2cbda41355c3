"""A record in words (``replay --explain``): everything up to a fault, the fault's place, names fit to show."""

import json
from pathlib import Path

import pytest

from games.engine import record as verbale
from games.engine.cards import CARDS
from games.engine.game import HeardCall
from games.engine.record import RecordError
from records import match_narrative, wording
from records.results import replay_record
from tests.support.records import LINES, filter_sentences, narrate, read_golden, run_replay

GOLDEN = sorted((Path(__file__).parent.parent / "games" / "golden").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_golden_record_is_told_to_its_end(path):
    record = json.loads(path.read_text())
    narrative = match_narrative.narrate_record(record)
    assert narrative.fault is None
    assert len(narrative.deals) == len(record["deals"])
    assert narrative.ending
    for deal, points in zip(narrative.deals, record["result"]["deals"], strict=False):
        if not points["void"]:
            assert deal.sentences[-1].text.startswith("Punti della smazzata: {} a {}.".format(*points["points"]))


def test_a_tresette_is_told_trick_by_trick_with_who_took_them():
    record = {**read_golden("tresette-4-deals"), "about": {"names": ["Anna", "Bruno", "Carla", "Dino"]}}
    text = narrate(record)
    assert "Coppia A: Anna e Carla\nCoppia B: Bruno e Dino\n" in text
    deal = match_narrative.narrate_record(record).deals[0]
    tricks = [sentence.text for sentence in deal.sentences if sentence.kind == "trick"]
    assert len(tricks) == 10
    assert [trick.partition(":")[0] for trick in tricks] == [f"Mano {number}" for number in range(1, 11)]
    leaders = [trick.partition(": ")[2].split(" ")[0] for trick in tricks]
    takers = [trick.rpartition(" ")[2] for trick in tricks]
    assert leaders[1:] == takers[:-1]


@pytest.mark.rule("L7")
def test_points_that_a_side_starts_with_are_told():
    record = {**read_golden("scopa-2-points"), "about": {"names": ["Anna", "Bruno"]}}
    record = {**record, "handicap": [3, 1], "context": "free"}
    assert "Vantaggio: si comincia Anna con 3 punti, Bruno con 1 punto\n" in narrate(record)
    assert "Vantaggio" not in narrate(read_golden("scopa-2-points"))


def test_spizzichino_tells_the_draws():
    assert len(filter_sentences(read_golden("tresette-2-last-trick"), "drawn")) == 20


def test_a_scopa_is_told_play_by_play():
    plays = filter_sentences(read_golden("scopa-2-points"), "play")
    assert len(plays) == sum(len(deal["moves"]) for deal in read_golden("scopa-2-points")["deals"])
    assert any(play.endswith(": scopa!") for play in plays)
    assert any(play.startswith("A posa ") for play in plays)


def test_a_void_deal_shows_the_kings_that_void_it():
    first = match_narrative.narrate_record(read_golden("scopa-2-voids")).deals[0]
    assert first.sentences[-2].text == "In tavola: Re di denari, Re di coppe, Re di bastoni, Re di spade"
    assert first.sentences[-1].text.startswith("Smazzata annullata")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tresette-2-noshow", "non si è presentato"),
        ("scopa-4-timeout", "lascia scadere il tempo"),
        ("tresette-2-clock-late", "esaurisce il tempo partita"),
        ("scopa-2-abandon-between", "abbandona e perde"),
        ("scopa-4-tie-break-3", "spareggio 3"),
        ("tresette-2-draw", "parità"),
        ("scopa-2-third-tie-break-level", "all'ultima presa del terzo spareggio"),
    ],
)
def test_ends_are_told_in_words(name, words):
    assert words in narrate(read_golden(name))


@pytest.mark.rule("T11", "A3", "S9", "M7", "C7")
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "tresette-4-offender-ahead",
            [
                "Terzi di punto: 11 a 4, in punti 3 a 1",
                "Degli 11 punti della smazzata, non ancora assegnati: 7. A B1 e B2 ne vanno 6 (al massimo 6).",
            ],
        ),
        (
            "a-perdere-2-timeout",
            [
                "Terzi di punto: 4 a 1, in punti 1 a 0",
                "Degli 11 punti della smazzata, non ancora assegnati: 10. A A, che ha interrotto la partita, ne vanno "
                "6 (al massimo 6), perché qui i punti sono un danno.",
            ],
        ),
        (
            "accusa-4-broken-off",
            [
                "Terzi di punto: 0 a 0",
                "Degli 11 punti della smazzata, non ancora assegnati: 11. A A1 e A2 ne vanno 6 (al massimo 6).",
                "L'accuso di una smazzata interrotta non si conta: era 0 a 3.",
            ],
        ),
        (
            "scopa-2-secured",
            [
                "Settebello: 0 a 1",
                "Denari: 0 a 2, in punti 0 a 0",
                "Carte: 2 a 7, in punti 0 a 0",
                "Non ancora al sicuro: denari, carte e primiera. A B1 e B2: 3 punti.",
                "In più, 1 punto a B1 e B2 come per una scopa.",
            ],
        ),
        (
            "classico-abandon",
            ["Degli 11 punti della smazzata, non ancora assegnati: 11. A B1 e B2 ne vanno 6 (al massimo 6)."],
        ),
    ],
)
def test_a_deal_broken_off_is_told_step_by_step(name, lines):
    sentences = [sentence.text for sentence in match_narrative.narrate_record(read_golden(name)).deals[-1].sentences]
    assert "Smazzata interrotta: i punti sono quelli del regolamento." in sentences
    places = [sentences.index(line) for line in lines]
    assert places == sorted(places)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_rows_told_of_each_deal_add_up_to_its_points(path):
    record = json.loads(path.read_text())
    for deal, result in zip(match_narrative.narrate_record(record).deals, record["result"]["deals"], strict=True):
        rows = deal.tally.rows if deal.tally is not None else ()
        assert result["points"] == [sum(row.points[line] for row in rows) for line in (0, 1)]


@pytest.mark.rule("V5")
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "tresette-4-offender-ahead",
            [
                "Chi perde così ha 0 VP; chi vince quelli della tabella per lo scarto 0, cioè 10, ma almeno 14: "
                "quindi 14.",
                "Gli MP sono quelli da cui comincia la riga: +10 per 14 VP, −27 per 0 VP.",
            ],
        ),
        (
            "scopa-2-abandon-between",
            [
                "Chi perde così ha 0 VP; chi vince quelli della tabella per lo scarto 8, cioè 17, ma almeno 14: "
                "quindi 17.",
                "Gli MP sono quelli da cui comincia la riga: +8 per 17 VP, −14 per 0 VP.",
            ],
        ),
        (
            "asso-2-void-then-forfeit",
            ["Chi perde così ha 0 VP e chi vince 20, qualunque sia lo scarto; gli MP sono lo scarto."],
        ),
        ("tresette-4-called-out", []),
        ("tresette-4-tie-break-abandon", []),  # a KO has no VP
        ("accusa-4-broken-off", []),
    ],
)
def test_v5_is_told_where_a_forfeit_has_victory_points(name, lines):
    narrative = match_narrative.narrate_record(read_golden(name))
    assert narrative.forfeit == lines
    assert [line for line in narrative.ending if line in lines] == lines


def test_a_faulty_record_is_told_up_to_the_fault_then_where_and_why():
    record = read_golden("tresette-4-deals")
    record["deals"][1]["moves"][9] = "7 play 3d\x1b[31m"
    narrative = match_narrative.narrate_record(record)
    assert len(narrative.deals) == 2
    assert narrative.deals[1].sentences[-1].text.startswith("Mano interrotta: ")
    assert not narrative.ending
    fault = narrative.fault
    assert fault is not None
    assert (fault.code, fault.deal, fault.move) == ("unreadable_move", 1, 9)
    assert fault.place == "smazzata 2, mossa 10"
    assert fault.written == "7 play 3d\N{REPLACEMENT CHARACTER}[31m"
    assert [move.place for move in fault.nearby if move.faulty] == [9]


def spoiled() -> list[object]:
    records: list[object] = [None, [], "x", 7, {}, {"verbale": 1}]
    for path in GOLDEN[::5]:
        for change in range(6):
            record = json.loads(path.read_text())
            deal = record["deals"][change % len(record["deals"])]
            if change == 0:
                deal["deck"] = deal["deck"][:-3]
            elif change == 1:
                deal["moves"].insert(len(deal["moves"]) // 2, "0 play 7c x 7c")
            elif change == 2:
                deal["moves"].insert(3, ["0 play 3d"])
            elif change == 3:
                record["deals"].append(record["deals"][0])
            elif change == 4:
                deal["moves"] = deal["moves"][:-1]
            else:
                record["first_dealer"] = 9
            records.append(record)
    return records


@pytest.mark.parametrize("record", spoiled())
def test_the_account_finds_the_fault_that_the_replay_finds(record):
    fault = match_narrative.narrate_record(record).fault
    expected = None
    try:
        replay_record(record)
    except RecordError as error:
        expected = (error.code, error.deal, error.move)
    assert expected == (fault and (fault.code, fault.deal, fault.move))


@pytest.mark.parametrize(
    "names",
    [None, "AB", ["Anna"], ["Anna", "Anna"], ["Anna", 7], ["\u202e\u0007", "Bruno"], ["\ud800", "Bruno"], ["", " "]],
)
def test_names_that_cannot_be_shown_are_left_out(names):
    text = narrate({**read_golden("scopa-2-points"), "about": {"names": names}})
    assert "Posti, in senso antiorario: A, B" in text
    text.encode()


def test_long_names_are_cut():
    assert "x" * 61 not in narrate({**read_golden("scopa-2-points"), "about": {"names": ["x" * 10_000, "Bruno"]}})


def cards(names: str) -> tuple[int, ...]:
    return tuple(CARDS[name] for name in names.split())


@pytest.mark.rule("T10")
@pytest.mark.parametrize(
    ("arg", "honours", "held", "words"),
    [
        ("d ho", "3d Ad", 4, "Anna dichiara a denari: «Ho il 3 e l'asso quarti»"),
        ("c ho", "3c", 4, "Anna dichiara a coppe: «Ho il 3 quarto»"),
        ("c ho", "2c", 2, "Anna dichiara a coppe: «Ho il 2 secondo»"),
        ("b ho", "", 3, "Anna dichiara a bastoni: «Ho 3 carte»"),
        ("b ho", "", 1, "Anna dichiara a bastoni: «Ho 1 carta»"),
        ("s ho", "3s 2s As", 10, "Anna dichiara a spade: «Ho il 3, il 2 e l'asso decimi»"),
        ("s busso", "", 0, "Anna dichiara a spade: «Busso»"),
        ("s per-te+ho", "3s 2s", 5, "Anna dichiara a spade: «Ho per te. Ho il 3 e il 2 quinti»"),
    ],
)
def test_t10_a_declaration_is_said_as_people_say_it(arg, honours, held, words):
    assert wording.describe_call(HeardCall(0, "declare", arg, cards(honours), held), "Anna") == words


@pytest.mark.parametrize(
    ("call", "points", "words"),
    [
        (HeardCall(0, "accuso", "napoletana:d+3x3"), 6, "Anna accusa: napoletana di denari e tre 3 (6 punti)"),
        (HeardCall(0, "accuso", "4xA"), 0, "Anna accusa: quattro assi"),
        (HeardCall(0, "accuso", "3xA", cards("Ad Ac As")), 3, "Anna accusa: tre assi senza bastoni (3 punti)"),
        (HeardCall(0, "signal", "volo"), 0, "Anna segnala: «Volo»"),
        (HeardCall(0, "out"), 0, "Anna si chiama fuori"),
        (HeardCall(0, "buongioco"), 0, "Anna dice: «Buon gioco»"),
    ],
)
def test_calls_are_told_in_words(call, points, words):
    assert wording.describe_call(call, "Anna", points) == words


def test_every_call_of_the_record_format_has_its_sentence():
    for verb in verbale.BARE_VERBS - set(wording.FORFEITS):
        assert wording.describe_call(HeardCall(0, verb), "Anna")
    assert set(wording.FORFEITS) <= verbale.BARE_VERBS


def test_the_command_explains_every_record_and_ends_with_1_after_a_fault():
    done = run_replay("--explain", stdin="\n".join([LINES[0], "{nonsense", LINES[1]]))
    text = done.stdout.decode()
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert text.count("Posti, in senso antiorario") == 2
    assert "Il verbale non si può rigiocare" in text


def test_the_command_explains_in_english_too():
    done = run_replay("--explain", "--language", "en", stdin=LINES[0])
    assert (done.returncode, done.stderr) == (0, b"")
