"""Estimated tokens: deterministic, whole lines, and near what a real tokenizer counts."""

import json
import urllib.request
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.inference.local import LocalModel
from tasks.inference.tokens import clip, estimate
from warehouse.layout import Layout

ROOT = Path(__file__).resolve().parents[2]
TEXT = st.text(alphabet=st.sampled_from("aB_ \n;9é{"), max_size=80)


@pytest.mark.parametrize(("text", "tokens"), [
    ("", 0), (" ", 1), ("a", 2), ("\n", 1), ("int main(void) { return 0; }", 12), ("GPIO_MODE_OUTPUT", 10),
    ("uint32_t counter_value = 0xFFFFFFFF;", 18), ("    " * 200, 2),
])  # fmt: skip
def test_known_estimates(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@given(TEXT, st.integers(0, 60))
def test_clip_is_the_longest_run_of_whole_lines_that_fits(text: str, tokens: int) -> None:
    lines = text.splitlines(keepends=True)
    fitting = [count for count in range(len(lines) + 1) if estimate("".join(lines[:count])) <= tokens]
    assert clip(text, tokens) == "".join(lines[: max(fitting)])


@given(TEXT, TEXT)
def test_more_text_is_never_fewer_tokens_by_more_than_a_joint(text: str, more: str) -> None:
    assert estimate(text + more) >= estimate(text) - 1
    assert estimate(text + "\n" + more) <= estimate(text) + estimate(more) + 2


@pytest.mark.local_model
@pytest.mark.slow
def test_a_real_tokenizer_counts_no_more_and_not_much_less(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the `local` extra is not installed")
    c = [*(ROOT / "tests").rglob("*.c"), *(ROOT / "tests").rglob("*.cpp")]
    # signatures.py is the text that estimates are worst at: patterns, where every character is a token.
    files = sorted({*c, *(ROOT / "tasks/inference").glob("*.py")} - {ROOT / "tasks/inference/signatures.py"})
    pieces = [text[at : at + 3000] for text in (path.read_text(errors="replace") for path in files)
              for at in range(0, len(text), 3000) if len(text) - at > 600]  # fmt: skip
    with LocalModel("local/smollm2-135m", None, Layout(tmp_path), {}) as model:
        assert model.api_base is not None
        ratios = sorted(estimate(piece) / counted(model.api_base, piece) for piece in pieces)
    assert len(ratios) > 10
    assert 1.0 <= ratios[len(ratios) // 2] <= 1.25
    assert ratios[len(ratios) // 20] >= 0.95
    assert ratios[0] > 0.85


def counted(address: str, text: str) -> int:
    body = json.dumps({"content": text}).encode()
    request = urllib.request.Request(
        address.removesuffix("/v1") + "/tokenize", body, {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return len(json.load(response)["tokens"])
