#!/bin/bash
# The classes of programs: are docs/results/classes.csv and the tables of docs/results/classes.md what the figures say, do the
# verdicts follow from values and thresholds (tested a second time here, in awk), has what does not agree a reason?
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

tsv() { # SQL
    sqlite3 -separator $'\t' :memory: ".import --csv ${classes:-docs/results/classes.csv} c" ".import --csv papers/classes/results/classes-statements.csv s" "$1"
}

cat > "$work/rules.awk" << 'END'
function holds(v, op, t) {
    if (op == ">") return v > t
    if (op == "<") return v < t
    if (op == ">=") return v >= t
    if (op == "<=") return v <= t
    if (op == "=") return v == t
    if (op == "inside") return v >= t && v <= 100 - t
    if (op == "outside") return v < t || v > 100 - t
    print "operator " op; exit
}
BEGIN { FS = "\t" }
{ print $2 == "" ? "not checkable" : holds($2 + 0, $3, $4 + 0) ? "agrees" : "differs" }
END

verdicts_follow() {
    tsv "SELECT program, value, op, threshold FROM c" | awk -f "$work/rules.awk" > "$work/ours"
    tsv "SELECT verdict FROM c" | cmp -s - "$work/ours"
}

scripts/classes.sh -o "$work/again"
cmp -s "$work/again/classes.csv" docs/results/classes.csv || fail "docs/results/classes.csv is not what scripts/classes.sh computes"
cmp -s "$work/again/classes.md" docs/results/classes.md || fail "docs/results/classes.md is not what scripts/classes.sh writes"

verdicts_follow || fail "verdicts do not follow from the thresholds"
sed 's/,agrees,/,differs,/' docs/results/classes.csv > "$work/tampered.csv"
if classes=$work/tampered.csv verdicts_follow; then fail "changed verdicts are not noticed"; fi

[ "$(tsv "SELECT (SELECT count(*) FROM c) = (SELECT count(*) FROM s) AND (SELECT count(*) FROM s) > 100")" = 1 ] ||
    fail "statements are missing"
untold=$(tsv "SELECT program || ': ' || statement FROM c WHERE verdict <> 'agrees' AND reason = ''")
[ -z "$untold" ] || fail "no reason: $untold"
for measure in $(tsv "SELECT DISTINCT measure FROM s WHERE measure <> ''"); do
    grep -q "^|.*\`$measure\`.* |" docs/results/classes.md || fail "docs/results/classes.md does not say what $measure is"
done

# --- are the figures those of the programs as the suites have them now?  A suite names each capture's instructions.
{
    echo suite,program,instructions
    awk -v OFS=, '
        FNR == 1 { suite = FILENAME; gsub(/.*\/|\.cfg$/, "", suite) }
        match($0, /name = "[^"]*"/) { name = substr($0, RSTART + 8, RLENGTH - 9) }
        match($0, /instructions = [0-9]+/) { print suite, name, substr($0, RSTART + 15, RLENGTH - 15) }' {configs,papers/*}/workloads/suites/*.cfg
} > "$work/captures.csv"
stale=$(sqlite3 :memory: ".import --csv '$work/captures.csv' s" ".import --csv papers/classes/results/classes-traces.csv t" \
    ".import --csv papers/classes/results/classes-runs.csv r" "
    SELECT DISTINCT 'traces', suite, program FROM s LEFT JOIN t USING (suite, program)
        WHERE suite IN (SELECT suite FROM t) AND instructions + 0 IS NOT warp_instructions + 0
    UNION SELECT DISTINCT 'runs', suite, program FROM s LEFT JOIN r USING (suite, program)
        WHERE suite IN (SELECT suite FROM r) AND machine IS NOT 'gtx480' -- of 32 lanes; captures are of 64
            AND instructions + 0 IS NOT warp_instructions + 0")
[ -z "$stale" ] || fail "not of the suites' programs: $stale"

[ $failed -eq 0 ]
