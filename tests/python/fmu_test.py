"""FMUs as an importer after the standard meets them: what they say of themselves, the states they go through, and
motions against closed forms, an independent integration and the program's own runs."""
import ctypes
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import netCDF4
import numpy
import scipy.integrate

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from _fmi3 import ERROR, FUNCTIONS, LOG, OK, Fmu  # noqa: E402

tumble = os.environ["TUMBLE"]
source = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
work = tempfile.TemporaryDirectory()
os.chdir(work.name)

# A mass on a spring along z, pushed by an input; and beside it a carriage whose place another input gives.
SPRING = """
bodies:
  mass: {mass: 2, position: [0, 0, 1], inertia: none}
  left-hand: {mass: 1, position: [1, 0, 0], inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, between: [ground, left-hand], point: [1, 0, 0], axis: [0, 0, 1], motion: {z: lift}}
forces:
  spring: {type: spring, between: [ground, mass], points: [[0, 0, 0], [0, 0, 1]], length: 1, stiffness: 50,
           actuator: pull}
drives:
  pull: {type: input, start: 0.5}
  lift: {type: input, frequency: 2, damping: 0.4, start: 0.25}
probes:
  mass: {body: mass, quantities: [position, velocity, acceleration]}
  hand: {body: left-hand, quantities: [position, velocity, acceleration, orientation]}
  spring: {force: spring, quantities: [tension]}
simulation: {duration: 4, step: 0.002, output_step: 0.05}
"""


def export(text, name, *options):
    pathlib.Path(name + ".yaml").write_text(text)
    subprocess.run([tumble, "fmu", name + ".yaml", "-o", name + ".fmu", *options], check=True, capture_output=True)
    return Fmu(name + ".fmu", name)


def rules_of_the_description(fmu):
    """What FMI says of modelDescription.xml, as far as it concerns such FMUs."""
    order = ["CoSimulation", "UnitDefinitions", "LogCategories", "DefaultExperiment", "ModelVariables", "ModelStructure"]
    assert [part.tag for part in fmu.root] == order
    assert fmu.root.get("variableNamingConvention") == "structured" and fmu.token
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", fmu.identifier)
    flags = {name: fmu.interface.get(name) for name in ("canHandleVariableCommunicationStepSize", "needsExecutionTool",
                                                        "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState")}
    assert list(flags.values()) == ["true", "false", "false", "true"]
    assert fmu.binary.exists() and (fmu.folder / "resources" / "model.yaml").exists()
    references = [v.get("valueReference") for v in fmu.variables]
    names = [v.get("name") for v in fmu.variables]
    assert len(set(references)) == len(references) and len(set(names)) == len(names)
    word = r"(?:[A-Za-z_][A-Za-z0-9_]*|'[^']+')(?:\[\d+(?:,\d+)*\])?"
    for name in names:
        assert re.fullmatch(rf"{word}(?:\.{word})*", name), name
    units = {unit.get("name") for unit in fmu.root.find("UnitDefinitions")}
    roles = {}
    for v in fmu.variables:
        assert v.tag == "Float64"
        role, variability, initial = (v.get(a) for a in ("causality", "variability", "initial"))
        roles.setdefault(role, []).append(v)
        assert (variability, initial, v.get("start") is not None) == {
            "independent": ("continuous", None, False), "input": ("continuous", None, True),
            "output": ("continuous", "calculated", False), "parameter": ("fixed", "exact", True)}[role], v.attrib
        assert v.get("unit") is None or v.get("unit") in units, v.attrib
    assert len(roles["independent"]) == 1
    outputs = [v.get("valueReference") for v in roles["output"]]
    structure = fmu.root.find("ModelStructure")
    assert [e.get("valueReference") for e in structure.findall("Output")] == outputs
    assert [e.get("valueReference") for e in structure.findall("InitialUnknown")] == outputs
    return roles


