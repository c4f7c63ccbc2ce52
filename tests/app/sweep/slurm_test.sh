#!/usr/bin/env bash
# slurm_test.sh HEADROOM CHECKOUT: on a Slurm of its own, an array job, one task of which is signalled in the middle and
# comes back, and an MPI job, which is signalled and comes back too; the results of both equal those of a run without
# Slurm. Needs root, slurm-wlm, munge and Open MPI's mpirun; exits 77 without them.
set -euo pipefail
headroom=$(realpath "$1")
checkout=$(realpath "$2")
[[ $(id -u) == 0 ]] && command -v munged slurmctld slurmd sbatch mpirun >/dev/null || exit 77

work=$(mktemp -d /tmp/headroom-slurm.XXXXXX)
chmod 755 "$work"
pids=()
stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap stop EXIT
export SLURM_CONF=$work/slurm.conf HEADROOM=$headroom

fail() {
  echo "$*" >&2
  tail -n 20 "$work"/*.log "$work"/*.out >&2 || true
  exit 1
}
# until_true SECONDS COMMAND...: tries again and again.
until_true() {
  local tries=$(($1 * 5))
  shift
  until "$@" >/dev/null 2>&1; do
    ((tries-- > 0)) || return 1
    sleep 0.2
  done
}

host=$(hostname -s)
port=$((20000 + $$ % 20000))
head -c 1024 /dev/urandom >"$work/munge.key"
chmod 400 "$work/munge.key"
mkdir -p "$work/state" "$work/spool"
cat >"$SLURM_CONF" <<END
ClusterName=headroom
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=requeue_setup_env_fail
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
munged --force --foreground --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
  --log-file="$work/munged.log" --seed-file="$work/munge.seed" >>"$work/munged.log" 2>&1 &
pids+=($!)
until_true 10 test -S "$work/munge.socket" || fail "munged does not answer"
slurmctld -D -f "$SLURM_CONF" >"$work/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" >"$work/slurmd.log" 2>&1 &
pids+=($!)
idle() { [[ $(sinfo -h -o %T) == idle ]]; }
until_true 30 idle || fail "the node does not come up: $(sinfo 2>&1)"

cat >"$work/grid.toml" <<'END'
trials = 20000
exclude = ["top >= length"]
[axes]
length = [64, 128, 256, 512]
top = [1, 8, 100]
[constants]
dim = 64
END
"$headroom" sweep "$work/grid.toml" -o "$work/whole" 2>/dev/null

job=$(sbatch --parsable --array=1-2 --chdir="$work" --output="$work/task-%a.out" \
  "$checkout/scripts/slurm/array.sbatch" "$work/grid.toml" "$work/out") || fail "the job was not accepted"
# As soon as the first task is at work it gets what a task gets before its time is up.
until_true 30 grep -q pid "$work/out/lock-1-of-2" || fail "the first task does not start"
scancel --batch --signal=TERM "${job}_1"
empty() { [[ -z $(squeue -h) ]]; }
# same_results FOLDER OTHER
same_results() {
  "$headroom" results export "$work/$1" --to "$work/$1.csv"
  "$headroom" results export "$work/$2" --to "$work/$2.csv"
  cmp "$work/$1.csv" "$work/$2.csv" || fail "the results of $2 differ"
}
# comes_back JOB: until a job that was requeued has ended again. It waits for two minutes unless it is told not to, but
# what starts in the second in which it was stopped counts as stopped.
comes_back() {
  pending() { [[ -n $(squeue -h -t PENDING -j "$1") ]]; }
  until_true 60 pending "$1" || fail "job $1 does not come back: $(squeue)"
  sleep 2
  until_true 60 eval "scontrol update JobId=$1 StartTime=now; empty" || fail "job $1 does not end: $(squeue)"
}
comes_back "${job}_1"
grep -q "goes back into the queue" "$work/task-1.out" || fail "the first task was not stopped in the middle"
same_results whole out

sed 's/trials = 20000/trials = 60000/' "$work/grid.toml" >"$work/longer.toml"
"$headroom" sweep "$work/longer.toml" -o "$work/longer" 2>/dev/null
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
job=$(sbatch --parsable --ntasks=2 --chdir="$work" --output="$work/mpi.out" \
  "$checkout/scripts/slurm/mpi.sbatch" "$work/longer.toml" "$work/mpi") || fail "the MPI job was not accepted"
until_true 30 grep -q pid "$work/mpi/lock" || fail "the MPI job does not start"
scancel --batch --signal=TERM "$job"
comes_back "$job"
grep -q "goes back into the queue" "$work/mpi.out" || fail "the MPI job was not stopped in the middle"
same_results longer mpi
echo "an array job with a task that was stopped and came back, and an MPI job that was, have the results of one run"
