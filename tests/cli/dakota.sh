# tumble dakota: parameter files as Dakota writes them, results as it reads them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

pendulum >swing.yaml
cat >>swing.yaml <<'YAML'
quantities:
  low: {of: tip.position.z, kind: minimum}
  effort: {of: norm(tip.acceleration), kind: rms}
YAML
printf 'bodies.bob.mass,bodies.bob.position[0]\n2.5,0.45\n' >rows.csv
{ cat swing.yaml && echo 'study: {method: table, file: rows.csv}'; } >study.yaml
expect 0 run study.yaml -o study --no-report

# compare: the values of results.out are those of the study, to the bit.
compare() {
  /usr/bin/python3 - "$@" <<'PYTHON'
import sys
import netCDF4
with netCDF4.Dataset("study/results.nc") as file:
    wanted = [float(file.variables["quantity_" + name][0]) for name in ("low", "effort")]
lines = open("results.out").read().split("\n")
assert [float(line.split()[0]) for line in lines[:2]] == wanted, (lines, wanted)
assert [line.split()[1] for line in lines[:2]] == sys.argv[1:], lines
PYTHON
}

# The standard format.
cat >params.in <<'TEXT'
                                          2 variables
                      2.500000000000000e+00 mass
                      4.500000000000000e-01 bodies.bob.position[0]
                                          2 functions
                                          1 ASV_1:low
                                          1 ASV_2:effort
                                          2 derivative_variables
                                          1 DVV_1:mass
                                          2 DVV_2:bodies.bob.position[0]
                                          0 analysis_components
                                          7 eval_id
TEXT
call=(dakota swing.yaml params.in results.out --variable mass=bodies.bob.mass)
expect 0 "${call[@]}"
compare low effort
[ ! -s stdout.txt ] || fail "chatter"

# APREPRO, functions in order under names of their own, as older files have them without names.
cat >params.in <<'TEXT'
                    { DAKOTA_VARS = 2 }
                    { mass = 2.500000000000000e+00 }
                    { bodies.bob.position[0] = 4.500000000000000e-01 }
                    { DAKOTA_FNS = 2 }
                    { ASV_1:obj_fn_1 = 1 }
                    { ASV_2:obj_fn_2 = 1 }
                    { DAKOTA_DER_VARS = 2 }
                    { DVV_1:mass = 1 }
                    { DVV_2:bodies.bob.position[0] = 2 }
                    { DAKOTA_AN_COMPS = 0 }
                    { DAKOTA_EVAL_ID = 7 }
TEXT
expect 0 "${call[@]}"
compare obj_fn_1 obj_fn_2
sed -i 's/:obj_fn_.//' params.in
expect 0 "${call[@]}"
compare low effort

# Gradients, by the variables asked for: the second one, and against differences.
request() { # MASS POSITION ASV DERIVATIVES...
  printf '2 variables\n%s mass\n%s bodies.bob.position[0]\n2 functions\n' "$1" "$2"
  printf '%s ASV_1:low\n%s ASV_2:effort\n1 derivative_variables\n2 DVV_2\n' "$3" "$3"
}
request 2.5 0.45 3 >params.in
expect 0 "${call[@]}"
cp results.out gradient.out
for x in 0.4495 0.4505; do
  request 2.5 "$x" 1 >params.in
  expect 0 "${call[@]}"
  cp results.out "$x.out"
done
/usr/bin/python3 - <<'PYTHON' || fail "gradients"
low, high = ([float(line.split()[0]) for line in open(name)] for name in ("0.4495.out", "0.4505.out"))
lines = open("gradient.out").read().splitlines()
assert len(lines) == 4, lines
for i in range(2):
    bracket, slope, end = lines[2 + i].split()
    assert (bracket, end) == ("[", "]")
    difference = (high[i] - low[i]) / 1e-3
    # Central differences leave out (h / x)^2 / 6 of the third derivative: a few 1e-7 of the value.
    assert abs(float(slope) - difference) < 1e-5 * abs(difference), (slope, difference)
PYTHON
request 2.5 0.45 2 >params.in
expect 0 "${call[@]}"
diff results.out <(tail -n 2 gradient.out) || fail "gradients alone"

# A simulation that fails, and numbers of no machine.
pendulum | sed 's/^probes:/  rod: {type: distance, between: [ground, bob], points: [[1, 0, 2], [1, 0, 0]], motion: growth}\n&/' >stretched.yaml
cat >>stretched.yaml <<'YAML'
drives: {growth: {type: polynomial, coefficients: [0, 0.5]}}
quantities: {height: {of: tip.position.z, kind: final}}
YAML
one() { printf '1 variables\n%s %s\n1 functions\n1 ASV_1:height\n0 derivative_variables\n' "$1" "$2"; }
one 30 'drives.growth.coefficients[1]' >params.in
expect 1 dakota stretched.yaml params.in results.out
[ "$(head -n 1 results.out)" = fail ] || fail "no failure for Dakota"
one -1 bodies.bob.mass >params.in
expect 1 dakota stretched.yaml params.in results.out
[ "$(head -n 1 results.out)" = fail ] || fail "no failure for Dakota"

# Mistakes of the study are not failures: no results.
rm results.out
refused() {
  local message=$1
  shift
  expect 2 dakota swing.yaml params.in results.out "$@"
  says stderr.txt "$message"
  absent results.out
}
request 2.5 0.45 1 >params.in
refused "input mass is no number of the model"
refused "params.in has no variable m" --variable mass=bodies.bob.mass --variable m=bodies.bob.mass
refused "expected NAME=PATH" --variable mass
request 2.5 0.45 5 >params.in
refused "asks for Hessians" --variable mass=bodies.bob.mass
request abc 0.45 1 >params.in
refused "variable mass is abc, not a number" --variable mass=bodies.bob.mass
request 2.5 0.45 1 | sed 's/:low/:high/' >params.in
refused "the model has the quantities of interest low, effort" --variable mass=bodies.bob.mass
for line in 3 '{ a' '{ = }' '99 variables' '-1 variables' '1 functions' '1.5 variables'; do
  echo "$line" >params.in
  refused params.in:1
done
printf '' >params.in
refused "params.in"
rm params.in
refused "params.in"
