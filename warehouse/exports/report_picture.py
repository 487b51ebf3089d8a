"""The context ablation as a picture: an SVG that takes its ink from the page, so that it reads in light and dark."""

import re
from typing import Any

INK, FAINT = "#010203", "#040506"
COLOURS = ("#3b7dd8", "#e07b39", "#3a9c68", "#b0568f", "#8c7a3d", "#6a5acd", "#c94f4f", "#4aa3a3")
NAMES = {
    "no_imports": "no imports", "no_window": "no code around", "no_calls": "no called functions",
    "no_globals": "no globals", "no_types": "no types", "no_context": "no context at all",
}  # fmt: skip


def ablation(rows: list[dict[str, Any]]) -> str | None:
    """Return an SVG of paired differences to `full` with their 95 % intervals, or None when there is no pair.

    `rows` are rows of context_ablation of one category with `interval`, (low, high) or None, added.
    """
    drawn = []
    for row in rows:
        if row["difference"] is not None:
            low, high = row["interval"] or (row["difference"], row["difference"])
            figures = {"difference": row["difference"], "low": low, "high": high}
            drawn.append({"config": NAMES.get(row["config"], row["config"]), "model": row["model"], **figures})
    if not drawn:
        return None
    import altair as alt

    models = sorted({row["model"] for row in drawn})
    known = [name for name in NAMES.values() if any(row["config"] == name for row in drawn)]
    order = known + sorted({row["config"] for row in drawn} - set(known))
    few = len(models) <= len(COLOURS)
    scale = alt.Scale(domain=models, **({"range": list(COLOURS[: len(models)])} if few else {"scheme": "tableau20"}))
    legend = alt.Legend(title=None, orient="top", labelLimit=260, columns=3, columnPadding=36, symbolType="circle")
    base = alt.Chart(alt.Data(values=drawn)).encode(
        y=alt.Y(
            "config:N",
            sort=order,
            title=None,
            axis=alt.Axis(labelLimit=220, minExtent=150, labelPadding=12, ticks=False, domain=False),
        ),
        yOffset=alt.YOffset("model:N", sort=models),
        color=alt.Color("model:N", sort=models, scale=scale, legend=legend),
    )
    title = "change of the mean score against full context (paired, 95 % interval)"
    span = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title=title, axis=alt.Axis(tickCount=7, format="+.2~f")), x2="high:Q"
    )
    point = base.mark_point(filled=True, size=64, opacity=1).encode(x="difference:Q")
    zero = alt.Chart(alt.Data(values=[{"x": 0}])).mark_rule(color=INK, strokeDash=[3, 3]).encode(x="x:Q")
    height = max(22, 14 * len(models)) * len(order)
    chart = (
        alt.layer(zero, span, point)
        .properties(width=560, height=height, background="transparent")
        .configure(font="Arial, Helvetica, sans-serif")
        .configure_view(strokeOpacity=0)
        .configure_axis(
            labelColor=INK, titleColor=INK, gridColor=FAINT, tickColor=FAINT, domainColor=FAINT, labelFontSize=13,
            titleFontSize=12, titleFontWeight="normal", titlePadding=10,
        )
        .configure_legend(labelColor=INK, labelFontSize=13)
    )  # fmt: skip
    return _inked(chart.to_dict())


def _inked(spec: dict[str, Any]) -> str:
    import vl_convert

    svg = vl_convert.vegalite_to_svg(spec)
    svg = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg)
    svg = svg.replace(INK, "currentColor").replace(FAINT, "var(--line)")
    svg = re.sub(r'(fill|stroke)="var\(--line\)"', r'style="\1:var(--line)"', svg)
    label = 'role="img" aria-label="Change of the mean score against full context, by config and model"'
    return svg.replace("<svg ", f"<svg {label} ", 1)
