from tasks.sandbox.model import Limits, Outcome, Sandbox, Session
from tasks.sandbox.opening import KINDS, open_sandbox

__all__ = ["KINDS", "Limits", "Outcome", "Sandbox", "Session", "open_sandbox"]
