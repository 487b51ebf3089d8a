"""The data-flow match: edges between variables, and the share of a reference's that a candidate has."""

from collections import Counter

from tasks.grading.constructs import vocabulary
from tasks.grading.flow import Edge, edges
from tasks.grading.keywords import CodeLanguage
from tasks.grading.reader import Reader
from tasks.grading.syntax import Tree


class DataflowReference:
    """The data-flow edges of one reference; there are none when values never move between its variables."""

    def __init__(self, tree: Tree, language: CodeLanguage) -> None:
        self.language = language
        self.edges = dataflow(tree, language)
        self.total = sum(self.edges.values())

    def match(self, tree: Tree) -> float | None:
        """Return the share of the reference's edges that `tree` has too, counted; None if the reference has none."""
        if not self.total:
            return None
        found = dataflow(tree, self.language)
        return sum(min(count, found[edge]) for edge, count in self.edges.items()) / self.total


def dataflow(tree: Tree, language: CodeLanguage) -> Counter[Edge]:
    """Return the data-flow edges of a text, variables numbered in the order the values move.

    A variable is a name that holds a value: not a function that is called, a type, a label or a field. An object
    stands for all its fields and elements, so `s.f = v`, `p->f = v`, `*p = v` and `a[i] = v` update `s`, `p`, `p` and
    `a`; a member reached through `this` is the variable of its name. Names are not told apart by scope. `&x` and a
    local array as the argument of a call are results of that call too.
    """
    return edges(Reader(tree, vocabulary(language)).read())
