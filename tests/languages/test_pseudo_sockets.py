"""Messages that sockets send, spoken in brackets."""

from django.utils import timezone

from players.models import Player, User
from tests.languages import pseudo
from tests.languages.pseudo import raw_words
from tests.support.live import Site
from tests.support.tables import seated
from tests.support.wire import on_site


def test_sockets_speak_the_language_of_their_pages(
    live_site: Site, brackets: None, anna: Player, bruno: Player, carla: Player
) -> None:
    User.objects.update(language=pseudo.CODE)
    playing = seated([anna, bruno], timezone.now())
    path = f"/ws/tavolo/{playing.public_id}/"
    said: list[str] = []
    with on_site(live_site, path, anna) as at, on_site(live_site, path, carla) as onlooker:
        view = at.view()
        for frame in (
            "{", "[]", '{"t":"nonsense"}', "x" * 5000,
            {"t": "move", "id": "1", "v": view["v"], "move": "play Xx"},
            {"t": "move", "id": "2", "v": view["v"], "move": "play 7d x 7d"},
            {"t": "move", "id": "3", "v": 0, "move": "play 7d"},
            {"t": "abandon", "id": "4", "confirm": False},
        ):  # fmt: skip
            at.send(frame)
            said.append(at.until(lambda answer: answer["t"] == "error")["message"])
        onlooker.send({"t": "move", "id": "5", "v": view["v"], "move": "play 7d"})
        said.append(onlooker.until(lambda answer: answer["t"] == "error")["message"])
    assert raw_words(said) == set()
    assert all(message.startswith(pseudo.OPEN) for message in said)
