# Runs the script that sources this once more, as the first process of a world of its own: network, processes, mounts and host
# name. Whatever it starts or makes there, daemons, networks, mounts, is gone when it ends, and also when it is killed.
# Sourced before _common.sh. A user who is not root is root of that world, where the system lets users have one.
if [ -z "${TUMBLE_OWN_WORLD:-}" ]; then
  world=(unshare --net --pid --mount --uts --ipc --fork --kill-child --mount-proc)
  [ "$(id -u)" -eq 0 ] || world+=(--user --map-root-user)
  command -v ip >/dev/null || { echo "no ip (iproute2): not tried" && exit 77; }
  if ! reason=$("${world[@]}" ip link set lo up 2>&1); then
    echo "no namespaces (${reason//$'\n'/; }): not tried"
    exit 77
  fi
  TUMBLE_OWN_WORLD=yes exec "${world[@]}" bash "$0"
fi
trap 'exit 130' INT TERM
ip link set lo up
