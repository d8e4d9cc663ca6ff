"""Link checkers side by side: the registry's own and others, on one farm of loopback hosts. `run.py` says how to start it."""