def test_description():
    fmu = export(SPRING, "spring")
    roles = rules_of_the_description(fmu)
    assert [v.get("name") for v in roles["input"]] == ["pull", "lift"]
    assert [v.get("unit") for v in roles["input"]] == ["N", "m"]
    assert [float(v.get("start")) for v in roles["input"]] == [0.5, 0.25]
    listed = subprocess.run([tumble, "parameters", "spring.yaml"], check=True, capture_output=True, text=True).stdout
    paths = [line.split()[0] for line in listed.splitlines()[1:]]
    wanted = [p.replace("left-hand", "'left-hand'").replace("][", ",") for p in paths if p not in ("drives.pull.start", "drives.lift.start")]
    assert [v.get("name") for v in roles["parameter"]] == wanted
    assert "hand.orientation.w" in fmu.reference and "spring.tension" in fmu.reference
    powers = {u.get("name"): {k: int(x) for k, x in u.find("BaseUnit").attrib.items()}
              for u in fmu.root.find("UnitDefinitions")}
    assert powers["N"] == {"kg": 1, "m": 1, "s": -2} and powers["N s/m"] == {"kg": 1, "s": -1}
    assert powers["m/s^2"] == {"m": 1, "s": -2} and powers["Hz"] == {"s": -1}
    for name in FUNCTIONS:
        assert hasattr(fmu.library, name), f"{name} is not exported"
    shown = subprocess.run(["nm", "-D", "--defined-only", str(fmu.binary)], check=True, capture_output=True, text=True)
    shown = [line.split()[-1] for line in shown.stdout.splitlines()]
    assert sorted(shown) == sorted(FUNCTIONS), sorted(set(shown) ^ set(FUNCTIONS))
    assert fmu.library.fmi3GetVersion() == b"3.0"
    # The same model makes the same bytes.
    first = pathlib.Path("spring.fmu").read_bytes()
    subprocess.run([tumble, "fmu", "spring.yaml", "-o", "again.fmu"], check=True, capture_output=True)
    assert pathlib.Path("again.fmu").read_bytes() == first


def needed_libraries(binary):
    text = subprocess.run(["readelf", "-d", str(binary)], check=True, capture_output=True, text=True).stdout
    return re.findall(r"NEEDED.*\[(.*)\]", text)


def test_needs_nothing_but_the_system():
    fmu = Fmu("spring.fmu", "needs")
    allowed = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2", "libc++.so.1"}
    beside = {path.name for path in fmu.binary.parent.iterdir()} - {fmu.binary.name}
    assert len(beside) == 1 and beside.pop().startswith("libyaml-cpp.so")
    for binary in fmu.binary.parent.iterdir():
        needed = {name for name in needed_libraries(binary) if not (fmu.binary.parent / name).exists()}
        assert needed <= allowed, (binary, needed)
    # The library beside a binary is the one that is loaded, not that of the system.
    mapped = [line.split()[-1] for line in open("/proc/self/maps") if "libyaml-cpp" in line]
    assert mapped and all(path.startswith(os.path.realpath(work.name)) for path in mapped), mapped


def test_held_force_against_the_exact_motion():
    """A mass on a spring under a force that is constant over each communication step."""
    k, m = 50.0, 2.0
    w = math.sqrt(k / m)
    rng = numpy.random.default_rng(5)
    pulls = rng.uniform(-10, 10, 40)
    errors = []
    for step in (0.004, 0.002):
        fmu = export(SPRING, f"spring{step}", "--set", f"simulation.step={step}")
        unit = fmu.instance()
        unit.initialize()
        x, v, worst = 0.0, 0.0, 0.0
        for i, pull in enumerate(pulls):
            # Sizes of communication steps change, too.
            size = 0.05 if i % 3 else 0.03
            time = unit.get("time")
            assert unit.set({"pull": pull}) == OK
            unit.step(time, size)
            # The actuator's tension draws the mass down to its support: x'' = -w^2 x - pull/m.
            rest = -pull / k
            c, s = math.cos(w * size), math.sin(w * size)
            x, v = rest + (x - rest) * c + v / w * s, v * c - (x - rest) * w * s
            z, vz, az = unit.get("mass.position.z", "mass.velocity.z", "mass.acceleration.z")
            worst = max(worst, abs(z - 1 - x) / 0.2, abs(vz - v) / 1.0, abs(az - (-pull - k * x) / m) / 5.0)
            assert unit.get("pull") == pull
        errors.append(worst)
        assert unit.call("Terminate") == OK, unit.log
        unit.free()
    # Second order, although the force jumps 40 times.
    assert errors[1] < 2e-4, errors
    assert 3.5 < errors[0] / errors[1] < 4.5, errors
    return errors


