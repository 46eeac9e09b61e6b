#!/bin/bash
# The papers' figures (papers/figures.sh): are the kept pages and data those that studies, claims and verdicts give, has every picture
# that a page shows been drawn from the data kept beside it, and is each bar that stands for a claim that claim's value? Nothing is drawn
# again but one paper's pictures, and these only where gnuplot is there.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v sqlite3 > /dev/null || { echo 'sqlite3 is missing'; exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
kept=docs/results/figures

# --- pages and data, made again
status 'made again' 0 papers/figures.sh -o "$work/again" --no-pictures
for page in "$work/again"/*.md; do
    paper=$(basename "$page" .md)
    cmp -s "$page" "$kept/$paper.md" || fail "$paper.md is not what papers/figures.sh $paper makes: $(diff "$page" "$kept/$paper.md" | head -3)"
    cmp -s <(sort "${page%.md}.csv") <(sort "$kept/$paper.csv") || fail "$paper.csv is not what papers/figures.sh $paper makes"
    grep -qF "($paper.md)" docs/results/figures/README.md || fail "the list of pages does not name $paper.md"
done
[ "$(cd "$work/again" && echo *)" = "$(cd $kept && echo [a-z]*.csv [a-z]*.md | tr ' ' '\n' | sort | paste -sd ' ')" ] || fail "other papers: $(ls "$work/again")"

# --- pictures: each of a page is there, and of each the last line is the checksum of its rows
drawn_from() { # SVG CSV: has it been drawn from these rows?
    local figure=${1##*/}
    figure=${figure#"$(basename "$2" .csv)"-}
    awk -F, -v figure="${figure%.svg}" '$1 == figure' "$2" > "$work/rows"
    [ -s "$work/rows" ] && [ "$(tail -n 1 "$1")" = "<!-- data: $(cksum < "$work/rows" | tr ' ' '-') -->" ]
}
for page in "$kept"/*.md; do
    grep -o '](.*\.svg)$' "$page" | sed "s|](\(.*\))|$kept/\1|"
done | sort > "$work/shown"
find $kept -name '*.svg' | sort > "$work/pictures"
cmp -s "$work/pictures" "$work/shown" || fail "pictures that no page shows, or that are not there: $(diff "$work/pictures" "$work/shown")"
[ "$(wc -l < "$work/shown")" -ge 50 ] || fail "only $(wc -l < "$work/shown") pictures"
while read -r picture; do
    paper=$(basename "$picture" | cut -d- -f1)
    drawn_from "$picture" "$kept/$paper.csv" || fail "$picture was drawn from other data; papers/figures.sh $paper draws it"
    [ "$(wc -c < "$picture")" -lt 65536 ] || fail "$picture has $(wc -c < "$picture") bytes"
done < "$work/shown"
sed 's/^4,stride 1,new model,32/4,stride 1,new model,33/; s/^4,"stride 1","new model",32/4,"stride 1","new model",33/' $kept/khairy.csv > "$work/khairy.csv"
if drawn_from $kept/khairy-4.svg "$work/khairy.csv"; then fail 'a changed value is not noticed'; fi
if command -v gnuplot > /dev/null; then
    status 'drawn' 0 papers/figures.sh -o "$work/drawn" khairy
    for picture in "$work/drawn"/*.svg; do
        { drawn_from "$picture" $kept/khairy.csv && grep -qE '<polygon|gpPt' "$picture"; } || fail "$(basename "$picture") is no picture"
    done
    [ "$(find "$work/drawn" -name '*.svg' | wc -l)" -eq "$(grep -c /khairy- "$work/shown")" ] || fail "$(ls "$work/drawn")"
fi

# --- bars and claims
mkdir -p "$work/results"
printf 'program,cycles,model_version\na,10,5\nb,30,5\n' > "$work/results/runs.csv"
printf 'id,value,unit,dir,lo,hi,class,statement,check,source\nMEAN,18,%%,>0,15,25,model,s,c,x\n' > "$work/claims.csv"
study() { # BARS
    cat > "$work/one.sql" << END
-- about: one
-- sweeps: runs
CREATE VIEW claim AS SELECT 'MEAN' AS id, avg(cycles) AS value, '' AS note FROM runs;
CREATE VIEW figure AS SELECT '1' AS figure, 't' AS title, 'u' AS unit, '' AS axis, 's' AS says;
CREATE VIEW bar AS SELECT '1' AS figure, program AS x, 's' AS series, cycles AS value, NULL AS claim FROM runs UNION ALL $1;
END
}
refuses() { # TEXT BARS
    study "$2"
    status "$1" 2 papers/verdicts.sh --figures "$work/one.sql" "$work/results"
    grep -qF -- "$1" "$work/err" || fail "'$1': $(cat "$work/err")"
}
study "VALUES ('1', 'mean', 's', NULL, 'MEAN'), ('1', 'of 100', 's', NULL, '100-MEAN')"
status 'bars' 0 papers/verdicts.sh --figures "$work/one.sql" "$work/results"
[ "$(cut -d, -f7-14 "$work/out" | tail -n 2)" = $'mean,s,20.0,MEAN,18,15,25,size\n"of 100",s,80.0,MEAN,82,75,85,size' ] || fail "bars: $(cat "$work/out")"
refuses 'a bar of figure 1 is of no claim of this study: OTHER' "VALUES ('1', 'mean', 's', NULL, 'OTHER')"
refuses 'a bar of figure 1 has not the value of its claim MEAN: 21.0, 20.0' "VALUES ('1', 'mean', 's', 21, 'MEAN')"
refuses 'a bar is of no figure: 2' "VALUES ('2', 'mean', 's', 1, NULL)"

status 'no such paper' 2 papers/figures.sh -o "$work/none" smith
grep -q "there is no paper 'smith'" "$work/err" || fail "$(cat "$work/err")"
status 'a mistake' 2 papers/figures.sh --picture
grep -q '^usage: papers/figures.sh' "$work/err" || fail "$(cat "$work/err")"
exit $((failed > 0))
