# The Debian package in a clean root: the program runs, a project outside links, Python imports it.
#
# Needs root, mmdebstrap and a Debian mirror; skipped without them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
for tool in mmdebstrap chroot; do
  command -v "$tool" >/dev/null || { echo "no $tool: not tried" && exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "not root: not tried" && exit 77; }

build=$(dirname "$(dirname "$TUMBLE")")
cmake --build "$build" --target deb >deb.txt || fail "no package: $(tail -n 5 deb.txt)"
package=$(ls "$build"/tumble_*.deb)
mmdebstrap --quiet --variant=apt bookworm root || { echo "no Debian mirror: not tried" && exit 77; }
cp "$package" root/tumble.deb
inside() { chroot root env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get update -qq >apt.txt 2>&1 || { echo "no Debian mirror: not tried" && exit 77; }
inside apt-get install -qq -y --no-install-recommends /tumble.deb >apt.txt 2>&1 || fail "apt: $(tail -n 5 apt.txt)"

inside tumble --version | grep -q "tumble" || fail "the program does not run"
inside tumble run /usr/share/tumble/examples/classics/pendulum.yaml -o /out -q || fail "no run"
[ -s root/out/results.nc ] && [ -s root/out/report.html ] || fail "no results"
inside tumble fmu /usr/share/tumble/examples/fmu/pendulum-motor.yaml -o /motor.fmu && [ -s root/motor.fmu ] || fail "no FMU"
inside python3 -c '
import tumble
run = tumble.load("/usr/share/tumble/examples/classics/pendulum.yaml").run()
assert abs(run["tip.acceleration.z"].max() - 3 * 9.81) < 0.01' || fail "Python does not import it"
for file in man/man1/tumble-run.1.gz man/man1/tumble-run.1; do [ -e "root/usr/share/$file" ] && found=yes; done
[ "${found:-}" = yes ] || fail "no man page"

inside apt-get install -qq -y --no-install-recommends g++ cmake make pkg-config libfmt-dev libyaml-cpp-dev libnetcdf-dev \
  libhdf5-dev libtbb-dev libisal-dev libnlopt-dev libtinyxml2-dev nlohmann-json3-dev libeigen3-dev >apt.txt 2>&1 || fail "apt: $(tail -n 5 apt.txt)"
cp -r "$TUMBLE_SOURCE_DIR/examples/cpp" root/project
inside cmake -S /project -B /project/build >cmake.txt 2>&1 || fail "cmake: $(tail -n 5 cmake.txt)"
inside cmake --build /project/build >cmake.txt 2>&1 || fail "a project outside does not link: $(tail -n 5 cmake.txt)"
inside apt-get remove -qq -y tumble >apt.txt 2>&1 || fail "it cannot be removed"
[ ! -e root/usr/bin/tumble ] || fail "it stays when it is removed"
rm -rf root
