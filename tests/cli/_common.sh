# What the tests of the command line share. Sourced after `set -euo pipefail`; needs $TUMBLE.
: "${TUMBLE:?the program to test}"
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
# Two programs that make Open MPI's folder in /tmp at the same moment are in each other's way.
export OMPI_MCA_orte_tmpdir_base=$work

fail() {
  echo "FAILED: $*" >&2
  [ ! -s stdout.txt ] || { echo "standard output:" && cat stdout.txt; } >&2
  [ ! -s stderr.txt ] || { echo "standard error:" && cat stderr.txt; } >&2
  exit 1
}

# expect STATUS ARGUMENTS...: runs the program; what it prints is in stdout.txt and stderr.txt.
expect() {
  local wanted=$1 status=0
  shift
  "$TUMBLE" "$@" >stdout.txt 2>stderr.txt || status=$?
  [ "$status" -eq "$wanted" ] || fail "tumble $*: status $status, not $wanted"
}

# says FILE TEXT: the file holds the text.
says() {
  grep -qF -- "$2" "$1" || fail "$1 does not say: $2"
}

absent() {
  local path
  for path in "$@"; do
    [ ! -e "$path" ] || fail "$path exists"
  done
}

# only DIR NAMES...: these files and no others, hidden ones included.
only() {
  local dir=$1
  shift
  [ "$(ls -A "$dir" | sort)" = "$(printf '%s\n' "$@" | sort)" ] || fail "$dir holds: $(ls -A "$dir")"
}

# A body on a hinge, and a probe of it.
pendulum() {
  cat <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  tip: {body: bob, point: [1, 0, 0], quantities: [position, acceleration, orientation]}
  all: {system: true, quantities: [total_energy]}
simulation: {duration: 0.1, step: 1e-3, output_step: 0.01}
YAML
}
pendulum >pendulum.yaml

# uncertain_pendulum: a study of 120 of them that differ in where the bob is, all of which are kept.
uncertain_pendulum() {
  pendulum
  cat <<'YAML'
uncertainty:
  bodies.bob.position[0]: {law: uniform, min: 0.4, max: 0.6}
study: {method: monte-carlo, realizations: 120, seed: 3, store: all}
YAML
}
