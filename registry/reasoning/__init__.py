"""What follows from recorded facts: plain functions and frozen dataclasses, no database, no HTML."""
