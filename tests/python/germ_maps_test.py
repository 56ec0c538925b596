"""Studies that reach the laws of bodies through maps of independent random numbers: case 4 of Batou & Soize (2012)
with Sobol' points, Latin hypercubes and polynomial chaos, against exact draws."""
import os
import pathlib
import tempfile

import numpy as np
from scipy.stats import gamma, kstest

import _results as results

root = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
case4 = root / "examples" / "batou-soize-2012" / "case4.yaml"
short = ("--set", "simulation.duration=0.0012", "--set", "simulation.step=2e-5")


def run(model, folder, *arguments, status=0):
    return results.run(model, folder, *short, *arguments, status=status)


def distance(a, b):
    """Of Kolmogorov and Smirnov, between two samples."""
    both = np.sort(np.concatenate([a, b]))
    return np.max(np.abs(np.searchsorted(np.sort(a), both, "right") / len(a)
                         - np.searchsorted(np.sort(b), both, "right") / len(b)))


def check_inputs(mapped, exact):
    """Points of a design are spread at least as evenly as independent ones: each input, and each pair through its
    sum and difference in deviations, has the law of exact draws. Over independent draws the distance exceeds
    2.694 sqrt(1/n + 1/m) with probability 1e-6; the 100 here, with a fixed seed, in 1e-4 of all choices."""
    a, b = mapped.inputs.values, exact.inputs.values
    limit = 2.694 * np.sqrt(1 / len(a) + 1 / len(b))
    scale = b.std(axis=0)
    a, b = a / scale, b / scale
    for i in range(a.shape[1]):
        assert distance(a[:, i], b[:, i]) < limit, exact.input.values[i]
        for j in range(i):
            for sign in (1, -1):
                assert distance(a[:, i] + sign * a[:, j], b[:, i] + sign * b[:, j]) < limit, (i, j)
    error = 4.9 * np.sqrt(1 / len(a) + 1 / len(b))
    assert np.all(np.abs(a.mean(axis=0) - b.mean(axis=0)) < error)


def check_maps(data, variables):
    lines = data.attrs["germ_maps"].splitlines()
    assert [line.split(":")[0] for line in lines] == variables, lines
    for line in lines:
        assert float(line.split()[-1]) < 1e-3, line


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    exact = run(case4, work / "exact", "-n", "2048")
    assert "germ_maps" not in exact.attrs
    for method in ("sobol", "latin-hypercube"):
        design = run(case4, work / method, "-n", "512", "--set", f"study.method={method}")
        check_maps(design, ["bodies.rb5.position", "bodies.rb5.inertia"])
        check_inputs(design, exact)
        # The means of what moves, within 5 standard errors of the difference at every time: 13 times.
        for name in ("pobs_position", "pobs_velocity", "center_position"):
            d = (design[f"{name}_mean"] - exact[f"{name}_mean"]).values[1:]
            se = np.hypot(design[f"{name}_mean_se"], exact[f"{name}_mean_se"]).values[1:]
            assert np.all(np.abs(d) < 5 * se + 1e-15), (method, name, np.max(np.abs(d) / se))

    # Indices of mass, centre and inertia as groups over time. Where the centre of mass is, is a matter of its own
    # law alone at t = 0; by Eq. (32) the mass takes part in accelerations.
    text = case4.read_text().splitlines()
    chaos4 = work / "chaos4.yaml"
    chaos4.write_text("\n".join(
        "study: {method: chaos, seed: 1, chaos: {degree: 2, points: regression, runs: 150}}"
        if line.startswith("study:") else line for line in text))
    chaos = run(chaos4, work / "chaos")
    check_maps(chaos, ["bodies.rb5.position", "bodies.rb5.inertia"])
    assert list(chaos.group.values) == ["bodies.rb5.mass", "bodies.rb5.position", "bodies.rb5.inertia"]
    first = chaos.center_position_sobol_group.sel(axis="x")
    assert first.dims == ("group", "time"), first.dims
    start = first.isel(time=0).values
    assert np.allclose(start, [0, 1, 0], atol=2e-3), start
    z = chaos.center_acceleration_sobol_group_total.sel(axis="z").isel(time=-1).values
    assert z[0] > 0.5 and z[1] < 0.5 and z[2] < 0.5, z
    closed = chaos.pobs_angular_acceleration_sobol_group.values
    finite = np.isfinite(closed).all(axis=0)
    assert finite.any() and np.all(closed.sum(axis=0)[finite] <= 1 + 1e-9)
    # What rotates depends on the inertia.
    share = chaos.pobs_angular_acceleration_sobol_group_total.sel(axis="y").isel(time=-1).values
    assert share[2] > 0.01, share

    # A law whose map cannot be vouched for is refused with what was measured.
    message = run(case4, work / "steep", "-n", "64", "--set", "study.method=sobol", "--set",
                  "uncertainty.rb5.inertia.lambda_u=0.95", status=2)
    assert "has no good enough map" in message and "0.001 is allowed" in message, message
    assert not (work / "steep").exists()

    # A centre of mass in a polytope and in a mesh that is not convex.
    mesh = root / "tests" / "faulty" / "laws" / "l-shape.stl"
    for region in ("cylinder: {center: [0.8, 0.8, 0.5], radius: 0.3, length: 1}",
                   "polytope: {vertices: [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0.5, 0.5, 2]]}",
                   f"mesh: {{file: '{mesh}'}}"):
        model = work / "part.yaml"
        model.write_text(f"""
bodies: {{part: {{mass: 2, position: [0.7, 0.7, 0.5], inertia: [0.3, 0.4, 0.5]}}}}
probes: {{part: {{body: part, quantities: [position]}}}}
simulation: {{duration: 0.01, step: 0.01}}
uncertainty: {{part: {{center_of_mass: {{{region}}}, inertia: {{delta: 0.3}}}}}}
study: {{method: monte-carlo, realizations: 1024, seed: 3}}
""")
        exact = results.run(model, work / "part", "--overwrite")
        design = results.run(model, work / "part", "--overwrite", "--set", "study.method=sobol")
        check_maps(design, ["bodies.part.position", "bodies.part.inertia"])
        check_inputs(design, exact)
        # Without an upper bound the diagonal entries of G, here Z_jj over the nominal ones, are gamma with the shape
        # a = 2 / delta^2. P(D > 2.694 / sqrt(n)) = 1e-6.
        J = design.inputs.sel(input=[f"bodies.part.inertia[{k}]" for k in range(3)]).values
        Z = (J.sum(axis=1, keepdims=True) / 2 - J) / (0.6 - np.array([0.3, 0.4, 0.5]))
        for k in range(3):
            assert kstest(Z[:, k], gamma(2 / 0.09, scale=0.09 / 2).cdf).statistic < 2.694 / 32, k
