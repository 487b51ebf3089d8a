"""What replies look like, as data: the tables `extract` reads."""

# ruff: noqa: E501, SIM905
import re

THOUGHT = re.compile(r"<(think|thinking|thought|reasoning|scratchpad)>.*?</\1>(?:[ \t]*\n)?", re.I | re.S)
THOUGHT_OPEN = re.compile(r"<(?:think|thinking|thought|reasoning|scratchpad)>", re.I)
THOUGHT_CLOSE = re.compile(r"</(?:think|thinking|thought|reasoning|scratchpad)>(?:[ \t]*\n)?", re.I)

SPECIAL = re.compile(
    r"<\|(?:im_start|im_end|endoftext|eot_id|end|assistant|user|system|end_of_text|eom_id)\|>(?:assistant\n)?"
    r"|<(?:end_of_turn|eos)>|</s>(?=\s*$)|\[/?(?:INST|ASST)\]|<\uff5cend\u2581of\u2581sentence\uff5c>"
)
"""Control tokens that a server failed to take out."""

_EDGE, _NOUN = (
    r"^[\t \[<#=\-*_]{0,40}",
    r"(?:[ _-]?(?:OF )?(?:THE )?(?:C|CODE|ANSWER|SOLUTION|FUNCTION|OUTPUT|FILE|REPLY))?",
)
_CLOSE = r"[\]>#=\-*_: ]{0,40}$"
ENVELOPES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(_EDGE + "(?:BEGIN|START)" + _NOUN + _CLOSE, re.M), re.compile(_EDGE + "(?:END|STOP)" + _NOUN + _CLOSE, re.M)),
    (re.compile(r"<code(?: [^>\n]*)?>", re.I), re.compile(r"</code>", re.I)),
    (re.compile(r"<(?:answer|solution|completion)>", re.I), re.compile(r"</(?:answer|solution|completion)>", re.I)),
    (re.compile(r"\[(?:CODE|C|ANSWER)\]"), re.compile(r"\[/(?:CODE|C|ANSWER)\]")),
    (re.compile(r"\\begin\{(?:verbatim|lstlisting|minted)\}(?:\{\w+\}|\[[^\]\n]*\])?"), re.compile(r"\\end\{(?:verbatim|lstlisting|minted)\}")),
)  # fmt: skip
"""Opening and closing marks around an answer; the closing one may be missing. Capitals alone on a line: STM32's
`/* USER CODE BEGIN 1 */` is code."""

C_TAGS = frozenset(
    "c c++ cpp cc cxx h hpp h++ ino arduino objc objective-c objectivec cuda glsl c99 c11 c17 ansi-c".split()
)
FOREIGN_TAGS = frozenset(
    "bash sh shell zsh console terminal powershell cmd json yaml yml toml ini xml html css javascript js typescript ts "
    "python py ruby rust go java kotlin swift diff patch makefile make cmake dockerfile sql markdown md plantuml uml "
    "mermaid dot log output asm csv".split()
)
"""Tags of fences that do not hold the answer unless what is in them reads as C."""

FOREIGN = re.compile(
    r"^\s*(?:\$ |gcc |g\+\+ |clang |make\b|cmake |cd |\./|sudo |apt |pip |def \w+\(.*\).*:\s*$|from \w+ import\b|import \w+\s*$|@startuml)"
)
"""A line of a shell, of Python, of PlantUML."""
JSON = re.compile(r"[{\[]\s*(?:\"[^\"\n]*\"\s*[:,]|[}\]]$)")

DEMOTED = re.compile(
    r"\b(usage|use it like|how to use|you (?:can|could|would|might) (?:call|use|test|compile|run)|to (?:test|compile|run|use|call)\b"
    r"|for example|example|sample (?:call|usage|output)|test (?:case|code|program|driver|harness)|unit test|demo"
    r"|output|header file|original|given|existing|current|before|previous|first (?:draft|attempt|version)|buggy|incorrect"
    r"|wrong|instead of|summary|recap|changes?\b|key (?:line|part)s?|skeleton|pseudo-?code|naive|declaration|prototype"
    r"|assum(?:e|ing)|helper (?:macro|struct|type)s?|alternativ\w*|optional(?:ly)?|if you prefer)\b", re.I
)  # fmt: skip
"""What the line above a fence says when the fence is not the answer."""

PROMOTED = re.compile(
    r"\b(final|corrected|fixed|complete(?:d)?|full|whole|improved|updated|revised|implementation|implemented|solution|answer"
    r"|after|put(?:ting)? (?:it|everything) together|rewritten)\b", re.I
)  # fmt: skip
"""What the line above a fence says when it is; it outweighs `DEMOTED` on the same line."""

