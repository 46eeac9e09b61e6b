#!/bin/bash
# Judges a study: sets what its figures say beside the papers' claims.
#   papers/verdicts.sh [--csv | --json | --figures] STUDY.sql [FOLDER]     FOLDER: of the figures, ../results of the study by default
# Needs sqlite3 alone; nothing is simulated.
#
# A study is an SQL file: `-- about: one line`, `-- sweeps: NAME...` (and `-- scripts: NAME...` for figures that a script makes
# instead of a sweep), then SQL that defines a view `claim` with the columns id, value and note. A second view, `unmet`, with the
# columns id and why, may name claims whose band covers only part of what the paper's figure means and whose remaining part is
# not met. assumptions.csv, beside the study or one folder above it, has the values and inputs that the paper does not state; a row
# whose `seen` names the study (or a claim) was chosen when its figures had been seen, so that the claims are calibrated and no
# independent evidence. Each NAME is a table: program, the axes, the metrics, model_version; '-' in its name becomes '_',
# numbers are reals, values that do not apply are NULL. It is filled from FOLDER/NAME.db, the database of the sweep run last in it
# (metrics of `-- columns: METRIC...` to six decimals), or else from FOLDER/NAME.csv, as scripts/studies.sh writes it. The claims
# are the rows of claims.csv, beside the study or two folders above it.
#
# The verdict: size, the value lies in the claim's band and nothing is unmet; direction, it is on the right side and moves
# (docs/results/claims.md); no. --csv prints rows of docs/results/validation.csv.
#
# For papers/figures.sh a study may have two views more (docs/results/studies/README.md). `figure` has the columns figure, title, unit, axis
# and says; `bar` has figure, x, series, value and claim, in the order in which bars are drawn. A bar of a claim has the claim's value, and
# may leave its own NULL; 100+ID and 100-ID name a gain or a loss in percent whose bar stands on 100. --figures prints the bars with their
# figure and with what claims.csv says of their claims.
set -eu
form=table
case ${1:-} in --csv | --json | --figures) form=${1#--} && shift ;; esac
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n 3p "$0" | sed 's/^# */usage: /' >&2
    exit 2
fi
study=$1
folder=${2:-$(dirname "$study")/../results}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong() {
    echo "verdicts.sh: $study: $*" >&2
    exit 2
}

sql() { sqlite3 -bail "$work/db" "$@" 2> "$work/err" || wrong "$(head -1 "$work/err")"; }
# What a study says reaches its own tables and no file.
safely() { sqlite3 -safe -bail "$work/db" "$@" 2> "$work/err" || wrong "$(head -1 "$work/err")"; }
# A name of a table or a metric, which stands in SQL.
are_names() { [[ $1 =~ ^[A-Za-z0-9_.\ $'\t'-]*$ ]] || wrong "'$1' are no names of letters, digits, '.', '_' and '-'"; }
head_of() { sed -n "s/^-- $1:[ \t]*//p" "$study" | tr -d '\r' | head -1; }
import() { # FILE TABLE
    sql ".import --csv /dev/stdin \"$2\"" < "$1"
    [ ! -s "$work/err" ] || wrong "$1: $(head -1 "$work/err")"
}

from_csv() { # FILE TABLE
    import "$1" raw
    sql "SELECT 'CREATE TABLE \"$2\" (' || group_concat(c || ' REAL', ', ') || ');
        INSERT INTO \"$2\" SELECT ' || group_concat('nullif(' || c || ', '''')', ', ') || ' FROM raw ORDER BY rowid; DROP TABLE raw'
        FROM (SELECT '\"' || replace(name, '\"', '\"\"') || '\"' AS c FROM pragma_table_info('raw'))" > "$work/fill"
    sql < "$work/fill"
}

from_database() { # FILE TABLE
    local metrics
    are_names "$(head_of columns)"
    metrics=$(head_of columns | tr -s ' \t' '\n' | sed "s/.*/SELECT 2, row_number() OVER (), 'metric', '&' UNION ALL/")
    sql "ATTACH '${1//\'/\'\'}' AS sweep; CREATE TABLE id AS SELECT id FROM sweep.sweep ORDER BY planned DESC, id DESC LIMIT 1;
        CREATE TABLE task AS SELECT t.point, w.name AS program, r.id AS run, r.engine_version AS version
            FROM sweep.task t JOIN sweep.workload w ON w.sweep = t.sweep AND w.position = t.workload
            LEFT JOIN sweep.run r ON r.key = t.key AND r.status = 'done'
            WHERE t.sweep IN id AND t.engine IN (SELECT engine FROM sweep.sweep WHERE id IN id) ORDER BY t.point, t.workload;
        CREATE TABLE setting AS SELECT point, axis, value FROM sweep.setting WHERE sweep IN id;
        CREATE TABLE metric AS SELECT run, name, round(value, 6) AS value FROM sweep.metric WHERE run IN (SELECT run FROM task);
        CREATE TABLE axis AS SELECT position, path FROM sweep.axis WHERE sweep IN id"
    missing=$(sql "SELECT count(*) FROM task WHERE run IS NULL")
    [ "$missing" -eq 0 ] || wrong "$1: $missing of its runs are not there; 'plumb sweep run' first"
    sql "WITH c(part, i, what, name) AS ($metrics SELECT 1, position, 'axis', path FROM axis)
        SELECT 'CREATE TABLE \"$2\" (program REAL' || group_concat(', \"' || replace(name, '\"', '\"\"') || '\" REAL', '') || ', model_version REAL);
        INSERT INTO \"$2\" SELECT program' || group_concat(CASE what
            WHEN 'axis' THEN ', (SELECT value FROM setting s WHERE s.point = task.point AND axis = ' || i || ')'
            ELSE ', (SELECT value FROM metric m WHERE m.run = task.run AND name = ''' || name || ''')' END, '') || ', version FROM task;
        DROP TABLE id; DROP TABLE task; DROP TABLE setting; DROP TABLE metric; DROP TABLE axis'
        FROM (SELECT * FROM c ORDER BY part, i)" > "$work/fill"
    sql < "$work/fill"
}

# --- the tables
[ -f "$study" ] || wrong 'no such file'
parts="$(head_of sweeps) $(head_of scripts)"
are_names "$parts"
[ -n "${parts// /}" ] || wrong "no '-- sweeps: NAME...'; a study names its sweeps"
claims=$(dirname "$study")/claims.csv
[ -f "$claims" ] || claims=$(dirname "$study")/../../claims.csv
[ -f "$claims" ] || wrong 'no claims.csv beside it'
import "$claims" paper
name=$(basename "$study" .sql)
assumptions=$(dirname "$study")/assumptions.csv
[ -f "$assumptions" ] || assumptions=$(dirname "$study")/../assumptions.csv
sql 'CREATE TABLE chosen (of TEXT, what TEXT, value TEXT, reason TEXT, since TEXT, alternatives TEXT, seen TEXT)'
if [ -f "$assumptions" ]; then sql ".import --csv --skip 1 '${assumptions//\'/\'\'}' chosen"; fi
version=
for part in $parts; do
    table=${part//-/_}
    if [ -e "$folder/$part.db" ]; then
        from_database "$folder/$part.db" "$table"
    elif [ -e "$folder/$part.csv" ]; then
        from_csv "$folder/$part.csv" "$table"
    else
        wrong "neither $folder/$part.db nor $folder/$part.csv is there; run its sweep, or leave the folder out for the figures that are kept"
    fi
    oldest=
    if [ "$(sql "SELECT count(*) FROM pragma_table_info('$table') WHERE name = 'model_version'")" = 1 ]; then
        oldest=$(sql "SELECT CAST(min(model_version) AS INT) FROM \"$table\"")
    fi
    if [ -n "$oldest" ] && { [ -z "$version" ] || [ "$oldest" -lt "$version" ]; }; then version=$oldest; fi
done

# --- its claims
safely < "$study"
cat > "$work/judge" << 'END'
CREATE TABLE IF NOT EXISTS unmet (id TEXT, why TEXT);
-- `of`: a percentage of something, so that 100 is no change
CREATE TABLE judged AS WITH
stated AS (SELECT p.rowid AS place, p.*, substr(unit, 1, 5) = '% of ' AS of, substr(dir, 2, 1) AS from_what,
        CAST(printf('%.6g', c.value) AS REAL) AS v, c.note, u.why
    FROM claim c JOIN paper p USING (id) LEFT JOIN unmet u ON u.id = c.id),
measured AS (SELECT *, CASE WHEN of THEN v / 100 ELSE v END AS ratio,
        CASE WHEN from_what = '0' THEN 0 WHEN of THEN 100 ELSE 1 END AS unmoved FROM stated),
judged AS (SELECT *,
    -- a rate of change counts as near 0 within 3 (percent), a ratio as near 1 within 3 %; 2 is a limit that the paper sets
    CASE dir WHEN '>0' THEN v > 0 WHEN '<0' THEN v < 0 WHEN '~0' THEN abs(v) <= 3
        WHEN '>1' THEN ratio > 1 WHEN '<1' THEN ratio < 1 WHEN '~1' THEN abs(ratio - 1) <= 0.03
        WHEN '>2' THEN v > 2 WHEN '<2' THEN v < 2
        ELSE dir IN ('rising', 'falling', 'order', 'equal') AND abs(v - 1) < 1e-12 END AS holds,
    -- it moves by a tenth of what the paper says; where the paper states no size, by 1 % or one point
    dir NOT IN ('>0', '<0', '>1', '<1') OR abs(v - unmoved) >= (1 - 1e-9) * CASE WHEN value <> '' THEN abs(value - unmoved) / 10.0
        WHEN unit = 'rho' OR from_what = '1' AND NOT of THEN 0.01 ELSE 1 END AS moves,
    why IS NULL AND CASE WHEN lo <> '' AND hi <> '' THEN v BETWEEN CAST(lo AS REAL) AND CAST(hi AS REAL)
        WHEN dir = '' AND lo = '' AND hi = '' AND value <> '' THEN abs(v - value) <= 1e-9 * abs(value) ELSE 0 END AS sized
    FROM measured)
SELECT *, CASE WHEN sized THEN 'size' WHEN holds AND moves THEN 'direction' ELSE 'no' END AS verdict,
    coalesce(note, '') || CASE WHEN why IS NULL THEN '' WHEN coalesce(note, '') = '' THEN 'unmet: ' || why
        ELSE '; unmet: ' || why END AS said FROM judged ORDER BY place;
SELECT 'claims.csv has no claim ' || coalesce(id, 'NULL') FROM claim WHERE id IS NULL OR id NOT IN (SELECT id FROM paper)
UNION ALL SELECT 'no value for ' || id || ': a claim that fails has one, too' FROM claim WHERE typeof(value) NOT IN ('integer', 'real')
UNION ALL SELECT 'the value for ' || id || ' is infinite' FROM claim WHERE typeof(value) = 'real' AND abs(value) > 1.7976931348623157e308 LIMIT 1;
END
fault=$(safely < "$work/judge")
[ -z "$fault" ] || wrong "$fault"
cat > "$work/draw" << 'END'
CREATE VIEW IF NOT EXISTS figure AS SELECT '' AS figure, '' AS title, '' AS unit, '' AS axis, '' AS says WHERE 0;
CREATE VIEW IF NOT EXISTS bar AS SELECT '' AS figure, '' AS x, '' AS series, 0 AS value, NULL AS claim WHERE 0;
CREATE TABLE figures AS SELECT * FROM figure;
CREATE TABLE bars AS WITH named AS (SELECT figure, x, series, value, CASE WHEN claim GLOB '100[-+]*' THEN substr(claim, 5) ELSE claim END AS claim,
        CASE WHEN claim GLOB '100[-+]*' THEN 100 ELSE 0 END AS base, CASE WHEN claim GLOB '100-*' THEN -1 ELSE 1 END AS sign FROM bar),
    beside AS (SELECT n.*, base + sign * j.v AS v, base + sign * nullif(j.value, '') AS stated, base + sign * nullif(j.lo, '') AS lo, base + sign * nullif(j.hi, '') AS hi, verdict
        FROM named n LEFT JOIN judged j ON j.id = n.claim)
SELECT figure, x, series, CAST(printf('%.6g', coalesce(value, v)) AS REAL) AS value, claim, stated, min(lo, hi) AS lo, max(lo, hi) AS hi, verdict, v FROM beside;
SELECT 'a bar of figure ' || figure || ' is of no claim of this study: ' || claim FROM bars WHERE claim IS NOT NULL AND v IS NULL
UNION ALL SELECT 'a bar of figure ' || figure || ' has not the value of its claim ' || claim || ': ' || value || ', ' || v FROM bars WHERE abs(value - v) > 2e-5 * max(abs(v), 1e-3)
UNION ALL SELECT 'figure ' || figure || ' has no bars' FROM figures WHERE figure NOT IN (SELECT figure FROM bars)
UNION ALL SELECT 'a bar is of no figure: ' || figure FROM bars WHERE figure NOT IN (SELECT figure FROM figures) LIMIT 1;
END

# --- what is said of them
quoted=${name//\'/\'\'}
facts="CASE WHEN EXISTS (SELECT 1 FROM chosen WHERE instr(' ' || seen || ' ', ' $quoted ') OR instr(' ' || seen || ' ', ' ' || judged.id || ' '))
    THEN 'calibrated' ELSE 'independent' END AS basis, ${version:-0} AS model_version"
case $form in
figures)
    fault=$(safely < "$work/draw")
    [ -z "$fault" ] || wrong "$fault"
    safely -csv -newline $'\n' -header "SELECT f.*, '$quoted' AS study, x, series, value, claim, stated, lo, hi, coalesce(verdict, '') AS verdict, ${version:-0} AS model_version
        FROM bars b JOIN figures f USING (figure) ORDER BY f.rowid, b.rowid"
    ;;
csv)
    safely -csv -separator , -newline $'\n' -header "SELECT id, printf('%.6g', v) AS value, verdict, $facts,
        'scripts/studies.sh $quoted' AS command, said AS note FROM judged"
    ;;
json)
    safely -json "SELECT id, v AS value, verdict, unit, value AS paper, dir AS direction, lo AS low, hi AS high, statement, source,
        $facts, said AS note FROM judged"
    ;;
table)
    printf '%s: %s\n\n' "$name" "$(head_of about)"
    safely -column -header "SELECT id AS claim, value AS paper, CASE WHEN lo <> '' AND hi <> '' THEN lo || ' to ' || hi ELSE dir END AS band,
        printf('%.6g', v) AS here, verdict, unit, said AS note FROM judged"
    safely "SELECT printf('%s%d claims: %d of the paper''s size, %d of its direction, %d not; cycle model version %d', char(10), count(*),
        total(verdict = 'size'), total(verdict = 'direction'), total(verdict = 'no'), ${version:-0}) FROM judged"
    safely "SELECT 'calibrated, no independent evidence: ' || of || ', ' || what || ' = ' || value || ': ' || reason FROM chosen
        WHERE instr(' ' || seen || ' ', ' $quoted ') OR EXISTS (SELECT 1 FROM judged WHERE instr(' ' || seen || ' ', ' ' || id || ' '))"
    ;;
esac
