"""A whole track in four small files, written into a folder: sums to be answered with one number."""

from pathlib import Path

FILES = {
    "__init__.py": "",
    "schema.py": """
from typing import ClassVar
from tasks.contract import BaseSample

CLUSTER = "family"

class Sample(BaseSample):
    track: ClassVar[str] = "toy"
    answer: ClassVar[str] = "text"
    left: int
    right: int
""",
    "build.py": """
from tasks.contract import Counted, Dropped, Mutant
from toytrack.schema import Sample

def build(inputs):
    size = inputs.size or 12
    kept = 0
    for number in range(size):
        if number == 7:
            yield Dropped(stage="sums", item=str(number), reason="unlucky")
            continue
        kept += 1
        right = number * 3 + 1
        answer = number + right
        yield Sample(category="sum", cluster=str(number % 3), family=str(number % 3), reference=str(answer), stub="0",
                     mutants=(Mutant(name="off_by_one", text=str(answer + 1), target="equal"),),
                     left=number, right=right)
    yield Counted(stage="sums", entered=size, kept=kept)
""",
    "prompt.py": """
from tasks.contract import Config, Message, Prompt

CONFIGS = {"full": Config(name="full"), "terse": Config(name="terse")}

def prompt(sample, config):
    text = f"{sample.left} + {sample.right}" if config.name == "terse" else f"What is {sample.left} + {sample.right}?"
    return Prompt(messages=(Message(role="user", content=text),), tokens=len(text))
""",
    "grade.py": """
from tasks.contract import Check, Status

VERSION = "toy-1"

def grade(sample, reply, bench):
    equal = reply.code.strip() == sample.reference
    return [Check(layer="static", check="equal", status=Status.PASS if equal else Status.FAIL,
                  expected=sample.reference, saw=reply.code, score=float(equal), headline=True)]
""",
}


def write(folder: Path) -> Path:
    """Write the package `toytrack` below `folder` and return `folder`, to be put on the path."""
    package = folder / "toytrack"
    package.mkdir(parents=True)
    for name, text in FILES.items():
        (package / name).write_text(text.lstrip("\n"))
    return folder


DRIVER = """
import sys
import corpora
corpora.TRACKS["toy"] = "toytrack"
if __name__ == "__main__":
    from flows.cli import main
    main()
"""
"""The one line in the registry, and the command line behind it."""
