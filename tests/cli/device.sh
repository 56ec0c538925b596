# Studies on graphics processors, by a driver that is none (tests/support/fake_cuda.cpp): the bits of
# the processor, and sentences for all that can be missing or go wrong.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
export XDG_CACHE_HOME=$PWD/cache

# No driver: the study goes on, and says why not there.
export TUMBLE_CUDA_DRIVER=/no/driver.so TUMBLE_NVRTC=/no/nvrtc.so
expect 0 devices
says stdout.txt "no graphics processor: there is no CUDA driver"
expect 0 devices --json
says stdout.txt '"problem": "there is no CUDA driver'
expect 0 run swing.yaml -o cpu
cpu=$(hash_of cpu)
! grep -q "graphics" stdout.txt stderr.txt || fail "speaks of what nobody asked for"
expect 0 run swing.yaml -o without --device gpu
says stderr.txt "no graphics processor computes: there is no CUDA driver"
same() {
  [ "$(hash_of "$1")" = "${2:-$cpu}" ] || fail "$1: other bits than those of the processor"
}
same without
expect 0 run swing.yaml -o auto --device auto
[ ! -s stderr.txt ] || fail "a warning of what nobody insisted on"
expect 2 run swing.yaml -o none --device cloud
absent none

export TUMBLE_CUDA_DRIVER=$TUMBLE_FAKE_CUDA
expect 0 devices
says stdout.txt "there is no NVRTC"
expect 0 run swing.yaml -o no-compiler --device gpu
says stderr.txt "there is no NVRTC"
same no-compiler

export TUMBLE_NVRTC=$TUMBLE_FAKE_CUDA
expect 0 devices
says stdout.txt "0: fake device 0, 4.0 GiB, compute capability 9.0, 2 multiprocessors"
expect 0 devices --json
says stdout.txt '"nvrtc": "13.0"'
FAKE_CUDA="devices=0" expect 0 devices
says stdout.txt "the CUDA driver found no device"

# all NAME: every realisation of the study ran on a device.
all() {
  says stdout.txt "$1 realisations ran on fake device 0"
  says stdout.txt "; 0 on the processor"
}
expect 0 run swing.yaml -o gpu --device gpu
all 300
says stdout.txt "code compiled in"
same gpu
expect 0 run swing.yaml -o again --device gpu --threads 1 --lanes 1
all 300
says stdout.txt "code from the cache"
same again

# Two devices; one that is lost under way; all that are lost; a launch that fails.
FAKE_CUDA="devices=2" expect 0 run swing.yaml -o two --device gpu
says stdout.txt "300 realisations ran on fake device 0, fake device 1 in "
same two
FAKE_CUDA="devices=2 lose=1 lose_device=1" expect 0 run swing.yaml -o one-lost --device gpu
same one-lost
FAKE_CUDA="lose=1" expect 0 run swing.yaml -o lost --device gpu
says stdout.txt "0 realisations ran on fake device 0"
says stdout.txt "waiting for the device: unspecified launch failure (719); the study went on without it"
same lost
FAKE_CUDA="fail_launch=2" expect 0 run swing.yaml -o timeout --device gpu
says stdout.txt "launching a kernel: the launch timed out and was terminated"
same timeout

# Less memory than a batch wants, less than is said to be free, and next to none.
FAKE_CUDA="memory=6000000" expect 0 run swing.yaml -o tight --device gpu
all 300
same tight
FAKE_CUDA="memory=100000000 available=3000000" expect 0 run swing.yaml -o shared --device gpu
same shared
FAKE_CUDA="memory=100000" expect 0 run swing.yaml -o tiny --device gpu
same tiny

# A driver older than the compiler, and a compiler that refuses.
FAKE_CUDA="driver=12040" expect 0 run swing.yaml -o old --device gpu
says stderr.txt "the driver, for CUDA 12.4, is older than NVRTC 13.0"
same old
rm -r cache
FAKE_CUDA="reject=1" expect 0 run swing.yaml -o rejected --device gpu
says stderr.txt "NVRTC 13.0 cannot compile for fake device 0 (sm_90)"
same rejected

# What devices do not know stays on the processor.
expect 0 run "$TUMBLE_SOURCE_DIR/examples/wu-2016/planar-pendulum-mc.yaml" -n 8 -o beams --device gpu
says stderr.txt "no graphics processor computes: beams are left to the processor"

# Begun on the processor, extended on a device, and the reverse; machines of several bodies.
five=$TUMBLE_SOURCE_DIR/examples/batou-soize-2012/case4.yaml
expect 0 run "$five" -n 128 -o five-cpu
five_cpu=$(hash_of five-cpu)
expect 0 run "$five" -n 128 -o five --device gpu
all 128
same five "$five_cpu"
expect 0 run "$five" -n 64 -o begun --keep-journal
expect 0 run "$five" -n 128 -o begun --resume --device gpu
all 64
same begun "$five_cpu"
expect 0 run "$five" -n 64 -o there --device gpu --keep-journal
expect 0 run "$five" -n 128 -o there --resume
same there "$five_cpu"

chain=$TUMBLE_SOURCE_DIR/tests/device/chain.yaml
expect 0 run "$chain" -o chain-cpu
expect 0 run "$chain" -o chain --device gpu
says stdout.txt "128 realisations ran on"
same chain "$(hash_of chain-cpu)"
