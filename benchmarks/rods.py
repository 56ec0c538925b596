"""References for the flexible problems of benchmarks/iftomm, with SciPy and without the engine: a rod that bends, twists, stretches and
shears as far as it likes, at rest under a dead load at its tip; a rod in the plane by Ritz' method, whose tangent turns as far as it
likes, in motion; and a shaft with a disc."""
import math

import numpy as np
from scipy import integrate, linalg, optimize


class Section:
    """A rectangle: `height` along y, `width` along z."""

    def __init__(self, modulus, poisson, height, width):
        area, shear = height * width, modulus / (2 * (1 + poisson))
        cowper = 10 * (1 + poisson) / (12 + 11 * poisson)
        self.bending_z = modulus * width * height**3 / 12
        self.bending_y = modulus * height * width**3 / 12
        self.torsion = shear * torsion_constant(height, width)
        self.force = np.array([modulus * area, cowper * shear * area, cowper * shear * area])
        self.moment = np.array([self.torsion, self.bending_y, self.bending_z])


def torsion_constant(height, width):
    """Saint-Venant's series for a rectangle."""
    a, b = max(height, width), min(height, width)
    series = sum(math.tanh(n * math.pi * a / (2 * b)) / n**5 for n in range(1, 60, 2))
    return a * b**3 * (1 / 3 - 64 * b / (math.pi**5 * a) * series)


