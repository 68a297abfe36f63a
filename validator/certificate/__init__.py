"""Certificates of termination: writing them, and a checker that shares no code with the prover."""
