# A study of sensitivity: indices in the results, the same bits, resuming, extending, blocks of which
# a run fails, other methods, indices from given data, refusals.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

{
  pendulum
  cat <<'YAML'
quantities:
  reach: {of: tip.position.x, kind: final}
uncertainty:
  bob:
    mass: {cv: 0.1}
    center_of_mass: {box: {center: [0.5, 0, 0], size: [0.2, 0.1, 0.1]}}
  gravity[2]: {law: normal, mean: -9.81, std: 0.3}
study: {method: sensitivity, realizations: 330}
YAML
} >blocks.yaml

expect 0 check blocks.yaml
says stdout.txt "sensitivity: 66 blocks of 5 runs, for bodies.bob.mass; bodies.bob.position; gravity[2]"
expect 0 run blocks.yaml -o whole --keep-journal
says stdout.txt "sensitivity by pick-freeze: 66 blocks of 5 runs"
says stdout.txt "variance of reach: "
[ ! -s stderr.txt ] || fail "noise on standard error"
whole=$(hash_of whole)
ncdump -h whole/results.nc >header.txt
for name in "sobol_group(group, time, axis)" "sobol_group_total_lower(group, time, axis)" \
  "sobol_group_generalized(group, axis)" "sobol_group_total_generalized_upper(group, axis)"; do
  says header.txt "double tip_acceleration_$name"
done
says header.txt "double quantity_reach_sobol_group_total_upper(group)"
says header.txt "sensitivity_blocks = 66"
says header.txt "sensitivity_blocks_dropped = 0"
says header.txt "blocks of 5 realisations that share random numbers, each counted once"
# The page has what the results have.
/usr/bin/python3 - whole <<'PYTHON'
import json, re, sys
import netCDF4
page = open(sys.argv[1] + "/report.html", encoding="utf-8").read()
found = json.JSONDecoder().raw_decode(page[page.index('"sensitivity":{') + len('"sensitivity":'):])[0]
with netCDF4.Dataset(sys.argv[1] + "/results.nc") as file:
    assert found["factors"] == list(file["group"][:]) and found["blocks"] == 66 and found["dropped"] == 0
    for kind, name in (("alone", "sobol_group"), ("total", "sobol_group_total")):
        row = found[kind][0]  # x of tip.position
        for f, share in enumerate(row["shares"]):
            truth = [float(file[f"tip_position_{name}_generalized{end}"][f, 0]) for end in ("", "_lower", "_upper")]
            assert (row["curve"], row["axis"], share) == (0, 0, truth), (row, truth)
PYTHON

# The same bits for any number of threads and lanes, with sketches, after kill -9, and extended.
expect 0 run blocks.yaml -o one --threads 1 --lanes 1
[ "$(hash_of one)" = "$whole" ] || fail "one thread: other bits"
indices() {
  /usr/bin/python3 - "$1/results.nc" <<'PYTHON'
import hashlib, sys
import netCDF4
with netCDF4.Dataset(sys.argv[1]) as file:
    file.set_auto_mask(False)
    names = sorted(n for n in file.variables if "_sobol_" in n)
    print(len(names), hashlib.sha256(b"".join(file[n][:].tobytes() for n in names)).hexdigest())
PYTHON
}
expect 0 run blocks.yaml -o sketched --set study.quantile_method=sketch
[ "$(indices sketched)" = "$(indices whole)" ] || fail "indices from the journal: other bits"
"$TUMBLE" run blocks.yaml -o cut --threads 1 --set simulation.step=1e-4 >stdout.txt 2>stderr.txt &
run=$!
sleep 0.3
kill -9 "$run" 2>/dev/null || true
wait "$run" 2>/dev/null || true
expect 0 run blocks.yaml -o cut --resume --set simulation.step=1e-4
expect 0 run blocks.yaml -o uncut --set simulation.step=1e-4
[ "$(hash_of cut)" = "$(hash_of uncut)" ] || fail "a resumed study has other bits"
expect 0 run blocks.yaml -o grown -n 203 --keep-journal
says stdout.txt "200 realisations"
expect 0 run blocks.yaml -o grown -n 330 --resume --keep-journal
[ "$(hash_of grown)" = "$whole" ] || fail "an extended study has other bits"
expect 0 run blocks.yaml -o stored --set study.store=all
expect 0 replay stored 104
diff <(values stored/results.nc tip_acceleration 104) \
  <(values stored/replay-104/results.nc tip_acceleration_nominal) || fail "replay has other bits"

