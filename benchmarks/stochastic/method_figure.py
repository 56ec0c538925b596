"""The table and the figure of methods.csv: error of means against runs, for each problem and method."""
import csv
import math
import re

COLOURS = {"monte-carlo": "#666666", "latin-hypercube": "#d98c00", "sobol": "#1f77b4", "chaos": "#2ca02c", "multilevel": "#c0392b"}
PANEL, LEFT, TOP, GAP = (200, 130), 46, 44, (62, 58)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def table(rows):
    lines = ["| problem | method | setting | runs | seconds | error of means | of deviations | truth known to |", "|---|---|---|--:|--:|--:|--:|--:|"]
    for row in rows:
        lines.append(f"| {row['problem']} | {row['method']} | {row['setting'].strip('{}')} | {row['runs']} | {row['seconds']} | {row['error_mean']} | "
                     f"{row['error_std'] or '-'} | {row['floor'] if float(row['floor']) > 0 else 'quadrature'} |")
    return "\n".join(lines) + "\n"


def figure(rows):
    """Panels with decades on both axes."""
    problems = list(dict.fromkeys(row["problem"] for row in rows))
    across = 3
    down = math.ceil(len(problems) / across)
    width, height = LEFT + across * (PANEL[0] + GAP[0]), TOP + down * (PANEL[1] + GAP[1])
    low, high = 0, math.ceil(max(math.log10(float(row["runs"])) for row in rows))
    drawn = [max(float(row["error_mean"]), 1e-9) for row in rows]
    bottom, top = math.floor(math.log10(min(drawn))), math.ceil(math.log10(max(drawn)))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for i, (method, colour) in enumerate(COLOURS.items()):
        out.append(f'<circle cx="{LEFT + 10 + i * 140}" cy="18" r="4" fill="{colour}"/><text x="{LEFT + 18 + i * 140}" y="22">{method}</text>')
    for number, problem in enumerate(problems):
        x0, y0 = LEFT + number % across * (PANEL[0] + GAP[0]), TOP + number // across * (PANEL[1] + GAP[1])

        def place(runs, error):
            return (x0 + PANEL[0] * (math.log10(runs) - low) / (high - low),
                    y0 + PANEL[1] * (top - math.log10(max(error, 1e-9))) / (top - bottom))
        out.append(f'<rect x="{x0}" y="{y0}" width="{PANEL[0]}" height="{PANEL[1]}" fill="none" stroke="#999"/>')
        out.append(f'<text x="{x0}" y="{y0 - 6}" font-weight="bold">{problem}</text>')
        for decade in range(low, high + 1):
            x, _ = place(10.0**decade, 1)
            out.append(f'<text x="{x:.1f}" y="{y0 + PANEL[1] + 14}" text-anchor="middle">1e{decade}</text>')
        for decade in range(bottom, top + 1, 2):
            _, y = place(1, 10.0**decade)
            out.append(f'<text x="{x0 - 4}" y="{y + 4:.1f}" text-anchor="end">1e{decade}</text>')
            out.append(f'<line x1="{x0}" x2="{x0 + PANEL[0]}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        for method, colour in COLOURS.items():
            points = sorted(place(float(row["runs"]), float(row["error_mean"])) for row in rows if row["problem"] == problem and row["method"] == method)
            if len(points) > 1:
                out.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="{colour}"/>')
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    out.append(f'<text x="{LEFT + PANEL[0] / 2}" y="{height - 6}" text-anchor="middle">runs</text>')
    return "\n".join(out) + "\n</svg>\n"


def write_page(root, path):
    rows = read(path)
    (root / "docs/images/benchmark-methods.svg").write_text(figure(rows))
    page = root / "docs/benchmark.md"
    text = page.read_text()
    begin, end = "<!-- methods: made by `benchmarks/stochastic/methods page` -->\n", "<!-- end of methods -->\n"
    page.write_text(re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + "\n" + table(rows) + "\n" + end, text, flags=re.S))
