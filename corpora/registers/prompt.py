"""What a model is shown: how to answer, and the question as it stands."""

from corpora.registers.schema import Sample
from tasks.contract import Config, Message, Prompt
from tasks.inference.tokens import estimate

SYSTEM = (
    "You answer questions about registers, peripherals and timing of embedded systems. Work the problem out step by "
    "step. Then end your reply with one line of exactly this form:\n\nANSWER: <value>\n\nGive the value in the unit "
    "and the notation that the question asks for, and write nothing after that line."
)
DIRECT = (
    "You answer questions about registers, peripherals and timing of embedded systems. Reply with one line of exactly "
    "this form and with nothing else:\n\nANSWER: <value>\n\nGive the value in the unit and the notation that the "
    "question asks for."
)
SYSTEMS = {"full": SYSTEM, "direct": DIRECT}
CONFIGS: dict[str, Config] = {name: Config(name=name) for name in SYSTEMS}
"""`full` lets the model work the answer out; `direct` asks for the answer line alone."""


def prompt(sample: Sample, config: Config) -> Prompt:
    """Return the messages for a sample; a question is short, so nothing is ever cut."""
    messages = (
        Message(role="system", content=SYSTEMS[config.name]),
        Message(role="user", content=sample.question),
    )
    return Prompt(messages=messages, tokens=sum(estimate(message.content) for message in messages))
