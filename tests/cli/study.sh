#!/bin/bash
# papers/verdicts.sh STUDY.sql: the papers' claims from a sweep's database as from its exported figures, and verdicts by
# hand; what is wrong is told.  (The kept studies: cli.scoreboard.)
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
for tool in jq sqlite3; do
    command -v $tool > /dev/null || { echo "$tool is missing"; exit 77; }
done
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

# --- a sweep's database and its figures
printf 'generator = "stream";\nctas = 8;\nwarps_per_cta = 2;\niterations = 4;\n' > "$work/a.cfg"
cat > "$work/small-sweep.cfg" << 'END'
machine   = "rx540";
workloads = ( "a.cfg" );
axes      = ( { path = "l1.enabled"; values = [false, true]; }, { path = "l1.kb"; values = [8, 16]; when = "l1.enabled"; } );
engine    = "simulate";
output    = "small-sweep.db";
END
cat > "$work/small.sql" << 'END'
-- about: a small study
-- sweeps: small-sweep
-- columns: cycles l1.hit_rate
CREATE VIEW claim AS
SELECT 'OFF' AS id, (SELECT cycles FROM small_sweep WHERE "l1.enabled" = 'false') AS value, 'cycles without' AS note
UNION ALL SELECT 'EMPTY', count(*), 'points without an L1 have no size' FROM small_sweep WHERE "l1.kb" IS NULL
UNION ALL SELECT 'HALF', (SELECT max("l1.hit_rate") FROM small_sweep), 'a, "quoted" note';
END
cat > "$work/claims.csv" << 'END'
id,value,unit,dir,lo,hi,class,statement,check,source
EMPTY,1,points,,1,1,model,s,c,here
HALF,50,x,>1,0.9,2,model,"s, t",c,here
OFF,10,cycles,>0,,,model,s,c,here
END
status 'nothing has run' 2 papers/verdicts.sh "$work/small.sql" "$work"
grep -q 'small-sweep.db nor .*small-sweep.csv is there' "$work/err" || fail "no figures: $(cat "$work/err")"
status 'sweep' 0 "$plumb" sweep run "$work/small-sweep.cfg" --db "$work/small-sweep.db" -q
status 'from the database' 0 papers/verdicts.sh --csv "$work/small.sql" "$work"
cp "$work/out" "$work/from-db"
cycles=$(sqlite3 "$work/small-sweep.db" "SELECT m.value FROM metric m JOIN point p ON p.machine = (SELECT machine FROM run WHERE id = m.run)
    WHERE m.name = 'cycles' AND p.path = 'l1.enabled' AND p.value = 'false'")
[ "$(sed -n 2,4p "$work/from-db" | cut -d, -f1-3 | tr '\n' ' ')" = "EMPTY,1,size HALF,$(sed -n 3p "$work/from-db" | cut -d, -f2),no OFF,${cycles%.*},direction " ] ||
    fail "rows: $(cat "$work/from-db")"
grep -q ',"a, ""quoted"" note"$' "$work/from-db" || fail 'the note'
mkdir "$work/kept"
"$plumb" sweep export "$work/small-sweep.cfg" --db "$work/small-sweep.db" --json | jq -r --argjson version "$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')" '
    ["program", "l1.enabled", "l1.kb", "cycles", "l1.hit_rate", "model_version"],
    (.[] | [.program] + [.at["l1.enabled", "l1.kb"]] + [.metrics["cycles", "l1.hit_rate"]] + [$version])
    | map(if type == "number" then . * 1e6 | round / 1e6 elif . == null then "" else . end | tostring) | join(",")' > "$work/kept/small-sweep.csv"
status 'from kept figures' 0 papers/verdicts.sh --csv "$work/small.sql" "$work/kept"
cmp -s "$work/out" "$work/from-db" || fail "figures and database differ: $(diff "$work/out" "$work/from-db")"
status 'as a table' 0 papers/verdicts.sh "$work/small.sql" "$work"
grep -q '^3 claims: 1 of the paper.s size, 1 of its direction, 1 not' "$work/out" && grep -q '50 .*0.9 to 2 ' "$work/out" || fail "$(cat "$work/out")"
status 'as JSON' 0 papers/verdicts.sh --json "$work/small.sql" "$work"
jq -e '[.[].id] == ["EMPTY", "HALF", "OFF"] and .[1].low == "0.9" and .[1].verdict == "no"' "$work/out" > /dev/null || fail 'JSON'

# --- a claim is no newer than the oldest of its figures
sed '/^-- sweeps/a -- scripts: older' "$work/small.sql" > "$work/mixed.sql"
sed '2s/[0-9]*$/1/' "$work/kept/small-sweep.csv" > "$work/kept/older.csv"
status 'figures of two versions' 0 papers/verdicts.sh --json "$work/mixed.sql" "$work/kept"
jq -e 'all(.[]; .model_version == 1)' "$work/out" > /dev/null || fail "versions: $(cat "$work/out")"

# --- what was chosen by the paper's own figures says so
{
    echo of,what,value,reason,since,alternatives,seen
    echo 'my-gpu,l1.kb,64,"assumed: the figure of HALF, with it",2026-01-01 00:00,-,other small'
} > "$work/assumptions.csv"
status 'calibrated' 0 papers/verdicts.sh --json "$work/small.sql" "$work/kept"
jq -e 'all(.[]; .basis == "calibrated")' "$work/out" > /dev/null || fail "basis: $(cat "$work/out")"
status 'as a table, calibrated' 0 papers/verdicts.sh "$work/small.sql" "$work/kept"
grep -q "^calibrated, no independent evidence: my-gpu, l1.kb = 64: assumed: the figure of HALF, with it" "$work/out" || fail "$(cat "$work/out")"
sed -i 's/other small/HALF/' "$work/assumptions.csv"
status 'one claim is calibrated' 0 papers/verdicts.sh --json "$work/small.sql" "$work/kept"
jq -e '[.[] | select(.basis == "calibrated").id] == ["HALF"]' "$work/out" > /dev/null || fail "basis: $(cat "$work/out")"
rm "$work/assumptions.csv"

# --- verdicts by hand: all directions, inside the band, at its ends, outside
cases=tests/data/verdicts.csv # id,value,unit,dir,lo,hi,measured,unmet,verdict
mkdir "$work/by-hand"
{ echo id,value,unit,dir,lo,hi,class,statement,check,source; sed 's/,[^,]*,[01],[a-z]*$/,model,s,c,here/' $cases; } > "$work/by-hand/claims.csv"
{
    printf -- '-- about: by hand\n-- sweeps: small-sweep\n-- columns: cycles\nCREATE VIEW claim AS '
    awk -F, -v q="'" '{ printf("%sSELECT %s AS id, %s AS value, %s AS note", (NR > 1 ? " UNION ALL " : ""), q $1 q, $7, q q) }' $cases
    echo ';'
    awk -F, -v q="'" '$8 { printf("%sSELECT %s AS id, %sit lacks%s AS why", (n++ ? " UNION ALL " : "CREATE VIEW unmet AS "), q $1 q, q, q) }
        END { print ";" }' $cases
} > "$work/by-hand/hand.sql"
status 'verdicts' 0 papers/verdicts.sh --csv "$work/by-hand/hand.sql" "$work/kept"
grep -q '^check-missed,.*unmet: it lacks"\?$' "$work/out" || fail "what is unmet: $(cat "$work/out")"
diff <(tail -n +2 "$work/out" | cut -d, -f1,3) <(sed 's/^\([^,]*\),.*,\([a-z]*\)$/\1,\2/' $cases) > "$work/diff" || fail "verdicts: $(cat "$work/diff")"

# --- what is wrong is told
wrong() { # NAME SED-EXPRESSION MESSAGE
    sed "$2" "$work/small.sql" > "$work/wrong.sql"
    status "$1" 2 papers/verdicts.sh "$work/wrong.sql" "$work/kept"
    grep -q -- "$3" "$work/err" && [ "$(wc -l < "$work/err")" -eq 1 ] || fail "$1: $(cat "$work/err")"
}
wrong 'no such claim' "s/'EMPTY'/'NONE'/" 'no claim NONE'
wrong 'no value' "s/count(\*)/NULL/" 'no value for EMPTY'
wrong 'an infinite value' "s/count(\*)/9e999/" 'value for EMPTY is infinite'
wrong 'broken SQL' 's/CREATE VIEW/CREATE VUE/' 'syntax error'
wrong 'no claims' 's/VIEW claim/VIEW claims/' 'no such table: claim'
wrong 'no sweeps' '/^-- sweeps/d' 'a study names its sweeps'
wrong 'another sweep' 's/small-sweep/no-sweep/' 'no-sweep.csv is there'
wrong 'another file' "s/^CREATE/ATTACH 'x.db' AS x; CREATE/" 'cannot run ATTACH in safe mode'
sqlite3 "$work/small-sweep.db" 'DELETE FROM run WHERE id = 2'
status 'runs are missing' 2 papers/verdicts.sh "$work/small.sql" "$work"
grep -q '1 of its runs are not there' "$work/err" || fail "missing: $(cat "$work/err")"
# --- plumb says who judges
status 'by plumb' 2 "$plumb" sweep check "$work/small.sql"
grep -q 'papers/verdicts.sh STUDY.sql \[FOLDER\] judges studies' "$work/err" || fail "by plumb: $(cat "$work/err")"
exit $((failed > 0))
