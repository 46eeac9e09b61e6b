#!/bin/bash
# The evaluation of samples (scripts/sample-fresh.sh, sample-summary.sh) on two short programs: rows say what plumb's own
# answers say, a second run adds nothing, a program whose rows are missing gets them back, the summary adds up.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
command -v jq > /dev/null && command -v sqlite3 > /dev/null || { echo "jq or sqlite3 is missing"; exit 77; }
failed=0
fail() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
column() { # NAME: of the rows on standard input, under the head of rows.csv
    cut -d, -f"$(head -1 "$work/rows.csv" | tr , '\n' | grep -nx "$1" | cut -d: -f1)"
}
about() { # WHAT A B: equal to the six digits that a row keeps
    awk -v a="$2" -v b="$3" 'BEGIN { exit a == "" || b == "" || (a - b) ^ 2 > 1e-12 }' || fail "$1: $2, not $3"
}

generated() { # KERNEL CTAS
    printf 'generator = "stream";\nkernel = "%s";\nctas = %d;\nwarps_per_cta = 4;\niterations = 40;\nfootprint = "8MB";\n' \
        "$@" > "$work/$1.cfg"
}
generated copy 90
generated triad 60
fresh() {
    scripts/sample-fresh.sh -s 2 -b 60000 -t "$work" "$plumb" "$work/rows.csv" rx540 "$work/copy.cfg" "$work/triad.cfg" \
        2> "$work/said" || fail "sample-fresh.sh: $(cat "$work/said")"
}
fresh
[ "$(wc -l < "$work/rows.csv")" = 5 ] || fail "rows: $(cat "$work/rows.csv")"

# Against the two answers, asked for here.
row=$(grep ',triad,2,' "$work/rows.csv")
"$plumb" simulate rx540 "$work/triad.cfg" --json -q > "$work/full"
"$plumb" sample rx540 "$work/triad.cfg" --budget 60000 --seed 2 --intervals "$work/intervals" --json -q > "$work/some"
full() { jq "$1" "$work/full"; }
some() { jq "$1" "$work/some"; }
about error "$(column error <<< "$row")" "$(jq -n "$(some .cycles) / $(full .cycles) - 1")"
about half_width "$(column half_width <<< "$row")" "$(some .confidence.half_width)"
about l2 "$(column l2 <<< "$row")" "$(jq -n "$(some .l2.hit_rate) - $(full .l2.hit_rate)")"
about energy "$(column energy <<< "$row")" "$(jq -n "$(some .energy_mj.total) / $(full .energy_mj.total) - 1")"
about holds "$(column holds <<< "$row")" "$(jq -n "if ($(some .cycles) - $(full .cycles)) <= $(some .confidence.half_widths.cycles)
    and ($(full .cycles) - $(some .cycles)) <= $(some .confidence.half_widths.cycles) then 1 else 0 end")"
about strata "$(column strata <<< "$row")" "$(awk -F, 'NR > 1 { print $4 }' "$work/intervals" | sort -u | wc -l)"
about intervals "$(column intervals <<< "$row")" "$(some .confidence.intervals)"

# An interval that holds no more: the row says so.
jq '.cycles *= 2' "$work/rx540-triad.json" > "$work/doubled" && mv "$work/doubled" "$work/rx540-triad.json"
cp "$work/rows.csv" "$work/before.csv"
grep -v ',triad,' "$work/before.csv" > "$work/rows.csv"
fresh
[ "$(grep -c ',triad,' "$work/rows.csv")" = 2 ] || fail "rows that were missing did not come back"
[ "$(grep ',copy,' "$work/rows.csv")" = "$(grep ',copy,' "$work/before.csv")" ] || fail "rows that were there changed"
[ "$(grep ',triad,' "$work/rows.csv" | column holds | sort -u)" = 0 ] || fail "half the cycles, and still held"
scripts/sample-summary.sh "$work/rows.csv" > "$work/summary" || fail summary
grep -q '^| all | 2, 0, 0 | 4, 0 | .* | 50.0 | triad 0 |' "$work/summary" || fail "summary: $(cat "$work/summary")"

# A simulation of something else is no truth.
jq '.program_digest = "another"' "$work/rx540-triad.json" > "$work/other" && mv "$work/other" "$work/rx540-triad.json"
cp "$work/before.csv" "$work/rows.csv"
sed -i '/,triad,/d' "$work/rows.csv"
scripts/sample-fresh.sh -s 2 -b 60000 -t "$work" "$plumb" "$work/rows.csv" rx540 "$work/triad.cfg" 2> "$work/said"
grep -q 'is of another machine or program' "$work/said" || fail "took another program's simulation: $(cat "$work/said")"

# A simulation that fails on its way has written what it had (exit status 1): neither it nor rows stay.
cat > "$work/fails" << END
#!/bin/bash
[ "\$1" = sample ] || { "$plumb" "\$@"; exit 1; }
"$plumb" "\$@"
END
chmod +x "$work/fails"
rm "$work/rx540-triad.json"
scripts/sample-fresh.sh -s 2 -b 60000 -t "$work" "$work/fails" "$work/rows.csv" rx540 "$work/triad.cfg" 2> "$work/said"
[ ! -e "$work/rx540-triad.json" ] || fail 'keeps what a failed simulation wrote'
! grep -q ',triad,' "$work/rows.csv" || fail 'rows against a failed simulation'
exit $((failed > 0))
