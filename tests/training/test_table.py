import gzip

import pytest
from acr_training.records import Outcome, state
from acr_training.table import OUTCOMES, STATES, Table, outcomes, read, states, write

from acr.errors import TrainingError

STATE = state(task="math", item="a", messages=[{"role": "user", "content": "How many?"}])


def outcome(operator=None, run=0, **more):
    fields = {
        "state": STATE.id,
        "operator": operator,
        "view": "v",
        "changed": operator is not None,
        "score": 1.0,
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "answer": "4",
        "last": "4",
        "run": run,
    }
    return Outcome(**(fields | more))


def test_what_is_added_is_there_once(tmp_path):
    with Table(tmp_path) as table:
        assert table.add_states([STATE, STATE]) == 1
        assert table.add_outcomes([outcome(), outcome("recap")]) == 2
        assert table.add_outcomes([outcome("recap", score=0.0), outcome("prune")]) == 1
    with Table(tmp_path) as table:
        assert table.add_states([STATE]) == 0
        assert table.outcomes[STATE.id, "recap", 0].score == 1.0
    assert states(tmp_path) == {STATE.id: STATE}
    assert [each.operator for each in outcomes(tmp_path)] == [None, "recap", "prune"]


def test_packed_tables_are_read_too(tmp_path):
    write(tmp_path / STATES, [STATE])
    packed = tmp_path / f"{STATES}.gz"
    packed.write_bytes(gzip.compress((tmp_path / STATES).read_bytes()))
    (tmp_path / STATES).unlink()
    assert states(tmp_path) == {STATE.id: STATE}
    packed.write_bytes(b"no gzip")
    with pytest.raises(TrainingError, match="cannot read"):
        states(tmp_path)


@pytest.mark.parametrize("name", [STATES, OUTCOMES])
def test_a_torn_last_line_is_cut_off(tmp_path, name):
    with Table(tmp_path) as table:
        table.add_states([STATE])
        table.add_outcomes([outcome()])
    whole = (tmp_path / name).read_bytes()
    for cut in (1, 20, len(whole) - 1):
        (tmp_path / name).write_bytes(whole + whole[:cut])
        assert len(read(tmp_path / name, type(STATE) if name == STATES else Outcome)) == 1
        with Table(tmp_path):
            pass
        assert (tmp_path / name).read_bytes() == whole


def test_a_damaged_line_is_named(tmp_path):
    (tmp_path / STATES).write_text('{"id": 1}\n')
    with pytest.raises(TrainingError, match=r"states\.jsonl, line 1 is damaged"):
        Table(tmp_path).__enter__()
    with pytest.raises(TrainingError, match="cannot read"):
        outcomes(tmp_path / "nowhere")


def test_one_process_at_a_time(tmp_path):
    with Table(tmp_path), pytest.raises(TrainingError, match="another process"):
        Table(tmp_path).__enter__()
    assert {path.name for path in tmp_path.iterdir()} == {STATES, OUTCOMES}


def test_writing_a_closed_table_is_an_error(tmp_path):
    with pytest.raises(TrainingError, match="not open"):
        Table(tmp_path).add_states([STATE])


def test_a_file_is_replaced_whole(tmp_path):
    write(tmp_path / "deep" / STATES, [STATE])
    write(tmp_path / "deep" / STATES, [STATE, STATE])
    assert read(tmp_path / "deep" / STATES, type(STATE)) == [STATE, STATE]
