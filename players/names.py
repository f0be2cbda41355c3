"""What a player may be called. Plain Python: it never asks whether a name is free.

Two keys are made from a name: ``name_key`` says when two names are the same for people (case, accents and separators
don't count), ``_skeleton`` when a word looks like one that only the house may use.
"""

import unicodedata

SHORTEST, LONGEST = 3, 24
SEPARATORS = " -_.'’"

# Words that would pass for a mark of the house, as skeletons: a name that contains one of them is refused.
RESERVED: tuple[str, ...] = (
    "casa",
    "smazzata",
    "admin",
    "amministratore",
    "amministratrice",
    "arbitro",
    "arbitra",
    "direttore",
    "staff",
)
RESERVED += (
    "moderatore",
    "moderatrice",
    "sistema",
    "organizzatore",
    "organizzatrice",
    "ospite",
    "guest",
    "banco",
    "bot",
)
_LOOKS_LIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"})


class BadName(ValueError):
    """``code`` is short, long, characters, letters or reserved."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _bare(text: str) -> str:
    """Lower case, without accents."""
    split = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in split if not unicodedata.combining(char))


def name_key(name: str) -> str:
    """Equal for two names that people would take for the same one."""
    return "".join(char for char in _bare(name) if char.isalnum())


def _skeleton(word: str) -> str:
    return name_key(word.translate(str.maketrans("", "", SEPARATORS))).translate(_LOOKS_LIKE)


_RESERVED_SKELETONS = frozenset(_skeleton(word) for word in RESERVED)


def _allowed(char: str) -> bool:
    if char in SEPARATORS or (char.isascii() and char.isdigit()):
        return True
    return unicodedata.category(char)[0] == "L" and unicodedata.name(char, "").startswith("LATIN ")


def clean_name(text: str) -> str:
    """The name as it is kept: composed, single spaces. BadName(code) where it can't be one.

    Latin letters, digits and a few separators only: so neither control and bidi characters nor letters of other
    alphabets that look like ours can come in.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split(" ")).strip()
    while "  " in name:
        name = name.replace("  ", " ")
    if not all(_allowed(char) for char in name):
        raise BadName("characters")
    if len(name) < SHORTEST:
        raise BadName("short")
    if len(name) > LONGEST:
        raise BadName("long")
    if sum(char.isalpha() for char in name) < 2:
        raise BadName("letters")
    words = name
    for separator in SEPARATORS:
        words = words.replace(separator, " ")
    if any(_skeleton(word) in _RESERVED_SKELETONS for word in [*words.split(), name]):
        raise BadName("reserved")
    return name