def filter_response(x, v, u, w, d, t):
    """By the eigenvalues, complex; not the way the program goes."""
    root = numpy.emath.sqrt(d * d - 1 + 0j)
    p, q = w * (-d + root), w * (-d - root)
    b = (v - p * (x - u)) / (q - p)
    a = x - u - b
    e, f = numpy.exp(p * t), numpy.exp(q * t)
    return [float(number.real) for number in (u + a * e + b * f, a * p * e + b * q * f, a * p * p * e + b * q * q * f)]


def test_imposed_motion_is_that_of_the_filter():
    fmu = Fmu("spring.fmu", "filter")
    unit = fmu.instance()
    unit.initialize({"lift": 0.1})  # it rests where the input is when initialization ends
    w, d = 2 * math.pi * 2, 0.4
    x, v, time = 0.1, 0.0, 0.0
    assert numpy.allclose(unit.get("hand.position.z", "hand.velocity.z", "hand.acceleration.z"), [x, 0, 0], atol=1e-12)
    for u in (0.1, 0.6, 0.6, -0.3, 0.2, 0.2, 0.2):
        assert unit.set({"lift": u}) == OK
        time = unit.step(time, 0.07)
        x, v, a = filter_response(x, v, u, w, d, 0.07)
        told = unit.get("hand.position.z", "hand.velocity.z", "hand.acceleration.z")
        assert numpy.allclose(told, [x, v, a], rtol=0, atol=1e-9 * w * w), (told, x, v, a)
    assert unit.call("Terminate") == OK, unit.log
    unit.free()


def test_pendulum_with_a_motor_against_scipy():
    text = (source / "examples/fmu/pendulum-motor.yaml").read_text()
    fmu = export(text, "motor")
    roles = rules_of_the_description(fmu)
    assert [(v.get("name"), v.get("unit")) for v in roles["input"]] == [("torque", "N m")]
    mass = 0.02 * 0.02 * 1.0 * 2700
    inertia = mass * (0.02**2 + 1) / 12 + mass * 0.25

    def rate(_, y, torque):
        return [y[1], (torque - 0.05 * y[1] - mass * 9.81 * 0.5 * math.sin(y[0])) / inertia]

    errors = []
    for step in (2e-3, 1e-3):
        unit = export(text, f"motor{step}", "--set", f"simulation.step={step}").instance()
        unit.initialize(stop=3.0)
        y, worst = [0.0, 0.0], 0.0
        for i in range(150):
            torque = 4 * math.sin(0.2 * i) + (7 if i > 70 else 0)  # strong enough for full turns
            assert unit.set({"torque": torque}) == OK
            unit.step(0.02 * i, 0.02)
            y = scipy.integrate.solve_ivp(rate, [0, 0.02], y, args=(torque,), rtol=1e-11, atol=1e-12).y[:, -1]
            angle, speed, x, z = unit.get("angle.angle", "angle.angle_rate", "tip.position.x", "tip.position.z")
            worst = max(worst, abs(angle - y[0]), abs(x + math.sin(y[0])), abs(z + math.cos(y[0])),
                        abs(speed - y[1]) / 10)
        assert abs(y[0]) > 2 * math.pi, "the pendulum is to go over the top"
        errors.append(worst)
        status, _, reached = unit.try_step(3.0, 0.02)  # beyond the stop time
        assert status == ERROR and abs(reached - 3.0) < 1e-9 and "stop time" in unit.log[-1][2]
        unit.free()
    assert errors[1] < 2e-3 and 3.5 < errors[0] / errors[1] < 4.5, errors
    return errors


def nominal(name):
    with netCDF4.Dataset(f"out-{name}/results.nc") as results:
        return {key: variable[:].filled() for key, variable in results.variables.items()
                if key.endswith("_nominal") and variable.dimensions[:1] == ("time",)}


