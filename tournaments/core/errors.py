"""TournamentError and the closed list of its codes. The words for people are in ``tournaments.core.refusals``."""

from typing import Any

CODES = frozenset(
    {
        # Setting one up.
        "name_missing",
        "unknown_format",
        "unknown_format_option",
        "option_range",  # values: name, low, high
        "groups_too_many",  # values: groups, least
        "groups_too_few",  # values: groups, most
        "rounds_too_many",  # values: size, most
        "round_minutes_range",  # values: low, high
        "round_hours_start",
        "round_hours_order",
        "round_hours_many",  # values: limit
        "round_hours_late",
        "round_begun",
        "unknown_tie_break",
        "setup_refused",  # values: reason, the rules' own code; about and allowed, as in games.options.Fault
        "length_without_vp",  # V4; values: allowed, the lengths that have a column
        "clocks_missing",  # G8: turn timeout and match clock both off
        "entries_range",  # values: low, high
        "start_in_the_past",
        "start_too_far",
        "hour_range",  # of another age than players.bounds knows
        "too_many_open",  # values: limit
        "made_often",  # values: wait, the time until it is possible again
        "brought_often",  # files; values: wait
        "file_busy",  # somebody else's is being taken in
        "unknown_venue",
        "imported_real",  # an imported tournament opens no tables of the site
        "hall_tables_range",  # values: high
        "unknown_seeding",
        "levels_range",  # values: high
        "level_outside",  # of who would enter alone (L7)
        "pair_level_outside",
        "seeding_needs_start",  # who seeds needs time between the last entry and the draw
        "entered_already",  # pairs or single players: not to be changed once somebody is in
        "not_a_member",  # guests don't organise
        "text_too_long",  # values: limit
        "unknown_time_zone",
        "not_of_club",  # they may not organise in its name
        # Referees (F1).
        "referee_unknown",
        "referee_is_guest",
        "referee_is_house",
        "referee_already",
        "no_referee",
        "too_many_referees",  # values: limit
        # Series (E7).
        "not_series",  # another's, or gone
        "series_range",  # weekday or days ahead; values: high
        "too_many_series",  # values: limit
        # Score slips and telephones (O4).
        "slip_code_wrong",
        "slip_code_elsewhere",  # of another table
        "slip_code_over",  # of another round
        "slip_code_own",  # of the very side that typed
        "slip_codes_many",  # wrong ones
        "slip_closed",  # the result is in
        "slip_changed",  # the other side has typed something else since
        "slip_nothing",  # nothing to confirm or to object to
        "slips_none",  # no fixture to print for
        "confirm_range",  # values: high
        # Taken to another site (O9).
        "tables_open",
        "house_inside",
        "file_too_big",  # values: limit, in MB
        "file_own",  # of this very site
        "file_twice",  # taken in before
        "lent",  # values: to
        "not_lent",
        "place_missing",
        "file_forged",
        "file_returned",
        "file_recalled",
        "file_unchanged",
        # Its life.
        "not_organiser",
        "not_a_draft",
        "drawn",  # after the draw only the name can change (E2)
        "over",  # finished or cancelled
        # Entering and leaving.
        "registration_closed",
        "not_signed_in",
        "account_needed",  # not signed in, where guests aren't allowed
        "already_entered",
        "not_entered",
        "guests_not_allowed",
        "suspended",  # by moderators (U2)
        "cannot_play",  # somebody else who would come in: why is nobody's business
        "house_not_allowed",
        "house_many",  # of the house in one tournament; values: limit
        "house_of_organiser",  # house players in all tournaments of one organiser; values: limit
        "house_busy",  # no house players are free now
        "full",
        "queue_full",
        "asking_full",
        "no_offer",  # nothing to play now
        "entered_often",  # values: wait, the time until it is possible again
        "self_often",  # by name, from one address; values: wait
        "self_many",  # by name, from one browser; values: limit
        "played_often",  # values: wait
        "withdrew_often",  # values: wait
        "tables_busy",  # values: wait
        # The hall (AT6).
        "hall_not_today",
        "halls_often",  # values: wait
        # Passes of the desk (O9).
        "desk_passes_many",  # values: limit
        "desk_pass_over",
        # How one enters, and the check-in (E3, E4).
        "unknown_registration",
        "code_length",  # values: low, high
        "checkin_needs_start",
        "checkin_range",  # values: high
        "link_needed",
        "code_needed",
        "code_wrong",
        "too_many_codes",
        "list_only",
        "no_link",
        "entry_gone",  # left, removed or answered meanwhile
        "pair_incomplete",  # the organiser answers pairs that are two
        "checkin_not_open",
        "would_start",  # a list that fills a sit and go, where nobody said that it may start
        "list_refused",  # values: problems, as services.imports says them
        # At real tables (O1-O3).
        "not_real",  # it is played on the site
        "no_roll_call",  # nothing was ticked that could be taken back
        "cents_range",  # values: high, in euros
        "prizes_many",  # values: limit
        "prizes_not_final",
        "prize_not_shared",  # nobody shares this place, or all of it can be divided
        "prize_not_among",  # the entry isn't one of those who share the place
        "no_fee",
        "not_paid",
        "refund_range",  # values: most, in cents
        "no_source",  # no tournament to take entries over from
        "bad_name",  # values: typed
        "fixed_table_taken",  # values: table, by
        "fixed_table_range",  # values: high
        # Claims of accounts to be somebody who was entered by name (O2).
        "claims_closed",
        "claim_needs_address",
        "claim_by_organiser",
        "claim_of_preparer",  # who saw decks before they were played (J5)
        "claim_once",
        "claim_of_other",  # somebody else is known to be them
        "claim_unknown",  # no such name
        "claim_gone",  # answered or taken back meanwhile
        "claimed_often",  # values: wait
        # Pairs.
        "needs_partner",  # a single player can't enter
        "not_pairs",
        "partner_unknown",
        "partner_is_you",
        "partner_is_house",
        "partner_is_guest",  # where guests aren't allowed
        "partner_entered",
        "invitation_gone",  # withdrawn, given to somebody else, taken by somebody else, or too late
        "invited_already",
        "not_invitable",  # why is nobody's business
        "partner_not_invitable",
        "pair_complete",
        "too_many_invitations",
        # A referee's acts (F1-F3).
        "not_referee",
        "plays_there",
        "plays_against",  # an entry the referee meets, has met or may still meet
        "not_running",
        "reason_missing",
        "reason_long",  # values: limit
        "no_such_fixture",
        "no_such_line",
        "no_such_entry",
        "no_such_result",
        "points_many",  # values: most, that a line can have
        "points_few",  # values: target, that nobody has reached
        "points_total",  # values: total, and totals, the possible ones
        "points_impossible",
        "deal_impossible",  # values: deal, score, and totals, the possible ones of a deal
        "deals_many",  # values: deal, the first after the end
        "deals_few",  # values: deal, the last
        "level_is_draw",  # G7
        "level_has_winner",  # T8, A2
        "cut_short_level",  # O6: a KO needs tie-break deals
        "way_missing",  # values: victories, the codes of those by which such an entry may win (T9, C5, C6, forfeit)
        "way_impossible",  # values: victory, the one that doesn't give such points
        "ko_needs_winner",
        "ko_not_annulled",
        "draw_uneven",
        "vp_range",  # values: most
        "vp_to_the_loser",
        "fixture_changed",  # values: stored; names; by, who wrote it, or None; typed: the other one, in words
        "nothing_to_undo",
        "not_played_yet",
        "act_gone",  # a form of an act that is possible no more
        "real_already",  # it is played at a real table (O1)
        "not_moved",  # to one
        "result_in",
        "house_stays",  # the house plays on the site alone
        "depended_on",  # values: fixtures, each round's name and number, and the board
        "table_over",
        "no_open_table",
        "no_such_call",
        "paused_already",
        "all_paused",
        "none_paused",
        "not_paused",
        "minutes_range",  # values: high
        "nothing_to_give",
        "entry_left",
        "entry_stays",
        "not_annulled",
        "not_ahead",  # a fixture that can't be played ahead of its round (R6)
        "entry_plays",
        "player_unknown",
        "player_entered",
        # Round clocks (O6).
        "clock_minutes_range",  # values: high
        "unknown_clock_end",
        "no_clock",
        "clock_changed",  # somebody else was faster
        "clock_held",  # with all of the tournament (F6)
        "clock_table",  # nobody plays there
        # Rounds that the organiser publishes (D4).
        "publishes_hours",
        "rounds_publish_themselves",
        "too_few_to_draw",  # values: least
        "round_not_over",
        "round_suspended",
        "nothing_to_draw",
        "no_draft",
        "draft_changed",
        "draft_stale",
        "round_published",
        "bans_in_the_way",  # values: bans, the names of each pair
        "swap_not_drafted",
        "swap_rematch",
        "swap_bye_twice",
        "swap_bye_asked",
        "swap_forbidden",
        # Rounds that can't be paired (D1).
        "round_stuck",
        "way_not_needed",
        "way_not_there",
        "way_chosen",
        "no_way_chosen",
        # What is asked of the rounds of a danese (D2-D4).
        "wishes_elsewhere",
        "ban_of_one",
        "bans_many",  # values: limit
        "no_such_ban",
        "bye_round",
        "bye_last_round",
        "bye_asked_already",
        "bye_once",
        "byes_many",
        "byes_leave_nobody",
        "no_such_bye",
        "late_closed",
        "late_people",  # values: seats
        "late_by_organiser",  # pairs on the site
        "late_asked_already",
        # Teams (O12).
        "team_size_range",  # values: low, high
        "teams_on_site",
        "team_size_on_site",  # values: size
        "needs_team",
        "team_asked",
        "team_level_outside",
        "team_tables_range",
        "two_tables_ko",
        "two_tables_people",  # values: least
        "two_tables_hall",
        "no_teams",
        "teams_typed",  # no account enters one: its name and people are written
        "line_up_size",  # values: size
        "line_up_stranger",
        "line_up_played",
        "team_full",  # values: high
        # Equal deals (J9).
        "equal_deals_two_tables",  # at real tables
        "equal_deals_ko",
        "equal_deals_points",
        "equal_deals_hours",
        "percentage_without_equal_deals",
        "nonce_refused",  # another than its hash stands for
        "nonces_over",  # not taken now
        "equal_deals_stay",  # where they are: such a tournament doesn't travel
        "no_comparison",  # of a fixture whose deals nobody else plays
        "deals_needed",  # at real tables: their points one by one
        "decks_closed",  # of a round that isn't being played
        "decks_of_player",  # who asks for them plays
        "withheld",  # of who plays in a round that is on (J12)
        # Seeding.
        "not_seeded_by_organiser",
    }
)


class TournamentError(Exception):
    """A request the rules of tournaments refuse. ``code`` is one of CODES, ``values`` what its sentence needs."""

    def __init__(self, code: str, **values: Any) -> None:
        if code not in CODES:
            raise ValueError(f"not a code of tournaments: {code}")
        super().__init__(code)
        self.code = code
        self.values = values
