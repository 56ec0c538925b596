# A directory that already holds results: refuse, overwrite, resume.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

stamp() { stat -c '%i %Y' "$1"; }

# An empty directory is as good as none, for --resume too.
mkdir a
expect 0 run pendulum.yaml -o a --resume
first=$(stamp a/results.nc)

expect 2 run pendulum.yaml -o a
says stderr.txt --overwrite
[ "$(stamp a/results.nc)" = "$first" ] || fail "refused, but written"

expect 0 run pendulum.yaml -o a --resume
says stdout.txt "nothing to do"
[ "$(stamp a/results.nc)" = "$first" ] || fail "run again"
# The same model with other comments and another name is the same model.
{ echo "# another comment" && cat pendulum.yaml; } >renamed.yaml
expect 0 run renamed.yaml -o a --resume
says stdout.txt "nothing to do"
# The results lack the CSV files asked for, and nobody runs to make them.
expect 2 run pendulum.yaml -o a --resume --csv

expect 2 run pendulum.yaml -o a --resume --set bodies.bob.mass=3
says stderr.txt "another model"
[ "$(stamp a/results.nc)" = "$first" ] || fail "refused, but written"

expect 0 run pendulum.yaml -o a --overwrite --csv
[ "$(stamp a/results.nc)" != "$first" ] || fail "not overwritten"
only a results.nc tip.csv all.csv report.html
expect 0 run pendulum.yaml -o a --resume --csv
# CSV files of the earlier run would contradict the new results; others are not ours.
echo mine >a/mine.csv
expect 0 run pendulum.yaml -o a --overwrite
only a results.nc mine.csv report.html

# Something else in place of results.
mkdir b
echo "not results" >b/results.nc
expect 2 run pendulum.yaml -o b
expect 2 run pendulum.yaml -o b --resume
[ "$(cat b/results.nc)" = "not results" ] || fail "overwritten"
expect 0 run pendulum.yaml -o b --overwrite

mkdir c
echo "my notes" >c/tip.csv
expect 2 run pendulum.yaml -o c --csv
only c tip.csv
expect 0 run pendulum.yaml -o c
[ "$(cat c/tip.csv)" = "my notes" ] || fail "overwritten"

# A file the model refers to is part of what was run, though the model itself stays the same.
printf 'time,angle\n0,0\n0.05,0.1\n0.1,0\n' >motor.csv
pendulum | sed 's/axis: \[0, 1, 0\]/&, motion: {rz: motor}/' >driven.yaml
echo 'drives: {motor: {type: table, table: motor.csv}}' >>driven.yaml
expect 0 run driven.yaml -o d
expect 0 run driven.yaml -o d --resume
sed -i 's/0.05,0.1/0.05,0.2/' motor.csv
expect 2 run driven.yaml -o d --resume
says stderr.txt "files that the model refers to"
