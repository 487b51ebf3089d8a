"""Cases of our own format: what is read, and that every fault is named with case, file and key."""

import pytest

from corpora.firmware import own
from corpora.firmware.loader import load, read_case
from tests.firmware.own.conftest import LAMP, MakeOwn
from warehouse.errors import CorpusError


def test_a_case_is_read_with_its_mutants(make_own: MakeOwn) -> None:
    folder = make_own("lamp-01")
    case = read_case(folder, folder.parent)
    asked = own.read(case)
    assert case.is_own
    assert asked.rules is not None
    assert [rule.check for rule in asked.rules.static] == ["sets_the_lamp"]
    assert set(asked.mutants) == {"lamp_off", "slow", "unchecked"}
    assert "lamp_set(0)" in asked.mutants["lamp_off"]
    assert asked.mutants["slow"] != case.answer


TREE = "checks/tree.yaml"
NEGATIVES = "checks/negatives.yaml"
FAULTS = {
    "no tree": ({TREE: None}, "checks/tree.yaml is missing or empty"),
    "no scenario": ({"checks/scenario.c": " \n"}, "checks/scenario.c is missing or empty"),
    "no negatives": ({NEGATIVES: None}, "checks/negatives.yaml is missing or empty"),
    "strange file": ({"checks/static.py": "x = 1\n"}, "checks/static.py is read by nobody"),
    "no YAML": ({TREE: "static: [\n"}, "cannot be read as YAML in line 2"),
    "said twice": ({TREE: "static: []\nstatic: []\n"}, "says static twice"),
    "unknown layer": ({TREE: LAMP[TREE] + "runtime: []\n"}, "'runtime' is unknown"),
    "empty layer": ({TREE: "static: []\nheuristic: []\n"}, "'static'"),
    "unknown rule": ({TREE: LAMP[TREE].replace("rule: calls", "rule: shouts")}, "'shouts'"),
    "unknown key": ({TREE: LAMP[TREE].replace("call: lamp_set}", "call: lamp_set, times: 3}")}, "times' is unknown"),
    "missing key": ({TREE: LAMP[TREE].replace(", call: lamp_set}", "}")}, "call' is missing"),
    "bad name": ({TREE: LAMP[TREE].replace("sets_the_lamp", "Sets the lamp")}, "Sets the lamp"),
    "same check twice": ({TREE: LAMP[TREE].replace("init_is_checked", "sets_the_lamp")}, "two checks are called"),
    "too few bugs": ({NEGATIVES: LAMP[NEGATIVES].split("- name: unchecked")[0]}, "at least 3"),
    "bugs no list": ({NEGATIVES: "name: x\n"}, "must be a list of bugs"),
    "find nowhere": ({NEGATIVES: LAMP[NEGATIVES].replace("find: lamp_set(1)", "find: lamp_set(7)")}, "occurs 0 times"),
    "find twice": ({NEGATIVES: LAMP[NEGATIVES].replace("find: PERIOD 5", "find: ret")}, "times in the reference"),
    "no change": (
        {NEGATIVES: LAMP[NEGATIVES].replace("replace: lamp_set(0)", "replace: lamp_set(1)")}, "changes nothing",
    ),
    "same bug twice": ({NEGATIVES: LAMP[NEGATIVES].replace("name: slow", "name: lamp_off")}, "two bugs"),
    "no check named": ({NEGATIVES: LAMP[NEGATIVES].replace("must_fail: [period]", "must_fail: []")}, "must_fail"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named(make_own: MakeOwn, name: str) -> None:
    files, words = FAULTS[name]
    folder = make_own("lamp-02", files)
    with pytest.raises(CorpusError) as raised:
        read_case(folder, folder.parent)
    assert str(raised.value).startswith("Case lamp-02: ")
    assert words in str(raised.value)


def test_a_faulty_case_leaves_the_others_alone(make_own: MakeOwn) -> None:
    good = make_own("lamp-03")
    make_own("lamp-04", {TREE: "static: 5\n"})
    loaded = load(good.parent)
    assert [case.id for case in loaded.cases] == ["lamp-03"]
    assert len(loaded.faults) == 1
    assert "lamp-04" in loaded.faults[0]


def test_an_unknown_execution_is_named(make_own: MakeOwn) -> None:
    folder = make_own("lamp-05", execution="vxworks")
    with pytest.raises(CorpusError, match="'execution' is 'vxworks'"):
        read_case(folder, folder.parent)


def test_rules_over_values_name_their_situations(make_own: MakeOwn) -> None:
    rules = (
        "given: {a: ''}\nstatic: [{check: x, rule: present, of: A}]\nheuristic: [{check: y, rule: present, of: A}]\n"
    )
    values = rules + "runtime: [{check: z, rule: present, of: A, given: b}]\n"
    folder = make_own("lamp-06", {TREE: None, "checks/values.yaml": values}, execution="kconfig")
    with pytest.raises(CorpusError, match="check z asks for the situation b"):
        read_case(folder, folder.parent)
