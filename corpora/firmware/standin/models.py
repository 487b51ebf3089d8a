"""`embedeval.models` as checks see it."""

from dataclasses import dataclass


@dataclass
class CheckDetail:
    """One fact about a piece of code. A value of another type is the check's fault and raises TypeError."""

    check_name: str
    passed: bool
    expected: str | None = None
    actual: str | None = None
    check_type: str = "constraint"
    weight: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what the field's type does not allow."""
        if not isinstance(self.check_name, str) or not self.check_name:
            raise TypeError(f"check_name is {self.check_name!r}, not a name")
        if not isinstance(self.passed, bool):
            raise TypeError(f"passed of {self.check_name!r} is {self.passed!r}, not True or False")
        for field in ("expected", "actual"):
            if not isinstance(getattr(self, field), str | None):
                raise TypeError(f"{field} of {self.check_name!r} is {getattr(self, field)!r}, not text")
