"""Pictures of the notebooks, as altair charts: heat maps, rates with intervals, trade-offs. They compute nothing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from warehouse.exports.report_picture import COLOURS

if TYPE_CHECKING:
    import altair as alt

    Picture = alt.Chart | alt.LayerChart | alt.FacetChart

Rows = Iterable[Mapping[str, Any]]
FONT = "Arial, Helvetica, sans-serif"
OUTCOME_COLOURS = {"PASS": "#3a9c68", "HOST": "#e07b39", "INT": "#c9a227", "NONE": "#9a9a9a", "INFRA": "#b0568f"}


def heatmap(rows: Rows, *, x: str, y: str, value: str, text: str, order_x: Sequence[str], order_y: Sequence[str],
            title: str) -> "Picture":  # fmt: skip
    """Return cells coloured by `value`, a rate, with `text` in each; the orders are those of columns and rows."""
    import altair as alt

    drawn = list(rows)
    if not drawn:
        return _nothing(title)
    base = alt.Chart(_data(drawn)).encode(x=_axis(alt.X, x, order_x), y=_axis(alt.Y, y, order_y))
    scale = alt.Scale(domain=[0, 1], scheme="redyellowgreen")
    fill = base.mark_rect().encode(
        color=alt.Color(f"{value}:Q", scale=scale, legend=alt.Legend(format="%", title=None))
    )
    label = base.mark_text(fontSize=11).encode(text=f"{text}:N")
    return _sized(alt.layer(fill, label), order_x, order_y, title)


def labels(rows: Rows, *, x: str, y: str, label: str, order_x: Sequence[str], order_y: Sequence[str],
           title: str) -> "Picture":  # fmt: skip
    """Return cells coloured by the outcome in `label`, which stands in each."""
    import altair as alt

    drawn = list(rows)
    if not drawn:
        return _nothing(title)
    base = alt.Chart(_data(drawn)).encode(x=_axis(alt.X, x, order_x), y=_axis(alt.Y, y, order_y))
    scale = alt.Scale(domain=list(OUTCOME_COLOURS), range=list(OUTCOME_COLOURS.values()))
    fill = base.mark_rect(opacity=0.75).encode(color=alt.Color(f"{label}:N", scale=scale, legend=None))
    return _sized(alt.layer(fill, base.mark_text(fontSize=11).encode(text=f"{label}:N")), order_x, order_y, title)


def rates(rows: Rows, *, group: str, value: str, low: str, high: str, colour: str, order: Sequence[str],
          order_colour: Sequence[str], title: str) -> "Picture":  # fmt: skip
    """Return a bar a group and colour with its interval, grouped side by side."""
    import altair as alt

    drawn = list(rows)
    if not drawn:
        return _nothing(title)
    base = alt.Chart(_data(drawn)).encode(
        x=alt.X(f"{group}:N", sort=list(order), title=None, axis=alt.Axis(labelAngle=-30)),
        xOffset=alt.XOffset(f"{colour}:N", sort=list(order_colour)),
    )
    scale = alt.Scale(domain=list(order_colour), range=list(COLOURS[: len(order_colour)]))
    bar = base.mark_bar().encode(
        y=alt.Y(f"{value}:Q", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"), title=None),
        color=alt.Color(
            f"{colour}:N", scale=scale, sort=list(order_colour), legend=alt.Legend(title=None, orient="top")
        ),
    )
    span = base.mark_rule(strokeWidth=1.5).encode(y=f"{low}:Q", y2=f"{high}:Q")
    return _styled(alt.layer(bar, span).properties(width=140 * max(4, len(order)), height=260, title=title))


def tradeoff(rows: Rows, *, x: str, y: str, label: str, shape: str, title: str, title_x: str,
             log: bool = False) -> "Picture":  # fmt: skip
    """Return points of a rate `y` against a cost `x`, each with its label."""
    import altair as alt

    drawn = list(rows)
    if not drawn:
        return _nothing(title)
    scale = alt.Scale(type="log") if log else alt.Scale(zero=True)
    base = alt.Chart(_data(drawn)).encode(
        x=alt.X(f"{x}:Q", scale=scale, title=title_x),
        y=alt.Y(f"{y}:Q", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"), title="pass rate"),
    )
    legend = alt.Legend(title=None, orient="top")
    point = base.mark_point(size=90, filled=True).encode(shape=alt.Shape(f"{shape}:N", legend=legend))
    name = base.mark_text(dx=9, align="left", fontSize=11).encode(text=f"{label}:N")
    return _styled(alt.layer(point, name).properties(width=320, height=260, title=title))


def differences(rows: Rows, *, config: str, series: str, value: str, low: str, high: str, order: Sequence[str],
                title: str, title_x: str = "change against full context") -> "Picture":  # fmt: skip
    """Return a point a config and series with its interval, if it has one, around a line at zero."""
    import altair as alt

    drawn = list(rows)
    if not drawn:
        return _nothing(title)
    names = sorted({str(row[series]) for row in drawn})
    base = alt.Chart(_data(drawn)).encode(
        y=alt.Y(f"{config}:N", sort=list(order), title=None),
        yOffset=alt.YOffset(f"{series}:N", sort=names),
        color=alt.Color(
            f"{series}:N", sort=names, legend=alt.Legend(title=None, orient="top", columns=3, labelLimit=300)
        ),
    )
    span = base.mark_rule(strokeWidth=2).encode(x=alt.X(f"{low}:Q", title=None), x2=f"{high}:Q")
    point = base.mark_point(filled=True, size=50).encode(x=alt.X(f"{value}:Q", title=title_x))
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(strokeDash=[3, 3]).encode(x="zero:Q")
    height = max(22, 12 * len(names)) * max(1, len(order))
    return _styled(alt.layer(zero, span, point).properties(width=520, height=height, title=title))


def _nothing(title: str) -> "Picture":
    import altair as alt

    text = alt.Chart(alt.Data(values=[{"text": "nothing to draw yet"}])).mark_text(fontSize=12).encode(text="text:N")
    return _styled(text.properties(width=320, height=40, title=title))


def _data(rows: Rows) -> "alt.Data":
    import altair as alt

    return alt.Data(values=[dict(row) for row in rows])


def _axis(kind: Any, name: str, order: Sequence[str]) -> Any:
    import altair as alt

    angle = -30 if kind is alt.X else 0
    return kind(f"{name}:N", sort=list(order), title=None, axis=alt.Axis(labelAngle=angle, labelLimit=220))


def _sized(chart: "Picture", order_x: Sequence[str], order_y: Sequence[str], title: str) -> "Picture":
    return _styled(chart.properties(width=70 * max(2, len(order_x)), height=24 * max(2, len(order_y)), title=title))


def _styled(chart: "Picture") -> "Picture":
    return chart.configure(font=FONT).configure_view(strokeOpacity=0)
