"""Moderation (U2): reports with all that belongs to them, acts that are told and hold, one appeal."""

from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import chat
from games.engine.record import write_stored_deck
from games.lobby.actions import LobbyRefused
from games.models import FreeSeat, FreeTable, Match, Report
from games.moderation import actions, queries
from games.sealing import read_deck
from games.selectors import Watching
from players.models import ModerationAct, Player, User
from players.selectors import find_suspended, is_muted
from players.services.close_account import close_account
from players.services.mail import send_due_mails
from players.services.moderation import ModerationRefused, answer_appeal, appeal_act, judge_player, lift_act
from tests.support.counting import measure
from tests.support.html import read_hooks, read_ways
from tests.support.live import Site
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.people import create_person, give_address, sign_in
from tests.support.tables import play, play_out, seated
from tests.support.wire import on_site

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def moderator(db: None, now: datetime) -> Player:
    player = create_person("Moreno", now)
    User.objects.filter(pk=player.user_id).update(is_staff=True)
    player.user.refresh_from_db()
    return player


@pytest.fixture
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    return seated([anna, bruno], now, context="free")


@pytest.fixture
def report(match: Match, anna: Player, bruno: Player, now: datetime) -> Report:
    chat.say(match_id=match.pk, seat=1, text="Che brutta mano", client_id="1", now=now)
    return Report.objects.create(
        match=match, reporter=anna, about=bruno, reason="words", quote="Che brutta mano", client_id="1", at=now
    )


def judge(player: Player, by: Player, kind: str, now: datetime, days: int | None = None) -> ModerationAct:
    return judge_player(player=player, by=by, kind=kind, reason="Insulti in chat", days=days, now=now)


@pytest.mark.rule("U2")
def test_a_report_carries_record_chat_and_statistics_to_staff_alone(
    report: Report, match: Match, moderator: Player, anna: Player, now: datetime
) -> None:
    play_out(match, now)
    page = reverse("moderation-report", args=[report.public_id])
    for reader in (None, anna):
        for address in (page, reverse("moderation"), reverse("moderation-person", args=[anna.public_id])):
            assert sign_in(reader).get(address).status_code == 404
    client = sign_in(moderator)
    assert read_hooks(client.get(reverse("moderation")), "report") == ["words"]
    shown = client.get(page)
    text = shown.content.decode()
    assert "Che brutta mano" in text
    assert read_hooks(shown, "meetings") == ["0-1"]
    assert len(read_hooks(shown, "moves")) >= 1
    assert read_hooks(shown, "hints")
    assert "no-store" in shown["Cache-Control"]


@pytest.mark.rule("U2")
def test_while_a_match_runs_its_report_shows_no_hand(report: Report, match: Match, moderator: Player) -> None:
    case = queries.read_case(Report.objects.select_related("match", "reporter", "about").get())
    assert all("play" in move for deal in case.deals for move in deal)
    shown = sign_in(moderator).get(reverse("moderation-report", args=[report.public_id])).content.decode()
    assert write_stored_deck(read_deck(match.deals.get().deck)) not in shown


