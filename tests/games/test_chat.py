"""The chat of a table: who may say what and when (G9), and how it travels."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import chat, clocks, wording
from games.engine.game import Length
from games.models import ChatLine, Match
from games.services.errors import ActionRefused
from players import caps
from players.models import Player, User
from players.services.blocks import block_player
from tests.support.live import Site
from tests.support.people import create_person
from tests.support.tables import again, opened, play, play_out, seated
from tests.support.wire import AtTable, Frame, at_table

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def four(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


@pytest.fixture
def eva(db: None, now: datetime) -> Player:
    return create_person("Eva", now)


def say(match: Match, seat: int | None, text: str, now: datetime, about: str = "") -> str:
    """The line as it was kept, or the code of the refusal."""
    count = ChatLine.objects.count()
    try:
        chat.say(match_id=match.pk, seat=seat, text=text, client_id=about or f"line-{count}-{seat}", now=now)
    except ActionRefused as refusal:
        assert ChatLine.objects.count() == count
        return refusal.code
    return ChatLine.objects.latest("pk").text


def test_two_who_play_against_each_other_talk_all_the_time(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    assert match.status == Match.Status.PLAYING
    assert say(match, 0, "Ciao", now) == "Ciao"
    end = play_out(match, now)
    assert say(match, 1, "Rivincita?", end) == "Rivincita?"


@pytest.mark.rule("G9")
def test_in_a_pairs_match_nobody_talks_while_a_deal_is_being_played_g9(four: list[Player], now: datetime) -> None:
    waiting = opened(four, now, ruleset="tresette")
    assert say(waiting, 0, "Giochiamo i segnali?", now) == "Giochiamo i segnali?"
    Match.objects.filter(pk=waiting.pk).delete()
    match = seated(four, now, ruleset="tresette", context="free", match_clock=None)
    for seat in range(4):
        assert say(match, seat, "Ho il tre!", now) == "chat_closed"
    end = play_out(match, now)
    assert say(match, 1, "Bella partita", end) == "Bella partita"
    assert say(match, 1, "C'è nessuno?", end + chat.AFTERWARDS) == "chat_closed"


@pytest.mark.rule("G8", "G9")
def test_between_two_deals_the_chat_stays_closed_for_the_next_one_has_been_dealt_g8_g9(
    four: list[Player], now: datetime
) -> None:
    match = seated(four, now, ruleset="tresette", context="free", length=Length("deals", 2), match_clock=None)
    while (current := again(match)).score_0 + current.score_1 == 0:
        assert current.turn_from is not None
        now = max(now, current.turn_from) + timedelta(seconds=1)
        play(match, now)
    assert again(match).turn_from == now + clocks.PAUSE_DEAL, "the count of the first deal is being shown"
    assert say(match, 2, "Adesso?", now) == "chat_closed"


@pytest.mark.rule("G9")
def test_while_a_deal_of_pairs_is_counted_each_may_say_one_of_three_phrases(four: list[Player], now: datetime) -> None:
    match = seated(four, now, ruleset="tresette", context="free", length=Length("deals", 2), match_clock=None)

    def greet(seat: int, phrase: str, at: datetime) -> str:
        try:
            chat.say(match_id=match.pk, seat=seat, text="", phrase=phrase, client_id=f"{phrase}-{seat}-{at}", now=at)
        except ActionRefused as refusal:
            return refusal.code
        return ChatLine.objects.latest("pk").phrase

    assert greet(0, "well", now) == "chat_closed", "no deal is over yet"
    while (current := again(match)).score_0 + current.score_1 == 0:
        assert current.turn_from is not None
        now = max(now, current.turn_from) + timedelta(seconds=1)
        play(match, now)
    assert greet(2, "moment", now) == "chat_closed", "only those three"
    assert greet(2, "well", now) == "well"
    assert greet(2, "thanks", now + timedelta(seconds=1)) == "chat_closed", "once"
    assert greet(1, "thanks", now + timedelta(seconds=1)) == "thanks"
    assert greet(3, "oops", now + clocks.PAUSE_DEAL) == "chat_closed", "the next deal is being played"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  ciao \t a\ntutti ", "ciao a tutti"),
        ("\u202eoaic\u202c", "oaic"),
        ("<b>ciao</b>", "<b>ciao</b>"),
        ("привет 你好", "привет 你好"),
        ("", "chat_empty"),
        ("\u200b\u2066 \u202e", "chat_empty"),
        ("x" * 200, "x" * 200),
        ("x" * 201, "chat_too_long"),
    ],
)
def test_what_is_said_is_kept_without_what_cannot_be_seen(
    anna: Player, bruno: Player, now: datetime, text: str, kept: str
) -> None:
    assert say(opened([anna, bruno], now), 0, text, now) == kept


def test_nobody_floods_the_table_and_the_other_may_still_talk(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    for number in range(caps.CHAT_LINES_A_SEAT.most):
        assert say(match, 0, f"Riga {number}", now) == f"Riga {number}"
    assert say(match, 0, "Ancora", now) == "chat_too_fast"
    assert say(match, 1, "Basta", now) == "Basta"
    assert say(match, 0, "Ancora", now + caps.CHAT_LINES_A_SEAT.window) == "Ancora"


def test_a_line_sent_again_is_said_once(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    for _ in range(2):
        assert say(match, 0, "Ciao", now, about="same") == "Ciao"
    assert ChatLine.objects.count() == 1


@pytest.mark.rule("U2")
def test_who_is_muted_says_nothing_and_may_speak_again_afterwards(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    User.objects.filter(pk=anna.user_id).update(muted_until=now + timedelta(minutes=1))
    assert say(match, 0, "Ciao", now) == "chat_muted"
    assert say(match, 1, "Ciao", now) == "Ciao"
    assert say(match, 0, "Ciao", now + timedelta(minutes=1)) == "Ciao"


@pytest.mark.rule("B6")
@pytest.mark.parametrize("context", ["free", "ko"])
def test_between_two_of_whom_one_blocks_the_other_there_is_no_chat(
    anna: Player, bruno: Player, now: datetime, context: str
) -> None:
    match = opened([anna, bruno], now, context=context)
    assert say(match, 0, "Ciao", now) == "Ciao"
    block_player(player=bruno, blocked=anna, now=now)
    assert say(match, 0, "Ciao?", now) == "Ciao?", "as ever: a refusal would tell of the block"
    assert say(match, 1, "Eccomi", now) == "Eccomi"
    recent = chat.read_recent(match.pk)
    assert [line.text for line in recent.list_new(0, 1, reader_id=bruno.pk)] == ["Eccomi"]
    assert [line.text for line in recent.list_new(0, 0, reader_id=anna.pk)] == ["Ciao", "Ciao?"]


@pytest.mark.rule("B6")
def test_at_a_table_of_four_two_who_block_each_other_read_only_the_rest(
    four: list[Player], eva: Player, now: datetime
) -> None:
    match = opened(four, now, ruleset="tresette")
    block_player(player=four[0], blocked=four[1], now=now)
    block_player(player=eva, blocked=four[0], now=now)
    for seat in range(3):
        assert say(match, seat, f"Da {seat}", now) == f"Da {seat}"
    recent = chat.read_recent(match.pk)
    read = [[line.seat for line in recent.list_new(0, seat, reader_id=four[seat].pk)] for seat in range(4)]
    assert read == [[0, 2], [1, 2], [0, 1, 2], [0, 1, 2]]
    assert [line.seat for line in recent.list_new(0, None, reader_id=eva.pk)] == [1, 2]
    assert len(recent.list_new(0, None)) == 3, "a visitor without a name has blocked nobody"


# --- Over the socket -------------------------------------------------------------------------------------------------


def chatted(socket: AtTable) -> list[Frame]:
    """The next lines it is sent."""
    lines: list[Frame] = socket.until(lambda frame: frame["t"] == "chat")["lines"]
    return lines


def test_players_talk_and_spectators_read_along(live_site: Site, anna: Player, bruno: Player) -> None:
    match = opened([anna, bruno], timezone.now())
    with at_table(live_site, match, anna) as annas, at_table(live_site, match) as visitors:
        annas.view()
        visitors.view()
        assert annas.ask({"t": "chat", "id": "1", "text": " Ciao  a tutti "})["t"] == "ack"
        for socket in (annas, visitors):
            assert [(line["seat"], line["text"]) for line in chatted(socket)] == [(0, "Ciao a tutti")]
        refused = visitors.ask({"t": "chat", "id": "2", "text": "Ciao"})
        assert refused["code"] == "not_seated", "a visitor without a name"
        assert refused["message"]
        with at_table(live_site, match, bruno) as brunos:
            assert [line["text"] for line in chatted(brunos)] == ["Ciao a tutti"], "who comes later reads what was said"


@pytest.mark.rule("G9")
def test_a_pairs_table_says_that_its_chat_is_closed_g9(live_site: Site, four: list[Player]) -> None:
    match = opened(four, timezone.now(), ruleset="tresette")
    with at_table(live_site, match, four[0]) as annas:
        assert annas.view()["chat"] is True
        others = [at_table(live_site, match, player) for player in four[1:]]
        with others[0], others[1], others[2]:
            assert annas.view(lambda view: view["status"] == "playing")["chat"] is False
            assert annas.ask({"t": "chat", "id": "1", "text": "Busso"})["code"] == "chat_closed"


CROOKED: list[Frame] = [
    {"t": "chat", "id": "1"},
    {"t": "chat", "text": "ciao"},
    {"t": "chat", "id": "1", "text": 5},
    {"t": "chat", "id": "1", "text": "ciao", "seat": 1},
    {"t": "chat", "id": "1", "text": "a\u0000b"},
    {"t": "chat", "id": "1", "text": "ciao", "phrase": "hello"},
    {"t": "chat", "id": "1", "phrase": 3},
    {"t": "chat", "id": "1", "phrase": ""},
]


def test_a_crooked_chat_frame_is_refused_and_the_socket_lives_on(live_site: Site, anna: Player, bruno: Player) -> None:
    with at_table(live_site, opened([anna, bruno], timezone.now()), anna) as annas:
        for frame in CROOKED:
            annas.send(frame)
            assert annas.until(lambda answer: answer["t"] == "error")["code"] == "malformed", frame
            annas.answers()
    assert not ChatLine.objects.exists()


# --- Ready-made phrases, and those who watch -------------------------------------------------------------------------


@pytest.mark.parametrize("phrase", wording.PHRASES)
def test_a_ready_made_phrase_is_kept_as_its_code(anna: Player, bruno: Player, now: datetime, phrase: str) -> None:
    match = opened([anna, bruno], now)
    chat.say(match_id=match.pk, seat=1, text="", phrase=phrase, client_id="1", now=now)
    line = ChatLine.objects.get()
    assert (line.phrase, line.text) == (phrase, "")


@pytest.mark.rule("G9")
def test_a_phrase_is_refused_like_any_line_and_there_are_no_others_g9(four: list[Player], now: datetime) -> None:
    match = opened(four, now, ruleset="tresette")
    with pytest.raises(chat.ChatEmpty):
        chat.say(match_id=match.pk, seat=0, text="", phrase="busso", client_id="1", now=now)
    for number in range(caps.CHAT_LINES_A_SEAT.most):
        chat.say(match_id=match.pk, seat=0, text="", phrase="hello", client_id=f"x{number}", now=now)
    with pytest.raises(chat.ChatTooFast):
        chat.say(match_id=match.pk, seat=0, text="", phrase="hello", client_id="2", now=now)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING)
    with pytest.raises(chat.ChatClosed):
        chat.say(match_id=match.pk, seat=1, text="", phrase="well", client_id="3", now=now)


@pytest.mark.rule("G9")
def test_what_those_who_watch_say_is_never_read_by_a_player_g9(
    live_site: Site, anna: Player, bruno: Player, carla: Player, dino: Player
) -> None:
    match = opened([anna, bruno], timezone.now())
    with (
        at_table(live_site, match, anna) as annas,
        at_table(live_site, match, carla) as carlas,
        at_table(live_site, match, dino) as dinos,
    ):
        assert carlas.ask({"t": "chat", "id": "1", "text": "Anna ha il settebello"})["t"] == "ack"
        (line,) = chatted(dinos)
        assert (line["seat"], line["name"], line["text"]) == (None, carla.name, "Anna ha il settebello")
        assert annas.ask({"t": "chat", "id": "2", "phrase": "hello"})["t"] == "ack"
        assert [(line["seat"], line["phrase"], line["text"]) for line in chatted(annas)] == [(0, "hello", "")]
        assert [line["phrase"] for line in chatted(dinos)] == ["hello"], "who watches reads the players, too"
        annas.answers()
        with at_table(live_site, match, bruno) as brunos:
            assert [line["phrase"] for line in chatted(brunos)] == ["hello"], "nor who comes later"
        assert not any("settebello" in text for text in annas.raw)


def test_who_watches_may_talk_while_a_pairs_match_runs_but_not_without_end(
    four: list[Player], now: datetime, eva: Player
) -> None:
    match = seated(four, now, ruleset="tresette", context="free", match_clock=None)

    def watching(about: str, at: datetime) -> None:
        chat.say(match_id=match.pk, seat=None, author_id=eva.pk, text="Che partita", client_id=about, now=at)

    for number in range(caps.CHAT_LINES_A_SEAT.most):
        watching(f"{number}", now)
    with pytest.raises(chat.ChatTooFast):
        watching("more", now)
    end = play_out(match, now)
    watching("end", end)
    with pytest.raises(chat.ChatClosed):
        watching("late", end + chat.AFTERWARDS)
    assert chat.read_recent(match.pk).list_new(0, 2) == []
    assert len(chat.read_recent(match.pk).list_new(0, None)) == caps.CHAT_LINES_A_SEAT.most + 1


def test_people_who_watch_are_counted(live_site: Site, anna: Player, bruno: Player, carla: Player) -> None:
    match = opened([anna, bruno], timezone.now())

    def told(socket: AtTable, number: int) -> Frame:
        return socket.until(lambda frame: frame == {"t": "watchers", "n": number})

    with at_table(live_site, match, anna) as annas:
        with at_table(live_site, match, carla), at_table(live_site, match, carla):
            told(annas, 1)
            with at_table(live_site, match):
                told(annas, 2)
            told(annas, 1)
        told(annas, 0)
