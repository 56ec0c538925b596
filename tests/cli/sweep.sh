# A sweep: points that are studies of their own, one results file, resuming, refusing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

# values_at POINT FILE VARIABLE: of one point of a sweep, as `values` prints them.
values_at() {
  values "$2" "$3" "$1"
}

vary=(--vary gravity[2]=-9.81,-1.62 --vary 'bodies.bob.inertia=[0.01, 0.05, 0.05],[0.01, 0.5, 0.5]')
expect 0 sweep swing.yaml -o whole "${vary[@]}" -n 130
only whole results.nc
[ ! -s stderr.txt ] || fail "noise on standard error, which is not a terminal"
[ "$(wc -l <stdout.txt)" -le 24 ] || fail "the summary does not fit on a screen"
says stdout.txt "4 points"
says stdout.txt "tip_acceleration m/s^2"
whole=$(hash_of whole)

# A point has the bits of `tumble run` with the same values.
expect 0 run swing.yaml -o alone -n 130 --set gravity[2]=-1.62 --set bodies.bob.inertia='[0.01, 0.05, 0.05]'
for variable in tip_acceleration_mean tip_acceleration_quantile tip_position_nominal inputs count; do
  diff <(values_at 2 whole/results.nc $variable) <(values alone/results.nc $variable) ||
    fail "point 2 has another $variable"
done

# The same bits for any number of threads, and with points that are kept.
expect 0 sweep swing.yaml -o kept "${vary[@]}" -n 130 --threads 1 --keep-points
only kept results.nc sweep.txt points
only kept/points 0 1 2 3
[ "$(hash_of kept)" = "$whole" ] || fail "other bits with one thread"
expect 0 replay kept/points/3 17
expect 2 replay kept 17
says stderr.txt "kept/points/0 17"

# What is there already: refused, finished, extended if the points were kept, replaced.
expect 2 sweep swing.yaml -o whole "${vary[@]}" -n 130
expect 0 sweep swing.yaml -o whole "${vary[@]}" -n 130 --resume --quiet
[ ! -s stdout.txt ] || fail "--quiet says that there is nothing to do"
expect 0 sweep swing.yaml -o whole "${vary[@]}" -n 130 --resume
says stdout.txt "nothing to do"
expect 2 sweep swing.yaml -o whole "${vary[@]}" -n 200 --resume
says stderr.txt "--keep-points"
expect 2 sweep swing.yaml -o whole "${vary[@]}" -n 130 --resume --set bodies.bob.mass=3
# So is a finished sweep whose table has changed since, by a digit of one row: its results are of other draws.
cp rows.csv kept.csv
sed -i '7s/.$/9/; 8s/.$/1/' rows.csv
! cmp -s rows.csv kept.csv || fail "the table did not change"
expect 2 sweep swing.yaml -o whole "${vary[@]}" -n 130 --resume
says stderr.txt "holds other results"
expect 2 sweep swing.yaml -o kept "${vary[@]}" -n 130 --resume
says stderr.txt "another model, table, seed"
mv kept.csv rows.csv
expect 0 sweep swing.yaml -o whole "${vary[@]}" -n 130 --resume
says stdout.txt "nothing to do"
expect 2 sweep swing.yaml -o alone "${vary[@]}"
expect 2 sweep swing.yaml -o alone "${vary[@]}" --resume
says stderr.txt "holds a study"
expect 2 run swing.yaml -o kept --overwrite
says stderr.txt "holds a sweep"
expect 2 run swing.yaml -o whole --resume
[ "$(hash_of whole)" = "$whole" ] || fail "refused, but written"
expect 2 sweep swing.yaml -o kept --vary gravity[2]=-9.81 --resume -n 130
says stderr.txt "other points"
expect 0 sweep swing.yaml -o grown "${vary[@]}" -n 100 --keep-points
expect 0 sweep swing.yaml -o grown "${vary[@]}" -n 130 --resume
only grown results.nc
[ "$(hash_of grown)" = "$whole" ] || fail "an extended sweep has other bits"
expect 0 sweep swing.yaml -o kept --vary gravity[2]=-9.81 --overwrite -n 10
only kept results.nc points  # the replayed realisation is not ours to remove
only kept/points 3
only kept/points/3 replay-17
expect 0 sweep swing.yaml -o alone --vary gravity[2]=-9.81 --overwrite -n 10
only alone results.nc

