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
  expect 0 run "$model" -o "results/$name" --csv
  [ ! -s stderr.txt ] || fail "$model: noise on standard error"
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
