"""The outside world: the only package that opens connections. Plain Python; nothing of Django, no database."""
