"""The sample of the code track: one function to write, or one hole in a function to fill (paper, section III-B)."""

from typing import ClassVar, Literal

from tasks.contract import BaseSample

CLUSTER = "project_id"
USES_PROJECTS = True

GENERATION = "generation"
BLOCK = "completion_block"
TOKEN = "completion_token"
CATEGORIES = (GENERATION, BLOCK, TOKEN)


class Sample(BaseSample):
    """One question about one function.

    `prefix` and `suffix` are the visible parts of the function around the hole; both are empty for generation.
    `signature` is the text up to the body without initialisers. `loc` counts the function's lines, `counts` its called
    functions, globals and types as items of context. `macros` are blanked before a reply is parsed.
    """

    track: ClassVar[str] = "code"

    category: Literal["generation", "completion_block", "completion_token"]
    function_name: str
    qualified_name: str
    signature: str
    description: str
    description_source: str
    prefix: str = ""
    suffix: str = ""
    hidden_kind: str | None = None
    loc: int
    counts: dict[str, int] = {}
    encoding: str = "utf-8"
    macros: tuple[str, ...] = ()

    @property
    def answer_kind(self) -> str:
        """`token` for token completion, else `code`."""
        return "token" if self.category == TOKEN else "code"
