"""The files of a small case, written for these tests."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

METADATA = """\
id: {id}
category: timer
difficulty: easy
title: Blink
description: A lamp that blinks
tags: [timer]
platform: native_sim
estimated_tokens: 100
sdk_version: 4.1.0
"""
REFERENCE = "volatile int lamp;\nint main(void)\n{\n\tlamp = 1;\n\treturn 0;\n}\n"
STATIC = """\
from embedeval.models import CheckDetail


def run_checks(generated_code):
    found = "main(" in generated_code
    return [CheckDetail(check_name="has_main", passed=found, expected="main", check_type="exact_match")]
"""
BEHAVIOR = """\
import re

from embedeval.check_utils import check_qualifier_on_variable, strip_comments
from embedeval.models import CheckDetail


def run_checks(generated_code):
    volatile = check_qualifier_on_variable(generated_code, "volatile", "lamp")
    on = re.search(r"lamp\\s*=\\s*1", strip_comments(generated_code)) is not None
    return [
        CheckDetail(check_name="lamp_is_volatile", passed=volatile, check_type="constraint"),
        CheckDetail(check_name="lamp_goes_on", passed=on, expected="on", actual=str(on), check_type="constraint"),
    ]
"""
NEGATIVES = """\
NEGATIVES = [
    {
        "name": "plain",
        "description": "the optimizer may drop the store",
        "mutation": lambda code: code.replace("volatile ", ""),
        "must_fail": ["lamp_is_volatile"],
    },
]
"""


class MakeCase(Protocol):
    def __call__(self, where: str, extra: Mapping[str, str | None] = {}) -> Path: ...
