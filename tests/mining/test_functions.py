"""Functions of a file: every shape of source that a parser trips over, with the right answer written down."""

import itertools
import time
from pathlib import Path

import pytest

from tasks.mining import tables
from tasks.mining.mine import mine_file
from tasks.mining.records import Function, MinedFile
from tasks.sources.model import Source

DATA = Path(__file__).parent / "data"


def source(*macros: str) -> Source:
    return Source(project_id="sample", kind="dir", address=".", macros=macros)


def mine(code: str | bytes, path: str = "file.c", *macros: str) -> MinedFile:
    data = code.encode() if isinstance(code, str) else code
    return mine_file(path, data, source(*macros))


def names(code: str | bytes, path: str = "file.c", *macros: str) -> list[str]:
    return [one.qualified_name for one in mine(code, path, *macros).functions]


def rows(code: str) -> list[dict]:
    return tables.functions("sample", [(mine(code), code.encode())]).to_pylist()


def fixture(name: str) -> tuple[dict[str, Function], bytes, MinedFile]:
    data = (DATA / name).read_bytes()
    mined = mine_file(name, data, source())
    return {one.name: one for one in mined.functions}, data, mined


def body(function: Function, data: bytes) -> bytes:
    return data[function.start_byte : function.end_byte]


def test_a_plain_function_has_every_field():
    code = (
        "#include <a.h>\n\n/* Adds. */\n// Twice.\nstatic int add(int a, int b)\n{\n\n    return a + b; /* sum */\n}\n"
    )
    (one,) = mine(code).functions
    assert (one.name, one.qualified_name, one.signature) == ("add", "add", "static int add(int a, int b)")
    assert code[one.start_byte : one.end_byte].startswith("static")
    assert code[one.end_byte - 1] == "}"
    assert code[one.body_start_byte] == "{"
    assert (one.start_line, one.end_line, rows(code)[0]["loc"]) == (5, 9, 4)
    assert one.comment == "/* Adds. */\n// Twice."
    assert one.trivial
    assert not one.has_error
    assert not one.conditional


def test_old_style_definitions_with_and_without_a_pointer():
    functions, data, mined = fixture("old_style.c")
    assert list(functions) == ["add", "skip", "note"]
    assert body(functions["skip"], data).startswith(b"char *skip(text, set)\n    register char *text;")
    assert functions["skip"].signature.endswith("const char *set;")
    assert mined.error_bytes == 0
    assert not mined.unread


@pytest.mark.parametrize(
    "code",
    [
        "void f(int a)\n{\n  if (a)\n    return;\n  g(a);\n}\nvoid h(void) { x(); y(); }\n",
        "void f(int a)\n{\n  while (a)\n    a--;\n  { g(a); }\n}\nvoid h(void) { x(); y(); }\n",
    ],
)
def test_statements_are_not_taken_for_old_style_heads(code):
    assert names(code) == ["f", "h"]
    assert mine(code).functions[0].has_error is False


def test_two_heads_share_a_body_and_the_text_is_balanced():
    functions, data, _ = fixture("heads.c")
    assert list(functions) == ["take", "open_port", "pace"]
    take = body(functions["take"], data)
    assert take.startswith(b"#if POSIX")
    assert b"LOS_take" in take
    assert take.endswith(b"return block;\n}")
    assert functions["take"].conditional
    assert not functions["take"].has_error


def test_a_parameter_under_if_stays_in_the_function():
    functions, data, _ = fixture("heads.c")
    port = functions["open_port"]
    assert body(port, data).startswith(b"int open_port(int number\n#if WITH_FLAGS")
    assert port.conditional
    assert not port.has_error


def test_all_definitions_of_a_name_are_kept():
    mined = mine((DATA / "heads.c").read_bytes())
    both = [one for one in mined.functions if one.name == "pace"]
    assert [one.start_line for one in both] == [22, 24]
    assert not any(one.conditional for one in both)


