"""Cells of a download that no spreadsheet runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.presentation.downloads import guarded


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+SUM(A1)", "-2+3", "@cmd", " =1", "\u00a0=1", "'=1", '"=1', "＝1", "--1", "=cmd|' /C calc'!A0"],
)
def test_what_a_spreadsheet_would_run_is_made_text(text):
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["-5", "-0.25", "1979", "3.350", "96 GB", "p. 2 = 3", "", "2024-03-01", "A-1"]
)
def test_numbers_and_words_stay_as_they_are(text):
    assert guarded(text) == text


@given(st.text(min_size=1))
def test_no_cell_begins_like_a_formula_unless_it_is_a_number(text):
    cell = guarded(text)
    if cell.lstrip().startswith(("=", "+", "-", "@")):
        assert float(cell) < 0
