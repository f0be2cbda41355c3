"""Faces of people: which of the deck's twelve figures stands for whom, or the back of a card for the house's players.

A player chooses one; until then it is given by the player's public id, so it says nothing that the address of their
page doesn't, of no name or account behind it. A person without an account has a letter, a forgotten one nothing.
"""

from zlib import crc32

from django.templatetags.static import static

from players.models import Person, Player

HOUSE_FACE = "back"
FACES = tuple(Player.Face.values)


def find_face(player: Player) -> str:
    """Return the code of a player's face, as the drawings are called; empty for an account that was closed."""
    if player.is_house:
        return HOUSE_FACE
    if player.face == Player.NO_FACE:
        return ""
    if player.face in FACES:
        return player.face
    return FACES[crc32(player.public_id.encode()) % len(FACES)]


def find_letter(person: Person) -> str:
    """Return the letter that stands for a person without an account; empty if the name was forgotten."""
    return "" if person.is_forgotten else person.plain_name[:1].upper()


def build_face_address(face: str) -> str:
    """Return the address of the drawing of a face, for ``<use>``."""
    return f"{static('img/faces.svg')}#{name_drawing(face)}"


def name_drawing(face: str) -> str:
    """Return the id of the drawing of a face: by number, so that no page reads as if it told a card."""
    return f"figure-{FACES.index(face) + 1}" if face in FACES else face
