"""The exchange format: everything the registry publishes as a folder of JSON files that people review.

A bundle holds published revisions in order, with permanent keys and numbers, no users and no clocks, numbers as text.
`read` takes files in and says what is wrong with them, `check` says what is wrong with what they say, `compare` sets
them beside the registry, `layout` writes them; only `recorded` and `recorded_entries` look into the database.
"""