DECLARATION = re.compile(
    r"^\s*(?:static|inline|extern|const|volatile|unsigned|signed|void|bool|_Bool|char|short|int|long|float|double|size_t|ssize_t"
    r"|u?int(?:8|16|32|64|ptr|max)?_t|[su](?:8|16|32|64)|struct|union|enum|class|typedef|template|namespace|using|auto"
    r"|constexpr|virtual|explicit|friend|public:|private:|protected:|std::\w+|[A-Za-z_]\w*(?:::~?\w+)+|[A-Za-z_]\w*_t)\b"
)  # fmt: skip
STATEMENT = re.compile(
    r"^\s*(?:#\s*(?:include|define|if|ifdef|ifndef|else|elif|endif|undef|pragma|error)\b"
    r"|//|/\*|\*/|\*\s|(?:\}\s*)?(?:if|else if|for|while|switch)\s*\(|(?:\}\s*)?else\b\s*(?:\{|$|//)|do\s*(?:\{|$)"
    r"|(?:case\b.*|default\s*):|(?:break|continue)\s*;|return\b[^.]*;|goto\s+\w+\s*;|[{}]|__attribute__|\[\[|@\w+\s*$"
    r"|(?:[A-Z_0-9]+\s*)?\"(?:[^\"\\]|\\.)*\"\s*(?:[A-Z_0-9]+\s*)?[,);]*\s*(?://.*)?$)"
)  # fmt: skip
ENDING = re.compile(r"(?:;|[{}]|\\|[^.\w\s]\s*\)|,)\s*(?://.*|/\*.*\*/)?\s*$")
"""How a line of C ends: a semicolon, a brace, a continuation, a comma."""
CALL = re.compile(
    r"^\s*[*&]*[A-Za-z_]\w*(?:(?:->|\.|::)\w+|\[[^\]]*\])*\s*(?:\(.*(?:\)|\()\s*$|\(.*\)|[-+*/%&|^]?=(?!=).*|\+\+|--|<<=.*|>>=.*)"
)
LABEL = re.compile(r"^\s*[A-Za-z_]\w*:\s*$")

PROSE = re.compile(
    r"^\s*(?:[-*•]\s+|\d+[.)]\s+|#{1,6}\s+(?!include|define|if|ifdef|ifndef|else|elif|endif|undef|pragma|error)|>\s+)?"
    r"(?:\*\*|__|`)?[A-Za-z][\w'’`*-]*(?:[,:;]?\*{0,2}\s++[`*\"'(“]*+[\w'’`*()/+-]++[`*\"')”,;:]*+){2,}.*?[.:!?…)]?(?:\*\*)?\s*$"
)
"""At least three words in a row, perhaps behind a list or heading mark."""

CHATTER = re.compile(
    r"^\s*(?:[-*>#]*\s*)?\**(?:sure|certainly|of course|absolutely|okay|ok|here(?:'s| is| are)|below|this (?:function|code|implementation"
    r"|block)|the (?:function|code|following|above|answer|missing|implementation|completed)|note|explanation|i (?:have|will|hope|can)"
    r"|let me|let's|in this|it (?:is|will|uses)|we |you |please|hope|answer|solution|output|code|c code|good luck|thanks?|thank you"
    r"|in summary|first,|then,|finally,|as you|feel free|remember|step \d)\b[^;{}]*$", re.I
)  # fmt: skip

TOKEN = re.compile(
    r"""(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.'])*"""
    r"""|<<=|>>=|\.\.\.|->\*?|<=>|::|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\#\#|[-+*/%&|^]=|\.\*|[-+*/%&|^~!=<>?:;,.(){}\[\]\#]"""
)
"""One token of C or C++."""

SAID = re.compile(
    r"\b(?:answer|token|completion|identifier|literal|operator|value|keyword|constant|variable|replace(?:d|ment)?(?: it)? with"
    r"|filled? (?:in )?with|fill)\b[^\n`\"“'.]{0,60}?(?:\bis\b|\bwith\b|\bshould be\b|\bwould be\b|\bmust be\b|:|=>|->)\s*\**\s*", re.I
)  # fmt: skip
"""What a reply says just before the token it means."""

QUOTES: tuple[tuple[str, str], ...] = (
    ("`", "`"),
    ("“", "”"),
    ("‘", "’"),
    ("**", "**"),
    ("«", "»"),
    ('"', '"'),
    ("'", "'"),
)
MASKS = re.compile(r"^(?:<[^>]*>|_{3,}|\.{3}|\?{2,}|\[?(?:MASK|BLANK|FILL\w*|TODO|HOLE)\]?)$", re.I)
"""Names of the gap itself, which no answer is."""
