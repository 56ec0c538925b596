"""Worst-case studies against closed forms and brute force: the numbers of docs/validation.md#worst-case."""
import os
import pathlib
import tempfile

import numpy as np

import _results as results
import _worst_case as worst

# Of the time integration: phases of 14 rad are off by some (omega step)^2 / 12 of themselves at these steps.
SLACK = 5e-6

with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)

    # A pendulum of unknown length: after 0.6 s all of them are still on their way down, and the ends of the interval are the extremes.
    text = worst.PENDULUM + worst.STEP % (0.6, 5e-4, 0.03) + "uncertainty:\n  bodies.bob.position[0]: {law: uniform, min: 0.8, max: 1.2}\n"
    data = worst.run(work, text + worst.study(4))
    found = worst.Found(data, "swing")
    low, high = worst.pendulum_angle(1.2, 0.6), worst.pendulum_angle(0.8, 0.6)
    print("pendulum", vars(found), low, high)
    assert abs(found.found_min - low) < 1e-5 and abs(found.found_max - high) < 1e-5, "not the ends"
    assert abs(found.searched_min - low) < 1e-5 and abs(found.searched_max - high) < 1e-5, "the search missed the ends"
    assert found.holds(low, high, SLACK) and found.bound_error < 1e-3 * (high - low)
    # At every output time too.
    length = np.linspace(0.8, 1.2, 2001)
    angle = worst.pendulum_angle(length[:, None], data["time"].values)
    lower, upper, error = (data[f"hinge_angle_{end}"].values for end in ("bound_lower", "bound_upper", "bound_error"))
    assert (lower - error <= angle.min(axis=0) + SLACK).all() and (upper + error >= angle.max(axis=0) - SLACK).all()

    # Two springs: largest inside the box of both stiffnesses, k = (2 pi)^2; smallest in a corner.
    data, found, low, high = worst.spring_box(work, [(30, 50), (34, 50)], 6)
    print("springs", vars(found), low, high)
    assert np.isclose(high, 0.09)
    assert abs(found.found_min - low) < 5e-6 and abs(found.found_max - high) < 5e-6
    assert abs(found.searched_min - low) < 5e-6 and abs(found.searched_max - high) < 5e-6
    assert found.holds(low, high, SLACK) and found.bound_error < 0.01 * (high - low)
    at = data["quantity_product_found_max_inputs"].values
    assert np.abs(at - 4 * np.pi ** 2).max() < 0.2, at
    assert found.inclusion_lower <= found.bound_lower and found.inclusion_upper >= found.bound_upper

    # Random boxes, which the springs swing through up to three times: how often the claim holds, and by how much the search misses.
    random = np.random.default_rng(5)
    held = 0
    missed = []
    boxes = 12
    for box in range(boxes):
        intervals = [sorted(random.uniform(10, 200, 2)) for _ in "ab"]
        _, found, low, high = worst.spring_box(work, intervals, 8, seed=box)
        held += found.holds(low, high, SLACK)
        missed.append(max(found.searched_min - low, high - found.searched_max) / (high - low))
    print("boxes", held, "of", boxes, "search misses at most", max(missed))
    assert held == boxes
    assert max(missed) < 1e-3

    # The double pendulum of the examples against brute force: no draw of the box is beyond bounds and error, and the draws come close.
    model = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"]) / "examples/worst-case/double-pendulum.yaml"
    data = results.run(model, work / "bounds")
    draws = results.run(model, work / "draws", "--set", "study={method: monte-carlo, realizations: 4000, store: all}",
                        "--set", "uncertainty.bodies.lower.mass={law: uniform, min: 0.9, max: 1.1}")
    for name in ("tip_position", "tip_velocity"):
        values = draws[name].values
        lower, upper, error = (data[f"{name}_{end}"].values for end in ("bound_lower", "bound_upper", "bound_error"))
        scale = (upper - lower).max()
        assert (values.min(axis=0) >= lower - error - 1e-12).all() and (values.max(axis=0) <= upper + error + 1e-12).all(), name
        gap = max((values.min(axis=0) - lower).max(), (upper - values.max(axis=0)).max()) / scale
        print(name, "error", error.max() / scale, "draws stay inside by at most", gap)
        assert gap < 0.15 and error.max() < 0.05 * scale
