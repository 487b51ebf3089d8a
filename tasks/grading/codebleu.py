"""CodeBLEU of C and C++ (Ren et al. 2020, arXiv 2009.10297): n-grams, weighted n-grams, syntax and data flow.

Equal weights. `docs/codebleu.md` says where this departs from the codebleu 0.7.0 package and why.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.grading.bleu import NgramReference
from tasks.grading.dataflow import DataflowReference
from tasks.grading.keywords import KEYWORDS, CodeLanguage
from tasks.grading.lexer import lex
from tasks.grading.syntax import SubtreeReference, Tree, parse
from warehouse.errors import GradingError

VERSION = "1"
"""Changes when a figure may."""


@dataclass(frozen=True, slots=True)
class CodeBleu:
    """The score, in [0, 1], and its components; `dataflow` is None where the reference has no data flow to match."""

    score: float
    ngram: float
    weighted_ngram: float
    syntax: float
    dataflow: float | None


class Reference:
    """One or several right answers, parsed once; `codebleu` reads it and never changes it.

    `texts` are functions or fragments (a run of statements) in `language`. Raises GradingError when there is none, or
    one without a single token.
    """

    __slots__ = ("language", "parts")

    def __init__(self, texts: Sequence[str], language: CodeLanguage) -> None:
        self.language = language
        self.parts = tuple(_Part(text, language) for text in texts)
        if not self.parts:
            raise GradingError("CodeBLEU needs at least one reference; none was given.")


class _Part:
    """What there is to match in one reference."""

    def __init__(self, text: str, language: CodeLanguage) -> None:
        tokens, source = lex(text)
        if not tokens:
            raise GradingError("A CodeBLEU reference holds no code: it is empty, blank or only comments.")
        tree = parse(source, language)
        self.ngrams = NgramReference(tokens, KEYWORDS[language])
        self.subtrees = SubtreeReference(tree)
        self.flow = DataflowReference(tree, language)


def codebleu(reference: Reference, candidate: str) -> CodeBleu:
    """Return how near `candidate` is to the nearest of the references; 1.0 exactly when their tokens are the same."""
    tokens, source = lex(candidate)
    same = any(tokens == part.ngrams.tokens for part in reference.parts)
    tree = None if same or not tokens else parse(source, reference.language)
    return max((_match(part, tokens, tree) for part in reference.parts), key=lambda result: result.score)


def _match(part: _Part, tokens: list[str], tree: Tree | None) -> CodeBleu:
    flows = part.flow.total > 0
    if tokens == part.ngrams.tokens:
        return CodeBleu(1.0, 1.0, 1.0, 1.0, 1.0 if flows else None)
    if tree is None:
        return CodeBleu(0.0, 0.0, 0.0, 0.0, 0.0 if flows else None)
    ngram, weighted = part.ngrams.match(tokens)
    syntax, dataflow = part.subtrees.match(tree), part.flow.match(tree)
    components = [ngram, weighted, syntax] + ([] if dataflow is None else [dataflow])
    return CodeBleu(sum(components) / len(components), ngram, weighted, syntax, dataflow)
