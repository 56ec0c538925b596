# tumble convert: robot descriptions become models that run; what is lost is said; bad files end with
# their line. tumble sample --template: whole descriptions with other numbers.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
robots=${TUMBLE_SOURCE_DIR:?the top of the repository}/examples/robots
cp "$robots"/* .

for robot in arm.urdf four-bar.xml hopper.urdf; do
  expect 0 convert "$robot" -o "$robot.yaml"
  says stdout.txt "not carried over: limits of joint"
  [ ! -s stderr.txt ] || fail "noise on standard error"
  # Every line of the terminal is a comment of the file.
  while read -r note; do
    says "$robot.yaml" "$note"
  done < <(sed -n 's/.*: not carried over: //p' stdout.txt)
  expect 0 check "$robot.yaml"
  expect 0 run "$robot.yaml" -o "out-$robot"
  expect 2 convert "$robot" -o "$robot.yaml"
  says stderr.txt "--overwrite"
  cp "$robot.yaml" before.yaml
  expect 0 convert "$robot" -o "$robot.yaml" --overwrite
  cmp "$robot.yaml" before.yaml || fail "$robot: two conversions differ"
done
says hopper.urdf.yaml "line of the file: what"
expect 0 convert hopper.urdf -o held.yaml --fixed-base
expect 0 check held.yaml
grep -qE "degrees of freedom +1$" stdout.txt || fail "the held hopper has other freedoms"

# The example is what the converter makes, and a study added to it.
head -n "$(wc -l <arm.urdf.yaml)" arm.yaml | cmp - arm.urdf.yaml || fail "examples/robots/arm.yaml is not what convert makes"

# A mesh is the solid it encloses: mass, centre, inertia and the bound of random inertias.
cat >mesh.yaml <<'YAML'
bodies:
  part:
    shape: {mesh: {file: forearm.obj, scale: 0.001, density: 1000, origin: [0, 0, 2]}}
uncertainty:
  part: {mass: {cv: 0.1}, inertia: {delta: 0.2, z_max: shape}}
simulation: {duration: 1, step: 0.01}
YAML
sed -e 's/shape: {mesh.*/shape: {box: {size: [0.06, 0.06, 0.3], density: 1000}}\n    position: [0, 0, 2]/' mesh.yaml >box.yaml
for solid in mesh box; do
  expect 0 laws "$solid.yaml" --json
  cp stdout.txt "$solid.json"
  expect 0 parameters "$solid.yaml"
done
/usr/bin/python3 - <<'PYTHON' || fail "a mesh of a box is not the box"
import json


