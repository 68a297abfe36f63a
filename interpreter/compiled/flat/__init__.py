"""The flat program: what machines run. Data, text form, verifier and passes; no rules in here."""
