"""Behavioural models of RTOS and SDK APIs on one virtual clock, shared by the tracks that execute code."""
