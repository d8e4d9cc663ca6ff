"""One hand-made source page, the passages that are cited from it, and copies of it with something altered."""

from dataclasses import dataclass, field

HEAD = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Aurora X2 accelerator: data sheet</title></head>'
NAVIGATION = '<nav><a href="/">Home</a> <a href="/products">Products</a> <a href="/support">Support</a></nav>'
OVERVIEW = """<section><h2>Overview</h2>
<p>The Aurora X2 is built on the Helion 3 architecture and has 141 GB of HBM3e memory. It was designed for inference of
large models and trains models of up to 70 billion parameters on one board.</p>
<p>Availability: system makers and cloud providers from 2024Q2. The X2 does not support NVLink bridges.</p></section>"""
TABLE = """<section><h2>Specifications</h2><table>
<thead><tr><th>Property</th><th>X2 SXM</th><th>X2 PCIe</th></tr></thead>
<tr><th>FP8 Tensor Core</th><td>3,958 TFLOPS</td><td>3,341 TFLOPS</td></tr>
<tr><th>INT8 Tensor Core</th><td>3,958 TOPS</td><td>3,341 TOPS</td></tr>
<tr><th>Memory bandwidth</th><td>3.35TB/s</td><td>3.9TB/s</td></tr>
<tr><th>Memory capacity</th><td>141GB HBM3e</td><td>94GB HBM3</td></tr>
<tr><th>Max thermal design power (TDP)</th><td>Up to 700W (configurable)</td><td>350-400W (configurable)</td></tr>
</table></section>"""
SYSTEM = """<section><h2>In a system</h2>
<p>Eight boards in one chassis give an aggregate memory bandwidth of 26.8 TB/s and 1,128 GB of memory.</p>
<p>Boards are linked by 18 links of the fourth generation at 900 GB/s in both directions together.</p>
<pre>{"num_links": 18, "tie_word_embeddings": false, "firmware": "7.2.1"}</pre></section>"""
NOTES = """<section><h2>Notes</h2><p>1. With structured sparsity. Peak rates are theoretical and depend on the clock.</p>
</section>"""
FOOTER = "<footer>Last updated 3 March 2025. © 2025 Aurora Devices. Figures may change.</footer>"


def page(*parts: str, navigation: str = NAVIGATION, footer: str = FOOTER, head: str = HEAD) -> str:
    """The page with these sections."""
    body = "\n".join(parts or (OVERVIEW, TABLE, SYSTEM, NOTES))
    return (
        f"{head}<body>{navigation}<main><h1>Aurora X2 accelerator</h1>\n{body}</main>{footer}</body></html>"
    )


PAGE = page()

# name: (words, locator)
PASSAGES = {
    "bandwidth": ("Memory bandwidth 3.35 TB/s", "Specifications table, X2 SXM column"),
    "bandwidth of the other": ("Memory bandwidth 3.9 TB/s", "Specifications table, X2 PCIe column"),
    "capacity": ("141 GB of HBM3e memory", "Overview, first paragraph"),
    "fp8": ("FP8 Tensor Core 3958 TFLOPS", "Specifications table, X2 SXM column"),
    "power": ("Up to 700 W (configurable)", "Specifications table, X2 SXM column"),
    "bare figure": ("900 GB/s", "In a system, second paragraph"),
    "parameters": ("models of up to 70 billion parameters", "Overview"),
    "aggregate": ("aggregate memory bandwidth of 26.8 TB/s", "In a system"),
    "architecture": ("built on the Helion 3 architecture", "Overview"),
    "field": ('"tie_word_embeddings": false', "configuration"),
    "firmware": ('"firmware": "7.2.1"', "configuration"),
    "availability": ("system makers and cloud providers from 2024Q2", "Overview"),
    "bridges": ("The X2 does not support NVLink bridges", "Overview"),
}


@dataclass(frozen=True)
class Mutation:
    """One altered copy: what each passage named must be found as; all others must raise nothing."""

    name: str
    html: str
    found: dict[str, str] = field(default_factory=dict)
    everything: str = ""  # where it holds for all passages


def swap(old: str, new: str) -> str:
    """The page with one thing replaced; the thing has to be there."""
    assert old in PAGE, old
    return PAGE.replace(old, new)


def notice(title: str, body: str) -> str:
    """A short page in the place of the source."""
    return f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>"


