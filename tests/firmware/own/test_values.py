"""The readers of the configuration languages, and the rules over what they read."""

import struct
from typing import Any

import pytest
from pydantic import TypeAdapter

from corpora.firmware.case import Case
from corpora.firmware.loader import OWN, read_case
from corpora.firmware.own_layers import run_own
from corpora.firmware.values import devicetree, kconfig
from corpora.firmware.values.blob import decoded, parse_blob
from corpora.firmware.values.judge import judge
from corpora.firmware.values.model import Plain, Unreadable, Value, text_value
from corpora.firmware.values.recipe import Recipe, parse_recipe
from corpora.firmware.values.table import AskedValue, NodeOf, ValueRules
from corpora.firmware.values.yocto import install, packaged
from tasks.contract import Status
from tasks.sandbox import Sandbox
from tests.firmware.own.conftest import skip_without_tools

RULE: TypeAdapter[Any] = TypeAdapter(AskedValue)
VALUES = Plain({"N": text_value("0x10"), "W": text_value("one two"), "B": text_value("32"), "E": text_value("")})


def holds(rule: str, of: str, **keys: Any) -> bool:
    keys = {name.rstrip("_"): value for name, value in keys.items()}
    return judge(RULE.validate_python({"check": "it", "rule": rule, "of": of, **keys}), VALUES)[0]


def test_rules_over_values() -> None:
    assert holds("is", "N", is_=16)
    assert not holds("is", "N", is_="17")
    assert holds("is", "W", is_=["x", "one two"])
    assert holds("is", "E", is_="")
    assert holds("within", "N", least=16, most=16)
    assert not holds("within", "W", least=0)
    assert holds("has", "W", items=["two"])
    assert not holds("has", "W", items=["two", "three"])
    assert holds("lacks", "W", items="three")
    assert holds("lacks", "nothing", items="three")
    assert not holds("lacks", "W", items=["three", "one"])
    assert holds("matches", "W", pattern="tw.")
    assert not holds("matches", "W", pattern="w")
    assert not holds("no_match", "W", pattern=".* two")
    assert holds("no_match", "nothing", pattern=".*")
    assert holds("present", "E")
    assert holds("absent", "nothing")
    assert not holds("absent", "E")
    assert holds("below", "N", than="B")
    assert not holds("below", "B", than="N")
    assert not holds("refers_to", "N", to="B")


def own(category: str, name: str) -> Case:
    return read_case(OWN / category / name, OWN)


def test_a_fragment_takes_effect_only_where_its_dependencies_are() -> None:
    case = own("kconfig", "kconfig-01")
    found = kconfig.evaluated(case, "CONFIG_BME280=y\nCONFIG_NOWHERE=y\nCONFIG_MAIN_STACK_SIZE=1\n", {})[None].values
    assert found["CONFIG_BME280"].whole == "n"
    assert found["CONFIG_MAIN_STACK_SIZE"].whole != "1"
    assert "CONFIG_BME280=y is not taken" in found["warnings"].whole
    assert "NOWHERE" in found["warnings"].whole


@pytest.mark.parametrize("line", ["CONFIG_A", "A=y", "int main(void)", "CONFIG_A y", " x"])
def test_a_line_that_is_no_assignment_is_told(line: str) -> None:
    with pytest.raises(Unreadable, match="line 2"):
        kconfig.written(own("kconfig", "kconfig-01"), f"# fine\n{line}\n")


@pytest.mark.parametrize(
    "answer",
    [
        'config A\n\tstring "$(shell,id)"\n',
        "config A\n\tbool\n$(info,x)\n",
        'source "/etc/passwd"\n',
        'rsource "x"\n',
        "  osource \"x\"\n",
        "config\n",
        "config A\n\tbool \"a\"\n\tdepends on (\n",
        "if A\n",
        "# only a comment\n",
    ],
)  # fmt: skip
def test_definitions_that_are_refused(answer: str) -> None:
    with pytest.raises(Unreadable):
        kconfig.evaluated(own("kconfig", "kconfig-02"), answer, {})


