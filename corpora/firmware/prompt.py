"""What a model is shown: the case's context files, its prompt and the board, in the method's order and wording."""

from pathlib import PurePosixPath
from string import Template

from corpora.firmware.schema import Sample
from tasks.contract import Config, Cut, Message, Prompt
from tasks.inference.tokens import estimate

CONFIGS: dict[str, Config] = {
    "full": Config(name="full"),
    "no_context": Config(name="no_context", hidden=frozenset({"context"})),
}

FENCES = {"c": "c", "kconfig": "kconfig", "devicetree": "dts", "bitbake": "bitbake"}
REPAIR = Template("""\
The file below was written for the task above, and it is wrong: there is a bug in it.

```$fence
$buggy
```

Find the bug and correct it. Output ONLY the complete corrected file.
""")


def prompt(sample: Sample, config: Config) -> Prompt:
    """Return one message; where the budget is too small, context files are cut from the last on, each recorded."""
    case = sample.case
    files = {} if "context" in config.hidden else dict(case.context)
    room = config.budget_tokens - config.reply_tokens
    cut: list[Cut] = []
    text = _text(sample, files)
    while files and estimate(text) > room:
        name, content = files.popitem()
        cut.append(Cut(kind="context", rank=len(files), name=PurePosixPath(name).name, tokens=estimate(content)))
        text = _text(sample, files)
    return Prompt(messages=(Message(role="user", content=text),), tokens=estimate(text), cut=tuple(reversed(cut)))


def _text(sample: Sample, files: dict[str, str]) -> str:
    shown = "\n".join(f"--- {PurePosixPath(name).name} ---\n{content}" for name, content in files.items())
    parts = [*([shown] if shown else []), sample.case.prompt.rstrip()]
    if sample.buggy is not None:
        fence = FENCES[sample.language or "c"]
        parts.append(REPAIR.substitute(fence=fence, buggy=sample.buggy.rstrip()).rstrip())
    return "\n\n".join([*parts, *_board(sample)]) + "\n"


def _board(sample: Sample) -> list[str]:
    """A case of a checkout always has the line, as the method says; one of ours where it runs on Zephyr."""
    metadata = sample.case.metadata
    if sample.case.is_own and not metadata.build_board and metadata.execution != "zephyr":
        return []
    return [f"Target board: {metadata.board}"]
