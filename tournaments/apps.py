from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from games.lobby.duties import register_duties
        from games.outages import register_referee_policy
        from games.selectors import register_shows, register_watch_policy
        from games.study import register_match_check, register_player_check
        from players.services.house import register_busy
        from scoring.counted_matches import register_rulings
        from tournaments import receivers  # noqa: F401 (connects itself)
        from tournaments.circuits.finals import order_by_circuit
        from tournaments.core.study import find_equal_round, find_running_tournament
        from tournaments.core.visibility import find_watching
        from tournaments.desk.queries import has_referee
        from tournaments.desk.typed import TypedResults, register_typed_results
        from tournaments.entries import house
        from tournaments.hall import acts as hall_acts
        from tournaments.hall.quick_entry import has_quick_entry, list_calling, list_typed
        from tournaments.models import Tournament
        from tournaments.profiles import own_tournaments
        from tournaments.retention import register_steps
        from tournaments.running.level_results import read_ruled_shares
        from tournaments.running.start import register_seed_order
        from tournaments.standing_offers import SHOWS
        from tournaments.sweep import register_all
        from tournaments.tonight.duties import find_due_players

        register_watch_policy(find_watching)
        register_shows(SHOWS)
        hall_acts.register()
        register_typed_results(TypedResults(has_quick_entry, list_calling, list_typed))
        register_referee_policy(lambda match: has_referee(match.public_id))
        register_busy(house.find_entered_house_players)
        register_busy(house.find_organising_house_players)
        register_rulings(read_ruled_shares)
        register_duties(find_due_players)
        register_player_check(find_equal_round)
        register_match_check(find_running_tournament)
        register_seed_order(Tournament.Seeding.CIRCUIT, order_by_circuit)
        register_all()
        register_steps()
        own_tournaments.register_parts()