def test_functions_swallowed_by_unbalanced_branches_come_back():
    functions, data, _ = fixture("swallowed.c")
    assert list(functions) == ["first", "input", "send", "send_checked", "last"]
    given = body(functions["input"], data)
    assert given.startswith(b"void\ninput(")
    assert given.endswith(b"drop(segment);\n  }\n}")
    assert functions["input"].conditional
    assert not functions["input"].has_error
    assert functions["input"].comment == "/* Deliver a segment to the connection it belongs to. */"
    assert body(functions["send"], data).endswith(b"return send_checked(socket, 0);\n}")
    assert body(functions["send_checked"], data).endswith(b"return 0;\n}")
    assert body(functions["last"], data) == b"int last(void)\n{\n  return 2;\n}"


def test_a_branch_that_only_the_last_choice_shows_is_read():
    code = (
        "void f(void) {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\n"
        "#if A\nint g(int x) {\n  x++;\n#else\nint h(int x) {\n  x--;\n#endif\n  return x;\n}\n"
    )
    found = names(code)
    assert found[0] == "f"
    assert found[1] in ("g", "h")
    assert len(found) == 2


@pytest.mark.parametrize("path", ["file.c", "file.cpp"])
@pytest.mark.parametrize("head", ["if (ready)", "while (ready)", "switch (ready)", "for (;;)"])
def test_no_function_is_named_like_a_statement(path, head):
    mined = mine(f"{head} {{\n  go();\n}}\nint real(void) {{\n  return 1;\n}}\n", path)
    assert [one.name for one in mined.functions] == ["real"]
    assert mined.unread
    assert mined.unread[0].start_byte == 0
    assert mined.error_bytes > 0


@pytest.mark.parametrize("path", ["file.c", "file.cpp"])
@pytest.mark.parametrize(
    "head", ["START_TEST(adds)", "TEST(Suite, Case)", "ISR(TIMER1_COMPA_vect)", "static TASK(x)", "void RUN(x)"]
)
def test_a_function_made_by_a_macro_is_stored_as_unread(path, head):
    mined = mine(f"{head}\n{{\n  int a = 1;\n  use(a);\n}}\n\nint real(void)\n{{\n  return 1;\n}}\n", path)
    assert [one.name for one in mined.functions] == ["real"]
    assert [(one.reason, one.start_line) for one in mined.unread] == [("macro_made", 1)]
    assert mined.error_bytes == 0


def test_a_real_function_in_capitals_is_kept():
    assert names("void RESET(void) { a(); b(); }\nint SUM(int a, int b) { return a + b; }\n") == ["RESET", "SUM"]


def test_macro_calls_at_file_scope_are_counted():
    mined = mine("DEFINE_LIST(byte);\nint f(void) { return 1; }\n")
    assert [(one.reason, one.detail) for one in mined.unread] == [("macro_call", "DEFINE_LIST(byte);")]
    mined = mine(
        "class A {\n public:\n  SUB_SENSOR(voltage)\n  SUB_SENSOR(power)\n  void go() { a(); b(); }\n};\n", "a.h"
    )
    assert [one.qualified_name for one in mined.functions] == ["A::go"]
    assert [one.reason for one in mined.unread] == ["macro_call", "macro_call"]


@pytest.mark.parametrize(
    ("code", "name", "starts"),
    [
        ("static __printf(2,3) int f(const char *a, ...)\n{ return 1; }", "f", "static __printf"),
        ("__attribute__((noinline)) static int f(void) { return 1; }", "f", "__attribute__"),
        ('__attribute__ ((section(".ram")))\nint f(void) { return 1; }', "f", "__attribute__"),
        ("void IRAM_ATTR f(void *a) { g(a); h(); }", "f", "void IRAM_ATTR"),
        ("static IRAM_ATTR void f(int x) { g(x); h(); }", "f", "static IRAM_ATTR"),
        ("SOME_UNKNOWN_ATTR static int f(int x) { return g(x); }", "f", "SOME_UNKNOWN_ATTR static"),
        ("void __not_in_flash_func(f)(int x) { g(x); h(x); }", "f", "void __not_in_flash_func(f)"),
        ("int (*f(int a))(int) { return table[a]; }", "f", "int (*f"),
    ],
)
def test_attributes_neither_hide_nor_shorten_a_function(code, name, starts):
    mined = mine(code + "\nint after(void) { return 2; }\n")
    assert [one.name for one in mined.functions] == [name, "after"]
    first = mined.functions[0]
    assert not first.has_error
    assert code[first.start_byte : first.end_byte] == code
    assert first.signature.startswith(starts)


