"""What templates are given: frozen dataclasses made from model instances. No queries, no HTML."""
