"""What a function is for, in words, without giving its code away: from a model, else its comment, else its signature.

The paper (section III-B, "Description Generation", Figure 5) has a model write a functional intent from the code and
its context. The wording here is ours. A model's text that would show the code is refused, and the row says why.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tasks.contract import ContextItem, Frozen, Message
from tasks.mining.leaks import body, leaks, statements

PROMPT_VERSION = "1"
"""Changes when the wording below does; a build keeps it beside the descriptions it made."""

LONGEST_CHARS = 1500
FEWEST_WORDS = 3
CONTEXT_CHARS = 4000
"""How much of the context a describing model is shown, whole items in rank order."""

SYSTEM = """\
You document embedded C and C++ firmware. Another engineer will write the function from your description alone, with
the surrounding project at hand. Say what the function is for, what it takes and returns, which state or hardware it
reads and changes, and what it does in error cases and at limits. Describe intent and observable effect, not the steps
of the code one after another. Write plain prose of two to six sentences. Write no code: no fences, no statements, no
expressions; name functions, types and globals only where the task cannot be understood without them."""

TAG_WORDS: dict[str, str] = {
    "brief": "",
    "short": "",
    "details": "",
    "fn": "",
    "param": "Parameter",
    "tparam": "Template parameter",
    "return": "Returns",
    "returns": "Returns",
    "result": "Returns",
    "retval": "Returns",
    "note": "Note:",
    "warning": "Warning:",
    "attention": "Attention:",
    "pre": "Before:",
    "post": "After:",
    "see": "See",
    "sa": "See",
    "ref": "",
    "p": "",
    "c": "",
    "a": "",
    "b": "",
    "e": "",
    "em": "",
}
"""Doxygen commands as words; one that is not here keeps its own name."""

BOILERPLATE = re.compile(r"SPDX-License-Identifier|copyright|all rights reserved|licensed under", re.IGNORECASE)
FENCE = re.compile(r"```|~~~")
CODE_LINE = re.compile(r"[;{}]\s*$|^\s*#\s*(?:include|define|if|endif|else)\b", re.MULTILINE)
TAG = re.compile(r"(?<![\w@\\])[@\\]([A-Za-z]+)(\[[\w, ]*\])?")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
MARKER = re.compile(r"^\s*(?:/\*[*!]*<?|//[/!]*<?|\*+(?!/))|\s*\*+/\s*$|\s\*+\s*$")
RULE = re.compile(r"^[\s*=#~/_.-]*$")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Description(Frozen):
    """A description, where it is from (`model:<name>`, `comment`, `signature`), and why a better one was refused."""

    text: str
    source: str
    refused: str | None = None


def describe(
    function: Mapping[str, Any],
    context: Iterable[ContextItem] = (),
    ask: Callable[[list[Message]], str] | None = None,
    *,
    model: str = "unnamed",
) -> Description:
    """Describe a row of the `functions` table.

    `ask` sends messages to the model called `model` and returns its text; what it raises is not caught, so a release
    never depends on which requests happened to fail. A text that `refusal` names a reason for is replaced by the
    function's comment, and an unusable comment by a sentence made of its signature; `refused` keeps the reasons.
    """
    reasons = []
    if ask is not None:
        text = ask(prompt(function, context)).strip()
        reason = refusal(text, function["text"])
        if reason is None:
            return Description(text=text, source=f"model:{model}")
        reasons.append(f"model: {reason}")
    if function.get("comment"):
        text = clean_comment(function["comment"])
        reason = "boilerplate" if BOILERPLATE.search(text) else refusal(text, function["text"])
        if reason is None:
            return Description(text=text, source="comment", refused="; ".join(reasons) or None)
        reasons.append(f"comment: {reason}")
    return Description(text=from_signature(function), source="signature", refused="; ".join(reasons) or None)


def prompt(function: Mapping[str, Any], context: Iterable[ContextItem]) -> list[Message]:
    """Return what a describing model is shown: the function, and context items while they fit `CONTEXT_CHARS`."""
    shown, left = [], CONTEXT_CHARS
    for item in context:
        if len(item.text) <= left:
            left -= len(item.text)
            shown.append(f"[{item.kind}] {item.name}\n{item.text.strip()}")
    name = function.get("qualified_name") or function["name"]
    parts = [f"Describe the function {name} of {function['path']}.", f"Function:\n{function['text'].strip()}"]
    if shown:
        parts.append("What it uses:\n" + "\n\n".join(shown))
    return [Message(role="system", content=SYSTEM), Message(role="user", content="\n\n".join(parts))]


def refusal(text: str, target: str) -> str | None:
    """Return why `text` may not describe the function `target`, as a short word, or None if it may."""
    if not text.strip():
        return "blank"
    if FENCE.search(text):
        return "code_fence"
    if len(text) > LONGEST_CHARS:
        return "too_long"
    if len(WORD.findall(text)) < FEWEST_WORDS:
        return "too_short"
    if leaks(text, target) or _quotes(text, target):
        return "target_line"
    return "code_like" if CODE_LINE.search(text) else None


def clean_comment(comment: str) -> str:
    """Return the words of a comment: markers, rules and indentation gone, Doxygen commands said in words.

    A paragraph becomes a line, and a line that opens with a command stays a line of its own.
    """
    paragraphs: list[list[str]] = [[]]
    for line in comment.splitlines():
        bare = MARKER.sub("", MARKER.sub("", line, count=1)).strip()
        if RULE.match(bare) or TAG.match(bare):
            paragraphs.append([])
        if not RULE.match(bare):
            paragraphs[-1].append(TAG.sub(_tag_words, bare))
    joined = (" ".join(" ".join(lines).split()) for lines in paragraphs)
    return "\n".join(text for text in joined if text)


def from_signature(function: Mapping[str, Any]) -> str:
    """Return a sentence that says of a function what its signature says: name, parameters, what it returns."""
    signature = " ".join(COMMENT.sub(" ", function.get("signature") or "").split())
    name = function.get("qualified_name") or function["name"]
    language = {"c": "C", "cpp": "C++"}.get(function.get("language") or "", "C or C++")
    words = " ".join(word.lower() for word in WORD.findall(function["name"]))
    text = f"Implement the {language} function `{name}` (in words: {words})."
    return f"{text} Its signature is `{signature}`." if signature else text


def _tag_words(match: re.Match[str]) -> str:
    command, direction = match.group(1), match.group(2) or ""
    word = TAG_WORDS.get(command.lower(), command)
    return f"{word} ({direction.strip('[]')})" if direction and word else word


def _quotes(text: str, target: str) -> bool:
    """Whether a substantial statement of the body stands in the prose, white space aside; `leaks` needs two."""
    squeezed = "".join(text.split())
    found = (statement.text for statement in statements(body(target)))
    return any(text in squeezed and not text.isidentifier() for text in found)