def close(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    return abs(a - b) <= 1e-6 * abs(b) + 1e-12 if isinstance(a, (int, float)) else a == b


mesh, box = (json.load(open(name + ".json")) for name in ("mesh", "box"))
assert close(mesh, box), (mesh, box)
assert abs(mesh["bodies.part.mass"]["mean"] - 1.08) < 1e-9
PYTHON
for look in box cylinder sphere mesh; do says arm.urdf.yaml "- {$look: "; done
expect 0 report out-arm.urdf

# Bad files: a line, a reason, status 2, and nothing is written.
printf '<robot name="a">\n<link name="b">\n</robot>\n' >open.urdf
expect 2 convert open.urdf -o bad.yaml
says stderr.txt "open.urdf:2: an element is not closed"
printf '<robot name="a" xmlns:xacro="x">\n<xacro:include filename="c"/></robot>\n' >macro.urdf
expect 2 convert macro.urdf -o bad.yaml
says stderr.txt "macro.urdf:2:"
says stderr.txt "xacro robot.urdf.xacro > robot.urdf"
sed 's/mass value="2"/mass value="two"/' arm.urdf >number.urdf
expect 2 convert number.urdf -o bad.yaml
says stderr.txt "number.urdf:41: link 'upper_arm': mass: value = two, must be a finite number"
sed 's/child link="forearm"/child link="foream"/' arm.urdf >name.urdf
expect 2 convert name.urdf -o bad.yaml
says stderr.txt "did you mean 'forearm'?"
expect 2 convert absent.urdf -o bad.yaml
says stderr.txt "absent.urdf"
expect 2 convert pendulum.yaml -o bad.yaml
expect 2 convert . -o bad.yaml
absent bad.yaml

# Whole descriptions: every draw is a robot with the numbers of the table, and all else is as it was.
expect 0 sample arm.yaml -n 20 --format urdf --template arm.urdf -o arms
expect 0 sample arm.yaml -n 20 -o draws.csv
cmp draws.csv arms/arm-draws.csv || fail "the table beside the descriptions is another"
only arms arm-draws.csv arm-0{00,01,02,03,04,05,06,07,08,09,10,11,12,13,14,15,16,17,18,19}.urdf
expect 2 sample arm.yaml -n 20 --format urdf --template arm.urdf -o arms
expect 0 sample arm.yaml -n 20 --format urdf --template arm.urdf -o arms --overwrite
expect 2 sample arm.yaml -n 2 --format mjcf --template arm.urdf -o other
says stderr.txt "give --format urdf"
expect 2 sample arm.yaml -n 2 --template arm.urdf -o other
expect 2 sample arm.yaml -n 2 --format urdf --template hopper.urdf -o other
says stderr.txt "the model has no body 'torso'"
absent other
cp four-bar.xml.yaml uncertain.yaml
cat >>uncertain.yaml <<'YAML'
uncertainty:
  rocker: {mass: {cv: 0.2}, inertia: {delta: 0.3}}
  forces.support.stiffness: {law: uniform, min: 1, max: 2}
  gravity[2]: {law: uniform, min: -9.9, max: -9.7}
YAML
expect 0 sample uncertain.yaml -n 10 --format mjcf --template four-bar.xml -o bars
says stdout.txt "no place for it: gravity[2]"
/usr/bin/python3 - <<'PYTHON' || fail "the descriptions of the draws"
import csv
import xml.etree.ElementTree as xml

import numpy


def numbers(text):
    return [float(x) for x in text.split()]


def solid(six):
    xx, yy, zz, xy, xz, yz = six
    a, b, c = numpy.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return a > 0 and c <= (a + b) * (1 + 1e-12)


def same(a, b, but):
    """The same tree, except for elements of these names and their attributes."""
    if a.tag != b.tag or len(a) != len(b) or (a.tag not in but and a.attrib != b.attrib):
        return False
    return a.tag == "inertial" or all(same(x, y, but) for x, y in zip(a, b))


original = xml.parse("arm.urdf").getroot()
for i, row in enumerate(csv.DictReader(open("arms/arm-draws.csv"))):
    robot = xml.parse(f"arms/arm-{i:03}.urdf").getroot()
    assert same(robot, original, {"inertial", "dynamics"})
    for name in ("forearm", "gripper"):
        inertial = robot.find(f"link[@name='{name}']/inertial")
        assert float(inertial.find("mass").get("value")) == float(row[f"bodies.{name}.mass"])
        at = inertial.find("inertia").attrib
        six = [float(at["i" + key]) for key in ("xx", "yy", "zz", "xy", "xz", "yz")]
        drawn = [float(row[f"bodies.{name}.inertia[{k}]"]) for k in range(6)]
        assert numpy.abs(numpy.array(six) - drawn).max() < 1e-15 and solid(six)
    for name in ("shoulder", "elbow"):
        damping = robot.find(f"joint[@name='{name}']/dynamics").get("damping")
        assert float(damping) == float(row[f"forces.{name}.damping"])
    # Where the forearm is nominally: 0.4 along x and 0.9 up, turned by a quarter about y, then by 0.5 about its axis.
    turn = numpy.array([[0, 0, 1], [numpy.sin(0.5), numpy.cos(0.5), 0], [-numpy.cos(0.5), numpy.sin(0.5), 0]])
    centre = numpy.array([float(row[f"bodies.forearm.position[{k}]"]) for k in range(3)])
    place = numbers(robot.find("link[@name='forearm']/inertial/origin").get("xyz"))
    assert numpy.abs(turn @ place + [0.4, 0, 0.9] - centre).max() < 1e-12
    # The upper arm is not random: its text is kept.
    assert robot.find("link[@name='upper_arm']/inertial/mass").get("value") == "2"

for i, row in enumerate(csv.DictReader(open("bars/four-bar-draws.csv"))):
    robot = xml.parse(f"bars/four-bar-{i:03}.xml").getroot()
    inertial = robot.find(".//body[@name='rocker']/inertial")
    assert float(inertial.get("mass")) == float(row["bodies.rocker.mass"])
    assert solid(numbers(inertial.get("fullinertia")))
    assert float(robot.find(".//joint[@name='support']").get("stiffness")) == float(row["forces.support.stiffness"])
    assert robot.find(".//body[@name='crank']/inertial") is None
    assert robot.find("actuator/motor") is not None
PYTHON