def test_macros_of_the_source_are_blanked_whole_words_with_arguments_and_prefixes():
    code = "TU_ATTR_WEAK TU_ATTR_SECTION(.x) bool f(FAR char *a, NOT_FAR b) { return a != 0; }\n"
    with_macros = mine(code, "file.c", "TU_ATTR_*", "FAR")
    (one,) = with_macros.functions
    assert one.name == "f"
    assert not one.has_error
    assert one.signature == "TU_ATTR_WEAK TU_ATTR_SECTION(.x) bool f(FAR char *a, NOT_FAR b)"
    assert mine("#define FAR\n#ifdef FAR\nint f(void) { return 1; }\n#endif\n", "file.c", "FAR").error_bytes == 0


def test_cr_lf_and_a_byte_order_mark_leave_spans_true():
    code = "\ufeff/* c */\r\nint f(void)\r\n{\r\n\r\n  return 1;\r\n}\r\n".encode()
    (one,) = mine(code).functions
    assert code[one.start_byte : one.end_byte] == b"int f(void)\r\n{\r\n\r\n  return 1;\r\n}"
    assert (one.start_line, one.end_line, one.comment) == (2, 6, "/* c */")
    assert rows(code.decode())[0]["loc"] == 4


def test_latin_1_is_decoded_and_spans_stay_bytes():
    code = '/* Größe */\nint grad(void)\n{\n  return put("°C");\n}\n'.encode("latin-1")
    mined = mine(code)
    (one,) = mined.functions
    assert mined.encoding == "latin-1"
    assert one.comment == "/* Größe */"
    assert (
        code[one.start_byte : one.end_byte].decode("latin-1").encode(mined.encoding)
        == code[one.start_byte : one.end_byte]
    )
    assert not one.has_error
    assert mined.error_bytes == 0


def test_utf_16_and_binary_are_said_to_be_unreadable():
    mined = mine("int f(void) { return 1; }".encode("utf-16"))
    assert not mined.functions
    assert [one.reason for one in mined.unread] == ["not_text"]
    assert mined.error_bytes == mined.size_bytes


def test_a_big_data_file_is_fast_and_keeps_its_functions_and_globals():
    rows = ",\n".join(", ".join(f"0x{(i * 7 + j) % 256:02x}" for j in range(64)) for i in range(8000))
    code = (
        f"#include <x.h>\nconst unsigned char image[] = {{\n{rows}\n}};\nint size(void) {{ return sizeof(image); }}\n"
    )
    assert len(code) > 3_000_000
    start = time.process_time()
    mined = mine(code)
    spent = time.process_time() - start
    assert [one.name for one in mined.functions] == ["size"]
    assert mined.error_bytes == 0
    assert [one.text for one in mined.symbols if one.kind == "global"] == ["const unsigned char image[];"]
    assert spent < 20, "a guard against quadratic time, not a benchmark"


def test_a_line_of_29000_characters():
    data = ",".join(str(i % 256) for i in range(9000))
    code = f"static const unsigned char v1[] = {{{data}}};\nint find(int a) {{ return v1[a]; }}\n"
    assert len(code.splitlines()[0]) > 29_000
    mined = mine(code)
    assert [(one.name, one.start_line) for one in mined.functions] == [("find", 2)]