def test_same_bits_as_a_run():
    """Without changes of inputs, and at output times that binary numbers can tell, an FMU is `tumble run`."""
    five = (source / "examples/batou-soize-2012/nominal.yaml").read_text()
    for name, text, options in (
            ("plain", SPRING, ["--set", "simulation.step=0.001953125", "--set", "simulation.output_step=0.0625",
                               "--set", "drives.lift.start=0", "--set", "bodies.mass.velocity=[0.3, 0.1, -0.2]"]),
            # Imposed motions with kinks, which become break points and shorter steps.
            ("five", five, ["--set", "simulation.step=3.0517578125e-05", "--set", "simulation.output_step=0.000244140625",
                            "--set", "simulation.duration=0.015625"])):
        fmu = export(text, name, *options)
        subprocess.run([tumble, "run", name + ".yaml", "-o", "out-" + name, *options], check=True, capture_output=True)
        wanted = nominal(name)
        unit = fmu.instance()
        unit.initialize()
        every = float(fmu.root.find("DefaultExperiment").get("stepSize"))
        outputs = [v.get("name") for v in fmu.variables if v.get("causality") == "output"]
        compared = 0
        for i in range(round(float(fmu.root.find("DefaultExperiment").get("stopTime")) / every) + 1):
            if i:
                unit.step((i - 1) * every, every)
            values = dict(zip(outputs, unit.get(*outputs)))
            for key, series in wanted.items():
                probe, quantity = re.fullmatch(r"([a-z0-9]+)_(\w+)_nominal", key).groups()
                own = [values[n] for n in outputs if n.startswith(f"{probe}.{quantity}.") or n == f"{probe}.{quantity}"]
                assert numpy.array_equal(numpy.atleast_1d(series[i]), own), (name, i, key, series[i], own)
                compared += len(own)
        assert compared > 500, compared
        assert unit.call("Terminate") == OK, unit.log
        unit.free()


def test_two_instances_side_by_side():
    fmu = Fmu("spring.fmu", "two")
    alone = []
    for mass in (2.0, 5.0):
        unit = fmu.instance()
        unit.initialize({"bodies.mass.mass": mass, "pull": 1.0})
        for i in range(10):
            unit.step(0.1 * i, 0.1)
        alone.append(unit.get("mass.position.z", "hand.position.z"))
        unit.free()
    assert alone[0][0] != alone[1][0]
    units = [fmu.instance(name) for name in ("first", "second")]
    for unit, mass in zip(units, (2.0, 5.0)):
        unit.initialize({"bodies.mass.mass": mass, "pull": 1.0})
    for i in range(10):
        for unit in units:
            unit.step(0.1 * i, 0.1)
    assert [unit.get("mass.position.z", "hand.position.z") for unit in units] == alone
    for unit in units:
        unit.free()


def test_states_are_saved_and_restored():
    fmu = Fmu("spring.fmu", "states")
    unit = fmu.instance()
    unit.initialize()
    for i in range(5):
        assert unit.set({"pull": float(i), "lift": 0.1 * i}) == OK
        unit.step(0.1 * i, 0.1)
    state = ctypes.c_void_p()
    assert unit.call("GetFMUState", ctypes.byref(state)) == OK and state.value
    names = ["mass.position.z", "mass.velocity.z", "hand.position.z", "hand.acceleration.z", "time", "pull"]

    def go_on(pull):
        assert unit.set({"pull": pull}) == OK
        for i in range(5, 9):
            unit.step(0.1 * i, 0.1)
        return unit.get(*names)

    first = go_on(3.0)
    other = go_on_after_restore = None
    assert unit.call("SetFMUState", state) == OK
    other = go_on(-3.0)
    assert unit.call("SetFMUState", state) == OK
    go_on_after_restore = go_on(3.0)
    assert first == go_on_after_restore and first != other
    # It survives a reset, and leads back to where it was.
    assert unit.call("Reset") == OK
    unit.initialize({"bodies.mass.mass": 7.0})
    assert unit.call("SetFMUState", state) == OK
    assert unit.get("bodies.mass.mass") == 2.0 and go_on(3.0) == first
    assert unit.call("FreeFMUState", ctypes.byref(state)) == OK and not state.value
    assert unit.call("FreeFMUState", ctypes.byref(state)) == OK
    unit.free()


