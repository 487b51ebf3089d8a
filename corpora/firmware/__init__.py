"""Firmware: cases of embedded code generation, each with its own checks, from any checkout of the public layout."""
