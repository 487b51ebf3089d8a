"""What a model is shown: sections in order, the budget kept, what was cut recorded, and never the answer."""

import pytest

from corpora.code.prompt import CONFIGS, GAP, prompt
from tasks.contract import CONTEXT_KINDS, Config, ContextItem
from tasks.inference.tokens import estimate
from tasks.mining.leaks import leaks

HEADINGS = {
    "imports": "## Includes of the file",
    "types": "## Types that the function uses",
    "globals": "## Globals that the function uses",
    "calls": "## Functions that the function calls",
    "window": "## Code around the function in its file",
}


def user(sample, config):
    return prompt(sample, config).messages[1].content


def test_the_seven_configs_are_those_of_the_design():
    assert list(CONFIGS) == [
        "full", "no_imports", "no_window", "no_calls", "no_globals", "no_types", "no_context",
    ]  # fmt: skip
    assert all(config.name == name for name, config in CONFIGS.items())


def test_sections_stand_in_a_fixed_order(by_name):
    text = user(by_name["motor_tick"], CONFIGS["full"])
    places = [text.index(heading) for heading in HEADINGS.values()]
    assert places == sorted(places)


@pytest.mark.parametrize("kind", CONTEXT_KINDS)
def test_a_config_hides_its_kind_and_no_other(by_name, kind):
    sample = by_name["motor_tick"]
    text = user(sample, CONFIGS[f"no_{kind}"])
    assert [other for other, heading in HEADINGS.items() if heading not in text] == [kind]
    assert sample.description in text
    assert sample.signature in text


def test_without_context_the_task_is_left(by_name):
    text = user(by_name["motor_tick"], CONFIGS["no_context"])
    assert not any(heading in text for heading in HEADINGS.values())
    assert by_name["motor_tick"].signature in text


def test_includes_are_hidden_from_the_window_too(by_name):
    assert "#include" in user(by_name["motor_tick"], CONFIGS["full"])
    assert "#include" not in user(by_name["motor_tick"], CONFIGS["no_imports"])


def test_the_answer_is_never_shown(samples, by_name):
    for sample in samples:
        text = user(sample, CONFIGS["full"])
        if sample.category == "generation":
            assert not leaks(text, sample.reference), sample.sample_id
        else:
            assert text.count(GAP) == 2, "named once, standing once"
            assert f"{sample.prefix}{GAP}{sample.suffix}" in text
            if sample.category == "completion_block":
                assert sample.reference not in text


def test_the_window_stands_around_the_function(by_name):
    text = user(by_name["motor_tick"], CONFIGS["full"])
    here = text.index("/* the function stands here */")
    assert text.index("static void motor_log") < here < text.rindex("int motor_set")


@pytest.mark.parametrize("budget", [700, 1000, 1500, 8192])
def test_the_budget_is_kept_and_what_was_cut_recorded(samples, budget):
    config = Config(name="small", budget_tokens=budget, reply_tokens=200)
    for sample in samples:
        made = prompt(sample, config)
        held = sum(estimate(message.content) for message in made.messages)
        assert held <= made.tokens <= budget - 200
        shown = len(made.messages[1].content)
        whole = len(user(sample, Config(name="all", budget_tokens=10**6)))
        assert (shown < whole) == bool(made.cut), sample.sample_id


def item(kind, rank, text, line=None):
    return ContextItem(kind=kind, rank=rank, name=f"{kind}{rank}", start_line=line, found_by="text", text=text)


def test_rank_goes_before_kind_and_the_window_before_its_equals(by_name):
    filler = "\n".join(f"int filler_{n} = {n};" for n in range(12))
    items = [
        item(kind, rank, filler.replace("filler", f"{kind}{rank}"), 1) for kind in CONTEXT_KINDS for rank in (0, 1)
    ]
    sample = by_name["ring_put"].model_copy(update={"context": tuple(items)})
    bare = prompt(sample, CONFIGS["no_context"]).tokens
    room = bare + 2 * (estimate(items[2].text) + 60)
    made = prompt(sample, Config(name="two", budget_tokens=room, reply_tokens=0))
    whole = [one.name for one in items if one.text in made.messages[1].content]
    assert whole == ["window0", "calls0"]
    assert {cut.name for cut in made.cut} >= {"types0", "globals0", "imports0", "window1", "calls1"}


def test_a_window_keeps_its_near_end(by_name):
    lines = "\n".join(f"int before_{n};" for n in range(200))
    sample = by_name["ring_put"]
    line = sample.provenance["start_line"]
    assert line > 1
    sample = sample.model_copy(update={"context": (item("window", 0, lines, 1),)})
    bare = prompt(sample, CONFIGS["no_context"]).tokens
    made = prompt(sample, Config(name="some", budget_tokens=bare + 150, reply_tokens=0))
    text = made.messages[1].content
    assert "int before_199;" in text
    assert "int before_0;" not in text
    (cut,) = made.cut
    assert (cut.kind, cut.rank) == ("window", 0)
    assert 0 < cut.tokens < estimate(lines)


def test_a_long_visible_part_loses_its_outermost_lines(samples):
    sample = next(one for one in samples if one.category == "completion_block")
    far = "\n".join(f"  outer_{n}();" for n in range(400))
    sample = sample.model_copy(
        update={"prefix": f"void f() {{\n{far}\n  near();\n  ", "suffix": f"\n  next();\n{far}\n}}"}
    )
    made = prompt(sample, Config(name="small", budget_tokens=1200, reply_tokens=200))
    text = made.messages[1].content
    assert f"  near();\n  {GAP}\n  next();" in text
    assert "void f() {" not in text
    assert {cut.kind for cut in made.cut} >= {"prefix", "suffix"}
    assert made.tokens <= 1000


def test_a_prompt_is_a_pure_function(samples):
    for sample in samples[:5]:
        assert prompt(sample, CONFIGS["full"]) == prompt(sample, CONFIGS["full"])
