"""Every component on one page, so that type and layout can be looked at and checked."""
