"""Kane's equations in nine minimal coordinates, by Radau's method: independent/five_body.py. Against MBDyn it is checked in tests/python."""
import numpy as np

from independent.five_body import FiveBody
from independent.rigid_tree import full_inertia

NOMINAL = {"bodies.rb5.mass": 3000.0, "bodies.rb5.position[0]": 0.6, "bodies.rb5.position[1]": 0.0, "bodies.rb5.position[2]": 0.5,
           "bodies.rb5.inertia[0]": 1200.0, "bodies.rb5.inertia[1]": 5000.0, "bodies.rb5.inertia[2]": 6000.0, "bodies.rb5.inertia[3]": 0.0,
           "bodies.rb5.inertia[4]": 0.0, "bodies.rb5.inertia[5]": 0.0}
LATE = {"az_3500us": 0.0035, "az_9000us": 0.009, "az_13500us": 0.0135}
TOLERANCE = 2e-5
DRAWS = 64


def responses(draws, times):
    n = len(next(iter(draws.values())))
    values = {name: draws.get(name, np.full(n, nominal)) for name, nominal in NOMINAL.items()}
    all_times = np.unique(np.concatenate([times, list(LATE.values())]).round(12))
    machine = FiveBody(values["bodies.rb5.mass"], np.stack([values[f"bodies.rb5.position[{i}]"] for i in range(3)], 1),
                       full_inertia(np.stack([values[f"bodies.rb5.inertia[{i}]"] for i in range(6)], 1)))
    place, acceleration, turning = machine.run(all_times)
    at = [int(np.argmin(np.abs(all_times - t))) for t in times]
    out = {"z": place[:, at, 2], "az": acceleration[:, at, 2], "turning_y": turning[:, at, 1]}
    out.update({name: acceleration[:, int(np.argmin(np.abs(all_times - t))), 2] for name, t in LATE.items()})
    return out
