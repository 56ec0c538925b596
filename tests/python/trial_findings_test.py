"""What strangers found wrong on trying radau, flexible bodies and beams at rest: each against a closed form or a balance."""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import _results as results

TUMBLE = os.environ["TUMBLE"]
SOURCE = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
work = pathlib.Path(tempfile.mkdtemp())


def run(name, text, *options, status=0):
    path = work / f"{name}.yaml"
    path.write_text(text)
    done = subprocess.run([TUMBLE, "run", path, "-o", work / name, "--overwrite", "--no-report", *options], capture_output=True, text=True)
    if done.returncode != status:
        sys.exit(f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return (results.xr.open_dataset(work / name / "results.nc").load() if status == 0 else None), done.stdout + done.stderr


arm = f"""
gravity: [0, 0, -9.81]
bodies:
  arm:
    modal: {{file: {SOURCE}/examples/flexible/arm.nc, origin: [0, 0, 0], modes: 3}}
  root: {{node: {{of: arm, number: 0}}}}
  tip: {{node: {{of: arm, number: 20}}}}
joints:
  hinge: {{type: revolute, between: [ground, root], point: [0, 0, 0], axis: [0, 1, 0]}}
probes:
  tip: {{body: tip, quantities: [position]}}
  energy: {{system: true, quantities: [total_energy]}}
"""

# A flexible body on a hinge at a node: energy is kept, and two methods agree.
alpha, _ = run("alpha", arm + "simulation: {duration: 0.1, step: 1e-4, output_step: 0.01}")
radau, _ = run("radau", arm + "simulation: {duration: 0.1, step: 2e-4, output_step: 0.01, integrator: radau}")
results.near("energy of a flexible pendulum by radau", radau["energy_total_energy_nominal"].values, radau["energy_total_energy_nominal"].values[0], 1e-7)
results.near("radau and generalized-alpha", radau["tip_position_nominal"].values, alpha["tip_position_nominal"].values, 5e-6)

# A motor that turns at once: the arm starts as a rigid one where the rates of its modes are zero.
motor, _ = run("motor", arm.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], motion: {rz: turn}").replace("gravity: [0, 0, -9.81]", "gravity: [0, 0, 0]")
               .replace("quantities: [position]", "quantities: [position, velocity]")
               + "drives:\n  turn: {type: expression, value: 10*time}\nsimulation: {duration: 1e-3, step: 1e-4}")
radius = np.linalg.norm(motor["tip_position_nominal"].values[0])
results.near("speed of a tip that a motor turns", np.linalg.norm(motor["tip_velocity_nominal"].values[0]), 10 * radius, 1e-6 * radius)

# State variables beside a body that nothing accelerates: x' = -x^3 from 2 is 2/sqrt(1 + 8 t).
bolted = """
bodies:
  housing: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  bolted: {type: fixed, between: [ground, housing], point: [0, 0, 0]}
states:
  x: {rate: -x^3, start: 2}
probes:
  x: {state: x, quantities: [value]}
simulation: {duration: 2, step: 0.05, output_step: 0.05, integrator: radau}
"""
decay, _ = run("decay", bolted)
time = decay["time"].values
results.near("a state by radau", decay["x_value_nominal"].values, 2 / np.sqrt(1 + 8 * time), 2e-6)

# Work of a motor: J = 2, angle 20 t + 0.1 t^2, so that it is J (20.2^2 - 20^2)/2 = 8.04 J in a second.
spun = """
bodies:
  wheel: {mass: 1, position: [0.3, 0, 0], inertia: [1.91, 1.91, 1.91]}
joints:
  hinge: {type: revolute, between: [ground, wheel], point: [0, 0, 0], axis: [0, 0, 1], motion: {rz: turn}}
drives:
  turn: {type: expression, value: 20*time + 0.1*time^2}
  push: {type: harmonic, amplitude: 1, frequency: 1}
forces:
  load: {type: applied, body: wheel, force: [0, 0, 0.1], drive: push}
probes:
  wheel: {body: wheel, quantities: [position]}
simulation: {duration: 1, step: 0.02, output_step: 0.1, integrator: radau}
"""
_, text = run("spun", spun)
said = float(text.split("work of drives and loads ")[1].split(" J")[0])
results.near("work of a motor by radau", said, 8.04, 0.1)

# A body that turns by more than half a turn in a step: steps are halved, and no error is claimed.
spin = """
bodies:
  top: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 2], angular_velocity: [100, 0, 300]}
probes:
  top: {body: top, quantities: [angular_velocity]}
simulation: {duration: 2, step: 0.1, output_step: 0.1, integrator: radau}
"""
top, text = run("spin", spin)
if "error of the time integration is not known" not in text or np.isfinite(top["top_angular_velocity_time_error"].values).any():
    sys.exit(f"an error is claimed of steps that were halved:\n{text}")

# A clamped beam without loads stays where it is.
for elements in (6, 10, 12):
    run("rest", f"""
beams:
  arm: {{line: [[0, 0, 0], [1, 0, 0]], elements: {elements}, section: {{rectangle: {{height: 0.02, width: 0.01}}}}, youngs_modulus: 2.1e11, poisson_ratio: 0.3, density: 7850}}
joints:
  clamp: {{type: fixed, between: [ground, arm.start]}}
probes:
  tip: {{beam: arm, at: 1, quantities: [position]}}
simulation: {{duration: 0.1, step: 1e-3}}
""")

# One damping ratio is that of all modes, as a number or in a list.
ratios = {written: run(f"damping{i}", arm.replace("modes: 3}", f"modes: 3, damping: {written}}}") + "simulation: {duration: 0.02, step: 1e-4, output_step: 0.01}")[0]
          for i, written in enumerate(("0.1", "[0.1]", "[0.1, 0.1, 0.1]", "0"))}
energies = {written: data["energy_total_energy_nominal"].values for written, data in ratios.items()}
for written in ("[0.1]", "[0.1, 0.1, 0.1]"):
    if not np.array_equal(energies["0.1"], energies[written]):
        sys.exit(f"damping: 0.1 is not damping: {written}: {energies['0.1']} and {energies[written]}")
if not energies["0.1"][-1] < energies["0"][-1]:
    sys.exit("damping: 0.1 does not damp")
_, text = run("damping", arm.replace("modes: 3}", "modes: 3, damping: -0.1}") + "simulation: {duration: 0.02, step: 1e-4}", status=2)
if "modal.damping[0] = -0.1, must be >= 0" not in text:
    sys.exit(text)

# Turned by more than the spectral radius allows, what is not resolved grows from rounding: the message says so, and a smaller radius helps.
fast = ["--overwrite", "--set", "constants.slow=110", "--set", "beams.shaft.elements=4", "--set", "joints.seat.between=[shaft.node2, disc]", "--set", "simulation.duration=2"]
for radius, status in (("0.9", 1), ("0.6", 0)):
    done = subprocess.run([TUMBLE, "run", SOURCE / "examples/iftomm/rotating-shaft.yaml", "-o", work / "fast", "--no-report", "--set", "simulation.time_error=false",
                           "--set", f"simulation.spectral_radius={radius}", *fast], capture_output=True, text=True)
    if done.returncode != status or (status == 1 and "rad in a step of 0.001 s, and with simulation.spectral_radius 0.9" not in done.stderr):
        sys.exit(f"fast shaft, spectral radius {radius}: status {done.returncode}\n{done.stdout}{done.stderr}")
