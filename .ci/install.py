"""Install the locked pins of the named groups into the running Python: `python .ci/install.py core local dev`.

Dependency resolution is off (the lock is complete, and codebleu's metadata would refuse it), every file is checked
against its hash, and modules are compiled to bytecode so that no process pays for it later. uv is used where it can be
had, pip otherwise.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"# for: ([^\n]*)\n((?:(?!# for: ).*\n)+)")


def select(lock, groups):
    """Return the requirement lines of a lock that any of the groups needs; raises ValueError on an unknown group."""
    blocks = [(set(match.group(1).split()), match.group(2)) for match in BLOCK.finditer(lock)]
    known = set().union(*(names for names, _ in blocks))
    if unknown := set(groups) - known:
        raise ValueError(
            f"no group {', '.join(sorted(unknown))} in requirements.lock; it has {', '.join(sorted(known))}"
        )
    return "".join(pins for names, pins in blocks if names & set(groups))


def main(groups):
    lock = (ROOT / "requirements.lock").read_text()
    chosen = select(lock, groups)
    stamp = Path(sys.prefix, ".firmbench-installed")
    digest = hashlib.sha256((chosen + (ROOT / "pyproject.toml").read_text()).encode()).hexdigest()
    if stamp.exists() and digest in stamp.read_text().split():
        return
    wanted = Path(sys.prefix, "requirements.txt")
    wanted.write_text(chosen)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    fast = Path(sys.prefix, "setup.txt")
    fast.write_text(select(lock, ["setup"]))
    subprocess.run([*pip, "install", "--require-hashes", "-r", str(fast)], check=False, stderr=subprocess.DEVNULL)
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    print(
        f"installing {chosen.count('==')} locked packages ({' '.join(groups)}) with {'uv' if uv else 'pip'} …",
        flush=True,
    )
    arguments = ["--no-deps", "--require-hashes", "-r", str(wanted)]
    done = uv and subprocess.run([uv, "pip", "install", "--quiet", "--python", sys.executable, "--compile-bytecode",
                                  *arguments], check=False).returncode == 0  # fmt: skip
    if not done:
        subprocess.run([*pip, "install", "--compile", *arguments], check=True)
    # `compat` is a plain path entry: the default's import hook costs every start of the command line 60 ms.
    subprocess.run([*pip, "install", "--no-deps", "--no-build-isolation", "--config-settings", "editable_mode=compat",
                    "--editable", str(ROOT)], check=True)  # fmt: skip
    stamp.write_text((stamp.read_text() + "\n" if stamp.exists() else "") + digest)


if __name__ == "__main__":
    main(sys.argv[1:] or ["core"])