def test_reset_begins_anew():
    fmu = Fmu("spring.fmu", "reset")
    unit = fmu.instance()

    def run():
        unit.initialize()
        for i in range(4):
            assert unit.set({"pull": 2.0 * i}) == OK
            unit.step(0.1 * i, 0.1)
        return unit.get("mass.position.z")

    first = run()
    assert unit.call("Terminate") == OK
    assert unit.get("mass.position.z") == first  # values can still be looked at
    assert unit.call("Reset") == OK
    assert unit.get("pull") == 0.5 and unit.get("time") == 0
    assert run() == first
    # Also out of an error.
    assert unit.try_step(17.0, 0.1)[0] == ERROR
    assert unit.call("Reset") == OK and run() == first
    unit.free()


def refused(unit, status, text):
    assert status == ERROR, (status, unit.log)
    assert text in unit.log[-1][2] and unit.log[-1][:2] == (ERROR, "logStatusError"), unit.log
    unit.free()


def test_wrong_calls():
    fmu = Fmu("spring.fmu", "wrong")

    def fresh(*values):
        unit = fmu.instance()
        assert unit.handle, unit.log
        if values:
            unit.initialize()
        return unit

    for options, text in (
            ({"token": "{another}"}, "instantiation token"), ({"resources": None}, "resourcePath"),
            ({"resources": "/nowhere/"}, "/nowhere/model.yaml"), ({"name": " "}, "instanceName"),
            ({"event_mode": True}, "event mode"), ({"intermediates": 1}, "intermediate")):
        unit = fmu.instance(**options)
        assert unit.handle is None and text in unit.log[-1][2], unit.log
    assert fmu.instance(token="{another}", logging=False).log == []

    unit = fresh()
    refused(unit, unit.try_step(0.0, 0.1)[0], "fmi3DoStep is not allowed here: the FMU is instantiated")
    unit = fresh()
    refused(unit, unit.exit(), "fmi3ExitInitializationMode is not allowed here")
    unit = fresh()
    refused(unit, unit.call("Terminate"), "fmi3Terminate is not allowed here")
    unit = fresh()
    refused(unit, unit.enter(start=1.0), "the start time must be 0 s, found 1 s")
    unit = fresh()
    refused(unit, unit.enter(stop=-1.0), "stop time")
    unit = fresh()
    refused(unit, unit.try_get(["mass.position.z"])[0], "mass.position.z has no value yet")
    unit = fresh()
    assert unit.get("bodies.mass.mass", "pull") == [2.0, 0.5]  # start values can be had
    refused(unit, unit.try_get([12345])[0], "no Float64 variable has the value reference 12345")
    unit = fresh(1)
    refused(unit, unit.enter(), "fmi3EnterInitializationMode is not allowed here: the FMU is in step mode")
    unit = fresh(1)
    refused(unit, unit.set({"bodies.mass.mass": 3.0}), "parameters are fixed")
    unit = fresh(1)
    refused(unit, unit.set({"mass.position.z": 3.0}), "neither an input nor a parameter")
    unit = fresh(1)
    refused(unit, unit.set({"pull": math.nan}), "pull = nan, must be finite")
    unit = fresh(1)
    refused(unit, unit.try_step(0.0, 0.0)[0], "communicationStepSize")
    unit = fresh(1)
    refused(unit, unit.try_step(0.5, 0.1)[0], "currentCommunicationPoint must be 0 s")
    unit = fresh(1)
    refused(unit, unit.call("SetFMUState", None), "no state of this instance")
    unit = fresh(1)
    refused(unit, unit.call("SerializedFMUStateSize", None, None), "does not claim")
    unit = fresh(1)
    refused(unit, unit.call("EnterEventMode"), "no event mode")
    unit = fresh(1)
    refused(unit, unit.call("SetTime", 1.0), "co-simulation alone")
    unit = fresh(1)
    refused(unit, unit.call("GetInt32", unit.references([0]), 1, None, 1), "Float64")
    unit = fresh(1)
    refused(unit, unit.call("SetDebugLogging", True, 1, (ctypes.c_char_p * 1)(b"nonsense")), "'nonsense'")
    # Not as many values as variables.
    unit = fresh(1)
    numbers = (ctypes.c_double * 2)()
    refused(unit, unit.call("GetFloat64", unit.references(["time"]), 1, numbers, 2), "1 variables")
    # After an error only values, a reset or the end are left.
    unit = fresh(1)
    unit.step(0.0, 0.1)
    z = unit.get("mass.position.z")
    assert unit.try_step(3.0, 0.1)[0] == ERROR and unit.try_step(0.1, 0.1)[0] == ERROR
    assert unit.get("mass.position.z") == z
    unit.free()
    log = []
    callback = LOG(lambda *words: log.append(words[3]))
    assert fmu.library.fmi3InstantiateModelExchange(b"x", b"x", b"x", False, True, None, callback) is None
    assert b"co-simulation alone" in log[0]
    fmu.library.fmi3FreeInstance(None)


