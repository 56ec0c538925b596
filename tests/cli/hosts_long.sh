# MPI ranks on several hosts: network namespaces with an address each, joined by a bridge, between which everything goes over
# TCP. They give the bits of one plain run; when a host is lost, the study ends, and goes on on those that are left.
#
# Needs iproute2 and mpirun; skipped without them, or where namespaces are refused.
set -euo pipefail
command -v mpirun >/dev/null || { echo "no mpirun: not tried" && exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/_own_world.sh"
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_ranks.sh"
# One thread a rank, so that a study lasts a while on any machine.
mkdir bin
printf '#!/bin/sh\nexec "%s" "$@" --threads 1\n' "$(realpath "$TUMBLE")" >bin/tumble
chmod +x bin/tumble
export PATH=$work/bin:$PATH

# Three hosts, 10.0.0.1 to 10.0.0.3, on a switch. Names of namespaces are files in /run, which here is ours alone.
mount -t tmpfs tmpfs /run
ip link add switch type bridge
ip link set switch up
for i in 1 2 3; do
  ip netns add "host$i"
  ip link add "port$i" type veth peer name eth0 netns "host$i"
  ip link set "port$i" master switch up
  ip -n "host$i" address add "10.0.0.$i/24" dev eth0
  ip -n "host$i" link set eth0 up
  ip -n "host$i" link set lo up
done

# on HOST COMMAND...: there, where the host has its own name, too.
cat >bin/on <<'SH'
#!/bin/sh
host=host${1##*.}
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host && exec $*"
SH
chmod +x bin/on
# `on` stands for ssh, and ranks talk by TCP over the one interface: all of them share a memory that hosts would not.
export OMPI_MCA_plm_rsh_agent=on OMPI_MCA_btl=tcp,self
export OMPI_MCA_oob_tcp_if_include=eth0 OMPI_MCA_btl_tcp_if_include=eth0
# study NUMBER: `hosts` lists that many, and the script of the guide starts on the first of them.
study() {
  for ((i = 1; i <= $1; i++)); do echo "10.0.0.$i slots=1"; done >hosts
  timeout 900 on 10.0.0.1 "$TUMBLE_SOURCE_DIR/examples/clusters/run-on-hosts" >stdout.txt 2>stderr.txt
}
# carried HOST: bytes that its interface sent.
carried() { ip netns exec "$1" cat /sys/class/net/eth0/statistics/tx_bytes; }

# Thirty times the work of the study as it is.
sed 's/realizations: 1280/realizations: 3840/; s/duration: 1,/duration: 10,/; s/output_step: 0.02/output_step: 0.2/' \
  "$TUMBLE_SOURCE_DIR/examples/clusters/study.yaml" >study.yaml
grep -q "realizations: 3840" study.yaml && grep -q "duration: 10," study.yaml || fail "the example is another one"
expect 0 run study.yaml -o whole --no-report
whole=$(hash_of whole)

for number in 2 3; do
  rm -rf out
  before=$(carried host2)
  study "$number" || fail "$number hosts: status $?"
  [ "$(hash_of out)" = "$whole" ] || fail "$number hosts: other bits than one run"
  ncdump -h out/results.nc >header.txt
  says header.txt ":ranks = ${number}LL"
  # What host 2 computed went to host 1 over its interface: six numbers at 51 times are 2448 bytes of a realisation.
  sent=$(($(carried host2) - before))
  [ "$sent" -gt 1000000 ] || fail "host 2 sent only $sent bytes"
done

# lost_by COMMAND...: the study runs on three hosts, and after its first blocks the command makes the third of them go.
lost_by() {
  local status=0
  rm -rf out
  study 3 &
  job=$!
  for _ in $(seq 1500); do
    [ "$(stat -c %s out/study.journal 2>/dev/null || echo 0)" -gt 100000 ] && break
    sleep 0.02
  done
  "$@"
  wait "$job" || status=$?
  [ "$status" -ne 0 ] && [ "$status" -ne 124 ] || fail "$*: status $status of a study that lost a host"
  absent out/results.nc
  for _ in $(seq 300); do
    [ -n "$(ip netns pids host2)$(ip netns pids host3)" ] || break
    sleep 0.1
  done
  [ -z "$(ip netns pids host2)$(ip netns pids host3)" ] || fail "$*: ranks are left behind"
  study 2 || fail "$*: not resumed, status $?"
  ! grep -q "3840 computed" stdout.txt || fail "$*: finished blocks were computed again"
  [ "$(hash_of out)" = "$whole" ] || fail "$*: resumed to other bits"
}
killed() { kill -9 $(ip netns pids host3); }
# A cable pulled: nobody hears that the host is gone, until probes of the connection stay unanswered.
pulled() { ip link set port3 down; }
lost_by killed
lost_by pulled
ip link set port3 up
rm -rf out
study 3 || fail "three hosts again: status $?"
[ "$(hash_of out)" = "$whole" ] || fail "three hosts again: other bits"
echo "two and three hosts, $(mpirun --version | head -n 1): all as one run"
