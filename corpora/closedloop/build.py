"""From the folders of `plants/` to samples, one a task.

Options (`BuildInputs.options`): `set` is `paper` (the default: its five tasks, so that scores compare with its own),
`own` (ours) or `all`; `tasks` names the only tasks wanted, with commas between them or as a list; `held_out` adds the
second set of scenarios to the published ones.
"""

from collections.abc import Iterator

from corpora.closedloop.model import ALL_TASKS, HERE, OWN_TASKS, TASKS, Task, load
from corpora.closedloop.runs import STUB, headers
from corpora.closedloop.schema import Sample
from tasks.contract import BuildInputs, Counted, Dropped
from tasks.ids import digest
from warehouse.errors import UsageError

OPTIONS = ("held_out", "set", "tasks")
SETS = {"paper": TASKS, "own": OWN_TASKS, "all": ALL_TASKS}


def build(inputs: BuildInputs) -> Iterator[Sample | Dropped | Counted]:
    """Yield the samples, easiest first; raises CorpusError for an unknown task, UsageError for an unknown set."""
    chosen = inputs.options.get("set", "paper")
    if chosen not in SETS:
        raise UsageError(f"There is no set {chosen!r} of closed-loop tasks; there are {', '.join(SETS)}.")
    wanted = inputs.options.get("tasks", SETS[chosen])
    names = tuple(wanted.split(",") if isinstance(wanted, str) else wanted)[: inputs.size]
    for name in names:
        yield sample_of(load(name), bool(inputs.options.get("held_out", False)))
    yield Counted(stage="tasks", entered=len(names), kept=len(names))


def sample_of(task: Task, held_out: bool) -> Sample:
    """Return the sample of a task, with its proof."""
    return Sample(
        category="control",
        cluster=task.name,
        family=task.name,
        domain="control",
        difficulty=f"tier {task.tier}",
        language="c",
        reference=task.reference,
        stub=STUB,
        mutants=task.mutants,
        task=task.name,
        brief=task.brief,
        files=headers(task),
        held_out=held_out,
        contract=contract(task),
        provenance={"task": task.name},
    )


def contract(task: Task) -> str:
    """Return the hash of the task and of the code that surrounds a controller."""
    sources = sorted([*(HERE / "firmware").iterdir(), *(HERE / "harness").iterdir()])
    return digest(task.model_dump(mode="json"), {path.name: path.read_text() for path in sources}, length=16)
