"""Filters of the pages of equal deals: percentages, their reasons, the rows of a deal's count."""

from django import template

from games.wording import name_tally_row
from tournaments.equal import wording

register = template.Library()

register.filter("share", wording.describe_share)
register.filter("share_why", wording.describe_why)
register.filter("team_why", wording.describe_team_why)
register.filter("tally_name", name_tally_row)