def test_messages_are_those_of_the_program():
    fmu = Fmu("spring.fmu", "messages")
    unit = fmu.instance()
    assert unit.set({"bodies.mass.mass": -2.0}) == OK
    refused(unit, unit.enter(), "body 'mass': mass = -2 kg, must be > 0")
    # Set while initializing, it is found when that ends.
    unit = fmu.instance()
    assert unit.enter() == OK and unit.set({"forces.spring.stiffness": -1.0}) == OK
    refused(unit, unit.exit(), "stiffness = -1 N/m, must be >= 0")
    # Outputs follow what is set in initialization mode.
    unit = fmu.instance()
    assert unit.enter() == OK
    assert unit.get("spring.tension") == 0.5
    assert unit.set({"pull": 4.0}) == OK and unit.get("spring.tension") == 4.0
    assert unit.exit() == OK and unit.get("spring.tension") == 4.0
    # At a communication point they are those just before: a new input acts from there on.
    assert unit.set({"pull": 7.0}) == OK and unit.get("spring.tension") == 4.0
    unit.free()
    # A start that joints change is told as a warning.
    text = SPRING.replace("hand: {mass: 1, position: [1, 0, 0]", "hand: {mass: 1, position: [1, 0, 0], velocity: [0, 2, 0]")
    unit = export(text, "changed").instance()
    unit.initialize()
    assert unit.log and unit.log[0][1] == "logStatusWarning" and "left-hand" in unit.log[0][2], unit.log
    unit.free()


def test_nothing_is_printed():
    script = ("import sys; sys.path.insert(0, sys.argv[1]); from _fmi3 import Fmu; "
              "u = Fmu('changed.fmu', 'quiet').instance(); u.initialize(); u.step(0, 0.1); u.try_step(9, 0.1); u.free()")
    done = subprocess.run([sys.executable, "-c", script, str(pathlib.Path(__file__).parent)], check=True,
                          capture_output=True, text=True)
    assert done.stdout == "" and done.stderr == "", (done.stdout, done.stderr)


def test_files_travel_along():
    pathlib.Path("tables").mkdir()
    pathlib.Path("tables/push.csv").write_text("0, 0\n1, 2\n2, 0\n4, 1\n")
    text = SPRING.replace("drives:\n", "drives:\n  push: {type: table, table: tables/push.csv}\n"
                          "  both: {type: sum, of: [pull, push]}\n").replace("actuator: pull", "actuator: both")
    fmu = export(text + "study: {method: monte-carlo, realizations: 5}\nuncertainty: {mass: {mass: {cv: 0.1}}}\n", "table")
    rules_of_the_description(fmu)
    assert (fmu.folder / "resources/tables/push.csv").exists()
    assert "uncertainty" not in (fmu.folder / "resources/model.yaml").read_text()
    unit = fmu.instance()
    unit.initialize()
    unit.step(0, 1.0)
    assert abs(unit.get("spring.tension") - (50 * (unit.get("mass.position.z") - 1) + 0.5 + 2)) < 1e-9
    unit.free()
    # Whoever changes a file has another model.
    (fmu.folder / "resources/tables/push.csv").write_text("0, 0\n1, 3\n2, 0\n4, 1\n")
    unit = fmu.instance()
    assert unit.handle is None and "token" in unit.log[-1][2]


for name, test in list(globals().items()):
    if name.startswith("test_"):
        found = test()
        print(f"{name}: passed" + (f", {found}" if found is not None else ""), flush=True)
