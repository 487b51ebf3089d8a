"""Submissions that are read off transcripts, and what an import says of its own integrity."""

import json
from datetime import UTC, datetime

import pytest

from tests.warehouse import campaign
from tests.warehouse.campaign import HARNESS, POLICY, SOURCE, STARTERS, STUB, Talk, bundle, edit, read, recorded
from warehouse.database import query
from warehouse.importers.closed_loop_index import closed_loop
from warehouse.importers.closed_loop_sources import GRADED, joined, split
from warehouse.importers.closed_loop_starters import Shown, Starters
from warehouse.layout import Layout

SOLVED = campaign.CONTROLLER_C.replace(STUB, POLICY)
LINES = recorded(7, 1, SOURCE)
OTHER = campaign.CONTROLLER_C.replace("pump = seen = 0; }", "pump = 0; }")
TOOLED = (
    f"cd {campaign.WORKSPACE} && cat > {SOURCE} <<'EOF'\n{campaign.CONTROLLER_C}EOF\n"
    f"sed -i 's/(void)kind, .*;/if (kind == 1) pump = value < 30;/' {SOURCE} && cp {SOURCE} /tmp/kept.c"
)


def runs() -> dict:
    """Return the runs of a bundle with one of each thing to find."""
    twice = read(Talk("2026-03-24T14:0"))
    twice = edit(twice.bash(TOOLED).submit("FAIL"), "if (kind == 1) pump = value < 30;\n", POLICY.strip() + "\n")
    lost = "python3 -c \"import re; open('components/controller/controller.c', 'w').write('')\""
    hidden = "host_tests/tasks/tank_fill_drain/test_controller.c"
    starter = f"$REPO_ROOT/{STARTERS}/{SOURCE}"
    return {
        "exact": ({}, edit(read(Talk())).submit().end(), LINES),
        "inexact": ({"repetition": "rep1"}, edit(read(Talk())).bash(lost).submit().end(), LINES),
        "twice": (
            {"mode": "ci_red_green", "hidden_eval_calls": "2"}, twice.submit("PASS").end(), LINES,
        ),
        "harness": (
            {"mode": "oracle_full"},
            edit(edit(read(Talk())), "a", "b", f"{HARNESS}/main/uart_transport.c").submit("PASS").end(), LINES,
        ),
        "hidden": (
            {"mode": "oracle_full", "repetition": "rep1"},
            edit(read(Talk())).bash(f"cat $REPO_ROOT/{hidden}", campaign.HIDDEN).submit("PASS").end("length"), LINES,
        ),
        "contaminates": (
            {"mode": "oracle_full", "repetition": "rep2", "hidden_status": "NO_SUBMISSION", "hidden_eval_calls": "0"},
            read(Talk("2026-03-25T10:0")).call("write", "ok", path=starter, content=OTHER).end(), recorded(0, 0),
        ),
        "contaminated": (
            {"repetition": "rep2"},
            edit(read(Talk("2026-03-26T10:0"), OTHER)).submit().submit("SUBMISSION_BUDGET_EXHAUSTED").end(), LINES,
        ),
        "silent": (
            {"mode": "ci_red_green", "repetition": "rep1", "hidden_status": "NO_SUBMISSION", "total_tokens": "0",
             "tool_call_count": "0", "hidden_eval_calls": "0"}, Talk().end(), recorded(0, 0),
        ),
    }  # fmt: skip


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """Return the layout and the record of one import that every test only reads."""
    place = tmp_path_factory.mktemp("campaign")
    layout = Layout(place / "data")
    return layout, closed_loop(layout, bundle(place / "repository", runs()))


@pytest.fixture
def layout(imported):
    return imported[0]


@pytest.fixture
def landed(imported):
    return imported[1]


def rows(layout, mode: str, attempt: int) -> list[dict]:
    sql = f"""SELECT s.* FROM submissions AS s JOIN generations AS g USING (generation_id)
              WHERE scenario = '{mode}' AND attempt = {attempt} ORDER BY submission"""
    return query(layout, sql).to_pylist()


def why(row: dict) -> str | None:
    (check,) = json.loads(row["checks"])
    assert (check["status"] == "pass") == (check["saw"] is None)
    return check["saw"]


def test_a_submission_holds_what_was_edited_and_the_starters_around_it(layout, landed):
    (row,) = rows(layout, "realistic_self_verify", 1)
    files = split(row["code"])
    assert list(files) == list(GRADED)
    assert files[SOURCE] == SOLVED
    assert files["main/uart_transport.c"] == campaign.TRANSPORT_C
    assert (row["turn"], row["after_s"], row["after_tokens"], row["status"]) == (5, 6.0, 300, "pass")
    assert why(row) is None
    last = query(layout, "SELECT code, code_rule FROM generations WHERE code IS NOT NULL").to_pylist()
    assert {"code": row["code"], "code_rule": "replayed"} in last


