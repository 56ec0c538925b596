"""Model files of any length, to see how reading and preparation grow: a chain of rods, a beam of many elements."""


def chain(n):
    """n rods of 1 m in a line, horizontal at rest; hinge axes alternate between y and z, so that the motion is spatial."""
    lines = [f"title: Chain of {n} rods", "gravity: [0, 0, -9.81]", "bodies:"]
    lines += [f"  rod{i}: {{mass: 1, position: [{i}.5, 0, 0], inertia: [0.01, 0.0834, 0.0834]}}" for i in range(n)]
    lines.append("joints:")
    for i in range(n):
        before = f"rod{i - 1}" if i else "ground"
        axis = "[0, 0, 1]" if i % 2 else "[0, 1, 0]"
        lines.append(f"  hinge{i}: {{type: revolute, between: [{before}, rod{i}], point: [{i}, 0, 0], axis: {axis}}}")
    lines += ["probes:", f"  tip: {{body: rod{n - 1}, point: [{n}, 0, 0], quantities: [position]}}",
              "simulation: {duration: 0.01, step: 1e-3, output_step: 0.01}"]
    return "\n".join(lines) + "\n"


def beam(elements):
    """One beam in space, clamped at its root."""
    raise NotImplementedError
