# Polynomial chaos as a study: counts, the same bits, resuming, replaying, failing, refusing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

{
  pendulum
  cat <<'YAML'
uncertainty:
  bob: {center_of_mass: {box: {center: [0.5, 0, 0], size: [0.2, 0.1, 0.1]}}}
  gravity[2]: {law: normal, mean: -9.81, std: 0.1}
study: {method: chaos, chaos: {degree: 3, surrogate_samples: 1024}}
YAML
} >chaos.yaml

expect 0 check chaos.yaml
says stdout.txt "polynomial chaos: 256 runs, and 64 that measure its errors"
expect 0 run chaos.yaml -o whole --keep-journal
says stdout.txt "320 realisations"
says stdout.txt "errors by 64 of 64 runs that were kept out of the fit"
says stdout.txt "tensor grid of 256 Gauss points"
[ ! -s stderr.txt ] || fail "noise on standard error"
whole=$(hash_of whole)
ncdump -h whole/results.nc >header.txt
says header.txt "double tip_acceleration_chaos(term, time, axis)"
says header.txt "double tip_acceleration_sobol_total(germ, time, axis)"
says header.txt "double tip_orientation_cov(time, quat, quat_2)"
says header.txt "double all_total_energy_chaos_error(time)"
says header.txt "double tip_acceleration_chaos_error_upper(time, axis)"
says header.txt "double tip_acceleration_quantile_lower(quantile, time, axis)"
says header.txt "double tip_acceleration_sobol_group_total_upper(group, time, axis)"
says header.txt "byte role(realization)"
! grep -q "_mean_se\|_convergence" header.txt || fail "statistics of draws"

# Many quantities miss the target: one warning for all of them, on the screen and in the results.
poor=(--set study.chaos='{points: regression, degree: 1, surrogate_samples: 64, target_error: 1e-9}')
expect 0 run chaos.yaml -o poor "${poor[@]}"
[ "$(grep -c target_error stderr.txt)" -eq 1 ] || fail "a warning for each quantity"
grep -qE "the polynomials miss more of the variance than chaos.target_error = 1e-09: [0-9.e-]+ .[0-9.e-]+ to [0-9.e-]+. of [a-z.]+, " \
  stderr.txt || fail "the worst quantities are not named"
says stderr.txt "more of 4 quantities"
# So are those that the points of a sweep share.
expect 0 sweep chaos.yaml -o swept "${poor[@]}" --vary simulation.newton_tolerance=1e-8,1e-8
[ "$(grep -c target_error stderr.txt)" -eq 1 ] || fail "points of a sweep repeat their warnings"

# The same bits for any number of threads, after an interruption, and in a replay.
expect 0 run chaos.yaml -o one --threads 1 --lanes 1
[ "$(hash_of one)" = "$whole" ] || fail "one thread: other bits"
"$TUMBLE" run chaos.yaml -o cut --threads 1 --set simulation.step=1e-4 >stdout.txt 2>stderr.txt &
run=$!
sleep 0.3
kill -9 "$run" 2>/dev/null || true
wait "$run" 2>/dev/null || true
expect 0 run chaos.yaml -o cut --resume --set simulation.step=1e-4
expect 0 run chaos.yaml -o uncut --set simulation.step=1e-4
[ "$(hash_of cut)" = "$(hash_of uncut)" ] || fail "a resumed study has other bits"
expect 0 run chaos.yaml -o stored --set study.store=all
expect 0 replay stored 100
diff <(values stored/results.nc tip_acceleration 100) \
  <(values stored/replay-100/results.nc tip_acceleration_nominal) || fail "replay has other bits"
expect 0 replay stored 300
diff <(values stored/results.nc tip_acceleration 300) \
  <(values stored/replay-300/results.nc tip_acceleration_nominal) || fail "validation replays otherwise"
# What is made of the runs may change without running them again, the points may not.
expect 0 run chaos.yaml -o whole --resume --set study.chaos.surrogate_samples=2048
says stdout.txt "320 realisations, 0 computed"
# More runs that measure errors may follow; the others stay what they are.
expect 0 run chaos.yaml -o more --set study.chaos.validation=0 --keep-journal
says stderr.txt "guesses from the terms of the highest degrees in each variable, and not reliable"
ncdump -h more/results.nc >header.txt
! grep -q "chaos_error_upper" header.txt || fail "intervals without measurements"
expect 0 run chaos.yaml -o more --resume
says stdout.txt "320 realisations, 64 computed"
[ "$(hash_of more)" = "$whole" ] || fail "validation afterwards: other bits"
expect 2 check chaos.yaml --set study.chaos.validation=10
says stderr.txt "must be 0 or between 16 and 4096"
expect 2 run chaos.yaml -o whole --resume --set study.chaos.degree=1
says stderr.txt "another study"

# A run of a grid that fails: status 1 and the reason in the results, or regression.
fails=(--set 'uncertainty={bodies.bob.mass: {law: normal, mean: 2, std: 1}}' --set study.chaos.degree=5)
expect 1 run chaos.yaml -o failed "${fails[@]}"
says stderr.txt "no point of a grid can be left out"
ncdump -h failed/results.nc >header.txt
says header.txt "chaos_failure = "
! grep -q "_mean(" header.txt || fail "statistics without a fit"
expect 0 run chaos.yaml -o failed "${fails[@]}" --resume --set study.chaos.on_failure=regression \
  --set study.max_failed=0.5
says stdout.txt "70 realisations, 0 computed"
says stderr.txt "regression on the others took the place of the grid"
ncdump -h failed/results.nc >header.txt
says header.txt "regression on the others"

# Refusals, with the reason.
expect 2 run chaos.yaml -o no -n 10
says stderr.txt "study: realizations = 10, must be left out: the points of polynomial chaos"
expect 2 run chaos.yaml -o no --set 'uncertainty.bob.inertia={delta: 0.2, sampler: metropolis}'
says stderr.txt "bodies.bob.inertia is drawn by a Markov chain"
expect 2 check chaos.yaml --set uncertainty.bob.center_of_mass.sampler=metropolis
says stderr.txt "drawn by a Markov chain"
expect 2 run chaos.yaml -o no --set study.chaos.degree=40
says stderr.txt "41^4"
absent no

# Points of a sweep have the same polynomials.
expect 0 sweep chaos.yaml -o swept_steps --vary simulation.step=1e-3,5e-4
ncdump -h swept_steps/results.nc >header.txt
says header.txt "tip_acceleration_chaos("

# MPI ranks share the runs, with the same bits.
[[ $(ldd "$TUMBLE") == *libmpi* ]] || { echo "built without MPI: ranks not tested" && exit 0; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export TMPDIR=$work
timeout 60 mpirun -n 2 "$TUMBLE" run chaos.yaml -o ranks >stdout.txt 2>stderr.txt || fail "2 ranks"
[ "$(hash_of ranks)" = "$whole" ] || fail "2 ranks: other bits"

# Whether samples of 1/M have a finite variance does not matter to polynomials.
heavy=(--set 'uncertainty={bob: {mass: {cv: 0.6}}}' --set study.chaos.degree=3)
expect 0 run chaos.yaml -o light "${heavy[@]}" --no-report
! grep -q "E{M^-4}" stderr.txt || fail "a warning about samples that are not drawn"
expect 0 run chaos.yaml -o drawn "${heavy[@]}" --no-report --set 'study={method: monte-carlo, realizations: 64}'
says stderr.txt "E{M^-4} is infinite"
