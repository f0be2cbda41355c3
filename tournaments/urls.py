from django.urls import URLPattern, path

from tournaments.circuits import desk_views as circuit_desk
from tournaments.circuits import file_views as circuit_files
from tournaments.circuits import views as circuits
from tournaments.clubs import views as clubs
from tournaments.desk import invitation_views
from tournaments.desk import views as desk_views
from tournaments.entries import invitation_views as own_invitations
from tournaments.entries import manage_views, pair_views, partner_views, team_views, typed_views
from tournaments.entries import views as entries_views
from tournaments.equal import prepared_views
from tournaments.equal import views as equal_views
from tournaments.evening import views as evening_views
from tournaments.fees import views as fees_views
from tournaments.hall import phone_views, quick_views, result_list_views, slip_views
from tournaments.organise import hall_views
from tournaments.organise import views as organise_views
from tournaments.own_names import claim_views
from tournaments.own_names import views as self_views
from tournaments.pages import draw_page, friends, home, public_pages
from tournaments.pages import views as pages_views
from tournaments.play_offs import views as play_off_views
from tournaments.profiles import fixed_pair_views
from tournaments.profiles import views as profiles
from tournaments.rankings import views as rankings
from tournaments.register import enter_views, import_views, people_views
from tournaments.register import views as register_views
from tournaments.rounds import late_views, line_up_views
from tournaments.rounds import player_views as running_views
from tournaments.rounds import views as round_views
from tournaments.series import views as series
from tournaments.sharing import embed_views, print_views, wall_views
from tournaments.sharing import views as sharing_views
from tournaments.tonight import views as lobby_views
from tournaments.tonight import welcome_views
from tournaments.transfer import views as transfer_views
from tournaments.webhooks import views as webhooks