_DIVS = (
    PAGE.replace("<section>", '<div class="row"><div class="col">')
    .replace("</section>", "</div></div>")
    .replace("<p>", '<p class="lead"> <span>')
    .replace("</p>", "</span>\n</p>")
)
_COLUMNS_SWAPPED = """<section><h2>Specifications</h2><table>
<thead><tr><th>Property</th><th>X2 PCIe</th><th>X2 SXM</th></tr></thead>
<tr><th>FP8 Tensor Core</th><td>3,341 TFLOPS</td><td>3,958 TFLOPS</td></tr>
<tr><th>INT8 Tensor Core</th><td>3,341 TOPS</td><td>3,958 TOPS</td></tr>
<tr><th>Memory bandwidth</th><td>3.9TB/s</td><td>3.35TB/s</td></tr>
<tr><th>Memory capacity</th><td>94GB HBM3</td><td>141GB HBM3e</td></tr>
<tr><th>Max thermal design power (TDP)</th><td>350-400W (configurable)</td><td>Up to 700W (configurable)</td></tr>
</table></section>"""
_LIST = """<section><h2>Specifications</h2><h3>X2 SXM</h3><dl>
<dt>FP8 Tensor Core<dd>3,958 TFLOPS<dt>Memory bandwidth<dd>3.35 TB/s<dt>Max thermal design power (TDP)
<dd>Up to 700W (configurable)</dl><h3>X2 PCIe</h3><dl><dt>FP8 Tensor Core<dd>3,341 TFLOPS
<dt>Memory bandwidth<dd>3.9 TB/s</dl></section>"""

# Nothing of these raises a flag.
LAYOUT = [
    Mutation("a footnote in the prose", swap("141 GB of HBM3e", "141<sup>[1]</sup> GB of HBM3e<sup>2</sup>")),
    Mutation("a footnote within the figure", swap("3.35TB/s", "3.35<sup>2</sup> TB/s")),
    Mutation("the same page", PAGE),
    Mutation("another navigation", page(navigation="<nav><a>Start</a> <a>Shop 24/7</a> <a>Aurora X3 at 4.8TB/s</a></nav>")),
    Mutation("no navigation", page(navigation="")),
    Mutation("another date in the footer", page(footer="<footer>Last updated 9 May 2026. © 2026 Aurora</footer>")),
    Mutation("a banner for cookies", swap("<main>", '<div id="cookie-banner">We use 14 cookies. Accept all</div><main>')),
    Mutation("an advertisement", swap("<main>", "<aside>Aurora X3: 288 GB HBM4, 8 TB/s, 1000W</aside><main>")),
    Mutation("sections in another order", page(NOTES, SYSTEM, TABLE, OVERVIEW)),
    Mutation("table first", page(TABLE, OVERVIEW, NOTES, SYSTEM)),
    Mutation("other tags around the words", _DIVS),
    Mutation("all on one line", " ".join(PAGE.split())),
    Mutation("columns in another order", page(OVERVIEW, _COLUMNS_SWAPPED, SYSTEM, NOTES)),
    Mutation("a list in place of the table", page(OVERVIEW, _LIST, SYSTEM, NOTES)),
    Mutation("a new section", page(OVERVIEW, "<h2>News</h2><p>The X3 has 288 GB and 8 TB/s.</p>", TABLE, SYSTEM, NOTES)),
    Mutation("numbers written otherwise", swap("3,958 TFLOPS", "3958 TFLOPS").replace("3.35TB/s", "3.35&nbsp;TB/s")
             .replace("700W", "700 W").replace("1,128 GB", "1128GB")),
    Mutation("units converted", swap("3,958 TFLOPS", "3.958 PFLOPS")),
    Mutation("a mark of a footnote", swap("3,958 TFLOPS", "3,958 TFLOPS<sup>1</sup>").replace("3.35TB/s", "3.35TB/s²")),
    Mutation("no main element", PAGE.replace("<main>", "<div>").replace("</main>", "</div>")),
    Mutation("words said otherwise", swap("The Aurora X2 is built on the Helion 3 architecture",
             "Built on the architecture Helion 3, the Aurora X2 is new"), {"architecture": "reworded"}),
    Mutation("a new heading above", swap("<h2>In a system</h2>", "<h2>Scaling out</h2>"),
             {"bare figure": "moved", "aggregate": "moved", "field": "moved", "firmware": "moved"}),
]  # fmt: skip

