"""The scenario that only this track has: its samples hold the code to be repaired."""

from corpora.firmware.schema import BUGFIX
from tasks.inference.scenarios import Scenario, generate

SCENARIOS: dict[str, Scenario] = {
    BUGFIX: Scenario(BUGFIX, "find and repair a seeded bug of which nothing is said", generate),
}
