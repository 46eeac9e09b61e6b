#!/bin/bash
# A sweep's database among others: shards and their merging, two processes at once, status while it runs, a full
# disk, a read-only directory, a sweep file changed in between, failures and their retry, a dry run.
set -eu
plumb=$(realpath "${PLUMB:-build/test/plumb}")
source=$(pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
cd "$work"
fail() { echo "FAIL: $*"; exit 1; }

cat > one.cfg << 'END'
generator = "gather"; ctas = 8; warps_per_cta = 2; iterations = 2; footprint = "64KB";
END
cat > two.cfg << 'END'
generator = "stream"; ctas = 12; warps_per_cta = 2; iterations = 3; footprint = "48KB";
END
sweep_file() { # NAME L1-VALUES
    cat > "$1.cfg" << END
machine   = "rx540";
workloads = ( "one.cfg", "two.cfg" );
axes      = ( { path = "l1.kb"; values = [$2]; }, { path = "l2.bank_kb"; values = [64, 128, 256]; } );
engine    = "simulate";
objectives = ( { metric = "cycles"; goal = "min"; }, { parameter = "l2.bank_kb"; goal = "min"; } );
output    = "$1.db";
END
}
sweep_file whole '8, 16, 32'
sed 's/whole/parts/' whole.cfg > parts.cfg
left() { "$plumb" sweep status "$@" | sed -nE '1s/.* ([0-9]+) left .*/\1/p'; }

# --- dry run: counts, and runs nothing
"$plumb" sweep run whole.cfg --dry-run > dry.txt
grep -q '9 points' dry.txt && grep -q '18 runs: 0 stored, 0 failed before, 18 to do' dry.txt || fail "dry run: $(cat dry.txt)"
[ ! -e whole.db ] || fail "a dry run made a database"
"$plumb" sweep status whole.cfg > none.txt
grep -q 'no point has all its programs done yet' none.txt || fail "status of nothing: $(cat none.txt)"
if grep -q 'geometric\|front' none.txt; then fail "status tells of means over nothing: $(cat none.txt)"; fi
# A profile is made once per program and view, and the cache keeps it: the run itself shows how many there are.
sed 's/"simulate"/"estimate"/; s/whole\.db/cold.db/' whole.cfg > cold.cfg
sed 's/8, 16, 32/8/' cold.cfg > part.cfg
kept() { find "$1" -name '*.profile' -o -name '*.prof' -o -path '*profile*' -type f | sort -u | wc -l; }
XDG_CACHE_HOME=$work/counted "$plumb" sweep run cold.cfg -q --db counted.db
profiles=$(kept counted)
[ "$profiles" -ge 4 ] || fail "only $profiles profiles of two programs"
"$plumb" sweep run cold.cfg --dry-run > dry.txt
grep -q "profiles $profiles to make first" dry.txt || fail "profiles of a cold sweep, $profiles: $(cat dry.txt)"
"$plumb" sweep run part.cfg -q --db part.db
"$plumb" sweep run cold.cfg --dry-run > dry.txt
grep -q "profiles $((profiles - $(kept cache))) to make first" dry.txt || fail "profiles with some in the cache: $(cat dry.txt)"
"$plumb" sweep run cold.cfg -q --db part.db
# A parameter that is swept and an objective has one column.
"$plumb" sweep status cold.cfg --db part.db > front.txt
[ "$(grep -A1 '^Pareto front' front.txt | tail -1 | tr -s ' ' '\n' | grep -cx l2.bank_kb)" -eq 1 ] || fail "columns of the front: $(cat front.txt)"
if "$plumb" sweep run cold.cfg --dry-run | grep profiles; then fail "profiles that are in the cache"; fi
"$plumb" sweep run cold.cfg --dry-run --db part.db | grep -q '18 runs: 18 stored' || fail "a stored sweep has nothing left"
sed 's/"simulate"/"auto"; budget = { core_hours = 1e-7; }/' whole.cfg > hours.cfg # 0.4 ms: the first 4 points
sed -i 's/whole\.db/hours.db/' hours.cfg
"$plumb" sweep run hours.cfg --dry-run > dry.txt
grep -q 'simulate 8 runs' dry.txt || fail "dry run: not what the core hours pay for: $(cat dry.txt)"
"$plumb" sweep run hours.cfg > run.txt 2> /dev/null
grep -q '4 of 9 points simulated' run.txt || fail "not the points of the dry run: $(cat run.txt)"
if "$plumb" sweep run hours.cfg --dry-run | grep simulate; then fail "dry run: spent core hours pay again"; fi

# --- shards, merged, are the whole
"$plumb" sweep run whole.cfg -q
sqlite3 whole.db .dump > before.sql
sed 's/8, 16, 32/8, 16, 64/' whole.cfg > other.cfg
"$plumb" sweep run other.cfg --dry-run | grep -q '18 runs: 12 stored, 0 failed before, 6 to do' || fail "dry run of another sweep"
sqlite3 whole.db .dump | cmp - before.sql || fail "a dry run changed the database"
for i in 1 2 3 4; do "$plumb" sweep run parts.cfg --shard $i/4 -q; done
[ ! -e parts.db ] || fail "a shard wrote into the whole sweep's database"
"$plumb" sweep status parts.cfg > status.txt
grep -q '18 runs done, 0 failed, 0 left' status.txt || fail "status over shards: $(cat status.txt)"
grep -q 'with 4 shards beside parts.db' status.txt || fail "status names no shards: $(cat status.txt)"
[ ! -e parts.db ] || fail "status made a database"
[ "$(left parts.cfg --db parts.shard-1-of-4.db)" -eq 12 ] || fail "shard 1 of 4 has points 0, 4 and 8"
status=0
"$plumb" sweep merge parts.cfg parts.shard-2-of-4.db > merged.txt 2> merge.log || status=$?
[ $status -eq 1 ] || fail "merge of one shard of four ends with $status"
grep -q "14 runs are missing; 'plumb sweep run' makes them" merge.log || fail "what is missing: $(cat merge.log)"
"$plumb" sweep merge parts.cfg parts.shard-2-of-4.db --partial > /dev/null 2>&1 || fail "merge --partial"
mkdir aside && mv parts.shard-* aside
[ "$(left parts.cfg)" -eq 14 ] || fail "after one shard of two points"
mv aside/* . && rmdir aside
[ "$(left parts.cfg)" -eq 0 ] || fail "status of the output and its shards"
"$plumb" sweep merge parts.cfg > merged.txt 2> merge.log
grep -q '18 of 18 runs done' merged.txt || fail "merge: $(cat merged.txt)"
grep -q 'parts.shard-2-of-4.db: 0 runs taken, 4 were there' merge.log || fail "merge: $(cat merge.log)"
for format in csv json; do
    "$plumb" sweep export whole.cfg --$format -o whole.$format
    "$plumb" sweep export parts.cfg --$format -o parts.$format
    cmp whole.$format parts.$format
done
status=0
"$plumb" sweep merge parts.cfg whole.csv 2> merge.log || status=$?
[ $status -eq 2 ] && grep -q 'not a database' merge.log || fail "merging a CSV: $status $(cat merge.log)"

status=0
"$plumb" sweep merge parts.cfg parts.db 2> merge.log || status=$?
[ $status -eq 2 ] && grep -q 'is the output itself' merge.log || fail "merging the output: $status $(cat merge.log)"

# --- the job scripts are sound, and their tasks are workers
"$plumb" sweep submit parts.cfg --shards 3 --threads 1 -o job.sh
bash -n job.sh && grep -q '^#SBATCH --array=1-3$' job.sh && grep -q '^#SBATCH --cpus-per-task=1$' job.sh || fail "job script"
limits=(--time 2:00:00 --mem 4G --partition long --account p12 --at-once 2)
"$plumb" sweep submit parts.cfg --workers 3 "${limits[@]}" -o limits.sh
for line in array=1-3%2 time=2:00:00 mem=4G partition=long account=p12 signal=B:USR1@90 requeue; do
    grep -qx "#SBATCH --$line" limits.sh || fail "job script without $line"
done
if grep -q cpus-per-task= limits.sh; then fail "processors that nobody asked for"; fi
"$plumb" sweep submit parts.cfg --workers 3 "${limits[@]}" --slurm --dry-run -o slurm.sh
head -n "$(wc -l < limits.sh)" slurm.sh | cmp - limits.sh || fail "what --slurm would submit"
grep -q "dependency=afterany:JOB1 .*--account=p12 --wrap .$plumb sweep merge" slurm.sh || fail "no merge: $(tail -2 slurm.sh)"
grep -qx '# Submitted in arrays of at most 1000 tasks: MaxArraySize is 1001 by default; .*' slurm.sh ||
    command -v scontrol > /dev/null || fail "no default: $(tail -4 slurm.sh)"
# What the dry run prints is what is submitted, where a cluster divides the array.
mkdir slurm
printf '#!/bin/sh\necho "MaxArraySize            = 4"\n' > slurm/scontrol
printf '#!/bin/sh\nfor w; do printf " %%s" "$w"; done >> sbatch.log\necho >> sbatch.log\necho "JOB$(wc -l < sbatch.log);here"\n' > slurm/sbatch
chmod +x slurm/*
PATH=$work/slurm:$PATH "$plumb" sweep submit parts.cfg --workers 7 --dir arrays --slurm --dry-run -o slurm.sh
grep -qx '# Submitted in arrays of at most 3 tasks: MaxArraySize is 4' slurm.sh || fail "no size of arrays: $(tail -5 slurm.sh)"
PATH=$work/slurm:$PATH "$plumb" sweep submit parts.cfg --workers 7 --dir arrays --slurm > submitted.txt
[ "$(grep -c '^submitted' submitted.txt)" -eq 4 ] || fail "three arrays and a merge: $(cat submitted.txt)"
mv sbatch.log submitted.log
sed -nE 's/^# (sbatch.*)/\1/p' slurm.sh | sed 's,THIS-FILE,arrays/slurm.sh,' | PATH=$work/slurm:$PATH bash > /dev/null
cmp sbatch.log submitted.log || fail "the dry run prints other commands: $(tail -4 slurm.sh; cat submitted.log)"
rm -r arrays sbatch.log submitted.log
"$plumb" sweep submit parts.cfg --workers 3 "${limits[@]}" --pbs -o pbs.sh
for line in 'J 1-3%2' 'l select=1:ncpus=1:mem=4gb' 'l walltime=2:00:00' 'q long' 'A p12' 'r y'; do
    grep -qx "#PBS -$line" pbs.sh || fail "PBS script without $line"
done
for wrong in '--mem 4G,x;y' '--time -1' '--partition' '--workers 19' '--pbs --slurm' '--dry-run'; do
    status=0
    read -ra words <<< "$wrong"
    "$plumb" sweep submit parts.cfg --shards 3 "${words[@]}" > /dev/null 2>&1 || status=$?
    [ $status -eq 2 ] || fail "submit $wrong ends with $status"
done
# Scripts call the plumb that wrote them, which need not be on the path.
rm parts.db* parts.shard-*-of-4.db*
for i in 1 2 3; do SLURM_ARRAY_TASK_ID=$i bash limits.sh & done
bash pbs.sh
wait
"$plumb" sweep merge parts.cfg > merged.txt 2> merge.log
grep -q '18 of 18 runs done' merged.txt && grep -q 'parts.work: 18 runs taken' merge.log || fail "workers: $(cat merged.txt merge.log)"
"$plumb" sweep export parts.cfg --csv -o parts.csv
cmp whole.csv parts.csv
if command -v parallel > /dev/null; then
    mkdir 'a b'
    "$plumb" sweep submit parts.cfg --workers 3 --parallel --db other.db --dir 'a b/c' -o parallel.sh
    bash parallel.sh > parallel.txt 2> parallel.log || fail "parallel: $(cat parallel.txt parallel.log)"
    grep -q '18 of 18 runs done, 0 failed, in other.db' parallel.txt || fail "parallel: $(cat parallel.txt)"
fi
# Names may look like options and like what parallel replaces, and run nothing.
odd='-{}{.}{1}{= system("touch RAN") =}'
cp parts.cfg "./$odd.cfg"
"$plumb" sweep submit --workers 3 --parallel --db odd.db --dir "$odd.work" -o odd.sh -- "$odd.cfg"
[ "$(grep '^parallel' odd.sh)" = 'parallel --workdir . --line-buffer --jobs 3 "$@" sh -c {1} ::: "$worker" ::: {1..3}' ] ||
    fail "parallel: a word of the user's in the command: $(cat odd.sh)"
if command -v parallel > /dev/null; then
    bash odd.sh > odd.txt 2> odd.log
    [ ! -e RAN ] && grep -q '18 of 18 runs done, 0 failed, in odd.db' odd.txt || fail "parallel: $(cat odd.txt odd.log)"
fi
"$plumb" sweep submit --workers 3 --pbs -o odd.sh -- "$odd.cfg"
grep -qF " sweep work './$odd.cfg'" odd.sh || fail "a name that begins with '-': $(cat odd.sh)"

"$plumb" sweep run parts.cfg --shard 1/2 -q --db '[p]*.db'
"$plumb" sweep merge parts.cfg --db '[p]*.db' --partial 2> /dev/null | grep -q '10 of 18 runs done' || fail "merge: shards of a name with brackets"

# --- a point's machine is a file that gives the same answers
"$plumb" sweep point whole.cfg 7 -o point.cfg
row=$("$plumb" sweep export whole.cfg --csv | sed 1q | tr , '\n' | grep -nx cycles | cut -d: -f1)
told=$("$plumb" sweep export whole.cfg --csv | grep '^7,one,' | cut -d, -f"$row")
seen=$("$plumb" simulate point.cfg one.cfg --json -q | sed -nE 's/^ *"cycles": ([0-9]+),/\1/p')
[ -n "$told" ] && [ "$told" = "$seen" ] || fail "point 7: $told in the sweep, $seen on its machine"
"$plumb" machine show point.cfg | grep -q 'bank_kb = 128;' || fail "point 7 has another L2"
grep -q '^name = ".*-point-7";' point.cfg || fail "point 7 has another machine's name: $(head -4 point.cfg)"
status=0
"$plumb" sweep point whole.cfg 9 > point.txt 2>&1 || status=$?
[ $status -eq 2 ] && grep -q '0 to 8' point.txt || fail "a point behind the last: $(cat point.txt)"

# --- two processes on one database; status sees them at work
rm -f whole.db*
"$plumb" sweep run whole.cfg --threads 1 -q & a=$!
"$plumb" sweep run whole.cfg --threads 1 -q & b=$!
for _ in 1 2 3; do
    sleep 0.1
    [ ! -e whole.db ] || left whole.cfg > /dev/null || fail "status while two processes write"
done
wait $a && wait $b || fail "one of two processes failed"
"$plumb" sweep export whole.cfg --csv -o twice.csv
cmp whole.csv twice.csv

# --- a sweep file changed in between: what both need is used, and it is said
sweep_file whole '16, 32, 64'
"$plumb" sweep run whole.cfg 2> changed.log > /dev/null
grep -q 'whole.cfg has changed since' changed.log || fail "a changed file goes unnoticed: $(cat changed.log)"
grep -q '6 runs done, 0 failed, 12 stored before' changed.log || fail "changed: $(cat changed.log)"

# --- what engine auto answered does not outlive the program it answered for
sed -e 's/"simulate"/"auto"/' -e 's/parts.db/auto.db/' parts.cfg > auto.cfg
"$plumb" sweep run auto.cfg -q
"$plumb" sweep export auto.cfg --csv > auto.csv
grep -q ',simulate,' auto.csv || fail "auto simulated nothing"
cp one.cfg kept.cfg && sed -i 's/ctas = 8/ctas = 9/' one.cfg
"$plumb" sweep export auto.cfg --csv > stale.csv
[ "$(grep -c ',none,' stale.csv)" -eq 18 ] || fail "answers of another program: $(head -3 stale.csv)"
mv kept.cfg one.cfg
"$plumb" sweep export auto.cfg --csv | cmp - auto.csv || fail "auto's answers are lost"

# --- a run that fails is kept with its message, stops nothing, and is tried again on demand
cat > failing.cfg << 'END'
machine   = "rx540";
workloads = ( "copy.plt", "two.cfg" );
axes      = ( { path = "l1.kb"; values = [8, 16]; } );
engine    = "simulate";
output    = "failing.db";
END
cp "$source/configs/workloads/quick/histogram.plt" good.plt
cp good.plt copy.plt
"$plumb" sweep check failing.cfg > /dev/null
printf 'spoilt' | dd of=copy.plt bs=1 seek=$(($(stat -c %s copy.plt) / 2)) conv=notrunc status=none
status=0
"$plumb" sweep run failing.cfg > failing.txt 2> failing.log || status=$?
if [ $status -eq 1 ]; then # the damage lies in a frame: the file opens, its runs fail
    grep -q '2 runs done, 2 failed' failing.log || fail "failing: $(cat failing.log)"
    status=0
    "$plumb" sweep run failing.cfg > /dev/null 2> failing.log || status=$?
    [ $status -eq 1 ] && grep -q '2 failed before and were left; --retry' failing.log || fail "again: $(cat failing.log)"
    cp good.plt copy.plt
    "$plumb" sweep run failing.cfg --retry > /dev/null 2> failing.log || fail "retry: $(cat failing.log)"
    grep -q '2 runs done, 0 failed, 2 stored before' failing.log || fail "retry: $(cat failing.log)"
else
    fail "a spoilt program: exit status $status, $(cat failing.log)"
fi

# --- counters of real hardware beside the results
printf '"Index","KernelName","gpu-id","TCC_HIT_sum","DurationNs"\n0,"k",0,500,2500\n1,"k",0,700,1500\n' > one.csv
"$plumb" sweep import parts.cfg one.csv > import.txt
grep -q 'rocprof of one on device 0: 2 launches, 4 values, 4 of them beside metrics' import.txt || fail "import: $(cat import.txt)"
status=0
"$plumb" sweep import parts.cfg whole.csv --program one 2> import.log || status=$?
[ $status -eq 2 ] && grep -q 'whole.csv:1: not the header' import.log || fail "importing an export: $(cat import.log)"
status=0
cp one.csv onf.csv
"$plumb" sweep import parts.cfg onf.csv 2> import.log || status=$?
[ $status -eq 2 ] && grep -q 'no program onf (did you mean one?)' import.log || fail "import: $(cat import.log)"

# --- a read-only directory: its results can be read, not added to
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
    other=(setpriv --reuid=65534 --regid=65534 --clear-groups env "XDG_CACHE_HOME=/nonexistent")
else
    other=()
fi
mkdir frozen && cp one.cfg two.cfg parts.cfg parts.db frozen/ && chmod 755 "$work" && chmod 555 frozen && chmod 444 frozen/*
cd frozen
if "${other[@]}" "$plumb" --version > /dev/null 2>&1; then
    "${other[@]}" "$plumb" sweep export parts.cfg --csv > ../frozen.csv || fail "export from a read-only directory"
    cmp ../parts.csv ../frozen.csv
    status=0
    "${other[@]}" "$plumb" sweep run parts.cfg -q 2> ../frozen.log || status=$?
    [ $status -eq 2 ] && grep -q 'cannot be opened for writing' ../frozen.log || fail "run there: $status $(cat ../frozen.log)"
    status=0
    mkdir -m 777 ../open
    "${other[@]}" "$plumb" sweep merge parts.cfg parts.db --db ../open/x.db 2> ../frozen.log || status=$?
    [ $status -eq 2 ] && grep -q '^plumb: parts.db: cannot be read' ../frozen.log || fail "merge: $status $(cat ../frozen.log)"
    "${other[@]}" "$plumb" sweep run parts.cfg --dry-run | grep -q '0 to do' || fail "dry run in a read-only directory"
fi
cd ..

# --- a full disk: the run ends with one line, what was stored stays sound
disk=', full disk'
if mkdir small && mount -t tmpfs -o size=200k tmpfs small 2> /dev/null; then
    status=0
    "$plumb" sweep run parts.cfg --db small/x.db -q 2> full.log || status=$?
    "$plumb" sweep status parts.cfg --db small/x.db > full.txt 2>&1 || true
    umount small
    [ $status -eq 1 ] && grep -q 'full' full.log || fail "full disk: $status $(cat full.log)"
else
    disk='; NOT TESTED: a full disk (no tmpfs may be mounted here)'
fi
echo "shards, two processes, changes, failures, read-only: as they should be$disk"