def test_situations_are_evaluated_apart() -> None:
    answer = 'config TANK_LEVEL\n\tbool "x"\n\tdepends on ADC\n'
    given = {"with": "CONFIG_ADC=y\nCONFIG_TANK_LEVEL=y\n", "without": "CONFIG_TANK_LEVEL=y\n"}
    found = kconfig.evaluated(own("kconfig", "kconfig-02"), answer, given)
    assert {name: found[name].values["CONFIG_TANK_LEVEL"].whole for name in found} == {
        None: "n", "with": "y", "without": "n",
    }  # fmt: skip


def test_properties_are_strings_cells_or_bytes() -> None:
    assert decoded(b"okay\0") == Value(("okay",), "okay")
    assert decoded(b"a\0b\0").words == ("a", "b")
    assert decoded(struct.pack(">II", 1, 0x5C)).words == ("1", "92")
    assert decoded(b"\x01\x02\x03").words == ("0x01", "0x02", "0x03")
    assert decoded(b"").whole == "true"


@pytest.mark.parametrize("data", [b"", b"x" * 64, struct.pack(">I", 0xD00DFEED) + b"\0" * 60])
def test_what_is_no_blob_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parse_blob(data)


def test_an_overlay_is_compiled_onto_the_board(sandbox: Sandbox) -> None:
    skip_without_tools("devicetree")
    case = own("device-tree", "device-tree-01")
    overlay = """
    #include <zephyr/dt-bindings/gpio/gpio.h>
    &i2c1 { status = "okay"; a: thing@8 { compatible = "x,y", "z"; reg = <8>; pins = <&gpio0 3 GPIO_ACTIVE_LOW>; }; };
    / { aliases { me = &a; }; };
    """
    with sandbox.session() as session:
        tree = devicetree.compiled(case, overlay, session)
    node = NodeOf(path=["alias:me"])
    assert [found.path for found in tree.nodes(NodeOf(compatible="z", parent="i2c1"))] == ["/soc/i2c@40004000/thing@8"]
    pins = tree.find("pins", node)
    assert pins is not None
    assert tree.refers(pins, "gpio0", 0)
    assert not tree.refers(pins, "gpio0", 1)
    assert not tree.refers(pins, "uart0", 0)
    assert pins.words[1:] == ("3", "1")
    assert tree.nodes(NodeOf(having={"reg": "0x8"})) == tree.nodes(node)
    assert tree.find("status", NodeOf(path=["nothing"])) is None


@pytest.mark.parametrize(
    "overlay", ["", "&nowhere { };", "/ { x = <", "#include <nothing.h>\n/ { };", "int main(void) {}"]
)
def test_an_overlay_that_does_not_compile_is_told(sandbox: Sandbox, overlay: str) -> None:
    skip_without_tools("devicetree")
    with sandbox.session() as session, pytest.raises(Unreadable):
        devicetree.compiled(own("device-tree", "device-tree-01"), overlay, session)


def test_without_dtc_nothing_is_judged(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devicetree, "WHOLE", "no-such-dtc")
    case = own("device-tree", "device-tree-01")
    result = run_own(case, case.answer, sandbox)
    assert set(result.statuses().values()) == {Status.NOT_RUN}
    assert "device-tree-compiler" in str([check.saw for check in result.of_model])


