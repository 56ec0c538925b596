#!/usr/bin/env python3
"""Writes the finite elements of a bar as Matrix Market files: an aluminium arm of 1.2 m along x, of
20 Euler-Bernoulli elements with a rectangular section of 40 mm by 10 mm that narrows to half its
width. Nodes have three displacements and three rotations; 0 is at the origin.

    python3 make_arm.py [directory]

The matrices of an element are those of any textbook (Przemieniecki, Theory of Matrix Structural
Analysis, 1968, sections 5.6 and 11.4): consistent mass, rotary inertia of bending neglected.
"""

import sys
from pathlib import Path

LENGTH, ELEMENTS = 1.2, 20
E, NU, RHO = 70e9, 0.33, 2700.0
HEIGHT, WIDTH = 0.010, 0.040


def zeros(n):
    return [[0.0] * n for _ in range(n)]


def width(x):
    """The section's extent along y [m]."""
    return WIDTH * (1 - 0.5 * x / LENGTH)


def element(l, b, h):
    """Mass and stiffness of an element along x: u, v, w, θx, θy, θz of both ends."""
    area, iz, iy = b * h, h * b**3 / 12, b * h**3 / 12
    polar = iy + iz
    torsion = b * h**3 * (1 / 3 - 0.21 * h / b * (1 - h**4 / (12 * b**4)))
    shear = E / (2 * (1 + NU))
    m, k = zeros(12), zeros(12)

    def add(matrix, rows, factor, block, signs=(1, 1, 1, 1)):
        for a, i in enumerate(rows):
            for b, j in enumerate(rows):
                matrix[i][j] += factor * signs[a] * block[a][b] * signs[b]

    bar, linear = [[1, -1], [-1, 1]], [[2, 1], [1, 2]]
    add(k, [0, 6], E * area / l, bar)
    add(k, [3, 9], shear * torsion / l, bar)
    add(m, [0, 6], RHO * area * l / 6, linear)
    add(m, [3, 9], RHO * polar * l / 6, linear)
    for rows, inertia, s in (([1, 5, 7, 11], iz, 1.0), ([2, 4, 8, 10], iy, -1.0)):
        # A positive rotation about y lowers w ahead: its rows change their sign.
        bend = [
            [12, 6 * l, -12, 6 * l],
            [6 * l, 4 * l**2, -6 * l, 2 * l**2],
            [-12, -6 * l, 12, -6 * l],
            [6 * l, 2 * l**2, -6 * l, 4 * l**2],
        ]
        mass = [
            [156, 22 * l, 54, -13 * l],
            [22 * l, 4 * l**2, 13 * l, -3 * l**2],
            [54, 13 * l, 156, -22 * l],
            [-13 * l, -3 * l**2, -22 * l, 4 * l**2],
        ]
        add(k, rows, E * inertia / l**3, bend, (1, s, 1, s))
        add(m, rows, RHO * area * l / 420, mass, (1, s, 1, s))
    return m, k


def matrices():
    """Nodes along x, and the matrices of the free arm."""
    x = [LENGTH * i / ELEMENTS for i in range(ELEMENTS + 1)]
    mass, stiffness = zeros(6 * len(x)), zeros(6 * len(x))
    for e in range(ELEMENTS):
        m, k = element(x[e + 1] - x[e], width((x[e] + x[e + 1]) / 2), HEIGHT)
        for i in range(12):
            for j in range(12):
                mass[6 * e + i][6 * e + j] += m[i][j]
                stiffness[6 * e + i][6 * e + j] += k[i][j]
    return x, mass, stiffness


def write_matrix(path, a):
    """The lower triangle, in Matrix Market format."""
    entries = [(i, j) for i in range(len(a)) for j in range(i + 1) if a[i][j] != 0]
    with open(path, "w", encoding="ascii") as out:
        out.write("%%MatrixMarket matrix coordinate real symmetric\n")
        out.write(f"{len(a)} {len(a)} {len(entries)}\n")
        for i, j in entries:
            out.write(f"{i + 1} {j + 1} {a[i][j]!r}\n")


def main():
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    x, mass, stiffness = matrices()
    write_matrix(directory / "arm.M.mtx", mass)
    write_matrix(directory / "arm.K.mtx", stiffness)
    with open(directory / "arm.nodes.csv", "w", encoding="ascii") as out:
        out.write("node,x,y,z\n")
        for k, place in enumerate(x):
            out.write(f"{k},{place!r},0,0\n")
    with open(directory / "arm.lines.csv", "w", encoding="ascii") as out:
        out.write("a,b\n")
        for k in range(ELEMENTS):
            out.write(f"{k},{k + 1}\n")


if __name__ == "__main__":
    main()
