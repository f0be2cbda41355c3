"""Names of players: check, clean and compare them. Plain Python: it never looks up if a name is free.

A name has three keys. ``make_name_key``: two names with the same key are the same for people (case, accents and
separators don't count). ``make_look_key``: they look the same on the screen (capital I, small l and 1).
``_make_skeleton``: a word looks like one that only the house may use.
"""

import re
import unicodedata
from itertools import pairwise

MIN_NAME_CHARACTERS, MAX_NAME_CHARACTERS = 3, 60  # characters
SEPARATORS = " -_.'’"
DIGITS = "0123456789"
PUZZLING = "ĸŉſƿ"  # one of them passes for k, 'n or f

# Words by which somebody would claim to work for the house, or to be named by it: a name with one of them as a word, or
# two words that make a longer one, is refused, with or without figures after it. No surname is among them (Giudice,
# Casa, Banco, House are): players of the house are known by their mark, not by how they are called.
RESERVED: tuple[str, ...] = (
    "arbitra", "direttore", "direttrice", "ex socio", "mod", "organizer", "organizzatore", "organizzatrice", "ospite",
    "referee", "sistema", "socio", "staff", "support", "supporto", "system", "webmaster",
)  # fmt: skip
# These claim it only where they are the whole name: Guest and Root are surnames too.
RESERVED_ALONE: tuple[str, ...] = ("bot", "guest", "root")
# These are in no ordinary name: refused wherever they stand in one.
RESERVED_ANYWHERE: tuple[str, ...] = (
    "admin", "amministrator", "amministratric", "arbitro", "giudice di gara", "moderator", "moderatric", "smazzata",
)  # fmt: skip
# Names that the house gives to guests, to who closed their account and to accounts whose own name can't be.
GUEST_WORDS = {"it": "Ospite", "en": "Guest"}  # by the language of whoever comes in
_GIVEN = re.compile(r"(?:Ospite|Guest|Ex socio|Socio) ([0-9]{4,8}|[0-9a-z]{10})")
MIN_JOINED_LETTERS = 5  # letters: "Mo D'Angelo" claims nothing
_LOOKS_LIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"})


# Letters that no decomposition brings back to a plain one.
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ŋ": "n"})
_LOOKS_SAME = str.maketrans({"I": "l", "1": "l", "0": "o", "O": "o"})


class BadName(ValueError):
    """Refusal of a name. ``code`` is short, long, characters, letters or reserved."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _strip_accents(text: str) -> str:
    """Return the text in lower case, without accents."""
    split = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    return "".join(char for char in split if not unicodedata.combining(char))


def make_name_key(name: str) -> str:
    """Return a key that two names share if people would take them for the same."""
    return "".join(char for char in _strip_accents(name) if char.isalnum())


def make_look_key(name: str) -> str:
    """Return a key that two names share if they look alike in small letters: "Ilaria" and "lIaria", "Bernardo" and
    "Bemardo"."""
    return make_name_key(name.translate(_LOOKS_SAME)).replace("rn", "m").replace("vv", "w")


def make_initials(name: str) -> str:
    """Return the initials of a name, "M. R."."""
    return " ".join(f"{word[0]}." for word in name.split())


def _make_skeleton(word: str) -> str:
    return make_name_key(word.translate(str.maketrans("", "", SEPARATORS))).translate(_LOOKS_LIKE)


_RESERVED_SKELETONS = frozenset(_make_skeleton(word) for word in RESERVED)
_ALONE_SKELETONS = frozenset(_make_skeleton(word) for word in RESERVED_ALONE)
_ANYWHERE_SKELETONS = tuple(_make_skeleton(word) for word in RESERVED_ANYWHERE)


def _list_skeletons(text: str) -> set[str]:
    """Return the skeleton of ``text`` with and without the figures at its end."""
    return {_make_skeleton(text), _make_skeleton(text.rstrip(DIGITS + SEPARATORS))}


def _claims_office(name: str) -> bool:
    """Return whether the name pretends to be the house's staff, or one of the names that the house gives."""
    words = name.translate(str.maketrans(SEPARATORS, " " * len(SEPARATORS))).split()
    joined = [first + second for first, second in pairwise(words) if len(first + second) >= MIN_JOINED_LETTERS]
    if any(_list_skeletons(word) & _RESERVED_SKELETONS for word in [*words, *joined, name]):
        return True
    return bool(_list_skeletons(name) & _ALONE_SKELETONS) or sounds_like_staff(name)


def sounds_like_staff(name: str) -> bool:
    """Return True if a longer name has a word in it that only the house may use."""
    return any(reserved in _make_skeleton(name) for reserved in _ANYWHERE_SKELETONS)


def _is_allowed(char: str) -> bool:
    if char in SEPARATORS or (char.isascii() and char.isdigit()):
        return True
    # The letters of the languages written in Latin script; not the phonetic ones, which only serve to deceive.
    latin = char <= "\u017f" or "\u0218" <= char <= "\u021b" or "\u1e00" <= char <= "\u1eff"
    return latin and unicodedata.category(char) in ("Lu", "Ll") and char not in PUZZLING


def clean_name(text: str) -> str:
    """Return the name as it is stored: composed, single spaces. Raise BadName(code) where it can't be one.

    Latin letters, digits and a few separators only: so neither control and bidi characters nor letters of other
    alphabets that look like ours can come in.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split(" ")).strip()
    while "  " in name:
        name = name.replace("  ", " ")
    if not all(_is_allowed(char) for char in name):
        raise BadName("characters")
    if len(name) < MIN_NAME_CHARACTERS:
        raise BadName("short")
    if len(name) > MAX_NAME_CHARACTERS:
        raise BadName("long")
    if sum(char.isalpha() for char in name) < 2:
        raise BadName("letters")
    if _claims_office(name):
        raise BadName("reserved")
    return name


def clean_carried_name(text: str) -> str:
    """Return a name that came from another site: one that people may choose, or one that the house gives.

    Raise BadName(code) for any other.
    """
    given = _GIVEN.fullmatch(text)
    return text if given is not None and not _claims_office(given[1]) else clean_name(text)
