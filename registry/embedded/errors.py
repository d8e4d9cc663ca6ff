"""What went wrong, in one line for the person at the terminal."""


class EmbeddedError(Exception):
    """A server or its folder is not usable; the message names the thing and the remedy."""
