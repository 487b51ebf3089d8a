"""Rules over the syntax tree of a C answer: `table` says what can be asked, `judge` answers."""

from tasks.grading.tree_rules.judge import Answer, checks

__all__ = ["Answer", "checks"]
