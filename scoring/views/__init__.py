"""The pages of scoring: finished matches, the rules of the games, records checked."""

from scoring.views.matches import match_record, match_result
from scoring.views.records import check_record, record_replay
from scoring.views.replay import match_replay
from scoring.views.rules import rules, rules_of

__all__ = ["check_record", "match_record", "match_replay", "match_result", "record_replay", "rules", "rules_of"]
