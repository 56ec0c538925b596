# An output directory with links and pipes, and one in which a study is running: nothing is written
# through a link, and nothing is taken away from a study.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

# Whatever name a run would write under.
echo "my notes" >notes
for name in results.nc report.html study.journal study.journal.lock tip.csv; do
  for model in pendulum.yaml swing.yaml; do
    rm -rf linked && mkdir linked
    ln -s ../notes "linked/$name"
    for options in --overwrite --resume; do
      expect 2 run $model -o linked --csv $options
      says stderr.txt "linked/$name is a symbolic link, which is neither followed nor replaced"
    done
    [ -L "linked/$name" ] || fail "linked/$name was replaced"
    only linked "$name"
    [ "$(cat notes)" = "my notes" ] || fail "written through linked/$name"
  done
done
rm -rf linked && mkdir -p linked elsewhere/0
echo "my notes" >elsewhere/0/results.nc
ln -s ../elsewhere linked/points
expect 2 sweep swing.yaml --vary gravity[2]=-9.81,-5 -o linked --overwrite
says stderr.txt "linked/points is a symbolic link"
[ "$(cat elsewhere/0/results.nc)" = "my notes" ] || fail "removed through a link"
rm linked/points && ln -s ../notes linked/sweep.txt
expect 2 sweep swing.yaml --vary gravity[2]=-9.81,-5 -o linked --overwrite
says stderr.txt "linked/sweep.txt is a symbolic link"
rm -rf linked && mkdir linked && mkfifo linked/results.nc
expect 2 run pendulum.yaml -o linked --overwrite
says stderr.txt "linked/results.nc is a pipe"
# A directory may be reached by a link.
mkdir real && ln -s real reached
expect 0 run pendulum.yaml -o reached
only real results.nc report.html

expect 0 run swing.yaml -o swing
ln -s ../elsewhere swing/replay-3
expect 2 replay swing 3
says stderr.txt "swing/replay-3 is a symbolic link"
only elsewhere 0
for target in link.html pipe.html; do
  [ "$target" = link.html ] && ln -s notes link.html || mkfifo pipe.html
  expect 2 report swing -o $target
  says stderr.txt "which is neither followed nor replaced"
done
[ "$(cat notes)" = "my notes" ] || fail "written through a link"

# A study that is being run keeps its journal, whoever else comes with --overwrite.
long=(--set simulation.duration=20 --set simulation.output_step=0.5)
expect 0 run swing.yaml -o whole "${long[@]}"
"$TUMBLE" run swing.yaml -o busy "${long[@]}" --threads 1 >busy.txt 2>&1 &
run=$!
for _ in $(seq 500); do
  [ "$(stat -c %s busy/study.journal 2>/dev/null || echo 0)" -le 4000 ] || break
  sleep 0.02
done
kill -STOP "$run"
expect 2 run pendulum.yaml -o busy --overwrite
says stderr.txt "the study in busy is being run by process $run"
expect 2 sweep swing.yaml --vary gravity[2]=-9.81,-5 -o busy --overwrite
says stderr.txt "the study in busy is being run by process $run"
[ -s busy/study.journal ] || fail "the journal of a running study was removed"
kill -CONT "$run"
wait "$run" || fail "a study that others disturbed"
[ "$(hash_of busy)" = "$(hash_of whole)" ] || fail "other bits after a disturbance"
expect 0 run pendulum.yaml -o busy --overwrite
only busy results.nc report.html

# A point of a sweep is a study like any other.
mkdir -p sweep/points/0
"$TUMBLE" run swing.yaml -o sweep/points/0 "${long[@]}" --threads 1 >busy.txt 2>&1 &
run=$!
for _ in $(seq 500); do
  [ "$(stat -c %s sweep/points/0/study.journal 2>/dev/null || echo 0)" -le 4000 ] || break
  sleep 0.02
done
kill -STOP "$run"
expect 2 sweep swing.yaml --vary gravity[2]=-9.81,-5 -o sweep --overwrite
says stderr.txt "is being run by process $run"
[ -s sweep/points/0/study.journal ] || fail "the journal of a point was removed"
kill -CONT "$run"
wait "$run" || fail "a point that a sweep disturbed"

# Killed while it made the page: --resume makes it.
for model in swing.yaml pendulum.yaml; do
  rm -rf page
  expect 0 run $model -o page
  cp page/report.html whole.html
  rm page/report.html
  expect 0 run $model -o page --resume --no-report
  absent page/report.html
  expect 0 run $model -o page --resume
  says stdout.txt "nothing to do"
  says stdout.txt "report:  page/report.html"
  cmp page/report.html whole.html || fail "another page"
  # Killed a moment earlier, the page of the results before them is still there.
  echo "an old page" >page/report.html
  touch -d '2001-01-01' page/report.html
  expect 0 run $model -o page --resume
  cmp page/report.html whole.html || fail "an old page stayed beside new results"
  stamp=$(stat -c '%i %Y' page/report.html)
  expect 0 run $model -o page --resume
  [ "$(stat -c '%i %Y' page/report.html)" = "$stamp" ] || fail "the page was made again"
done