def rotation_of(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Cantilever:
    """Reissner's rod in space, along x, clamped at s = 0 and loaded by a dead force F at its tip: with n = F and m in ground axes
        r' = R (e1 + N^-1 R^T n),  R' = R [K^-1 R^T m],  m' = -r' x n,  m(L) = 0
    (E. Reissner, J. Math. Phys. 52 (1973); J. C. Simo, Comput. Methods Appl. Mech. Eng. 49 (1985) 55-70), by shooting for m(0)."""

    def __init__(self, section, length):
        self.section, self.length, self.root = section, length, np.zeros(3)

    def shoot(self, force, root):
        def rate(s, y):
            R = rotation_of(y[3:7] / np.linalg.norm(y[3:7]))
            along = R @ (np.array([1.0, 0, 0]) + (R.T @ force) / self.section.force)
            k = (R.T @ y[7:]) / self.section.moment
            w, x, j, z = y[3:7]
            turn = 0.5 * np.array([-x * k[0] - j * k[1] - z * k[2], w * k[0] + j * k[2] - z * k[1],
                                   w * k[1] + z * k[0] - x * k[2], w * k[2] + x * k[1] - j * k[0]])
            return np.concatenate([along, turn, -np.cross(along, force)])

        start = np.concatenate([np.zeros(3), [1, 0, 0, 0], root])
        return integrate.solve_ivp(rate, (0, self.length), start, "DOP853", rtol=1e-11, atol=1e-11).y[:, -1]

    def tip(self, force, stages=8):
        """Where the tip is, the load raised in stages from the one before."""
        size = np.linalg.norm(force) * self.length
        for stage in range(1, stages + 1):
            now = force * stage / stages
            guess = np.cross([self.length, 0, 0], now) if stages > 1 and stage == 1 else self.root
            found = optimize.root(lambda m: self.shoot(now, m * size)[7:] / size, guess / size, tol=1e-11)
            if np.abs(found.fun).max() > 1e-9:
                raise ArithmeticError(f"shooting has not converged: {found.message}")
            self.root = found.x * size
        return self.shoot(force, self.root)[:3]


class RitzRod:
    """A rod in the plane that neither stretches nor shears, of tangent angle θ = β + Σ a_i (s/L)^i, which may be as large as it likes; its
    points from its start are ∫ (cos θ, sin θ) ds, by Gauss points. Lagrange's equations are d'Alembert's with the rows of J = ∂r/∂(β, a)."""

    def __init__(self, length, bending, mass, rotary, bends=4, points=16):
        nodes, weights = np.polynomial.legendre.leggauss(points)
        self.length, self.weights = length, 0.5 * length * weights
        self.mass, self.rotary = mass, rotary
        # ∫_0^s of the polynomial through the Gauss points: to those, to the end and to the middle.
        legendre = np.polynomial.legendre
        fit = np.linalg.inv(legendre.legvander(nodes, points - 1))
        places = np.append(nodes, [1.0, 0.0])
        integrals = np.stack([legendre.legval(places, legendre.legint(row, lbnd=-1)) for row in np.eye(points)], 1)
        self.upto = 0.5 * length * integrals @ fit
        x = 0.5 * (nodes + 1)
        self.theta = np.stack([x**i for i in range(bends + 1)], 1)  # by (β, a)
        slope = np.stack([i * x**(i - 1) / length if i else 0 * x for i in range(bends + 1)], 1)
        self.stiffness = bending * slope.T @ (self.weights[:, None] * slope)
        self.turned = rotary * self.theta.T @ (self.weights[:, None] * self.theta)

    def points(self, u):
        """Of the Gauss points, the end and the middle, x and y."""
        angle = self.theta @ u
        return self.upto @ np.cos(angle), self.upto @ np.sin(angle)

    def rows(self, u):
        """J of x and of y at the Gauss points, the end and the middle."""
        angle = self.theta @ u
        return -self.upto @ (np.sin(angle)[:, None] * self.theta), self.upto @ (np.cos(angle)[:, None] * self.theta)

    def convected(self, u, v):
        """Accelerations at zero ones of the unknowns, and rates v."""
        angle, square = self.theta @ u, (self.theta @ v)**2
        return -self.upto @ (np.cos(angle) * square), -self.upto @ (np.sin(angle) * square)

    def inertia(self, J, accelerated):
        """The mass matrix, and the generalized force of accelerations of the points."""
        inside, w = slice(0, len(self.weights)), self.mass * self.weights
        M, force = self.turned, 0
        for rows, a in zip(J, accelerated):
            weighted = w[:, None] * rows[inside]
            M, force = M + rows[inside].T @ weighted, force + weighted.T @ a[inside]
        return M, force


def spin_up(times, rod, turn):
    """The tip in axes that turn with the clamp. `turn(t)` is its angle, rate and acceleration."""
    n = rod.theta.shape[1] - 1

    def rate(t, y):
        _, spin, faster = turn(t)
        u, v = np.append(0, y[:n]), np.append(spin, y[n:])
        M, force = rod.inertia(rod.rows(u), rod.convected(u, v))
        force = force + M[:, 0] * faster + rod.stiffness @ u
        return np.concatenate([y[n:], np.linalg.solve(M[1:, 1:], -force[1:])])

    found = integrate.solve_ivp(rate, (0, times[-1]), np.zeros(2 * n), "LSODA", t_eval=times, rtol=1e-8, atol=1e-10)
    return np.array([[axis[-2] for axis in rod.points(np.append(0, y[:n]))] for y in found.y.T])


def slider_crank(times, rod, crank, spin, slider):
    """The slider's place and the middle of the rod off the line between its ends. The crank turns evenly from where all is in line, the
    slider stays on x: the rod's angle at its start follows from its bends."""
    n = rod.theta.shape[1] - 1

    def closed(t, bends):
        u = np.append(-math.asin(crank * math.sin(spin * t) / rod.length), bends)
        for _ in range(30):
            x, y = rod.points(u)
            step = (crank * math.sin(spin * t) + y[-2]) / x[-2]
            u[0] -= step
            if abs(step) < 1e-15:
                break
        return u

    def rate(t, y):
        u = closed(t, y[:n])
        c, s = math.cos(spin * t), math.sin(spin * t)
        J = rod.rows(u)
        v = np.append(-(crank * spin * c + J[1][-2, 1:] @ y[n:]) / J[1][-2, 0], y[n:])
        x, h = rod.convected(u, v)
        x, h = x - crank * spin**2 * c, h - crank * spin**2 * s
        M, force = rod.inertia(J, (x, h))
        M = M + slider * np.outer(J[0][-2], J[0][-2])
        force = force + slider * J[0][-2] * x[-2] + rod.stiffness @ u
        system = np.zeros((n + 2, n + 2))
        system[:-1, :-1], system[:-1, -1], system[-1, :-1] = M, J[1][-2], J[1][-2]
        found = np.linalg.solve(system, -np.append(force, h[-2]))
        return np.concatenate([y[n:], found[1:-1]])

    found = integrate.solve_ivp(rate, (0, times[-1]), np.zeros(2 * n), "LSODA", t_eval=times, rtol=1e-8, atol=1e-10)
    places, middles = [], []
    for t, y in zip(times, found.y.T):
        x, h = rod.points(closed(t, y[:n]))
        places.append(crank * math.cos(spin * t) + x[-2])
        middles.append((x[-2] * h[-1] - h[-2] * x[-1]) / math.hypot(x[-2], h[-2]))
    return np.array(places), np.array(middles)


class Shaft:
    """A round shaft between bearings that hold its slope, one of which lets it slide, with a disc in its middle whose centre is `offset`
    from the axis. Unknowns are the lowest modes of bending, shear and rotary inertia in w = y + iz, made of cosines 1 - cos(2 k π s/L), for
    which the disc does not tilt, and the torsion α of the half that drives the disc, which turns by ψ_d = ψ + α and has the kinetic energy
        ½ m |ẇ + i ψ̇_d offset e^{iψ_d}|² + ½ J ψ̇_d².
    Cosines of a load in the middle fall as 1/k⁴: five of them make the first frequency 4e-4 too high, two hundred 1e-6. Sections of the
    shaft, spinning at ψ̇, add the gyroscopic moment -2 i ρ I ψ̇ ẇ'. The axis keeps its length, s being counted along it:
        u(s) = ½ ∫_0^s |w'|² ds,    T += ½ ∫ ρ A u̇² ds + ½ m u̇(L/2)² + ½ m_hub u̇(L)²,    V += ½ ∫ E I (Re w̄' w'')² ds."""

    def __init__(self, length, radius, modulus, poisson, density, disc, inertia, offset, hub=0.0, cosines=200, modes=2, points=12):
        area, second = math.pi * radius**2, math.pi * radius**4 / 4
        wave = 2 * math.pi / length * (1 + np.arange(cosines))
        at_disc = 1 - np.cos(wave * length / 2)
        # Cosines stay so in shear, which makes them softer (Timoshenko) and their sections turn less; Cowper's coefficient of a disc.
        shear = modulus / (2 * (1 + poisson)) * 6 * (1 + poisson) / (7 + 6 * poisson) * area
        softer = 1 + modulus * second * wave**2 / shear
        rotary = density * second * length / 2 * (wave / softer)**2
        mass = density * area * length * (np.ones((cosines, cosines)) + 0.5 * np.eye(cosines)) + np.diag(rotary)
        mass += disc * np.outer(at_disc, at_disc)
        self.stiffness, shape = linalg.eigh(np.diag(modulus * second * length / 2 * wave**4 / softer), mass)
        self.stiffness, shape = self.stiffness[:modes], shape[:, :modes]  # of unit modal mass
        self.at_disc, self.gyroscopic = shape.T @ at_disc, 2 * shape.T @ (rotary[:, None] * shape)
        self.disc, self.offset, self.modes = disc, offset, modes
        # The driven half twists evenly, and the other turns with the disc.
        half = density * second * length
        self.inertia = inertia + disc * offset**2 + half / 3 + half
        self.lag = inertia + disc * offset**2 + half / 2 + half
        self.twisting = modulus / (2 * (1 + poisson)) * 2 * second / (length / 2)
        # Gauss points of the first half; the second is its mirror image, where u(L - s) = 2 u(L/2) - u(s).
        legendre = np.polynomial.legendre
        nodes, weights = legendre.leggauss(points)
        quarter = length / 4
        s, weights = quarter * (1 + nodes), quarter * weights
        self.slope = np.sin(np.outer(s, wave)) @ (wave[:, None] * shape)
        self.curvature = np.cos(np.outer(s, wave)) @ (wave[:, None]**2 * shape)
        self.bending = 2 * modulus * second * weights
        # ∫_0^s of the polynomial through the Gauss points: u in the first half, in the second, in the middle and at the end.
        integrals = np.stack([legendre.legval(nodes, legendre.legint(row, lbnd=-1)) for row in np.eye(points)], 1)
        upto = quarter * integrals @ np.linalg.inv(legendre.legvander(nodes, points - 1))
        self.shortening = np.concatenate([upto, 2 * weights - upto, [weights, 2 * weights]])
        self.sliding = np.concatenate([density * area * np.tile(weights, 2), [disc, hub]])

    def critical(self):
        return math.sqrt(self.stiffness[0])

    def run(self, times, turn):
        """y and z of the axis in the middle, from rest in the straight shape; `turn(t)` is ψ, its rate and its acceleration."""
        n, m, e, size = self.modes, self.disc, self.offset, 2 * self.modes + 1

        def rate(t, y):
            angle, spin, faster = turn(t)
            q, p, v, u = y[:2 * n], y[2 * n], y[size:size + 2 * n], y[-1]
            heavy = e * np.exp(1j * (angle + p))
            # The disc's centre has the acceleration w'' + (i ψ_d'' - ψ_d'²) heavy.
            side = m * np.concatenate([-heavy.imag * self.at_disc, heavy.real * self.at_disc])
            pull = m * (spin + u)**2 * np.concatenate([heavy.real * self.at_disc, heavy.imag * self.at_disc])
            gyroscopic = (spin + u) * np.concatenate([self.gyroscopic @ v[n:], -self.gyroscopic @ v[:n]])
            # ü = (∂u/∂q) q̈ + ∫ |ẇ'|² ds, and the derivative of the energy of bending that is not quadratic.
            slope, turning = self.slope @ q.reshape(2, n).T, self.slope @ v.reshape(2, n).T
            bend = self.curvature @ q.reshape(2, n).T
            rows = self.shortening @ np.hstack([slope[:, :1] * self.slope, slope[:, 1:] * self.slope])
            weighted = self.sliding[:, None] * rows
            along = (slope * bend).sum(1)
            quartic = [self.curvature.T @ (self.bending * along * slope[:, k]) + self.slope.T @ (self.bending * along * bend[:, k])
                       for k in (0, 1)]
            A = np.zeros((size, size))
            A[:2 * n, :2 * n] = np.eye(2 * n) + rows.T @ weighted
            A[:2 * n, -1] = A[-1, :2 * n] = side
            A[-1, -1] = self.inertia
            force = pull - faster * side - np.tile(self.stiffness, 2) * q - gyroscopic - np.concatenate(quartic)
            force -= weighted.T @ (self.shortening @ (turning**2).sum(1))
            b = np.append(force, -self.twisting * p - faster * self.lag)
            return np.concatenate([v, [u], np.linalg.solve(A, b)])

        found = integrate.solve_ivp(rate, (0, times[-1]), np.zeros(2 * size), "LSODA", t_eval=times, rtol=1e-8, atol=1e-11)
        return np.stack([self.at_disc @ found.y[:n], self.at_disc @ found.y[n:2 * n]], 1)
