"""Near-duplicates against comparing all pairs, and the copies that embedded trees are full of."""

import os
import subprocess
import sys
from random import Random

from tasks.curation.near_duplicates import SHINGLE, SIMILARITY, mark, tokens

BODY = "\n".join(f"    reg_write(dev, REG_{n}, value_{n} << {n % 8});" for n in range(30))
FUNCTION = f"static int setup(struct dev *dev)\n{{\n{BODY}\n    return 0;\n}}\n"


def row(name, text, **fields):
    return {"function_id": name, "text": text, "project_id": "p", "path": f"{name}.c", "start_byte": 0, **fields}


def slow_similarity(one, other):
    """Jaccard of the sets of token runs, written down as the definition says."""
    sets = []
    for text in (one, other):
        found = tokens(text)
        width = min(SHINGLE, len(found))
        sets.append({tuple(found[n : n + width]) for n in range(len(found) - width + 1)})
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def corpus(families=20, seed=3):
    """Families of one function with 0 to 30 of 40 statements changed."""
    random = Random(seed)
    rows = []
    for family in range(families):
        lines = [f"a{family}_{n} = f{n}(x, {random.randrange(10**6)});" for n in range(40)]
        for copy in range(5):
            changed = lines[:]
            for place in random.sample(range(40), random.choice([0, 1, 2, 4, 8, 15, 30])):
                changed[place] = f"b{family}_{copy}_{place}(y);"
            rows.append(row(f"{family:02}/{copy}", "void f(void) {" + "\n".join(changed) + "}"))
    return rows


def test_every_mark_is_true_and_nearly_every_pair_of_copies_is_found():
    rows = corpus()
    texts = {item["function_id"]: item["text"] for item in rows}
    marked = mark(rows)
    assert all(slow_similarity(texts[copy], texts[original]) >= SIMILARITY for copy, original in marked.items())
    assert not set(marked.values()) & set(marked)

    originals, expected = [], set()
    for item in rows:
        if any(slow_similarity(item["text"], texts[other]) >= SIMILARITY for other in originals):
            expected.add(item["function_id"])
        else:
            originals.append(item["function_id"])
    assert len(expected) > 30
    assert len(set(marked) & expected) >= 0.9 * len(expected)


def test_layout_and_comments_do_not_count_and_names_do():
    flat = "// licence\n" + " ".join(FUNCTION.replace("{", "{ /* begin */").split())
    other = FUNCTION.replace("reg_write", "bus_write").replace("REG_", "ADDR_")
    assert mark([row("a", FUNCTION), row("b", flat), row("c", other)]) == {"b": "a"}


def test_one_changed_line_is_a_near_duplicate_across_projects():
    patched = FUNCTION.replace("REG_7", "REG_FIXED")
    assert mark([row("a", FUNCTION, project_id="x"), row("b", patched, project_id="y")]) == {"b": "a"}


def test_the_original_is_a_project_s_own_code_before_a_vendored_copy():
    vendored = row("a", FUNCTION, project_id="app", vendored=True)
    own = row("z", FUNCTION, project_id="rtos", vendored=False)
    assert mark([vendored, own]) == {"a": "z"}


def test_copies_of_a_copy_point_to_the_original_never_to_each_other():
    lines = [f"call_{n}(n, {n});" for n in range(60)]
    versions = []
    for step in range(6):
        versions.append("void f(int n) {" + "\n".join(["patched();"] * 3 * step + lines[3 * step :]) + "}")
    marked = mark([row(f"v{step}", text) for step, text in enumerate(versions)])
    assert marked
    assert not set(marked.values()) & set(marked)
    assert "v0" not in marked


def test_short_functions_are_duplicates_only_of_the_same_tokens():
    getters = [row(f"g{n}", f"int get_{n}() {{ return {n}; }}") for n in range(5)]
    assert mark([*getters, row("same", "int get_3() {\n  return 3;\n}")]) == {"same": "g3"}
    assert mark([row("a", "X Y"), row("b", "X  Y"), row("c", "X Z")]) == {"b": "a"}


def test_texts_without_tokens_are_left_alone():
    assert mark([row("a", ""), row("b", " \n"), row("c", "// only"), row("d", "/* open")]) == {}


def test_odd_text_has_some_reading():
    assert tokens('a = "un\\"closed // no" + \'"\'; // gone\n/* gone */ b') == [
        b"a", b"=", b'"un\\"closed // no"', b"+", b"'\"'", b";", b"b",
    ]  # fmt: skip
    assert tokens("0x1Fu 1e-3 1'000 µ \ud800 \"open")[:3] == [b"0x1Fu", b"1e-3", b"1'000"]


def test_the_order_of_the_rows_does_not_matter():
    rows = corpus(12)
    marked = mark(rows)
    for seed in range(3):
        Random(seed).shuffle(rows)
        assert mark(rows) == marked


def test_the_marks_do_not_depend_on_the_hash_seed():
    code = (
        "from tasks.curation.near_duplicates import mark\n"
        "rows = [{'function_id': str(n), 'text': ' '.join(f'w{n // 3}_{k};' for k in range(50)) + 'z' * (n % 3)}"
        " for n in range(60)]\n"
        "print(list(mark(rows).items()))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(seen) == 1
    assert "('1', '0')" in seen.pop()


def test_a_data_table_of_a_hundred_thousand_tokens_goes_through_in_pieces():
    table = ", ".join(str(n * 7919 % 100_003) for n in range(50_000))
    assert mark([row("a", f"int t[] = {{{table}}};"), row("b", f"int t[] = {{{table}, 1}};")]) == {"b": "a"}
