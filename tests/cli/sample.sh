# tumble sample: draws of the random inputs, the same as those of a study, in any surroundings.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
cp "$TUMBLE_SOURCE_DIR/examples/batou-soize-2012/case4.yaml" .

# The same file however many processors there are, and from any folder.
expect 0 sample case4.yaml -n 100 -o draws.csv
says stdout.txt "100 draws of 10 parameters: draws.csv"
[ "$(wc -l <draws.csv)" -eq 101 ] || fail "rows of draws.csv"
expect 0 sample case4.yaml -n 100 -o again.csv --format csv
cmp draws.csv again.csv || fail "two samples differ"
for threads in 1 3; do
  OMP_NUM_THREADS=$threads taskset -c 0 "$TUMBLE" sample case4.yaml -n 100 -o again.csv --overwrite >/dev/null 2>&1
  cmp draws.csv again.csv || fail "a sample on one processor differs"
done
mkdir elsewhere
(cd elsewhere && "$TUMBLE" sample ../case4.yaml -n 100 -o ../again.csv --overwrite >/dev/null 2>&1)
cmp draws.csv again.csv || fail "a sample from another folder differs"

# More draws begin with fewer; another seed gives others.
expect 0 sample case4.yaml -n 40 -o short.csv
cmp short.csv <(head -n 41 draws.csv) || fail "the first draws depend on how many there are"
expect 0 sample case4.yaml -n 100 --seed 2 -o other.csv
! cmp -s draws.csv other.csv || fail "the seed has no effect"
expect 0 sample case4.yaml -n 100 --seed 1 -o again.csv --overwrite
cmp draws.csv again.csv || fail "seed 1 is not that of the file"

# A study uses these numbers, to the last digit ...
columns_equal_inputs() {
  /usr/bin/python3 - "$1" "$2/results.nc" <<'PYTHON'
import csv, sys
import netCDF4
rows = list(csv.reader(open(sys.argv[1])))
with netCDF4.Dataset(sys.argv[2]) as file:
    file.set_auto_mask(False)
    names = [str(x) for x in file.variables["input"][:]]
    inputs = file.variables["inputs"][:]
assert rows[0] == names, (rows[0], names)
assert [[float(x) for x in row] for row in rows[1:]] == inputs.tolist()
PYTHON
}
expect 0 run case4.yaml -o whole -n 100 --set study.store='[17, 70]'
columns_equal_inputs draws.csv whole || fail "the inputs of the study are not the sample"

# ... and gives the same bits on any number of threads and lanes, and where it is extended ...
whole=$(hash_of whole)
for threads in 1 2; do
  for lanes in 1 4 8; do
    expect 0 run case4.yaml -o part -n 100 --set study.store='[17, 70]' --threads $threads --lanes $lanes
    [ "$(hash_of part)" = "$whole" ] || fail "$threads threads, $lanes lanes: other bits"
    rm -r part
  done
done
expect 0 run case4.yaml -o grown -n 30 --set study.store=none
expect 0 run case4.yaml -o grown -n 100 --set study.store=none --resume
expect 0 run case4.yaml -o atonce -n 100 --set study.store=none
[ "$(hash_of grown)" = "$(hash_of atonce)" ] || fail "an extended study has other bits"

# ... and so does the table of these numbers, but for the trajectories, which it does not store.
expect 0 run case4.yaml -o table --set study='{method: table, file: draws.csv}'
says stderr.txt "the section uncertainty is not used"
/usr/bin/python3 - whole/results.nc table/results.nc <<'PYTHON' || fail "the table gives other bits"
import sys
import netCDF4
first, second = (netCDF4.Dataset(name) for name in sys.argv[1:])
first.set_auto_mask(False), second.set_auto_mask(False)
shared = set(first.variables) & set(second.variables)
for statistic in ("nominal", "mean", "std", "cov", "mean_se", "quantile"):
    assert f"pobs_acceleration_{statistic}" in shared, statistic
for name in shared:
    if "time_error" in name:  # rests on realisations from all over a table, on the first of others
        continue
    a, b = first.variables[name][:], second.variables[name][:]
    same = a.tobytes() == b.tobytes() if a.dtype != object else list(a) == list(b)
    assert same, name
PYTHON

# One realisation again, the same bits as in the study.
for number in 17 70; do
  expect 0 replay whole $number
  row=$([ $number -eq 17 ] && echo 0 || echo 1)
  for quantity in position acceleration angular_acceleration; do
    diff <(values whole/results.nc "pobs_$quantity" "$row") \
      <(values "whole/replay-$number/results.nc" "pobs_${quantity}_nominal") ||
      fail "replay of $number: pobs_$quantity has other bits"
  done
done

# Laws of every kind in one study: regions, chains, variables that are shared or correlated.
{
  pendulum
  cat <<'YAML'
forces:
  friction: {type: torsion_spring, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0], stiffness: 1, damping: 0.1}
uncertainty:
  bob:
    mass: {cv: 0.2}
    center_of_mass: {cylinder: {center: [0.5, 0, 0], radius: 0.05, length: 0.3, axis: [1, 0, 0]}, sampler: metropolis}
    inertia: {delta: 0.3, z_max: [0.1, 0.02, 0.02], sampler: metropolis, chain: {thinning: 40}}
  friction: {law: lognormal, mean: 0.1, cv: 0.3, of: [forces.friction.damping]}
  forces.friction.stiffness: {law: triangular, min: 0.5, mode: 1, max: 2}
  correlation: {variables: [friction, forces.friction.stiffness], matrix: [[1, 0.6], [0.6, 1]]}