# A block of which a run fails is left out whole, and counted.
expect 1 run blocks.yaml -o failed --set 'uncertainty={bodies.bob.mass: {law: normal, mean: 2, std: 1},
  "gravity[2]": {law: normal, mean: -9.81, std: 0.3}}' -n 400
says stdout.txt "more are left out, of which a run failed"
/usr/bin/python3 - failed/results.nc <<'PYTHON'
import sys
import netCDF4
with netCDF4.Dataset(sys.argv[1]) as file:
    bad = (file["status"][:].reshape(-1, 4) != 0).any(axis=1)
    assert file.sensitivity_blocks == (~bad).sum() and file.sensitivity_blocks_dropped == bad.sum() > 0
PYTHON

# Groups of the user's, single germs, screening, Shapley effects.
expect 0 run blocks.yaml -o groups --set 'study.sensitivity.groups={body: [bodies.bob.mass, bodies.bob.position]}'
says stdout.txt "82 blocks of 4 runs"
expect 0 run blocks.yaml -o germs --set study.sensitivity.by=germs
ncdump -h germs/results.nc >header.txt
says header.txt "double tip_acceleration_sobol_first(germ, time, axis)"
says header.txt "germ = 5 ;"
expect 0 run blocks.yaml -o screened --set study.sensitivity.method=morris -n 60
says stdout.txt "sensitivity by morris: 10 blocks of 6 runs"
ncdump -h screened/results.nc >header.txt
says header.txt "double tip_acceleration_morris_mean_abs_upper(germ, time, axis)"
says header.txt "double quantity_reach_morris_std(germ)"
! grep -q "acceleration_mean(\|acceleration_quantile" header.txt || fail "statistics of points that are no draws"
expect 0 run blocks.yaml -o shared --set study.sensitivity.method=shapley
ncdump -h shared/results.nc >header.txt
says header.txt "double tip_acceleration_shapley_generalized(group, axis)"
for made in groups germs screened shared; do expect 0 report "$made"; done

# Indices from the runs of a study that is there.
expect 0 run blocks.yaml -o drawn --set study.method=monte-carlo --set study.store=all -n 300
expect 0 sensitivity drawn
says stdout.txt "300 runs; shares of the variance"
ncdump -h drawn/sensitivity.nc >header.txt
says header.txt "double tip_position_sobol_group_total_upper(group, time, axis)"
says header.txt "double quantity_reach_sobol_group(group)"
expect 0 run blocks.yaml -o kept --set study.method=monte-carlo --keep-journal -n 300
expect 0 sensitivity kept
cmp <(ncdump drawn/sensitivity.nc | tail -n +2 | grep -v sha256) \
  <(ncdump kept/sensitivity.nc | tail -n +2 | grep -v sha256) || fail "stored and kept values differ"
expect 0 run blocks.yaml -o light --set study.method=monte-carlo -n 300
expect 0 sensitivity light
says stderr.txt "study.store: all or --keep-journal keeps them"
expect 2 sensitivity screened
says stderr.txt "no draws"
expect 2 sensitivity nowhere

# Refusals, with the reason.
expect 2 run blocks.yaml -o no -n 100
says stderr.txt "study: realizations = 100, must be at least 160: 32 blocks of 5 runs, for 3 factors"
expect 2 run blocks.yaml -o no --set study.sensitivity.levels=4
says stderr.txt "must be left out: it is for method: morris"
expect 2 run blocks.yaml -o no --set 'study.sensitivity.groups={body: [bodies.bob.weight]}'
says stderr.txt "no variable is named 'bodies.bob.weight'"
expect 2 run blocks.yaml -o no --set study.until.relative_mean_error=0.1
says stderr.txt "must be left out with method sensitivity"
expect 2 run blocks.yaml -o no --set study.method=monte-carlo --set study.sensitivity.by=germs
says stderr.txt "must be left out: study.method is not sensitivity"
expect 2 run blocks.yaml -o no --set uncertainty.bob.center_of_mass.sampler=metropolis
says stderr.txt "drawn by a Markov chain"
absent no

# MPI ranks share the runs, with the same bits.
[[ $(ldd "$TUMBLE") == *libmpi* ]] || { echo "built without MPI: ranks not tested" && exit 0; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export TMPDIR=$work
timeout 60 mpirun -n 2 "$TUMBLE" run blocks.yaml -o ranks >stdout.txt 2>stderr.txt || fail "2 ranks"
[ "$(hash_of ranks)" = "$whole" ] || fail "2 ranks: other bits"
