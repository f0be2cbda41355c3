"""Names of people: check, clean and compare them. Plain Python: it never looks up if a name is free.

An account's name is in one script, so that no letter passes for another's; what somebody types at a real table, of a
person or a team, is as people write it. Both are in letters of any language.

A name has three keys. ``make_name_key``: two names with the same key are the same for people (case, accents and
separators don't count). ``make_look_key``: they look the same on the screen (capital I, small l and 1), in whatever
scripts they are. ``_make_skeleton``: a word looks like one that only the house may use.
"""

import re
import unicodedata
from itertools import groupby, pairwise

from players.clean_text import UNSEEN, clean_line

MIN_NAME_CHARACTERS, MAX_NAME_CHARACTERS = 3, 60  # characters
MIN_TYPED_CHARACTERS = 2  # "Wu"; of a typed name, and of one in which each character says a syllable
SEPARATORS = " -_.'’"
SIGNS = '()"“”„«»‘&+!°·'  # in typed names beside the separators: none that parts two people of a row
DIGITS = "0123456789"
PUZZLING = "ĸŉſƿ"  # one of them passes for k, 'n or f
# The scripts of today (UAX #31, table 5), by the word that Unicode's names of their letters begin with.
SCRIPTS = frozenset(
    {
        "ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CJK", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK",
        "GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA", "KHMER", "LAO", "LATIN",
        "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN",
    }
)  # fmt: skip
# Of scripts alike the letters of languages: not the phonetic or historic ones, which only serve to deceive.
LIVING = {
    "LATIN": re.compile("[A-\u017f\u0218-\u021b\u1e00-\u1eff]"),
    "CYRILLIC": re.compile("[\u0400-\u045f\u048a-\u052f]"),
    "GREEK": re.compile("[\u0386-\u03ce\u1f00-\u1fff]"),
}
TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "BOPOMOFO"}, {"CJK", "HANGUL"})  # in one name: UTS #39, 5.1
SYLLABIC = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL"})
LENGTHENERS = "ー々"  # in many a name, though no letters to Unicode
VOICES = "\u3099\u309a"  # by which kana tell g from k, and p from h
TATWEEL = "\u0640"  # stretches an Arabic word, and says nothing
MAX_MARKS = 3  # on one letter; more only blot what stands around it
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")

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
# Names that the house gives to guests, to whoever closed their account and to accounts whose own name can't be.
GUEST_WORDS = {"it": "Ospite", "en": "Guest"}  # by the language of whoever comes in
_GIVEN = re.compile(r"(?:Ospite|Guest|Ex socio|Socio) ([0-9]{4,8}|[0-9a-z]{10})")
MIN_JOINED_LETTERS = 5  # letters: "Mo D'Angelo" claims nothing
_LOOKS_LIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"})


# Letters that no decomposition brings back to a plain one.
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ŋ": "n"})
_LOOKS_SAME = str.maketrans({"I": "l", "1": "l", "0": "o", "O": "o"})
# Letters that look like a Latin one, or like another of their own script, each with what it passes for (from
# confusables.txt of UTS #39, of letters that a name may have). Case counts: Н looks like H, н like no letter of ours.
_PASSES_FOR = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮԌԚԜӀӏаеорсухгіјѕһүԁԛԝЗз"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγινορυ"  # Greek
    "ԼՏՕզհյոսցօ"  # Armenian
    "ןם"  # Hebrew
    "يىكہھەٱ"  # Arabic
    "ヘリニロカエトタハノー士曰已巳",  # Japanese and Chinese
    "ABESlJKMHOPCTYXYGQWllaeopcyxrijshydqw33ABEZHlKMNOPTYXayivopuLSOqhjnugoוסییکهههاへり二口力工卜夕八丿一土日己己",
)
_MEANT = str.maketrans("´`–—", "''--")  # what is typed for an apostrophe and for a hyphen


class BadName(ValueError):
    """Refusal of a name. ``code`` is short, long, characters, letters or reserved."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def make_name_key(name: str) -> str:
    """Return a key that two names share if people would take them for the same: letters without accents, and digits."""
    split = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN))
    return unicodedata.normalize("NFC", "".join(char for char in split if _counts(char)))


def _counts(char: str) -> bool:
    """Tell if a character of a split text makes another name of it. Vowels of Indian scripts are marks that do."""
    if char.isalnum():
        return char != TATWEEL
    vowel = unicodedata.combining(char) == 0 or char in VOICES
    return vowel and unicodedata.category(char) in ("Mn", "Mc")


def make_look_key(name: str) -> str:
    """Return a key that two names share if they look alike in small letters: "Ilaria" and "lIaria", "Bernardo" and
    "Bemardo", and "Coco" in Latin and in Cyrillic letters."""
    return make_name_key(_pass_for(name.translate(_LOOKS_SAME))).replace("rn", "m").replace("vv", "w")


def _pass_for(text: str) -> str:
    """Return the text with each letter that passes for another as that one."""
    return unicodedata.normalize("NFD", text).translate(_PASSES_FOR)


def make_initials(name: str) -> str:
    """Return the initials of a name, "M. R."."""
    first = (next(filter(str.isalnum, word), "") for word in name.split())
    return " ".join(f"{letter}." for letter in first if letter)


def _make_skeleton(word: str) -> str:
    return make_name_key(_pass_for(word)).translate(_LOOKS_LIKE)


_RESERVED_SKELETONS = frozenset(_make_skeleton(word) for word in RESERVED)
_ALONE_SKELETONS = frozenset(_make_skeleton(word) for word in RESERVED_ALONE)
_ANYWHERE_SKELETONS = tuple(_make_skeleton(word) for word in RESERVED_ANYWHERE)


def _list_skeletons(text: str) -> set[str]:
    """Return the skeleton of ``text`` with and without the figures at its end."""
    return {_make_skeleton(text), _make_skeleton(text.rstrip(DIGITS + SEPARATORS))}


def _claims_office(name: str) -> bool:
    """Return whether the name pretends to be the house's staff, or one of the names that the house gives."""
    words = "".join(" " if char in SEPARATORS + SIGNS else char for char in name).split()
    joined = [first + second for first, second in pairwise(words) if len(first + second) >= MIN_JOINED_LETTERS]
    if any(_list_skeletons(word) & _RESERVED_SKELETONS for word in [*words, *joined, name]):
        return True
    return bool(_list_skeletons(name) & _ALONE_SKELETONS) or sounds_like_staff(name)


