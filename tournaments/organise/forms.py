"""Form of a tournament. It reads and checks; the services decide."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.game import Context
from games.forms import OPTION, FormValues, MatchForm, list_durations
from games.models import Strength
from games.options import SetupFault, list_choices
from games.rules import RULESETS
from players.caps import MAX_HOUSE_ENTRIES
from players.clean_text import clean_line
from players.models import Player
from scoring import vp
from tournaments.core import refusals, wording
from tournaments.core.errors import TournamentError
from tournaments.core.format_wording import describe_limit
from tournaments.entries.fixed_tables import MAX_TABLES
from tournaments.formats import FORMATS
from tournaments.models import Series, Tournament
from tournaments.organise.base_forms import EnteringForm, OrganiserForm, read_shared_initial
from tournaments.organise.fields import HOUR_FORMATS, GameSelect, HoursField, make_hour_field
from tournaments.organise.folds import FoldedFields
from tournaments.organise.format_form import DEFAULT_PAUSE_SECONDS, ORDERED, FormulaForm, read_formula_initial
from tournaments.organise.games_form import read_games_initial
from tournaments.organise.order_form import read_order_initial
from tournaments.organise.settings import MAX_CLOCK_MINUTES, MAX_LEVEL, TEAM_SIZES, Settings, admit_guests
from tournaments.venues import SITE, VENUES, Venue, list_venues

NOSHOW_SECONDS = (60, 120, 180, 300, 600, 900)
# The field beside which a refusal of the services is shown.
FIELD_OF = {
    "name_missing": "name",
    "unknown_format": "format",
    "length_without_vp": "length_value",
    "hall_tables_range": "hall_tables",
    "clock_minutes_range": "clock_minutes",
    **dict.fromkeys(("team_size_range", "teams_on_site", "team_size_on_site", "two_tables_people"), "team_size"),
    **dict.fromkeys(("team_tables_range", "two_tables_ko", "two_tables_hall"), "team_tables"),
    "clocks_missing": "turn_timeout",
    "entries_range": "max_entries",
    "start_in_the_past": "starts_at",
    "start_too_far": "starts_at",
    "hour_range": "starts_at",
    "seeding_needs_start": "seeding",
    **dict.fromkeys(("unknown_partners", "partners_of_pairs"), "partners"),
    "levels_range": "level_max",
    "unknown_registration": "registration",
    "code_length": "join_code",
    "checkin_range": "checkin_minutes",
    "entered_already": "seats_an_entry",
    "imported_real": "venue",
    "text_too_long": "description",
    "unknown_time_zone": "time_zone",
    "not_of_club": "club",
    "groups_too_many": "groups",
    "groups_too_few": "max_entries",
    "rounds_too_many": "rounds",
    "round_minutes_range": "round_minutes",
    "publishes_hours": "publishes_rounds",
    **dict.fromkeys(("equal_deals_ko", "equal_deals_points", "equal_deals_hours"), "equal_deals"),
    "equal_deals_two_tables": "equal_deals",
    **dict.fromkeys(("unknown_tie_break", "tie_break_rounds", "percentage_without_equal_deals"), "tie_break"),
    "tie_break_order": "order_1",
    **dict.fromkeys(("games_range", "games_on_site", "games_equal_deals", "games_two_tables"), "games"),
    "games_in_ko_alone": "games_in_ko",
    **dict.fromkeys(("late_games_ko", "late_games_from", "late_games_quarters"), "games_late"),
    "games_made_points": "only_games_won",
    **dict.fromkeys(("round_hours_order", "round_hours_many", "round_hours_late"), "round_hours"),
}


class TournamentForm(FoldedFields, OrganiserForm, EnteringForm, FormulaForm, MatchForm):
    also = staticmethod(vp.check_length)
    contexts = ("ko", "round_robin")
    field_of = {**MatchForm.field_of, "players": "seats_an_entry"}

    name = forms.CharField(
        label=gettext_lazy("Nome"),
        max_length=80,
        strip=False,
        error_messages={"required": gettext_lazy("Dai un nome al torneo.")},
    )
    ruleset = forms.ChoiceField(label=gettext_lazy("Gioco"), widget=GameSelect, initial="scopa")
    seats_an_entry = forms.TypedChoiceField(
        label=gettext_lazy("Si gioca"),
        help_text=gettext_lazy(
            "A coppie, i compagni siedono di fronte; sul sito uno iscrive la coppia, l'altro conferma."
        ),
        coerce=int,
        initial="1",
    )
    partners = forms.ChoiceField(label=gettext_lazy("Le coppie"), required=False, initial=Tournament.Partners.ENTERED)
    pairs_stay = forms.BooleanField(
        label=gettext_lazy("Chi viene già in coppia può restarci"),
        help_text=gettext_lazy(
            "Si iscrivono in due, e al banco si segna che restano insieme; tutti gli altri si sorteggiano."
        ),
        required=False,
    )
    format = forms.ChoiceField(label=gettext_lazy("Formula"), initial=ORDERED[0].id)
    seeding = forms.ChoiceField(
        label=gettext_lazy("Teste di serie"),
        help_text=gettext_lazy(
            "Se le decidi tu, le metti in ordine prima dell'inizio: serve un'ora stabilita, o turni che pubblichi tu."
        ),
        widget=forms.RadioSelect,
        required=False,
        initial="lot",
    )
    level_min = forms.IntegerField(
        label=gettext_lazy("Livello minimo"),
        help_text=gettext_lazy("Di chi si iscrive, o della coppia; chi non ne ha vale 1500. Vuoto: tutti."),
        min_value=0,
        max_value=MAX_LEVEL,
        required=False,
    )
    level_max = forms.IntegerField(
        label=gettext_lazy("Livello massimo"), min_value=0, max_value=MAX_LEVEL, required=False
    )
    venue = forms.ChoiceField(
        label=gettext_lazy("Dove si gioca"),
        widget=forms.RadioSelect,
        required=False,
        initial=SITE.code,
    )
    hall_tables = forms.IntegerField(
        label=gettext_lazy("Tavoli in sala"),
        help_text=gettext_lazy("Se gli incontri sono di più, si gioca a ondate. Vuoto: un tavolo per ogni incontro."),
        required=False,
        min_value=1,
        max_value=MAX_TABLES,
    )
    clock_minutes = forms.IntegerField(
        label=gettext_lazy("Minuti di un turno"),
        help_text=gettext_lazy("L'orologio del turno lo fai partire tu. Vuoto: si gioca senza orologio."),
        required=False,
        min_value=1,
        max_value=MAX_CLOCK_MINUTES,
    )
    clock_end = forms.ChoiceField(
        label=gettext_lazy("Allo scadere"), required=False, initial=Tournament.ClockEnd.FINISH
    )
    team_size = forms.TypedChoiceField(
        label=gettext_lazy("Squadre"),
        help_text=gettext_lazy("Di una squadra gioca ogni volta chi è nella formazione: la dite prima di ogni turno."),
        coerce=int,
        required=False,
        initial="0",
    )
    team_tables = forms.TypedChoiceField(
        label=gettext_lazy("Tavoli di un incontro"),
        help_text=gettext_lazy("A due tavoli contano insieme: metà della somma delle differenze dà i VP."),
        coerce=int,
        required=False,
        initial="1",
    )
    noshow_after = forms.TypedChoiceField(label=gettext_lazy("Attesa degli assenti"), coerce=int, initial="300")
    start = forms.ChoiceField(label=gettext_lazy("Quando"), initial="full")
    starts_at = make_hour_field(
        label=gettext_lazy("Giorno e ora"),
        help_text=gettext_lazy("Nel fuso orario scelto qui; solo se si comincia a un'ora stabilita, o dal vivo."),
        required=False,
    )
    round_hours = HoursField(
        label=gettext_lazy("Ore dei turni, dal secondo"),
        help_text=gettext_lazy(
            "Facoltative, una per riga: 28/11/2026 21:00. I turni che non ne hanno seguono dopo i minuti scritti qui "
            "sopra, o a distanza come gli ultimi due."
        ),
        required=False,
        input_formats=HOUR_FORMATS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    min_entries = forms.IntegerField(
        label=gettext_lazy("Iscritti, minimo"),
        help_text=gettext_lazy("Con meno, all'ora d'inizio il torneo si annulla; dal vivo non si sorteggia."),
        min_value=2,
        max_value=4096,
        initial=2,
    )
    max_entries = forms.IntegerField(
        label=gettext_lazy("Iscritti, massimo"),
        min_value=2,
        max_value=4096,
        initial=8,
    )
    publishes_rounds = forms.BooleanField(
        label=gettext_lazy("Pubblico io i turni"),
        help_text=gettext_lazy(
            "Ogni turno è prima una bozza che vedi solo tu: lo guardi, e quando va bene lo pubblichi. Niente comincia "
            "da solo, nemmeno il sorteggio."
        ),
        required=False,
    )
    equal_deals = forms.BooleanField(
        label=gettext_lazy("Carte uguali"),
        help_text=gettext_lazy(
            "In un turno tutti i tavoli giocano gli stessi mazzi, e si confronta chi ne ha fatto di più. Fino alla "
            "fine del turno nessuno vede punti e carte degli altri tavoli. Ai tavoli veri i mazzi li prepara chi non "
            "gioca, con il suo nome in pubblico."
        ),
        required=False,
    )
    fours = forms.BooleanField(
        label=gettext_lazy("Squadre di quattro"),
        help_text=gettext_lazy(
            "Due squadre s'incontrano a due tavoli, con le stesse carte e i posti scambiati: conta la somma delle "
            "differenze, smazzata per smazzata. Serve «Carte uguali»; girone o danese. Dove si gioca uno contro uno, "
            "una squadra è di due."
        ),
        required=False,
    )
    guests_allowed = forms.BooleanField(
        label=gettext_lazy("Ammesso chi non ha un account"),
        help_text=gettext_lazy("Sul sito gioca come ospite; dal vivo si iscrive da sé, scrivendo il nome."),
        required=False,
        initial=True,
    )
    guests_listed = forms.BooleanField(
        label=gettext_lazy("Ammesso anche chi non ha un account"),
        help_text=gettext_lazy("Di solito no, dove chi organizza accetta o mette in elenco chi gioca."),
        required=False,
    )
    house_allowed = forms.BooleanField(label=gettext_lazy("Ammessi i giocatori della casa"), required=False)
    house_strength = forms.ChoiceField(
        label=gettext_lazy("Forza della casa"), choices=Strength.choices, initial=Strength.CLUB, required=False
    )

    def _list_seedings(self, of: Tournament | Series | None) -> list[tuple[str, str]]:
        """Return the ways of seeding; by a circuit's ranks of its final alone, which the circuit made so (Y3)."""
        own = isinstance(of, Tournament) and of.seeding == Tournament.Seeding.CIRCUIT
        codes = Tournament.Seeding.choices
        return [(code, str(label)) for code, label in codes if own or code != Tournament.Seeding.CIRCUIT]

    def __init__(
        self, *args: Any, organiser: Player | None = None, of: Tournament | Series | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offer_organising(organiser, of)
        self.offer_orders()
        self.offer_games()
        limit = {"limit": MAX_HOUSE_ENTRIES}
        self.fields["house_allowed"].help_text = _("Riempiono al massimo %(limit)d posti liberi.") % limit
        choices: dict[str, list[tuple[str, str]]] = {
            "venue": [(code, str(name)) for code, name in list_venues()],
            "clock_end": [(code, str(label)) for code, label in Tournament.ClockEnd.choices],
            "team_size": [("0", _("no, ci si iscrive come si gioca")), *self._list_team_sizes()],
            "team_tables": [("1", _("uno")), ("2", _("due: squadre di quattro"))],
            "seeding": self._list_seedings(of),
            "partners": [(code, str(label)) for code, label in Tournament.Partners.choices],
            "format": [(code, wording.name_format(code)) for code in self.list_format_ids()],
            "noshow_after": list_durations(NOSHOW_SECONDS, off=False),
            "pause": self.list_pauses(),
            **self.list_registration_choices(),
            "start": [("full", _("appena al completo")), ("at", _("a un'ora stabilita"))],
        }
        for name, offered_here in choices.items():
            if name in self.fields:
                self.choose(name, offered_here)
        self.fields["name"].widget.attrs.update({"autocomplete": "off", "placeholder": _("Torneo del giovedì")})
        limit_words = describe_limit(self.find_format().id, times=self._count_joined())
        self.fields["max_entries"].help_text = _("I posti in tutto.") + " " + limit_words
        for name in ("min_entries", "max_entries", "round_minutes", "hall_tables", "clock_minutes"):
            self.fields[name].widget.attrs["inputmode"] = "numeric"
        if self.is_bound:
            self.mark_errors()
            self._offer_seats(self._player_counts())  # read among all of them: the rules say why one is refused

    def _list_team_sizes(self) -> list[tuple[str, str]]:
        return [(str(size), _("sì, fino a %(n)d persone") % {"n": size}) for size in TEAM_SIZES]

    @property
    def rulesets(self) -> list[str]:
        """Return the games to choose from."""
        return self._rulesets()

    def _rulesets(self) -> list[str]:
        return [code for code, rules in RULESETS.items() if {2, 4} & set(rules.players)]

    def _narrow(self) -> None:
        chosen = self.raw("ruleset")
        played = RULESETS[chosen].players if not self.is_bound and chosen in RULESETS else (2, 4)
        counts = [count for count in (2, 4) if count in played]  # M8: never three
        if not self.is_bound and 2 * self._seats() not in counts:
            self.initial["seats_an_entry"] = str(counts[0] // 2)
        self._offer_seats(counts)

    def _offer_seats(self, counts: Iterable[int]) -> None:
        labels = {2: _("in due"), 4: _("a coppie")}
        self.choose("seats_an_entry", [(str(count // 2), labels[count]) for count in counts])

    def _seats(self) -> int:
        return 2 if str(self.raw("seats_an_entry")) == "2" else 1

    def _players(self) -> int:
        return 2 * self._seats()

    def _player_counts(self) -> tuple[int, ...]:
        return tuple(count for count in super()._player_counts() if count in (2, 4))

    def _context(self) -> Context:
        format_ = FORMATS.get(str(self.raw("format")))
        return (ORDERED[0] if format_ is None else format_).context

    def clean_name(self) -> str:
        name = clean_line(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError(refusals.describe_refusal("name_missing"), code="name_missing")
        return name

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        hourless = data.get("starts_at") is None and "starts_at" not in self.errors
        if self.read_venue().runs_by_clock and data.get("start") == "at" and hourless:
            self.add_error("starts_at", forms.ValidationError(_("Scegli il giorno e l'ora."), code="required"))
        return data

    def read_settings(self) -> Settings:
        """Return the settings that were chosen; only after ``is_valid``."""
        data = self.cleaned_data
        format_ = FORMATS[data["format"]]
        games = self.read_games()
        choices, entering = self.read_organiser_choices(), self.read_registration(has_start=self.has_start())
        return Settings(
            name=data["name"],
            format=data["format"],
            ruleset=data["ruleset"],
            length_kind=data["length_kind"],
            length_value=data["length_value"],
            options=self.chosen_options(),
            format_options=self.read_formula(format_),
            round_minutes=data["round_minutes"],
            round_hours=(data.get("round_hours") or ()) if self.has_start() else (),
            publishes_rounds=data["publishes_rounds"],
            equal_deals=data["equal_deals"],
            pause=data["pause"] or DEFAULT_PAUSE_SECONDS,
            tie_break=self.read_tie_break(format_),
            seats_an_entry=data["seats_an_entry"],
            seeding=data["seeding"] or Tournament.Seeding.LOT,
            level_min=data["level_min"],
            level_max=data["level_max"],
            turn_timeout=data["turn_timeout"],
            match_clock=data["match_clock"],
            noshow_after=data["noshow_after"],
            min_entries=max(data["min_entries"], min(self._count_joined() * format_.min_size, data["max_entries"])),
            max_entries=data["max_entries"],
            guests_allowed=data["guests_allowed" if admit_guests(entering.registration) else "guests_listed"],
            house_allowed=data["house_allowed"],
            house_strength=data["house_strength"] or Strength.CLUB,
            starts_at=self.read_start(),
            description=choices.description,
            time_zone=choices.time_zone,
            club_id=choices.club_id,
            registration=entering.registration,
            join_code=entering.join_code,
            checkin_minutes=entering.checkin_minutes,
            venue=self.read_venue(),
            hall_tables=data["hall_tables"],
            clock_minutes=data["clock_minutes"],
            clock_end=data["clock_end"] or Tournament.ClockEnd.FINISH,
            games=games.games,
            games_in_ko=games.games_in_ko,
            late_games=games.late_games,
            late_from=games.late_from,
            only_games_won=games.only_games_won,
            partners=self.read_partners(),
            pairs_stay=data["pairs_stay"],
            **self._read_teams(),
        )

    def read_partners(self) -> str:
        """Return how those of a pair find each other (EV2): where nobody has a partner it isn't asked."""
        chosen = str(self["partners"].value() or "")
        return chosen if self._seats() > 1 and chosen else str(Tournament.Partners.ENTERED)

    def _count_joined(self) -> int:
        """Return how many people make an entry at the draw."""
        return 1 if self.read_partners() == Tournament.Partners.ENTERED else self._seats()

    def _read_teams(self) -> FormValues:
        """Return the people of a team and the tables of a fixture: on the site those of squadre di quattro alone."""
        data = self.cleaned_data
        if not self.read_venue().names_line_ups:
            return {"team_size": 2 * data["seats_an_entry"], "team_tables": 2} if data["fours"] else {}
        size = data["team_size"] or 0
        return {"team_size": size, "team_tables": data["team_tables"] or 1 if size else 1}

    def read_start(self) -> datetime | None:
        """Return the hour of the start; None: as soon as the tournament is full."""
        start: datetime | None = self.cleaned_data["starts_at"] if self.has_start() else None
        return start

    def has_start(self) -> bool:
        """Return whether the tournament starts at an hour of its own; at real tables it is only announced for one."""
        if self.read_venue().calls_roll:
            return self.cleaned_data.get("starts_at") is not None
        return bool(self.cleaned_data["start"] == "at")

    def find_venue(self) -> Venue:
        return VENUES.get(str(self["venue"].value()), SITE)

    def read_venue(self) -> Venue:
        """Return where it is played (O1); on the site where nothing was chosen."""
        return VENUES.get(self.cleaned_data.get("venue", ""), SITE)

    def refuse(self, error: TournamentError) -> None:
        """Show a service's refusal beside the field it is about."""
        if error.code == "setup_refused":
            self.misfit(SetupFault(error.values["about"], error.values["reason"], error.values["allowed"]))
        else:
            field = error.values["name"] if error.code == "option_range" else FIELD_OF.get(error.code)
            if field in ("team_size", "team_tables") and not self.read_venue().names_line_ups:
                field = "fours"
            self.refuse_at(field if field in self.fields else None, refusals.make_form_error(error))


def read_initial_values(tournament: Tournament) -> FormValues:
    """Return the initial values of the form's fields for a tournament."""
    names = {field.name for field in Tournament._meta.concrete_fields} & set(TournamentForm.base_fields)
    initial = {name: getattr(tournament, name) for name in names} | read_shared_initial(tournament)
    initial |= read_formula_initial(tournament) | read_order_initial(tournament) | read_games_initial(tournament)
    initial |= {"round_hours": tournament.hours_set}
    options = list_choices(tournament.ruleset) if tournament.ruleset in RULESETS else {}
    initial |= {OPTION + name: tournament.options.get(name, values[0]) for name, values in options.items()}
    open_to_guests = admit_guests(tournament.registration)
    initial["guests_allowed"] = tournament.guests_allowed or not open_to_guests
    initial["guests_listed"] = tournament.guests_allowed and not open_to_guests
    initial["fours"] = tournament.entry_kind.exchanges_seats
    initial["start"] = "full" if tournament.starts_at is None else "at"
    if tournament.starts_at is not None:
        initial["starts_at"] = timezone.localtime(tournament.starts_at, ZoneInfo(tournament.time_zone)).replace(
            tzinfo=None
        )
    return initial
