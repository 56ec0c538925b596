# tumble sample --format urdf and mjcf: well-formed, equal to the CSV, and bodies that can exist.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
cp "$TUMBLE_SOURCE_DIR/examples/batou-soize-2012/case4.yaml" .

expect 0 sample case4.yaml -n 200 -o draws.csv
for format in urdf mjcf; do
  expect 0 sample case4.yaml -n 200 -o "$format.xml" --format "$format" --origin rb5=0.5,0,0.25
  expect 0 sample case4.yaml -n 200 -o "again.xml" --overwrite --format "$format" --origin rb5=0.5,0,0.25
  cmp "$format.xml" again.xml || fail "two samples differ: $format"
done
/usr/bin/python3 - <<'PYTHON' || fail "the formats of other simulators"
import csv
import xml.etree.ElementTree as xml

import numpy

table = list(csv.DictReader(open("draws.csv")))
origin = numpy.array([0.5, 0, 0.25])


def numbers(text):
    return [float(x) for x in text.split()]


def urdf(realization):
    (link,) = realization.findall("link")
    inertial = link.find("inertial")
    place, inertia = inertial.find("origin").attrib, inertial.find("inertia").attrib
    assert link.get("name") == "rb5" and numbers(place["rpy"]) == [0, 0, 0]
    assert sorted(inertia) == ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]
    six = [float(inertia["i" + key]) for key in ("xx", "yy", "zz", "xy", "xz", "yz")]
    return float(inertial.find("mass").get("value")), numbers(place["xyz"]), six


def mjcf(realization):
    (body,) = realization.findall("body")
    inertial = body.find("inertial")
    assert body.get("name") == "rb5"
    return float(inertial.get("mass")), numbers(inertial.get("pos")), numbers(inertial.get("fullinertia"))


for name, read in (("urdf", urdf), ("mjcf", mjcf)):
    realizations = xml.parse(name + ".xml").getroot().findall("realization")
    assert [r.get("index") for r in realizations] == [str(i) for i in range(200)]
    for realization, row in zip(realizations, table):
        mass, place, six = read(realization)
        assert mass == float(row["bodies.rb5.mass"]) and mass > 0
        assert six == [float(row[f"bodies.rb5.inertia[{k}]"]) for k in range(6)]
        expected = numpy.array([float(row[f"bodies.rb5.position[{k}]"]) for k in range(3)]) - origin
        assert numpy.abs(place - expected).max() < 1e-15
        xx, yy, zz, xy, xz, yz = six
        a, b, c = numpy.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert a > 0 and c < a + b, (name, realization.get("index"), a, b, c)
PYTHON
