"""The scenario `feedback`: the model hears what the compiler and the static checks say, and may answer again.

Only these two layers are told, as the method has it: what a run or a heuristic check found would give the hidden tests
away. The conversation goes on with everything in it, context files too; each answer is a submission of its own.
"""

from collections.abc import Sequence

from tasks.contract import Check, Message, Prompt, Status
from tasks.grading.evaluate import Evaluation
from tasks.inference.workplace import LimitReached, Outcome, Workplace

DEFAULT_ROUNDS = 3
TOLD = ("static", "compile")
NOTHING = "Your reply holds no code."
AGAIN = "Correct this. Output ONLY the complete corrected file."
LONGEST_CHARS = 8000


async def feed_back(prompt: Prompt, workplace: Workplace) -> Outcome:
    """Ask, and as long as a told layer fails and a round is left, say why and ask again; the last answer counts.

    A built-in solver is asked once: it would answer the same.
    """
    messages = list(prompt.messages)
    ending: str | None = None
    try:
        while True:
            answer = await workplace.ask(messages)
            code = workplace.extract(answer.text)
            said = told(await workplace.submit(code), code)
            if said is None or workplace.solver:
                break
            messages += [Message(role="assistant", content=answer.text), Message(role="user", content=said)]
            if not _may_ask(workplace):
                ending = "rounds"
                break
            workplace.note("user", said)
    except LimitReached as reached:
        if not workplace.answers:
            raise
        ending = reached.ending
    return Outcome(
        workplace.answers[-1].text,
        tuple(workplace.answers),
        tuple(workplace.turns),
        tuple(workplace.submissions),
        ending,
    )


def told(evaluation: Evaluation, code: str) -> str | None:
    """Return what the model hears of its answer; None where the told layers hold or could not be measured."""
    if not code.strip():
        return f"{NOTHING} {AGAIN}"
    failed = [check for check in evaluation.checks if check.layer in TOLD and check.status is Status.FAIL]
    return f"{_listed(failed)}\n\n{AGAIN}" if failed else None


def _listed(failed: Sequence[Check]) -> str:
    lines = ["Your answer fails:"]
    for check in failed:
        expected = f" Expected: {check.expected}." if check.expected else ""
        saw = f" Saw: {check.saw}" if check.saw else ""
        lines.append(f"- {check.layer}, {check.check}.{expected}{saw}")
    return "\n".join(lines)[:LONGEST_CHARS]


def _may_ask(workplace: Workplace) -> bool:
    rounds = workplace.allowance.rounds
    return rounds is None or len(workplace.answers) < rounds
