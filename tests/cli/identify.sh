# tumble identify: what it prints and writes, what it refuses, and that killed it goes on.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
examples=$TUMBLE_SOURCE_DIR/examples/identification
spring() {
  echo identify "$examples/spring.yaml" --data "$examples/spring.csv" \
    --set identification.ensemble.draws=512 --set identification.intervals.points=5 \
    --set identification.intervals.bootstrap=20
}

# shellcheck disable=SC2046
expect 0 $(spring) -o out
says stdout.txt "15 experiments of 3 numbers, likelihood marginal"
says stdout.txt "uncertainty.bodies.bob.mass.cv"
says stdout.txt "95 %"
says stderr.txt "not used: experiment"
only out results.nc model.yaml
ncdump -h out/results.nc >header.txt
for name in estimate lower upper at_bound profile profile_at log_likelihood log_likelihood_error ess \
  ess_experiment fisher bootstrap band_before band_after data; do
  grep -qE " $name(\(| ;)" header.txt || fail "no variable $name in the results"
done
says header.txt 'method = "identification"'
# Where the files lie on this computer is nothing for readers of the page.
grep "command = " header.txt | grep -qF -- "tumble identify spring.yaml --set" || fail "command: $(grep "command = " header.txt)"
grep "command = " header.txt | grep -qF -- "--data spring.csv" || fail "command: $(grep "command = " header.txt)"
# The model with the estimate is a model.
expect 0 check out/model.yaml
grep -q "cv: 0.1" out/model.yaml || fail "model.yaml does not hold the estimate"

# The page.
expect 0 report out
says out/report.html '"identification":'

# Results are not replaced unless that is asked for; the same is not computed again.
expect 2 $(spring) -o out
says stderr.txt "--overwrite"
expect 0 $(spring) -o out --resume
says stdout.txt "nothing to do"
expect 0 $(spring) -o out --overwrite -q
[ ! -s stdout.txt ] || fail "quiet is not quiet"

# The posterior, in groups as ArviZ has them.
expect 0 $(spring) -o bayes --method bayes --set identification.bayes='{particles: 50, replicas: 2}' \
  --set identification.intervals.bootstrap=0
says stdout.txt "posterior"
ncdump -h bayes/results.nc >header.txt
says header.txt "group: posterior"
says header.txt "chain = 2"
/usr/bin/python3 - <<'PYTHON' || fail "xarray does not open the results"
import xarray
with xarray.open_dataset("bayes/results.nc") as found, xarray.open_dataset("bayes/results.nc", group="posterior") as posterior:
    assert found["lower"].item() < found["estimate"].item() < found["upper"].item()
    assert posterior["uncertainty.bodies.bob.mass.cv"].dims == ("chain", "draw")
    assert abs(posterior["uncertainty.bodies.bob.mass.cv"].mean().item() - found["posterior_mean"].item()) < 1e-12
PYTHON

# A Gaussian likelihood says what it is worth.
expect 0 $(spring) -o gaussian --set identification.likelihood=gaussian
says stderr.txt "falsely narrow"

# What cannot be is refused, and nothing written.
expect 2 identify "$examples/spring.yaml" --data nowhere.csv -o none
says stderr.txt "nowhere.csv"
printf 'bob.position.z@0.25,bob.position.z@0.5\n1,2\n' >short.csv
expect 2 identify "$examples/spring.yaml" --data short.csv -o none
says stderr.txt "short.csv:1: column 'bob.position.z@0.75'"
expect 2 $(spring) -o none --set identification.likelihood=kernel
says stderr.txt "one or two numbers"
expect 2 $(spring) -o none --set identification.parameters='{uncertainty.bodies.bob.mass.cvs: {min: 0.1, max: 1}}'
says stderr.txt "cvs"
expect 2 identify "$TUMBLE_SOURCE_DIR/examples/classics/pendulum.yaml" --data short.csv -o none
says stderr.txt "identification"
absent none

# Killed at any moment and resumed it has the same bits.
slow=(--set simulation.step=5e-4 --set identification.intervals.bootstrap=0)
expect 0 $(spring) -o whole "${slow[@]}"
rm -rf killed
for moment in 0.2 0.5 0.9; do
  status=0
  timeout -s KILL "$moment" "$TUMBLE" $(spring) -o killed --resume "${slow[@]}" \
    >stdout.txt 2>stderr.txt || status=$?
  [ "$status" -eq 137 ] || [ "$status" -eq 0 ] || fail "status $status of what was to be killed"
done
expect 0 $(spring) -o killed --resume "${slow[@]}"
[ "$(hash_of killed)" = "$(hash_of whole)" ] || fail "killed and resumed it has other bits"

# So has the posterior, which needs no journal of its own: it follows from the runs.
bayes=("${slow[@]}" --method bayes --set identification.bayes='{particles: 50, replicas: 2}')
expect 0 $(spring) -o bayes-whole "${bayes[@]}"
for moment in 0.3 0.8; do
  timeout -s KILL "$moment" "$TUMBLE" $(spring) -o bayes-killed --resume "${bayes[@]}" >stdout.txt 2>stderr.txt || true
done
expect 0 $(spring) -o bayes-killed --resume "${bayes[@]}"
[ "$(hash_of bayes-killed)" = "$(hash_of bayes-whole)" ] || fail "a posterior killed and resumed has other bits"
