#!/bin/bash
# Workers under a real Slurm: a cluster of three nodes on this host (several slurmd), 200 points, and everything goes wrong: a
# node's slurmd is killed while its task runs, one worker is killed, one is stopped until its chunk is taken over, one is told that
# its time is over.  The merge that Slurm runs after the workers must be the result of one process, byte for byte.
#
# Needs Debian's slurm-wlm and munge (apt-get install --no-install-recommends slurm-wlm); without them, or where they do not start,
# it says why and ends with 77.  Usage: scripts/slurm-test.sh [PLUMB]
set -eu
export PLUMB_BANK=off # figures are those without a bank of runs
plumb=$(realpath "${1:-build/rel/plumb}")
fail() { echo "FAIL: $*"; exit 1; }
skip() { echo "SKIPPED: $*"; exit 77; }
for tool in munged slurmctld slurmd sbatch scontrol squeue sinfo; do
    command -v $tool > /dev/null || skip "no $tool (apt-get install --no-install-recommends slurm-wlm)"
done
base=$(mktemp -d /tmp/plumb-slurm-XXXXXX)
host=$(hostname -s)
stop_all() {
    local file pid
    for file in "$base"/run/*.pid; do [ ! -s "$file" ] || kill "$(cat "$file")" 2> /dev/null || true; done
    for pid in $(workers); do kill -9 "$pid" 2> /dev/null || true; done # that an error left behind
    sleep 1
    rm -rf "$base"
}
workers() { # the workers of this test
    local pid
    for pid in $(pgrep -f 'plumb sweep work shared.cfg --dir work'); do
        [ "$(readlink "/proc/$pid/cwd")" != "$base" ] || echo "$pid"
    done
}
trap stop_all EXIT
until_true() { # SECONDS WHAT COMMAND...
    local tries=$(($1 * 10)) what=$2
    shift 2
    while [ $tries -gt 0 ]; do
        if "$@"; then return 0; fi
        sleep 0.1
        tries=$((tries - 1))
    done
    echo "waited in vain until $what" >&2
    return 1
}

# --- the cluster
mkdir -p "$base"/{etc,run,log,spool/ctld,spool/node1,spool/node2,spool/node3}
chmod 755 "$base" "$base/run"
(umask 077 && head -c 128 /dev/urandom > "$base/etc/munge.key")
cat > "$base/etc/slurm.conf" << END
ClusterName=plumbtest
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$base/run/munge.sock
CredType=cred/munge
StateSaveLocation=$base/spool/ctld
SlurmdSpoolDir=$base/spool/%n
SlurmctldPidFile=$base/run/slurmctld.pid
SlurmdPidFile=$base/run/slurmd-%n.pid
SlurmctldLogFile=$base/log/slurmctld.log
SlurmdLogFile=$base/log/slurmd-%n.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=2
JobRequeue=1
MaxArraySize=5
SlurmdParameters=config_overrides
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=16818 CPUs=2 CoresPerSocket=2 State=UNKNOWN
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=16819 CPUs=2 CoresPerSocket=2 State=UNKNOWN
NodeName=node3 NodeHostname=$host NodeAddr=127.0.0.1 Port=16820 CPUs=2 CoresPerSocket=2 State=UNKNOWN
PartitionName=sweep Nodes=node[1-3] Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$base/etc/slurm.conf
munged --force --key-file="$base/etc/munge.key" --socket="$base/run/munge.sock" --pid-file="$base/run/munged.pid" \
    --log-file="$base/log/munged.log" --seed-file="$base/run/munge.seed" || skip "munged does not start"
slurmctld -f "$SLURM_CONF" || skip "slurmctld does not start"
for node in node1 node2 node3; do slurmd -N $node -f "$SLURM_CONF" || skip "slurmd does not start"; done
all_idle() { [ "$(sinfo -h -t idle -o %D 2> /dev/null)" = 3 ]; }
until_true 60 "three nodes are idle" all_idle || skip "the nodes do not come up: $(tail -3 "$base"/log/slurmctld.log)"

# --- the sweep, by one process and by the cluster
cd "$base"
mkdir bin && ln -s "$plumb" bin/plumb
PATH=$base/bin:$PATH
export XDG_CACHE_HOME=$base/cache
program() { # CTAS
    echo "generator = \"gather\"; ctas = $1; warps_per_cta = 4; iterations = 4; footprint = \"1MB\";" > one.cfg
}
program 64
start=$(date +%s%N)
plumb simulate rx540 one.cfg -q > /dev/null
ms=$((($(date +%s%N) - start) / 1000000 + 1))
[ $ms -ge 150 ] || program $((64 * 150 / ms)) # a run of 0.15 s at least: the faults must come before the end
cat > whole.cfg << 'END'
machine   = "rx540";
workloads = ( "one.cfg" );
axes      = ( { path = "l1.kb"; values = [8, 16, 32, 64, 128]; }, { path = "l2.bank_kb"; values = [32, 64, 128, 256, 512]; },
              { path = "dram.channels"; values = [1, 2, 4, 8]; }, { path = "l2.mshr.entries"; values = [16, 64]; } );
engine    = "simulate";
output    = "whole.db";
END
sed 's/whole/shared/' whole.cfg > shared.cfg
plumb sweep run whole.cfg -q
plumb sweep export whole.cfg --csv -o whole.csv

# The first worker sets the lease and leaves; the others come by Slurm.
plumb sweep work shared.cfg --dir work --workers 6 --lease 5 --threads 1 -q & first=$!
until_true 60 "the first worker has begun" [ -e work/claims/leader.done ] || fail "the first worker"
kill $first
wait $first || true
plumb sweep submit shared.cfg --dir work --workers 6 --slurm > submitted.txt || fail "submit: $(cat submitted.txt)"
cat submitted.txt
array=$(sed -nE 's/^submitted [0-9]+ workers as job ([0-9]+)$/\1/p' submitted.txt | paste -sd,)
merge=$(sed -nE 's/^submitted the merge after them as job ([0-9]+)$/\1/p' submitted.txt)
[[ $array == *,* ]] && [ -n "$merge" ] || # arrays of at most four tasks, as MaxArraySize says
    fail "submit: $(cat submitted.txt)"

task_on() { squeue -h -j "$array" -t running -w "$1" -o %i | sort | head -"${2:-1}" | tail -1; }
has_task() { [ -n "$(task_on "$1")" ]; }
for node in node1 node2 node3; do until_true 60 "$node has a task" has_task $node || fail "$(squeue; cat "$base"/log/slurmctld.log)"; done
holder_of() { # TASK: the process of its worker
    local pid
    for pid in $(workers); do
        if [ "$(cat "/proc/$pid/comm")" = plumb ] &&
            [ "$(tr '\0' '\n' < "/proc/$pid/environ" | grep -cx "SLURM_ARRAY_\(JOB_ID=${1%_*}\|TASK_ID=${1#*_}\)")" -eq 2 ]; then
            echo "$pid"
            return
        fi
    done
}
held_by() { grep -ls -e "-$1-" work/claims/0-*.[0-9]* | while read -r f; do [ -e "${f%.*}.done" ] || echo "$f"; done; }

lost=$(task_on node1); killed=$(holder_of "$(task_on node2)"); stopped=$(holder_of "$(task_on node3)")
[ -n "$killed" ] && [ -n "$stopped" ] || fail "no workers on node2 and node3: $(squeue)"
kill -9 "$(cat run/slurmd-node1.pid)"
scontrol update nodename=node1 state=down reason=lost
kill -9 "$killed"
kill -STOP "$stopped"
late=$(task_on node3 2)
scancel --batch --signal=USR1 "$late"
echo "lost node1 with task $lost, killed a worker on node2, stopped one on node3, told $late that its time is over"
requeued() { scontrol show job "$late" | grep -q 'Restarts=1'; }
until_true 60 "task $late is queued again" requeued || fail "$(scontrol show job "$late"; cat plumb-sweep-*.log)"
holds() { [ -n "$(held_by "$stopped")" ]; }
holds || fail "the stopped worker holds no chunk"
claim=$(held_by "$stopped" | head -1)
until_true 120 "the stopped worker's chunk is taken over" [ -e "${claim%.*}.$((${claim##*.} + 1))" ] || fail "nobody takes over"
kill -CONT "$stopped"

# A task that is queued again waits two minutes unless told not to.
ended() {
    local id
    for id in $(squeue -h -j "$array" -t pending -o %i 2> /dev/null); do
        scontrol update "jobid=$id" starttime=now 2> /dev/null || true
    done
    [ -z "$(squeue -h 2> /dev/null)" ]
}
until_true 240 "Slurm has run everything" ended || fail "$(squeue; plumb sweep status work | tail -1)"
grep -q '200 of 200 runs done, 0 failed' plumb-merge-"$merge".log || fail "merge: $(cat plumb-merge-*.log)"
plumb sweep export shared.cfg --csv | cmp - whole.csv || fail "the cluster's result is another"
plumb sweep submit shared.cfg --dir work --workers 6 --slurm > again.txt 2>&1
grep -q 'nothing is left' again.txt || fail "submitted again: $(cat again.txt)"
echo "200 points by $(find work/workers -name '*.db' | wc -l) workers under Slurm: as one process," \
    "$(find work/claims -name '0-*.[1-9]*' | wc -l) chunks taken over or given back"