def test_classes_namespaces_operators_and_templates_are_qualified():
    code = """namespace a::b {
namespace {
class Meter : public Base {
 public:
  Meter(int pin) : pin_(pin) {}
  ~Meter() = default;
  void loop() override { auto f = [this]() { return pin_; }; use(f()); }
  void setup() {};
  float (*convert_)(const int &){};
  void (*hook_)(int &){nullptr};
  bool operator==(const Meter &o) const { return pin_ == o.pin_; }
  explicit operator bool() const { return pin_ != 0; }
  struct Inner { int get() { return 1; } };
 protected:
  int pin_{0};
};
}
template<typename T> T Box<T>::get() const { return value_; }
Meter::~Meter() { stop(); }
int *Meter::operator->() { return &pin_; }
Meter::operator int() const { return pin_; }
}
extern "C" int entry(void) { return 1; }
extern "C" { int other(void) { return 2; } }
"""
    assert names(code, "meter.h") == [
        "a::b::Meter::Meter",
        "a::b::Meter::loop",
        "a::b::Meter::setup",
        "a::b::Meter::operator==",
        "a::b::Meter::operator bool",
        "a::b::Meter::Inner::get",
        "a::b::Box<T>::get",
        "a::b::Meter::~Meter",
        "a::b::Meter::operator->",
        "a::b::Meter::operator int",
        "entry",
        "other",
    ]
    mined = mine(code, "meter.h")
    box = next(one for one in mined.functions if "Box" in one.qualified_name)
    assert box.name == "get"
    assert box.signature.startswith("template<typename T> T Box<T>::get()")
    assert mined.language == "cpp"
    assert mined.error_bytes == 0


def test_constructors_of_specialised_templates_are_no_macros():
    code = "template<typename... X> class Value<std::string, X...> {\n  Value() : kind_(NONE) { a(); b(); }\n};\n"
    assert [one.rsplit("::", 1)[-1] for one in names(code, "v.h")] == ["Value"]


@pytest.mark.parametrize(
    ("path", "code", "language"),
    [
        ("a.h", "class A { public: int f() { return 1; } };\n", "cpp"),
        ("a.h", "namespace x { int f(); }\n", "cpp"),
        ("a.h", "template<class T> T f(T a) { return a; }\n", "cpp"),
        ("a.h", "int std_value = ns::value;\n", "cpp"),
        ("a.c", "void A::f() { a(); }\nint B::g() { return b::c; }\n", "cpp"),
        ("a.h", "/* see Foo::bar, class Foo {} */\nint f(void);\n", "c"),
        ("a.h", '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n', "c"),
        ("a.h", "#ifdef __cplusplus\nclass Later;\nnamespace n { }\n#endif\nstruct s { int class; };\n", "c"),
        ("a.c", "int template = 1; int class_of(int class) { return class; }\n", "c"),
        ("a.cpp", "int f(void) { return 1; }\n", "cpp"),
    ],
)
def test_the_grammar_is_chosen_by_content(path, code, language):
    assert mine(code, path).language == language


def test_a_define_with_trailing_spaces_does_not_take_the_next_function():
    assert names("#define HEADER_H  \nint f(void) { return 1; }\n") == ["f"]
    assert names("#define CALL(x) \t\r\nint f(void) { return 1; }\r\nint g(void) { return 2; }\r\n") == ["f", "g"]


def test_code_in_a_long_define_is_no_function():
    code = (
        "#define MAKE(x) \\\n  int x(void) { /* a */ \\\n    if (1) { return 2; } \\\n  }\nint f(void) { return 1; }\n"
    )
    assert names(code) == ["f"]


def test_strings_glued_by_macros_and_statements_as_arguments_do_not_lose_the_parser():
    code = (
        'void f(int a) {\n  LOG("a %" PRIu32 " b" PRIx64, a);\n  CHECK(a != 0, return);\n  CHECK(a, return -1);\n'
        '  LOG(PRE "x" POST, a);\n}\n'
    )
    for path in ("file.c", "file.cpp"):
        (one,) = mine(code, path).functions
        assert (one.name, one.has_error) == ("f", False), path


BROKEN_BY_A_MACRO = "int before(int a) { return LIST(a, ); }\n"


