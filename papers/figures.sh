#!/bin/bash
# Draws the papers' figures: our bars, and beside them what the papers state for them.
#   papers/figures.sh [-o FOLDER] [--no-pictures] [PAPER...]      all papers and docs/results/figures by default
# Of each paper: PAPER.md, the page; PAPER.csv, the data behind its pictures; PAPER-FIGURE.svg, a picture. Bars come from the views
# `figure` and `bar` of papers/PAPER/studies/*.sql (papers/verdicts.sh says what they are), stated values from papers/claims.csv,
# verdicts from docs/results/validation.csv. Needs sqlite3, and gnuplot for the pictures; nothing is simulated.
set -eu
output=
pictures=1
while [ $# -gt 0 ]; do
    case $1 in
    -o) output=$(realpath -m "$2") && shift 2 ;;
    --no-pictures) pictures= && shift ;;
    -*) sed -n 3p "$0" | sed 's/^# */usage: /' >&2 && exit 2 ;;
    *) break ;;
    esac
done
papers=("$@")
cd "$(dirname "$0")/.."
output=${output:-docs/results/figures}
if [ -n "$pictures" ] && ! command -v gnuplot > /dev/null; then
    echo "figures.sh: gnuplot, which draws the pictures, is not there; install gnuplot-nox, or --no-pictures" >&2
    exit 2
