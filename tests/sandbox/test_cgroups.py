"""Finding the place for control groups, in made-up trees of both versions."""

from pathlib import Path

import pytest

from tasks.sandbox import cgroups
from tasks.sandbox.cgroups import Group, Hierarchy, find, make, parse_own

V1 = "9:name=systemd:/\n8:pids:/\n4:memory:/somewhere\n1:cpu,cpuacct:/\n0::/\n"
V2 = "0::/user.slice/user-1000.slice/app.scope\n"


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_the_own_group_is_read_by_controller() -> None:
    assert parse_own(V1) == {
        "name=systemd": "/",
        "pids": "/",
        "memory": "/somewhere",
        "cpu": "/",
        "cpuacct": "/",
        "": "/",
    }


def test_version_1_has_a_parent_per_controller(tmp_path: Path) -> None:
    tree(tmp_path, {"memory/tasks": "", "pids/tasks": "", "cpu/tasks": "", "unified/cgroup.controllers": "hugetlb"})
    assert find(tmp_path, V1) == Hierarchy(1, {name: tmp_path / name for name in ("memory", "pids", "cpu")})


def test_version_2_takes_the_nearest_group_that_hands_its_controllers_on(tmp_path: Path) -> None:
    tree(tmp_path, {
        "cgroup.subtree_control": "cpu memory pids",
        "user.slice/cgroup.subtree_control": "memory pids",
        "user.slice/user-1000.slice/cgroup.subtree_control": "memory pids cpu",
        "user.slice/user-1000.slice/app.scope/cgroup.procs": "",
    })  # fmt: skip
    folder = tmp_path / "user.slice" / "user-1000.slice"
    assert find(tmp_path, V2) == Hierarchy(2, dict.fromkeys(("memory", "pids", "cpu"), folder))


def test_version_2_without_the_controllers_is_no_place(tmp_path: Path) -> None:
    control = tmp_path / "cgroup.subtree_control"
    tree(tmp_path, {"cgroup.subtree_control": "hugetlb"})
    control.chmod(0o444)
    real = Path.write_text

    def refuse(path: Path, text: str) -> int:
        if path == control:
            raise OSError(22, "Invalid argument")
        return real(path, text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "write_text", refuse)
        assert find(tmp_path, "0::/\n") is None


def test_no_control_groups_at_all(tmp_path: Path) -> None:
    assert find(tmp_path / "absent", V2) is None


def test_the_limits_of_version_2(tmp_path: Path) -> None:
    group = make(Hierarchy(2, dict.fromkeys(("memory", "pids", "cpu"), tmp_path)), cpus=1.5)
    (folder,) = group.folders
    tree(folder, {"memory.events": "low 0\nmax 3\noom 2\noom_kill 1\noom_group_kill 0\n"})
    group.limit(memory_bytes=1000, processes=7)
    assert {path.name: path.read_text() for path in folder.iterdir() if path.name != "memory.events"} == {
        "cpu.max": "150000 100000",
        "memory.max": "1000",
        "memory.swap.max": "0",
        "pids.max": "7",
    }
    assert group.memory_kills() == 1


def test_the_limits_of_version_1(tmp_path: Path) -> None:
    for name in ("memory", "pids"):
        (tmp_path / name).mkdir()
    tree(
        tmp_path,
        {
            "memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n",
            "memory/memory.memsw.limit_in_bytes": "",
        },
    )
    group = Group(1, {name: tmp_path / name for name in ("memory", "pids")})
    group.limit(memory_bytes=1000, processes=7)
    read = [
        (tmp_path / name).read_text()
        for name in ("memory/memory.limit_in_bytes", "memory/memory.memsw.limit_in_bytes", "pids/pids.max")
    ]
    assert (read, group.memory_kills()) == (["1000", "1000", "7"], 4)


def test_a_group_that_cannot_be_made_leaves_rlimits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A read-only mount looks writable to root until one tries."""
    monkeypatch.setattr(cgroups, "find", lambda: Hierarchy(1, dict.fromkeys(("memory", "pids"), tmp_path / "absent")))
    assert cgroups.usable.__wrapped__() is None