@pytest.mark.parametrize(
    "code",
    [
        'void f(int a) { LOG("a " SECRET("b") " c", a); }\n',
        'void f(int a) {\n  LOG("a "\n      SECRET("(%s)") "c" END, a);\n}\n',
        "void f(int a) { VERIFY(a, ); SHOW(LIST(ID, ), a); OPEN(a, , b); }\n",
        "void f(S *s, T t) { (s->*t)(1); (s.*t)(2); auto g = &S::put; }\n",
        "void f(S *s) { static const struct { int (S::*act)(int); } M[] = {{&S::put}}; (s->*M[0].act)(1); }\n",
        "void f(S *s) { each(static_cast<a::S &(a::S<int>::*)(const char *)>(&a::S<int>::put)); int S::*at = 0; }\n",
        "bool f(const S &s) const NOEXCEPT { return true; }\n",
        "template<class T> T f(T a, typename enable<T>::type * = 0, typename on<T>::type * = nullptr) { return a; }\n",
    ],
)
def test_what_macros_and_members_hide_from_the_parser_is_read(code):
    for before in ("", BROKEN_BY_A_MACRO):
        *_, one = mine(before + code, "file.cpp").functions
        assert (one.name, one.has_error) == ("f", False)
        assert (before + code)[one.start_byte : one.end_byte] == code.strip()


@pytest.mark.parametrize(
    "code",
    [
        '__STATIC_INLINE int f(void) { int r; __ASM volatile ("MRS %0, psp" : "=r" (r) :: "memory"); return r; }\n',
        'int f(int *p) { CHECK("p", (p != 0), return -1;); CHECK(*p, goto a); CHECK(p, return g(1)); a: return 0; }',
        "int f(va_list a) { int *p = AS(int *, a); g(va_arg(a, unsigned int), 1); return *AS(struct s *, p); }\n",
        "static int f(void) {\n  DMA uint8_t a[4] = {1, 2};\n  static ZERO_INIT float b[2];\n  return g(a, b);\n}\n",
        "\n\nstatic LARGE const uint8_t bits[] = {1, 2};\nint f(UNUSED int a, UNUSED struct s *b) { return *bits; }\n",
        "#if __has_include(<a.h>)\n#include <a.h>\n#endif\nint f(void) { return 1; }\n",
        "#ifndef B\n#define B 1\n#endif\n#if B\nint f(void)\n#if A\n{ if (a) {\n#else\n{ {\n#endif\n} }\n#endif",
        "RAM_CODE MAYBE_UNUSED static void f(uint8_t *__RESTRICT to, int a) { *to = a; }\n",
    ],
)
def test_what_sdk_macros_hide_from_the_parser_is_read_in_c(code):
    mined = mine(code)
    (one,) = mined.functions
    assert (one.name, one.has_error, mined.error_bytes) == ("f", False, 0)


def test_a_storage_word_before_a_function_is_part_of_it():
    code = "int g(void) { return LIST(1, ); }\n\nRAM_CODE static int f(int a)\n{ return a; }\n"
    *_, one = mine(code).functions
    assert (one.name, one.has_error, one.start_line) == ("f", False, 3)
    assert one.signature == "RAM_CODE static int f(int a)"


def test_an_empty_argument_of_a_function_is_an_error():
    (one,) = mine("int f(int a) { return g(a, ); }\n").functions
    assert one.has_error


def test_a_macro_behind_an_include_or_a_linkage_is_no_string():
    code = '#include "a.h"\n\nTEST_CASE("one") { CHECK(a); }\nextern "C" EXPORT int f(int a) { return LIST(a, ); }\n'
    mined = mine(code, "file.cpp")
    assert [(one.name, one.has_error) for one in mined.functions] == [("f", False)]
    assert [(one.reason, one.start_line) for one in mined.unread] == [("macro_made", 3)]
    assert mined.error_bytes == 0


def test_names_keep_pointers_to_members():
    code = "template<class R, class C> struct M<R C::*> { int f(C *c) { return LIST(c, ); } };\n"
    assert names(code, "file.cpp") == ["M<R C::*>::f"]
    code = "struct P { int operator->*(int a) { return LIST(a, ); } };\n"
    assert names(code, "file.cpp") == ["P::operator->*"]


