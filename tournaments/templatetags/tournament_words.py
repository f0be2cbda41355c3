"""Wording of ``tournaments.core.wording`` for templates: one filter a function, nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import wording as game_wording
from games.levels import ShownLevel
from players.templatetags.people import build_face, link_name
from tournaments.core import dates, wording
from tournaments.core.format_wording import describe_format, describe_leaving, list_format_facts
from tournaments.core.game_wording import describe_game_counts, describe_game_scores
from tournaments.core.log_details import LogDetail, read_detail
from tournaments.core.order_wording import describe_tie_break
from tournaments.core.result import find_length
from tournaments.core.rows import EntryRow, FixtureRow, PageHeader, RoundRow, TournamentPage
from tournaments.core.watched import TableToWatch
from tournaments.desk.wording import describe_log_entry, list_logged_entries
from tournaments.models import LogEntry, Round, Series, Tournament
from tournaments.pages.own_table import OwnTable

register = template.Library()
FACES_DRAWN = 2


@dataclass(frozen=True, slots=True)
class FixtureSide:
    """A side of a fixture as templates draw it; ``points`` and ``vp`` are empty where there are none."""

    entry: EntryRow | None
    points: int | str
    vp: int | str
    cards: int | None  # card points, where the score counts deals (BR4)
    won: bool
    lost: bool
    forfeit: bool


register.filter("duration", game_wording.describe_duration)
register.filter("signed", game_wording.write_signed)
register.filter("format_name", wording.name_format)
register.filter("format_short", wording.name_format_short)
register.filter("leaving_text", describe_leaving)
register.filter("ruleset_name", wording.name_ruleset)
register.filter("decided_by", wording.describe_decision)
register.filter("fixture_state", wording.name_fixture_state)
register.filter("stage_name", wording.name_stage)
register.filter("game_scores", describe_game_scores)
register.filter("euros", wording.describe_euros)


@register.simple_tag
def entry_link(entry: EntryRow) -> SafeString | str:
    """Return an entry's name, each of its people a link to their page; a team's own name is none (O12)."""
    return entry.name if entry.people or not entry.linked else _link_people(entry, " – ")


@register.simple_tag
def team_links(entry: EntryRow) -> SafeString:
    """Return the people of a team as links."""
    return _link_people(entry, ", ")


def _link_people(entry: EntryRow, between: str) -> SafeString:
    return format_html_join(between, "{}", ((_link_person(person),) for person in entry.linked))


def _link_person(person: tuple[str, str]) -> SafeString | str:
    name, public_id = person
    return link_name(name, public_id) if public_id else name


@register.simple_tag
def entry_faces(entry: EntryRow, size: int = 28) -> SafeString:
    """Draw the faces of an entry's people, of a team the first two's; the back of one card for a pair of the house."""
    codes = entry.faces[:1] if entry.house else entry.faces[:FACES_DRAWN]
    drawn = ((build_face(*(("", code) if len(code) == 1 else (code, "")), size),) for code in codes)
    return format_html('<span class="portraits">{}</span>', format_html_join("", "{}", drawn))


@register.filter
def entry_heading(header: PageHeader) -> str:
    """Return what an entry is, to stand above a column of them (E1, O12)."""
    return str(header.tournament.entry_kind.words.one)


@register.filter
def entries_heading(header: PageHeader) -> str:
    """Return what the entries are, to stand above several columns."""
    return str(header.tournament.entry_kind.words.many)


@register.filter
def counted_entries(tournament: Tournament, count: int) -> str:
    """Return how many entries there are, as what they are: "5 coppie"."""
    return str(tournament.entry_kind.words.counted % {"n": count})


@register.filter
def stage_reached(tournament: Tournament, header: PageHeader) -> str:
    """Return how far a tournament is, in two or three words: what is missing, or when it ended."""
    if tournament.finished_at is not None and tournament.state == Tournament.State.FINISHED:
        return dates.describe_end(tournament.finished_at)
    if header.takes_entries and header.free and header.starts_when_full:
        return wording.describe_missing(header.free)
    return str(tournament.get_state_display())


@register.filter
def counted_places(header: PageHeader) -> str:
    """Return how many are in it, while it takes entries of how many, and how many of them are the house's."""
    counted = counted_entries(header.tournament, header.total)
    if header.takes_entries:
        counted = _("%(n)d su %(places)d") % {"n": header.total, "places": header.tournament.max_entries}
    house = header.total - header.people
    return ", ".join((counted, _("%(n)d della casa") % {"n": house}) if house else (counted,))


