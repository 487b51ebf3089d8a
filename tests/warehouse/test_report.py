"""The report: self-contained, safe whatever a model wrote, bounded, and alive in a real browser."""

import html
import json
import re
import shutil
import subprocess

import pytest

from tests.warehouse import synthetic
from warehouse.database import query
from warehouse.errors import UsageError
from warehouse.exports import report_units
from warehouse.exports.report import embed, write_report
from warehouse.exports.report_units import CODE_CHARACTERS, choose, clip
from warehouse.exports.timeline import Level, Mark, Timeline
from warehouse.writer import write_batch

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def page(landed, tmp_path_factory):
    layout, _ = landed
    return write_report(layout, tmp_path_factory.mktemp("report") / "deep" / "report.html")


@pytest.fixture(scope="module")
def everything(landed, tmp_path_factory):
    """The page with every unit in its browser; it asks for the reply that would do harm."""
    return write_report(landed[0], tmp_path_factory.mktemp("everything") / "all.html", limit=2000)


@pytest.fixture(scope="module")
def text(page):
    return page.read_text(encoding="utf-8")


def data(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))


def visible(text):
    """Return the words a reader without JavaScript sees."""
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))


def test_it_reaches_for_nothing_outside_itself(text):
    outside = re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.S)
    assert not re.search(r"https?:|//[a-z]|url\(|@import|<link|<iframe|<img|\bsrc=|fetch\(|XMLHttp", outside)
    assert "default-src 'none'" in outside
    assert set(re.findall(r'href="([^"]{1,2})', outside)) <= {"#" + c for c in "abcdefghijklmnopqrstuvwxyz"}


def test_what_a_model_wrote_can_neither_end_the_script_nor_become_markup(everything):
    text = everything.read_text(encoding="utf-8")
    units = data(text)["units"]
    assert any(unit["reply"] == synthetic.NASTY for unit in units)
    assert "<img" not in text
    assert "\u2028" not in text
    assert len(re.findall(r"<script", text)) == len(re.findall(r"</script", text)) == 2


@pytest.mark.parametrize("value", [synthetic.NASTY, "<!--<script>", "a&lt;b", "\u2029", "\\u003c", '"}', "é😀\x00"])
def test_embedded_values_come_back_as_they_were(value):
    embedded = embed({"x": value})
    assert not re.search("[<>&\u2028\u2029]", embedded)
    assert json.loads(embedded) == {"x": value}


def test_names_are_escaped_in_the_tables(layout, tmp_path):
    evil = "<b>m</b>\"'&"
    asked = [{**row, "project_id": evil, "category": "<i>c</i>"} for row in synthetic.samples(4)]
    rows = synthetic.units(asked, models={evil: 0.5}, configs=("full",))
    for check in rows["checks"]:
        if check["check"] == "known_calls":
            check.update(status="fail", saw="invented API: <u>f</u>")
    tables = synthetic.corpus(asked)
    tables["dropped"] = [{**row, "reason": "<s>r</s>"} for row in tables["dropped"]]
    write_batch(layout, "corpora", synthetic.RELEASE, tables)
    write_batch(layout, "inference", "1", {"generations": rows["generations"]})
    write_batch(layout, "grading", "1", {"evaluations": rows["evaluations"], "checks": rows["checks"]})
    text = write_report(layout, tmp_path / "r.html").read_text(encoding="utf-8")
    assert not re.search(r"<b>m|<i>c|<u>f|<s>r", text)
    for shown in (evil, "<i>c</i>", "<u>f</u>", "<s>r</s>"):
        assert shown in visible(text)


def test_every_figure_of_the_leaderboard_stands_on_the_page(landed, text):
    layout, _ = landed
    words = visible(text)
    board = query(layout, "FROM leaderboard WHERE config = 'full'").to_pylist()
    assert len(board) == 9
    for row in board:
        assert re.search(
            rf"{re.escape(row['model'])} {row['mean_score']:.3f} .*? {row['n_scored']} {100 * row['pass_rate']:.1f} %",
            words,
        )
    for row in query(layout, "FROM context_ablation WHERE config <> 'full' AND category = 'generation'").to_pylist():
        assert f"{row['mean_score']:.3f} of {row['n_samples']} {row['difference']:+.3f} of {row['n_pairs']}" in words
    for row in query(layout, "FROM drops WHERE reason IS NOT NULL").to_pylist():
        assert f"{row['reason']} {row['n_dropped']}" in words