study: {method: monte-carlo, realizations: 130, seed: 7}
YAML
} >rich.yaml
expect 0 sample rich.yaml -o rich.csv
says stdout.txt "bob.position: Markov chain, burn-in 1000, thinning 25, acceptance 0."
says stdout.txt "bob.inertia: Markov chain, burn-in 1000, thinning 40, acceptance 0."
expect 0 run rich.yaml -o rich
columns_equal_inputs rich.csv rich || fail "the inputs of the rich study are not the sample"
expect 0 run rich.yaml -o richer -n 70
expect 0 run rich.yaml -o richer -n 130 --resume --threads 1 --lanes 1
[ "$(hash_of rich)" = "$(hash_of richer)" ] || fail "an extended study with chains has other bits"
expect 0 replay rich 129

# Designs: Sobol' points can be extended, a Latin hypercube is made for its number.
sed '/^uncertainty:/,$d' rich.yaml >designs.yaml
cat >>designs.yaml <<'YAML'
uncertainty:
  bob: {mass: {cv: 0.2}, center_of_mass: {box: {center: [0.5, 0, 0], size: [0.1, 0.1, 0.1]}}}
  forces.friction.stiffness: {law: uniform, min: 0.5, max: 2}
study: {method: sobol, realizations: 64, randomizations: 4}
YAML
expect 0 sample designs.yaml -o sobol.csv
expect 0 sample designs.yaml -n 128 -o longer.csv
cmp sobol.csv <(head -n 65 longer.csv) || fail "the first Sobol' points depend on how many there are"
expect 0 sample designs.yaml -o cube.csv --set study.method=latin-hypercube
# Every quarter of the realisations has one stiffness in each of its 16 strata.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /stiffness/) c = i; next }
         { n[(NR - 2) % 4, int(($c - 0.5) / 1.5 * 16)]++ }
         END { for (i in n) { if (n[i] != 1) exit 1; found++ } exit found != 64 }' cube.csv ||
  fail "not a Latin hypercube"
expect 0 run designs.yaml -o cube --set study.method=latin-hypercube
columns_equal_inputs cube.csv cube || fail "the inputs of the Latin hypercube are not the sample"
expect 2 run designs.yaml -o cube --set study.method=latin-hypercube -n 128 --resume
says stderr.txt "another study"

# What exists stays, and what is no regular file also with --overwrite.
echo "my notes" >notes.csv
expect 2 sample case4.yaml -n 10 -o notes.csv
says stderr.txt "notes.csv already exists: --overwrite replaces it"
[ "$(cat notes.csv)" = "my notes" ] || fail "overwritten"
ln -s notes.csv link.csv
mkfifo pipe.csv
for special in link.csv:"a symbolic link" pipe.csv:"a pipe" elsewhere:"a directory"; do
  for options in "" --overwrite; do
    # shellcheck disable=SC2086
    expect 2 sample case4.yaml -n 10 -o "${special%%:*}" $options
    says stderr.txt "${special%%:*} is ${special#*:}, which is neither followed nor replaced"
  done
done
[ -L link.csv ] && [ -p pipe.csv ] && [ -d elsewhere ] || fail "replaced"
[ "$(cat notes.csv)" = "my notes" ] || fail "written through a link"
expect 2 sample case4.yaml -n 10 -o /dev/null --overwrite
says stderr.txt "/dev/null is a device"
[ -c /dev/null ] || fail "/dev/null was replaced"
expect 2 sample case4.yaml -n 10 -o ""
says stderr.txt "the name is empty"
expect 0 sample case4.yaml -n 10 -o notes.csv --overwrite
cmp notes.csv <(head -n 11 draws.csv) || fail "other draws with --overwrite"

# Seeds up to 2^53 - 1, which doubles still know, are told apart; others are refused.
expect 0 sample case4.yaml -n 5 --seed 4294967296 -o seed1.csv
expect 0 sample case4.yaml -n 5 --seed 9007199254740991 -o seed2.csv
expect 0 sample case4.yaml -n 5 --set study.seed=9007199254740991 -o seed3.csv
expect 0 sample case4.yaml -n 5 --seed 0 -o seed4.csv
cmp seed2.csv seed3.csv || fail "--seed and study.seed differ"
! cmp -s seed1.csv seed2.csv || fail "large seeds give the same draws"
! cmp -s seed1.csv seed4.csv || fail "2^32 is taken for 0"
for seed in -1 9007199254740992 1e3 99999999999999999999 ""; do
  expect 2 sample case4.yaml -n 5 --seed="$seed" -o none.csv
  says stderr.txt "must be a whole number between 0 and 9007199254740991"
done
for seed in -1 9007199254740992 18446744073709551616; do
  expect 2 sample case4.yaml -n 5 --set study.seed=$seed -o none.csv
  says stderr.txt "study: seed = $seed, must be a whole number between 0 and 9007199254740991"
done

# Requests that make no sense: nothing is written.
expect 2 sample pendulum.yaml -n 10 -o none.csv
says stderr.txt "has no random inputs"
expect 2 sample rich.yaml -n 0 -o none.csv
expect 2 sample case4.yaml -o none.csv --format xml
expect 2 sample case4.yaml -o none.csv --origin rb5=0,0,0
says stderr.txt "--origin is for --format urdf and mjcf"
sed '/^study:/d' case4.yaml >unnumbered.yaml
expect 2 sample unnumbered.yaml -o none.csv
says stderr.txt "how many draws?"
for origin in rb5 rb5=1,2 rb5=1,2,x rb5=1,2,3,4 rb1=1,2,3; do
  expect 2 sample case4.yaml -o none.csv --format urdf --origin "$origin"
  says stderr.txt "--origin $origin"
done
absent none.csv