def test_two_submissions_have_the_states_of_their_moments_and_what_was_heard_of_each(layout, landed):
    first, second = rows(layout, "ci_red_green", 1)
    assert "if (kind == 1) pump = value < 30;\n    return pump;" in split(first["code"])[SOURCE]
    assert split(second["code"])[SOURCE] == SOLVED
    assert [first["status"], second["status"], why(first), why(second)] == ["fail", "pass", None, None]


def test_what_a_program_may_have_written_is_not_called_exact(layout, landed):
    (row,) = rows(layout, "realistic_self_verify", 2)
    assert "turn 5 runs a program that may write it" in why(row)


def test_integrity_findings_are_rows_with_run_and_turn(layout, landed):
    sql = """SELECT scenario, attempt, "check", c.status, saw FROM checks AS c JOIN results AS r USING (evaluation_id)
             WHERE layer = 'integrity' ORDER BY ALL"""
    found = {
        (r["scenario"], r["attempt"], r["check"]): (r["status"], r["saw"]) for r in query(layout, sql).to_pylist()
    }
    oracle = "oracle_full"
    assert found[oracle, 1, "harness_edited"] == ("fail", "turn 5: edit of run/main/uart_transport.c")
    assert found[oracle, 2, "hidden_tests_read"] == (
        "fail",
        "turn 5: 3 or more lines of hidden files are shown (bash)",
    )
    assert found[oracle, 2, "output_length"][0] == "infra_error"
    assert found[oracle, 3, "starter_overwritten"] == ("fail", "turn 3: put of components/controller/controller.c")
    assert found["realistic_self_verify", 3, "starter_changed"][1].startswith(f"{SOURCE} ")
    assert found["ci_red_green", 2, "provider_failure"][0] == "infra_error"
    assert len(found) == 6
    told = [note for note in landed.notes if note.startswith("integrity")]
    assert len(told) == 6
    assert not any(text in note for note in told for text in campaign.HIDDEN.splitlines())


def test_a_contaminated_starter_is_what_its_runs_begin_from(layout, landed):
    (row,) = rows(layout, "realistic_self_verify", 3)
    assert split(row["code"])[SOURCE] == OTHER.replace(STUB, POLICY)
    counts = query(
        layout,
        """SELECT scenario, attempt, c.status, saw FROM checks AS c
        JOIN results AS r USING (evaluation_id) WHERE layer = 'replay' AND "check" = 'submissions'""",
    ).to_pylist()
    refused = [row for row in counts if (row["scenario"], row["attempt"]) == ("realistic_self_verify", 3)]
    assert refused[0]["saw"] == "1 evaluated and 1 refused, 1 recorded"
    assert [row["status"] for row in counts].count("pass") == 7


def test_the_import_tells_how_exact_it_is(landed):
    told = next(note for note in landed.notes if "transcripts hand in" in note)
    assert told.startswith("6 of 8 transcripts hand in, 7 times; 8 replays equal")
    assert "7 explain every change" in told


def test_the_rates_of_the_plants_come_along(layout, landed):
    (row,) = query(layout, "SELECT prompt_parts FROM samples").to_pylist()
    told = {name: value for name, value in campaign.PLANT.items() if name != "notes"}
    assert json.loads(row["prompt_parts"]) == {"plant": told}


def test_a_run_index_alone_has_no_submissions(tmp_path):
    layout = Layout(tmp_path / "data")
    place = bundle(tmp_path / "repository", runs()) / "artifacts/evaluations/official_run_index.csv"
    alone = closed_loop(layout, place, turns=False)
    assert "submissions" not in alone.rows
    assert query(layout, "SELECT count(*) AS n FROM generations WHERE code IS NOT NULL").to_pylist() == [{"n": 0}]


def test_files_join_and_split():
    files = {SOURCE: "int a;", "components/protocol/protocol.c": "int b;\n\n"}
    assert split(joined(files)) == files


def test_a_starter_is_not_taken_across_the_moment_it_was_written_over():
    def shown(key: str, minute: int, text: str | None = None) -> Shown:
        found = {} if text is None else {SOURCE: text}
        return Shown(key, "tank_fill_drain", datetime(2026, 3, 29, 6, minute, tzinfo=UTC), found)

    first, unseen, later = shown("a", 0, "clean"), shown("b", 46), shown("c", 49, "overwritten")
    starters = Starters([later, first, unseen], None, [("tank_fill_drain", datetime(2026, 3, 29, 6, 48, tzinfo=UTC))])
    assert starters.of(unseen)[SOURCE] == "clean"
    assert [len(starters.differing(run)) for run in (first, unseen, later)] == [0, 0, 1]
    assert Starters([later, first, unseen], None).of(unseen)[SOURCE] == "overwritten"
