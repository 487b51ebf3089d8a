"""A small made-up warehouse: three models of different strength, seven configs, sixty samples of four projects."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from tasks.ids import digest, draw, pick
from warehouse.layout import Layout
from warehouse.writer import write_batch

Row = dict[str, Any]
RELEASE = "code-0123456789ab"
CONFIGS = ("full", "no_imports", "no_window", "no_calls", "no_globals", "no_types", "no_context")
MODELS = {"hosted/large": 0.85, "hosted/small": 0.6, "local/tiny": 0.25}
HIDDEN_COST = {"full": 0.0, "no_imports": 0.01, "no_window": 0.12, "no_calls": 0.07, "no_globals": 0.03,
               "no_types": 0.04, "no_context": 0.25}  # fmt: skip
PROJECTS = ("alpha-rtos", "bravo-hal", "charlie-net", "delta-fs")
CATEGORIES = ("generation", "generation", "generation", "completion_block", "completion_token")
STRATA = ("[0,20]", "(20,50]", "(50,100]", "(100,200]", "(200,∞)")
SIMILARITY = ("codebleu_ngram", "codebleu_weighted_ngram", "codebleu_syntax", "codebleu_dataflow", "codebleu_package",
              "edit_similarity")  # fmt: skip
CUT = {"kind": "types", "rank": 9, "name": "regs", "tokens": 40}
START = datetime(2026, 5, 1, 12, tzinfo=UTC)
NASTY = "</script><img src=x onerror=\"document.title='owned'\"><!-- \u2028 ${x} {{ 7*7 }} -->"
STEMS = ("uart", "spi", "adc", "pwm", "flash", "queue")
VERBS = ("init", "read", "write", "flush", "poll", "reset")


def reference(number: int) -> str:
    """Return a C function; every number gives another one."""
    name = f"{STEMS[number % 6]}_{VERBS[number // 6 % 6]}_{number}"
    checks = "".join(
        f"    if ((dev->status & STATUS_BIT({bit})) != 0u) {{\n"
        f"        dev->errors[{bit}]++;\n        return -EIO;\n    }}\n"
        for bit in range(1 + number % 4)
    )
    return (
        f"int {name}(struct device *dev, const uint8_t *data, size_t length)\n{{\n"
        f"    uint32_t timeout = TIMEOUT_{number % 7}_MS;\n\n"
        "    if (dev == NULL || data == NULL) {\n        return -EINVAL;\n    }\n"
        f"{checks}"
        "    for (size_t i = 0; i < length; i++) {\n"
        f"        while (!{STEMS[number % 6]}_ready(dev)) {{\n            if (timeout-- == 0u) {{\n"
        "                return -ETIMEDOUT;\n            }\n        }\n"
        "        dev->regs->data = data[i];\n    }\n    return (int)length;\n}\n"
    )


def edited(code: str, strength: float, *seed: Any) -> str:
    """Return `code` with the slips of a model of that strength in [0, 1]."""
    slips = [
        ("timeout-- == 0u", "timeout == 0"),
        ("-ETIMEDOUT", "-1"),
        ("dev == NULL || data == NULL", "!dev"),
        ("_ready(dev)", "_is_tx_empty(dev->regs)"),
        ("dev->regs->data = data[i];", "HAL_Transmit(dev, &data[i], 1);"),
        ("return (int)length;", "return 0;"),
        ("uint32_t timeout", "int timeout"),
    ]
    for position, (old, new) in enumerate(slips):
        if draw("slip", position, *seed) > strength:
            code = code.replace(old, new)
    return code


def samples(count: int = 60, release: str = RELEASE) -> list[Row]:
    """Return rows of `samples`."""
    rows = []
    for number in range(count):
        project = PROJECTS[pick(len(PROJECTS), "project", number)]
        text = reference(number)
        category = CATEGORIES[number % len(CATEGORIES)]
        counts = {"calls": number % 5, "globals": number % 3, "types": 1 + number % 4}
        parts = {"loc": text.count("\n"), "counts": counts, "qualified_name": text[4 : text.index("(")]}
        rows.append({
            "sample_id": f"code:{digest('sample', number, length=12)}", "track": "code", "release": release,
            "project_id": project, "category": category, "stratum": STRATA[pick(5, "stratum", number)],
            "licence": "Apache-2.0", "language": "c", "path": f"src/{STEMS[number % 6]}.c", "start_byte": 0,
            "end_byte": len(text), "cluster": f"{project}/src/{STEMS[number % 6]}.c",
            "stub": "int f(void) { return 0; }",
            "reference": "timeout" if category == "completion_token" else text,
            "mutants": [{"name": "dropped_statement", "text": text.replace("timeout--", "timeout"), "target": None}],
            "prompt_parts": json.dumps(parts), "provenance": "{}",
            "extractors": '{"tree_sitter": "0.26"}',
        })  # fmt: skip
    return rows


def units(asked: list[Row], models: dict[str, float] | None = None, configs: tuple[str, ...] = CONFIGS,
          attempts: int = 1) -> dict[str, list[Row]]:  # fmt: skip
    """Return rows of `generations`, `evaluations` and `checks` for every unit of the samples asked."""
    tables: dict[str, list[Row]] = {"generations": [], "evaluations": [], "checks": []}
    for sample in asked:
        for model, strength in (models or MODELS).items():
            for config in configs:
                for attempt in range(1, attempts + 1):
                    for table, rows in _unit(sample, model, strength, config, attempt).items():
                        tables[table] += rows
    return tables


def _unit(sample: Row, model: str, strength: float, config: str, attempt: int) -> dict[str, list[Row]]:
    key = (sample["sample_id"], model, config, attempt)
    generation, evaluation = digest("g", *key, length=24), digest("e", *key, length=24)
    luck = draw("luck", *key)
    level = max(0.05, min(1.0, strength - HIDDEN_COST[config] + 0.3 * (draw("noise", *key) - 0.5)))
    code = edited(sample["reference"], level, *key)
    reply = f"Here is the function:\n\n```c\n{code}```\nIt follows the style of the file.\n"
    if luck > 0.995:
        code = reply = NASTY
    prompt = [
        {"role": "system", "content": "You complete C functions of embedded projects. Answer with code only."},
        {"role": "user", "content": f"// {sample['path']}\n#include <errno.h>\n#include \"device.h\"\n\n"
         + ("" if config == "no_context" else "struct device { volatile struct regs *regs; uint32_t status; };\n" * 6)
         + "\nWrite the function that sends `length` bytes and returns how many it sent."},
    ]  # fmt: skip
    status = "fail" if code != sample["reference"] else "pass"
    error_kind = None
    if luck < 0.01:
        status, error_kind, reply, code = "infra_error", "rate_limit", None, None
    elif luck < 0.03:
        status, reply, code = "no_submission", "I cannot write this function.", ""
    score = {"infra_error": None, "no_submission": 0.0}.get(
        status, round(0.15 + 0.85 * level * draw("s", *key) ** 0.3, 6)
    )
    if status == "pass":
        score = 1.0
    when = START + timedelta(seconds=int(luck * 1000))
    return {
        "generations": [{
            "generation_id": generation, "run_id": "run-1", "track": "code", "release": sample["release"],
            "sample_id": sample["sample_id"], "model": model, "config": config, "scenario": "generation",
            "attempt": attempt, "prompt_hash": digest(prompt, length=16), "messages": json.dumps(prompt),
            "prompt_cut": json.dumps([CUT] if luck > 0.9 else []),
            "parameters": '{"temperature":0.6,"top_p":0.95}', "reply": reply, "code": code, "code_rule": "fenced",
            "finish_reason": "stop", "prompt_tokens": 400 - 30 * CONFIGS.index(config), "completion_tokens": 120,
            "cost_usd": None if model.startswith("local") else 0.002, "seconds_s": 1.5 + luck,
            "error_kind": error_kind, "error": "429 too many requests" if error_kind else None, "created_at": when,
        }],
        "evaluations": [{
            "evaluation_id": evaluation, "generation_id": generation, "reply_hash": digest(reply, length=16),
            "grader_version": "1", "toolchain_digest": "t", "status": status, "score": score,
            "failed_layer": "static" if status == "fail" else None, "seconds_s": 0.01, "created_at": when,
        }],
        "checks": [{"evaluation_id": evaluation, **row} for row in _checks(sample, status, score, code or "", key)],
    }  # fmt: skip


def _checks(sample: Row, status: str, score: float | None, code: str, key: tuple[Any, ...]) -> list[Row]:
    if status == "infra_error":
        return [
            {"layer": "harness", "check": "rate_limit", "status": "infra_error", "expected": "a reply", "saw": "429"}
        ]
    headline = "exact_match" if sample["category"] == "completion_token" else "codebleu"
    rows: list[Row] = [{"layer": "similarity", "check": headline, "status": "pass", "score": score}]
    if headline == "codebleu":
        for name in SIMILARITY:
            gone = name == "codebleu_dataflow" and draw("flow", sample["sample_id"]) < 0.2
            figure = None if gone else round(min(1.0, (score or 0.0) * (0.8 + 0.4 * draw(name, *key))), 6)
            rows.append({"layer": "similarity", "check": name, "status": "pass", "score": figure})
    invented = [name for name in ("HAL_Transmit", "uart_is_tx_empty", "spi_is_tx_empty") if f"{name}(" in code]
    saw = f"invented API: {', '.join(invented)}" if invented else "4 names called"
    rows += [
        {"layer": "static", "check": "parses", "status": "pass" if "<img" not in code else "fail",
         "expected": "no syntax error", "saw": NASTY if "<img" in code else None},
        {"layer": "static", "check": "known_calls", "status": "fail" if invented else "pass",
         "expected": "every called function exists", "saw": saw},
        {"layer": "static", "check": "signature", "status": "pass"},
        {"layer": "static", "check": "substantive", "status": "pass" if code else "fail"},
    ]  # fmt: skip
    return rows


def corpus(asked: list[Row]) -> dict[str, list[Row]]:
    """Return the tables of a release of the samples asked, with its stages in balance."""
    release = asked[0]["release"]
    drops = [
        {"release": release, "stage": stage, "item": f"{stage}-{number}", "project_id": PROJECTS[0], "reason": reason}
        for stage, reason, count in (("flags", "test", 40), ("flags", "vendored", 25), ("dedup", "near_duplicate", 12),
                                     ("gate", "reference_fails", 3))
        for number in range(count)
    ]  # fmt: skip
    counts = (("flags", 200, 135), ("dedup", 135, 123), ("quota", 123, 123), ("gate", 123, 120))
    return {
        "samples": asked,
        "context_items": [
            {"sample_id": sample["sample_id"], "kind": "types", "rank": 1, "name": "device", "path": "inc/device.h",
             "start_line": 3, "found_by": "libclang", "text": "struct device;"} for sample in asked
        ],
        "dropped": drops,
        "stages": [
            {"release": release, "position": position, "stage": stage, "entered": entered, "kept": kept,
             "dropped": entered - kept} for position, (stage, entered, kept) in enumerate(counts)
        ],
    }  # fmt: skip


def land(layout: Layout, count: int = 60, attempts: int = 1) -> dict[str, list[Row]]:
    """Write the whole made-up warehouse and return its rows."""
    asked = samples(count)
    rows = {**corpus(asked), **units(asked, attempts=attempts)}
    rows["projects"] = [
        {"project_id": name, "kind": "dir", "address": name, "revision": "1.0", "tree_hash": digest(name, length=16),
         "licence": "Apache-2.0", "language": "c", "domain": "rtos", "functions": 100 + 7 * position}
        for position, name in enumerate(PROJECTS)
    ]  # fmt: skip
    rows["runs"] = [
        {"run_id": "run-1", "command": "firmbench run code", "track": "code", "release": RELEASE,
         "models": list(MODELS), "configs": list(CONFIGS), "started_at": START,
         "ended_at": START + timedelta(minutes=9), "planned": 1260,
         "answered": 1250, "git_revision": "0" * 40, "environment": json.dumps({"python": "3.11"})}
    ]  # fmt: skip
    write_batch(layout, "mining", "made-up", {"projects": rows["projects"]})
    write_batch(layout, "corpora", RELEASE, {t: rows[t] for t in ("samples", "context_items", "dropped", "stages")})
    write_batch(layout, "runs", "run-1", {"runs": rows["runs"]})
    write_batch(layout, "inference", "shard-1", {"generations": rows["generations"]})
    write_batch(layout, "grading", "shard-1", {t: rows[t] for t in ("evaluations", "checks")})
    return rows
