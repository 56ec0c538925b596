"""Draws results beside a reference as SVG: for each curve the reference's mean within its 5 to 95 % band, the results' means, and below how
far all statistics are off in units of what is allowed."""

COLOURS = {"agrees": "#2ca02c", "differs": "#c0392b", "not judged": "#aaaaaa"}
WIDE, HIGH, LEFT, TOP, STRIP = 620, 150, 70, 40, 50


def scaled(low, high, start, length):
    """A map of numbers to places."""
    span = (high - low) or 1.0
    return lambda value: start + length * (value - low) / span


def comparison(results, reference, judged):
    curves = {}
    for row in reference.rows:
        if row.time is not None:
            curves.setdefault(row.quantity, {}).setdefault(row.statistic, []).append((row.time, row.value))
    curves = {name: statistics for name, statistics in curves.items() if "mean" in statistics}
    height = TOP + len(curves) * (HIGH + STRIP + 40) + 90
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDE + 20} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{LEFT + WIDE + 20}" height="{height}" fill="white"/>',
           f'<text x="{LEFT}" y="20" font-size="14">{escape(reference.header.get("problem", ""))}: '
           f'{escape(results.header.get("code", "results"))}</text>']
    y = TOP
    for name, statistics in curves.items():
        out += panel(name, statistics, [one for one in judged if one.row.quantity == name], y)
        y += HIGH + STRIP + 40
    out += strip([one for one in judged if one.row.time is None], y, "scalars", lambda i, one, n: LEFT + (i + 0.5) * WIDE / max(n, 1))
    return "\n".join(out) + "\n</svg>\n"


def panel(name, statistics, judged, y):
    out = [f'<text x="{LEFT}" y="{y + 12}" font-weight="bold">{escape(name)}</text>']
    top = y + 18
    mean = statistics["mean"]
    levels = sorted((statistic for statistic in statistics if statistic.startswith("quantile")), key=lambda s: float(s.split()[1]))
    values = [value for statistic in ["mean"] + levels for _, value in statistics[statistic]]
    values += [one.row.value for one in judged if one.row.statistic == "mean"]
    across = scaled(mean[0][0], mean[-1][0], LEFT, WIDE)
    up = scaled(min(values), max(values), top + HIGH, -HIGH)
    if len(levels) > 1:
        edge = [(across(t), up(v)) for t, v in statistics[levels[0]]] + [(across(t), up(v)) for t, v in reversed(statistics[levels[-1]])]
        out.append(f'<polygon points="{points(edge)}" fill="#cfe2f3"/>')
    out.append(f'<polyline points="{points([(across(t), up(v)) for t, v in mean])}" fill="none" stroke="#1f4e79"/>')
    out += [f'<circle cx="{across(one.row.time):.1f}" cy="{up(one.row.value):.1f}" r="3" fill="{COLOURS[one.verdict]}"/>' for one in judged
            if one.row.statistic == "mean"]
    out.append(f'<rect x="{LEFT}" y="{top}" width="{WIDE}" height="{HIGH}" fill="none" stroke="#999"/>')
    out += [f'<text x="{LEFT - 5}" y="{up(v) + 4:.1f}" text-anchor="end">{v:.3g}</text>' for v in (min(values), max(values))]
    return out + strip(judged, top + HIGH + 4, f"t from {mean[0][0]:g} to {mean[-1][0]:g} s", lambda i, one, n: across(one.row.time))


def strip(judged, y, label, place):
    """Ratios from 0 to 2; the line is 1, what is allowed."""
    up = scaled(0, 2, y + STRIP, -STRIP)
    out = [f'<rect x="{LEFT}" y="{y}" width="{WIDE}" height="{STRIP}" fill="none" stroke="#999"/>',
           f'<line x1="{LEFT}" x2="{LEFT + WIDE}" y1="{up(1):.1f}" y2="{up(1):.1f}" stroke="#c0392b" stroke-dasharray="4 3"/>',
           f'<text x="{LEFT - 5}" y="{up(1) + 4:.1f}" text-anchor="end">allowed</text>', f'<text x="{LEFT}" y="{y + STRIP + 13}">{label}</text>']
    seen = [one for one in judged if one.verdict != "not judged"]
    return out + [f'<circle cx="{place(i, one, len(seen)):.1f}" cy="{up(min(one.ratio, 2)):.1f}" r="2" fill="{COLOURS[one.verdict]}"/>'
                  for i, one in enumerate(seen)]


def points(pairs):
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in pairs)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
