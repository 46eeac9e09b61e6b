#!/bin/bash
# Workers that share a sweep through a directory: whatever joins, leaves, is killed, stopped or told to stop, the result is
# that of one process, byte for byte; status, report, export and merge read it at any time.
set -eu
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'kill -9 $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
cd "$work"
fail() { echo "FAIL: $*"; exit 1; }
until_true() { # SECONDS COMMAND...: waits until the command succeeds
    local tries=$(($1 * 20))
    shift
    while [ $tries -gt 0 ]; do
        if "$@"; then return; fi
        sleep 0.05
        tries=$((tries - 1))
    done
    fail "waited in vain for: $*"
}

cat > one.cfg << 'END'
generator = "gather"; ctas = 64; warps_per_cta = 4; iterations = 6; footprint = "256KB";
END
cat > two.cfg << 'END'
generator = "stream"; ctas = 64; warps_per_cta = 4; iterations = 6; footprint = "48KB";
END
sed 's/ctas = 64/ctas = 24/; s/iterations = 6/iterations = 200/' two.cfg > longer.cfg
sweep_file() { # NAME ENGINE
    cat > "$1.cfg" << END
machine   = "rx540";
workloads = ( "one.cfg", "two.cfg" );
axes      = ( { path = "l1.kb"; values = [8, 16, 32, 64]; }, { path = "l2.bank_kb"; values = [64, 128, 256]; } );
engine    = "$2";
objectives = ( { metric = "cycles"; goal = "min"; }, { parameter = "l2.bank_kb"; goal = "min"; } );
output    = "$1.db";
END
}
sweep_file whole simulate
"$plumb" sweep run whole.cfg -q
"$plumb" sweep export whole.cfg --csv -o whole.csv
same() { # NAME: merges, and compares with the whole
    "$plumb" sweep merge "$1.cfg" > merge.txt 2> merge.log || fail "merge of $1: $(cat merge.txt merge.log)"
    grep -q '24 of 24 runs done, 0 failed' merge.txt || fail "merge of $1: $(cat merge.txt)"
    "$plumb" sweep export "$1.cfg" --csv | cmp - whole.csv
}
runs_in() { # DIR: runs in its workers' databases, those made twice included
    local file n=0
    for file in "$1"/workers/*.db; do n=$((n + $(sqlite3 "$file" 'SELECT count(*) FROM run'))); done
    echo $n
}

# --- one worker; the directory and the merge, twice
sed 's/whole/alone/' whole.cfg > alone.cfg
"$plumb" sweep work alone.cfg --threads 1 2> work.log || fail "one worker: $(cat work.log)"
grep -q '24 runs done, 0 failed' work.log && grep -q 'all is done' work.log || fail "one worker: $(cat work.log)"
[ "$("$plumb" sweep status alone.work | sed -n 1p)" = "$work/alone.cfg: 24 runs done, 0 failed, 0 left (12 points x 2 programs, engine simulate)" ] ||
    fail "status of a directory: $("$plumb" sweep status alone.work)"
"$plumb" sweep export alone.work --csv | cmp - whole.csv || fail "export of a directory"
[ ! -e alone.db ] || fail "a look at the directory made the output"
"$plumb" report alone.work -o alone.html -q && [ -s alone.html ] || fail "report of a directory"
same alone
same alone
grep -q 'alone.work: 0 runs taken, 24 were there, of 1 workers' merge.log || fail "the second merge: $(cat merge.log)"
"$plumb" sweep work alone.cfg 2> work.log || fail "work where nothing is left"
grep -q '0 runs done' work.log || fail "work where nothing is left: $(cat work.log)"

# --- estimates, and samples on the intervals of one point
for engine in estimate sample; do
    sed "s/whole/$engine/; s/\"simulate\"/\"$engine\"/" whole.cfg > $engine.cfg
    if [ $engine = sample ]; then # a budget that forbids to simulate the whole, or nothing would be sampled
        sed -i '/^engine/s/$/ budget = { instructions = 40000; };/; s/"one.cfg", "two.cfg"/"longer.cfg"/' sample.cfg
    fi
    sed "s/$engine\.db/$engine-shared.db/" $engine.cfg > $engine-shared.cfg
    "$plumb" sweep run $engine.cfg -q
    for i in 1 2; do "$plumb" sweep work $engine-shared.cfg --threads 1 --workers 2 -q & done
    wait
    "$plumb" sweep merge $engine-shared.cfg > merge.txt 2> merge.log || fail "$engine: $(cat merge.txt merge.log)"
    "$plumb" sweep export $engine.cfg --csv -o $engine.csv
    "$plumb" sweep export $engine-shared.cfg --csv | cmp - $engine.csv || fail "$engine by workers"
done
grep -q 'paired.ratio' sample.csv || fail "the samples share no intervals"

# --- what the output has already is not made again
sed 's/whole/rest/; s/8, 16, 32, 64/8, 16/' whole.cfg > rest.cfg
"$plumb" sweep run rest.cfg -q
sed 's/whole/rest/' whole.cfg > rest.cfg
"$plumb" sweep work rest.cfg --threads 1 2> work.log
grep -q '12 runs done, 0 failed' work.log || fail "runs of the output are made again: $(cat work.log)"
same rest

# --- the directory of another sweep is refused
status=0
sed 's/8, 16, 32, 64/8/' whole.cfg > other.cfg
"$plumb" sweep work other.cfg --dir alone.work 2> work.log || status=$?
[ $status -eq 2 ] && grep -q 'holds the work of another sweep' work.log || fail "another sweep: $status $(cat work.log)"

status=0
"$plumb" sweep status whole.cfg --dir nowhere > /dev/null 2> work.log || status=$?
[ $status -eq 2 ] && grep -q 'no workers have met there' work.log || fail "nowhere: $status $(cat work.log)"

# --- six at once: every run is made once
sed 's/whole/many/' whole.cfg > many.cfg
pids=()
for i in 1 2 3 4 5 6; do
    "$plumb" sweep work many.cfg --threads 1 --workers 6 --lease 60 2> "many.$i.log" &
    pids+=($!)
done
until_true 60 [ -e many.work/batch-0 ]
for _ in {1..20}; do # some of these looks meet a worker that is making its database
    "$plumb" sweep status many.work > status.txt || fail "status while they run"
done
grep -q 'workers in many.work: ' status.txt || fail "status names no workers: $(cat status.txt)"
for pid in "${pids[@]}"; do wait "$pid" || fail "one of six workers: $(cat many.*.log)"; done
[ "$(runs_in many.work)" -eq 24 ] || fail "$(runs_in many.work) runs, and not 24"
same many

# --- three processes of one command; one of them is killed
sed 's/whole/trio/' whole.cfg > trio.cfg
holder_of() { sed -E 's/.*-([0-9]+)-[0-9]+$/\1/' "$1"/claims/0-0.0; }
holder_among() { [ -s "$1/claims/0-0.0" ]; }
"$plumb" sweep work trio.cfg --threads 3 --lease 2 2> trio.log & trio=$!
until_true 60 [ -e trio.work/claims/leader.done ]
until_true 60 holder_among trio.work
hit=yes
kill -9 "$(holder_of trio.work)" 2> /dev/null || hit= # it was faster
wait $trio || fail "the others did not go on: $(cat trio.log)"
[ -z "$hit" ] || grep -q 'was ended by signal 9' trio.log || fail "nothing is told of a killed worker: $(cat trio.log)"
[ "$("$plumb" sweep status trio.work | sed -nE '1s/.* ([0-9]+) left .*/\1/p')" -eq 0 ] || fail "the others left runs: $(cat trio.log)"
same trio

# --- one is killed, one stopped until its chunk is taken over, then continued
sed 's/whole/faulty/' whole.cfg > faulty.cfg
join() { "$plumb" sweep work faulty.cfg --threads 1 --workers 2 --lease 2 2> "faulty.$1.log" & }
held_by() { # PID: chunks that it holds
    grep -ls -e "-$1-" faulty.work/claims/0-*.0 | while read -r f; do [ -e "${f%.0}.done" ] || echo "${f%.0}"; done
}
holds() { [ -n "$(held_by "$1")" ]; }
join 1; killed=$!
until_true 60 holds $killed
kill -9 $killed
join 2; stopped=$!
chunk=
while [ -z "$chunk" ]; do # it may be between two chunks
    until_true 60 holds $stopped
    kill -STOP $stopped
    chunk=$(held_by $stopped)
    [ -n "$chunk" ] || kill -CONT $stopped
done
join 3; third=$!
join 4; fourth=$!
until_true 120 [ -e "$chunk.1" ]
kill -CONT $stopped
wait $third || fail "the third worker: $(cat faulty.3.log)"
wait $fourth || fail "the fourth worker: $(cat faulty.4.log)"
wait $stopped || fail "the stopped worker: $(cat faulty.2.log)"
grep -q 'was taken over' faulty.2.log || fail "the stopped worker does not know: $(cat faulty.2.log)"
same faulty

# --- told to stop: it gives its chunk back, which the next one takes at once
for signal in USR1 TERM; do
    rm -rf faulty.work faulty.db*
    "$plumb" sweep work faulty.cfg --threads 1 --workers 1 --lease 3600 2> told.log & told=$!
    until_true 60 holds $told
    kill -$signal $told
    status=0
    wait $told || status=$?
    [ $status -eq 130 ] && grep -q '1 given back' told.log || fail "$signal: $status $(cat told.log)"
    status=0
    "$plumb" sweep merge faulty.cfg > merge.txt 2> merge.log || status=$?
    [ $status -eq 1 ] && grep -q "runs are missing; 'plumb sweep work' makes them" merge.log || fail "merge: $status $(cat merge.log)"
    "$plumb" sweep merge faulty.cfg --partial > merge.txt 2> merge.log || fail "merge --partial: $(cat merge.log)"
    timeout 100 "$plumb" sweep work faulty.cfg --threads 1 2> next.log || fail "after $signal: $(cat next.log)"
    same faulty
done
[ "$(runs_in faulty.work)" -eq 24 ] || fail "runs that a worker had stored are made again: $(runs_in faulty.work)"

# --- a chunk that ends every worker is left, and told of
rm -rf faulty.work faulty.db*
"$plumb" sweep work faulty.cfg --threads 1 --lease 1 -q
rm faulty.work/claims/0-3.done
for g in 1 2 3; do cp faulty.work/claims/0-3.0 faulty.work/claims/0-3.$g; done
sleep 1.5
status=0
timeout 60 "$plumb" sweep work faulty.cfg --threads 1 2> left.log || status=$?
[ $status -eq 1 ] && grep -q '1 chunks have ended every worker' left.log || fail "a poisoned chunk: $status $(cat left.log)"
[ ! -e faulty.work/claims/0-3.4 ] || fail "a poisoned chunk was taken over"

# --- status and submit tell of it; nothing is submitted for it
"$plumb" sweep status faulty.work > status.txt
grep -q ' 0 being made, 0 given up or back$' status.txt && grep -q '^1 chunks have ended every worker' status.txt ||
    fail "status of a poisoned chunk: $(tail -2 status.txt)"
submit() { "$plumb" sweep submit faulty.cfg --workers 6 --slurm --dry-run > submit.txt 2> left.log; }
status=0
submit || status=$?
[ $status -eq 1 ] && [ ! -s submit.txt ] && [ "$(wc -l < left.log)" -eq 1 ] && grep -q '1 chunks have ended every worker' left.log ||
    fail "submit with a poisoned chunk: $status $(cat submit.txt left.log)"
rm faulty.work/claims/0-[24].done
touch -d @0 faulty.work/claims/0-[24].0
submit || fail "submit with two free chunks: $(cat left.log)"
grep -q '^# sbatch .*--array=1-2 ' submit.txt && grep -q '1 chunks have ended every worker' left.log ||
    fail "submit with two free chunks: $(tail -3 submit.txt) $(cat left.log)"

# --- with --retry workers take it up again
timeout 60 "$plumb" sweep work faulty.cfg --threads 1 --retry 2> left.log || fail "retry: $(cat left.log)"
grep -q '1 chunks that have ended every worker are taken up again' left.log && grep -q 'in 3 chunks, 3 of them taken over' left.log &&
    grep -q 'all is done' left.log || fail "retry: $(cat left.log)"
"$plumb" sweep work faulty.cfg --threads 1 --retry 2> left.log || fail "retry of nothing: $(cat left.log)"
if grep -q 'again' left.log; then fail "retry of nothing: $(cat left.log)"; fi
same faulty

# --- engine auto: the same runs and answers as one process, also if the worker that chooses is killed
sweep_file chosen auto
sed -i 's/\[64, 128, 256\]/[32, 64, 128, 256]/' chosen.cfg
"$plumb" sweep run chosen.cfg -q
"$plumb" sweep export chosen.cfg --csv -o chosen.csv
sed 's/chosen/shared/' chosen.cfg > shared.cfg
pids=()
for i in 1 2 3 4; do
    "$plumb" sweep work shared.cfg --threads 1 --workers 4 --lease 2 > /dev/null 2> "shared.$i.log" &
    pids+=($!)
done
until_true 60 [ -e shared.work/batch-1 ]
leader=$(sed -E 's/.*-([0-9]+)-[0-9]+$/\1/' shared.work/claims/leader.0)
"$plumb" sweep status shared.work > status.txt || fail "status of auto"
[ -e shared.work/claims/leader.done ] || kill -9 "$leader" || true
for pid in "${pids[@]}"; do [ "$pid" = "$leader" ] || wait "$pid" || fail "a worker of auto: $(cat shared.*.log)"; done
"$plumb" sweep export shared.work --csv | cmp - chosen.csv || fail "auto by workers answers otherwise"
"$plumb" sweep merge shared.cfg > merge.txt 2> merge.log || fail "merge of auto: $(cat merge.txt merge.log)"
grep -q 'auto: 8 of 16 points simulated' merge.txt || fail "merge of auto: $(cat merge.txt)"
"$plumb" sweep export shared.cfg --csv | cmp - chosen.csv || fail "auto merged answers otherwise"
chosen() { sqlite3 "$1" "SELECT machine, program FROM run WHERE engine = 'simulate' ORDER BY 1, 2"; }
[ "$(chosen chosen.db)" = "$(chosen shared.db)" ] || fail "auto by workers simulated other points"

echo "alone, many, killed, stopped, told to stop, auto: as one process"