# Fields that move together, and a range.
expect 0 sweep swing.yaml -o range -n 4 --vary bodies.bob.inertia[1],bodies.bob.inertia[2]=0.05:0.25:3
ncdump -v 'bodies.bob.inertia[1],bodies.bob.inertia[2]' range/results.nc >dump.txt
[ "$(grep -cF '= 0.05, 0.15, 0.25' dump.txt)" -eq 2 ] || fail "a range: $(tail -n 5 dump.txt)"

# Bad input is found before anything is run or written, wherever it is.
expect 2 sweep swing.yaml -o none --vary simulation.step=1e-3,-1,0 --vary gravity[2]=-1,-2
says stderr.txt "--vary simulation.step=-1: simulation: step = -1 s, must be > 0"
says stderr.txt "2 errors"
expect 2 sweep swing.yaml -o none --vary 'bodies.bob.inertia=[1, 1, 1],[1, 1, 3]'
says stderr.txt "triangle"
expect 2 sweep swing.yaml -o none --vary bodies.bob.mass=2,3
says stderr.txt "a column of the table rows.csv"
expect 2 sweep swing.yaml -o none --vary bodies.bob.mas=2
says stderr.txt "mass"
expect 2 sweep swing.yaml -o none --vary bodies.bob.mass=2 --vary bodies.bob.mass=3
says stderr.txt "varied twice"
expect 2 sweep swing.yaml -o none --vary bodies.bob.mass
says stderr.txt "PATH"
expect 2 sweep swing.yaml -o none --vary bodies.bob.mass=1:2:1
expect 2 sweep swing.yaml -o none
expect 2 sweep swing.yaml -o none --vary study.file=rows.csv,missing.csv
says stderr.txt "--vary study.file=missing.csv"
expect 2 sweep swing.yaml -o none --vary study.realizations=10,301
says stderr.txt "has 300 rows"
expect 2 sweep swing.yaml -o none --vary 'study.store=none,[299]' -n 20
says stderr.txt "point 1"
expect 2 sweep swing.yaml -o none --vary simulation.duration=0.1,0.2
says stderr.txt "output times"
expect 2 sweep pendulum.yaml -o none --vary bodies.bob.mass=1,2
says stderr.txt "no section \`study\`"
expect 2 sweep missing.yaml -o none --vary bodies.bob.mass=1,2
absent none

# Too many failures at a point: the others go on, and the status says it.
{ head -n 20 rows.csv && echo "-1,0.5"; } >broken.csv
expect 1 sweep swing.yaml -o failed --vary study.file=rows.csv,broken.csv -n 20
says stderr.txt "point 1 (study.file=broken.csv): 1 of 20 realisations failed"
only failed results.nc
ncdump -v failed,failure_sweep,failed_realization,failure_reason,study.file failed/results.nc >dump.txt
says dump.txt "failed = 0, 1 ;"
says dump.txt "failure_sweep = 1 ;"
says dump.txt "failed_realization = 19 ;"
says dump.txt '"rows.csv", "broken.csv"'
says dump.txt "must be > 0"
expect 0 sweep swing.yaml -o failed --vary study.file=rows.csv,broken.csv -n 20 --set study.max_failed=0.1 --overwrite

# A point whose nominal run fails has no numbers; the others have theirs.
expect 1 sweep swing.yaml -o lost -n 5 --set simulation.max_halvings=0 --vary simulation.max_iterations=1,30
says stderr.txt "point 0 (simulation.max_iterations=1): the nominal run failed"
ncdump -v point_failure,failed,status lost/results.nc >dump.txt
says dump.txt "failed = 5, 0 ;"
says dump.txt "1, 1, 1, 1, 1,"
[ "$(values_at 0 lost/results.nc tip_position_mean | sort -u)" = nan ] || fail "numbers from nowhere"
expect 0 run swing.yaml -o found -n 5 --set simulation.max_halvings=0 --set simulation.max_iterations=30
diff <(values_at 1 lost/results.nc tip_position_mean) <(values found/results.nc tip_position_mean) ||
  fail "the other point"
expect 1 sweep swing.yaml -o nothing -n 5 --set simulation.max_halvings=0 --vary simulation.max_iterations=1
absent nothing/results.nc

