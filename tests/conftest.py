"""What holds for every test."""

from hypothesis import settings

# A busy machine is slow now and then, which says nothing about the code.
settings.register_profile("firmbench", deadline=None)
settings.load_profile("firmbench")
