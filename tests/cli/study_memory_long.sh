# Memory does not grow with the number of realisations: the peak of a million pendulums is that of a
# hundred thousand, within 5 % or 8 MiB. So it is when the study is resumed, and with failures. The
# page is measured by itself: HDF5 keeps an index of the chunks it has read, some MiB for a million
# realisations, and so it does for what a study writes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
{
  pendulum
  echo 'study: {method: table, file: rows.csv, quantile_method: sketch, max_failed: 1}'
} >swing.yaml
/usr/bin/python3 -c '
print("bodies.bob.mass,bodies.bob.position[0]")
for i in range(1_000_000):
    mass = -1 if i % 50 == 49 else 1 + (i * 37 % 10007) / 5000
    print(f"{mass},{0.4 + (i * 53 % 9973) / 50000}")' >rows.csv

# peak N ARGUMENTS...: peak resident size in KiB of a study of N.
peak() {
  local n=$1
  shift
  peak_of run swing.yaml -o "out$n" -n "$n" --no-report "$@"
}

# peak_of ARGUMENTS...: peak resident size of the program in KiB.
peak_of() {
  /usr/bin/python3 - "$TUMBLE" "$@" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}

same() {
  echo "$1: $2 KiB and $3 KiB"
  /usr/bin/python3 -c '
import sys
few, many = map(int, sys.argv[1:])
sys.exit(many > few + max(few // 20, 8192))' "$2" "$3" || fail "$1: memory grows"
}

few=$(peak 100000)
many=$(peak 1000000)
same "1e5 and 1e6 realisations" "$few" "$many"
same "their pages" "$(peak_of report out100000)" "$(peak_of report out1000000)"
rm out1000000/results.nc
same "1e6 realisations, resumed at the end" "$few" "$(peak 1000000 --resume)"
