from tasks.sandbox.model import Limits, Outcome, Sandbox, Session
from tasks.sandbox.opening import KINDS, open_sandbox
from tasks.sandbox.wire import NotStarted

__all__ = ["KINDS", "Limits", "NotStarted", "Outcome", "Sandbox", "Session", "open_sandbox"]