@register.filter
def places_taken(header: PageHeader) -> SafeString:
    """Return how many places are taken, as figures, and in words for whoever hears them."""
    taken = {"part": header.total, "whole": header.tournament.max_entries}
    return format_html(
        '<span aria-hidden="true">{}/{}</span><span class="visually-hidden">{}</span>',
        header.total,
        header.tournament.max_entries,
        _("Posti presi: %(part)s su %(whole)s") % taken,
    )


@register.filter
def places_left(header: PageHeader) -> str:
    """Return how many places are free, as a sentence."""
    return wording.say_missing(header.free)


@register.filter
def own_place(table: OwnTable) -> str:
    """Return the round and the table at which the reader is awaited; empty for one that the page doesn't show."""
    if table.round is None or table.fixture is None:
        return ""
    return wording.name_table(table.round.name, table.round.number, table.fixture.board)


@register.filter
def other_side(fixture: FixtureRow, own: EntryRow | None) -> EntryRow | None:
    """Return whom an entry meets in a fixture; None while that isn't known."""
    sides = [side for side in (fixture.first, fixture.second) if side is not None]
    return None if own is None else next((side for side in sides if side.entry_id != own.entry_id), None)


@register.filter
def watch_words(table: TableToWatch) -> str:
    """Return the words of a button that leads to a table to watch."""
    return wording.name_watching(table.stage)


@register.filter
def times_said(tournament: Tournament) -> str:
    """Return how long one may think: about a card, and in all."""
    return wording.describe_times(tournament.turn_timeout, tournament.match_clock)


@register.filter
def level_of(levels: Mapping[int, ShownLevel] | str | None, entry: EntryRow) -> ShownLevel | None:
    """Return the level of an entry of one person, as far as it is shown to the reader."""
    alone = isinstance(levels, Mapping) and len(entry.player_ids) == 1
    return levels.get(entry.player_ids[0]) if alone and isinstance(levels, Mapping) else None


@register.filter
def worth(points: Mapping[int, int] | str | None, entry: EntryRow) -> int:
    """Return what an entry's place is worth in the rankings; 0 where nothing is known of it."""
    return points.get(entry.entry_id, 0) if isinstance(points, Mapping) else 0


@register.filter
def fixture_stage(f: FixtureRow) -> str:
    """Return how far a fixture is; at real tables one that can be played is waited for there (O1)."""
    if f.moved and f.state in ("waiting", "ready"):
        return _("si gioca al tavolo vero")
    if f.state == "ready" and f.hall_table is not None:
        return _("da giocare")
    return wording.name_fixture_state(f.state)


@register.filter
def hall_place(f: FixtureRow) -> str:
    """Return the real table of a fixture, in words (O3)."""
    if f.moved and f.hall_table is None:
        return _("Tavolo vero")
    return wording.name_hall_place(f.wave, f.hall_table)


@register.filter
def clock_face(left: timedelta) -> str:
    """Return the time that is left as a clock shows it: 12:05."""
    minutes, seconds = divmod(int(left.total_seconds()), 60)
    return f"{minutes}:{seconds:02}"


register.filter("series_trouble", dates.describe_series_trouble)
register.filter("ordinal", wording.write_ordinal)
register.filter("tie_break_rule", describe_tie_break)
register.filter("cancelled_because", wording.describe_cancellation)


@register.filter(expects_localtime=True)
def other_year(at: datetime) -> str:
    """Return the year to stand behind a date, where it isn't this year by the reader's calendar."""
    return "" if at.year == timezone.localdate().year else f" · {at.year}"


@register.simple_tag
def organisers_hour(tournament: Tournament) -> str:
    """Return the start by the organiser's clock, to stand behind the reader's, where the two differ (E7)."""
    at = tournament.starts_at
    if at is None:
        return ""
    at_reader, at_organiser = timezone.localtime(at), timezone.localtime(at, ZoneInfo(tournament.time_zone))
    return (
        ""
        if at_reader.utcoffset() == at_organiser.utcoffset()
        else f" · {dates.describe_hour_elsewhere(at_organiser, tournament.time_zone)}"
    )