def recipe(text: str, *overrides: str) -> Recipe:
    return parse_recipe(text, "tool", "1.5", overrides)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('A = "x"\nA += "y"', "x y"),
        ('A = "x"\nA =+ "y"', "y x"),
        ('A = "x"\nA .= "y"', "xy"),
        ('A = "x"\nA =. "y"', "yx"),
        ('A ?= "x"\nA ?= "y"', "x"),
        ('A ??= "x"\nA ??= "y"', "y"),
        ('A ??= "x"\nA ?= "y"', "y"),
        ('A:append = " y"\nA = "x"', "x y"),
        ('A:prepend = "y "\nA = "x"', "y x"),
        ('A = "x y z"\nA:remove = "y"', "x z"),
        ('A = "x"\nA:append:other = " y"', "x"),
        ('A = "x"\nA:append:mine = " y"', "x y"),
        ('A = "x"\nA:mine = "y"', "y"),
        ('B = "1"\nA := "${B}"\nB = "2"', "1"),
        ('B = "1"\nA = "${B}"\nB = "2"', "2"),
        ("A = 'single \"quoted\"'", 'single "quoted"'),
        ('A = "x \\\n  y"', "x   y"),
        ('A = "${PN}-${PV} ${BPN}"', "tool-1.5 tool"),
        ('A = "${@bb.utils.contains(1)} ${NOPE}"', "${@bb.utils.contains(1)} ${NOPE}"),
        ('A = "${A}"', "${A}"),
    ],
)
def test_variables(text: str, expected: str) -> None:
    assert recipe(text, "mine").value("A") == expected


def test_functions_classes_and_flags() -> None:
    found = recipe(
        'inherit cmake systemd\nrequire x.inc\nSRC_URI[sha256sum] = "abc"\n'
        "do_install() {\n    a\n}\ndo_install:append() {\n    b\n}\npython do_x() {\n    pass\n}\n"
        'def f(d):\n    return 1\naddtask x after do_install\nRDEPENDS:${PN} = "bash"\n'
    )
    assert found.inherits == ["cmake", "systemd"]
    assert found.requires == ["x.inc"]
    assert found.flags == {("SRC_URI", "sha256sum"): "abc"}
    assert found.functions["do_install"].split() == ["a", "b"]
    assert found.python == {"do_x"}
    assert found.tasks == ["x"]
    assert found.value("RDEPENDS:tool") == "bash"
    assert not found.faults


@pytest.mark.parametrize(
    "text", ['A_append = "x"', 'RDEPENDS_${PN} = "x"', "do_install_append() {\n}\n", 'FILES_${PN} = "x"']
)
def test_the_syntax_before_release_3_4_is_a_fault(text: str) -> None:
    assert recipe(text).faults


@pytest.mark.parametrize("text", ["", "# nothing\n", "A = x\n", "do_install() {\n  a\n", "what is this\n", 'A = "x'])
def test_a_recipe_that_cannot_be_parsed_is_told(text: str) -> None:
    with pytest.raises(Unreadable):
        recipe(text)


RULES = {"check": "x", "rule": "present", "of": "A"}


def test_what_a_recipe_installs_is_split_into_packages(sandbox: Sandbox) -> None:
    rules = ValueRules.model_validate(
        {"static": [RULES], "runtime": [RULES], "heuristic": [RULES], "recipe": "tool_1.5.bb",
         "sources": {"file:run.sh": "#!/bin/sh\n", "file:other": "not fetched\n"}}
    )  # fmt: skip
    text = """\
SRC_URI = "file://run.sh"
S = "${WORKDIR}"
PACKAGES =+ "${PN}-extra"
FILES:${PN}-extra = "/opt"
do_install() {
    install -d ${D}${bindir} ${D}/opt/x ${D}/odd
    install -m 0755 ${S}/run.sh ${D}${bindir}/run
    ln -s run ${D}${bindir}/go
    echo x > ${D}/opt/x/y
    echo x > ${D}/odd/z
    test ! -e ${S}/other
}
"""
    with sandbox.session() as session:
        values = packaged(*install(rules, text, session)).values
    assert values["package:tool"].words == ("/usr/bin/go", "/usr/bin/run")
    assert values["package:tool-extra"].words == ("/opt/x/y",)
    assert values["unpackaged"].words == ("/odd/z",)
    assert values["mode:/usr/bin/run"].whole == "755"
    assert values["link:/usr/bin/go"].whole == "run"
    with sandbox.session() as session, pytest.raises(Unreadable, match="exit 1"):
        install(rules, text.replace("test ! -e", "test -e"), session)
