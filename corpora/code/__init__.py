"""Code generation and completion on functions mined from real firmware projects. Datasheet: docs/code-track.md."""
