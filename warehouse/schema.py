"""Explicit Arrow schemas of every table: one row a fact. See docs/tables.md for the same list in words.

Times are UTC. Durations end in `_s`, sizes in `_bytes`, spans are byte offsets into the file as it is stored upstream.
`json` in a comment marks a string column that holds one JSON value.
"""

import pyarrow as pa

S, I, F, B = pa.string(), pa.int64(), pa.float64(), pa.bool_()
TIME = pa.timestamp("us", tz="UTC")
MUTANT = pa.struct([("name", S), ("text", S), ("target", S)])


def _table(*columns: tuple[str, pa.DataType], required: tuple[str, ...]) -> pa.Schema:
    return pa.schema([pa.field(name, kind, nullable=name not in required) for name, kind in columns])


SCHEMAS: dict[str, pa.Schema] = {
    "projects": _table(
        ("project_id", S), ("kind", S), ("address", S), ("revision", S), ("sha256", S), ("tree_hash", S),
        ("licence", S), ("domain", S), ("language", S), ("first_seen", S), ("files", I), ("c_files", I),
        ("c_bytes", I), ("c_lines", I), ("missing_blobs", I), ("functions", I), ("functions_with_error", I),
        ("error_bytes", I), ("extractors", S),  # json {name: version}
        required=("project_id", "kind", "revision", "tree_hash"),
    ),
    "functions": _table(
        ("function_id", S), ("project_id", S), ("path", S), ("name", S), ("qualified_name", S), ("signature", S),
        ("language", S), ("encoding", S), ("start_byte", I), ("end_byte", I), ("body_start_byte", I),
        ("start_line", I), ("end_line", I), ("loc", I), ("body_hash", S), ("licence", S), ("comment", S), ("text", S),
        ("test", B), ("vendored", B), ("generated", B), ("trivial", B), ("has_error", B), ("conditional", B),
        ("duplicate_of", S),
        required=("function_id", "project_id", "path", "name", "start_byte", "end_byte", "text"),
    ),
    "symbols": _table(
        ("project_id", S), ("path", S), ("kind", S), ("name", S), ("start_byte", I), ("end_byte", I),
        ("start_line", I), ("text", S),
        required=("project_id", "path", "kind", "name", "start_byte", "end_byte", "text"),
    ),
    "files": _table(
        ("project_id", S), ("path", S), ("language", S), ("encoding", S), ("size_bytes", I), ("lines", I),
        ("licence", S), ("test", B), ("vendored", B), ("generated", B), ("error_bytes", I), ("functions", I),
        ("functions_with_error", I), ("symbols", I), ("unread", I),
        required=("project_id", "path", "size_bytes"),
    ),
    "samples": _table(
        ("sample_id", S), ("track", S), ("release", S), ("project_id", S), ("family", S), ("category", S),
        ("domain", S), ("stratum", S), ("difficulty", S), ("visibility", S), ("created", S), ("licence", S),
        ("language", S), ("path", S), ("start_byte", I), ("end_byte", I), ("cluster", S), ("reference", S),
        ("stub", S), ("mutants", pa.list_(MUTANT)), ("prompt_parts", S),  # json: the track's own fields
        ("provenance", S), ("extractors", S),  # json, json
        required=("sample_id", "track", "release", "category", "cluster", "reference"),
    ),
    "context_items": _table(
        ("sample_id", S), ("kind", S), ("rank", I), ("name", S), ("path", S), ("start_line", I), ("found_by", S),
        ("text", S),
        required=("sample_id", "kind", "rank", "text"),
    ),
    "context_agreement": _table(
        ("release", S), ("project_id", S), ("kind", S), ("both", I), ("only_libclang", I), ("only_index", I),
        ("macro", I), ("conditional", I), ("other", I), ("disagree", I),
        required=("project_id", "kind"),
    ),
    "dropped": _table(
        ("release", S), ("stage", S), ("item", S), ("project_id", S), ("reason", S), ("detail", S),
        required=("stage", "item", "reason"),
    ),
    "stages": _table(
        ("release", S), ("position", I), ("stage", S), ("entered", I), ("kept", I), ("dropped", I),
        required=("stage", "entered", "kept", "dropped"),
    ),
    "reviews": _table(
        ("sample_id", S), ("reviewer", S), ("decision", S), ("correction", S), ("note", S), ("reviewed_at", TIME),
        required=("sample_id", "reviewer", "decision"),
    ),
    "runs": _table(
        ("run_id", S), ("command", S), ("flow_run", S), ("git_revision", S), ("track", S), ("release", S),
        ("models", pa.list_(S)), ("configs", pa.list_(S)), ("started_at", TIME), ("ended_at", TIME),
        ("environment_digest", S), ("environment", S),  # json
        ("planned", I), ("reused", I), ("answered", I), ("errors", I), ("graded", I), ("harness_s", F), ("model_s", F),
        ("grading_s", F),
        required=("run_id", "command", "started_at"),
    ),
    "generations": _table(
        ("generation_id", S), ("run_id", S), ("track", S), ("release", S), ("sample_id", S), ("model", S),
        ("config", S), ("scenario", S), ("attempt", I), ("prompt_hash", S), ("messages", S),  # json
        ("prompt_cut", S),  # json: what the budget cut, [{kind, rank, name, tokens}]
        ("parameters", S),  # json: as sent
        ("reply", S), ("code", S), ("code_rule", S), ("finish_reason", S), ("prompt_tokens", I), ("cached_tokens", I),
        ("completion_tokens", I), ("cost_usd", F), ("seconds_s", F), ("error_kind", S), ("error", S),
        ("created_at", TIME), ("carried_from", S),
        required=("generation_id", "track", "sample_id", "model", "config", "scenario", "attempt"),
    ),
    "turns": _table(
        ("generation_id", S), ("turn", I), ("role", S), ("tool", S), ("content", S), ("seconds_s", F),
        required=("generation_id", "turn", "role"),
    ),
    "submissions": _table(
        ("generation_id", S), ("submission", I), ("turn", I), ("after_s", F), ("after_tokens", I), ("code", S),
        ("status", S), ("failed_layer", S), ("score", F),
        ("checks", S),  # json: the checks as graded on the way
        ("grader_version", S), ("toolchain_digest", S),
        required=("generation_id", "submission", "code"),
    ),
    "evaluations": _table(
        ("evaluation_id", S), ("generation_id", S), ("reply_hash", S), ("grader_version", S), ("toolchain_digest", S),
        ("status", S), ("failed_layer", S), ("score", F), ("seconds_s", F), ("created_at", TIME),
        required=("evaluation_id", "generation_id", "grader_version", "status"),
    ),
    "checks": _table(
        ("evaluation_id", S), ("layer", S), ("check", S), ("status", S), ("expected", S), ("saw", S), ("score", F),
        required=("evaluation_id", "layer", "check", "status"),
    ),
    "published": _table(
        ("source", S), ("table", S), ("row", S), ("column", S), ("value", F), ("text", S),
        required=("source", "table", "row", "column"),
    ),
}  # fmt: skip
