"""Estimated errors of the time integration against true ones, on ten problems with references: closed
forms, minimal coordinates integrated by another method, and, of two machines without either, the same
run with steps 8 times smaller. Prints the table of docs/validation.md."""
import os
import pathlib
import sys
import tempfile

import numpy as np

import _results as results

root = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
work = pathlib.Path(tempfile.mkdtemp())
rows = []


def run(name, text, *arguments):
    model = work / f"{name}.yaml"
    if isinstance(text, str):
        model.write_text(text)
    else:
        model = text
    return results.run(model, work / f"{name}-{len(list(work.iterdir()))}", *arguments)


def judge(problem, data, name, reference, estimate=None, found=None, resolved=1e-8):
    """Where the true error exceeds 1e-8 of the peak, or what the reference resolves: at most twice, at least a tenth of the estimate.
    Both errors pass through zero, not at the very same time: the bounds hold for the largest over the
    run strictly, and time by time but for a few of a hundred."""
    found = data[name + "_nominal"].values if found is None else found
    estimate = data[name + "_time_error"].values if estimate is None else estimate
    reference = np.asarray(reference).reshape(found.shape)
    error = np.abs(found - reference)
    peak = np.max(np.abs(reference))
    largest, told = np.max(error), np.max(estimate)
    seen = error > resolved * peak
    if largest <= resolved * peak:
        rows.append((problem, name, largest / peak, told / peak, float("nan"), 1.0))
        if told > 10 * resolved * peak:
            sys.exit(f"{problem} {name}: error {largest / peak:g}, estimate {told / peak:g} of the peak")
        return
    kept = np.mean((error[seen] <= 2 * estimate[seen]) & (error[seen] >= 0.1 * estimate[seen]))
    rows.append((problem, name, largest / peak, told / peak, largest / told, kept))
    if not 0.1 * told <= largest <= 2 * told:
        sys.exit(f"{problem} {name}: error {largest / peak:g} of the peak, estimate {told / peak:g}")
    if kept < 0.9:
        sys.exit(f"{problem} {name}: the bounds hold at {100 * kept:.1f} % of the times only")


