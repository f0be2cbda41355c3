"""Form fields of how many games decide a fixture (*al meglio di*, EV1). What can't be the settings refuse."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms import FormValues
from scoring.best_of import NUMBERS
from tournaments.core.game_wording import describe_games
from tournaments.formats.protocol import Format
from tournaments.game_counts import CHOICES, ONE, GameCounts
from tournaments.models import Tournament
from tournaments.organise.format_options import list_match_contexts

LateFrom = Tournament.LateFrom


class GamesForm(forms.Form):
    """The number of games in sight; that of a KO and of its last rounds, and whether points are written, folded."""

    games = forms.TypedChoiceField(label=gettext_lazy("Un incontro"), coerce=int, required=False, initial="1")
    games_in_ko = forms.TypedChoiceField(
        label=gettext_lazy("Nell'eliminazione diretta"), coerce=int, empty_value=None, required=False
    )
    games_late = forms.ChoiceField(label=gettext_lazy("Negli ultimi turni"), required=False)
    only_games_won = forms.BooleanField(
        label=gettext_lazy("Solo le partite"),
        help_text=gettext_lazy("Di un incontro di più partite si scrive 2–1, senza i punti di ognuna."),
        required=False,
    )

    def find_format(self) -> Format:
        """Return the format that is chosen now."""
        raise NotImplementedError

    def offer_games(self) -> None:
        """Give the fields their choices."""
        counted = [(str(number), describe_games(number)) for number in CHOICES]
        late = [
            (f"{start}:{number}", f"{start.label} {describe_games(number)}") for start in LateFrom for number in NUMBERS
        ]
        stored = str(self.get_initial_for_field(self.fields["games_late"], "games_late") or "")
        if stored.endswith(f":{ONE}"):  # as a program may write it
            start = LateFrom(stored.partition(":")[0])
            late.append((stored, f"{start.label} {describe_games(ONE)}"))
        for name, offered in (
            ("games", counted),
            ("games_in_ko", [("", _("come nei gironi")), *counted]),
            ("games_late", [("", _("come negli altri")), *late]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = offered

    def fits_games(self, name: str) -> bool:
        """Tell if a field of these means something in the format that is chosen."""
        if name not in ("games_in_ko", "games_late"):
            return True
        contexts = tuple(list_match_contexts(self.find_format()))
        return len(contexts) > 1 if name == "games_in_ko" else "ko" in contexts

    def read_games(self) -> GameCounts:
        """Return the numbers that were chosen; only after ``is_valid``."""
        data = self.cleaned_data
        start, _colon, number = (data["games_late"] if self.fits_games("games_late") else "").partition(":")
        return GameCounts(
            games=data["games"] or ONE,
            games_in_ko=data["games_in_ko"] if self.fits_games("games_in_ko") else None,
            late_games=int(number) if number else None,
            late_from=start,
            only_games_won=data["only_games_won"],
        )


def read_games_initial(tournament: Tournament) -> FormValues:
    """Return the initial values of these fields for a tournament."""
    late = "" if tournament.late_games is None else f"{tournament.late_from}:{tournament.late_games}"
    return {"games_late": late}
