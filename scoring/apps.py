"""The app of what results are worth; at start the tables are told of points and levels."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("livelli")

    def ready(self) -> None:
        from games.frames import register_points
        from games.levels import register_reader
        from scoring import receivers
        from scoring.levels import read_shown_levels
        from scoring.match_points import compute_match_points

        register_points(compute_match_points)
        register_reader(read_shown_levels)
        receivers.connect()
