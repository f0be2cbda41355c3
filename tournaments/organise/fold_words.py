"""Values of the folded parts of a tournament's form in a few words, of what is chosen or typed now, whole or not."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.forms import OPTION, MatchForm
from games.wording import describe_duration, describe_length
from players.web.requests import read_number
from tournaments.core.format_wording import list_format_facts
from tournaments.models import Tournament
from tournaments.organise.fields import get_reader_zone
from tournaments.organise.format_form import OPTIONS
from tournaments.organise.settings import admit_guests
from tournaments.venues import Venue

NEVER = 10**9  # what a number is where none is typed


class FoldWords(MatchForm):
    """Form fields that can say what they hold."""

    def find_venue(self) -> Venue:
        """Return where it is played by what is chosen now."""
        raise NotImplementedError

    def fits_games(self, name: str) -> bool:
        """Tell if a number of games means something in the format that is chosen."""
        raise NotImplementedError

    def describe_match(self) -> str:
        """Return how long a match is, and by which options."""
        length = describe_length(str(self["length_kind"].value()), self._number("length_value") or 0)
        named = [self._describe_option(name) for name in self.fitting]
        return _join([length, *filter(None, named)])

    def _describe_option(self, name: str) -> str:
        field, value = self.fields[name], self[name].value()
        if isinstance(field, forms.ChoiceField):
            plain = self._option_value(name.removeprefix(OPTION), "")
            return "" if str(value) in ("", str(plain)) else f"{field.label} {self._label(name)}"
        return str(field.label) if value else ""

    def describe_venue(self) -> str:
        """Return where it is played, and at how many tables."""
        venue = self.find_venue()
        if not venue.numbers_tables:
            return _join([str(venue.name), _("i tavoli si aprono da soli") if venue.opens_tables else ""])
        tables = self._number("hall_tables")
        if tables is None:
            return _join([str(venue.name), _("un tavolo per incontro")])
        return _join([str(venue.name), ngettext("%(n)d tavolo", "%(n)d tavoli", tables) % {"n": tables}])

    def describe_entering(self) -> str:
        """Return who may enter, and how."""
        registration, on_site = str(self["registration"].value()), self.find_venue().opens_tables
        guests = self["guests_allowed" if admit_guests(registration) else "guests_listed"].value()
        words = [self._label("registration")]
        if guests or on_site:
            words.append(_("anche senza account") if guests else _("solo con un account"))
        if on_site:
            words.append(self._describe_levels())
            words.append(_("con la casa") if self["house_allowed"].value() else _("senza la casa"))
            if str(self["seats_an_entry"].value()) == "2" and not self.draws_partners():
                words.append(_("uno iscrive la coppia, l'altro conferma"))
        if self.draws_partners():
            words.append(_("ci si iscrive da soli"))
            words.append(_("chi viene in coppia può restarci") if self["pairs_stay"].value() else "")
        return _join(words)

    def draws_partners(self) -> bool:
        """Tell if partners are drawn by what is chosen now (EV2)."""
        pairs = str(self["seats_an_entry"].value()) == "2"
        return pairs and str(self["partners"].value()) not in (Tournament.Partners.ENTERED, "", "None")

    def _describe_levels(self) -> str:
        least, most = self._number("level_min"), self._number("level_max")
        if least is None and most is None:
            return ""
        if most is None:
            return _("livello da %(least)d") % {"least": least}
        if least is None:
            return _("livello fino a %(most)d") % {"most": most}
        return _("livello da %(least)d a %(most)d") % {"least": least, "most": most}

    def describe_places(self) -> str:
        """Return how many places there are, what is chosen of the format, and what seeds and ranks."""
        size = {"least": self._number("min_entries") or 0, "most": self._number("max_entries") or 0}
        values = {name: self[name].value() for name in OPTIONS if name in self.fields}
        words = [self._describe_size(size), *list_format_facts(str(self["format"].value()), values)]
        if self.find_venue().types_results:
            words += self._describe_games()
        if self.find_venue().names_line_ups and str(self["team_size"].value()) not in ("", "0", "None"):
            words.append(_("a squadre"))
        if self["equal_deals"].value():
            words.append(str(self.fields["equal_deals"].label))
        if self._has_hour() and self._number("checkin_minutes"):
            seconds = 60 * (self._number("checkin_minutes") or 0)
            words.append(_("check-in %(time)s prima") % {"time": describe_duration(seconds)})
        if str(self["seeding"].value()) not in ("lot", ""):
            words.append(_("teste di serie: %(how)s") % {"how": self._label("seeding")})
        return _join(words)

    def _describe_games(self) -> list[str]:
        """Return the numbers of games beside the one that is in sight (EV1)."""
        chosen = [name for name in ("games_in_ko", "games_late") if self.fits_games(name) and self[name].value()]
        words = [f"{self.fields[name].label} {self._label(name)}" for name in chosen]
        return [*words, *([str(self.fields["only_games_won"].label)] if self["only_games_won"].value() else [])]

    def _describe_size(self, size: dict[str, int]) -> str:
        if str(self["seats_an_entry"].value()) == "2" and not self.draws_partners():
            return _("da %(least)d a %(most)d coppie") % size
        return _("da %(least)d a %(most)d iscritti") % size

    def _has_hour(self) -> bool:
        if not self.find_venue().runs_by_clock:
            return False
        return "start" not in self.fields or self["start"].value() == "at"

    def describe_times(self) -> str:
        """Return the clocks of a table and of a round."""
        if not self.find_venue().runs_by_clock:
            minutes = self._number("clock_minutes")
            if minutes is None:
                return _("senza orologio")
            by_round = ngettext("%(n)d minuto a turno", "%(n)d minuti a turno", minutes) % {"n": minutes}
            return _join([by_round, _("allo scadere %(what)s") % {"what": self._label("clock_end").partition(",")[0]}])
        words = [
            self._describe_clock("turn_timeout", _("%(time)s a giocata")),
            self._describe_clock("match_clock", _("%(time)s a testa")),
            _("chi manca è atteso %(time)s") % {"time": self._label("noshow_after")},
        ]
        minutes = self._number("round_minutes")
        if minutes:
            words.append(_("un turno ogni %(time)s") % {"time": describe_duration(60 * minutes)})
        if self["publishes_rounds"].value():
            words.append(_("i turni li pubblichi tu"))
        return _join(words)

    def _describe_clock(self, name: str, sentence: str) -> str:
        return sentence % {"time": self._label(name)} if self._number(name) else ""

    def describe_texts(self) -> str:
        """Return in whose name it is held, and whether a text presents it."""
        named = "club" in self.fields and self["club"].value()
        club = self._label("club") if named else ""  # a name, with the letters that it has
        text = _("con una presentazione") if str(self["description"].value() or "").strip() else ""
        zone = str(self["time_zone"].value() or get_reader_zone())
        place = "" if zone == get_reader_zone() else _("ore di %(zone)s") % {"zone": zone}
        words = _join([text or _("senza presentazione"), place])
        return ", ".join([club or _("a nome mio"), words])

    # --- Values ------------------------------------------------------------------------------------------------------

    def _label(self, name: str) -> str:
        """Return the label of what is chosen in a field; "" of nothing it offers."""
        field, value = self.fields[name], self[name].value()
        assert isinstance(field, forms.ChoiceField)
        chosen = "" if value is None else str(getattr(value, "code", value))
        choices: Any = field.choices
        return next((str(label) for code, label in choices if str(code) == chosen), "")

    def _number(self, name: str) -> int | None:
        """Return a number as it is typed; None where there is none."""
        number = read_number(str(self[name].value()), NEVER)
        return None if number == NEVER else number


def _join(words: Iterable[str]) -> str:
    """Join words, the first letters small; abbreviations stay as they are."""
    lowered = (word if word[1:2].isupper() else word[:1].lower() + word[1:] for word in words if word)
    return ", ".join(lowered)
