# tumble fmu: what it writes, what it refuses, and what runs say of inputs. How FMUs behave: tests/python/fmu_test.py.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
examples=${TUMBLE_SOURCE_DIR:?the top of the repository}/examples

# A model without inputs is an FMU, too; it is named after the model.
expect 0 fmu pendulum.yaml
says stdout.txt "0 inputs, 11 outputs"
says stdout.txt "pendulum.fmu"
[ ! -s stderr.txt ] || fail "noise on standard error"
python3 -m zipfile -l pendulum.fmu >list.txt
for part in modelDescription.xml binaries/x86_64-linux/pendulum.so resources/model.yaml; do says list.txt "$part"; done

# It replaces nothing unasked, and the same model makes the same bytes.
cp pendulum.fmu before.fmu
expect 2 fmu pendulum.yaml
says stderr.txt "--overwrite"
expect 0 fmu pendulum.yaml --overwrite
cmp pendulum.fmu before.fmu || fail "the same model makes other bytes"
expect 0 fmu pendulum.yaml -o other.fmu --set bodies.bob.mass=3
if cmp -s other.fmu before.fmu; then fail "--set changes nothing"; fi
"$TUMBLE" fmu - -o stdin.fmu <pendulum.yaml >stdout.txt || fail "no FMU of standard input"

# A study's machine is the nominal one.
uncertain_pendulum >study.yaml
expect 0 fmu study.yaml
says stderr.txt "the FMU has the nominal machine"

# Refused, and nothing written.
rm -f refused.fmu
expect 2 fmu pendulum.yaml -o refused.fmu --set bodies.bob.mass=-3
says stderr.txt "body 'bob': mass = -3 kg, must be > 0"
sed -e 's/step: 1e-3/accuracy: 1e-3/' pendulum.yaml >accuracy.yaml
expect 2 fmu accuracy.yaml -o refused.fmu
says stderr.txt "accuracy.yaml:9: simulation: step [s], required but missing for an FMU"
mkdir models
printf '0, 0\n1, 1\n' >push.csv
{ pendulum && printf 'drives:\n  push: {type: table, table: ../push.csv}\n'; } >models/outside.yaml
expect 2 fmu models/outside.yaml -o refused.fmu
says stderr.txt "'../push.csv', a file that goes into an FMU must lie in the folder of the model file"
{ pendulum && printf 'drives:\n  time: {type: input}\n'; } >time.yaml
expect 2 fmu time.yaml -o refused.fmu
says stderr.txt "time is the independent variable"
expect 3 fmu pendulum.yaml -o nowhere/refused.fmu
absent refused.fmu

# Runs of the program itself keep inputs at their start values, and say so.
sed -e 's/start: 0}/start: 1.5}/' "$examples/fmu/pendulum-motor.yaml" >motor.yaml
expect 0 run motor.yaml -o held --csv --set simulation.duration=1 --no-report
says stderr.txt "inputs keep their start values, torque = 1.5"
sed -e 's/type: input, start: 1.5/type: constant, value: 1.5/' motor.yaml >constant.yaml
expect 0 run constant.yaml -o constant --csv --set simulation.duration=1 --no-report
[ ! -s stderr.txt ] || fail "noise on standard error"
cmp held/angle.csv constant/angle.csv || fail "an input at its start value is no constant"
