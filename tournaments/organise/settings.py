"""Settings of a tournament: the organiser's choices, and the refusal of those that can't be run (E2, E6)."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from games.engine.game import Length, LengthKind
from games.models import Strength
from games.options import build_setup, find_fault, list_choices
from games.rules import RULESETS
from players import caps
from players.bounds import is_within
from players.clean_text import clean_line
from players.markdown import MAX_MARKDOWN_CHARACTERS, clean_text
from players.models import Player
from players.selectors import list_time_zones
from players.services.counted_acts import TooMany, count_act
from scoring import vp
from scoring.tiebreaks import CRITERIA, OF_POINTS, OF_ROUNDS, SHARE, read_order
from tournaments.clubs.queries import list_clubs_to_organise_for
from tournaments.core.errors import TournamentError
from tournaments.core.states import UNDRAWN
from tournaments.entries.approvals import make_token
from tournaments.entries.fixed_tables import MAX_TABLES
from tournaments.entries.queries import normalise_code
from tournaments.entry_kinds import EntryKind, Numbers, find_kind
from tournaments.formats import FORMATS
from tournaments.formats.protocol import FedFormat, Format
from tournaments.game_counts import CHOICES, LATE, ONE, GameCounts
from tournaments.hall.slip_codes import CODE_LETTERS
from tournaments.models import Tournament
from tournaments.organise.format_options import (
    check_hours,
    check_options,
    keep_shared_options,
    list_match_contexts,
)
from tournaments.venues import SITE, Venue

State = Tournament.State
TEXTS = ("name", "description", "time_zone")  # what may still change after the draw (E2)
LATEST_START = timedelta(days=366)
MAX_CHECKIN_MINUTES = 24 * 60
MAX_LEVEL = 3000
MAX_CLOCK_MINUTES = 240  # of a round at real tables (O6)
TEAM_SIZES = (2, 3, 4, 5, 6)  # people of a team at most (O12)
CODE_CHARS_RANGE = (4, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Choices of an organiser. Times in seconds; ``starts_at`` None: the tournament starts as soon as it is full."""

    name: str
    format: str
    ruleset: str
    length_kind: LengthKind
    length_value: int
    format_options: Mapping[str, bool | int] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    turn_timeout: int | None = 60
    match_clock: int | None = 900
    noshow_after: int = 300
    pause: int = 10
    tie_break: str = "standard"
    seats_an_entry: int = 1
    seeding: str = Tournament.Seeding.LOT
    min_entries: int = 2
    max_entries: int = 8
    level_min: int | None = None  # of a line that may enter (L7); None: any
    level_max: int | None = None
    guests_allowed: bool = True
    house_allowed: bool = False
    house_strength: str = Strength.CLUB  # of the house's players (HP2)
    starts_at: datetime | None = None
    description: str = ""  # Markdown
    time_zone: str = "Europe/Rome"  # the organiser's (E7)
    club_id: int | None = None  # in whose name
    registration: str = Tournament.Registration.OPEN
    join_code: str = ""  # what one types (CODE); empty: one is made up
    checkin_minutes: int | None = None  # before the start (E4); None: off
    round_minutes: int | None = None  # from one round's start to the next (R6); None: as soon as the one before is over
    publishes_rounds: bool = False  # each by an act of the organiser (D4)
    round_hours: tuple[datetime, ...] = ()  # of the second round and those after it (R6)
    venue: Venue = SITE  # O1
    hall_tables: int | None = None  # real ones (O3); None: one a fixture
    clock_minutes: int | None = None  # of a round at real tables (O6); None: no clock
    clock_end: str = Tournament.ClockEnd.FINISH  # what is still played when they are over
    team_size: int = 0  # the most people of a team (O12); 0: no teams
    team_tables: int = 1  # of a fixture; 2: squadre di quattro (O12)
    equal_deals: bool = False  # all fixtures of a round play the same decks (J9)
    games: int = 1  # of a fixture (EV1)
    games_in_ko: int | None = None  # of one in the KO after groups; None: as many
    late_games: int | None = None  # of one in the last rounds of a KO; None: as many
    late_from: str = ""  # the first of those rounds
    only_games_won: bool = False  # no points of games are written
    partners: str = Tournament.Partners.ENTERED  # how those of a pair find each other (EV2)
    pairs_stay: bool = False  # who comes as a pair may stay one (EV2)

    @property
    def game_counts(self) -> GameCounts:
        """Return how many games its fixtures have (EV1)."""
        return GameCounts.of(self)

    @property
    def entry_kind(self) -> EntryKind:
        """Return what an entry is once it is drawn."""
        return find_kind(Numbers.of(self))

    @property
    def max_playing(self) -> int:
        """Return how many entries play at most."""
        return self.entry_kind.entering.count_playing(self.max_entries)


