"""Pieces of C's lexical grammar as regular expressions over bytes, none of which can backtrack."""

ESCAPED = rb"\\(?:\r\n|[\s\S])"
BLOCK_COMMENT = rb"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?"
LINE_COMMENT = rb"//[^\n\\]*+(?:" + ESCAPED + rb"[^\n\\]*+)*+"
STRING = rb'"[^"\\\n]*+(?:' + ESCAPED + rb'[^"\\\n]*+)*+"'
CHARACTER = rb"'[^'\\\n]*+(?:" + ESCAPED + rb"[^'\\\n]*+)*+'"
REST_OF_DIRECTIVE = rb"[^\n\\]*+(?:" + ESCAPED + rb"[^\n\\]*+)*+"
"""Up to the end of the line, with the lines that a backslash joins."""
