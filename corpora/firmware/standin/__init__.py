"""What a public case's checks import: the names and what calls of them expect, written anew; no code of theirs."""
