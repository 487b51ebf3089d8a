"""What a firmware case is: a folder with metadata, a prompt, a reference, checks and what is needed to build it."""

import hashlib
from collections.abc import Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError

from warehouse.errors import CorpusError

Category = Literal[
    "adc", "ble", "boot", "device-tree", "dma", "gpio-basic", "isr-concurrency", "kconfig", "linux-driver",
    "linux-userspace", "memory-opt", "networking", "ota", "power-mgmt", "pwm", "security", "sensor-driver", "spi-i2c",
    "storage", "threading", "timer", "uart", "watchdog", "yocto",
]  # fmt: skip
"""The 24 categories of the method; a case says its own, whatever its id begins with."""

Platform = Literal[
    "native_sim", "qemu_arm", "babblesim", "qemu_freertos", "esp_idf", "stm32_hal", "docker_only", "qemu_linux",
    "yocto_build",
]  # fmt: skip
Reasoning = Literal["api_recall", "rule_application", "cross_domain", "system_reasoning"]
Execution = Literal[
    "zephyr", "freertos", "esp_idf", "stm32_hal", "linux_kernel", "linux_user", "cortex_m", "kconfig", "devicetree",
    "yocto",
]  # fmt: skip
"""How a case of our own is run: a model of a platform, or the grammar of a configuration language."""

Model = TypeVar("Model", bound=BaseModel)
CATEGORIES: tuple[str, ...] = get_args(Category)
PLATFORMS: tuple[str, ...] = get_args(Platform)


def _as_text(value: Any) -> Any:
    """YAML reads an unquoted 2026-03-24 as a date and 4.1 as a number; both are meant as text."""
    return value.isoformat() if isinstance(value, date) else str(value) if type(value) in (int, float) else value


def _as_date(value: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise ValueError("a date looks like 2026-03-24") from None


Text = Annotated[str, BeforeValidator(_as_text)]


class Metadata(BaseModel):
    """`metadata.yaml`. `l1_skip` and `l2_skip` leave the compile and the runtime layer `not_run`, never passed.

    `execution` is said by cases of our own format, and only by those.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)
    category: Category
    difficulty: Literal["easy", "medium", "hard"]
    title: str = Field(min_length=1)
    description: str
    tags: tuple[Text, ...]
    platform: Platform
    estimated_tokens: int = Field(ge=0)
    sdk_version: Text
    sdk: Text | None = None
    visibility: Literal["public", "private"] = "public"
    created_date: Annotated[Text, AfterValidator(_as_date)] | None = None
    tier: Literal["sanity", "core", "challenge"] = "core"
    reasoning_types: tuple[Reasoning, ...] = ()
    build_board: str | None = None
    l1_skip: StrictBool = False
    l2_skip: StrictBool = False
    execution: Execution | None = None

    @property
    def board(self) -> str:
        """The board to build for."""
        return self.build_board or "native_sim"


class Case(BaseModel):
    """One case. Every mapping is from a path within the case's folder to the file's text.

    `starter` is `src/`, `build` the files that a build needs (CMake, Kconfig, overlays); `negatives` is the text of
    `checks/negatives.py`, or `.yaml` in a case of our own; `expected_output` the strings that the runtime layer looks
    for. `content_hash` covers every file, `check_hash` those that decide a verdict.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    metadata: Metadata
    folder: str
    prompt: str
    reference: Mapping[str, str]
    checks: Mapping[str, str]
    negatives: str | None = None
    expected_output: tuple[str, ...] | None = None
    context: Mapping[str, str] = {}
    starter: Mapping[str, str] = {}
    build: Mapping[str, str] = {}
    content_hash: str
    check_hash: str

    @property
    def id(self) -> str:
        """The case's name."""
        return self.metadata.id

    @property
    def answer(self) -> str:
        """The reference's one file: `reference/main.c`, be it C, Kconfig, a device tree or a recipe."""
        return self.reference.get("reference/main.c") or next(iter(self.reference.values()))

    @property
    def is_own(self) -> bool:
        """Whether the case has our own format: rules and a scenario, read by `own`, instead of Python modules."""
        return self.metadata.execution is not None


def parse_metadata(where: str, values: object) -> Metadata:
    """Return the metadata, or raise CorpusError that names `where` and every wrong, missing and unknown key."""
    return parsed(Metadata, where, values)


def parsed(model: type[Model], where: str, values: object) -> Model:
    """Return `values` as the model; raises CorpusError that names `where` and every wrong, missing and unknown key."""
    if not isinstance(values, dict):
        raise CorpusError(f"{where} must be a mapping of keys to values, not {type(values).__name__}.")
    try:
        return model.model_validate(values)
    except ValidationError as error:
        wrong = "; ".join(_fault(item) for item in error.errors(include_url=False))
        raise CorpusError(f"{where} has {error.error_count()} wrong keys: {wrong}.") from None


def _fault(item: Any) -> str:
    key = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return f"{key!r} is unknown"
    if item["type"] == "missing":
        return f"{key!r} is missing"
    saw = repr(item["input"])
    why = item["msg"].removeprefix("Value error, ")
    return f"{key!r} is {saw if len(saw) <= 60 else saw[:57] + '...'}, but {why[0].lower()}{why[1:]}"


def digest(files: Mapping[str, bytes]) -> str:
    """Return the sha256 of names and contents, in the order of the names."""
    total = hashlib.sha256()
    for name in sorted(files, key=lambda text: PurePosixPath(text).parts):
        total.update(f"{len(name)}:{name}:{len(files[name])}:".encode() + files[name])
    return total.hexdigest()
