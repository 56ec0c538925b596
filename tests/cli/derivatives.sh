# Derivatives of a run: against differences of runs, what is written, and what is refused.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

fine=(--set simulation.newton_tolerance=1e-12)
expect 0 derivatives pendulum.yaml --of 'bodies.bob.position[0]' 'bodies.bob.inertia[1]' -o d.nc "${fine[@]}"
says stdout.txt "by bodies.bob.inertia[1]: largest over the run"
says stdout.txt "derivatives by 2 numbers: d.nc"
expect 0 run pendulum.yaml -o nominal --no-report "${fine[@]}"
for side in 0.0499 0.0501; do
  expect 0 run pendulum.yaml -o at-$side --no-report "${fine[@]}" --set "bodies.bob.inertia[1]=$side"
done
/usr/bin/python3 - <<'PYTHON' || fail "derivatives are not the limits of differences"
import netCDF4
d = netCDF4.Dataset("d.nc")
assert list(d["slot"][:]) == ["bodies.bob.position[0]", "bodies.bob.inertia[1]"], d["slot"][:]
assert list(d["slot_unit"][:]) == ["m", "kg m^2"], d["slot_unit"][:]
for name in ("tip_position", "tip_acceleration", "tip_orientation", "all_total_energy"):
    v = d[name + "_derivative"]
    assert v.dimensions[:2] == ("slot", "time"), v.dimensions
    nominal, left, right = (netCDF4.Dataset(f"{x}/results.nc")[name + "_nominal"][:] for x in ("nominal", "at-0.0499", "at-0.0501"))
    assert (d[name + "_nominal"][:] == nominal).all()
    difference = (right - left) / 0.0002
    error = abs(v[1] - difference).max()
    assert error < 2e-5 * max(1, abs(difference).max()), (name, error)
PYTHON
expect 2 derivatives pendulum.yaml --of bodies.bob.mass -o d.nc
says stderr.txt "--overwrite"
expect 0 derivatives pendulum.yaml --of bodies.bob.mass -o d.nc --overwrite
expect 2 derivatives pendulum.yaml --of bodies.bob.mas -o e.nc
says stderr.txt "did you mean 'bodies.bob.mass'?"
expect 2 derivatives pendulum.yaml -o e.nc
{ pendulum && cat <<'YAML'; } >kicked.yaml
drives:
  kick: {type: piecewise_linear, times: [0.02, 0.05], values: [0, 3]}
forces:
  push: {type: applied, body: bob, force: [0, 0, 1], drive: kick}
YAML
expect 0 derivatives kicked.yaml --of 'drives.kick.values[1]' -o kick.nc
/usr/bin/python3 -c '
import netCDF4
assert netCDF4.Dataset("kick.nc")["tip_acceleration_derivative_right"].dimensions == ("slot", "break", "axis")' ||
  fail "no right limits"
expect 2 derivatives kicked.yaml --of 'drives.kick.times[0]' -o e.nc
says stderr.txt "moves a break point of a drive"
absent e.nc
