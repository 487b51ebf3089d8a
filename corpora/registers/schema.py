"""The sample of the registers track: one question of a family in one variant, and how its answer is compared."""

from typing import Any, ClassVar, Literal

from corpora.registers.answers import Key
from corpora.registers.family import VARIANTS as VARIANTS  # the categories, for whoever reads the schema
from corpora.registers.family import Base, Kind
from tasks.contract import BaseSample

CLUSTER = "family"


class Sample(BaseSample):
    """One question. `category` is the variant, `cluster` the family, `difficulty` the author's guess.

    `expected` is the canonical answer: `166`, `0xA6`, `0b1010`; a decimal number in `unit`; one of `choices`.
    `tolerance` is relative, `base` the notation that an integer is asked in. `draw` and `wording` say which parameters
    and which words; samples of a family with one `draw` (of `isolate`: among themselves) share `params`.
    """

    track: ClassVar[str] = "registers"
    answer: ClassVar[str] = "answer"

    category: Literal["base", "rename", "renumber", "distractor", "isolate"]
    family: str
    difficulty: str
    question: str
    kind: Kind
    expected: str
    unit: str = ""
    tolerance: float = 0.0
    base: Base = "dec"
    choices: tuple[str, ...] = ()
    aliases: dict[str, tuple[str, ...]] = {}
    rationale: str = ""
    draw: int = 0
    wording: int = 0
    params: dict[str, Any] = {}

    @property
    def key(self) -> Key:
        """What replies are held against."""
        return Key(self.kind, self.expected, self.unit, self.tolerance, self.base, self.choices, self.aliases)
