"""Cases are read as they lie, and a bad one is named by case, file and key."""

from pathlib import Path

import pytest

from corpora.firmware.loader import load
from tests.firmware.small import METADATA, MakeCase
from warehouse.errors import UsageError


def one_fault(root: Path) -> str:
    faults = load(root).faults
    assert len(faults) == 1
    return faults[0]


def test_flat_and_two_level_folders_are_read_together_in_the_order_of_ids(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("timer-002")
    make_case("zephyr/timer-001")
    loaded = load(tmp_path)
    assert [(case.id, case.folder) for case in loaded.cases] == [
        ("timer-001", "cases/zephyr/timer-001"),
        ("timer-002", "cases/timer-002"),
    ]
    assert loaded.faults == ()
    assert [case.id for case in load(tmp_path / "cases").cases] == ["timer-001", "timer-002"]


def test_the_category_is_what_the_metadata_says(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("esp-i2c-001", {"metadata.yaml": METADATA.format(id="esp-i2c-001").replace("timer\nd", "spi-i2c\nd")})
    assert load(tmp_path).cases[0].metadata.category == "spi-i2c"


def test_gitkeep_is_no_context_and_no_change(tmp_path: Path, make_case: MakeCase) -> None:
    folder = make_case("timer-001")
    before = load(tmp_path).cases[0]
    (folder / "context").mkdir()
    (folder / "context/.gitkeep").write_text("")
    with_keep = load(tmp_path).cases[0]
    assert with_keep.context == {}
    assert with_keep == before
    (folder / "context/board.h").write_text("#define LED 13\n")
    with_file = load(tmp_path).cases[0]
    assert with_file.context == {"context/board.h": "#define LED 13\n"}
    assert with_file.content_hash != before.content_hash
    assert with_file.check_hash == before.check_hash


def test_every_file_has_its_place(tmp_path: Path, make_case: MakeCase) -> None:
    make_case(
        "timer-001",
        {
            "prj.conf": "CONFIG_GPIO=y\n",
            "CMakeLists.txt": "project(app)\n",
            "boards/native_sim.overlay": "/ {};\n",
            "src/main.c": "int main;\n",
            "checks/expected_output.txt": "lamp on\n\n  done \n",
            "checks/negatives.py": "NEGATIVES = []\n",
        },
    )
    case = load(tmp_path).cases[0]
    assert sorted(case.build) == ["CMakeLists.txt", "boards/native_sim.overlay", "prj.conf"]
    assert sorted(case.starter) == ["src/main.c"]
    assert case.expected_output == ("lamp on", "done")
    assert case.negatives == "NEGATIVES = []\n"
    assert case.answer.startswith("volatile int lamp")


def test_every_wrong_key_is_named_at_once_and_the_others_load(tmp_path: Path, make_case: MakeCase) -> None:
    text = (
        METADATA.format(id="bad").replace("easy", "trivial").replace("title: Blink\n", "")
        + "colour: red\nl1_skip: 1\n"
    )
    make_case("bad", {"metadata.yaml": text})
    make_case("timer-001")
    loaded = load(tmp_path)
    assert [case.id for case in loaded.cases] == ["timer-001"]
    assert loaded.faults[0].startswith("Case bad: metadata.yaml has 4 wrong keys:")
    for said in ("'difficulty' is 'trivial'", "'title' is missing", "'colour' is unknown", "'l1_skip' is 1"):
        assert said in loaded.faults[0]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"metadata.yaml": "id: [a\n"}, "Case bad: metadata.yaml cannot be read as YAML in line"),
        ({"metadata.yaml": METADATA.format(id="bad") + "tier: core\ntier: sanity\n"}, "says tier twice"),
        ({"metadata.yaml": "- a\n"}, "must be a mapping"),
        ({"metadata.yaml": "a: !!python/object/apply:os.system [x]\n"}, "cannot be read as YAML"),
        ({"metadata.yaml": METADATA.format(id="../up")}, "'id' is '../up'"),
        ({"metadata.yaml": METADATA.format(id="bad") + "created_date: 2026-13-01\n"}, "metadata.yaml"),
        ({"metadata.yaml": METADATA.format(id="bad") + "created_date: soon\n"}, "a date looks like 2026-03-24"),
        ({"metadata.yaml": None}, "Case bad: metadata.yaml is missing"),
        ({"prompt.md": " \n"}, "Case bad: prompt.md is missing or empty"),
        ({"reference/main.c": None}, "Case bad: reference/ holds no file"),
    ],
)
def test_a_bad_case_is_named_with_its_file(
    tmp_path: Path, make_case: MakeCase, changed: dict[str, str | None], said: str
) -> None:
    make_case("bad", changed)
    assert said in one_fault(tmp_path)


def test_a_file_that_is_no_text_and_a_link_are_named(tmp_path: Path, make_case: MakeCase) -> None:
    folder = make_case("bad")
    (folder / "reference/main.c").write_bytes(b"int a;\xff")
    assert "reference/main.c is not UTF-8 text (byte 6)" in one_fault(tmp_path)
    (folder / "reference/main.c").unlink()
    (folder / "reference/main.c").symlink_to("/etc/passwd")
    assert "reference/main.c is a link" in one_fault(tmp_path)


def test_an_id_used_twice_is_named_with_both_places(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("a/timer-001")
    make_case("b/timer-001")
    fault = one_fault(tmp_path)
    assert "cases/a/timer-001" in fault
    assert "cases/b/timer-001" in fault


def test_cases_of_the_private_path_are_private(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("open/timer-001")
    make_case("hidden/timer-002")
    loaded = load(tmp_path / "cases/open", private=tmp_path / "cases/hidden")
    assert [(case.id, case.metadata.visibility) for case in loaded.cases] == [
        ("timer-001", "public"),
        ("timer-002", "private"),
    ]


def test_a_path_without_cases_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        load(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="No case found"):
        load(tmp_path)


def test_numbers_and_dates_of_yaml_are_read_as_the_text_they_mean(tmp_path: Path, make_case: MakeCase) -> None:
    text = METADATA.format(id="timer-001").replace("4.1.0", "4.1") + "created_date: 2026-03-24\n"
    make_case("timer-001", {"metadata.yaml": text})
    metadata = load(tmp_path).cases[0].metadata
    assert (metadata.sdk_version, metadata.created_date) == ("4.1", "2026-03-24")
