"""Fully parameterised beam elements in absolute nodal coordinates, in the plane (12 coordinates) and in space (24), many beams at once.

r = sum_i s_i(x, y, z) e_i: cubic in x, sections linear in y and z (M. A. Omar, A. A. Shabana, J. Sound Vib. 243, 2001; A. A. Shabana,
R. Y. Yakoub, J. Mech. Des. 123, 2001). Energy of a St. Venant-Kirchhoff material, lambda/2 (tr E)^2 + G E:E with Green's strain E, by Gauss
quadrature over the volume at each evaluation, which is what Tumble does not do; explicit time integration.
"""
import numpy as np


def shape(xi, L, section):
    """Values of the shape functions of r at xi = x/L and section coordinates (y[, z])."""
    out = [1 - 3 * xi**2 + 2 * xi**3, L * (xi - 2 * xi**2 + xi**3)] + [(1 - xi) * y for y in section]
    return np.array(out + [3 * xi**2 - 2 * xi**3, L * (xi**3 - xi**2)] + [xi * y for y in section])


def slopes(xi, L, section):
    """(functions, dimension): derivatives of the shape functions by x, y[, z]."""
    d = 1 + len(section)
    out = np.zeros((2 * (1 + d), d))
    along = [(-6 * xi + 6 * xi**2) / L, 1 - 4 * xi + 3 * xi**2] + [-y / L for y in section]
    along += [(6 * xi - 6 * xi**2) / L, 3 * xi**2 - 2 * xi] + [y / L for y in section]
    out[:, 0] = along
    for a in range(1, d):
        out[1 + a, a] = 1 - xi
        out[2 + d + a, a] = xi
    return out


class Beam:
    """A straight beam from `start` to `end`; the first section vector given (in space), the second at right angles to both.
    `moduli(s)` -> (lambda, G), each (machines,), at the arc length s. Extra coordinates: (nodes, 1 + dimension, dimension)."""

    def __init__(self, start, end, elements, height, width, density, moduli, first=None):
        start, end = np.asarray(start, float), np.asarray(end, float)
        self.d, self.elements = len(start), elements
        length = np.linalg.norm(end - start)
        t, L = (end - start) / length, length / elements
        if self.d == 2:
            frame = [t, np.array([-t[1], t[0]])]
        else:
            frame = [t, np.asarray(first, float), np.cross(t, first)]
        self.start = np.array([[start + t * L * i] + frame for i in range(elements + 1)])
        gauss_x, weight_x = np.polynomial.legendre.leggauss(5)
        gauss_s, weight_s = np.polynomial.legendre.leggauss(3)
        sides = [height] if self.d == 2 else [height, width]
        thick = width if self.d == 2 else 1.0
        self.slopes, weights, places = [], [], []
        mass = 0
        mass_x, mass_w = np.polynomial.legendre.leggauss(5)
        points = np.stack(np.meshgrid(*[gauss_s] * len(sides), indexing="ij"), -1).reshape(-1, len(sides))
        shares = np.prod(np.stack(np.meshgrid(*[weight_s] * len(sides), indexing="ij"), -1).reshape(-1, len(sides)), axis=1)
        for x, w in zip(gauss_x, weight_x):
            xi = (1 + x) / 2
            for point, share in zip(points, shares):
                section = [side / 2 * p for side, p in zip(sides, point)]
                volume = w / 2 * L * share * np.prod([side / 2 for side in sides]) * thick
                self.slopes.append(slopes(xi, L, section))
                weights.append(volume)
                places.append(xi * L)
                s = shape(xi, L, section)
                mass = mass + density * volume * np.outer(s, s)
        self.slopes, self.weights = np.array(self.slopes), np.array(weights)
        self.element_mass, self.L = mass, L
        # (machines, elements, points)
        lame = [[moduli(i * L + s) for s in places] for i in range(elements)]
        self.lam = np.moveaxis(np.array([[a for a, _ in row] for row in lame]), -1, 0)
        self.G = np.moveaxis(np.array([[b for _, b in row] for row in lame]), -1, 0)
        self.along = [np.ascontiguousarray(self.slopes[:, :, a].T) for a in range(self.d)]          # by x, y, z: functions, points

    def mass(self):
        k = 1 + self.d
        out = np.zeros(((self.elements + 1) * k,) * 2)
        for i in range(self.elements):
            out[i * k:(i + 2) * k, i * k:(i + 2) * k] += self.element_mass
        return out

    def forces(self, e):
        """Elastic forces (machines, nodes * (1 + d), d) at e of the same shape: minus the gradient of the energy."""
        k, d, n = 1 + self.d, self.d, e.shape[0]
        local = np.stack([e[:, i * k:(i + 2) * k] for i in range(self.elements)], axis=1)           # n, elements, functions, d
        local = np.ascontiguousarray(np.swapaxes(local, 2, 3))
        F = [local @ slopes for slopes in self.along]              # columns of the gradient, each (n, elements, d, points)
        strain = {(a, b): 0.5 * (np.sum(F[a] * F[b], axis=2) - (a == b)) for a in range(d) for b in range(a, d)}
        pressure = self.lam * sum(strain[a, a] for a in range(d))
        stress = {(a, b): self.weights * (2 * self.G * strain[a, b] + (pressure if a == b else 0.0)) for a, b in strain}
        Q = sum(sum(F[b] * stress[min(a, b), max(a, b)][:, :, None] for b in range(d)) @ self.along[a].T for a in range(d))
        out = np.zeros_like(e)
        for i in range(self.elements):
            out[:, i * k:(i + 2) * k] -= np.swapaxes(Q[:, i], 1, 2)
        return out


def eole(kernel, nodes, terms, places):
    """Functions g_i of Z(x) = sum xi_i g_i(x), (places, terms): expansion optimal linear estimation (C. C. Li, A. Der Kiureghian, J. Eng.
    Mech. 119, 1993). Signs: the node value of largest size is positive."""
    correlation = kernel(np.abs(nodes[:, None] - nodes[None]))
    values, vectors = np.linalg.eigh(correlation)
    values, vectors = values[::-1][:terms], vectors[:, ::-1][:, :terms]
    for i in range(terms):
        size = np.abs(vectors[:, i])
        largest = np.argmax(size > size.max() * (1 - 1e-9))
        vectors[:, i] *= np.sign(vectors[largest, i])
    return kernel(np.abs(np.asarray(places)[:, None] - nodes[None])) @ vectors / np.sqrt(values)
