"""What an answer says under its dress: Markdown, LaTeX, HTML, quotes and typographic characters taken off.

A base written as a subscript (`A6_{16}`, `A6₁₆`, `1010<sub>2</sub>`) is kept as `A6⟦16⟧`, a power as `10^-3`.
"""

import html
import re
import unicodedata

BARE = re.compile(r"[A-Za-z0-9.+ -]*")
"""What needs no undressing but at its ends."""
SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
SUBSCRIPT = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
DASHES = str.maketrans(dict.fromkeys("−–‐‑‒﹣－", "-"))
INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")

SUPERS = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
SUBS = re.compile("[₀-₉]+")
STRUCK = re.compile(r"~~.*?~~|<(del|s|strike)>.*?</\1>|\\(?:cancel|sout)\{[^{}]*\}", re.IGNORECASE)
SUP_TAG = re.compile(r"<sup>\s*([^<>]*?)\s*</sup>", re.IGNORECASE)
SUB_TAG = re.compile(r"<sub>\s*(\d+)\s*</sub>", re.IGNORECASE)
TAG = re.compile(r"</?(?:b|i|u|em|strong|code|kbd|tt|span|p|br|mark|samp|answer|var)\b[^<>]*/?>", re.IGNORECASE)

MATH = re.compile(r"\$|\\\(|\\\[|\\boxed")
LATEX_SIGNS = {
    r"\times": "×", r"\cdot": "·", r"\pm": "±", r"\approx": "≈", r"\simeq": "≈", r"\sim": "≈", r"\mu": "μ",
    r"\textmu": "μ", r"\Omega": "Ω", r"\omega": "ω", r"\degree": "°", r"\textdegree": "°", r"\circ": "°", r"\to": "→",
    r"\rightarrow": "→", r"\Rightarrow": "→", r"\implies": "→", r"\micro": "μ", r"\ohm": "Ω", r"\percent": "%",
}  # fmt: skip
LATEX_SIGN = re.compile("|".join(re.escape(sign) + r"(?![A-Za-z]) ?" for sign in sorted(LATEX_SIGNS, reverse=True)))
LATEX_SPACE = re.compile(r"\\[,;:! ]|\\q?quad\b|(?<!~)~(?!~)(?=[A-Za-z\\])")
LATEX_WRAP = re.compile(
    r"\\(?:boxed|fbox|text[a-z]*|mathrm|mathbf|mathtt|mathsf|mathit|operatorname|underline|ensuremath|mbox|hbox|color"
    r"|bm|boldsymbol|verb\|?|left|right|displaystyle|bf|tt|rm|large|Large|huge|unit|si|SI|qty|num|big|Big)(?![A-Za-z])"
)
FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
POWER = re.compile(r"\^\s*\{\s*([^{}]*?)\s*\}")
BASE = re.compile(r"_\s*\{\s*(?:\\text[a-z]*\s*\{)?\s*(\d{1,2}|hex|bin|dec)\s*\}?\s*\}")
MATH_BASE = re.compile(r"(?<=[0-9A-Fa-f)])_\s?(\d)(?![\w])")
NAMED_BASES = {"hex": "16", "bin": "2", "dec": "10"}

LINK = re.compile(r"!?\[([^\[\]]+)\]\([^()\s]*\)")
STARS_POWER = re.compile(r"(?<=[0-9)])\*\*(?=[-+]?[0-9(])")
EMPHASIS = re.compile(r"\*{2,3}|`+|(?<![\w*])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![\w*])")
QUOTES = "\"'“”‘’«»„‚"
PAIRS = {"(": ")", "[": "]", "{": "}", "|": "|"}
TRAILING = " \t.,;:!?。✅✓✔*_`~|\\"
LEADING = " \t:;#*`|\\✅✓✔"


def plain(text: str) -> str:
    """Return the answer in `text` without its dress, as one line of characters that the readers know."""
    if BARE.fullmatch(text):
        return undressed(text)
    math = MATH.search(text) is not None
    text = STRUCK.sub(" ", html.unescape(text))
    text = SUPERS.sub(lambda found: "^" + found.group().translate(SUPERSCRIPT), text)
    text = SUBS.sub(lambda found: f"⟦{found.group().translate(SUBSCRIPT)}⟧", text)
    text = TAG.sub("", SUB_TAG.sub(r"⟦\1⟧", SUP_TAG.sub(r"^\1", text)))
    text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(DASHES)
    text = _latex(text, math)
    text = LINK.sub(r"\1", EMPHASIS.sub("", STARS_POWER.sub("^", text)))
    return undressed(" ".join(text.split()))


def undressed(text: str) -> str:
    """Return a text without quotes, brackets and punctuation around the whole of it."""
    while True:
        bare = text.strip().lstrip(LEADING).rstrip(TRAILING).strip()
        if len(bare) > 1 and bare[0] in QUOTES and bare[-1] in QUOTES:
            bare = bare[1:-1]
        elif bare[-1:] in QUOTES and not any(quote in bare[:-1] for quote in QUOTES):
            bare = bare[:-1]
        elif bare[:1] in QUOTES and not any(quote in bare[1:] for quote in QUOTES) and not re.match(r"'[hbdo]", bare):
            bare = bare[1:]
        elif bare[:1] in PAIRS and bare.endswith(PAIRS[bare[0]]) and _encloses(bare):
            bare = bare[1:-1]
        elif bare.endswith(("}", "]")) and bare.count(bare[-1]) > bare.count({"}": "{", "]": "["}[bare[-1]]):
            bare = bare[:-1]
        if bare == text:
            return bare
        text = bare


def _latex(text: str, math: bool) -> str:
    """Turn the LaTeX in a text into plain signs; `math` says that the text has math delimiters."""
    latex = math or "\\" in text
    text = text.replace("{,}", ",").replace(r"\%", "%").replace(r"\_", "_").replace(r"\#", "#").replace(r"\&", "&")
    text = LATEX_SPACE.sub(" ", text)
    text = LATEX_SIGN.sub(lambda found: LATEX_SIGNS[found.group().strip()], text)
    text = BASE.sub(lambda found: f"⟦{NAMED_BASES.get(found.group(1), found.group(1))}⟧", text)
    text = POWER.sub(r"^\1", FRACTION.sub(r"\1/\2", text))
    if math:
        text = MATH_BASE.sub(r"⟦\1⟧", text)
        for sign in ("$", r"\(", r"\)", r"\[", r"\]"):
            text = text.replace(sign, " ")
    text = LATEX_WRAP.sub("", text).replace("^°", "°")
    return re.sub(r"[{}]", "", text) if latex else text


def _encloses(text: str) -> bool:
    """Whether the first bracket closes with the last character and not before."""
    opening, closing, depth = text[0], PAIRS[text[0]], 0
    if opening == closing:
        return True
    for place, letter in enumerate(text):
        depth += (letter == opening) - (letter == closing)
        if depth == 0:
            return place == len(text) - 1
    return False
