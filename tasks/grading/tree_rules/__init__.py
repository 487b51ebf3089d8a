"""Rules over the syntax tree of a C answer: `table` says what can be asked, `judge` answers."""
