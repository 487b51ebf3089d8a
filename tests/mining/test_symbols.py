"""Symbols of a file: which names it declares, and the text that shows how to use each."""

import pytest

from tasks.mining.mine import mine_file
from tasks.mining.records import Symbol
from tasks.mining.symbols import CUT, TEXT_BYTES
from tasks.sources.model import Source

SOURCE = Source(project_id="sample", kind="dir", address=".")


def symbols(code: str, path: str = "file.c") -> list[Symbol]:
    return list(mine_file(path, code.encode(), SOURCE).symbols)


def texts(code: str, path: str = "file.c") -> dict[tuple[str, str], str]:
    return {(one.kind, one.name): one.text for one in symbols(code, path)}


def test_every_kind_of_c_symbol_has_its_text():
    code = """#define LIMIT 8 /* most */
#define SQUARE(x) \\
  ((x) * (x))
struct point { int x; int y; } origin, *there;
typedef struct { int q; } q_t, *q_p;
union both { int i; float f; };
enum mode { OFF, ON = 2 };
extern int shared[LIMIT];
static const char *names = "a";
int (*handler)(int);
int prototype(int a);
int *pointer(void);
typedef int (*callback_t)(int);
int function(int a)
{
#define LOCAL 3
  int inside = a;
  return inside;
}
"""
    found = texts(code)
    assert found == {
        ("macro", "LIMIT"): "#define LIMIT 8 /* most */",
        ("macro", "SQUARE"): "#define SQUARE(x) \\\n  ((x) * (x))",
        ("struct", "point"): "struct point { int x; int y; }",
        ("global", "origin"): "struct point { int x; int y; } origin, *there;",
        ("global", "there"): "struct point { int x; int y; } origin, *there;",
        ("typedef", "q_t"): "typedef struct { int q; } q_t, *q_p;",
        ("typedef", "q_p"): "typedef struct { int q; } q_t, *q_p;",
        ("union", "both"): "union both { int i; float f; }",
        ("enum", "mode"): "enum mode { OFF, ON = 2 }",
        ("enumerator", "OFF"): "enum mode { OFF, ON = 2 }",
        ("enumerator", "ON"): "enum mode { OFF, ON = 2 }",
        ("global", "shared"): "extern int shared[LIMIT];",
        ("global", "names"): 'static const char *names = "a";',
        ("global", "handler"): "int (*handler)(int);",
        ("prototype", "prototype"): "int prototype(int a);",
        ("prototype", "pointer"): "int *pointer(void);",
        ("typedef", "callback_t"): "typedef int (*callback_t)(int);",
        ("function", "function"): "int function(int a)",
        ("macro", "LOCAL"): "#define LOCAL 3",
    }


def test_spans_and_lines_point_at_the_symbol():
    code = "\n\nint a;\n/* \n#define NOT 1\n*/\n  #  define YES 2\nstruct s { int b; };\n"
    found = {one.name: one for one in symbols(code)}
    assert set(found) == {"a", "YES", "s"}
    assert [(one.name, one.start_line) for one in symbols(code)] == [("a", 3), ("YES", 7), ("s", 8)]
    for one in found.values():
        assert code[one.start_byte : one.end_byte] == one.text


def test_class_members_and_nested_types():
    code = """namespace n {
class Meter {
 public:
  enum class Mode : int { IDLE, RUN };
  struct Sample { int at; };
  using Callback = std::function<void(int)>;
  void start(int a);
  virtual bool ready() const = 0;
  Meter(const Meter &) = delete;
  int inline_one() { return a_; }
  static int count;
 private:
  int a_{0};
};
template<typename T> class Box { T value; };
int Meter::count = 0;
}
"""
    found = texts(code, "m.h")
    assert set(found) >= {
        ("class", "Meter"),
        ("enum", "Mode"),
        ("enumerator", "IDLE"),
        ("struct", "Sample"),
        ("typedef", "Callback"),
        ("prototype", "start"),
        ("prototype", "ready"),
        ("prototype", "Meter"),
        ("function", "inline_one"),
        ("class", "Box"),
        ("global", "count"),
    }
    assert ("global", "a_") not in found
    assert ("prototype", "a_") not in found
    assert found[("function", "inline_one")] == "int inline_one()"


def test_long_initialisers_and_long_texts_are_cut_with_a_mark():
    table = ", ".join(f'"{i}"' for i in range(200))
    fields = "\n".join(f"  int field_{i};" for i in range(600))
    found = texts(f"static const char *const words[] = {{{table}}};\nstruct big {{\n{fields}\n}};\n")
    assert found[("global", "words")] == "static const char *const words[];"
    big = found[("struct", "big")]
    assert big.endswith(CUT)
    assert len(big.encode()) <= TEXT_BYTES + len(CUT.encode()) + 1
    assert big.splitlines()[-2].endswith(";")


def test_an_enumerator_of_a_long_enum_shows_itself_and_its_enum():
    names = ", ".join(f"VALUE_{i} = {i}" for i in range(100))
    found = texts(f"enum long_one {{ {names} }};\n")
    assert found[("enumerator", "VALUE_7")] == "enum long_one { …, VALUE_7 = 7, … }"


def test_attributes_that_were_blanked_are_in_the_text():
    code = (
        "struct __attribute__((packed)) s { int a; };\n"
        "extern int f(const char *, ...) __attribute__((format(printf, 1, 2)));\n"
    )
    found = texts(code)
    assert found[("struct", "s")] == "struct __attribute__((packed)) s { int a; }"
    assert found[("prototype", "f")].endswith("__attribute__((format(printf, 1, 2)));")


@pytest.mark.parametrize("path", ["a.c", "a.cpp"])
def test_extern_c_and_conditional_blocks_are_entered(path):
    code = 'extern "C" {\n#ifdef A\nint a;\n#elif B\nint b;\n#else\nint c;\n#endif\nint f(void);\n}\n'
    assert {one.name for one in symbols(code, path)} == {"a", "b", "c", "f"}


def test_without_symbols_the_functions_are_the_same():
    code = b"#define A 1\nint g;\nint f(void) { return A; }\n"
    with_them = mine_file("a.c", code, SOURCE)
    without = mine_file("a.c", code, SOURCE, symbols=False)
    assert without.symbols == ()
    assert without.functions == with_them.functions
    assert len(with_them.symbols) == 3
