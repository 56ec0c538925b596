# Studies under Slurm: munged, slurmctld and two slurmd on the loopback of a world of its own, and the batch scripts of
# examples/clusters as they are. All give the bits of one plain run, also when tasks are stopped, requeued or cancelled.
#
# Needs root, slurm-wlm and iproute2; skipped without them, or where namespaces are refused.
set -euo pipefail
for tool in munged slurmctld slurmd sbatch srun squeue scancel scontrol sinfo; do
  command -v "$tool" >/dev/null || { echo "no $tool (apt-get install slurm-wlm iproute2): not tried" && exit 77; }
done
# The root of a user's own namespace is not enough: daemons of Slurm set their groups.
[ "$(id -u)" -eq 0 ] || { echo "not root: not tried" && exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/_own_world.sh"
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
scripts=$TUMBLE_SOURCE_DIR/examples/clusters
mkdir -p bin state tmp.n1 tmp.n2
ln -s "$(realpath "$TUMBLE")" bin/tumble
export PATH=$work/bin:$PATH

# Two nodes of four cores each, whatever the machine has. A directory for temporary files of its own lets both have the
# sockets of PMIx; credentials that expire soon let requeued jobs start again soon.
hostname tumble-test
echo "127.0.0.1 localhost tumble-test" >hosts
mount --bind hosts /etc/hosts
ip link add eth0 type veth peer name eth1  # names are not looked up on a machine that has the loopback alone
ip address add 10.0.0.1/24 dev eth0
ip link set eth0 up
ip link set eth1 up
head -c 128 /dev/urandom >munge.key
chmod 600 munge.key
cat >slurm.conf <<CONF
ClusterName=tumble
SlurmctldHost=tumble-test(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket,cred_expire=10
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
TmpFS=$work/tmp.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=5
NodeName=n1 NodeHostname=tumble-test NodeAddr=127.0.0.1 Port=6821 CPUs=4
NodeName=n2 NodeHostname=tumble-test NodeAddr=127.0.0.1 Port=6822 CPUs=4
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
export SLURM_CONF=$work/slurm.conf
daemons=()
trap 'kill "${daemons[@]}" 2>/dev/null; wait; rm -rf "$work"' EXIT
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
  --log-file="$work/munged.log" --seed-file="$work/munged.seed" >munged.txt 2>&1 &
daemons+=($!)
slurmctld -D >slurmctld.txt 2>&1 &
daemons+=($!)
slurmd -D -N n1 >slurmd1.txt 2>&1 &
daemons+=($!)
slurmd -D -N n2 >slurmd2.txt 2>&1 &
daemons+=($!)
idle() { [ "$(timeout 5 sinfo -h -N -t idle 2>/dev/null | wc -l)" -eq 2 ]; }
until idle || [ "$SECONDS" -gt 120 ]; do
  kill -0 "${daemons[@]}" 2>/dev/null || break  # one has given up
  sleep 0.2
done
if ! idle; then
  tail -n 5 munged.txt slurmctld.txt slurmd1.txt slurmd2.txt >stderr.txt
  fail "the nodes are not there"
fi

# What one run makes of the study there.
expect 0 run "$scripts/study.yaml" -o whole --no-report
whole=$(hash_of whole)

# folder NAME [SED]: a folder with the scripts as they are and the study, which sed may change; and goes there.
folder() {
  mkdir "$work/$1"
  cd "$work/$1"
  cp "$scripts"/* .
  sed -i "${2:-}" study.yaml
}
# printed: what the jobs of this folder printed, for messages of failure.
printed() { cat ./*-*.txt >stderr.txt 2>/dev/null || true; }
# all_done SECONDS: no job is left in the queue.
all_done() {
  for _ in $(seq $(($1 * 5))); do
    [ -n "$(squeue -h)" ] || return 0
    sleep 0.2
  done
  { squeue && cat ./*-*.txt; } >stdout.txt 2>&1 || true
  fail "jobs are still there after $1 s"
}
same_bits() {
  [ -s out/results.nc ] || { printed && fail "$1: no results"; }
  [ "$(hash_of out)" = "$2" ] || fail "$1: other bits than one run"
}

# A job array, and the job that waits for it.
folder array
sh submit >stdout.txt
all_done 300
same_bits "a job array" "$whole"
cat study-*.txt >said.txt
[ "$(grep -c "^shard [0-9]*/10 on n[12], attempt 1$" said.txt)" -eq 10 ] || fail "not ten shards: $(cat said.txt)"
grep -q "on n1" said.txt && grep -q "on n2" said.txt || fail "not on both nodes: $(cat said.txt)"
says merge-*.txt "1280 realisations, 0 computed"

# Shards as the tasks of one job.
folder shards
sbatch shards.sbatch >stdout.txt
all_done 300
same_bits "shards by srun" "$whole"
[ "$(echo parts/*)" = "parts/1 parts/2 parts/3 parts/4" ] || fail "not four shards: $(echo parts/*)"

# MPI ranks, by srun and by mpirun.
if [[ $(ldd "$TUMBLE") == *libmpi* ]]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
  export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
  srun --mpi=list >stdout.txt 2>&1
  says stdout.txt pmix
  folder ranks
  sbatch ranks.sbatch >stdout.txt
  all_done 300
  same_bits "MPI ranks by srun" "$whole"
  ncdump -h out/results.nc >header.txt
  says header.txt ":ranks = 2LL"
  says header.txt ":threads = 4LL"

  folder mpirun
  sed -i 's/^srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK"/mpirun/' ranks.sbatch
  grep -q "^mpirun " ranks.sbatch || fail "no srun to replace"
  sbatch ranks.sbatch >stdout.txt
  all_done 300
  same_bits "MPI ranks by mpirun" "$whole"
  ncdump -h out/results.nc >header.txt
  says header.txt ":ranks = 2LL"
else
  echo "built without MPI: ranks not tested"
fi

# A longer study, of which tasks do not end as they should.
longer='s/duration: 1,/duration: 20,/; s/output_step: 0.02/output_step: 0.5/'
folder longer "$longer"
expect 0 run study.yaml -o whole --no-report
longer_hash=$(hash_of whole)
# begun DIR: a block of it is finished.
begun() {
  for _ in $(seq 1200); do
    [ "$(stat -c %s "$1/study.journal" 2>/dev/null || echo 0)" -gt 4000 ] && return
    sleep 0.05
  done
  printed && fail "$1 does not begin"
}

# Slurm's warning that the time is nearly up, to the steps of a task as --signal has it: stopped in order, back in the queue.
folder warned "$longer"
array=$(sbatch --parsable --array=1-2 --cpus-per-task=1 array.sbatch)
sbatch --dependency=afterok:"$array" merge.sbatch >stdout.txt
begun parts/2
scancel --signal=USR1 "${array}_2"
all_done 600
same_bits "a task that was warned" "$longer_hash"
says "study-$array-2.txt" "attempt 2"
[ "$(grep -c "attempt" "study-$array-1.txt")" -eq 1 ] || fail "the other task did not end at once"

# So it is with ranks.
if [[ $(ldd "$TUMBLE") == *libmpi* ]]; then
  folder warned-ranks "$longer"
  job=$(sbatch --parsable --cpus-per-task=1 ranks.sbatch)
  begun out
  scancel --signal=USR1 "$job"
  all_done 600
  same_bits "ranks that were warned" "$longer_hash"
  [ "$(grep -c "computed in" "ranks-$job.txt")" -eq 1 ] && ! grep -q " 1280 computed" "ranks-$job.txt" || { printed && fail "ranks were not stopped and resumed"; }
fi

# One that is cancelled stays away, what depends on the array does not start, and it can be submitted by itself.
folder cancelled "$longer"
array=$(sbatch --parsable --array=1-2 --cpus-per-task=1 array.sbatch)
merge=$(sbatch --parsable --dependency=afterok:"$array" merge.sbatch)
begun parts/1
scancel "${array}_1"
for _ in $(seq 3000); do
  squeue -h -j "$merge" -o "%T %r" >stdout.txt
  ! grep -qF "PENDING DependencyNeverSatisfied" stdout.txt || break
  sleep 0.2
done
says stdout.txt "PENDING DependencyNeverSatisfied"
scancel "$merge"
absent out
expect 2 merge parts/1 parts/2 -o out
says stderr.txt "parts/1 is not finished: it has"
SHARDS=2 sbatch --array=1 --cpus-per-task=1 array.sbatch >stdout.txt
all_done 600
expect 0 merge parts/1 parts/2 -o out --no-report
same_bits "a task that was cancelled" "$longer_hash"

# One that an administrator requeues while it runs, which kills it.
folder requeued "$longer"
array=$(sbatch --parsable --array=1-2 --cpus-per-task=1 array.sbatch)
sbatch --dependency=afterok:"$array" merge.sbatch >stdout.txt
begun parts/1
scontrol requeue "${array}_1"
all_done 600
same_bits "a task that was requeued" "$longer_hash"
says "study-$array-1.txt" "attempt 2"

echo "Slurm $(slurmd -V | cut -d' ' -f2): all as one run"
