import pytest

from tasks.sources.fetch import fetch
from tasks.sources.licence import FINGERPRINTS, file_licence, normalise, project_licence, text_licence
from tasks.sources.model import Source

from .conftest import write_files

MIT = b"""The MIT License (MIT)

Permission is hereby granted, free of charge, to any person obtaining a copy of this software, to deal in it.

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.
"""
BSD2 = b"""Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:
"""
BSD3 = BSD2 + b"Neither the name of X may be used to endorse or promote products derived from this software.\n"
BSD4 = BSD3 + b"All advertising materials mentioning features or use of this software must display it.\n"
ISC = b"""Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee
is hereby granted, provided that the above copyright notice and this permission notice appear in all copies."""
GPL3 = b"                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007\n"
LGPL3 = (
    b"GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n as a supplement to the GNU General Public License"
)
GPL2 = b"GNU GENERAL PUBLIC LICENSE\n Version 2, June 1991\n use the GNU Lesser General Public License instead"
LGPL21 = b"GNU LESSER GENERAL PUBLIC LICENSE\n Version 2.1, February 1999\n"
AGPL3 = b"GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3, 19 November 2007\n version 3 of the GNU General Public License"
APACHE = (
    b"                Apache License\n           Version 2.0, January 2004\n        http://www.apache.org/licenses/\n"
)
MPL = (
    b"Mozilla Public License Version 2.0\n======\n1.4. 'Covered Software'\n GNU General Public License, Version 2.0\n"
)
EPL2 = b"Eclipse Public License - v 2.0\n ANY USE CONSTITUTES RECIPIENT'S ACCEPTANCE OF THIS AGREEMENT.\n"
EPL1 = EPL2.replace(b"2.0", b"1.0")
CC0 = b"Creative Commons CCZero 1.0 Universal\n\nStatement of Purpose\n ... Waiver. ...\n"
ZLIB = b"1. The origin of this software must not be misrepresented. 2. Altered source versions must be plainly marked."
UNLICENSE = b"This is free and unencumbered software released into the public domain.\n"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"// SPDX-License-Identifier: MIT\n", "MIT"),
        (b"/* SPDX-License-Identifier: apache-2.0 */", "Apache-2.0"),
        (b"/*\r\n * SPDX-License-Identifier: BSD-3-Clause\r\n */", "BSD-3-Clause"),
        (b"# SPDX-License-Identifier: GPL-2.0+", "GPL-2.0-or-later"),
        (b"/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */", "GPL-2.0-only WITH Linux-syscall-note"),
        (b"// SPDX-License-Identifier: (gpl-2.0-only or  mit)", "(GPL-2.0-only OR MIT)"),
        (b"// SPDX-License-Identifier: LicenseRef-Nordic-5-Clause", "LicenseRef-Nordic-5-Clause"),
        (b"<!-- SPDX-License-Identifier: CC0-1.0 -->", "CC0-1.0"),
        (b"//SPDX-License-Identifier:MIT", "MIT"),
        (b"caf\xe9 SPDX-License-Identifier: ISC\n", "ISC"),
        (b"// SPDX-License-Identifier: MIT\n// SPDX-License-Identifier: ISC\n", "MIT"),
        (b"int main(void);", None),
        (b"", None),
        (b"// SPDX-License-Identifier:", None),
        (b"// SPDX-License-Identifier: GPL-2.0-only or see COPYING", None),
        (b"// SPDX-License-Identifier: MIT/BSD", None),
        (b"// SPDX-License-Identifier: (MIT", None),
        (b"// SPDX-License-Identifier: MIT)", None),
        (b"// SPDX-License-Identifier: MIT OR", None),
        (b"// SPDX-License-Identifier: AND MIT", None),
        (b"// SPDX-License-Identifier: GPL-2.0 WITH (x)", None),
        (b" " * 4090 + b"// SPDX-License-Identifier: MIT\n", None),
    ],
)  # fmt: skip
def test_the_tag_of_a_file(head, expected):
    assert file_licence(head) == expected


def test_normalising_twice_changes_nothing():
    for text in ("gpl-2.0+ or (mit and isc)", "LGPL-2.1 WITH GCC-exception-3.1", "Apache-2.0+"):
        once = normalise(text)
        assert once is not None
        assert normalise(once) == once
    assert normalise("gpl-2.0+ or (mit and isc)") == "GPL-2.0-or-later OR (MIT AND ISC)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MIT, "MIT"), (BSD2, "BSD-2-Clause"), (BSD3, "BSD-3-Clause"), (BSD4, "BSD-4-Clause"), (ISC, "ISC"),
        (GPL2, "GPL-2.0-only"), (GPL3, "GPL-3.0-only"), (LGPL3, "LGPL-3.0-only"), (LGPL21, "LGPL-2.1-only"),
        (AGPL3, "AGPL-3.0-only"), (APACHE, "Apache-2.0"), (MPL, "MPL-2.0"), (EPL1, "EPL-1.0"), (EPL2, "EPL-2.0"),
        (CC0, "CC0-1.0"), (ZLIB, "Zlib"), (UNLICENSE, "Unlicense"), (MIT + GPL3, "GPL-3.0-only AND MIT"),
        (MIT.replace(b"\n", b"\r\n").replace(b"included in", b"included\n *  in"), "MIT"),
        (b"All rights reserved.", None), (b"", None), (b"\xff\xfe\x00", None),
    ],
)  # fmt: skip
def test_licence_texts_are_recognised_whatever_their_layout(text, expected):
    assert text_licence(text) == expected


def test_fingerprints_are_unique_ids_that_normalise_to_themselves():
    ids = [mark.spdx for mark in FINGERPRINTS]
    assert ids == sorted(set(ids), key=str.lower)
    assert [normalise(one) for one in ids] == ids
    for mark in FINGERPRINTS:
        for phrase in mark.present + mark.absent:
            assert phrase == " ".join(phrase.lower().split())


@pytest.mark.parametrize(
    ("files", "fields", "expected"),
    [
        ({"LICENSE": MIT}, {"licence": "GPL-3.0-only"}, "GPL-3.0-only"),
        ({"LICENSE": MIT}, {}, "MIT"),
        ({"COPYING.txt": GPL3}, {}, "GPL-3.0-only"),
        ({"LICENCE.md": b"SPDX-License-Identifier: Zlib\n"}, {}, "Zlib"),
        ({"LICENSE": MPL, "LICENSE-CC0": CC0}, {}, "MPL-2.0"),
        ({"LICENSE-EPL-2.0": EPL2, "LICENSE-AGPL-3.0": AGPL3}, {}, "AGPL-3.0-only AND EPL-2.0"),
        ({"COPYING": GPL3, "COPYING.LESSER": LGPL3}, {}, "LGPL-3.0-only"),
        ({"LICENSE": BSD3, "lib/LICENSE.md": MIT}, {"include": ("lib/",)}, "MIT"),
        ({"LICENSE": BSD3, "lib/a.c": b""}, {"include": ("lib/",)}, "BSD-3-Clause"),
        ({"x-1.0.dist-info/licenses/LICENSE": MIT}, {}, "MIT"),
        ({"third_party/LICENSE": MIT}, {}, None),
        ({"LICENSE": b"ask us"}, {}, None),
        ({"license_check.py": MIT, "a.c": b""}, {}, None),
        ({}, {}, None),
    ],
)
def test_the_licence_of_a_project(tmp_path, layout, files, fields, expected):
    (tmp_path / "t").mkdir()
    source = Source(project_id="p", kind="dir", address=str(write_files(tmp_path / "t", files)), **fields)
    assert project_licence(fetch(source, layout), source) == expected