def test_macros_that_bring_their_own_comma_do_not_lose_the_parser():
    code = (
        "class P {\n  static void put(char *&at DEBUG_PARAM, int a) {\n    next(at DEBUG_ARG, a);\n    b();\n  }\n};\n"
    )
    (one,) = mine(code, "p.h").functions
    assert (one.qualified_name, one.has_error) == ("P::put", False)


def test_what_was_lost_behind_a_broken_function_is_read_by_itself():
    broken = "void W::first(int a) {\n  go(static_cast<C &(C::*) (const char *, size_t)>(&decltype(a)::set));\n}\n"
    code = f"namespace n {{\n{broken}int W::second(int a) {{\n  return a;\n}}\nenum A : char {{ X, Y }};\n"
    code += "static A pick(int a) {\n  return X;\n}\n}\n"
    assert [one.rsplit("::", 1)[-1] for one in names(code, "w.cpp")] == ["first", "second", "pick"]


def test_a_function_with_an_error_inside_keeps_its_end_and_says_so():
    code = "int f(void)\n{\n  int a = @ 3;\n  return a;\n}\n\nint g(void)\n{\n  return 1;\n}\n"
    mined = mine(code)
    assert [(one.name, one.has_error, one.end_line) for one in mined.functions] == [("f", True, 5), ("g", False, 10)]
    assert 0 < mined.error_bytes < 20


def test_what_cannot_be_read_is_stored_with_its_span():
    code = "int f(void) { return 1; }\n%% what is this ??\nint g(void) { return 2; }\n"
    mined = mine(code)
    assert {one.name for one in mined.functions} == {"f", "g"}
    assert [(one.reason, one.start_line) for one in mined.unread] == [("parse_error", 2)]
    assert mined.error_bytes >= sum(one.end_byte - one.start_byte for one in mined.unread) > 0


def test_only_the_comment_right_above_counts():
    code = (
        "/* far */\n\nint a(void) { return 1; }\nint x; /* of x */\nint b(void) { return 1; }\n"
        "/** doc */\n/// more\nint c(void) { return 1; }\n"
    )
    assert [one.comment for one in mine(code).functions] == [None, None, "/** doc */\n/// more"]


@pytest.mark.parametrize(
    ("code", "trivial"),
    [
        ("{}", True),
        ("{ return this_->value; }", True),
        ("{ value = a; }", True),
        ("{ /* nothing */ }", True),
        ("{ lock(); value = a; }", True),
        ("{ a = 1; b = 2; c = 3; }", False),
        ("{ if (a) { b(); } }", False),
        ("{ switch (a) { case 1: return 2; } return 3; }", False),
    ],
)
def test_trivial_functions(code, trivial):
    assert mine(f"int f(int a) {code}\n").functions[0].trivial is trivial


def test_the_body_hash_ignores_layout_and_comments_and_nothing_else():
    def hashed(text: str) -> str:
        return rows(f"int f(int a) {text}\n")[0]["body_hash"]

    plain = hashed("{ a += 1; return a; }")
    assert plain == hashed("{\n\n  a += 1; // add\n  /* out */ return a;\n}")
    assert plain == rows("static long other(int b)\r\n{\r\n a += 1;\r\n return a; }\r\n")[0]["body_hash"]
    assert plain != hashed("{ a += 2; return a; }")
    assert hashed('{ return put("http://a"); }') != hashed('{ return put("http://b"); }')


@pytest.mark.parametrize("name", ["swallowed.c", "heads.c", "old_style.c"])
def test_functions_never_overlap_and_come_in_order(name):
    mined = mine((DATA / name).read_bytes(), name)
    spans = [(one.start_byte, one.end_byte) for one in mined.functions]
    assert spans == sorted(spans)
    assert all(left[1] <= right[0] for left, right in itertools.pairwise(spans))


def test_mining_twice_gives_the_same(tmp_path):
    data = (DATA / "swallowed.c").read_bytes()
    assert mine_file("a.c", data, source()) == mine_file("a.c", data, source())
