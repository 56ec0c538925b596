# Runs whose numbers mean nothing fail and say why, alone and in studies; doubtful ones warn.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
: "${TUMBLE_SOURCE_DIR:?the sources}"
swing=$TUMBLE_SOURCE_DIR/examples/classics/pendulum.yaml

# Half a second a step: every step converges, and the energy becomes 1.6e25 J.
expect 1 run "$swing" -o coarse --set simulation.step=0.5 --set simulation.output_step=0.5 \
  --set simulation.duration=20
says stderr.txt "energy account is off from t = "
says stderr.txt "body 'rod'"
says stderr.txt "steps of 0.5 s are too large"
absent coarse

# A good run accounts for its energy, on the screen and in the file.
expect 0 run "$swing" -o good
grep -qE '^energy .* J: work of drives and loads 0 J, dissipated 0 J' stdout.txt ||
  fail "no account of the energy"
[ ! -s stderr.txt ] || fail "a good run warns"
/usr/bin/python3 - good/results.nc <<'PYTHON'
import sys
import netCDF4
with netCDF4.Dataset(sys.argv[1]) as file:
    # Released from the horizontal, the rod's m g l / 2 becomes kinetic and back; the account is
    # looked at a few times in a swing, not just when it is lowest.
    weight = 7850 * 3.14159265 * 0.01**2 * 9.81
    assert 0.95 < file.energy_exchanged / (weight / 2) < 1 + 1e-3, file.energy_exchanged
    assert file.energy_unaccounted < 1e-4 * file.energy_exchanged, file.energy_unaccounted
    assert abs(file.energy_end - file.energy_start) <= file.energy_unaccounted
    mismatch = float(file["energy_mismatch_nominal"][:])
    assert 0 < mismatch < 1e-4, mismatch
    assert file.energy_work == 0 and file.energy_dissipated == 0
    assert file.constraint_drift < 1e-12
PYTHON

# The same pendulum, spun by thousands of radians a second in a study.
{ cat "$swing" && cat <<'YAML'
uncertainty:
  bodies.rod.angular_velocity[1]: {law: normal, mean: 0, std: 5000}
study: {method: monte-carlo, realizations: 200, seed: 1}
YAML
} >spun.yaml
expect 1 run spun.yaml -o spun --no-report --lanes 4
grep -qE "failed: *[1-9]" stdout.txt || fail "no realisation failed"
says stderr.txt "realisations failed"
/usr/bin/python3 - spun/results.nc <<'PYTHON'
import sys
import netCDF4, numpy
with netCDF4.Dataset(sys.argv[1]) as file:
    file.set_auto_mask(False)
    status, time = file["status"][:], file["failure_time"][:]
    speed = numpy.abs(file["inputs"][:, 0])
    failed = status != 0
    assert failed.sum() == file.failed > 100, failed.sum()
    # Far beyond a radian a step nothing is right; a tenth of a radian a step is.
    assert failed[speed > 3000].all()
    assert not failed[speed < 100].any()
    assert (time[failed] > 0).all() and (time[failed] <= 5).all()
    assert file["count"][-1] == 200 - failed.sum()
    # Runs account for the better for their energy the slower they are, and those that fail for it did not.
    mismatch = file["energy_mismatch"][:]
    order = numpy.argsort(speed[~failed])
    assert 0 < mismatch[~failed][order[0]] < 1e-4 < 1e-3 < mismatch[~failed][order[-1]], mismatch[~failed]
    by_energy = [r for r, why in zip(file["failed_realization"][:], file["failure_reason"][:])
                 if why.startswith("the energy account is off")]
    assert len(by_energy) > 10 and (mismatch[by_energy] > 0.1).all(), mismatch[by_energy]
    assert (mismatch[~failed] <= 0.1).all(), mismatch[~failed].max()
    assert file["energy_mismatch"].units == "1"
    # What counts is no faster than the fastest that passed: v = w l at the tip.
    fastest = speed[~failed].max() + 10
    assert numpy.abs(file["tip_velocity_mean"][-1]).max() < fastest
    # Runs that fail count as long as their energy was right, whatever they failed for.
    assert numpy.abs(file["tip_velocity_mean"][:]).max() < 1.1 * speed.max() + 10
PYTHON
