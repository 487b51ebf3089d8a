"""Write requirements.lock: one file with hashes, each pin tagged with the groups (core and extras) that need it.

Run with uv on the path: `python .ci/lock.py`. One lock instead of one a group, so that no two groups disagree;
`.ci/install.py` picks the pins of the groups it is asked for.
"""

import re
import subprocess
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"^([A-Za-z0-9._-]+)==[^\n]*(?:\n[ \t]+--hash[^\n]*)+", re.M)


def compile_pins(requirements, *options):
    """Resolve requirements to {pin text: None} for every supported Python, in uv's order."""
    with tempfile.TemporaryDirectory() as folder:
        source, overrides = Path(folder, "in.txt"), Path(folder, "override.txt")
        source.write_text("\n".join(requirements))
        overrides.write_text("\n".join(CONFIG["tool"]["firmbench"]["lock"]["override"]))
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes",
                   "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links",
                   "--override", str(overrides), str(source), *options]  # fmt: skip
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [match.group(0).rstrip() for match in PIN.finditer(text)]


CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())


def main():
    project = CONFIG["project"]
    groups = {"core": project["dependencies"], **project["optional-dependencies"]}
    alone = set(CONFIG["tool"]["firmbench"]["lock"]["no-deps"])
    split = {name: [r for r in reqs if re.split(r"[=<>]", r)[0] not in alone] for name, reqs in groups.items()}
    everything = compile_pins(sorted({r for reqs in split.values() for r in reqs}))
    needed: dict[str, set[str]] = {}
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        constraints.write("\n".join(re.sub(r"\s*\\?\n\s+--hash\S+", "", pin) for pin in everything))
        constraints.flush()
        for name, requirements in split.items():
            for pin in compile_pins(requirements, "--constraint", constraints.name):
                needed.setdefault(pin, set()).add(name)
    for name, requirements in groups.items():
        for requirement in requirements:
            if re.split(r"[=<>]", requirement)[0] in alone:
                for pin in compile_pins([requirement], "--no-deps"):
                    needed.setdefault(pin, set()).add(name)
    blocks = [f"# for: {' '.join(sorted(names))}\n{pin}\n" for pin, names in sorted(needed.items())]
    (ROOT / "requirements.lock").write_text("".join(blocks))
    print(f"requirements.lock: {len(blocks)} pins for {', '.join(groups)}")


if __name__ == "__main__":
    main()