ALTERED = [
    Mutation("prose, with the old words in an advertisement", swap("141 GB of HBM3e", "144 GB of HBM3e").replace(
             "<main>", "<aside>The X1 has 141 GB of HBM3e memory</aside><main>"), {"capacity": "number changed"}),
    Mutation("prose, with the old figure in other words", swap("141 GB of HBM3e memory", "144 GB of HBM3e memory").replace(
             "Peak rates", "Of the HBM3e memory, at 141 GB in the X1, no more is said. Peak rates"),
             {"capacity": "number changed"}),
    Mutation("bandwidth", swap("3.35TB/s", "4.8TB/s"), {"bandwidth": "number changed"}),
    Mutation("bandwidth of both alike", swap("3.35TB/s", "3.9TB/s"), {"bandwidth": "number changed"}),
    Mutation("old figure elsewhere", swap("3.35TB/s", "4.8TB/s").replace("</main>", "<p>The X1 had 3.35TB/s.</p></main>"),
             {"bandwidth": "number changed"}),
    Mutation("old figure in an advertisement", swap("3.35TB/s", "4.8TB/s").replace(
             "<main>", "<aside>X1: memory bandwidth 3.35 TB/s</aside><main>"), {"bandwidth": "number changed"}),
    Mutation("figures of two columns exchanged", swap("<td>3.35TB/s</td><td>3.9TB/s</td>",
             "<td>3.9TB/s</td><td>3.35TB/s</td>"),
             {"bandwidth": "number changed", "bandwidth of the other": "number changed"}),
    Mutation("another unit", swap("3.35TB/s", "3.35GB/s"), {"bandwidth": "number changed"}),
    Mutation("bits for bytes", swap("3.35TB/s", "3.35Tb/s"), {"bandwidth": "number changed"}),
    Mutation("one digit", swap("3,958 TFLOPS", "3,959 TFLOPS"), {"fp8": "number changed"}),
    Mutation("a comma moved", swap("3.35TB/s", "33.5TB/s"), {"bandwidth": "number changed"}),
    Mutation("capacity in the prose", swap("141 GB of HBM3e", "144 GB of HBM3e"), {"capacity": "number changed"}),
    Mutation("another memory", swap("141 GB of HBM3e", "141 GB of HBM4"), {"capacity": "number changed"}),
    Mutation("power", swap("Up to 700W", "Up to 1000W"), {"power": "number changed"}),
    Mutation("bare figure", swap("at 900 GB/s", "at 1,800 GB/s"), {"bare figure": "number changed"}),
    Mutation("bare figure with the old one elsewhere", swap("at 900 GB/s", "at 1,800 GB/s").replace(
             "Peak rates", "The X1 had 900 GB/s. Peak rates"), {"bare figure": "number changed"}),
    Mutation("parameters", swap("70 billion", "7 billion"), {"parameters": "number changed"}),
    Mutation("aggregate and words", swap("give an aggregate memory bandwidth of 26.8 TB/s",
             "offer aggregate memory bandwidth of up to 38.4 TB/s"), {"aggregate": "number changed"}),
    Mutation("generation", swap("Helion 3", "Helion 4"), {"architecture": "number changed"}),
    Mutation("version", swap("7.2.1", "7.3.0"), {"firmware": "number changed"}),
    Mutation("quarter", swap("2024Q2", "2025Q1"), {"availability": "number changed"}),
    Mutation("true for false", swap('"tie_word_embeddings": false', '"tie_word_embeddings": true'), {"field": "gone"}),
    Mutation("a not removed", swap("does not support NVLink", "does support NVLink"), {"bridges": "gone"}),
    Mutation("a row removed", swap("<tr><th>Memory bandwidth</th><td>3.35TB/s</td><td>3.9TB/s</td></tr>", ""),
             {"bandwidth": "number changed|gone", "bandwidth of the other": "number changed|gone"}),
    Mutation("a section removed", page(TABLE, SYSTEM, NOTES),
             {"capacity": "number changed|gone", "parameters": "gone", "architecture": "gone", "availability": "gone",
              "bridges": "gone"}),
]  # fmt: skip

_LOOK = "could not look"
STANDINS = [
    Mutation("script shell", notice("Aurora X2", '<div id="root"></div><script src="/app.js"></script>'), everything=_LOOK),
    Mutation("script shell with words", notice("App", "<noscript>You need to enable JavaScript to run this app.</noscript>"
             '<div id="app"></div><script src="/a.js"></script>'), everything=_LOOK),
    Mutation("soft 404", notice("Page not found", "<h1>Page not found</h1><p>It may have moved.</p>"), everything=_LOOK),
    Mutation("consent wall", notice("Before you continue", "<h1>We value your privacy</h1><p>We and our 812 partners store "
             "cookies.</p><button>Accept all</button>"), everything=_LOOK),
    Mutation("login", notice("Sign in", '<form><input name="u"><input type="password" name="p"></form>'), everything=_LOOK),
    Mutation("test for robots", notice("Just a moment...", "<p>Verifying you are human.</p>"), everything=_LOOK),
    Mutation("parking page", notice("aurora.example is for sale", "<h1>Buy this domain</h1>"), everything=_LOOK),
    Mutation("empty page", "", everything=_LOOK),
    Mutation("maintenance", notice("Maintenance", "<h1>We will be back soon</h1>"), everything=_LOOK),
]  # fmt: skip