def test_the_ablation_is_drawn_with_a_mark_for_each_model_and_config(text):
    picture = re.search(r"<svg.*?</svg>", text, re.S).group(0)
    for model in synthetic.MODELS:
        assert (
            len(re.findall(rf'aria-label="[^"]*model: {re.escape(model)}"[^>]*aria-roledescription="point"', picture))
            == 6
        )
    assert "currentColor" in picture
    assert "#010203" not in picture


def test_an_item_lost_without_a_reason_is_pointed_at(layout, tmp_path):
    tables = synthetic.corpus(synthetic.samples(4))
    tables["dropped"].pop()
    write_batch(layout, "corpora", synthetic.RELEASE, tables)
    words = visible(write_report(layout, tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "1 lost without a reason" in words
    assert "Nobody was asked yet" in words


def test_the_release_asked_last_is_the_default_and_an_unknown_one_is_refused(layout, tmp_path):
    with pytest.raises(UsageError, match="holds no release to report on"):
        write_report(layout, tmp_path / "r.html")
    for release in ("code-a", "code-b", "code-c"):
        asked = [{**row, "sample_id": f"{row['sample_id']}-{release}"} for row in synthetic.samples(2, release)]
        write_batch(layout, "corpora", release, {"samples": asked})
        if release == "code-b":
            rows = synthetic.units(asked, configs=("full",))
            write_batch(layout, "inference", "1", {"generations": rows["generations"]})
    assert "Release code-b" in visible(write_report(layout, tmp_path / "r.html").read_text(encoding="utf-8"))
    named = write_report(layout, tmp_path / "c.html", release="code-c")
    assert "Release code-c" in visible(named.read_text(encoding="utf-8"))
    with pytest.raises(UsageError, match="no release 'code-x'; there are code-b, code-a, code-c"):
        write_report(layout, tmp_path / "x.html", release="code-x")
    assert not (tmp_path / "x.html").exists()


def test_the_page_is_bounded_by_units_and_by_text(layout, tmp_path, monkeypatch):
    monkeypatch.setattr(report_units, "PAGE_CHARACTERS", 600_000)
    asked = synthetic.samples(8)
    many = "".join(f"x{n} = {n};\n" for n in range(2_000))
    rows = synthetic.units([{**row, "reference": many} for row in asked], configs=("full",))
    for row in rows["generations"]:
        row.update(reply=many + row["generation_id"], code=row["generation_id"] + many, messages=json.dumps(
            [{"role": "user", "content": row["generation_id"] + "y" * 50_000}]
        ))  # fmt: skip
    write_batch(layout, "corpora", synthetic.RELEASE, {"samples": asked})
    write_batch(layout, "inference", "1", {"generations": rows["generations"]})
    heavy = write_report(layout, tmp_path / "heavy.html", limit=2000)
    text = heavy.read_text(encoding="utf-8")
    assert heavy.stat().st_size < 1.2 * 600_000
    assert 2 < len(data(text)["units"]) < 24
    assert "more characters are in the warehouse" in text
    few = write_report(layout, tmp_path / "few.html", limit=2)
    assert len(data(few.read_text(encoding="utf-8"))["units"]) == 2


def test_clip_says_how_much_it_left_out():
    assert clip("short", CODE_CHARACTERS) == "short"
    assert clip("x" * 1234, 34) == "x" * 34 + "\n[… 1,200 more characters are in the warehouse]"


def test_the_browser_prefers_samples_that_most_models_answered_and_the_full_config():
    listed = [
        {"generation_id": f"{sample}-{model}-{config}", "sample_id": f"s{sample}", "model": model, "config": config,
         "attempt": 1}
        for sample in range(40) for model in (["a", "b", "c"] if sample % 4 == 0 else ["a"])
        for config in ("full", "no_calls")
    ]  # fmt: skip
    chosen = choose(listed, 30)
    assert len(chosen) == 30
    assert {row["sample_id"] for row in chosen if row["config"] != "full"} <= {f"s{n}" for n in range(0, 40, 4)}
    assert sum(row["config"] == "full" for row in chosen) == 21
    assert choose(reversed(listed), 30) == chosen
    assert len(choose(listed, 1000)) == len(listed)
    assert choose([], 10) == []


def test_the_same_rows_give_the_same_page(landed, text, tmp_path):
    again = write_report(landed[0], tmp_path / "again.html").read_text(encoding="utf-8")
    moment = r"page written [\d: -]+ UTC"
    assert re.sub(moment, "", again) == re.sub(moment, "", text)


@pytest.mark.chromium
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_a_browser_lists_the_units_and_opens_the_one_in_the_address(everything, tmp_path):
    units = data(everything.read_text(encoding="utf-8"))["units"]
    nasty = next(unit["id"] for unit in units if unit["reply"] == synthetic.NASTY)
    dom = _dom(f"file://{everything}#{nasty}", tmp_path)
    assert "<title>firmbench: " in dom  # the reply would have changed it
    listed = re.search(r'<ul class="list" id="list">(.*?)</ul>', dom, re.S).group(1)
    assert listed.count("<li") == len(units) == 1260
    assert listed.count('aria-current="true"') == 1
    detail = re.search(r'<article class="detail".*?</article>', dom, re.S).group(0)
    assert nasty in detail
    assert "&lt;/script&gt;&lt;img src=x onerror=" in detail
    assert "<img" not in dom
    assert 'class="l add right"' in detail
    assert "null" not in visible(detail).replace("NULL", "")
    assert "Prompt: 2 messages" in detail
    options = re.search(r'id="f-model".*?</select>', dom, re.S).group(0)
    assert re.findall(r'value="([^"]+)"', options) == sorted(synthetic.MODELS)


def test_what_devices_did_stands_on_the_page_those_that_failed_first(landed, tmp_path):
    drawn = Timeline("<smoke>", 800, (Level("LEVEL", ((0, 20),), (30,)),), (), (Mark(300, "<b>late", wrong=True),))
    handed = []

    def draw(ids):
        handed.extend(ids)
        return {identifier: [drawn] for identifier in ids[:3]}

    text = write_report(landed[0], tmp_path / "drawn.html", draw=draw).read_text(encoding="utf-8")
    statuses = {unit["id"]: unit["status"] for unit in data(text)["units"]}
    order = [statuses[identifier] == "pass" for identifier in handed]
    assert order == sorted(order)
    assert re.findall(r'<details id="drawn-(\w+)"', text) == handed[:3]
    assert text.count("300 ms: &lt;b&gt;late") == 3
    assert 'href="#devices"' in text
    assert 'href="#devices"' not in write_report(landed[0], tmp_path / "bare.html").read_text(encoding="utf-8")


@pytest.mark.chromium
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_a_reply_that_is_opened_shows_its_picture(landed, tmp_path):
    drawn = Timeline("smoke", 800, (Level("LEVEL", ((0, 20),)),), ())
    page = write_report(landed[0], tmp_path / "drawn.html", draw=lambda ids: {ids[-1]: [drawn]})
    identifier = re.search(r'<details id="drawn-(\w+)"', page.read_text(encoding="utf-8"))[1]
    detail = re.search(r'<article class="detail".*?</article>', _dom(f"file://{page}#{identifier}", tmp_path), re.S)[0]
    assert "What the device did" in detail
    assert 'aria-label="smoke"' in detail


@pytest.mark.chromium
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_filters_search_and_keys_work_together(text, tmp_path):
    script = """<script>
      const set = (id, value, kind) => {
        const element = document.getElementById(id);
        element.value = value;
        element.dispatchEvent(new Event(kind));
      };
      const out = [];
      const say = () => out.push(document.getElementById("shown").textContent);
      const open = () => document.querySelector("#detail .mono").textContent;
      set("f-model", "local/tiny", "change"); say();
      set("f-config", "full", "change"); say();
      set("search", "hal_transmit", "input"); say();
      const before = open();
      dispatchEvent(new KeyboardEvent("keydown", { key: "j" }));
      out.push(String(before !== open()));
      set("search", "nothing holds this", "input"); say(); out.push(document.getElementById("detail").textContent);
      document.body.setAttribute("data-out", out.join("|"));
    </script></body>"""
    units = data(text)["units"]
    page = tmp_path / "page.html"
    page.write_text(text.replace("</body>", script), encoding="utf-8")
    tiny = [unit for unit in units if unit["model"] == "local/tiny"]
    full = [unit for unit in tiny if unit["config"] == "full"]
    found = [unit for unit in full if "hal_transmit" in json.dumps(unit).lower()]
    out = html.unescape(re.search(r'data-out="([^"]*)"', _dom(f"file://{page}", tmp_path)).group(1)).split("|")
    total = len(units)
    assert 1 < len(found) < len(full) < len(tiny) < total
    assert out == [f"{len(tiny)} of {total}", f"{len(full)} of {total}", f"{len(found)} of {total}", "true",
                   f"0 of {total}", "Nothing to show."]  # fmt: skip


def _dom(address, tmp_path):
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--dump-dom",
             f"--user-data-dir={tmp_path / 'profile'}"]  # fmt: skip
    return subprocess.run([CHROMIUM, *flags, address], capture_output=True, text=True, timeout=120, check=True).stdout
