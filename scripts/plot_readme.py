#!/usr/bin/python3
"""Draws docs/images/five-body.svg: the five-body mechanism and the acceleration of P_obs.

    build/release/bin/tumble run examples/batou-soize-2012/nominal.yaml -o out/figure
    /usr/bin/python3 scripts/plot_readme.py out/figure/results.nc docs/images/five-body.svg

The curves are those of the results file, the right limits at the kinks included. Plain SVG is
written, without a plotting library, so that the same results give the same file everywhere.
"""
import sys

import netCDF4
import numpy as np

INK, GREY, PALE = "#1f2933", "#7b8794", "#e4e7eb"
STEEL, SPRING, ACCENT = "#cbd2d9", "#b44d12", "#1261a0"


class Drawing:
    def __init__(self, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="Helvetica, Arial, sans-serif" font-size="13">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
        ]

    def line(self, points, color=INK, width=1.2, extra=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                          f'stroke-width="{width}" {extra}/>')

    def rect(self, x, y, width, height, fill, extra=""):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                          f'height="{height:.1f}" fill="{fill}" {extra}/>')

    def circle(self, x, y, radius, fill, extra=""):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" {extra}/>')

    def text(self, x, y, content, anchor="middle", color=INK, extra=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
                          f'fill="{color}" {extra}>{content}</text>')

    def arrow_up(self, x, y, length, color):
        self.line([(x, y), (x, y - length)], color, 2)
        self.line([(x - 5, y - length + 8), (x, y - length), (x + 5, y - length + 8)], color, 2)

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.parts + ["</svg>", ""]))


def sketch(d):
    """The mechanism seen along y. Heights are drawn five times as large as widths."""
    def x(metres):
        return 205 + 58 * metres

    def z(metres):
        return 290 - 290 * metres

    edge = f'stroke="{INK}"'
    d.rect(x(-2.5) - 22, z(0.75), x(2.5) - x(-2.5) + 44, z(0.25) - z(0.75), PALE, edge)
    d.text(x(0), z(0.62), "Rb5, 3000 kg")
    for side, upper, lower, u in ((1, "Rb3", "Rb1", "u1"), (-1, "Rb4", "Rb2", "u2")):
        at = x(2.5 * side)
        for low, high, name in ((-0.1, 0.1, lower), (0.2, 0.4, upper)):
            d.rect(at - 11, z(high), 22, z(low) - z(high), STEEL, edge)
            d.text(at - 18 * side, z((low + high) / 2) + 4, name, "end" if side > 0 else "start")
        d.line([(at, z(0.4)), (at, z(0.5))])
        d.circle(at, z(0.5), 4.5, "white", edge)
        zigzag = [(at, z(0.1))]
        zigzag += [(at + (8 if k % 2 else -8), z(0.1 + 0.1 * (k + 0.5) / 6)) for k in range(6)]
        d.line(zigzag + [(at, z(0.2))], SPRING, 1.8)
        d.arrow_up(at, z(-0.1) + 38, 30, ACCENT)
        d.text(at - 12 * side, z(-0.1) + 30, f"{u}(t)", "end" if side > 0 else "start", ACCENT)
    cx, cz = x(0.6), z(0.5)
    d.circle(cx, cz, 5, "white", edge)
    d.line([(cx - 5, cz), (cx + 5, cz)])
    d.line([(cx, cz - 5), (cx, cz + 5)])
    d.text(cx, cz + 22, "centre of mass")
    px, pz = x(-2.0), z(0.5)
    d.circle(px, pz, 4.5, ACCENT)
    d.text(px + 9, pz + 4, "P_obs", "start", ACCENT)
    d.text(205, 32, "Five bodies, two stiff springs", extra='font-weight="bold"')
    d.text(205, 50, "the supports are lifted by 10 mm, the right one first", color=GREY)


def panel(d, box, title, time, values, breaks, right, limit, ticks):
    """One curve over 30 ms, interrupted where it jumps."""
    left, top, width, height = box

    def x(t):
        return left + width * t / 0.03

    def y(v):
        return top + height * (0.5 - 0.5 * v / limit)

    for start, end in ((0.001, 0.006), (0.011, 0.016)):
        d.rect(x(start), top, x(end) - x(start), height, "#eef4fa")
    for tick in ticks:
        d.line([(left, y(tick)), (left + width, y(tick))], PALE, 1)
        d.text(left - 6, y(tick) + 4, f"{tick:g}", "end", GREY)
    for ms in (0, 5, 10, 15, 20, 25, 30):
        d.line([(x(ms / 1000), top + height), (x(ms / 1000), top + height + 4)], GREY, 1)
        d.text(x(ms / 1000), top + height + 18, ms, color=GREY)
    d.rect(left, top, width, height, "none", f'stroke="{GREY}"')
    d.text(left, top - 8, title, "start")
    edges = [-1.0, *breaks, 1.0]
    for piece in range(len(edges) - 1):
        inside = (time > edges[piece] + 1e-9) & (time < edges[piece + 1] + 1e-9)
        points = list(zip(time[inside], values[inside]))
        if piece > 0:  # from the right limit on
            points.insert(0, (breaks[piece - 1], right[piece - 1]))
            d.line([(x(points[0][0]), y(previous)), (x(points[0][0]), y(points[0][1]))], ACCENT,
                   0.8, 'stroke-dasharray="3 3"')
        previous = points[-1][1]
        d.line([(x(t), y(v)) for t, v in points], ACCENT, 1.6, 'stroke-linejoin="round"')


def main(results, image):
    with netCDF4.Dataset(results) as file:
        time, breaks = np.array(file["time"]), np.array(file["break"])
        values = np.array(file["pobs_acceleration_nominal"])
        right = np.array(file["pobs_acceleration_nominal_right"])
    d = Drawing(920, 400)
    sketch(d)
    box = dict(left=500, width=400, height=125)
    panel(d, (box["left"], 50, box["width"], box["height"]),
          "vertical acceleration of P_obs, m/s²", time, values[:, 2], breaks, right[:, 2], 10500,
          (-10000, -5000, 0, 5000, 10000))
    panel(d, (box["left"], 225, box["width"], box["height"]),
          "horizontal acceleration of P_obs, m/s²", time, values[:, 0], breaks, right[:, 0], 18,
          (-15, 0, 15))
    d.text(700, 390, "time, ms", color=GREY)
    d.save(image)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
