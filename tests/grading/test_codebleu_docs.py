"""The table of docs/codebleu.md is computed here; `python tests/grading/test_codebleu_docs.py` prints it."""

import re
from pathlib import Path

from codebleu import calc_codebleu

from tasks.grading.codebleu import Reference, codebleu
from tasks.grading.codebleu_package import PackageCodeBleu, PackageFailure

SUM = """int sum(const int *v, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += v[i];
    }
    return s;
}"""
STOP = "void stop(void) { halt(); reset(); }"
LABEL = 'void f(int a) { puts("ü"); int x = a; x = x + a; g(x); }'
REPEAT = "void f(void) { put(1); }"
NESTED = "int f(int n) { int s = 0; " + "while (n) { " * 18 + "s = s + n; " + "}" * 18 + " return s; }"
COPY = "int f(int a) { int b = a + 1; return b; }"
OTHERS = ("int a(int x) { return x; }", "int b(int y) { y = y + 1; return y; }")

# case, reference, reply, why they differ
CASES = [
    ("the reference itself", SUM, SUM, "they agree"),
    ("the same code, other layout", SUM, re.sub(r"\s*([^\w\s])\s*", r"\1", SUM),
     "there tokens are cut at blanks, here by a C lexer"),
    ("the same code with comments", SUM, SUM.replace("int s", "// the sum\n    int s"),
     "there comments are tokens of both n-gram matches"),
    ("an empty reply", SUM, "", "there a data flow of 0 counts as 1"),
    ("a refusal", SUM, "I cannot help with that.", "the same"),
    ("a stub", SUM, "int sum(const int *v, int n) { return 0; }", "the same"),
    ("the reference, three tokens long", "int x;", "int x;",
     "there orders that the reference is too short for count as 0.1, and no data flow shows as 0"),
    ("no data flow in the reference, one call lost", STOP, STOP.replace(" reset();", ""),
     "there it counts as 1; here the mean is over the three others"),
    ("locals renamed", SUM, SUM.replace("s ", "acc ").replace("s;", "acc;"), "n-grams; here data flow stays 1"),
    ("`i++` lost", SUM, SUM.replace("i++", ""), "there `i++` and initialised declarations carry no data"),
    ("the loop unrolled into one step", SUM, SUM.replace("for (int i = 0; i < n; i++)", "int i = 0; if (i < n)"),
     "here values carried round the loop are edges"),
    ("one constant changed", SUM, SUM.replace("s = 0", "s = 1"), "n-grams"),
    ("a repeated statement", REPEAT.replace("put(1);", "put(1); put(1); put(1);"), REPEAT,
     "there one subtree of the reply matches any number of the reference's"),
    ("a letter beyond ASCII", LABEL, LABEL.replace("ü", "u"), "there columns in bytes index characters"),
    ("an initialised declaration lost its value", COPY, COPY.replace(" = a + 1", ""),
     "there C goes through C#'s rules: `b` does not come from `a`, and its bare name is a value"),
    ("the second of two references", OTHERS, OTHERS[1], "there references are summed, here the best one counts"),
    ("18 loops in each other, itself", NESTED, NESTED, "there each loop doubles the time"),
]  # fmt: skip


def table() -> str:
    lines = [
        "| case | package | ours | of ours: n-gram, weighted, syntax, data flow | why they differ |",
        "|---|---|---|---|---|",
    ]
    with PackageCodeBleu(timeout_s=120.0) as package, PackageCodeBleu(timeout_s=1.0) as hasty:
        for name, reference, reply, why in CASES:
            several = [reference] if isinstance(reference, str) else list(reference)
            here = codebleu(Reference(several, "c"), reply)
            if len(several) > 1:
                shown = f"{calc_codebleu([several], [reply], 'c')['codebleu']:.3f}"
            else:
                there = (hasty if reference is NESTED else package).score(several[0], reply, "c")
                shown = there.reason if isinstance(there, PackageFailure) else f"{there.score:.3f}"
            four = (here.ngram, here.weighted_ngram, here.syntax, here.dataflow)
            parts = ", ".join("none" if part is None else f"{part:.2f}" for part in four)
            lines.append(f"| {name} | {shown} | {here.score:.3f} | {parts} | {why} |")
    return "\n".join(lines)


def test_the_table_in_the_documentation_is_true():
    page = Path(__file__).parents[2] / "docs" / "codebleu.md"
    assert table() in page.read_text(encoding="utf-8")


if __name__ == "__main__":
    print(table())
