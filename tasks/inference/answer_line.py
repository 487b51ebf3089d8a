"""The line of a reply that states its answer: `ANSWER: <value>`, however a model dresses it. The last one wins.

Found with or without Markdown, LaTeX, quotes and list marks around it, in any case at the start of a line
(`**Final answer:** 5`), in capitals anywhere in one (`so it is 5. ANSWER: 5`), and with the value below it. A marker
with nothing behind it, or with a placeholder (`ANSWER: <value>`), is none.
"""

import re

MARKER = re.compile(r"(?<![A-Za-z])answer(?:[\s*_`~\"'})]{0,8}|\s{0,2}\([^()\n]{0,40}\)\s{0,2})[:：]", re.IGNORECASE)
LEAD = re.compile(
    r"^(?:(?:so|thus|hence|therefore|and|the|my|your|final|correct|numeric(?:al)?)\b[\s,*_`]*)*$", re.IGNORECASE
)
DRESS = re.compile(
    r"\\(?:text|textbf|mathbf|mathrm|boxed|fbox|large|Large|bf)\b|[\s>#*_`~|\-•·.)($\\{}\[\"'“‘✅]|\d+[.)]\s|<[^<>]{1,12}>"
)
SHUT = re.compile(r"^(?:<(?:[a-z_]+ ?)+>|\[(?:value|number|answer)\]|\.{3}|…|_{3,})[\s`*\"'.)}]*$", re.IGNORECASE)
FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})\s*[\w+-]*\s*$")
MOST_LINES_BELOW = 4
MOST_CHARACTERS = 400


def answer_line(text: str) -> tuple[str, str]:
    """Return `ANSWER: <value>` with the value of the last answer line as it stands, and the rule that found it.

    The rule is `answer_line`, `line_below` where the value stands under the marker, or `none` with an empty text. Of a
    value no more than 400 characters are kept, one more than any value has that can be read.
    """
    for marker in reversed(list(MARKER.finditer(text))):
        start = text.rfind("\n", 0, marker.start()) + 1
        if not _announces(text[start : marker.start()], marker.group()):
            continue
        first, *below = text[marker.end() : marker.end() + 4 * MOST_CHARACTERS].split("\n")
        if _says(first):
            return _line(first), "answer_line"
        if SHUT.match(first.strip(" *_`\"'")):
            continue
        value = next(iter(_below(below)), "")
        if _says(value) and not MARKER.search(value):
            return _line(value), "line_below"
    return "", "none"


def _announces(before: str, marker: str) -> bool:
    """Whether a marker states an answer: alone at the start of its line, or in capitals within one."""
    if len(before) > MOST_CHARACTERS:
        return marker.startswith("ANSWER")
    bare = before
    for _ in range(3):  # a list mark before a heading mark before a bracket: each round frees the next
        bare = DRESS.sub(" ", bare).strip()
    return marker.startswith("ANSWER") or LEAD.match(bare) is not None


def _says(value: str) -> bool:
    """Whether there is a letter or a digit that is part of an answer."""
    bare = value.strip(" *_`\"'")
    return bool(re.search(r"\w", value.replace("_", ""))) and not SHUT.match(bare) and not FENCE.match(value)


def _below(lines: list[str]) -> list[str]:
    """Return the first lines under a marker that say something; math and code fences do not."""
    return [line for line in lines if _says(line)][:MOST_LINES_BELOW]


def _line(value: str) -> str:
    return f"ANSWER: {value.strip()[:MOST_CHARACTERS]}"
