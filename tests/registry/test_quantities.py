import contextlib
import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.reasoning.quantities import Quantity, QuantityError, display, parse

THIN = "\u2009"


@pytest.mark.parametrize(
    ("text", "unit", "number", "bound"),
    [
        ("3.35 TB/s", "TB/s", "3.35", ""),
        ("3.35TB/s", "TB/s", "3.35", ""),
        ("5.3 TB/sec", "TB/s", "5.3", ""),
        ("5.3 TB per second", "TB/s", "5.3", ""),
        ("8 TBps of memory bandwidth", "TB/s", "8", ""),
        ("3,352 GB/s", "TB/s", "3.352", ""),
        ("1,800 GB/s", "TB/s", "1.8", ""),
        ("1.7 PB/s", "TB/s", "1700", ""),
        ("141GB", "GB", "141", ""),
        ("1,979 TFLOPS", "TFLOPS", "1979", ""),
        (f"1{THIN}979 TFLOPS", "TFLOPS", "1979", ""),
        ("1\u00a0979 TFLOPS", "TFLOPS", "1979", ""),
        ("1 400 W", "W", "1400", ""),
        ("1.3 PFLOPS with sparsity", "TFLOPS", "1300", ""),
        ("FP64 34 teraFLOPS", "TFLOPS", "34", ""),
        ("BF16 dense 989.4 TFLOP/s", "TFLOPS", "989.4", ""),
        ("Peak OCP MXFP4 2.9 exaFLOPS", "PFLOPS", "2900", ""),
        ("2.6 POPS", "TOPS", "2600", ""),
        ("up to 700W", "W", "700", "at most"),
        ("Configurable up to 1,200 W", "W", "1200", "at most"),
        ("1.4 kW", "W", "1400", ""),
        ("≥ 5 GB", "GB", "5", "at least"),
        ("1000+ W", "W", "1000", "at least"),
        ("700 W or less", "W", "700", "at most"),
        ("~120 kW", "kW", "120", "about"),
        ("approximately 120 kW", "kW", "120", "about"),
        ("153 Billion", "billion", "153", ""),
        ("208B transistors", "billion", "208", ""),
        ("2.8T", "billion parameters", "2800", ""),
        ('parameter_count: "358B"', "billion parameters", "358", ""),
        ("131_072", "tokens", "131072", ""),
        ("10M", "tokens", "10000000", ""),
        ('"num_hidden_layers": 94', "layers", "94", ""),
        ("72-GPU NVL72 configurations", "GPUs", "72", ""),
        ("18 x 6th Gen EPYC", "CPUs", "18", ""),
        ("1x16 PCIe Gen 5 to host CPU", "", "5", ""),
        ("PCIe 5.0 x16", "", "5.0", ""),
        ("1.4 kW (1400 W)", "W", "1400", ""),
        ("288 GB HBM4 | 22 TB/s", "TB/s", "22", ""),
        ("12x HBM4 stacks running 432GB", "GB", "432", ""),
        ("67 TFLOPS (earlier 60)", "TFLOPS", "67", ""),
        ("AMD Instinct MI300X-NPS1-SPX-192GB-750W", "W", "750", ""),
        ("890 B/token", "B/token", "890", ""),
        ("12 requests/s", "requests/s", "12", ""),
    ],
)
def test_a_figure_is_read_in_the_unit_of_its_property(text, unit, number, bound):
    assert parse(text, unit) == Quantity(Decimal(number), bound=bound)


@pytest.mark.parametrize(
    "text", ["700-1000 W", "700–1000 W", "700 to 1000 W", "between 700 and 1000 W", "700 W to 1 kW"]
)
def test_a_range_keeps_both_ends(text):
    assert parse(text, "W") == Quantity(None, Decimal(700), Decimal(1000))


def test_the_precision_the_source_prints_is_kept():
    assert str(parse("3.350 TB/s", "TB/s").number) == "3.350"