# What many points warn of is said once, with their number, and kept.
{ pendulum && cat <<'YAML'
uncertainty: {bodies.bob.mass: {law: lognormal, mean: 2, cv: 1.3}}
study: {method: monte-carlo, realizations: 100, seed: 2}
YAML
} >heavy.yaml
expect 0 sweep heavy.yaml -o heavy --vary gravity[2]=-9.81,-1.62,-3.7 --set 'probes.all.quantities=[kinetic_energy]' --keep-points
[ "$(grep -c warning stderr.txt)" -eq 1 ] || fail "warnings of the points are repeated"
says stderr.txt "tumble: warning: at all 3 points, first at point 0 (gravity[2]=-9.81): "
says stderr.txt "a few realisations lie far from the others"
cp stderr.txt warned.txt
ncdump -h heavy/results.nc >header.txt
says header.txt "at all 3 points, first at point 0"
rm heavy/results.nc
expect 0 sweep heavy.yaml -o heavy --vary gravity[2]=-9.81,-1.62,-3.7 --set 'probes.all.quantities=[kinetic_energy]' --resume
diff warned.txt stderr.txt || fail "a sweep that is resumed forgets warnings"

# What holds at some points only is not said of all: how errors were found, and on what condition.
{ pendulum && cat <<'YAML'
uncertainty: {bodies.bob.mass: {law: normal, mean: 2, std: 0.01}}
study: {method: monte-carlo, realizations: 64, seed: 2, max_failed: 1}
YAML
} >narrow.yaml
expect 0 sweep narrow.yaml -o methods --vary study.method=sobol,monte-carlo
ncdump -h methods/results.nc >header.txt
says header.txt 'tip_position_mean_se:error_basis = "differs from point to point"'
! grep -q degrees_of_freedom header.txt || fail "degrees of freedom of one point are said of all"
expect 0 sweep narrow.yaml -o designs --set study.method=sobol --vary gravity[2]=-9.81,-1.62
ncdump -h designs/results.nc >header.txt
says header.txt "tip_position_mean_interval_lower:degrees_of_freedom = 7. ;"
expect 0 sweep narrow.yaml -o wide --vary uncertainty.bodies.bob.mass.std=0.01,2
ncdump -h wide/results.nc >header.txt
says header.txt 'tip_position_mean:conditional_on = "success"'

# Bounds of what failed realisations could have been are at the points that have them, whichever.
for order in 0.01,2 2,0.01; do
  expect 0 sweep narrow.yaml -o bounds --overwrite --vary uncertainty.bodies.bob.mass.std=$order
  says stdout.txt "at some points only, NaN at the others:"
  says stdout.txt "tip_position_quantile_bound_lower"
  ! grep -q "left out" stdout.txt || fail "left out: $(grep "left out" stdout.txt)"
  wide=0 narrow=1
  [ $order = 2,0.01 ] || { wide=1 narrow=0; }
  [ "$(values_at $narrow bounds/results.nc tip_position_quantile_bound_lower | sort -u)" = nan ] || fail "bounds from nowhere"
  expect 0 run narrow.yaml -o bounded --overwrite --set uncertainty.bodies.bob.mass.std=2
  diff <(values_at $wide bounds/results.nc tip_position_quantile_bound_lower) <(values bounded/results.nc tip_position_quantile_bound_lower) ||
    fail "other bounds"
  ncdump -h bounds/results.nc >header.txt
  says header.txt 'tip_position_quantile_bound_lower:comment = "NaN at 1 of 2 points, whose results do not have it"'
done

# Principal deviations are along no axis of ground.
expect 0 sweep narrow.yaml -o principal --set 'probes.tip.quantities=[position]' --vary gravity[2]=-9.81,-1.62
grep -A 1 tip_position_principal stdout.txt | tail -n 1 | grep -q "x *z *largest" || fail "$(cat stdout.txt)"

# How good the maps of designs are, for all points or point by point.
{ pendulum && cat <<'YAML'
uncertainty: {bob: {inertia: {delta: 0.1}}}
study: {method: sobol, realizations: 64, seed: 2}
YAML
} >maps.yaml
expect 0 sweep maps.yaml -o maps --vary gravity[2]=-9.81,-1.62
ncdump -h maps/results.nc >header.txt
says header.txt ':germ_maps = "bodies.bob.inertia: a map of independent random numbers'
expect 0 sweep maps.yaml -o maps --overwrite --vary study.method=sobol,monte-carlo
ncdump -h maps/results.nc >header.txt
says header.txt ':germ_maps = "point 0: bodies.bob.inertia: a map of independent random numbers'
