"""Acts counted under a lock (AT6): a cap holds however many ask at once, and whatever Redis does."""

from collections import Counter
from datetime import datetime
from threading import Barrier, Event

import pytest
from django.db import connection, transaction

from players import caps
from players.models import CountedAct, Player
from players.services import counted_acts
from players.services.counted_acts import TooMany, count_act, lock_if_free, note_act, require_room
from players.services.players import create_guest
from tests.support.threads import run_at_once
from tests.support.waiting import PATIENCE

LIMIT: caps.Caps = (caps.Cap(2, caps.HOUR), caps.Cap(3, caps.DAY))


@pytest.mark.django_db
def test_an_act_counts_under_all_its_keys_or_under_none_at6(now: datetime) -> None:
    count_act({"a": LIMIT, "b": LIMIT}, now=now)
    count_act({"a": LIMIT}, now=now)
    with pytest.raises(TooMany) as refused:
        count_act({"a": LIMIT, "b": LIMIT}, now=now + caps.MINUTE)
    assert refused.value.wait == caps.HOUR - caps.MINUTE
    assert Counter(CountedAct.objects.values_list("counter__key", flat=True)) == {"a": 2, "b": 1}


@pytest.mark.django_db
def test_the_longest_wait_of_all_caps_is_told_at6(now: datetime) -> None:
    for hours in range(3):
        count_act({"a": LIMIT}, now=now + hours * caps.HOUR)
    with pytest.raises(TooMany) as refused:
        count_act({"a": LIMIT}, now=now + 4 * caps.HOUR)
    assert refused.value.wait == caps.DAY - 4 * caps.HOUR
    count_act({"a": LIMIT}, now=now + caps.DAY)


@pytest.mark.django_db
def test_what_is_never_refused_makes_another_act_wait_at6(now: datetime) -> None:
    require_room("a", LIMIT, now=now)
    for _ in range(5):
        note_act("a", now=now)
    with pytest.raises(TooMany):
        require_room("a", LIMIT, now=now)
    require_room("a", LIMIT, now=now + caps.DAY)


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_of_many_guests_at_once_from_one_address_so_many_come_in_at6(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "GUESTS_AN_ADDRESS", (caps.Cap(3, caps.HOUR),))
    arrivals = run_at_once(*[lambda: create_guest(now=now, address="192.0.2.1")] * 8)
    assert Counter(type(arrival).__name__ for arrival in arrivals) == {"Player": 3, "TooManyGuests": 5}
    assert Player.objects.count() == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_without_the_lock_more_come_in_at6(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control of the test above: each counts before the others have committed."""
    if connection.vendor == "sqlite":
        assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE", "the guard there is"
        return
    together = 4
    gate = Barrier(together, timeout=PATIENCE)
    find_wait = counted_acts._find_wait

    def unlocked(keys: list[str], at: datetime) -> list[counted_acts.ActCounter]:
        return list(counted_acts.ActCounter.objects.filter(key__in=keys))

    def all_have_counted(*arguments: object) -> object:
        wait = find_wait(*arguments)  # type: ignore[arg-type]
        gate.wait()
        return wait

    note_act("a", now=now)
    monkeypatch.setattr(counted_acts, "_lock", unlocked)
    monkeypatch.setattr(counted_acts, "_find_wait", all_have_counted)
    run_at_once(*[lambda: count_act({"a": (caps.Cap(2, caps.HOUR),)}, now=now)] * together)
    assert CountedAct.objects.count() > 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_a_counter_that_somebody_has_is_waited_for_by_nobody_at6(now: datetime) -> None:
    taken, done = Event(), Event()

    def hold() -> bool:
        with transaction.atomic():
            free = lock_if_free("tables", now=now)
            taken.set()
            if connection.vendor != "sqlite":  # it has one writer
                assert done.wait(PATIENCE)
            return free

    def look() -> bool:
        assert taken.wait(PATIENCE)
        try:
            with transaction.atomic():
                return lock_if_free("tables", now=now)
        finally:
            done.set()

    note_act("tables", now=now)
    assert run_at_once(hold, look) == [True, connection.vendor == "sqlite"]