def sounds_like_staff(name: str) -> bool:
    """Return True if a longer name has a word in it that only the house may use."""
    return any(reserved in _make_skeleton(name) for reserved in _ANYWHERE_SKELETONS)


def _find_script(char: str) -> str:
    """Return the script of a letter or a mark, by the first word of its name; of others anything else."""
    word = re.split("[ -]", unicodedata.name(char, ""), maxsplit=1)[0]
    return "CJK" if word == "IDEOGRAPHIC" else word


def _is_allowed(char: str) -> bool:
    """Tell if a character may stand in an account's name."""
    if char in SEPARATORS or char in LENGTHENERS or (char.isascii() and char.isdigit()):
        return True
    script = _find_script(char)
    if script not in SCRIPTS or char in PUZZLING or INVISIBLE.match(char):
        return False
    if living := LIVING.get(script):
        return bool(living.match(char)) and unicodedata.category(char) in ("Lu", "Ll")
    return unicodedata.category(char) in ("Lu", "Ll", "Lo", "Mn", "Mc")


def _is_written(char: str) -> bool:
    """Tell if a character may stand in a typed name."""
    kind = unicodedata.category(char)
    return (
        char in SEPARATORS
        or char in SIGNS
        or ((kind[0] == "L" or kind in ("Mn", "Mc", "Nd")) and not INVISIBLE.match(char))
    )


def _bears_its_marks(name: str) -> bool:
    """Tell if every mark stands on a letter, and no letter has more than any language gives it."""
    before = ""
    for marked, group in groupby(unicodedata.normalize("NFD", name), lambda char: unicodedata.category(char)[0] == "M"):
        chars = "".join(group)
        if marked and (not before.isalpha() or len(chars) > MAX_MARKS or len(set(chars)) < len(chars)):
            return False
        before = chars[-1]
    return True


def _tidy(text: str) -> str:
    """Return the text composed, with single spaces."""
    return re.sub(" +", " ", unicodedata.normalize("NFKC", text)).strip(" ")


def _check(name: str, shortest: int) -> str:
    """Return a name of allowed characters if it is one. Raise BadName(code) otherwise."""
    syllables = any(_find_script(char) in SYLLABIC for char in name)
    if not _bears_its_marks(name):
        raise BadName("characters")
    if len(name) < (MIN_TYPED_CHARACTERS if syllables else shortest):
        raise BadName("short")
    if len(name) > MAX_NAME_CHARACTERS:
        raise BadName("long")
    if sum(char.isalpha() for char in name) < 2 or not make_name_key(name):
        raise BadName("letters")
    if _claims_office(name):
        raise BadName("reserved")
    return name


def clean_name(text: str) -> str:
    """Return an account's name as it is stored: composed, single spaces. Raise BadName(code) where it can't be one.

    Letters of one script, digits and a few separators only: so neither control and bidi characters nor letters of
    another alphabet that look like its own can come in.
    """
    name = _tidy(text)
    scripts = {_find_script(char) for char in name if unicodedata.category(char)[0] in "LM"}
    one = len(scripts) < 2 or any(scripts <= together for together in TOGETHER)
    if not one or not all(map(_is_allowed, name)):
        raise BadName("characters")
    return _check(name, MIN_NAME_CHARACTERS)


def clean_typed_name(text: str) -> str:
    """Return the name of somebody without an account, or of a team, as it is stored (O2). Raise BadName(code) where it
    can't be one.

    Letters of any script, and what people write between them: "Anna (Arci)", "Bruno & Carla". What can't be seen is
    left out.
    """
    name = _tidy(clean_line(text.translate(_MEANT)))
    if not all(map(_is_written, name)):
        raise BadName("characters")
    return _check(name, MIN_TYPED_CHARACTERS)


def clean_carried_name(text: str) -> str:
    """Return a name that came from another site: an account's, a typed one, or one that the house gives.

    Raise BadName(code) for any other.
    """
    given = _GIVEN.fullmatch(text)
    if given is not None and not _claims_office(given[1]):
        return text
    if any(unicodedata.category(char) in UNSEEN for char in text):  # no file of ours has any
        raise BadName("characters")
    return clean_typed_name(text)
