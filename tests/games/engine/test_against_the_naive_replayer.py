"""The replay of records, legal and spoiled, against a second implementation that shares no code with it."""

import json

import pytest

from games import wording
from games.engine.record import RecordError
from records.results import replay_record
from tests.games import naive_replay, records
from tests.support.thorough import tries

RECORDS = tries(80, 480)
SPOILED_EACH = 5


def replayed(record):
    """The product's answer, and the code of its refusal."""
    try:
        return replay_record(record), None
    except RecordError as fault:
        return {
            "ok": False,
            "deal": fault.deal,
            "move": fault.move,
        }, f"{fault.code}: {wording.describe_fault(fault.code)}"


@pytest.mark.parametrize("seed", range(0, RECORDS, 40))
def test_random_records_legal_and_spoiled_come_to_the_same_result_or_fail_at_the_same_place(seed):
    refused = 0
    for dice_seed in range(seed, seed + 40):
        rng = records.seeded(dice_seed)
        legal = records.random_record(rng)
        assert naive_replay.replay(legal)["ok"]
        for record in [legal, *(records.spoiled(rng, legal) for _ in range(SPOILED_EACH))]:
            ours, code = replayed(record)
            assert ours == naive_replay.replay(record), f"{code}: {json.dumps(record)}"
            refused += not ours["ok"]
    assert refused >= 40  # the spoiling spoils
