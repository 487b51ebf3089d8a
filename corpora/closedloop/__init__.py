"""The closedloop track: firmware graded by what the device does, in lock step with a plant, in virtual time."""
