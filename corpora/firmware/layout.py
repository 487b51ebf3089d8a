"""The same answer in another layout, and the same text as a comment: what must, and must not, change a verdict."""

import re
import shutil
import subprocess
from functools import cache

from corpora.firmware.case import Case
from corpora.firmware.language import language_of

STYLES = ("GNU", "LLVM")
TOOL = "clang-format"


def reformatted(case: Case) -> dict[str, str]:
    """Return the reference in other layouts: C through clang-format where that is installed, the others by spaces."""
    if language_of(case) != "c":
        return {"spaced out": spaced_out(case)}
    if shutil.which(TOOL) is None:
        return {}
    return {f"reference in {style} layout": formatted(case.answer, style) for style in STYLES}


@cache
def formatted(code: str, style: str) -> str:
    """Return C code in a style of clang-format; includes keep their order."""
    argv = [TOOL, f"--style={{BasedOnStyle: {style}, SortIncludes: Never}}", "--assume-filename=main.c"]
    return subprocess.run(argv, input=code, capture_output=True, text=True, check=True, timeout=60).stdout


def spaced_out(case: Case) -> str:
    """Return a configuration with empty lines between its lines and, where the language allows it, other indents."""
    text, language = case.answer, language_of(case)
    if language == "devicetree":
        return re.sub(r"(?m)^[ \t]+", "  ", re.sub(r"(?m)\{$", "{\n\n", text)).replace("= <", "=  < ")
    if language == "kconfig":
        return "\n\n".join(text.splitlines()) + "\n"
    return re.sub(r"(?m)^([A-Z_]+[A-Za-z0-9_:${}-]*) = ", r"\n\1  =  ", text)


def commented_out(case: Case) -> dict[str, str]:
    """Return the reference with every line a comment."""
    mark = "# " if language_of(case) in ("kconfig", "bitbake") else "// "
    lines = case.answer.splitlines()
    if mark == "// ":
        lines = [line.rstrip("\\") for line in lines]
    found = {"commented out": "".join(f"{mark}{line}\n" for line in lines)}
    if mark == "// " and "*/" not in case.answer:
        found["in one comment"] = f"/*\n{case.answer}\n*/\n"
    return found


def in_if_zero(case: Case) -> dict[str, str]:
    """Return the reference between `#if 0` and `#endif`, where the language has that."""
    if language_of(case) != "c":
        return {}
    return {"in #if 0": f"#if 0\n{case.answer}\n#endif\n"}
