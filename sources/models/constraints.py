"""Patterns and wordings that several constraints share."""

KEY_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"

# Blanks and invisible characters are not an attribution, a note or a name.
SAYS_SOMETHING = r"[[:alnum:]]"