def test_a_larger_unit_adds_no_digits():
    assert str(parse("1.3 PFLOPS", "TFLOPS").number) == "1300"


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("80 GiB", "GB", "GB and GiB are not converted"),
        ("80 GB", "GiB", "GB and GiB are not converted"),
        ("400 Gb/s", "GB/s", "A small b means bits"),
        ("400 Gbps", "GB/s", "A small b means bits"),
        ("3,958 TFLOPS", "TOPS", "FLOPS and OPS are kept apart"),
        ("256 GB HBM3E", "TB/s", "its unit is GB. Choose the property measured in GB"),
        ("8 GPUs", "layers", "its unit is GPUs"),
        ("700", "W", "no unit stands behind the number. Write the unit behind the number, as in “700 W”"),
        ("153", "billion", "no unit stands behind the number"),
        ("4.5 PLFOPS", "TFLOPS", "“PLFOPS” is no unit known here"),
        ("80gb", "GB", "Capitals matter in units: write GB"),
        ("1,3 TB/s", "TB/s", "“1,3” can be read in more than one way. Write a decimal point"),
        ("0,123 W", "W", "“0,123” can be read in more than one way"),
        ("12,345,67 W", "W", "can be read in more than one way"),
        ("1'979 W", "W", "can be read in more than one way"),
        (".5 W", "W", "can be read in more than one way"),
        ("1e3 W", "W", "can be read in more than one way"),
        ("10³ W", "W", "U+00B3"),
        ("٣ W", "W", "U+0663"),
        ("3 W\x00", "W", "U+0000"),
        (
            "18 PFLOPS | 14 PFLOPS",
            "TFLOPS",
            f"it states 2 figures (18{THIN}000 TFLOPS and 14{THIN}000 TFLOPS)",
        ),
        ("1,440 | 720 PFLOPS", "PFLOPS", "joins two numbers"),
        ("96 attention heads, 8 query groups", "heads", "it states 2 figures"),
        ("8 x 141 GB", "GB", "what is computed from it is claimed as derived"),
        ("7x64 GB/s", "GB/s", "it states a product"),
        ("7 links of 153.6GB/s", "GB/s", "joins two numbers"),
        ("80/96 GB", "GB", "joins two numbers"),
        ("4.8 → 4.89 TB/s", "TB/s", "joins two numbers"),
        ("4.8 and 4.9 TB/s", "TB/s", "joins two numbers"),
        ("PCIe Gen 5 128 GB/s", "GB/s", "“5 128” can be more than one number".replace("“5", "“Gen 5")),
        ("2-4-8 W", "W", "it joins three numbers"),
        ("1000-700 W", "W", "its range does not rise"),
        ("-5 W", "W", "it is negative"),
        ("H100 SXM", "GB", "it holds no figure"),
        ("", "W", "it holds no figure"),
        ("9" * 31 + " W", "W", "its number has 31 digits"),
        ("700 W" + " " * 1000, "W", "it has 1005 characters"),
    ],
)
def test_what_cannot_be_read_says_why_and_what_to_type(text, unit, words):
    with pytest.raises(QuantityError) as refusal:
        parse(text, unit)
    assert words in str(refusal.value)


def test_a_refusal_keeps_its_parts():
    with pytest.raises(QuantityError) as refusal:
        parse("80 GiB", "GB")
    assert (refusal.value.text, refusal.value.found, refusal.value.wanted) == (
        "80 GiB",
        "its unit is GiB",
        "GB",
    )


NUMBERS = st.decimals(min_value=0, max_value=10**9, places=3, allow_nan=False, allow_infinity=False)


@given(NUMBERS, st.sampled_from(["TB/s", "GB", "TFLOPS", "W", "GPUs", "tokens", "kW", "MiB"]))
def test_what_is_displayed_is_read_back(number, unit):
    assert parse(display(number, None, None, "", unit), unit).number == number


@given(
    NUMBERS,
    st.sampled_from([("", ""), ("up to ", "at most"), ("at least ", "at least"), ("about ", "about")]),
)
def test_the_bound_survives_display(number, bound):
    words, name = bound
    assert display(number, None, None, name, "W").startswith(words)
    assert parse(display(number, None, None, name, "W"), "W").bound == name


@given(NUMBERS)
def test_a_thousand_of_the_smaller_unit_is_one_of_the_larger(number):
    assert parse(f"{number:f} TB/s", "GB/s").number == 1000 * number


@given(st.text(max_size=200), st.sampled_from(["W", "TB/s", "", "tokens", "billion parameters", "°C"]))
def test_any_text_is_read_or_refused_with_a_sentence(text, unit):
    try:
        quantity = parse(text, unit)
    except QuantityError:
        return
    assert (quantity.number is None) == (quantity.low is not None)


@pytest.mark.parametrize("unit", ["W", "tokens", "", "requests/s"])
@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1,",
        "1 ",
        "1 000 ",
        "x1",
        "1 W ",
        "gen ",
        "up to ",
        "a ",
        "1\u2009",
        "- 1",
        "1 a of ",
        "≤",
        "1 TB",
    ],
)
def test_hostile_text_is_answered_at_once(piece, unit):
    for text in (piece * (50_000 // len(piece)), piece * (1000 // len(piece))):
        began = time.perf_counter()
        with contextlib.suppress(QuantityError):
            parse(text, unit)
        assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    ("number", "bound", "unit", "shown"),
    [
        ("1979", "", "TFLOPS", f"1{THIN}979 TFLOPS"),
        ("1048576", "", "tokens", f"1{THIN}048{THIN}576 tokens"),
        ("989", "", "TFLOPS", "989 TFLOPS"),
        ("700", "at most", "W", "up to 700 W"),
        ("3", "at least", "TB/s", "at least 3 TB/s"),
        ("120", "about", "kW", "about 120 kW"),
        ("3.350", "", "TB/s", "3.350 TB/s"),
        ("0.0005", "", "TB/s", "0.0005 TB/s"),
        ("1E+3", "", "W", f"1{THIN}000 W"),
        ("72.000000", "", "GPUs", "72 GPUs"),
        ("5.0", "", "", "5"),
        ("27.781427952", "", "billion parameters", "27.781427952 billion parameters"),
    ],
)
def test_a_number_is_written_out_for_readers(number, bound, unit, shown):
    assert display(Decimal(number), None, None, bound, unit) == shown


def test_a_range_is_written_with_an_en_dash():
    assert display(None, Decimal(700), Decimal(1000), "", "W") == f"700–1{THIN}000 W"


def test_nothing_is_written_where_there_is_no_number():
    assert display(None, None, None, "", "W") == ""
