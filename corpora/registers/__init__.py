"""Register-level reasoning: generated families of questions whose answers are computed by two paths."""
