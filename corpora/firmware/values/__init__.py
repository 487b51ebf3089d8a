"""Configuration languages: `table` says what can be asked of values, and a reader for each language finds them."""