@pytest.mark.rule("U2", "W3")
@pytest.mark.parametrize("watching", [Watching.LIVE, Watching.LATE])
def test_the_running_deal_is_read_by_who_may_watch_it_live(
    report: Report, match: Match, moderator: Player, now: datetime, watching: Watching, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.selectors._policies", [lambda *_about: watching])
    play(match, now)
    shown = sign_in(moderator).get(reverse("moderation-report", args=[report.public_id]))
    assert len(read_hooks(shown, "moves")) == (watching is Watching.LIVE)


@pytest.mark.rule("U2")
def test_who_may_not_even_watch_a_table_reads_no_case_of_it_while_it_is_played(
    report: Report, match: Match, moderator: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.selectors._policies", [lambda *_about: Watching.REFUSED])
    client, page = sign_in(moderator), reverse("moderation-report", args=[report.public_id])
    assert client.get(page).status_code == client.post(page, {"note": "x"}).status_code == 404
    play_out(match, now)
    assert client.get(page).status_code == 200


def test_calls_for_the_referee_are_no_reports(match: Match, anna: Player, moderator: Player, now: datetime) -> None:
    Report.objects.create(match=match, reporter=anna, reason="call", client_id="2", at=now)
    assert queries.list_waiting_reports() == []


@pytest.mark.rule("U2")
def test_an_act_is_told_with_its_reason_on_the_page_and_by_mail(
    report: Report, moderator: Player, bruno: Player, now: datetime
) -> None:
    give_address(bruno)
    client = sign_in(moderator)
    address = f"{reverse('moderation-person', args=[bruno.public_id])}?segnalazione={report.public_id}"
    answer = client.post(address, {"kind": "mute", "days": "3", "reason": "Insulti in chat"}, follow=True)
    assert "judged" in read_hooks(answer, "notice")  # type: ignore[arg-type]
    act = ModerationAct.objects.get()
    assert (act.player, act.by, act.about_match) == (bruno, moderator, report.match.public_id)
    brunos = sign_in(bruno)
    assert "moderation_news" in read_hooks(brunos.get(reverse("privacy")), "note")
    own = brunos.get(reverse("own-moderation"))
    assert read_hooks(own, "act") == ["mute"]
    assert "Insulti in chat" in own.content.decode()
    brunos.post(reverse("moderation-read"))
    assert "moderation_news" not in read_hooks(brunos.get(reverse("privacy")), "note")
    send_due_mails(now=timezone.now())
    assert "Insulti in chat" in mail.outbox[-1].body


@pytest.mark.rule("U2")
def test_who_is_muted_may_play_and_not_talk_until_it_ends(bruno: Player, moderator: Player, now: datetime) -> None:
    judge(bruno, moderator, "mute", now, 1)
    judge(bruno, moderator, "mute", now, 3)
    assert is_muted(bruno.pk, now + 2 * DAY)
    assert not is_muted(bruno.pk, now + 3 * DAY)
    assert find_suspended([bruno.pk], now) == set()


@pytest.mark.rule("U2")
def test_who_is_suspended_has_no_site_but_the_page_that_says_why(
    bruno: Player, moderator: Player, match: Match
) -> None:
    client = sign_in(bruno)
    judge(bruno, moderator, "suspend", timezone.now(), 7)
    ModerationAct.objects.update(about_match=match.public_id)
    for name in ("home", "free-table-new", "profile", "account_email"):
        assert client.get(reverse(name))["Location"] == reverse("own-moderation")
    page = client.get(reverse("own-moderation"))
    assert "suspended" in read_hooks(page, "note")
    about = reverse("match-result", args=[match.public_id])
    assert about not in read_ways(page), "it would lead back here"
    assert client.post(reverse("free-table-new"), {}, headers={"accept": "application/json"}).status_code == 403
    appealed = client.post(
        reverse("moderation-appeal", args=[ModerationAct.objects.get().public_id]), {"testo": "Non ero io"}
    )
    assert appealed["Location"] == reverse("own-moderation")
    lift_act(act_id=ModerationAct.objects.get().pk, by=moderator, reason="Errore", now=timezone.now())
    assert client.get(reverse("free-table-new")).status_code == 200
    assert about in read_ways(client.get(reverse("own-moderation")))


@pytest.mark.rule("U2")
def test_a_suspension_gives_up_what_has_not_begun(
    anna: Player, bruno: Player, moderator: Player, now: datetime
) -> None:
    table = open_free_table(bruno, now)
    judge(bruno, moderator, "suspend", now, 1)
    table.refresh_from_db()
    assert table.state == FreeTable.State.CLOSED
    assert not FreeSeat.objects.exists()
    for act in (lambda: open_free_table(bruno, now), lambda: sit_down_at(open_free_table(anna, now), bruno, 1, now)):
        with pytest.raises(LobbyRefused) as refused:
            act()
        assert refused.value.code == "suspended"
    assert open_free_table(bruno, now + DAY)


@pytest.mark.rule("U2")
@pytest.mark.django_db(transaction=True)
def test_a_suspension_closes_the_sockets_at_once(live_site: Site, bruno: Player, moderator: Player) -> None:
    with on_site(live_site, "/ws/persona/", bruno) as socket:
        socket.until(lambda frame: frame["t"] == "hello")
        judge(bruno, moderator, "suspend", timezone.now(), 1)
        assert socket.closing_code()


@pytest.mark.rule("U2")
def test_there_is_one_appeal_and_one_answer(bruno: Player, moderator: Player, now: datetime) -> None:
    act = judge(bruno, moderator, "suspend", now, 30)
    with pytest.raises(ModerationRefused, match="no_appeal"):
        answer_appeal(act_id=act.pk, by=moderator, text="No", lift=False, now=now)
    appeal_act(act_id=act.pk, player=bruno, text="Non ero io", now=now)
    with pytest.raises(ModerationRefused, match="appealed"):
        appeal_act(act_id=act.pk, player=bruno, text="Davvero", now=now)
    assert queries.list_waiting_appeals() == [act]
    answer_appeal(act_id=act.pk, by=moderator, text="Hai ragione", lift=True, now=now)
    with pytest.raises(ModerationRefused, match="answered"):
        answer_appeal(act_id=act.pk, by=moderator, text="Ripensandoci", lift=False, now=now)
    assert find_suspended([bruno.pk], now) == set()
    assert queries.list_waiting_appeals() == []


@pytest.mark.rule("U2")
def test_the_answer_is_told_with_its_own_reason_by_mail(bruno: Player, moderator: Player, now: datetime) -> None:
    give_address(bruno)
    act = judge(bruno, moderator, "mute", now, 30)
    appeal_act(act_id=act.pk, player=bruno, text="Non ero io", now=now)
    answer_appeal(act_id=act.pk, by=moderator, text="La chat dice altro", lift=False, now=now)
    send_due_mails(now=now)
    assert ["Insulti in chat" in message.body for message in mail.outbox] == [True, False]
    assert "La chat dice altro" in mail.outbox[-1].body


@pytest.mark.rule("U2")
def test_of_several_acts_the_one_that_lasts_longest_holds_whichever_came_last(
    bruno: Player, moderator: Player, now: datetime
) -> None:
    long = judge(bruno, moderator, "mute", now, 30)
    judge(bruno, moderator, "mute", now, 1)
    judge(bruno, moderator, "warn", now)
    assert is_muted(bruno.pk, now + 29 * DAY)
    lift_act(act_id=long.pk, by=moderator, reason="Basta così", now=now)
    assert is_muted(bruno.pk, now)
    assert not is_muted(bruno.pk, now + DAY)


@pytest.mark.rule("U2")
def test_a_case_is_about_who_was_at_its_table(report: Report, carla: Player, moderator: Player, now: datetime) -> None:
    about = {"kind": "warn", "reason": "x", "days": None, "now": now}
    with pytest.raises(ModerationRefused, match="nobody_to_judge"):
        actions.judge_report(report_id=report.pk, player=carla, by=moderator, **about)  # type: ignore[arg-type]
    assert actions.judge_report(report_id=report.pk, player=report.reporter, by=moderator, **about).at == now  # type: ignore[arg-type]


def test_nobody_appeals_for_another(anna: Player, bruno: Player, moderator: Player, now: datetime) -> None:
    act = judge(bruno, moderator, "warn", now)
    with pytest.raises(ModerationRefused, match="act_gone"):
        appeal_act(act_id=act.pk, player=anna, text="Per lui", now=now)
    address = reverse("moderation-appeal", args=[act.public_id])
    answer = sign_in(anna).post(address, {"testo": "Per lui"}, follow=True)
    assert "act_gone" in read_hooks(answer, "notice")  # type: ignore[arg-type]


@pytest.mark.rule("U2")
def test_what_is_no_act_is_refused(anna: Player, bruno: Player, moderator: Player, now: datetime) -> None:
    other = create_person("Modesta", now)
    User.objects.filter(pk=other.user_id).update(is_staff=True)
    other.user.refresh_from_db()
    for player, by, kind, days, reason, code in (
        (bruno, anna, "warn", None, "x", "not_staff"),
        (moderator, moderator, "warn", None, "x", "not_oneself"),
        (other, moderator, "warn", None, "x", "on_staff"),
        (bruno, moderator, "mute", None, "x", "no_such_time"),
        (bruno, moderator, "warn", 1, "x", "no_such_time"),
        (bruno, moderator, "mute", 2, "x", "no_such_time"),
        (bruno, moderator, "warn", None, " ", "reason_missing"),
        (bruno, moderator, "warn", None, "x" * 501, "text_too_long"),
    ):
        with pytest.raises(ModerationRefused, match=code):
            judge_player(player=player, by=by, kind=kind, reason=reason, days=days, now=now)
    assert not ModerationAct.objects.exists()


@pytest.mark.rule("U2")
def test_nobody_judges_their_own_table(anna: Player, report: Report, bruno: Player, now: datetime) -> None:
    User.objects.filter(pk=anna.user_id).update(is_staff=True)
    anna.user.refresh_from_db()
    with pytest.raises(ModerationRefused, match="own_case"):
        actions.judge_report(report_id=report.pk, player=bruno, by=anna, kind="warn", reason="x", days=None, now=now)
    with pytest.raises(ModerationRefused, match="own_case"):
        actions.close_report(report_id=report.pk, by=anna, note="", now=now)


@pytest.mark.rule("U2")
def test_reports_are_closed_by_staff_alone(report: Report, carla: Player, now: datetime) -> None:
    with pytest.raises(ModerationRefused, match="not_staff"):
        actions.close_report(report_id=report.pk, by=carla, note="", now=now)


@pytest.mark.rule("U2")
def test_who_sat_there_and_who_is_reported_as_a_spectator_are_parties_too(
    match: Match, anna: Player, bruno: Player, carla: Player, dino: Player, moderator: Player, now: datetime
) -> None:
    report = Report.objects.create(match=match, reporter=carla, about=dino, reason="words", client_id="1", at=now)
    readers = {player: queries.list_waiting_reports(player) for player in (anna, bruno, carla, dino, moderator)}
    assert readers == {anna: [], bruno: [], carla: [], dino: [], moderator: [report]}
    assert [queries.may_read_case(report, player, now) for player in readers] == [False] * 4 + [True]


@pytest.mark.rule("U2")
def test_nobody_of_the_staff_reads_what_was_reported_about_them_or_by_whom(
    report: Report, anna: Player, bruno: Player, carla: Player, moderator: Player, now: datetime
) -> None:
    for player in (anna, bruno):  # who reports, and who is reported
        User.objects.filter(pk=player.user_id).update(is_staff=True)
        player.user.refresh_from_db()
        client = sign_in(player)
        page = reverse("moderation-report", args=[report.public_id])
        assert client.get(page).status_code == client.post(page, {"note": "x"}).status_code == 404
        assert client.get(reverse("moderation-person", args=[player.public_id])).status_code == 404
        other = bruno if player == anna else anna
        assert read_hooks(client.get(reverse("moderation-person", args=[other.public_id])), "report") == []
        assert read_hooks(client.get(reverse("moderation")), "report") == []
    assert read_hooks(sign_in(moderator).get(reverse("moderation")), "report") == ["words"]


@pytest.mark.rule("U2")
def test_nobody_lifts_or_answers_what_was_decided_about_them_or_their_table(
    match: Match, anna: Player, bruno: Player, moderator: Player, now: datetime
) -> None:
    act = judge_player(
        player=bruno, by=moderator, kind="mute", reason="x", days=30, now=now, about_match=match.public_id
    )
    appeal_act(act_id=act.pk, player=bruno, text="Non ero io", now=now)
    for player in (bruno, anna):  # one of the staff since, and one who sat there
        User.objects.filter(pk=player.user_id).update(is_staff=True)
        player.user.refresh_from_db()
        client = sign_in(player)
        lifted = client.post(reverse("moderation-lift", args=[act.public_id]), {"note": "Basta"}, follow=True)
        assert "own_case" in read_hooks(lifted, "notice")  # type: ignore[arg-type]
        answered = client.post(reverse("moderation-act", args=[act.public_id]), {"text": "Basta", "lift": "on"})
        assert "own_case" in read_hooks(answered, "notice")
    with pytest.raises(ModerationRefused, match="not_oneself"):
        lift_act(act_id=act.pk, by=bruno, reason="Basta", now=now)
    with pytest.raises(ModerationRefused, match="not_oneself"):
        answer_appeal(act_id=act.pk, by=bruno, text="Basta", lift=True, now=now)
    act.refresh_from_db()
    assert (act.lifted_at, act.answered_at) == (None, None)


@pytest.mark.rule("U2")
def test_nobody_gets_round_their_own_case_by_judging_without_it(
    report: Report, anna: Player, bruno: Player, moderator: Player, now: datetime
) -> None:
    User.objects.filter(pk=anna.user_id).update(is_staff=True)
    anna.user.refresh_from_db()
    page, sent = reverse("moderation-person", args=[bruno.public_id]), {"kind": "warn", "reason": "Mi ha offesa"}
    assert "own_case" in read_hooks(sign_in(anna).post(page, sent), "notice")
    assert not ModerationAct.objects.exists()
    actions.close_report(report_id=report.pk, by=moderator, note="", now=now)
    assert actions.judge_person(player=bruno, by=anna, kind="warn", reason="Altro", days=None, now=now).by == anna


def test_a_report_is_closed_once(report: Report, moderator: Player, now: datetime) -> None:
    client, page = sign_in(moderator), reverse("moderation-report", args=[report.public_id])
    client.post(page, {"note": "Detto a voce"})
    report.refresh_from_db()
    assert (report.closed_by, report.closing_note) == (moderator, "Detto a voce")
    answer = client.post(page, {"note": "Di nuovo"})
    assert "report_closed" in read_hooks(answer, "notice")
    assert read_hooks(client.get(reverse("moderation")), "report") == ["words"], "among those that are closed"


def test_the_pages_answer_and_lift(bruno: Player, moderator: Player, now: datetime) -> None:
    act = judge(bruno, moderator, "mute", now, 1)
    appeal_act(act_id=act.pk, player=bruno, text="Non ero io", now=now)
    client: Client = sign_in(moderator)
    page = reverse("moderation-act", args=[act.public_id])
    assert "appeal" in read_hooks(client.get(page), "note")
    client.post(page, {"text": "Eri tu"})
    act.refresh_from_db()
    assert (act.answer, act.lifted_at) == ("Eri tu", None)
    client.post(reverse("moderation-lift", args=[act.public_id]), {"note": "Basta così"})
    act.refresh_from_db()
    assert act.lift_reason == "Basta così"
    assert not is_muted(bruno.pk, now)


def test_a_closed_account_takes_its_acts_along(bruno: Player, moderator: Player, now: datetime) -> None:
    judge(bruno, moderator, "warn", now)
    assert close_account(player_id=bruno.pk, now=now)
    assert not ModerationAct.objects.exists()


@pytest.mark.rule("U2")
def test_an_appeal_that_is_refused_is_still_in_its_field(bruno: Player, moderator: Player, now: datetime) -> None:
    act = judge(bruno, moderator, "warn", now)
    shown = sign_in(bruno).post(reverse("moderation-appeal", args=[act.public_id]), {"testo": f"Ecco {'x' * 1000}"})
    assert read_hooks(shown, "notice") == ["text_too_long"]
    assert ">Ecco xxx" in shown.content.decode()
    assert act.appealed_at is None


def test_a_persons_file_costs_the_same_for_one_act_and_for_five(
    report: Report, bruno: Player, moderator: Player, now: datetime
) -> None:
    client, page = sign_in(moderator), reverse("moderation-person", args=[bruno.public_id])
    judge(bruno, moderator, "warn", now)
    client.get(page)
    one = measure(lambda: client.get(page))[0]
    for number in range(4):
        judge(bruno, moderator, "warn", now)
        about = {"reason": "words", "client_id": f"again {number}"}
        Report.objects.create(match=report.match, reporter=report.reporter, about=bruno, at=now, **about)
    assert measure(lambda: client.get(page))[0] == one
    case = reverse("moderation-report", args=[report.public_id])
    client.get(case)
    before = measure(lambda: client.get(case))[0]
    about = {"reason": "words", "client_id": "more"}
    Report.objects.create(match=report.match, reporter=report.reporter, about=bruno, at=now, **about)
    assert measure(lambda: client.get(case))[0] == before


def test_the_settings_lead_staff_to_their_desk_and_who_was_judged_to_their_acts(
    anna: Player, bruno: Player, moderator: Player, now: datetime
) -> None:
    judge(bruno, moderator, "warn", now)
    sign_in(bruno).post(reverse("moderation-read"))
    ways = {player.name: read_ways(sign_in(player).get(reverse("settings"))) for player in (anna, bruno, moderator)}
    assert [reverse("own-moderation") in ways[name] for name in ("Anna", "Bruno", "Moreno")] == [False, True, False]
    assert [reverse("moderation") in ways[name] for name in ("Anna", "Bruno", "Moreno")] == [False, False, True]
