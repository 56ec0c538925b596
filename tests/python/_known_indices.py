"""Sobol' indices in closed form of the functions of examples/sensitivity/test-functions.yaml, alone and with
others, and how often intervals of studies with different seeds hold them."""
import os
import pathlib

import numpy as np

MODEL = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"]) / "examples/sensitivity/test-functions.yaml"
KNOWN = {
    "ishigami": ((.313905191148, .44241114479, 0), (.55758885521, .44241114479, .243683664062)),
    "g_function": ((.986711842, .00986711842, 9.86711842e-5), (.990033881, .0131565964, .000132000118)),
    "product": ((3 / 19, 3 / 19, 12 / 19), (4 / 19, 4 / 19, 12 / 19)),
}


def held(data):
    """One where the interval holds the truth: by function, [alone or with others][factor]."""
    rows = {}
    for name, known in KNOWN.items():
        rows[name] = np.array([
            (data[f"quantity_{name}_{index}_lower"].values <= truth) &
            (np.array(truth) <= data[f"quantity_{name}_{index}_upper"].values)
            for index, truth in zip(("sobol_group", "sobol_group_total"), known)], float)
    return rows
