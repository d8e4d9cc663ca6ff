"""A scatter as an SVG for templates: points, a line through them, and axes that start where the data allow it."""

import math
from dataclasses import dataclass, field
from decimal import Decimal

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 72, 24, 16, 52
STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Tick:
    at: float  # px
    label: str


@dataclass(frozen=True)
class Point:
    x: float  # px
    y: float
    label: str
    url: str
    title: str
    current: bool = False

    @property
    def label_x(self):
        return round(self.x + 7, 1)

    @property
    def label_y(self):
        return round(self.y - 6, 1)


@dataclass(frozen=True)
class Chart:
    """`finding` is the one sentence that the picture shows, for those who do not see it."""

    title: str
    finding: str
    x_label: str
    y_label: str
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    points: list[Point]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM
    line: str = field(default="")


def scatter(title, finding, x_label, y_label, values):
    """The chart of (x, y, label, url, title, current) rows, joined in the order given; None for fewer than two rows."""
    if len(values) < 2:
        return None
    x_ticks, x_at = _axis([row[0] for row in values], LEFT, WIDTH - RIGHT)
    y_ticks, y_at = _axis([row[1] for row in values], HEIGHT - BOTTOM, TOP)
    points = [
        Point(x_at(x), y_at(y), label, url, words, current) for x, y, label, url, words, current in values
    ]
    line = " ".join(f"{point.x},{point.y}" for point in points)
    return Chart(title, finding, x_label, y_label, x_ticks, y_ticks, points, line=line)


def _axis(values, start, end):
    """Ticks of round numbers from zero to beyond the largest value, and the function from value to pixel."""
    most = float(max(values))
    step = _step(most)
    top = step * math.ceil(most / step) or step
    length = end - start

    def at(value):
        return round(start + length * float(value) / top, 1)

    count = round(top / step)
    return [Tick(at(step * number), _label(step * number)) for number in range(count + 1)], at


def _step(most):
    """A round step that gives four to eight ticks."""
    rough = most / 6 if most > 0 else 1
    power = 10 ** math.floor(math.log10(rough))
    return next(power * step for step in STEPS if power * step >= rough)


def _label(number):
    return f"{Decimal(repr(number)).normalize():,f}".replace(",", "\u202f")
