"""The layers of a case in a configuration language: does it parse, and what do its values come to."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from corpora.firmware import own
from corpora.firmware.case import Case
from corpora.firmware.values import devicetree, kconfig, yocto
from corpora.firmware.values.judge import checks, unread
from corpora.firmware.values.model import Missing, Unreadable, Values
from corpora.firmware.values.table import AskedValue, ValueRules
from tasks.contract import Check, Status
from tasks.grading.layers import RAN, Layer, Name
from tasks.sandbox import Session

PARSES = "parses"
Situations = Mapping[str | None, Values]
Reader = Callable[[Case, ValueRules, str, Session], Situations]


def _kconfig_written(case: Case, rules: ValueRules, code: str, session: Session) -> Situations:
    values = kconfig.written(case, code)
    return {None: values, **dict.fromkeys(rules.given, values)}


def _kconfig_result(case: Case, rules: ValueRules, code: str, session: Session) -> Situations:
    return kconfig.evaluated(case, code, rules.given)


def _tree(case: Case, rules: ValueRules, code: str, session: Session) -> Situations:
    return {None: devicetree.compiled(case, code, session)}


def _recipe_written(case: Case, rules: ValueRules, code: str, session: Session) -> Situations:
    return {None: yocto.written(yocto.parsed(rules, code)), **_for_overrides(rules, code)}


def _recipe_result(case: Case, rules: ValueRules, code: str, session: Session) -> Situations:
    return {None: yocto.packaged(*yocto.install(rules, code, session)), **_for_overrides(rules, code)}


def _for_overrides(rules: ValueRules, code: str) -> dict[str | None, Values]:
    """The variables in builds with other overrides; nothing is built for them."""
    return {
        name: yocto.written(yocto.parsed(rules, code, overrides=tuple(text.split())))
        for name, text in rules.given.items()
    }


LANGUAGES: Mapping[str, tuple[Reader, Reader]] = {
    "kconfig": (_kconfig_written, _kconfig_result),
    "devicetree": (_tree, _tree),
    "yocto": (_recipe_written, _recipe_result),
}
"""Per execution: what reads the values as written, and what reads those that they come to."""


class _Answer:
    """One answer, read at most once each way."""

    def __init__(self, case: Case, code: str, session: Session) -> None:
        self.case, self.code, self.session = case, code, session
        rules = own.read(case).values
        assert rules is not None
        self.rules = rules
        self.written_by, self.result_by = LANGUAGES[str(case.metadata.execution)]

    def _read(self, reader: Reader) -> Situations | str | Missing:
        if not self.code.strip():
            return "the answer is empty"
        try:
            return reader(self.case, self.rules, self.code, self.session)
        except Unreadable as error:
            return str(error)
        except Missing as error:
            return error

    @cached_property
    def written(self) -> Situations | str | Missing:
        """The values as written, or why there are none."""
        return self._read(self.written_by)

    @cached_property
    def result(self) -> Situations | str | Missing:
        """The values that they come to, or why there are none."""
        return self.written if self.result_by is self.written_by else self._read(self.result_by)

    def written_checks(self, name: Name) -> tuple[Check, ...]:
        """Return the checks of the static or the heuristic layer."""
        asked = self.rules.static if name == "static" else self.rules.heuristic
        return _checks(name, asked, self.written)

    def parses(self) -> tuple[Check, ...]:
        """Return the one check of the compile layer."""
        absent = next((values for values in (self.written, self.result) if isinstance(values, Missing)), None)
        if absent is not None:
            return (Check(layer="compile", check=PARSES, status=Status.NOT_RUN, saw=str(absent)),)
        fault = next((values for values in (self.written, self.result) if isinstance(values, str)), None)
        status = Status.PASS if fault is None else Status.FAIL
        return (Check(layer="compile", check=PARSES, status=status, saw=fault),)

    def result_checks(self) -> tuple[Check, ...]:
        """Return the checks of the runtime layer."""
        return _checks("runtime", self.rules.runtime, self.result)


def _checks(name: Name, asked: Sequence[AskedValue], values: Situations | str | Missing) -> tuple[Check, ...]:
    if isinstance(values, Missing):
        return (Check(layer=name, check=RAN, status=Status.NOT_RUN, saw=str(values)),)
    return unread(name, asked, values) if isinstance(values, str) else checks(name, asked, values)


def layers(case: Case, code: str, session: Session) -> Mapping[Name, Layer]:
    """Return what runs each layer on `code`."""
    answer = _Answer(case, code, session)
    return {
        "static": lambda: answer.written_checks("static"),
        "compile": answer.parses,
        "runtime": answer.result_checks,
        "heuristic": lambda: answer.written_checks("heuristic"),
    }
