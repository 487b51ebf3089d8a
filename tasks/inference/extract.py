"""Take the answer out of a reply. Pure text in, text and the name of the rule out; docs/models.md lists the rules.

Code: thoughts, control tokens and envelopes go first. Then, of all fences, the one that reads most as C, is not
announced as an example, and is longest; fences are never joined. Without a fence that reads as C, the longest run of
lines that does. Prose alone gives nothing, under the rule `none`. A file in another language is the longest fence that
is not announced as an example, else the whole reply: nothing tells its lines from prose.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.inference import signatures as sign
from tasks.inference.answer_line import answer_line

OPENER = re.compile(r"^(?P<before>[^`~]*?)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
ONE_LINE = re.compile(r"```[ \t]*(?:(?P<tag>[\w+#-]+)[ \t]+)?(?P<code>[^`\n]+?)[ \t]*```")
KNOWN_TAGS = sign.C_TAGS | sign.FOREIGN_TAGS | {"text", "txt", "plaintext", "plain", "code", "none"}

LONGEST_LINE = 400
KINDS = ("code", "file", "token", "answer", "text")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a reply: inside a fence, or between fences. `above` is the last line of prose before it."""

    text: str
    fenced: bool
    tag: str = ""
    closed: bool = True
    above: str = ""

    @property
    def lines(self) -> int:
        """Lines that are not blank."""
        return sum(1 for line in self.text.splitlines() if line.strip())


def extract(text: str, kind: str) -> tuple[str, str]:
    """Return the answer in `text` and the rule that took it.

    `kind` is `code` (C), `file` (any other language), `token` (one identifier, literal or operator), `answer` (the
    last line `ANSWER: …`) or `text` (the whole reply). Raises ValueError for another.
    """
    if kind not in KINDS:
        raise ValueError(f"no way to read a reply as {kind!r}")
    if kind == "text":
        return text, "whole"
    body = _clean(text)
    if kind == "token":
        return _token(body)
    read = {"answer": answer_line, "file": _file, "code": _code}[kind]
    code, rule = read(body)
    if code or body == text or (kind == "answer" and sign.THOUGHT_CLOSE.search(text)):
        return code, rule  # an answer line inside thoughts that ended is a draft
    # The model was cut off, or stopped, inside its thoughts: what it wrote there is all there is.
    code, rule = read(_clean(sign.THOUGHT_CLOSE.sub("\n", sign.THOUGHT_OPEN.sub("\n", text))))
    return code, "thought" if code else rule


def _clean(text: str) -> str:
    """Drop thoughts, control tokens, a byte order mark and carriage returns."""
    text = sign.THOUGHT.sub("", text.replace("\r\n", "\n").lstrip("\ufeff"))
    text = sign.THOUGHT_CLOSE.split(text)[-1]  # a chat template may have opened the thought in the prompt
    text = sign.THOUGHT_OPEN.split(text)[0]
    return sign.SPECIAL.sub("", text)


def _code(text: str) -> tuple[str, str]:
    for opening, closing in sign.ENVELOPES:
        if (start := opening.search(text)) is None:
            continue
        end = closing.search(text, start.end())
        inside = text[start.end() : end.start() if end else len(text)]
        code, rule = _plain(inside)
        if code:
            return code, "envelope" if rule == "unfenced" else rule
    return _plain(text)


def _file(text: str) -> tuple[str, str]:
    fences = [block for block in _blocks(text) if block.fenced and block.lines]
    if fences:
        longest = max(block.lines for block in fences)
        best = max(fences, key=lambda block: (_standing(block, longest), block.lines))
        return _trim(best.text), "unclosed_fence" if not best.closed else "fence" if len(fences) == 1 else "best_fence"
    whole = _trim(text)
    return whole, "unfenced" if whole else "none"


def _plain(text: str) -> tuple[str, str]:
    blocks = list(_blocks(text))
    fences = [block for block in blocks if block.fenced and block.lines]
    good = [block for block in fences if _reads_as_c(block)]
    if good:
        # `max` keeps the first of equals; a fence called final may not be a scrap beside one four times its length.
        longest = max(block.lines for block in good)
        best = max(good, key=lambda block: (_standing(block, longest), block.lines))
        if _standing(best, longest) >= 0 or not _outside(blocks):
            return _trim(best.text), _fence_rule(best, fences)
    if outside := _outside(blocks):
        return outside, "stray_fence" if any(block.fenced for block in blocks) else "unfenced"
    if good:
        return _trim(best.text), _fence_rule(best, fences)
    neutral = [block for block in fences if block.tag not in sign.FOREIGN_TAGS and not _all_prose(block.text)]
    if neutral:
        best = max(neutral, key=lambda block: block.lines)
        return _trim(best.text), _fence_rule(best, fences)
    if inline := [match for match in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text) if sign.ENDING.search(_short(match))]:
        return max(inline, key=len).strip(), "inline"
    return "", "none"


