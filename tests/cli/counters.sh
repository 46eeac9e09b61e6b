#!/bin/bash
# Counters of real GPUs beside plumb's answers: hits as vendors define them, on stores to fresh memory (Khairy 2018,
# III-B), where they are known beforehand; import of what profilers print; what to collect for that.
set -u
: "${PLUMB:?the program to test}"
PLUMB=$(realpath "$PLUMB")
counters=$(realpath tests/data/counters)
source "$(realpath "$(dirname "${BASH_SOURCE[0]}")")/check.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
cd "$work" || exit 1

# --- every store is a miss here, a hit for NVIDIA where it takes a line
cat > fill.cfg << 'END'
generator = "partial"; stride = 4; ctas = 16; warps_per_cta = 8; iterations = 32; element_bytes = 4;
END
hits() { # ENGINE WRITE_MISS: rates of the L2's hits, ours and the vendors'
    "$PLUMB" "$1" titanv fill.cfg --set "l2.write_miss=$2" --json -q |
        sed -nE '/^  "l2"/,/^  \}/ s/.*"(hit_rate[a-z_]*)": ([0-9.e-]+),?/\1=\2/p' | tr '\n' ' '
}
for engine in estimate simulate; do
    got=$(hits $engine validate)
    [ "$got" = "hit_rate=0 hit_rate_as_ncu=1 hit_rate_as_rocprof=0 " ] || fail "$engine, stores take lines: $got"
    got=$(hits $engine no_allocate)
    [ "$got" = "hit_rate=0 hit_rate_as_ncu=0 hit_rate_as_rocprof=0 " ] || fail "$engine, stores pass by: $got"
done

# --- what profilers print comes beside the results
cat > sweep.cfg << 'END'
machine = "titanv"; workloads = ( "fill.cfg" );
axes = ( { path = "l2.latency"; values = [100, 200]; } );
engine = "estimate"; output = "sweep.db";
END
"$PLUMB" sweep run sweep.cfg -q || fail 'sweep run'
for file in ncu-details.txt ncu-details.csv ncu-h100.csv ncu-raw.csv nvprof.csv rocprof.csv rocprofv2.csv; do
    "$PLUMB" sweep import sweep.cfg "$counters/$file" --program fill > said || fail "import of $file"
    grep -qE 'of fill on .*: [1-3] launch(es)?, [0-9]+ values, [1-9]' said || fail "import of $file: $(cat said)"
done
cp "$counters/rocprofv3_counter_collection.csv" fill_counter_collection.csv
"$PLUMB" sweep import sweep.cfg fill_counter_collection.csv > said || fail 'import by the name of the file'
grep -q 'rocprofv3 of fill on Agent 4: 2 launches, 6 values, 6 of them' said || fail "rocprofv3: $(cat said)"
rows=$(sqlite3 sweep.db "SELECT measured, value FROM hardware_correlation JOIN hardware ON hardware = id
    WHERE metric = 'l2.hit_rate_as_ncu' AND file LIKE '%ncu-raw.csv' AND point = 1")
[ "$rows" = "0.3336|1.0" ] || fail "equal rates of two launches stay: $rows"
sed -E '/^"1"/ { s/33\.36/50.00/; s/262,144/65,536/ }' "$counters/ncu-raw.csv" > unequal.csv
"$PLUMB" sweep import sweep.cfg unequal.csv --program fill > said || fail 'import of unequal launches'
rows=$(sqlite3 sweep.db "SELECT round(measured, 6), weight FROM hardware_correlation JOIN hardware ON hardware = id
    WHERE metric = 'l2.hit_rate_as_ncu' AND file = 'unequal.csv' AND point = 1")
[ "$rows" = "0.36688|accesses" ] || fail "of four times the accesses a rate counts four times: $rows"

# --- a counter that a launch lacks: what stands beside plumb's is not of the whole program
printf '%s\n' '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"' '"0","a","gpu__time_duration.sum","us","5.2"' \
    '"1","b","gpu__time_duration.sum","us","6.1"' '"1","b","sm__cycles_elapsed.max","cycle","7200"' > gap.csv
"$PLUMB" sweep import sweep.cfg gap.csv --program fill > said 2>&1 || fail "import with a gap: $(cat said)"
grep -q 'some launches lack sm__cycles_elapsed.max; what' said || fail "a gap is not told: $(cat said)"

# --- times of OpenCL kernels: of a file of several programs the one that is named
sed 's/^scan 2097152,/fill,/' "$counters/kernel_times.csv" > times.csv
"$PLUMB" sweep import sweep.cfg times.csv --program fill > said || fail 'import of times'
grep -q 'opencl of fill on NVIDIA H100 80GB HBM3: 5 launches, 5 values, 5 of them' said || fail "times: $(cat said)"
rows=$(sqlite3 sweep.db "SELECT measured FROM hardware_correlation JOIN hardware ON hardware = id
    WHERE metric = 'time_us' AND tool = 'opencl' AND point = 1")
[ "$rows" = "54.72" ] || fail "times of five launches add up, each of its fastest run: $rows"
"$PLUMB" sweep import sweep.cfg "$counters/kernel_times.csv" --program fill > said 2>&1
[ $? -eq 2 ] && grep -q 'no launches of the program fill' said || fail "times of others: $(cat said)"

# --- what to collect
for tool in ncu nvprof rocprof rocprofv3 opencl; do
    "$PLUMB" sweep import --what-to-collect $tool > line || fail "what to collect with $tool"
    bash -n line || fail "$tool: not a command line"
    grep -qE "^($tool|KERNEL_TIMES_PROGRAM=PROGRAM) .*PROGRAM" line || fail "$tool: $(cat line)"
done
"$PLUMB" sweep import --what-to-collect vtune > line 2>&1
[ $? -eq 2 ] && grep -q 'rocprofv3' line || fail "vtune: $(cat line)"
exit $((failed > 0))
