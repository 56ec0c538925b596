# A study on a disk that is full: status 3 and a study that can be resumed, wherever the room ends. On
# small disks in memory, which a mount namespace of this test's own makes possible; where that is not
# allowed, study_accidents.sh has done the same with a limit on the size of files.
set -euo pipefail
if [ "${1:-}" != mounted ]; then
  for namespace in "unshare --mount" "unshare --user --map-root-user --mount"; do
    if $namespace sh -c "mount -t tmpfs -o size=64k none /mnt" 2>/dev/null; then
      exec $namespace bash "$0" mounted
    fi
  done
  echo "no mounts allowed here"
  exit 0
fi
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
study=(--set study.store=all --no-report)

expect 0 run swing.yaml -o whole "${study[@]}"
whole=$(hash_of whole)
mkdir disk
ended_in=()
for size in 64k 200k 400k 800k 1200k 1600k 2000k 8m; do
  mount -t tmpfs -o size=$size none disk
  status=0
  "$TUMBLE" run swing.yaml -o disk/out "${study[@]}" >stdout.txt 2>stderr.txt || status=$?
  case $status in
    0) only disk/out results.nc study.journal ;;
    3)
      says stderr.txt "No space left on device"
      only disk/out study.journal
      ;;
    *) fail "a disk of $size gives $status" ;;
  esac
  ended_in+=("$status:$(grep -oE "study.journal|results.nc" stderr.txt | head -n 1 || true)")
  mount -o remount,size=100m disk
  expect 0 run swing.yaml -o disk/out --resume "${study[@]}"
  [ "$(hash_of disk/out)" = "$whole" ] || fail "other bits after a full disk of $size"
  umount disk
done
# All three were met: no room for blocks, none for the results, enough.
for kind in 3:study.journal 3:results.nc 0:; do
  [[ " ${ended_in[*]} " == *" $kind "* ]] || fail "no disk ended with $kind: ${ended_in[*]}"
done