def change_settings(before: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return the settings with some changed. With another format, or another game, the options that both have stay as
    they were, where they aren't among the changes; those of the old one alone go with it, and so does an order of
    tie-breaks that the new format can't have."""
    settings = replace(before, **changes)
    format_ = FORMATS.get(settings.format)
    if format_ is not None and settings.format != before.format and "format_options" not in changes:
        settings = replace(settings, format_options=keep_shared_options(format_, before.format_options))
    if format_ is not None and "tie_break" not in changes and not fits_format(before.tie_break, format_):
        settings = replace(settings, tie_break=propose_tie_break(format_))
    if settings.ruleset in RULESETS and settings.ruleset != before.ruleset and "options" not in changes:
        values = list_choices(settings.ruleset)
        kept = {name: value for name, value in before.options.items() if value in values.get(name, ())}
        settings = replace(settings, options=kept)
    return settings


def drop_inapplicable(settings: Settings) -> Settings:
    """Return the settings without what has no meaning where they are played (O1): real tables have no clocks of
    players, no check-in, no house and no rounds but those the organiser publishes; the site has no numbered tables, no
    round clock and no teams but those that meet at two tables (J11)."""
    venue = settings.venue
    neutral: dict[str, Any] = {}
    if not venue.opens_tables:
        neutral |= {"turn_timeout": None, "match_clock": None, "pause": 0}
        neutral |= {"house_allowed": False, "house_strength": Strength.CLUB}
    if venue.enters_names:
        lot = settings.seeding == Tournament.Seeding.LEVELS
        neutral |= {"level_min": None, "level_max": None, **({"seeding": Tournament.Seeding.LOT} if lot else {})}
    if not venue.runs_by_clock:
        neutral |= {"checkin_minutes": None, "round_minutes": None, "round_hours": (), "publishes_rounds": True}
    if not venue.numbers_tables:
        neutral |= {"hall_tables": None, "clock_minutes": None}
    if not venue.names_line_ups and settings.team_tables == 1:
        neutral |= {"team_size": 0}
    if settings.partners == Tournament.Partners.ENTERED:
        neutral |= {"pairs_stay": False}
    return replace(settings, **neutral)


def check_settings(settings: Settings) -> None:
    """Raise TournamentError where a tournament can't be run by these settings. The lengths a girone may have: V4."""
    check_texts(settings)
    format_ = FORMATS.get(settings.format)
    if format_ is None:
        raise TournamentError("unknown_format")
    _check_partners(settings)
    check_options(format_, settings.format_options, settings.max_playing)
    check_hours(settings.round_minutes, settings.round_hours, settings.starts_at)
    if settings.publishes_rounds and (settings.round_minutes is not None or settings.round_hours):
        raise TournamentError("publishes_hours")
    _check_order(settings, format_)
    length = Length(settings.length_kind, settings.length_value)
    check_match(format_, settings.ruleset, settings.seats_an_entry, length, settings.options, settings.game_counts)
    _check_games(settings, format_)
    if settings.hall_tables is not None and not 1 <= settings.hall_tables <= MAX_TABLES:
        raise TournamentError("hall_tables_range", high=MAX_TABLES)
    if settings.clock_minutes is not None and not 1 <= settings.clock_minutes <= MAX_CLOCK_MINUTES:
        raise TournamentError("clock_minutes_range", high=MAX_CLOCK_MINUTES)
    if settings.team_size not in (0, *TEAM_SIZES):
        raise TournamentError("team_size_range", low=TEAM_SIZES[0], high=TEAM_SIZES[-1])
    if settings.team_tables != 1:
        _check_two_tables(settings, format_)
    if settings.team_size and not settings.venue.names_line_ups:
        _check_teams_on_site(settings)
    if settings.clock_end not in Tournament.ClockEnd.values:
        raise TournamentError("unknown_clock_end")
    if settings.equal_deals:
        _check_equal_deals(settings, format_)
    if settings.venue.opens_tables and settings.turn_timeout is None and settings.match_clock is None:
        raise TournamentError("clocks_missing")
    if settings.seeding not in Tournament.Seeding.values:
        raise TournamentError("unknown_seeding")
    draws_itself = settings.starts_at is None and not settings.publishes_rounds
    if settings.seeding in (Tournament.Seeding.ORGANISER, Tournament.Seeding.CIRCUIT) and draws_itself:
        raise TournamentError("seeding_needs_start")
    low, high = settings.level_min or 0, MAX_LEVEL if settings.level_max is None else settings.level_max
    if not 0 <= low <= high <= MAX_LEVEL:
        raise TournamentError("levels_range", high=MAX_LEVEL)
    _check_registration(settings)
    joins = settings.entry_kind.entering.joins
    low, high = joins * format_.min_size, joins * format_.max_size
    if not low <= settings.min_entries <= settings.max_entries <= high:
        raise TournamentError("entries_range", low=low, high=high)


def check_match(
    format_: Format,
    ruleset: str,
    seats_an_entry: int,
    length: Length,
    options: Mapping[str, bool | str],
    counts: GameCounts | None = None,
) -> None:
    """Raise TournamentError for a match that can't be played so: setup_refused, length_without_vp (V4). Games of a
    fixture that has several have no VP of their own (EV1)."""
    several = counts is not None and counts.games > ONE
    for context in list_match_contexts(format_):
        context = "ko" if several else context
        wrong = find_fault(build_setup(ruleset, 2 * seats_an_entry, length, context, options), vp.check_length)
        if wrong is not None and wrong.code == "length_without_vp":
            raise TournamentError("length_without_vp", allowed=wrong.allowed)
        if wrong is not None:
            raise TournamentError("setup_refused", reason=wrong.code, about=wrong.about, allowed=wrong.allowed)


def _check_games(settings: Settings, format_: Format) -> None:
    """Raise TournamentError where fixtures can't have so many games (EV1): games_range, games_on_site,
    games_equal_deals, games_two_tables, games_in_ko_alone, late_games_ko, late_games_from, late_games_quarters,
    games_made_points."""
    counts, contexts = settings.game_counts, tuple(list_match_contexts(format_))
    if not {counts.games, counts.games_in_ko or ONE, counts.late_games or ONE} <= set(CHOICES):
        raise TournamentError("games_range")
    if counts.late_from not in ("", *LATE) or (counts.late_games is None) != (counts.late_from == ""):
        raise TournamentError("late_games_from")
    if counts.games_in_ko is not None and len(contexts) < 2:
        raise TournamentError("games_in_ko_alone")
    if counts.late_games is not None and "ko" not in contexts:
        raise TournamentError("late_games_ko")
    if counts.late_from == LATE[0] and isinstance(format_, FedFormat):
        raise TournamentError("late_games_quarters")
    if counts.most == ONE:
        return
    if settings.venue.opens_tables:
        raise TournamentError("games_on_site")
    if settings.equal_deals:
        raise TournamentError("games_equal_deals")
    if settings.entry_kind.has_parts:
        raise TournamentError("games_two_tables")
    if counts.only_games_won and OF_POINTS & set(read_order(settings.tie_break).criteria):
        raise TournamentError("games_made_points")


def _check_partners(settings: Settings) -> None:
    """Raise TournamentError where pairs can't be drawn (EV2): unknown_partners, partners_of_pairs."""
    if settings.partners not in Tournament.Partners.values:
        raise TournamentError("unknown_partners")
    if settings.partners != Tournament.Partners.ENTERED and not settings.entry_kind.is_drawn_pair:
        raise TournamentError("partners_of_pairs")


def _check_order(settings: Settings, format_: Format) -> None:
    """Raise TournamentError where the standings can't go by this order (EV10): unknown_tie_break, tie_break_order,
    tie_break_rounds, percentage_without_equal_deals."""
    try:
        criteria = read_order(settings.tie_break).criteria
    except ValueError:
        known = CRITERIA.keys() >= set(settings.tie_break.split(","))
        raise TournamentError("tie_break_order" if known else "unknown_tie_break") from None
    if not fits_format(settings.tie_break, format_):
        raise TournamentError("tie_break_rounds")
    if SHARE in criteria and not settings.equal_deals:
        raise TournamentError("percentage_without_equal_deals")


def fits_format(tie_break: str, format_: Format) -> bool:
    """Tell if a format has all that an order asks (EV10)."""
    return format_.keeps_rounds or not OF_ROUNDS & set(read_order(tie_break).criteria)


def propose_tie_break(format_: Format) -> str:
    """Return the preset that is proposed for a format: where rounds are drawn one by one, few have met (EV10)."""
    return "svizzero" if format_.keeps_rounds else "standard"


def _check_equal_deals(settings: Settings, format_: Format) -> None:
    """Raise TournamentError where fixtures can't play the same decks (J9): equal_deals_two_tables,
    equal_deals_ko, equal_deals_points, equal_deals_hours. At real tables the decks are prepared by somebody."""
    if settings.venue.types_results and settings.team_tables != 1:
        raise TournamentError("equal_deals_two_tables")
    if format_.context == "ko":
        raise TournamentError("equal_deals_ko")
    if settings.length_kind != "deals":
        raise TournamentError("equal_deals_points")
    if settings.round_minutes is not None or settings.round_hours:
        raise TournamentError("equal_deals_hours")


def _check_two_tables(settings: Settings, format_: Format) -> None:
    """Raise TournamentError where fixtures can't be played at two tables (O12): team_tables_range, two_tables_ko,
    two_tables_people, two_tables_hall."""
    if settings.team_tables != 2 or not settings.team_size:
        raise TournamentError("team_tables_range")
    if "ko" in list_match_contexts(format_):
        raise TournamentError("two_tables_ko")
    if settings.team_size < 2 * settings.seats_an_entry:
        raise TournamentError("two_tables_people", least=2 * settings.seats_an_entry)
    if settings.hall_tables == 1:
        raise TournamentError("two_tables_hall")


def _check_teams_on_site(settings: Settings) -> None:
    """Raise TournamentError where teams can't meet on the site (J11): teams_on_site, team_size_on_site."""
    if settings.team_tables != 2 or not settings.equal_deals:
        raise TournamentError("teams_on_site")
    if settings.team_size != 2 * settings.seats_an_entry:
        raise TournamentError("team_size_on_site", size=2 * settings.seats_an_entry)


def admit_guests(registration: str) -> bool:
    """Return whether guests are admitted unless the organiser says otherwise: not where they answer for whoever
    enters."""
    return registration not in (Tournament.Registration.APPROVAL, Tournament.Registration.LIST)


def check_texts(settings: Settings) -> None:
    """Raise TournamentError for texts that can't be; they may change at any time."""
    if not clean_line(settings.name):
        raise TournamentError("name_missing")
    if len(clean_text(settings.description)) > MAX_MARKDOWN_CHARACTERS:
        raise TournamentError("text_too_long", limit=MAX_MARKDOWN_CHARACTERS)
    if settings.time_zone not in list_time_zones():
        raise TournamentError("unknown_time_zone")


def read_settings(tournament: Tournament) -> Settings:
    """Return a tournament's settings."""
    values = {name: getattr(tournament, name) for name in Settings.__slots__}
    return Settings(**{**values, "round_hours": tournament.hours_set})


def apply_settings(tournament: Tournament, settings: Settings) -> None:
    """Write the settings into an unsaved tournament, with a code or a link where its registration needs one (E3)."""
    for name in Settings.__slots__:
        setattr(tournament, name, getattr(settings, name))
    apply_texts(tournament, settings)
    tournament.options = dict(settings.options)
    tournament.round_hours = [at.astimezone(UTC).isoformat() for at in settings.round_hours]
    tournament.join_code = normalise_code(settings.join_code)
    if settings.registration == Tournament.Registration.CODE and not tournament.join_code:
        tournament.join_code = "".join(secrets.choice(CODE_LETTERS) for _ in range(6))
    if settings.registration == Tournament.Registration.LINK and not tournament.join_token:
        tournament.join_token = make_token()
    tournament.format_options = dict(FORMATS[settings.format].options) | dict(settings.format_options)


def _check_registration(settings: Settings) -> None:
    """Raise TournamentError where nobody could enter by these settings (E3, E4)."""
    if settings.registration not in Tournament.Registration.values:
        raise TournamentError("unknown_registration")
    code = normalise_code(settings.join_code)
    if code and not CODE_CHARS_RANGE[0] <= len(code) <= CODE_CHARS_RANGE[1]:
        raise TournamentError("code_length", low=CODE_CHARS_RANGE[0], high=CODE_CHARS_RANGE[1])
    if settings.checkin_minutes is None:
        return
    if settings.starts_at is None:
        raise TournamentError("checkin_needs_start")
    if not 1 <= settings.checkin_minutes <= MAX_CHECKIN_MINUTES:
        raise TournamentError("checkin_range", high=MAX_CHECKIN_MINUTES)


def apply_texts(tournament: Tournament, settings: Settings) -> None:
    """Write name, description and time zone into an unsaved tournament."""
    tournament.name = clean_line(settings.name)
    tournament.description = clean_text(settings.description)
    tournament.time_zone = settings.time_zone


def require_club(by: Player, club_id: int | None) -> None:
    """Raise TournamentError where the player may not organise in that club's name."""
    if club_id is not None and not list_clubs_to_organise_for(by).filter(pk=club_id).exists():
        raise TournamentError("not_of_club")


def require_below_limit(organiser: Player) -> None:
    """Raise TournamentError where the organiser has as many undrawn tournaments as allowed. The house isn't limited."""
    if organiser.is_house:
        return
    Player.objects.select_for_update(no_key=True).get(pk=organiser.pk)  # two drafts made at once are counted in turn
    undrawn = Tournament.objects.filter(organiser=organiser, state__in=UNDRAWN)
    if undrawn.count() >= caps.MAX_UNDRAWN_TOURNAMENTS:
        raise TournamentError("too_many_open", limit=caps.MAX_UNDRAWN_TOURNAMENTS)


def count_tournament(organiser: Player, now: datetime) -> None:
    """Count a tournament or a series that the player makes. TournamentError: made_often. The house isn't counted."""
    if organiser.is_house:
        return
    try:
        count_act({f"tournaments:{organiser.pk}": caps.TOURNAMENTS_A_PERSON}, now=now)
    except TooMany as refused:
        raise TournamentError("made_often", wait=refused.wait) from None


def require_date(settings: Settings, now: datetime) -> None:
    """Raise TournamentError for a start more than a year away, for one of another age (hour_range), and on the site for
    one in the past."""
    starts_at = settings.starts_at
    if starts_at is not None and not is_within(starts_at):
        raise TournamentError("hour_range")
    if starts_at is not None and starts_at < now and settings.venue.runs_by_clock:
        raise TournamentError("start_in_the_past")
    if starts_at is not None and starts_at > now + LATEST_START:
        raise TournamentError("start_too_far")


def require_future(tournament: Tournament, now: datetime) -> None:
    """Raise TournamentError for a start that has passed; at real tables the organiser starts, whatever the hour."""
    if tournament.starts_at is not None and tournament.starts_at <= now and tournament.venue.runs_by_clock:
        raise TournamentError("start_in_the_past")
