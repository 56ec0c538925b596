# Shared by ./quickstart and ./test; source it from the top of the repository. Every piece of work
# is announced by `step`, and when a command fails the step it belonged to is named.

set -euo pipefail

current_step="starting"

step() {
  current_step="$1"
  printf '\n==> %s\n' "$current_step"
}

on_exit() {
  local status=$?
  if [ "$status" -ne 0 ]; then
    printf '\n%s: failed at the step: %s (status %s)\n' "${0##*/}" "$current_step" "$status" >&2
  fi
}
trap on_exit EXIT

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "not root and no sudo; as root, run: $*" >&2
    return 1
  fi
}

# Whether there is a node that builds the report's page, from wherever it came.
has_node() {
  command -v npm >/dev/null && command -v node >/dev/null &&
    node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)'
}

# The packages of packages.txt that are not installed, one per line.
missing_packages() {
  local package
  sed -e 's/#.*//' packages.txt | while read -r package; do
    [ -n "$package" ] || continue
    case "$package" in
      nodejs | npm) ! has_node || continue ;;
      libsimde-dev) [ "$(dpkg --print-architecture)" = arm64 ] || continue ;;
    esac
    # Without a pipe into grep -q, which would end the writer and, with pipefail, count as missing.
    [ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" = "install ok installed" ] ||
      echo "$package"
  done
}

install_packages() {
  step "Install the missing Debian packages of packages.txt"
  local missing
  mapfile -t missing < <(missing_packages)
  if [ "${#missing[@]}" -eq 0 ]; then
    echo "nothing is missing"
    return
  fi
  echo "missing: ${missing[*]}"
  as_root apt-get update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# build_preset PRESET [TARGET...]: all targets when none is named.
build_preset() {
  local preset="$1"
  shift
  step "Configure the $preset build"
  cmake --preset "$preset"
  step "Build $preset${*:+: $*}"
  cmake --build --preset "$preset" --parallel "$(nproc)" ${*:+--target "$@"}
}
