"""What a model is shown: the brief, the line protocol, the fixed headers, and what to return."""

from corpora.closedloop.schema import Sample
from tasks.contract import Config, Message, Prompt
from tasks.inference.tokens import estimate

SYSTEM = (
    "You write firmware in C11 for a small controller. Reply with one code block that holds the whole file "
    "controller.c and nothing else. It may include controller.h and the standard headers stdbool.h, stdint.h, "
    "stddef.h and string.h; it keeps its own state in static variables and never blocks."
)
FIRMWARE = (
    "It polls a UART every 50 ms, turns each line into a call of controller_step, and calls it once more with "
    "EVENT_NONE after every poll. It prints the actuators you return as lines of the form ACT NAME WORD."
)
"""What surrounds a controller, in words."""

CONFIGS: dict[str, Config] = {"full": Config(name="full")}


def prompt(sample: Sample, config: Config) -> Prompt:
    """Return the messages for a sample; a brief is short, so nothing is ever cut."""
    shown = ("controller.h", "channels.h")
    files = "\n".join(f"{name}:\n```c\n{sample.files[name]}```\n" for name in shown)
    user = (
        f"# The device\n\n{sample.brief}\n# The firmware around your controller\n\n"
        f"{FIRMWARE}\n\n{files}\nWrite controller.c."
    )
    messages = (Message(role="system", content=SYSTEM), Message(role="user", content=user))
    return Prompt(messages=messages, tokens=sum(estimate(message.content) for message in messages))
