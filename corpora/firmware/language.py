"""In which language the answer to a case is written, and the file that a model without an idea would hand in."""

import re

from corpora.firmware.case import Case

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b", re.M)
FUNCTION = re.compile(r"^\w[\w \t*]*\([^()]*\)\s*\{", re.M)
BY_CATEGORY = {"yocto": "bitbake", "device-tree": "devicetree"}
BY_EXECUTION = {"yocto": "bitbake", "devicetree": "devicetree", "kconfig": "kconfig"}

MAIN = "int main(void)\n{\n\treturn 0;\n}\n"
APP_MAIN = "void app_main(void)\n{\n}\n"
MODULE = (
    "#include <linux/module.h>\n\nstatic int __init stub_init(void)\n{\n\treturn 0;\n}\n\n"
    "static void __exit stub_exit(void)\n{\n}\n\n"
    'module_init(stub_init);\nmodule_exit(stub_exit);\nMODULE_LICENSE("GPL");\n'
)
STUBS: dict[str, str] = {
    "kconfig": "# nothing yet\n",
    "bitbake": "# nothing yet\n",
    "devicetree": "/ {\n};\n",
    "esp_idf": APP_MAIN,
    "docker_only": MODULE,
    "linux_kernel": MODULE,
}
"""The stub of a language, of an execution, or of a platform; of all others it is a main function."""


def language_of(case: Case) -> str:
    """Return `c`, `kconfig`, `devicetree` or `bitbake`: what the case is executed as, else what its reference is."""
    execution = case.metadata.execution
    if execution is not None:
        return BY_EXECUTION.get(execution, "c")
    if INCLUDE.search(case.answer):
        return "c"
    plain = "c" if FUNCTION.search(case.answer) else "kconfig"
    return BY_CATEGORY.get(case.metadata.category, plain)


def stub_of(case: Case) -> str:
    """Return an answer of the right shape that does nothing."""
    for name in (language_of(case), str(case.metadata.execution), case.metadata.platform):
        if name in STUBS:
            return STUBS[name]
    return MAIN
