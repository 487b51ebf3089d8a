import re
from pathlib import Path

import pytest

from corpora import catalog
from tasks.sources.model import Source
from warehouse.errors import UsageError

HASH = "a" * 64


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "projects.toml"
    path.write_text(text)
    return path


def test_the_fifteen_projects_of_the_paper_are_pinned_to_full_commits():
    names = {entry.paper for entry in catalog.entries().values() if entry.paper}
    assert names == {
        "ardupilot", "Marlin", "navigation2", "openpilot", "RetroArch", "Tasmota", "tinyusb", "LVGL", "littlefs",
        "esphome", "ThingsboardGateway", "WirelessAndroidAutoDongle", "openems", "farmbot os", "open62541",
    }  # fmt: skip
    for source in catalog.paper():
        assert source.kind == "git"
        assert re.fullmatch(r"[0-9a-f]{40}", source.revision or "")
        assert source.address.startswith("https://github.com/")


def test_every_entry_has_a_licence_a_domain_of_table_iv_and_a_language():
    domains = {
        "Transportation", "Industrial automation", "Automotive", "Gaming", "Home automation", "Utilities", "General",
        "Internet of Things", "Energy management", "Agriculture",
    }  # fmt: skip
    assert {source.domain for source in catalog.load().values()} == domains
    assert all(source.licence and source.language for source in catalog.load().values())


def test_a_pin_that_was_not_resolved_says_where_it_comes_from():
    unverified = [name for name, entry in catalog.entries().items() if not entry.verified]
    assert unverified == ["ardupilot", "marlin", "openpilot", "retroarch", "tasmota"]
    assert all(catalog.entries()[name].note for name in unverified)


def test_the_demo_is_the_two_packages_with_their_hashes():
    littlefs, esphome = catalog.demo()
    assert (littlefs.address, littlefs.revision, littlefs.archive) == ("littlefs-python", "0.19.0", "sdist")
    assert (esphome.address, esphome.revision, esphome.archive) == ("esphome", "2026.6.5", "wheel")
    assert littlefs.sha256 == "4ce8c6eeeb2703abaf8cb60f2dab624b17af42b13df3dbc6c42d4142bad79a59"
    assert esphome.sha256 == "4edcebb876c160aea2376cf32453a9b32b64afbb65d49cb4bdd66e2538edba51"
    assert littlefs.include == ("littlefs/",), "the Cython output in src/ is no source"


def test_licences_of_the_catalog_are_normalised():
    from tasks.sources.licence import normalise

    for source in catalog.load().values():
        assert normalise(source.licence or "") == source.licence


def test_names_resolve_in_the_order_asked_each_once():
    assert [source.project_id for source in catalog.resolve(["esphome", "littlefs", "esphome"])] == [
        "esphome",
        "littlefs",
    ]
    assert catalog.resolve([]) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("git:https://host/a/b.git@v1.0", {"kind": "git", "address": "https://host/a/b.git", "revision": "v1.0"}),
        ("git:git@host:a/b.git@feature/x", {"kind": "git", "address": "git@host:a/b.git", "revision": "feature/x"}),
        ("git:/local/b@HEAD~1", {"kind": "git", "address": "/local/b", "revision": "HEAD~1"}),
        (f"pypi:foo-bar==1.0#sha256={HASH}", {"address": "foo-bar", "revision": "1.0", "sha256": HASH}),
        (f"npm:foo@2.1.0#sha256={HASH}", {"kind": "npm", "address": "foo", "revision": "2.1.0", "sha256": HASH}),
        (f"npm:@s/foo@2.1.0#sha256={HASH}", {"address": "@s/foo", "revision": "2.1.0", "project_id": "foo-2.1.0"}),
        ("dir:some/where/here", {"kind": "dir", "address": "some/where/here", "project_id": "here"}),
        ("mine=dir:/x/y", {"project_id": "mine", "address": "/x/y"}),
    ],
)
def test_sources_written_out(name, expected):
    (source,) = catalog.resolve([name])
    assert {key: getattr(source, key) for key in expected} == expected
    assert catalog.NAME.match(source.project_id)


def test_a_local_clone_can_stand_in_for_a_git_project_of_the_catalog():
    (source,) = catalog.resolve(["tinyusb=git:/clones/tinyusb@0.21.0"])
    assert source == catalog.load()["tinyusb"].model_copy(update={"address": "/clones/tinyusb", "revision": "0.21.0"})
    assert "TU_ATTR_*" in source.macros


@pytest.mark.parametrize("place", ["/home/one/mine", "/srv/mine", "~/mine"])
def test_the_id_of_a_folder_does_not_depend_on_where_it_lies(place):
    assert catalog.resolve([f"dir:{place}"])[0].project_id == "mine"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["esphme"], ["no project 'esphme'", "did you mean esphome", catalog.FORMS]),
        (["LVGL"], ["did you mean lvgl"]),
        (["zzz"], ["no project 'zzz'", "the catalog has littlefs, esphome", catalog.FORMS]),
        (["git:/x"], ["'git:/x' is not a complete git source", catalog.FORMS]),
        (["git:git@host:a/b.git"], ["not a complete git source"]),
        (["pypi:foo==1.0"], ["not a complete pypi source", "#sha256=HASH"]),
        ([f"pypi:--index-url==1#sha256={HASH}"], ["not a complete pypi source"]),
        (["npm:foo@1.0#sha256=abc"], ["not a complete npm source"]),
        (["hg:/x@1"], ["no project 'hg:/x@1'"]),
        (["littlefs=dir:/x"], ["'littlefs' is a project of the catalog already", "OTHER="]),
        (["dir:/a/x", "dir:/b/x"], ["Two projects are called 'x'", "OTHER=dir:/b/x"]),
        ([""], ["no project ''"]),
    ],
)
def test_what_cannot_be_resolved_is_one_sentence_with_the_fix(names, words):
    with pytest.raises(UsageError) as error:
        catalog.resolve(names)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert "\n" not in str(error.value)


def test_another_catalog_can_be_read(tmp_path):
    path = write(tmp_path, '[project.x]\nkind = "dir"\naddress = "/x"\nverified = true\nmacros = ["A_*"]\n')
    assert catalog.load(path) == {"x": Source(project_id="x", kind="dir", address="/x", macros=("A_*",))}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[project.x]\nkind = "svn"\naddress = "y"\nverified = true\n', ["Project x of", "wrong at kind"]),
        ('[project.x]\nkind = "dir"\nverified = true\n', ["wrong at address"]),
        ('[project.x]\nkind = "dir"\naddress = "y"\n', ["wrong at verified"]),
        ('[project.x]\nkind = "dir"\naddress = "y"\nverified = true\ncolour = 1\n', ["wrong at colour"]),
        (
            '[project."a/b"]\nkind = "dir"\naddress = "y"\nverified = true\n',
            ["Project a/b of", "a project id is made of"],
        ),
        ('demo = ["y"]\n', ["The demo list of", "'y'"]),
        ("[project.x\n", ["cannot be read"]),
    ],
)
def test_a_wrong_catalog_names_the_entry_and_the_field(tmp_path, text, words):
    with pytest.raises(UsageError) as error:
        catalog.load(write(tmp_path, text))
    assert all(word in str(error.value) for word in words), str(error.value)


def test_a_missing_catalog_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"nope\.toml cannot be read"):
        catalog.load(tmp_path / "nope.toml")
