# A run: where its results are, what it prints, --set and --csv.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

expect 0 run pendulum.yaml
only out pendulum
only out/pendulum results.nc report.html
[ ! -s stderr.txt ] || fail "noise on standard error, which is not a terminal"
says stdout.txt pendulum.yaml
says stdout.txt "bodies 1, joints 1, degrees of freedom 1"
says stdout.txt "tip acceleration"
says stdout.txt "m/s^2"
says stdout.txt "out/pendulum/results.nc"
says stdout.txt "out/pendulum/report.html"
[ "$(wc -l <stdout.txt)" -le 24 ] || fail "the summary does not fit on a screen"

# All variables of two runs are the same, bit for bit; the model may have moved.
mkdir elsewhere
cp pendulum.yaml elsewhere/pendulum.yaml
expect 0 run elsewhere/pendulum.yaml -o deep/er/again/
only deep/er/again results.nc report.html
variables() { ncdump -p 9,17 "$1" | sed -n '/^data:/,$p'; }
diff <(variables out/pendulum/results.nc) <(variables deep/er/again/results.nc) ||
  fail "two runs differ"
ncdump -h out/pendulum/results.nc >header.txt
says header.txt "double tip_acceleration_nominal(time, axis)"
says header.txt 'tip_acceleration_nominal:units = "m/s^2"'
if grep -q 'break' header.txt; then fail "break points without drives"; fi

# --quiet: the files, and not a word.
expect 0 run pendulum.yaml -o quiet --quiet
only quiet results.nc report.html
[ ! -s stdout.txt ] && [ ! -s stderr.txt ] || fail "--quiet says something"
expect 0 run pendulum.yaml -o quiet --quiet --resume
[ ! -s stdout.txt ] || fail "--quiet says that there is nothing to do"
diff <(variables out/pendulum/results.nc) <(variables quiet/results.nc) || fail "--quiet changes results"

# --set changes the model that is run and the model that is recorded.
expect 0 run pendulum.yaml -o heavy --set bodies.bob.mass=20 --set gravity='[0, 0, -1.62]'
ncdump -h heavy/results.nc >header.txt
says header.txt "1.62"
! diff <(variables out/pendulum/results.nc) <(variables heavy/results.nc) >difference.txt ||
  fail "--set had no effect"

expect 0 run pendulum.yaml -o table --csv
only table results.nc tip.csv all.csv report.html
[ "$(head -n 1 table/all.csv)" = "time,total_energy [J]" ] || fail "header of all.csv"
[ "$(head -c 49 table/tip.csv)" = "time,position_x [m],position_y [m],position_z [m]" ] ||
  fail "header of tip.csv"
[ "$(wc -l <table/tip.csv)" -eq 12 ] || fail "rows of tip.csv"
awk -F, 'NF != 11 { exit 1 }' table/tip.csv || fail "columns of tip.csv"

# Outputs end steps, however long these may be; what was asked for and is not done is said.
expect 0 run pendulum.yaml -o short --set simulation.step=0.05
says stderr.txt "tumble: note: simulation.step, 0.05 s, is longer than output_step, 0.01 s: every output ends a step"
says stdout.txt ": 10 steps,"

# Errors of what is nothing but rounding are not given relative to it.
expect 0 run pendulum.yaml -o still --set gravity='[0, 0, 0]' --set 'probes={tip: {body: bob, quantities: [velocity]}}'
says stdout.txt "error of the time integration: at most 0 m/s (tip velocity, which is at most 0)"