def _fence_rule(best: Block, fences: list[Block]) -> str:
    if not best.closed:
        return "unclosed_fence"
    if len(fences) > 1:
        return "best_fence"
    return "wrong_tag_fence" if best.tag in sign.FOREIGN_TAGS else "fence"


def _blocks(text: str) -> Iterator[Block]:
    """Cut a reply at its fences (CommonMark's rules, and the ways models bend them)."""
    outside: list[str] = []
    inside: list[str] = []
    fence, tag, above, indent = "", "", "", 0
    for line in ONE_LINE.sub(_spread, text).split("\n"):
        if not fence:
            opener = _opener(line)
            if opener is None:
                outside.append(line)
                continue
            before, fence, tag, first = opener
            if before.strip(" \t>*-0123456789."):
                outside.append(before)
            indent = len(line) - len(line.lstrip(" ")) if not before.strip() else 0
            above = next((one for one in reversed(outside) if one.strip()), "")
            yield Block("\n".join(outside), False)
            outside, inside = [], [first] if first else []
        elif _closes(line.strip(), fence):
            yield Block("\n".join(inside), True, tag, True, above)
            fence = ""
        elif (last := _glued(line, fence)) is not None:
            yield Block("\n".join([*inside, last]), True, tag, True, above)
            fence = ""
        else:
            inside.append(line[indent:] if not line[:indent].strip() else line)
    yield Block("\n".join(inside), True, tag, False, above) if fence else Block("\n".join(outside), False)


def _spread(match: re.Match[str]) -> str:
    """Write a fence that opens and closes on one line over three."""
    tag = match["tag"] or ""
    code = match["code"] if tag.lower() in KNOWN_TAGS or not tag else f"{tag} {match['code']}"
    return f"\n```{tag if tag.lower() in KNOWN_TAGS else ''}\n{code}\n```\n"


def _opener(line: str) -> tuple[str, str, str, str] | None:
    """Return what stands before an opening fence, the fence, its tag, and code that follows on its line."""
    match = OPENER.match(line)
    if match is None:
        return None
    info = match["info"].strip()
    tag, _, rest = info.partition(" ")
    tag = tag.strip("{}.").partition(":")[0].partition(",")[0].lower()
    if tag in KNOWN_TAGS:
        return match["before"], match["fence"], tag, rest if sign.ENDING.search(_short(rest)) else ""
    if sign.ENDING.search(_short(info)):
        return match["before"], match["fence"], "", info
    return match["before"], match["fence"], tag, ""


def _glued(line: str, fence: str) -> str | None:
    """Return the code on a line that ends in the closing fence; None if it does not, or if that is in a comment."""
    code = line.rstrip().rstrip(fence[0])
    closed = len(line.rstrip()) - len(code) >= len(fence)
    return code.rstrip() if closed and code.strip() and "//" not in code else None


def _closes(line: str, fence: str) -> bool:
    return len(line) >= len(fence) and not line.strip(fence[0])


def _standing(block: Block, longest: int) -> int:
    """Return 1 for a fence announced as the answer, -1 for one announced as something else, else 0."""
    if sign.PROMOTED.search(_short(block.above)) and 4 * block.lines >= longest:
        return 1
    return -1 if sign.DEMOTED.search(_short(block.above)) else 0


def _reads_as_c(block: Block) -> bool:
    lines = [line for line in block.text.splitlines() if line.strip()]
    code = sum(map(_is_code, lines))
    if block.tag in sign.C_TAGS:
        return code > 0
    return code > 0 and 2 * code >= len(lines) and not _foreign(lines)


def _foreign(lines: list[str]) -> bool:
    """Whether lines that end as C does are of another language after all."""
    return any(sign.FOREIGN.match(_short(line)) for line in lines) or bool(sign.JSON.match("\n".join(lines).strip()))


def _outside(blocks: list[Block]) -> str:
    """Return the longest run of C in the parts outside fences, or in a fence no one closed."""
    found = [_run(block.text) for block in blocks if not block.fenced]
    return max(found, key=lambda code: code.count("\n") + bool(code), default="")


def _run(text: str) -> str:
    """Return the lines from the first to the last that are C, unless prose parts them; then the longer part."""
    runs: list[list[str]] = [[]]
    comment = False
    depth = 0
    for line in text.split("\n"):
        kind = (
            "code"
            if comment or _is_code(line)
            else "prose"
            if _is_prose(line) and (depth <= 0 or _said(line))
            else "other"
        )
        if kind == "code":
            comment = _in_comment(line, comment)
            depth += _nesting(line) if not comment else 0
        if kind == "prose":
            runs.append([])
            depth = 0
        elif kind == "code" or runs[-1] or _fragment(line):
            runs[-1].append(line)
    kept = [_trim("\n".join(run)) for run in runs if any(map(_is_code, run))]
    return max(kept, key=lambda code: len(code.split("\n")), default="")


