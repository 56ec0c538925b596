# Every example runs, and does what its comments say.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
examples=${TUMBLE_SOURCE_DIR:?the top of the repository}/examples

found=0
while read -r model; do
  found=$((found + 1))
  expect 0 check "$model"
  name=$(basename "$model" .yaml)
  [ ! -e "results/$name" ] || name=$(basename "$(dirname "$model")")-$name
  few=()
  # A thousand flexible double pendulums are compared elsewhere.
  # Nor are cars and oscillators needed by the thousand here.
  case "$model" in
  */double-pendulum-mc.yaml | */road.yaml | */oscillator.yaml) few=(-n 64) ;;
  */double-pendulum-multilevel.yaml | */case4-multilevel.yaml) few=(-n 64 --set study.multilevel.target.relative_error=0.1) ;;
  esac
  expect 0 run "$model" -o "results/$name" --csv "${few[@]}"
  # What is said about laws, fields and inputs is meant for the user.
  if grep -Evq '^tumble: (warning: |note: inputs keep |note: [0-9]+ of [0-9]+ conditions |field |matrix |[^ ]*: of its law )' stderr.txt; then fail "$model: noise on standard error"; fi
done < <(find "$examples" -name '*.yaml' | sort)
[ "$found" -ge 6 ] || fail "only $found examples were found"

# holds WHAT FILE PROGRAM: the awk program, run on each row after the header, must not set `bad`.
# c["name"] is the number of a column, unit left out.
holds() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[.*/, "", $i); c[$i] = i } next }
           function size(x) { return x < 0 ? -x : x }
           function column(name) { if (!(name in c)) { print "no column " name; exit 3 } return $c[name] }
           { '"$3"' }
           bad { print "row " NR ": " $0; exit 2 }' "$2" >&2 || fail "$2: $1"
}

# Integration errors at the steps of the examples; a step twice as large gives four times as much.
holds "energy of the pendulum stays zero" results/pendulum/energy.csv \
  'bad = size(column("total_energy")) > 5e-4'
awk -F, 'NR > 1 && $3 > top { top = $3 } END { exit !(top > 5.420 && top < 5.4255) }' \
  results/pendulum/hinge.csv || fail "the pendulum's largest rate is not sqrt(3 g / l) = 5.425 rad/s"
holds "energy of the double pendulum stays zero" results/double-pendulum/energy.csv \
  'bad = size(column("total_energy")) > 5e-4'
holds "energy of the top stays" results/heavy-top/whole.csv \
  'e = column("total_energy"); if (NR == 2) e0 = e; bad = size(e - e0) > 1e-3'
holds "vertical angular momentum of the top stays" results/heavy-top/whole.csv \
  'l = column("angular_momentum_z"); if (NR == 2) l0 = l; bad = size(l - l0) > 2e-3'
# No torque acts about the axis of symmetry, and the method keeps that exactly.
holds "spin of the top stays" results/heavy-top/center.csv \
  'bad = size(column("angular_velocity_body_y") - 150) > 1e-9'

# Friction turns the tippe-top over: the end of its stem comes to be below the plane its ball rolls on.
awk -F, 'NR == 2 { start = $4 } END { exit !(start > 0.045 && $4 < 0) }' results/tippe-top/stem.csv || fail "the tippe-top does not turn over"
holds "the bouncing ball stays above its plate, but for the penetration" results/bouncing-ball/ball.csv \
  'bad = column("position_z") < 0.016'

# The slider is where the constraints put it: closed form, to rounding if Newton is asked for that.
expect 0 run "$examples/classics/slider-crank.yaml" -o results/exact --csv \
  --set simulation.newton_tolerance=1e-10
holds "slider" results/exact/slider.csv \
  'a = 50 * column("time"); x = 0.1 * cos(a) + sqrt(0.09 - 0.01 * sin(a) ^ 2);
   bad = size(column("position_x") - x) > 1e-12 || size(column("position_z")) > 1e-12'

# The long run begins as the short one does, bit for bit, and comes to rest 10 mm higher.
cmp <(head -n 302 results/nominal-long/pobs.csv) results/nominal/pobs.csv ||
  fail "nominal-long differs from nominal in its first 0.03 s"
holds "the five bodies stay in their plane" results/nominal-long/pobs.csv \
  'bad = size(column("position_y") + 1) > 1e-12 || size(column("euler_123_x")) > 1e-12 ||
         size(column("euler_123_z")) > 1e-12'
holds "the five bodies come to rest" results/nominal-long/pobs.csv \
  'bad = column("time") > 0.08 && (size(column("position_z") - 0.51) > 1e-5 ||
                                   size(column("velocity_z")) > 1e-6)'

# The nominal car rests until its front wheels meet the bump; its tyres never pull, nor do those of
# nineteen in twenty cars with other loads.
holds "the nominal car rests before the bump" results/passengers/car.csv \
  'bad = column("time") < 2 && (size(column("position_z") - 0.55) > 1e-9 ||
                                size(column("euler_123_y")) > 1e-9)'
holds "the tyre of the nominal car stays on the road" results/passengers/tyre_fl.csv \
  'bad = column("force_z") <= 0'
/usr/bin/python3 - results/passengers/results.nc <<'PYTHON' || fail "the cars with other loads"
import sys
import netCDF4
import numpy
with netCDF4.Dataset(sys.argv[1]) as file:
    file.set_auto_mask(False)
    assert file.failed == 0 and file.realizations == 1000
    for tyre in ("tyre_fl", "tyre_rl"):
        assert file.variables[tyre + "_force_quantile"][0, :, 2].min() > 0
    names = [str(name) for name in file.variables["input"][:]]
    column = {name: file.variables["inputs"][:, i] for i, name in enumerate(names)}
# One draw for the dampers and for the tyres of an axle; 0.7 between axles, within 5 standard errors.
dampers = [column[f"forces.strut_{corner}.damping"] for corner in ("fl", "fr", "rl", "rr")]
assert all((dampers[0] == other).all() for other in dampers[1:])
front, rear = column["forces.tyre_fl.stiffness[2]"], column["forces.tyre_rl.stiffness[2]"]
assert (front == column["forces.tyre_fr.stiffness[2]"]).all()
assert abs(numpy.corrcoef(front, rear)[0, 1] - 0.7) < 5 * (1 - 0.7**2) / 1000**0.5
PYTHON

# Controllers bring their machines where they should be.
holds "the pole stands, and the cart is back" results/cart-pole/hinge.csv \
  'bad = column("time") > 3.9 && size(column("angle")) > 0.02'

# Couplers: Willis' formula, a thread, equal speeds of two shafts.
paste -d, results/planetary-gear/sun.csv results/planetary-gear/carrier.csv | awk -F, 'NR > 1 && ($2 - 3.2 * $5 > 1e-6 || 3.2 * $5 - $2 > 1e-6) { exit 1 }' ||
  fail "the sun does not turn 3.2 times as far as the carrier"
holds "the nut moves 6 mm a turn" results/screw-jack/nut.csv \
  'bad = size(column("displacement_z") - 0.006 * column("angle") / 6.283185307179586) > 1e-9'
holds "the shaft behind a constant velocity joint has the speed of the motor" results/drive-shaft/shaft.csv \
  'bad = size(sqrt(column("angular_velocity_body_x")^2 + column("angular_velocity_body_y")^2) - 20) > 1e-6'
