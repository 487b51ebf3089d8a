"""The safety guide read off the warehouse: whose tiers, of which replies, and what is refused."""

import pytest

from warehouse.database import query, rebuild
from warehouse.errors import UsageError
from warehouse.exports.guide import guide_page
from warehouse.stats.safety import as_markdown, safety_guide


def test_the_page_holds_the_tiers_of_the_replies_it_names(landed):
    layout, _ = landed
    release = "code-0123456789ab"
    page = guide_page(layout, track="code", release=release, by="project_id", config="no_calls")
    rows = query(
        layout,
        "SELECT model, project_id, CASE WHEN measured THEN CAST(status = 'pass' AS INT) END AS passed, cluster "
        f"FROM results WHERE track = 'code' AND release = '{release}' AND config = 'no_calls'",
    ).to_pydict()
    whole = as_markdown(safety_guide(rows["model"], rows["project_id"], rows["passed"], rows["cluster"]))
    told = [line for line in whole.splitlines() if line.startswith("|")]
    assert [line for line in page.splitlines() if line.startswith("|")] == told
    assert f"Track code, release {release}, config no_calls, scenario generation." in page


def test_what_nobody_answered_is_one_sentence(landed, layout):
    filled, _ = landed
    rebuild(layout)
    for held, arguments, sentence in (
        (layout, {}, "No reply to the track firmware with the config full in the scenario generation was graded; "
                     "`firmbench run firmware` asks for some."),
        (filled, {"track": "code", "release": "code-x"}, "No reply to the release code-x"),
        (filled, {"track": "code", "by": "moon"}, "A guide is by category, family, stratum, project_id, not"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=sentence.replace("(", r"\(")):
            guide_page(held, **arguments)