urlpatterns: list[URLPattern] = [
    path("", home.show_home, name="home"),
    path("vetrina/", home.show_showcase, name="showcase"),
    path("gioca-subito/", lobby_views.play_now, name="play-now"),
    path("gioca-subito/torneo/", lobby_views.enter_offer, name="play-offer"),
    path("sala/", lobby_views.show_lobby, name="lobby"),
    path("sala/cerca/", lobby_views.begin_seek, name="seek"),
    path("sala/cerca/<int:seek_id>/", lobby_views.join_seek, name="seek-join"),
    path("sala/basta/", lobby_views.end_seek, name="seek-end"),
    path("sala/casa/", lobby_views.take_house, name="seek-house"),
    path("amici/", friends.show_friends, name="friends"),
    path("amici/chiama/", friends.call, name="friends-call"),
    path("profilo/", profiles.show_profile, name="profile"),
    path("profilo/benvenuto/", welcome_views.welcome, name="welcome"),
    path("profilo/impostazioni/", profiles.show_settings, name="settings"),
    path("profilo/chi-vede/", profiles.edit_audience, name="audience"),
    path("profilo/dati.zip", profiles.send_own_data, name="own-data"),
    path("giocatori/<id:public_id>/", profiles.show_person, name="person"),
    path("giocatori/<id:public_id>/partite/", profiles.show_matches, name="person-matches"),
    path("giocatori/<id:public_id>/tornei/", profiles.show_tournaments, name="person-tournaments"),
    path("giocatori/<id:public_id>/premi/", profiles.show_awards, name="person-awards"),
    path("giocatori/<id:public_id>/statistiche/", profiles.show_statistics, name="person-statistics"),
    path("coppie/", fixed_pair_views.show_pairs, name="pairs"),
    path("coppie/<id:public_id>/", fixed_pair_views.show_pair, name="fixed-pair"),
    path("coppie/<id:public_id>/<slug:act>/", fixed_pair_views.act_on_pair, name="fixed-pair-act"),
    path("inviti/", own_invitations.show_invitations, name="invitations"),
    path("inviti/sblocca/", own_invitations.unblock_inviter, name="inviter-unblock"),
    path("circoli/", clubs.list_clubs, name="clubs"),
    path("circoli/nuovo/", clubs.create_club, name="club-new"),
    path("circoli/<id:public_id>/", clubs.show_club, name="club"),
    path("circoli/<id:public_id>/modifica/", clubs.edit_club, name="club-edit"),
    path("circoli/<id:public_id>/classifica/", rankings.show_club_ranking, name="club-ranking"),
    path("circoli/<id:public_id>/<slug:act>/", clubs.act_on_club, name="club-act"),
    path("circuiti/", circuits.list_circuits, name="circuits"),
    path("circuiti/nuovo/", circuits.create_circuit, name="circuit-new"),
    path("circuiti/<id:public_id>/", circuits.show_circuit, name="circuit"),
    path("circuiti/<id:public_id>/modifica/", circuits.edit_circuit, name="circuit-edit"),
    path("circuiti/<id:public_id>/gestisci/", circuit_desk.show_desk, name="circuit-desk"),
    path("circuiti/<id:public_id>/gestisci/<slug:act>/", circuit_desk.act_on_circuit, name="circuit-act"),
    path("circuiti/<id:public_id>/nomi/", circuit_desk.show_names, name="circuit-names"),
    path("circuiti/<id:public_id>/stampa/", circuit_files.print_circuit, name="circuit-print"),
    path("circuiti/<id:public_id>/riquadro/", circuit_files.show_circuit_embed, name="circuit-embed"),
    path(
        "circuiti/<id:public_id>/esporta/<slug:what>.csv",
        circuit_files.export_circuit,
        {"kind": "csv"},
        name="circuit-csv",
    ),
    path(
        "circuiti/<id:public_id>/esporta/<slug:what>.xlsx",
        circuit_files.export_circuit,
        {"kind": "xlsx"},
        name="circuit-xlsx",
    ),
    path(
        "circuiti/<id:public_id>/esporta/<slug:what>.json",
        circuit_files.export_circuit,
        {"kind": "json"},
        name="circuit-json",
    ),
    path("registri/<slug:key>/", register_views.show_register, name="register"),
    path("registri/<slug:key>/nuova/", register_views.add_card, name="register-card-new"),
    path("registri/<slug:key>/schede/<id:card_id>/", register_views.edit_card, name="register-card"),
    path("registri/<slug:key>/schede/<id:card_id>/unisci/", people_views.merge_card, name="register-merge"),
    path("registri/<slug:key>/schede/<id:card_id>/cancella/", people_views.forget_card, name="register-forget"),
    path("registri/<slug:key>/dividi/", people_views.undo_merge, name="register-unmerge"),
    path("registri/<slug:key>/importa/", import_views.import_people, name="register-import"),
    path("registri/<slug:key>/diario/", register_views.show_log, name="register-log"),
    path("registri/<slug:key>/registro.csv", register_views.export_register, {"kind": "csv"}, name="register-csv"),
    path("registri/<slug:key>/registro.xlsx", register_views.export_register, {"kind": "xlsx"}, name="register-xlsx"),
    path("classifiche/", rankings.show_rankings, name="rankings"),
    path("archivio/", rankings.show_archive, name="archive"),
    path("organizza/", organise_views.show_organiser_home, name="organiser-home"),
    path("organizza/serie/nuova/", series.create_series, name="series-new"),
    path("organizza/serie/<id:public_id>/", series.edit_series, name="series-edit"),
    path("organizza/serie/<id:public_id>/<slug:act>/", series.act_on_series, name="series-act"),
    path("organizza/importa/", transfer_views.import_file, name="tournament-file"),
    path("tornei/", home.show_tournaments, name="tournaments"),
    path("tavoli/<id:public_id>/dopo/", pages_views.show_after_match, name="after-match"),
    path("tornei/nuovo/", organise_views.create_tournament, name="tournament-new"),
    path("tornei/<id:public_id>/", pages_views.show_tournament, name="tournament"),
    path("tornei/<id:public_id>/modifica/", organise_views.edit_tournament, name="tournament-edit"),
    path("tornei/<id:public_id>/iscriviti/", entries_views.join, name="tournament-join"),
    path("tornei/<id:public_id>/iscrizione/", self_views.enter_self, name="self-entry"),
    path(
        "tornei/<id:public_id>/iscrizione/<token:token>/formazione/",
        line_up_views.show_own_line_up,
        name="own-line-up",
    ),
    path("tornei/<id:public_id>/iscrizione/<token:token>/", self_views.show_own_entry, name="own-entry"),
    path("tornei/<id:public_id>/iscrizione/<token:token>/riposo/", running_views.ask_for_bye_by_key, name="own-bye"),
    path("tornei/<id:public_id>/in-ritardo/", late_views.ask_to_come_late, name="tournament-late"),
    path("tornei/<id:public_id>/sono-io/", claim_views.show_own_claim, name="tournament-claim"),
    path("tornei/<id:public_id>/iscritti/sono-io/", claim_views.show_claims, name="tournament-claims"),
    path("tornei/<id:public_id>/lascia/", running_views.withdraw, name="tournament-withdraw"),
    path("tornei/<id:public_id>/riposo/", running_views.ask_for_bye, name="tournament-bye"),
    path("tornei/<id:public_id>/anticipa/", running_views.agree_to_play_early, name="tournament-ahead"),
    path("tornei/<id:public_id>/ritirati/", entries_views.leave, name="tournament-leave"),
    path("tornei/<id:public_id>/pubblica/", organise_views.publish_tournament, name="tournament-publish"),
    path("tornei/<id:public_id>/casa/", organise_views.fill_with_house, name="tournament-house"),
    path("tornei/<id:public_id>/squadra/", team_views.edit_team, name="team"),
    path("tornei/<id:public_id>/coppia/", pair_views.edit_pair, name="pair"),
    path("tornei/<id:public_id>/coppia/casa/", pair_views.enter_with_house, name="pair-house"),
    path("tornei/<id:public_id>/coppia/risposta/", pair_views.answer_pair, name="pair-answer"),
    path("tornei/<id:public_id>/coppia/<token:token>/", pair_views.show_pair_link, name="pair-link"),
    path("tornei/<id:public_id>/invito/<token:token>/", entries_views.open_invite, name="tournament-invite"),
    path("tornei/<id:public_id>/risposta/", invitation_views.answer_invitation, name="invitation-answer"),
    path("tornei/<id:public_id>/codice/", entries_views.type_code, name="tournament-code"),
    path("tornei/<id:public_id>/check-in/", entries_views.check_in, name="tournament-check-in"),
    path("tornei/<id:public_id>/iscritti/", manage_views.manage_entries, name="tournament-entries"),
    path("tornei/<id:public_id>/iscritti/risposta/", manage_views.answer_applicants, name="tournament-decide"),
    path("tornei/<id:public_id>/iscritti/togli/", manage_views.remove_entry, name="tournament-remove"),
    path("tornei/<id:public_id>/iscritti/presenti/", manage_views.check_in_at_desk, name="tournament-desk-check-in"),
    path("tornei/<id:public_id>/iscritti/tutti/", typed_views.check_in_everybody, name="tournament-all-present"),
    path("tornei/<id:public_id>/iscritti/annulla/", typed_views.undo_roll_call, name="tournament-roll-undo"),
    path("tornei/<id:public_id>/iscritti/<int:entry_id>/", typed_views.edit_typed_entry, name="tournament-entry"),
    path("tornei/<id:public_id>/iscritti/lista/", partner_views.choose_list, name="tournament-side"),
    path("tornei/<id:public_id>/iscritti/insieme/", partner_views.tie_people, name="tournament-tie"),
    path("tornei/<id:public_id>/iscritti/sciolti/", partner_views.untie_people, name="tournament-untie"),
    path("tornei/<id:public_id>/iscritti/link/", manage_views.renew_link, name="tournament-renew-link"),
    path("tornei/<id:public_id>/iscritti/inviti/", manage_views.take_invitation_back, name="invitation-back"),
    path("tornei/<id:public_id>/importa/", manage_views.import_list, name="tournament-import"),
    path("tornei/<id:public_id>/importa/esempio.csv", manage_views.download_sample, name="tournament-sample"),
    path("tornei/<id:public_id>/teste-di-serie/", manage_views.edit_seeds, name="tournament-seeds"),
    path("tornei/<id:public_id>/iscritti/registro/", enter_views.enter_from_register, name="register-enter"),
    path("tornei/<id:public_id>/nomi/", people_views.forget_name, name="name-forget"),
    path("tornei/<id:public_id>/sala/", hall_views.edit_hall, name="tournament-hall"),
    path("tornei/<id:public_id>/banco/<token:token>/", hall_views.open_desk, name="desk-pass"),
    path("tornei/<id:public_id>/porta/", transfer_views.show_transfer, name="tournament-transfer"),
    path("tornei/<id:public_id>/porta/presta/", transfer_views.lend_tournament_by_form, name="tournament-lend"),
    path("tornei/<id:public_id>/porta/richiama/", transfer_views.recall_tournament_by_form, name="tournament-recall"),
    path("tornei/<id:public_id>/porta/copia.json", transfer_views.download_copy, name="tournament-copy"),
    path("tornei/<id:public_id>/arbitri/", organise_views.show_referees, name="referees"),
    path("tornei/<id:public_id>/arbitri/nomina/", organise_views.name_referee_by_form, name="referee-name"),
    path("tornei/<id:public_id>/arbitri/togli/", organise_views.dismiss_referee_by_form, name="referee-dismiss"),
    path("tornei/<id:public_id>/quote/", fees_views.show_fees, name="tournament-fees"),
    path("tornei/<id:public_id>/serata/", evening_views.show_evening, name="tournament-evening"),
    path("tornei/<id:public_id>/risultati/", quick_views.show_quick_entry, name="tournament-results"),
    path("tornei/<id:public_id>/risultati/elenco/", result_list_views.show_result_list, name="tournament-result-list"),
    path("tornei/<id:public_id>/segna/", phone_views.show_phone, name="tournament-phone"),
    path("tornei/<id:public_id>/stampa/segnapunti/", slip_views.show_slips, name="tournament-slips"),
    path("tornei/<id:public_id>/arbitro/", desk_views.show_desk, name="tournament-desk"),
    path("tornei/<id:public_id>/arbitro/vista/", desk_views.mark_call_seen, name="desk-seen"),
    path("tornei/<id:public_id>/arbitro/<int:fixture_id>/", desk_views.show_fixture_desk, name="desk-fixture"),
    path("tornei/<id:public_id>/arbitro/<int:fixture_id>/verbale/", desk_views.show_running_record, name="desk-record"),
    path("tornei/<id:public_id>/spareggi/", play_off_views.show_play_offs, name="play-offs"),
    path("tornei/<id:public_id>/formazioni/", line_up_views.show_line_ups, name="tournament-line-ups"),
    path("tornei/<id:public_id>/turni/", round_views.show_rounds, name="tournament-rounds"),
    path("tornei/<id:public_id>/annulla/", organise_views.cancel_tournament, name="tournament-cancel"),
    path("tornei/<id:public_id>/carte/", equal_views.show_secrets, name="equal-deals"),
    path("tornei/<id:public_id>/carte/numero/", equal_views.add_number, name="equal-number"),
    path("tornei/<id:public_id>/carte/<int:number>/", equal_views.show_traveller, name="traveller"),
    path("tornei/<id:public_id>/carte/<int:number>/mazzi/", prepared_views.show_prepared_decks, name="prepared-decks"),
    path("tornei/<id:public_id>/carte/<int:number>/<int:board>/", equal_views.show_team_match, name="team-match"),
    # For everybody (W2)
    path("tornei/<id:public_id>/classifica/", public_pages.show_standings, name="standings"),
    path("tornei/<id:public_id>/classifica/<int:seed>/", public_pages.show_standings, name="standings-of"),
    path("tornei/<id:public_id>/sorteggio/", draw_page.show_draw, name="draw"),
    path("tornei/<id:public_id>/sorteggio.json", draw_page.send_draw, name="draw-json"),
    path("tornei/<id:public_id>/posti/", pages_views.show_ranks, name="ranks"),
    path("tornei/<id:public_id>/stampa/<slug:what>/", print_views.print_page, name="tournament-print"),
    path(
        "tornei/<id:public_id>/esporta/<slug:what>.csv",
        sharing_views.export_table,
        {"kind": "csv"},
        name="export-csv",
    ),
    path(
        "tornei/<id:public_id>/esporta/<slug:what>.xlsx",
        sharing_views.export_table,
        {"kind": "xlsx"},
        name="export-xlsx",
    ),
    path(
        "tornei/<id:public_id>/esporta/<slug:what>.json",
        sharing_views.export_table,
        {"kind": "json"},
        name="export-json",
    ),
    path("tornei/<id:public_id>/calendario.ics", sharing_views.download_calendar, name="tournament-calendar"),
    path("tornei/<id:public_id>/qr/", sharing_views.show_qr, name="tournament-qr"),
    path("tornei/<id:public_id>/schermo/", wall_views.show_wall, name="tournament-wall"),
    path("tornei/<id:public_id>/riquadro/", embed_views.show_embed, name="tournament-embed"),
    path("calendario/<token:token>.ics", sharing_views.download_own_calendar, name="own-calendar"),
    path("profilo/webhook/", webhooks.show_webhooks, name="webhooks"),
    path("profilo/webhook/<id:public_id>/", webhooks.show_webhook, name="webhook"),
    path("profilo/webhook/<id:public_id>/<slug:act>/", webhooks.act_on_webhook, name="webhook-act"),
    path("profilo/calendario/", sharing_views.edit_calendar, name="calendar-page"),
]
