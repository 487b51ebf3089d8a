import re

import pytest

from tasks.grading.lexer import lex, tokens

CASES = {
    "words_and_operators": ("a+++b->c<<=1;", ["a", "++", "+", "b", "->", "c", "<<=", "1", ";"]),
    "comments": ("a /* x */ = // y\n b; /* open", ["a", "=", "b", ";"]),
    "comment_with_a_splice": ("a // x \\\n y\n b", ["a", "b"]),
    "comment_signs_in_a_string": ('p("/* no */ // no");', ["p", "(", '"/* no */ // no"', ")", ";"]),
    "quotes_in_literals": (r"""'\'' '"' "\"'" """, [r"'\''", "'\"'", r'"\"' + "'\""]),
    "prefixed_literals": ('L\'a\' u8"b" U"c"', ["L'a'", 'u8"b"', 'U"c"']),
    "raw_string": ('x = R"--(a ")" // b\n)--";', ["x", "=", 'R"--(a ")" // b\n)--"', ";"]),
    "string_beside_a_macro": ('"%"PRIu32', ['"%"', "PRIu32"]),
    "numbers": ("0x1Fu 1.5e-3f .5 0b01 1'000'000 0x1p+4", ["0x1Fu", "1.5e-3f", ".5", "0b01", "1'000'000", "0x1p+4"]),
    "negative_number": ("x=-1", ["x", "=", "-", "1"]),
    "line_splice": ("ab\\\n + c", ["ab", "+", "c"]),
    "crlf": ("a;\r\nb;\r\n", ["a", ";", "b", ";"]),
    "letters_beyond_ascii": ("größe = 'é' + \"日本\";", ["größe", "=", "'é'", "+", '"日本"', ";"]),
    "directive": ("#define A(x)  x+1 // c\nb", ["#", "define", "A", "(", "x", ")", "x", "+", "1", "b"]),
    "directive_over_two_lines": ("#define A 1 \\\n + 2\nb", ["#", "define", "A", "1", "+", "2", "b"]),
    "header_name": ("# include  <a/b.h>\nx", ["#", "include", "<a/b.h>", "x"]),
    "apostrophe_in_an_error_line": (
        "#error don't\nx = 'a'; // c",
        ["#", "error", "don", "'", "t", "x", "=", "'a'", ";"],
    ),
    "unclosed_string": ('a = "b;\nc', ["a", "=", '"', "b", ";", "c"]),
    "stray_characters": ("a @ ` \\ b", ["a", "@", "`", "\\", "b"]),
    "nothing": (" \n\t /* */ // \n", []),
}


@pytest.mark.parametrize("name", CASES)
def test_tokens(name):
    text, expected = CASES[name]
    assert tokens(text) == expected


SAMPLE = """
#include <stdint.h>
static int crc(const uint8_t *data, size_t n) {
    int crc = -1; /* start */
    for (size_t i = 0; i < n; i++) { // each byte
        crc ^= data[i];
#ifdef FAST
        crc = table[crc & 0xff] ^ (crc >> 8);
#endif
    }
    [[maybe_unused]] int left = buffer[index[0]];
    return crc == -1 ? 0 : crc;
}
"""


def test_layout_and_comments_do_not_reach_the_canonical_source():
    lines = SAMPLE.replace("    ", "\t").replace(" {", "\n{").replace("/* start */", "// begin\n").replace(" ^ ", "^")
    spread = re.sub(r"(?m)^(?!#)(.*)$", lambda line: line[1].replace("(", " (\n "), lines)
    assert spread != SAMPLE
    assert lex(spread) == lex(SAMPLE)


def test_canonical_source_has_the_same_tokens():
    first = lex(SAMPLE)
    assert lex(first.source) == first


def test_canonical_source_parses_like_the_text():
    from tasks.grading.syntax import parse

    assert not parse(lex(SAMPLE).source, "c").has_error
    assert "[[maybe_unused ]]" in lex(SAMPLE).source
