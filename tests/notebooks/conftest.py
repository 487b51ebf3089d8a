"""A warehouse for the notebooks: published files imported, a made-up code track, a made-up registers track."""

import json
from pathlib import Path

import pytest

from tasks.ids import digest, draw
from tests.stats.published import FOLDER
from tests.warehouse import synthetic
from warehouse.importers.kinds import import_from
from warehouse.layout import Layout
from warehouse.writer import write_batch

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
VARIANTS = {"base": 0.9, "rename": 0.8, "renumber": 0.6, "distractor": 0.7}
FAMILIES = 12


def land_registers(layout: Layout) -> list[dict[str, object]]:
    """Write a small registers track and return (model, family, variant, tier, passed) of each unit."""
    release, units = "registers-0123456789ab", []
    tables: dict[str, list[dict[str, object]]] = {"samples": [], "generations": [], "evaluations": [], "checks": []}
    for family in range(FAMILIES):
        tier = ("easy", "hard")[family % 2]
        for variant, strength in VARIANTS.items():
            sample = f"registers:{digest(family, variant, length=12)}"
            parts = {"kind": "integer", "draw": 0, "wording": 0}
            tables["samples"].append({
                "sample_id": sample, "track": "registers", "release": release, "family": f"family-{family}",
                "category": variant, "cluster": f"family-{family}", "difficulty": tier, "domain": "adc",
                "reference": "1", "prompt_parts": json.dumps(parts),
            })  # fmt: skip
            for model in ("hosted/large", "local/tiny"):
                passed = family == 0 or draw(model, family, variant) < strength - (0.4 if model == "local/tiny" else 0)
                generation = digest(model, sample, length=24)
                tables["generations"].append({
                    "generation_id": generation, "track": "registers", "release": release, "sample_id": sample,
                    "model": model, "config": "full", "scenario": "generation", "attempt": 1, "reply": "ANSWER: 1",
                })  # fmt: skip
                tables["evaluations"].append({
                    "evaluation_id": digest("e", generation, length=24), "generation_id": generation,
                    "grader_version": "1", "status": "pass" if passed else "fail", "score": float(passed),
                })  # fmt: skip
                units.append({"model": model, "family": f"family-{family}", "variant": variant, "tier": tier,
                              "passed": passed})  # fmt: skip
    write_batch(layout, "corpora", release, {"samples": tables["samples"]})
    write_batch(layout, "inference", "registers", {"generations": tables["generations"]})
    write_batch(layout, "grading", "registers", {name: tables[name] for name in ("evaluations", "checks")})
    return units


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "data")


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """Return (layout, rows of the made-up registers track); skipped where the published files are not here."""
    if not FOLDER.is_dir():
        pytest.skip("shared/published is not beside the repository")
    layout = Layout(tmp_path_factory.mktemp("filled"))
    synthetic.land(layout)
    import_from(layout, "published", FOLDER)
    import_from(layout, "closed-loop", FOLDER / "closed_loop_420_outcomes.csv")
    import_from(layout, "embedeval-runs", FOLDER / "embedeval_2026-04-12_failures.csv")
    return layout, land_registers(layout)


@pytest.fixture
def notebooks():
    return {path.stem: path for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
