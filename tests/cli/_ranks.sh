# Several ranks of the program, for scripts that source this; these end here if it was built without MPI.
[[ $(ldd "$TUMBLE") == *libmpi* ]] || { echo "built without MPI: ranks not tested" && exit 0; }

# More ranks than cores, in a container, as root, without taking the cores while they wait.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_odls_base_sigkill_timeout=0  # mpirun gives the others a second to end; they need none
export TMPDIR=$work

# ranks STATUS NUMBER ARGUMENTS...: what `expect` is for one process.
ranks() {
  local wanted=$1 number=$2 status=0
  shift 2
  timeout 60 mpirun -n "$number" "$TUMBLE" "$@" >stdout.txt 2>stderr.txt || status=$?
  [ "$status" -eq "$wanted" ] || fail "$number ranks, tumble $*: status $status, not $wanted"
}
