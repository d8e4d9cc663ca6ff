"""The editors' admin. Importing it registers every admin class on registry.admin.site.site."""

from registry.admin import accounts, benchmarks, claims, links, records, registers, reproductions, sources

__all__ = [
    "accounts",
    "benchmarks",
    "claims",
    "links",
    "records",
    "registers",
    "reproductions",
    "sources",
]