fi
[ ${#papers[@]} -gt 0 ] || mapfile -t papers < <(grep -lE '^CREATE VIEW bar ' papers/*/studies/*.sql | cut -d/ -f2 | sort -u)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$output"

sql() { sqlite3 -bail "$work/db" "$@"; }

# Every bar of the paper's studies, and every claim of theirs with a verdict.
gather() { # PAPER
    local file unsafe
    rm -f "$work/db"
    sql 'CREATE TABLE drawn (figure TEXT, title TEXT, unit TEXT, axis TEXT, says TEXT, study TEXT, x TEXT, series TEXT, value REAL, claim TEXT,
        stated REAL, lo REAL, hi REAL, verdict TEXT, model_version INT)'
    for file in "papers/$1"/studies/*.sql; do
        grep -qE '^CREATE VIEW bar ' "$file" || continue
        papers/verdicts.sh --figures "$file" > "$work/drawn"
        sql ".import --csv --skip 1 '$work/drawn' drawn"
    done
    unsafe=$(sql "SELECT x || series || unit FROM drawn WHERE x || series || unit GLOB '*[\"\`\\]*' LIMIT 1")
    [ -z "$unsafe" ] || { echo "figures.sh: papers/$1: '$unsafe' has a quote or a backslash" >&2 && exit 2; } # gnuplot would run it
    sql '.import --csv papers/claims.csv paper' '.import --csv docs/results/validation.csv validation' "DELETE FROM paper WHERE source NOT LIKE '$1%'"
    sql < "$work/arrange"
}

# Figures in the order of their numbers; each bar at its place; each claim below one figure: that of its bar, or else the first whose
# number its source names, or none.
cat > "$work/arrange" << 'END'
UPDATE drawn SET claim = nullif(claim, ''), stated = nullif(stated, ''), lo = nullif(lo, ''), hi = nullif(hi, '');
CREATE TABLE figure AS SELECT figure AS id, replace(figure, ' ', '-') AS file, title, unit, axis, says, study, model_version, '' AS number,
    CASE WHEN figure GLOB '[0-9]*' THEN 'Figure ' ELSE '' END || upper(substr(figure, 1, 1)) || substr(figure, 2) AS heading,
    CASE WHEN figure GLOB '[0-9]*' THEN 'Fig ' || rtrim(figure, 'abcdefgh') ELSE upper(substr(figure, 1, 1)) || substr(figure, 2) END AS source
FROM drawn GROUP BY figure;
-- 6.10 behind 6.9, tables and sections last
UPDATE figure SET number = CASE WHEN id GLOB '[0-9]*' THEN printf('%03d.', id)
    || CASE WHEN instr(id, '.') THEN printf('%03d', substr(id, instr(id, '.') + 1)) ELSE '' END ELSE '' END || id;
UPDATE figure SET number = 'z' || id WHERE id NOT GLOB '[0-9]*';
CREATE TABLE place AS
WITH first AS (SELECT *, min(rowid) OVER (PARTITION BY figure, x) AS fx, min(rowid) OVER (PARTITION BY figure, series) AS fs, rowid AS r FROM drawn),
ranked AS (SELECT *, dense_rank() OVER (PARTITION BY figure ORDER BY fx) AS xi, dense_rank() OVER (PARTITION BY figure ORDER BY fs) AS si,
    count(*) OVER (PARTITION BY figure) AS bars, count(*) OVER (PARTITION BY figure, x) AS beside, count(claim) OVER (PARTITION BY figure, x) AS claims FROM first),
-- Of many bars those of means are broader, for what stands on them.
wide AS (SELECT *, CASE WHEN bars > 30 AND beside = claims THEN 3.0 ELSE 1.0 END AS width, max(beside) OVER (PARTITION BY figure) AS n FROM ranked)
SELECT *, sum(width) OVER (PARTITION BY figure ORDER BY xi, si) - width / 2 + xi * (0.3 + 0.15 * n) AS at FROM wide ORDER BY r;
CREATE TABLE claim AS
SELECT p.rowid AS r, p.id, p.value AS stated, p.unit, p.dir, p.lo, p.hi, p.statement, CAST(v.value AS REAL) AS found, v.verdict, v.basis, v.model_version, p.source,
    (SELECT figure FROM drawn d WHERE d.claim = p.id) AS figure,
    -- of '% (more than)' the part that is a unit; trends and orders are met (1) or not (0)
    CASE WHEN p.unit IN ('trend', 'order', 'shape', 'hit (1) / miss (0)') THEN ''
        ELSE ' ' || trim(substr(p.unit, 1, instr(p.unit || '(', '(') - 1)) END AS found_unit
FROM paper p JOIN validation v USING (id);
CREATE TABLE named AS
SELECT c.id, f.id AS figure, row_number() OVER (PARTITION BY c.id ORDER BY c.source || ' ' GLOB '*Fig ' || f.id || '[^0-9.a-h]*' DESC, f.number) AS place
FROM claim c JOIN figure f ON c.source || ' ' GLOB '*' || f.source || '[^0-9.]*' WHERE c.figure IS NULL;
UPDATE claim SET figure = (SELECT n.figure FROM named n WHERE n.id = claim.id AND place = 1) WHERE figure IS NULL;
-- Claims with a band and no figure: 0 is the band's lower end, 1 its upper; of one value, which is met or not, the middle and the edge.
CREATE TABLE dot AS SELECT *, row_number() OVER (ORDER BY r DESC) AS y,
    CASE WHEN hi <> lo THEN (found - lo) / (hi - lo) WHEN found = 1.0 * lo THEN 0.5 WHEN found > 1.0 * lo THEN 9 ELSE -9 END AS at,
    CASE WHEN stated = '' THEN NULL WHEN hi = lo THEN 0.5 ELSE (stated - 1.0 * lo) / (hi - lo) END AS stated_at
FROM claim WHERE figure IS NULL AND lo <> '';
CREATE VIEW data AS
SELECT f.number, d.rowid AS r, f.file AS figure, x, series, printf('%.6g', value) AS value, claim, stated, lo, hi, verdict, d.model_version
FROM drawn d JOIN figure f ON f.id = d.figure
UNION ALL SELECT 'zz', r, 'claims', id, '', printf('%.6g', found), id, stated, lo, hi, verdict, model_version FROM dot;
END

# Okabe and Ito's colours for up to five series; for more, which are sizes, a scale from dark to light (viridis).
colours() { # NUMBER
    if [ "$1" -le 5 ]; then
        echo '#0072B2 #E69F00 #009E73 #CC79A7 #56B4E9' | tr ' ' '\n' | head -n "$1"
    else
        echo '#440154 #46327E #365C8D #277F8E #1FA187 #4AC16D #A0DA39 #FDE725' | tr ' ' '\n' | awk -v n="$1" \
            '{ c[NR] = $1 } END { for (i = 0; i < n; i++) print c[1 + int(i * (NR - 1) / (n - 1) + 0.5)] }'
    fi
}

svg_terminal() { # WIDTH HEIGHT
    echo "set terminal svg size $1,$2 font 'Helvetica,13' background 'white' noenhanced"
    echo "set datafile missing '?'; set datafile separator '|'; set tics nomirror scale 0.4; set border 3"
}

# The bars of a figure as a script of gnuplot.
bars_script() { # FIGURE
    local n i=0 word axis
    sql -separator '|' "SELECT at, value, si, coalesce(stated, '?'), coalesce(lo, '?'), coalesce(hi, '?'), width FROM place WHERE figure = '$1'" > "$work/bars"
    n=$(sql "SELECT max(si) FROM place WHERE figure = '$1'")
    axis=$(sql "SELECT axis FROM figure WHERE id = '$1'")
    svg_terminal 960 "$(sql "SELECT 320 + 4 * max(length(x)) FROM place WHERE figure = '$1'")"
    echo "set style fill solid noborder; set grid ytics lc rgb '#dddddd'; set rmargin 3; set xzeroaxis lt -1 lw 0.7"
    echo "set key outside top left horizontal Left reverse samplen 1.5; set ylabel \"$(sql "SELECT unit FROM figure WHERE id = '$1'")\""
    echo "set xrange [0:$(sql "SELECT max(at + width / 2) + 0.3 + 0.15 * max(n) FROM place WHERE figure = '$1'")]"
    case $axis in log) echo "set logscale y" ;; '') echo "set yrange [*<0:*]" ;; *) echo "set yrange [$axis:*]" ;; esac
    sql "SELECT 'set xtics rotate by 35 right (' || group_concat('\"' || x || '\" ' || at, ', ') || ')'
        FROM (SELECT x, avg(at) AS at FROM place WHERE figure = '$1' GROUP BY xi ORDER BY xi)"
    printf "plot "
    colours "$n" > "$work/colours"
    while IFS= read -r word <&3 && read -r colour <&4; do
        i=$((i + 1))
        printf "'%s' using 1:(\$3 == %d ? \$2 : NaN):7 with boxes lc rgb '%s' title \"%s\", " "$work/bars" $i "$colour" "$word"
    done 3< <(sql "SELECT series FROM place WHERE figure = '$1' GROUP BY si ORDER BY si") 4< "$work/colours"
    ! cut -d'|' -f5 "$work/bars" | grep -qv '^?$' ||
        printf "'%s' using 1:5:(0):(\$6 - \$5) with vectors heads size screen 0.004,90 lc rgb 'black' lw 1.4 title 'its band', " "$work/bars"
    ! cut -d'|' -f4 "$work/bars" | grep -qv '^?$' ||
        printf "'%s' using 1:4 with points pt 12 ps 1.1 lw 2 lc rgb 'black' title 'the paper', " "$work/bars"
    echo "NaN notitle"
}

# What was found beside the bands of the claims that have no figure.
claims_script() {
    local verdict n colours=('#0072B2' '#E69F00' '#D55E00') i=0 points=(7 9 2) names=("the paper's size" 'its direction' 'neither')
    sql -separator '|' "SELECT max(-0.7, min(1.7, at)), y, verdict, coalesce(max(-0.7, min(1.7, stated_at)), '?') FROM dot" > "$work/dots"
    n=$(wc -l < "$work/dots")
    svg_terminal 960 $((110 + 17 * n))
    echo "set style fill solid; set grid ytics lc rgb '#eeeeee'; set key outside top left horizontal Left reverse samplen 1.5"
    echo "set xrange [-0.75:1.75]; set yrange [0.3:$n.7]"
    echo "set object 1 rectangle from 0,0.3 to 1,$n.7 fc rgb '#e8e8e8' fs solid noborder behind"
    echo "set xtics ('below' -0.7, 'lower end' 0, 'upper end' 1, 'above' 1.7); set xlabel \"the paper's band\""
    sql "SELECT 'set ytics (' || group_concat('\"' || id || '\" ' || y, ', ') || ')' FROM dot"
    printf "plot "
    ! grep -qv '?$' "$work/dots" || printf "'%s' using 4:2 with points pt 12 ps 1 lw 1.3 lc rgb 'black' title 'the paper', " "$work/dots"
    for verdict in size direction no; do
        ! grep -qF "|$verdict|" "$work/dots" || printf "'%s' using (strcol(3) eq '%s' ? \$1 : NaN):2 with points pt %d ps 0.8 lc rgb '%s' title \"%s\", " \
            "$work/dots" $verdict "${points[i]}" "${colours[i]}" "${names[i]}"
        i=$((i + 1))
    done
    echo "NaN notitle"
}

# The picture ends with the checksum of the rows that it shows (tests/cli/figures.sh).
draw() { # PAPER FILE SCRIPT...
    local file=$output/$1-$2.svg sum
    sum=$(awk -F, -v figure="$2" '$1 == figure' "$output/$1.csv" | cksum | tr ' ' '-')
    [ -n "$pictures" ] || return 0
    "${@:3}" > "$work/plot"
    { gnuplot "$work/plot" | lean && echo "<!-- data: $sum -->"; } > "$file"
}

# gnuplot's SVG without its empty lines and groups, and with what most groups say said once.
lean() {
    local same='fill="none" color="black" stroke="currentColor" stroke-width="1.00" stroke-linecap="butt" stroke-linejoin="miter"'
    sed "s/<title>[Gg]nuplot[^<]*<\/title>//; s/[ \t]*$//; /^$/d; s/<g $same>/<g>/; s/<g id=\"gnuplot_canvas\">/<g id=\"gnuplot_canvas\" $same>/; s/<rect x=\"0\" y=\"0\"/& stroke=\"none\"/" |
        awk '/^<g( fill="none".*)?>$/ { if (held != "") print held; held = $0; next }
            held != "" { if ($0 == "</g>") { held = ""; next } print held; held = "" } { print }'
}

# Rows of the table of the claims below a figure (of none: '').
claims_table() { # FIGURE
    [ "$(sql "SELECT count(*) FROM claim WHERE coalesce(figure, '') = '$1'")" -gt 0 ] || return 0
    printf '| claim | the paper | stated | band | found | verdict | basis |\n| --- | --- | --- | --- | --- | --- | --- |\n'
    sql -separator ' | ' "SELECT '| ' || id, replace(replace(statement, '|', '/'), '*', '\\*'), CASE stated WHEN '' THEN '' ELSE stated || ' ' || unit END,
            CASE WHEN lo <> '' THEN lo || ' to ' || hi WHEN dir <> '' THEN replace(replace(dir, '<', '\\<'), '>', '\\>') ELSE '' END, printf('%.4g', found) || found_unit, verdict, basis || ' |'
        FROM claim WHERE coalesce(figure, '') = '$1' ORDER BY r"
    echo
}

# One sentence of what agrees: of the claims of a figure ('': of none), or of all.
agreement() { # FIGURE | --all
    sql "SELECT CASE count(*) WHEN 0 THEN 'no claim stands on this figure.'
            ELSE 'of ' || count(*) || CASE count(*) WHEN 1 THEN ' claim' ELSE ' claims' END
                || CASE sum(verdict = 'size') WHEN 0 THEN '' ELSE ', the paper''s size in ' || sum(verdict = 'size') END
                || CASE sum(verdict = 'direction') WHEN 0 THEN '' ELSE ', its direction alone in ' || sum(verdict = 'direction') END
                || CASE sum(verdict = 'no') WHEN 0 THEN '' ELSE ', neither in ' || sum(verdict = 'no')
                    || CASE '$1' WHEN '--all' THEN '' ELSE ' (' || group_concat(CASE verdict WHEN 'no' THEN id END, ', ') || ')' END END || '.' END
        FROM (SELECT * FROM claim WHERE '$1' IN (coalesce(figure, ''), '--all') ORDER BY r)"
}

page() { # PAPER
    local id file heading title says study version
    echo "# $(sed -n 's/^paper = "\(.*\)";$/\1/p' "papers/$1/paper.cfg")"
    cat << END

Made by \`papers/figures.sh $1\`, which simulates nothing; the data behind the pictures are in [$1.csv]($1.csv). Bars are ours. A diamond is a
value that the paper's text states, the line through it the band in which ours counts as the paper's size; bars without one have no value in the
text. Verdicts and what a basis is: [claims.md](../claims.md); why a claim fails: the notes of [validation.csv](../validation.csv).

All in all: $(agreement --all)
END
    while IFS='|' read -r id file heading title says study version <&3; do
        printf '\n## %s: %s\n\n![%s: %s](%s-%s.svg)\n\n' "$heading" "$title" "$heading" "$title" "$1" "$file"
        echo "The paper: $says"
        echo "Here: $(agreement "$id") Cycle model version $version, \`scripts/studies.sh $study\`."
        echo
        claims_table "$id"
    done 3< <(sql -separator '|' "SELECT id, file, heading, title, says, study, model_version FROM figure ORDER BY number")
    [ "$(sql "SELECT count(*) FROM claim WHERE figure IS NULL")" -gt 0 ] || return 0
    printf '\n## Claims without a figure\n\n'
    if [ "$(sql 'SELECT count(*) FROM dot')" -gt 0 ]; then
        printf '![Values stated and found of claims without a figure](%s-claims.svg)\n\n' "$1"
        printf 'Shown are the claims that have a band, each on the scale of its own; what lies beyond the edges is drawn there.\n'
    fi
    printf 'Here: %s\n\n' "$(agreement '')"
    claims_table ''
}

for paper in "${papers[@]}"; do
    [ -d "papers/$paper/studies" ] || { echo "figures.sh: there is no paper '$paper'" >&2 && exit 2; }
    gather "$paper"
    [ -z "$pictures" ] || rm -f "$output/$paper"-*.svg
    sql -csv -newline $'\n' -header "SELECT figure, x, series, value, claim, stated, lo, hi, verdict, model_version FROM data ORDER BY number, r" > "$output/$paper.csv"
    while IFS='|' read -r id file <&3; do draw "$paper" "$file" bars_script "$id"; done 3< <(sql "SELECT id, file FROM figure ORDER BY number")
    [ "$(sql 'SELECT count(*) FROM dot')" -eq 0 ] || draw "$paper" claims claims_script
    page "$paper" | cat -s > "$output/$paper.md"
done