@register.filter
def weekly(series: Series) -> str:
    here = series.time_zone == timezone.get_current_timezone_name()
    return dates.describe_weekly(series.weekday, series.hour, "" if here else series.time_zone)


@register.filter
def checkin_length(tournament: Tournament) -> str:
    return game_wording.describe_duration(60 * (tournament.checkin_minutes or 0))


@register.filter
def format_facts(tournament: Tournament) -> list[str]:
    """Return the chosen options of the format, as sentences."""
    return list_format_facts(tournament.format, tournament.format_options)


@register.filter
def format_summary(tournament: Tournament) -> str:
    """Return how one plays, by the format and the rulebook."""
    venue, length = tournament.venue, find_length(tournament)
    games = tournament.game_counts.games
    return describe_format(tournament.format, tournament.ruleset, length, by_clock=venue.opens_tables, games=games)


@register.filter
def match_length(tournament: Tournament) -> str:
    """Return how long a match is, and of how many a fixture is made."""
    length = game_wording.describe_length(tournament.length_kind, tournament.length_value)
    return ", ".join(filter(None, (length, describe_game_counts(tournament.game_counts))))


@register.filter
def round_name(row: RoundRow) -> str:
    return wording.name_round(row.name, row.number)


@register.simple_tag
def round_called(named: list[Any]) -> str:
    """Return the name of a round as a mail keeps it: its name's code and its number."""
    return wording.name_round(str(named[0]), int(named[1]))


@register.filter
def fixture_place(row: FixtureRow, round_: Round) -> str:
    return wording.name_fixture(round_.name, round_.number, row.board)


@register.filter
def log_words(entry: LogEntry) -> str:
    return describe_log_entry(entry.code, read_detail(entry, LogDetail))


@register.simple_tag
def log_names(entry: LogEntry, page: TournamentPage) -> SafeString:
    """Return the names of the entries that a log entry is about, where it says them (D2-D4), or of a claim (O2), as
    links."""
    claim = page.claim_names.get(entry.pk)
    if claim is not None:
        parts = [*map(_link_person, claim.people), claim.reason]
        return format_html_join(" · ", "{}", ((part,) for part in parts if part))
    groups = list_logged_entries(read_detail(entry, LogDetail))
    names = {row.entry_id: entry_link(row) for row in page.entries.rows} if groups else {}
    joined = [format_html_join(" / ", "{}", ((names[pk],) for pk in group if pk in names)) for group in groups]
    return format_html_join("; ", "{}", ((group,) for group in joined))


@register.filter
def side(pair: Any, index: int) -> Any:
    """Return one side's half of a pair; empty without a pair."""
    return "" if pair is None else pair[index]


@register.simple_tag
def sides(row: FixtureRow) -> list[FixtureSide]:
    """Return the two sides of a fixture as rows to draw: name, marks, points, and whether it won."""
    return [
        FixtureSide(
            entry=entry,
            points="" if row.points is None else row.points[index],
            vp="" if row.vp is None else row.vp[index],
            cards=None if row.cards is None else row.cards[index],
            won=row.winner == index,
            lost=row.winner == 1 - index or row.double_forfeit,
            forfeit=row.forfeit_by == index or row.double_forfeit,
        )
        for index, entry in enumerate((row.first, row.second))
    ]


@register.filter("free_places")
def count_free_places(tournament: Tournament) -> int:
    """Return how many places of a tournament that carries ``entries_count`` are free."""
    return max(0, tournament.max_entries - tournament.entries_count)  # type: ignore[attr-defined]


@register.filter("house_places")
def count_house_places(tournament: Tournament) -> int:
    """Return how many places of a tournament that carries ``house_count`` the house has: a pair's is one."""
    return tournament.house_count // (tournament.entry_kind.seats // tournament.entry_kind.joins)  # type: ignore[attr-defined]


@register.filter("people_places")
def count_people_places(tournament: Tournament) -> int:
    """Return how many places people have, of a tournament that carries its counts."""
    return max(0, tournament.entries_count - count_house_places(tournament))  # type: ignore[attr-defined]
