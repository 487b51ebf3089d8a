"""What the checks of cases are worth: what they fire on, and what they fire on wrongly."""