def _in_comment(line: str, inside: bool) -> bool:
    opened, closed = line.rfind("/*"), line.rfind("*/")
    return closed < 0 if inside else opened > closed


def _nesting(line: str) -> int:
    """Return how many brackets a line opens and leaves open, strings and comments aside."""
    bare = re.sub(r"""\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|//.*|/\*.*?\*/""", "", line)
    return sum(map(bare.count, "{(")) - sum(map(bare.count, "})"))


def _fragment(line: str) -> bool:
    """Whether a line may begin a definition whose first sure line is still to come: `ATTR`, `foo(int a)`."""
    return bool(re.match(r"^\s*[A-Za-z_]\w*(?:\s*\(.*)?$", line))


def _is_code(line: str) -> bool:
    line = _short(line)
    if not line.strip() or sign.CHATTER.match(line):
        return False
    if sign.STATEMENT.match(line):
        return True
    ends = bool(sign.ENDING.search(line))
    if sign.DECLARATION.match(line):
        return ends or bool(re.search(r"[()=*&<]", line))
    if _is_prose(line):
        return False
    return ends or bool(sign.CALL.match(line)) or bool(sign.LABEL.match(line))


def _is_prose(line: str) -> bool:
    line = _short(line)
    if sign.CHATTER.match(line):
        return True
    if re.search(r"[;{}\\]\s*$", line) or sign.STATEMENT.match(line):
        return False
    return bool(sign.PROSE.match(line)) and not re.search(r"->|::|\w\(.*\)\s*$|==|&&|\|\||\w\[\w*\]|\w = ", line)


def _short(line: str) -> str:
    """Return the two ends of a line too long to be matched against every pattern in bounded time."""
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 100] + line[-100:]


def _said(line: str) -> bool:
    """Whether a line is prose however many brackets are open, as `#if` branches may leave some."""
    line = _short(line)
    return line[:1].isalpha() and line.rstrip().endswith((".", ":", "!")) and bool(sign.CHATTER.match(line))


def _all_prose(text: str) -> bool:
    return all(_is_prose(line) for line in text.splitlines() if line.strip())


def _trim(code: str) -> str:
    """Drop blank lines around code, and the space after it; the first line keeps its indentation."""
    lines = code.rstrip().split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)


def _token(text: str) -> tuple[str, str]:
    """Return one token; see `extract`."""
    text = text.strip()
    for block in _blocks(text):
        if block.fenced and block.text.strip():
            return _bare(block.text.strip().split("\n")[0].strip()), "fence"
    if sign.TOKEN.fullmatch(text) and not re.fullmatch(r"'\w{2,}'", text):
        return text, "whole"
    bare = _bare(text)
    if bare != text and "\n" not in bare:
        return bare, "quoted"
    for said in sign.SAID.finditer(text):
        if token := _first(text[said.end() :]):
            return token, "said"
    marked = [_bare(span) for span in re.findall(r"`[^`\n]+`|\*\*[^*\n]+\*\*|“[^”\n]+”", text)]
    if token := next((span for span in marked if sign.TOKEN.fullmatch(span)), ""):
        return token, "quoted"
    first = text.split("\n")[0].strip()
    if first and not _is_prose(first) and (match := sign.TOKEN.match(first)) and not sign.MASKS.match(first):
        return match.group(), "first"
    last = text.split("\n")[-1].strip()
    if sign.TOKEN.fullmatch(last):
        return last, "last_line"
    return "", "none"


def _first(text: str) -> str:
    """Return the token that `text` starts with, in or out of quotes; empty if it starts with the name of the gap."""
    text = text.lstrip()
    for left, right in sign.QUOTES:
        if text.startswith(left) and (end := text.find(right, len(left))) > 0:
            inside = text[len(left) : end].strip()
            return inside if sign.TOKEN.fullmatch(inside) and not sign.MASKS.match(inside) else ""
    match = sign.TOKEN.match(text)
    if match is None or re.match(r"(?:the|a|an|that|to|not)\b", text, re.I):
        return ""
    rest = text[match.end() :].strip(" .\n")
    return match.group() if not rest or rest.startswith(("\n", ",", "(", "because", "since", "as ")) else ""


def _bare(text: str) -> str:
    """Take off quotes around one token; a string literal on its own keeps its own."""
    for left, right in sign.QUOTES:
        inside = text[len(left) : len(text) - len(right)].strip()
        if text.startswith(left) and text.endswith(right) and len(text) > len(left) and inside:
            literal = left == right == '"' or (left == "'" and not re.fullmatch(r"\w{2,}", inside))
            if not literal and sign.TOKEN.fullmatch(inside):
                return inside
    return text
