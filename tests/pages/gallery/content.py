"""What the gallery shows: real words of real sources in the shapes that views supply."""

from pathlib import Path

from django import forms

from tests.pages.gallery import shapes as s

FOLDER = Path(__file__).parent
NARROW = "\u202f"
SITE = "https://registry.example"

UNREPRODUCED = s.Flag("Manufacturer figure, not reproduced", "caution")
DISAGREE = s.Flag("Sources disagree (2)", "conflict")
SECOND_HAND = s.Flag("Read at second hand", "info")
FLAGS = [
    UNREPRODUCED,
    SECOND_HAND,
    DISAGREE,
    s.Flag("Self-reviewed", "info"),
    s.Flag("Corrected 2026-10-20", "info"),
    s.Flag("Withdrawn", "bad"),
    s.Flag("Derived, not stated by the source", "derived"),
    s.Flag("Reproduced", "ok"),
    s.Flag("Reproduction failed (1)", "bad"),
    s.Flag("Not stated in the reviewed sources", "neutral"),
    s.Flag("Link broken since 2026-11-02", "bad"),
    s.Flag("Source moved", "info"),
    s.Flag("Source changed, under review", "caution"),
    s.Flag("Cannot be checked by machine", "neutral"),
]

MARK = s.Mark(1, "NVIDIA, data sheet, p. 2", "d1")
MARK_2 = s.Mark(2, "AMD, white paper, table 2", "d2")
GRAPHICS = "/gpus/h200-sxm"


def value(figure: str, unit: str = "", mark: s.Mark = MARK, **more: object) -> s.Cell:
    return s.Cell([s.ClaimValue(figure=figure, unit=unit, marks=[mark], **more)])


NOT_STATED = s.Cell([s.ClaimValue(absence="Not stated in the reviewed sources", marks=[MARK_2])])
POWER = s.Cell(
    [
        s.ClaimValue(figure="700", unit="W", prefix="up to ", marks=[MARK], detail="configurable"),
        s.ClaimValue(
            figure="1 000".replace(" ", NARROW), unit="W", marks=[MARK_2], detail="as a peak, per board"
        ),
    ]
)


