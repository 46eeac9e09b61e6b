#!/bin/bash
# simulate --every: the stretches add up to the run, and the run is the same bytes with and without them.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
data=tests/data/accelsim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

sum() { # COLUMN of $work/s.csv
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR > 1 { s += $at }
        END { printf "%.9g\n", s }' "$work/s.csv"
}

printf 'generator = "gather";\nctas = 24;\nwarps_per_cta = 4;\niterations = 6;\nfootprint = "512KB";\n' > "$work/a.cfg"
for set in sm.count=2 energy.window_cycles=700; do # the second has a watcher of its own, for peak power
    status "plain, $set" 0 "$plumb" simulate rx540 "$work/a.cfg" --set $set --json -q
    jq 'del(.host)' "$work/out" > "$work/plain"
    for every in 100 1000 100000000; do
        status "--every $every" 0 "$plumb" simulate rx540 "$work/a.cfg" --set $set --json -q --every $every --series "$work/s.csv"
        jq 'del(.host)' "$work/out" > "$work/watched"
        cmp -s "$work/plain" "$work/watched" || fail "--every $every changes the run ($set)"
        for metric in cycles warp_instructions l1.accesses l1.hits l2.reads dram.reads energy_mj.dram energy_mj.total; do
            whole=$(jq -r "getpath(\"$metric\" | split(\".\"))" "$work/plain")
            awk -v a="$(sum $metric)" -v b="$whole" 'BEGIN { d = b > 0 ? a / b - 1 : a; exit !(b > 0 && d * d < 1e-12) }' ||
                fail "$metric: stretches of $every add up to $(sum $metric), the run has $whole"
        done
        awk -F, 'NR > 2 && $2 != last { bad = 1 } { last = $3 } END { exit bad }' "$work/s.csv" || fail 'stretches do not meet'
    done
done
status 'short stretches' 0 "$plumb" simulate rx540 "$work/a.cfg" --json -q --every 50 --series "$work/s.csv"
cycles=$(jq .cycles "$work/out")
rows=$(($(wc -l < "$work/s.csv") - 1))
[ "$rows" -ge $((cycles / 50 / 2)) ] && [ "$rows" -le $((cycles / 50 + 1)) ] || fail "$rows rows of 50 cycles for $cycles cycles"
status 'a picture' 0 "$plumb" simulate rx540 "$work/a.cfg" -q --every 100 --plot "$work/p.svg"
grep -q '<svg' "$work/p.svg" || grep -q 'gnuplot, which draws' "$work/err" || fail 'no picture'
status 'two programs' 0 "$plumb" simulate rx540 "$work/a.cfg" "$work/a.cfg" -q --every 1000 --series "$work/s.csv"
[ "$(grep -c '^program,' "$work/s.csv")" = 1 ] || fail 'more than one head'
[ "$(awk -F, '$2 == "0"' "$work/s.csv" | wc -l)" = 2 ] || fail 'the second program does not start at 0'

# two ranges of launches with another kernel between them: the second's cycles follow the first's
mkdir "$work/row"
printf '%s\n' kernel-1.traceg.xz kernel-2.traceg.xz kernel-3.traceg.xz > "$work/row/kernelslist.g"
cp "$data/b_stride01/kernel-1.traceg.xz" "$work/row/kernel-1.traceg.xz"
cp "$data/b_stride01/kernel-1.traceg.xz" "$work/row/kernel-3.traceg.xz"
cp "$data/a_copy_f32/kernel-1.traceg.xz" "$work/row/kernel-2.traceg.xz"
name=$(xz -dc "$work/row/kernel-1.traceg.xz" | sed -n 's/^-kernel name = //p')
status 'two ranges' 0 "$plumb" simulate qv100 "$work/row" --kernel "$name" --json -q --every 1000 --series "$work/s.csv"
awk -F, 'NR > 1 { if ($2 != last) exit 1; last = $3 }' "$work/s.csv" || fail 'ranges do not follow one another'
[ "$(tail -1 "$work/s.csv" | cut -d, -f3)" = "$(jq .cycles "$work/out")" ] || fail 'ranges end elsewhere than the run'

# by instruction and buffer: the same run, and the parts are the whole
status 'plain' 0 "$plumb" simulate rx540 "$work/a.cfg" --json -q
jq 'del(.host)' "$work/out" > "$work/plain"
status 'per load' 0 "$plumb" simulate rx540 "$work/a.cfg" --json -q --per-load
jq 'del(.host, .loads, .buffers)' "$work/out" | cmp -s - "$work/plain" || fail '--per-load changes the run'
jq -e '([.loads[].accesses] | add) == .l1.accesses and ([.loads[].l1_hits] | add) == .l1.hits and
    ([.buffers[].l2_reads] | add) == .l2.reads and (.loads | length) >= 1' "$work/out" > /dev/null || fail 'loads or buffers are not the whole'
status 'per load as a table' 0 "$plumb" simulate rx540 "$work/a.cfg" -q --per-load
grep -q 'By instruction' "$work/out" && grep -q 'By buffer' "$work/out" || fail 'no tables'
status 'per load as CSV' 2 "$plumb" simulate rx540 "$work/a.cfg" --csv --per-load
status 'per load of an estimate' 2 "$plumb" estimate rx540 "$work/a.cfg" --per-load

status 'no file' 2 "$plumb" simulate rx540 "$work/a.cfg" --every 100
status 'no cycles' 2 "$plumb" simulate rx540 "$work/a.cfg" --series "$work/s.csv"
status 'every 0' 2 "$plumb" simulate rx540 "$work/a.cfg" --every 0 --series "$work/s.csv"
status 'a picture of what kind' 2 "$plumb" simulate rx540 "$work/a.cfg" --every 100 --plot "$work/p.gif"
status 'not the estimator' 2 "$plumb" estimate rx540 "$work/a.cfg" --every 100 --series "$work/s.csv"
status 'no such folder' 1 "$plumb" simulate rx540 "$work/a.cfg" --every 100 --series "$work/no/s.csv"
exit $((failed > 0))