def runge_kutta(f, y, times, substeps=50):
    """Classical fourth order, with steps far below those of the program."""
    states = [np.array(y, float)]
    for a, b in zip(times[:-1], times[1:]):
        y, h = states[-1], (b - a) / substeps
        for _ in range(substeps):
            k1 = f(y)
            k2 = f(y + h / 2 * k1)
            k3 = f(y + h / 2 * k2)
            k4 = f(y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        states.append(y)
    return np.array(states)


def cross_turn(vector):
    """The rotation by a vector, as a matrix."""
    angle = np.linalg.norm(vector)
    if angle == 0:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def matrix_of(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def quaternion_like(q, rotation):
    """The quaternion of a rotation matrix, with the sign that is nearer to q."""
    w = np.sqrt(np.maximum(0, 1 + np.trace(rotation))) / 2
    m = rotation
    if w > 0.1:
        r = np.array([w, (m[2, 1] - m[1, 2]) / (4 * w), (m[0, 2] - m[2, 0]) / (4 * w),
                      (m[1, 0] - m[0, 1]) / (4 * w)])
    else:
        values, vectors = np.linalg.eigh(m + m.T)
        axis, s = vectors[:, 2], np.sqrt(max(0, 1 - w * w))
        sine = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) @ axis
        r = np.concatenate([[w], (s if sine >= 0 else -s) * axis])
    return r if r @ q >= 0 else -r


# --- 1: damped oscillator ----------------------------------------------------------------------------
def oscillator():
    m, k, c, v0 = 2.0, 800.0, 6.0, 1.5
    data = run("oscillator", f"""
bodies: {{mass: {{mass: {m}, position: [0, 0, 0], inertia: [0.1, 0.1, 0.1], velocity: [{v0}, 0, 0]}}}}
forces:
  spring: {{type: bushing, between: [ground, mass], point: [0, 0, 0], stiffness: [{k}, {k}, {k}, 50, 50, 50],
           damping: [{c}, {c}, {c}, 1, 1, 1]}}
probes:
  mass: {{body: mass, quantities: [position, velocity, acceleration]}}
  spring: {{force: spring, quantities: [force]}}
simulation: {{duration: 2, step: 2e-3, output_step: 1e-2}}
""")
    t, d = data.time.values, c / (2 * m)
    w = np.sqrt(k / m - d * d)
    x = v0 / w * np.exp(-d * t) * np.sin(w * t)
    v = v0 * np.exp(-d * t) * (np.cos(w * t) - d / w * np.sin(w * t))
    a = -(k * x + c * v) / m
    along = np.array([1.0, 0, 0])
    for name, value in (("position", x), ("velocity", v), ("acceleration", a)):
        judge("damped oscillator", data, f"mass_{name}", np.outer(value, along))
    force = data.spring_force_nominal.values
    sign = np.sign(np.sum(force[:, 0] * a))
    judge("damped oscillator", data, "spring_force", np.outer(sign * m * a, along))


# --- 2: base that is moved with kinks ----------------------------------------------------------------
def kinked_base():
    m, k, c = 100.0, 1.6e6, 4.0e3
    times, values = [0.02, 0.07, 0.11], [0.0, 0.01, 0.004]
    data = run("kinked", f"""
bodies:
  base: {{mass: 1, position: [0, 0, 0], inertia: [0.1, 0.1, 0.1]}}
  mass: {{mass: {m}, position: [0, 0, 1], inertia: [10, 10, 10]}}
drives: {{u: {{type: piecewise_linear, times: {times}, values: {values}}}}}
joints: {{floor: {{type: fixed, between: [ground, base], point: [0, 0, 0], motion: {{z: u}}}}}}
forces:
  spring: {{type: bushing, between: [base, mass], point: [0, 0, 0.5], stiffness: [{k}, {k}, {k}, {k}, {k}, {k}],
           damping: [{c}, {c}, {c}, {c}, {c}, {c}]}}
probes: {{mass: {{body: mass, quantities: [position, velocity, acceleration]}}}}
simulation: {{duration: 0.2, step: 5e-4, output_step: 1e-3}}
""")
    d = c / (2 * m)
    w = np.sqrt(k / m - d * d)
    slopes = [0.0, (values[1] - values[0]) / (times[1] - times[0]),
              (values[2] - values[1]) / (times[2] - times[1]), 0.0]

    def free(y0, v0, t):
        """The oscillation relative to a base that moves evenly."""
        e, b = np.exp(-d * t), (v0 + d * y0) / w
        y = e * (y0 * np.cos(w * t) + b * np.sin(w * t))
        v = e * (-d * (y0 * np.cos(w * t) + b * np.sin(w * t)) + w * (b * np.cos(w * t) - y0 * np.sin(w * t)))
        return y, v

    def state(t, right=False):
        y, v, start, u = 0.0, 0.0, 0.0, values[0]  # relative to the base; the base itself
        for i, slope in enumerate(slopes):
            if i > 0:
                v += slopes[i - 1] - slope
            end = times[i] if i < len(times) else np.inf
            inside = t < end - 1e-12 if right else t <= end + 1e-12
            if inside:
                y, v = free(y, v, t - start)
                u += slope * (t - start)
                return 1 + u + y, slope + v, -(k * y + c * v) / m
            y, v = free(y, v, end - start)
            u += slope * (end - start)
            start = end
        raise AssertionError

    up = np.array([0, 0, 1.0])
    left = np.array([state(t) for t in data.time.values])
    right = np.array([state(t, True) for t in data["break"].values])
    for i, name in enumerate(("position", "velocity", "acceleration")):
        judge("base with kinks", data, f"mass_{name}", np.outer(left[:, i], up))
        judge("base with kinks", data, f"mass_{name} (right limits)", np.outer(right[:, i], up),
              data[f"mass_{name}_time_error_right"].values, data[f"mass_{name}_nominal_right"].values)


# --- 3: pendulum --------------------------------------------------------------------------------------
def pendulum():
    data = run("pendulum", root / "examples/classics/pendulum.yaml", "--set", "simulation.step=5e-3")
    length, radius, g = 1.0, 0.01, 9.81
    m = 7850 * np.pi * radius**2 * length
    about_hinge = m * (3 * radius**2 + length**2) / 12 + m * length**2 / 4
    rate = m * g * length / 2 / about_hinge
    y = runge_kutta(lambda s: np.array([s[1], rate * np.cos(s[0])]), [0, 0], data.time.values)
    angle, speed = y[:, 0], y[:, 1]
    growth = rate * np.cos(angle)
    e = np.stack([np.cos(angle), 0 * angle, -np.sin(angle)], axis=1)
    n = np.stack([-np.sin(angle), 0 * angle, -np.cos(angle)], axis=1)
    judge("pendulum", data, "hinge_angle", angle)
    judge("pendulum", data, "hinge_angle_rate", speed)
    judge("pendulum", data, "tip_position", length * e)
    judge("pendulum", data, "tip_velocity", (length * speed)[:, None] * n)
    acceleration = growth[:, None] * n - (speed**2)[:, None] * e
    judge("pendulum", data, "tip_acceleration", length * acceleration)
    force = m * (length / 2 * acceleration + np.array([0, 0, g]))
    sign = np.sign(np.sum(force * data.hinge_force_nominal.values))
    judge("pendulum", data, "hinge_force", sign * force)


# --- 4: double pendulum, chaotic: for 2 s -------------------------------------------------------------
def double_pendulum():
    data = run("double", root / "examples/classics/double-pendulum.yaml",
               "--set", "simulation.duration=2", "--set", "simulation.step=1e-3")
    length, radius, g = 0.5, 0.01, 9.81
    m = 2700 * np.pi * radius**2 * length
    j = m * (3 * radius**2 + length**2) / 12

    def rates(s):
        a, b, u, v = s  # angles below the horizontal, and rates
        c, d = np.cos(a - b), np.sin(a - b)
        mass = np.array([[j + m * length**2 / 4 + m * length**2, m * length**2 / 2 * c],
                         [m * length**2 / 2 * c, j + m * length**2 / 4]])
        force = np.array([-m * length**2 / 2 * d * v * v + 1.5 * m * g * length * np.cos(a),
                          m * length**2 / 2 * d * u * u + 0.5 * m * g * length * np.cos(b)])
        return np.concatenate([[u, v], np.linalg.solve(mass, force)])

    y = runge_kutta(rates, [0, 0, 0, 0], data.time.values, 20)
    a, b, u, v = y.T
    zero = 0 * a
    position = length * np.stack([np.cos(a) + np.cos(b), zero, -np.sin(a) - np.sin(b)], axis=1)
    velocity = -length * np.stack([u * np.sin(a) + v * np.sin(b), zero, u * np.cos(a) + v * np.cos(b)], axis=1)
    judge("double pendulum, 2 s", data, "tip_position", position)
    judge("double pendulum, 2 s", data, "tip_velocity", velocity)
    judge("double pendulum, 2 s", data, "shoulder_angle", a)
    judge("double pendulum, 2 s", data, "elbow_angle", b - a)


# --- 5: top in steady precession ----------------------------------------------------------------------
def steady_top(simulation, spin=1000.0, gauge=None):
    tilt, l, g, across, along = np.pi / 3, 0.2, 9.81, 0.01 + 0.2**2, 0.005
    a, b, c = across * np.cos(tilt), -along * spin, g * l
    turn = (-b - np.sqrt(b * b - 4 * a * c)) / (2 * a)
    axis = np.array([np.sin(tilt), 0, np.cos(tilt)])
    own = spin - turn * np.cos(tilt)
    omega = turn * np.array([0, 0, 1]) + own * axis
    velocity = np.cross(omega, l * axis)
    text = f"""
gravity: [0, 0, -{g}]
bodies:
  top: {{mass: 1, position: {(l * axis).tolist()}, inertia: [0.01, 0.01, 0.005], velocity: {velocity.tolist()},
        angular_velocity: {omega.tolist()}, orientation: {{rotation_vector: [0, {tilt}, 0]}}}}
joints: {{pivot: {{type: spherical, between: [ground, top], point: [0, 0, 0]}}}}
probes:
  top: {{body: top, quantities: [position, velocity, orientation, angular_velocity]}}
  pivot: {{joint: pivot, quantities: [force]}}
simulation: {simulation}
"""
    data = run("top", text)
    t = data.time.values
    turned = [cross_turn(np.array([0, 0, turn * x])) for x in t]
    place = np.array([r @ (l * axis) for r in turned])
    flat = place * np.array([1, 1, 0])
    force = -(turn**2) * flat + np.array([0, 0, g])
    sign = np.sign(np.sum(force * data.pivot_force_nominal.values))
    reference = {"top_position": place, "top_velocity": np.array([r @ velocity for r in turned]),
                 "top_angular_velocity": np.array([r @ omega for r in turned]), "pivot_force": sign * force}
    start = matrix_of(data.top_orientation_nominal.values[0])
    reference["top_orientation"] = np.array([
        quaternion_like(q, r @ start @ cross_turn(np.array([0, 0, own * x])))
        for q, r, x in zip(data.top_orientation_nominal.values, turned, t)])
    return data, reference


def top():
    data, reference = steady_top("{duration: 0.2, step: 1e-4, output_step: 1e-3}", spin=500.0)
    for name, value in reference.items():
        judge("steady top, 500 rad/s", data, name, value)


# --- 6: free body -------------------------------------------------------------------------------------
def free_body():
    a, c, omega = 0.02, 0.03, np.array([2.0, 0.0, 9.0])
    data = run("free", f"""
bodies: {{body: {{mass: 1, position: [0, 0, 0], inertia: [{a}, {a}, {c}], angular_velocity: {omega.tolist()},
         velocity: [0.1, 0.2, 0.3]}}}}
probes: {{body: {{body: body, quantities: [orientation, rotation_vector, euler_123, angular_velocity,
         angular_acceleration]}}}}
simulation: {{duration: 3, step: 2e-3, output_step: 1e-2}}
""")
    momentum = np.array([a, a, c]) * omega
    own = (c - a) / a * omega[2]
    t = data.time.values
    rotations = [cross_turn(momentum / a * x) @ cross_turn(np.array([0, 0, -own * x])) for x in t]
    spins = np.array([momentum / a - own * r[:, 2] for r in rotations])
    growth = np.array([-own * np.cross(w, r[:, 2]) for w, r in zip(spins, rotations)])
    q = np.array([quaternion_like(p, r) for p, r in zip(data.body_orientation_nominal.values, rotations)])
    judge("free body", data, "body_orientation", q)
    judge("free body", data, "body_angular_velocity", spins)
    judge("free body", data, "body_angular_acceleration", growth)
    turn = 2 * np.pi
    angles = np.array([[np.arctan2(-r[1, 2], r[2, 2]), np.arcsin(r[0, 2]), np.arctan2(-r[0, 1], r[0, 0])]
                       for r in rotations])
    found = data.body_euler_123_nominal.values
    judge("free body", data, "body_euler_123", angles + turn * np.round((found - angles) / turn))
    vectors = []
    for p, v in zip(q, data.body_rotation_vector_nominal.values):
        angle = 2 * np.arctan2(np.linalg.norm(p[1:]), p[0])
        vector = angle * p[1:] / np.linalg.norm(p[1:]) if angle > 0 else np.zeros(3)
        other = vector * (1 - turn / angle) if angle > 0 else vector
        vectors.append(min(vector, other, key=lambda x: np.linalg.norm(x - v)))
    judge("free body", data, "body_rotation_vector", np.array(vectors))


# --- 7: slider-crank ----------------------------------------------------------------------------------
def slider_crank():
    data = run("crank", root / "examples/classics/slider-crank.yaml", "--set", "simulation.step=5e-4")
    r, l, w = 0.1, 0.3, 50.0
    s, c = np.sin(w * data.time.values), np.cos(w * data.time.values)
    root_ = np.sqrt(l * l - (r * s) ** 2)
    x = r * c + root_
    v = -r * w * s - r * r * w * s * c / root_
    a = -r * w * w * c - r * r * w * w * ((c * c - s * s) / root_ + (r * s * c) ** 2 / root_**3)
    along = np.array([1.0, 0, 0])
    for name, value in (("position", x), ("velocity", v), ("acceleration", a)):
        judge("slider-crank", data, f"slider_{name}", np.outer(value, along))


# --- 8: unbalanced rotor ------------------------------------------------------------------------------
def rotor(simulation):
    housing, m, e, k, c, w = 10.0, 1.0, 1e-3, 4.0e5, 200.0, 300.0
    text = f"""
bodies:
  housing: {{mass: {housing}, position: [0, 0, 0], inertia: [1, 1, 1]}}
  disc: {{mass: {m}, position: [{e}, 0, 0], inertia: [0.01, 0.01, 0.02], velocity: [0, {e * w}, 0],
         angular_velocity: [0, 0, {w}]}}
drives: {{motor: {{type: polynomial, coefficients: [0, {w}]}}}}
joints:
  guide: {{type: general, between: [ground, housing], point: [0, 0, 0], locked: [z, rx, ry, rz]}}
  bearing: {{type: revolute, between: [housing, disc], point: [0, 0, 0], axis: [0, 0, 1], motion: {{rz: motor}}}}
forces:
  mount: {{type: bushing, between: [ground, housing], point: [0, 0, 0], stiffness: [{k}, {k}, {k}, 1, 1, 1],
          damping: [{c}, {c}, {c}, 1, 1, 1]}}
probes:
  housing: {{body: housing, quantities: [position, velocity, acceleration]}}
  bearing: {{joint: bearing, quantities: [force]}}
  mount: {{force: mount, quantities: [force]}}
simulation: {simulation}
"""
    data = run("rotor", text)
    t, total = data.time.values, housing + m
    # z = x + i y: total z'' + c z' + k z = m e w^2 exp(i w t), from rest.
    steady = m * e * w * w / (k - total * w * w + 1j * c * w)
    d = c / (2 * total)
    f = np.sqrt(k / total - d * d)
    # free part: exp(-d t) (p cos + q sin) with p = -steady and the velocity zero at the start
    p = -steady
    q = (d * p - 1j * w * steady) / f
    z = steady * np.exp(1j * w * t) + np.exp(-d * t) * (p * np.cos(f * t) + q * np.sin(f * t))
    v = 1j * w * steady * np.exp(1j * w * t) + np.exp(-d * t) * (
        (-d * p + f * q) * np.cos(f * t) + (-d * q - f * p) * np.sin(f * t))
    a = (m * e * w * w * np.exp(1j * w * t) - c * v - k * z) / total
    disc = m * (a - e * w * w * np.exp(1j * w * t))  # what the bearing does to the disc
    plane = lambda x: np.stack([x.real, x.imag, 0 * t], axis=1)
    reference = {"housing_position": plane(z), "housing_velocity": plane(v), "housing_acceleration": plane(a)}
    for name, value in (("bearing_force", plane(disc)), ("mount_force", plane(-k * z - c * v))):
        reference[name] = np.sign(np.sum(value * data[name + "_nominal"].values)) * value
    return data, reference


def unbalanced_rotor():
    data, reference = rotor("{duration: 0.3, step: 2e-4, output_step: 1e-3}")
    for name, value in reference.items():
        judge("unbalanced rotor", data, name, value)


# --- 9, 10: the same run with steps 8 times smaller ----------------------------------------------------
def against_itself(problem, model, probes, arguments, fine, resolved):
    data = run(problem.split()[0], model, *arguments)
    finer = run(problem.split()[0], model, *arguments, *fine, "--set", "simulation.time_error=false")
    for name in probes:
        judge(problem, data, name, finer[name + "_nominal"].values, resolved=resolved)
        if name + "_time_error_right" in data:
            judge(problem, data, name + " (right limits)", finer[name + "_nominal_right"].values,
                  data[name + "_time_error_right"].values, data[name + "_nominal_right"].values, resolved)


def five_body():
    against_itself("five-body machine", root / "examples/batou-soize-2012/nominal.yaml",
                   ["pobs_position", "pobs_velocity", "pobs_acceleration", "pobs_angular_velocity",
                    "pobs_angular_acceleration", "pobs_euler_123"], [],
                   ["--set", "simulation.step=1.25e-6", "--set", "simulation.break_steps=256"],
                   resolved=2e-7)  # accelerations of the reference are rounded by eps l / h^2


def beam():
    against_itself("beam pendulum", work / "beam.yaml", ["tip_position", "tip_velocity"],
                   ["--set", "simulation.step=1e-3"], ["--set", "simulation.step=1.25e-4"], resolved=1e-7)


def tables():
    print(f"{'problem':24}{'quantity':44}{'error':>10}{'estimate':>10}{'ratio':>7}{'times':>8}")
    for problem, name, error, told, ratio, kept in rows:
        print(f"{problem:24}{name:44}{error:10.2g}{told:10.2g}{ratio:7.2f}{100 * kept:7.1f}%")


def prepare_beam():
    """The flexible pendulum of wu-2016 without its study, for a second, its tip's velocity too."""
    (work / "beam.yaml").write_text("""
gravity: [0, 0, -9.81]
beams:
  arm: {line: [[0, 0, 0], [0.6, 0, 0]], elements: 4, section: {rectangle: {width: 0.02, height: 0.02}},
        youngs_modulus: 5e7, poisson_ratio: 0.3, density: 3000, damping_time: 2e-3}
joints: {hinge: {type: revolute, between: [ground, arm.start], axis: [0, 1, 0]}}
probes: {tip: {beam: arm, at: 1, quantities: [position, velocity]}}
simulation: {duration: 0.5, step: 1e-3, output_step: 1e-2}
""")


if __name__ == "__main__":
    prepare_beam()
    for problem in (oscillator, kinked_base, pendulum, double_pendulum, top, free_body, slider_crank,
                    unbalanced_rotor, five_body, beam):
        problem()
    tables()