class GalleryFilters(forms.Form):
    maker = forms.ChoiceField(
        choices=[("", "Any maker"), ("amd", "AMD"), ("nvidia", "NVIDIA")], required=False
    )
    name = forms.CharField(label="Name contains", required=False)
    rows = forms.MultipleChoiceField(
        choices=[("memory", "Memory"), ("compute", "Compute"), ("power", "Power")],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    differences = forms.BooleanField(label="Only differences", required=False)


def comparison(rows: int = 0) -> s.Comparison:
    """Five subjects; with `rows`, that many more rows of full cells."""
    columns = [
        s.ComparisonColumn(label, GRAPHICS, detail, "/gpus/compare?ids=h200")
        for label, detail in (
            ("NVIDIA H100 SXM", "SXM5, accelerator"),
            ("NVIDIA H200 SXM", "SXM5, accelerator"),
            ("NVIDIA B200 SXM", "SXM6, accelerator"),
            ("AMD Instinct MI300X", "OAM, accelerator"),
            ("AMD Instinct MI355X", "OAM, accelerator"),
        )
    ]
    sizes = ("80", "141", "180", "192", "288")
    rates = ("989", "989", f"2{NARROW}250", f"1{NARROW}307", f"2{NARROW}500")
    filler = [
        s.ComparisonRow(
            f"Figure {n}", [value(size, "GB", flags=[UNREPRODUCED]) for size in sizes], differs=True
        )
        for n in range(rows)
    ]
    memory = s.RowGroup(
        "Memory",
        [
            s.ComparisonRow(
                "Memory capacity", [value(x, "GB") for x in sizes], differs=True, id="memory-capacity"
            ),
            s.ComparisonRow(
                "Memory type", [value(x) for x in ("HBM3", "HBM3e", "HBM3e", "HBM3", "HBM3e")], differs=True
            ),
            s.ComparisonRow("ECC", [value("yes")] * 3 + [NOT_STATED, s.Cell()]),
        ],
    )
    compute = s.RowGroup(
        "Compute",
        [
            s.ComparisonRow(
                "Peak BF16 throughput, dense, per accelerator",
                [value(x, "TFLOP/s") for x in rates],
                differs=True,
                flags=[UNREPRODUCED],
            ),
            s.ComparisonRow(
                "Link bandwidth",
                [value("900", "GB/s")] * 2
                + [value("1.8", "TB/s")]
                + [value("128", "GB/s", MARK_2, detail="per link")] * 2,
                differs=True,
                note="not comparable: total both ways against one link",
            ),
            s.ComparisonRow(
                "Board power",
                [value("700", "W", prefix="up to "), POWER, POWER, NOT_STATED, s.Cell()],
                differs=True,
                flags=[DISAGREE],
            ),
            *filler,
        ],
    )
    return s.Comparison(
        "comparison",
        "Five accelerators, 6 of 31 properties. No ranking is implied.",
        columns,
        [memory, compute],
    )


def source(number: int, title: str, publisher: str, **more: object) -> s.SourceEntry:
    return s.SourceEntry(
        title=title,
        url=f"https://maker.example/{number}",
        record_url=f"/sources/{number}",
        verified="2026-11-30",
        publisher=publisher,
        number=number,
        **more,
    )


SOURCES = [
    source(
        1,
        "NVIDIA H200 Tensor Core GPU data sheet",
        "NVIDIA",
        scope=["Memory, bandwidth and peak rates", "Not used for measured throughput"],
        read_as="read through a transcription",
        flags=[SECOND_HAND],
        archive_url="https://archive.example/1",
        backlinks=[s.Link("memory", "#cite-1"), s.Link("power", "#cite-2")],
    ),
    source(
        2,
        "Introducing AMD CDNA 3 Architecture (white paper)",
        "AMD",
        date="2025",
        scope=["Specification table for MI300X"],
    ),
    source(
        3,
        "Optimization and Tuning",
        "vLLM",
        version="0.31.0",
        date_form="Last modified",
        date="2026-09-14",
        scope=["Historical experiment boundary"],
    ),
    source(
        4,
        "Efficient Memory Management for Large Language Model Serving with PagedAttention",
        "",
        date="2023-09-12",
    ),
]


def drawers(more: int = 0) -> list[s.Drawer]:
    datasheet = s.Cited(
        SOURCES[0],
        "p. 2, technical specifications",
        "GPU Memory 141GB",
        standing="Link broken since 2026-11-02",
    )
    paper = s.Cited(SOURCES[1], "Table 2", stance="contradicts")
    title = "NVIDIA H200 SXM: memory capacity"
    first = s.Drawer(
        "d1",
        title,
        [datasheet, paper],
        as_stated="141GB",
        asserter="NVIDIA",
        conditions="per accelerator",
        boundary="one SXM board",
        flags=[UNREPRODUCED, SECOND_HAND],
        claim_label="C-1042, revision 2",
        claim_url="/claims/C-1042",
    )
    return [
        first,
        s.Drawer("d2", "AMD Instinct MI300X: board power", [paper]),
        *(s.Drawer(f"x{n}", title, [datasheet], "141GB", "NVIDIA") for n in range(more)),
    ]


SECTIONS = ["GPU Library", "Model Index", "Inference Stack", "Resources", "Sources", "Corrections"]
NAMES = [
    "NVIDIA H100 SXM",
    "NVIDIA H200 SXM",
    "NVIDIA B200 SXM",
    "NVIDIA B300",
    "NVIDIA GB200 NVL72",
    "AMD Instinct MI300X",
    "AMD Helios",
]
NAVIGATION = [
    "Resources",
    "Topics",
    "GPU Library",
    "Model Index",
    "Inference Stack",
    "Learn",
    "Insights",
    "Research",
]


def shell() -> dict[str, object]:
    """What the context processors supply on the real site."""
    return {
        "site": {
            "name": "Evidence Registry",
            "url": SITE,
            "publisher": "Evidence Registry editors",
            "motto": "Evidence before conclusions",
            "principle": "Read the mechanism, inspect its sources and carry the stated boundaries into your own "
            "evaluation.",
            "methods_url": "/methodologies",
            "review_url": "/methodologies#review",
            "report_url": "/report",
            "operator_statement": "The operator has not run the cited products in production (2026-11-30).",
            "social": [],
        },
        "navigation": [s.Link(label, "/x", current=label == "GPU Library") for label in NAVIGATION],
        "footer": [
            s.FooterSection(title, "/x", [s.Link(name, "/x") for name in NAMES]) for title in SECTIONS
        ],
    }


def head() -> s.PageHead:
    return s.PageHead(
        title="NVIDIA H200 SXM",
        description="One accelerator of the Hopper family: what its maker states, and what others found.",
        canonical=f"{SITE}{GRAPHICS}",
        twin=f"{SITE}{GRAPHICS}.md",
        breadcrumb=[
            s.Link("Evidence Registry", "/"),
            s.Link("GPU Library", "/gpus"),
            s.Link("NVIDIA H200 SXM"),
        ],
        kicker=["NVIDIA", "Accelerator", "SXM5"],
        record=s.Record("Evidence Registry editors", 7, "2026-10-13", ["41 claims"]),
        contents=[
            s.Link(label, f"#{label.lower()}") for label in ("Identity", "Compared", "Sources", "History")
        ],
        actions=[s.Link("Compare with others", "/gpus/compare?ids=h200"), s.Link("CSV", "/x.csv")],
        principle=True,
    )


def claim_row(
    label: str, cell: s.Cell, conditions: str = "", asserter: str = "NVIDIA", *flags: s.Flag
) -> s.ClaimRow:
    return s.ClaimRow(label, cell, "", conditions, asserter, "2026-11-30", "C-1042", "/claims/C-1042", flags)


def claims() -> s.ClaimTable:
    precisions = s.ClaimValue(
        figure="FP64, FP32, TF32, BF16, FP16, FP8 and INT8, each with the sparsity the data sheet states",
        words=True,
        marks=[MARK, MARK_2],
    )
    fp8 = value(f"1{NARROW}979", "TFLOP/s")
    rows = [
        claim_row("Memory capacity", value("141", "GB"), "per accelerator", "NVIDIA", FLAGS[4]),
        claim_row("Peak FP8 throughput, dense", fp8, "boost clock", "NVIDIA", UNREPRODUCED, SECOND_HAND),
        claim_row("Board power", POWER, "configurable limit", "NVIDIA", DISAGREE),
        claim_row("Manufacturing process", NOT_STATED, "", "Evidence Registry editors"),
        claim_row("Supported precisions", s.Cell([precisions])),
    ]
    return s.ClaimTable("claims", "What is claimed, by whom, under which conditions", rows)


def plate() -> s.Plate:
    items = [
        s.PlateItem("Memory", value("141", "GB")),
        s.PlateItem("Memory bandwidth", value("4.8", "TB/s")),
        s.PlateItem("Peak BF16, dense", value("989", "TFLOP/s")),
        s.PlateItem("Board power", value("700", "W", prefix="up to ")),
    ]
    return s.Plate(items, "Every figure is the manufacturer’s and has not been reproduced.")


def difference() -> s.Difference:
    rows = [
        s.DifferenceRow("Value", "4.8 TB/s", "4.89 TB/s", True),
        s.DifferenceRow("Conditions", "per accelerator", "per accelerator", False),
        s.DifferenceRow("Boundary", "", "one SXM board", True),
    ]
    return s.Difference("difference", "Revision 1 against revision 2", "Revision 1", "Revision 2", rows)


def context() -> dict[str, object]:
    """Everything the gallery page reads."""
    prose_marks = [
        s.Mark(1, "NVIDIA, data sheet, p. 2", "d1", "cite-1"),
        s.Mark(2, "AMD, white paper, table 2", "d2", "cite-2"),
    ]
    history = [
        s.HistoryEvent(
            "2026-10-20", "C-1042, revision 2", "corrected", "/claims/C-1042", "4.8 was rounded by us."
        ),
        s.HistoryEvent("2026-09-01", "C-1042, revision 1", "published", "/claims/C-1042/1", flags=[FLAGS[3]]),
    ]
    entries = [
        s.ListEntry(
            "Compare NVIDIA H200 SXM", "/gpus/compare", "Disclosed differences.", "Comparison / Source-backed"
        ),
        s.ListEntry(
            "vLLM", "/inference-stack/vllm", "What the project documents.", "Inference Stack", arrow=True
        ),
    ]
    identity = [
        s.IdentityLine("Maker", "NVIDIA", "/organisations/nvidia"),
        s.IdentityLine("Form factor", "SXM5"),
        s.IdentityLine("Identifier", "nvidia/h200-sxm", code=True),
    ]
    revision = [s.Link("Revision 2", "/claims/C-1042")]
    result = "12 of 31 properties shown; 19 identical are hidden"
    return {
        **shell(),
        "page": head(),
        "drawers": drawers(),
        "notice": s.Notice("caution", "An earlier revision is shown.", "Revision 2 is published.", revision),
        "plate": plate(),
        "facts": identity,
        "prose_marks": prose_marks,
        "claims": claims(),
        "flags": FLAGS,
        "form": GalleryFilters({"maker": "nvidia"}),
        "filters": s.Filters("/gpus/compare", result, [s.Link("maker NVIDIA", "/gpus")], "/gpus"),
        "comparison": comparison(),
        "copy": s.CopyText(
            "address", "Address of this view", f"{SITE}/gpus/compare?ids=h100,h200,b200,mi300x"
        ),
        "difference": difference(),
        "sources": SOURCES,
        "history": history,
        "entries": entries,
        "empty": s.Empty(
            "No GPU matches. Filters in use: maker NVIDIA.", [s.Link("Clear all filters", "/gpus")]
        ),
        "pager": s.Pager("Page 2 of 7", "/x", "/y"),
    }
