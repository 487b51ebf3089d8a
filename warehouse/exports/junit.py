"""Results as JUnit XML, which every CI server shows: a suite a model, config and scenario, a test case a unit.

What JUnit calls an error is what could not be measured: `infra_error`. `not_run` is skipped. `fail`, `timeout` and
`no_submission` are failures, each with its type, for all three say something of the model.
"""

import os
import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from warehouse.database import connect
from warehouse.errors import UsageError
from warehouse.layout import Layout

ELEMENTS: dict[str, str | None] = {
    "pass": None, "fail": "failure", "timeout": "failure", "no_submission": "failure", "infra_error": "error",
    "not_run": "skipped",
}  # fmt: skip
"""The element of a test case by status."""
TOTALS = {"failure": "failures", "error": "errors", "skipped": "skipped"}
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SUITE = ("track", "release", "model", "config", "scenario")
UNITS = """
    SELECT track, release, model, config, scenario, coalesce(category, '') AS category, sample_id, attempt, status,
           score, failed_layer, evaluation_id, error_kind, grading_s, grader_version, toolchain_digest
    FROM results
    WHERE ($release IS NULL OR release = $release) AND ($model IS NULL OR model = $model)
    ORDER BY track, release, model, config, scenario, category, sample_id, attempt
"""
CHECKS = """
    SELECT c.evaluation_id, c.layer, c."check", c.status, c.expected, c.saw
    FROM checks AS c
    WHERE c.status <> 'pass' AND c.evaluation_id IN (
        SELECT evaluation_id FROM results
        WHERE ($release IS NULL OR release = $release) AND ($model IS NULL OR model = $model))
    ORDER BY ALL
"""


def export_junit(layout: Layout, out: Path, *, release: str | None = None, model: str | None = None) -> Path:
    """Write the results of one release and model, or of all, as JUnit XML; the file appears complete.

    Raises UsageError where there is no result to write.
    """
    parameters = {"release": release, "model": model}
    with connect(layout) as connection:
        units = connection.sql(UNITS, params=parameters).to_arrow_table().to_pylist()
        failed = connection.sql(CHECKS, params=parameters).to_arrow_table().to_pylist()
    if not units:
        told = " and ".join(f"{name} {value!r}" for name, value in parameters.items() if value is not None)
        raise UsageError(f"There is no result{f' of {told}' if told else ''}; see `firmbench sql 'FROM results'`.")
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = out.with_name(f".{out.name}.{os.getpid()}")
    beside.write_bytes(junit(units, failed))
    beside.replace(out)
    return out


def junit(units: Iterable[Mapping[str, Any]], failed: Iterable[Mapping[str, Any]]) -> bytes:
    """Return JUnit XML of rows of `results`, sorted by suite, with their checks that did not pass."""
    by_evaluation: dict[str, list[Mapping[str, Any]]] = {}
    for check in failed:
        by_evaluation.setdefault(check["evaluation_id"], []).append(check)
    root = ET.Element("testsuites", name="firmbench")
    for key, rows in groupby(units, key=lambda unit: tuple(unit[name] for name in SUITE)):
        cases = list(rows)
        named = dict(zip(SUITE, key, strict=True))
        label = " / ".join(str(named[name] or "") for name in ("release", "model", "config", "scenario"))
        suite = ET.SubElement(root, "testsuite", name=_clean(label))
        properties = ET.SubElement(suite, "properties")
        for name in ("grader_version", "toolchain_digest"):
            named[name] = ", ".join(sorted({case[name] for case in cases if case[name]}))
        for name, value in named.items():
            ET.SubElement(properties, "property", name=name, value=_clean(value or ""))
        counts = dict.fromkeys(TOTALS.values(), 0)
        for case in cases:
            element = ELEMENTS[case["status"]]
            if element:
                counts[TOTALS[element]] += 1
            _case(suite, case, element, by_evaluation.get(case["evaluation_id"], []))
        _count(suite, tests=len(cases), **counts, time=sum(case["grading_s"] or 0.0 for case in cases))
    suites = root.findall("testsuite")
    _count(root, **{
        name: sum(int(suite.get(name, "0")) for suite in suites) for name in ("tests", *TOTALS.values())
    }, time=sum(float(suite.get("time", "0")) for suite in suites))  # fmt: skip
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="utf-8") + b"\n"


def _case(suite: ET.Element, unit: Mapping[str, Any], element: str | None, checks: list[Mapping[str, Any]]) -> None:
    classname = ".".join(filter(None, (unit["track"], unit["category"])))
    case = ET.SubElement(
        suite, "testcase", classname=_clean(classname), name=_clean(f"{unit['sample_id']}#{unit['attempt']}"),
        time=f"{unit['grading_s'] or 0.0:.3f}",
    )  # fmt: skip
    if element is None:
        return
    checks = sorted(checks, key=lambda check: _distance(check, unit))
    first = checks[0] if checks else None
    what = f"{first['layer']}/{first['check']}" if first else unit["error_kind"] or "no check says why"
    message = f"{unit['status']}: {what}"
    child = ET.SubElement(case, element, message=_clean(message))
    if element != "skipped":
        child.set("type", unit["status"])
    child.text = _clean("\n".join(map(_told, checks)))


def _distance(check: Mapping[str, Any], unit: Mapping[str, Any]) -> tuple[bool, bool]:
    """Order checks by how near they are to the verdict: of its status first, of its failed layer before others."""
    return check["status"] != unit["status"], check["layer"] != unit["failed_layer"]


def _told(check: Mapping[str, Any]) -> str:
    parts = [f"{check['layer']}/{check['check']}: {check['status']}"]
    parts += [f"{name} {check[name]}" for name in ("expected", "saw") if check[name]]
    return "; ".join(parts)


def _count(element: ET.Element, *, time: float, **counts: int) -> None:
    for name, count in counts.items():
        element.set(name, str(count))
    element.set("time", f"{time:.3f}")


def _clean(text: Any) -> str:
    """Return text without the characters that no XML document may hold."""
    return NOT_XML.sub("\ufffd", str(text))
