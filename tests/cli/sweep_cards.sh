#!/bin/bash
# A product that chooses its tiles for the card: does a sweep over cards answer as estimate and simulate do for each, does it keep
# the rows of different tiles apart, and do workers write the same table?
set -eu
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
cd "$work"
fail() { echo "FAIL: $*"; exit 1; }

product='ml/gemm M=64 N=128 K=256 type=bf16'
told="$product tile_m=128"
cards='h100-sxm rtx3090'
sweep_file() { # NAME ENGINE
    cat > "$1.cfg" << END
machine     = ( "h100-sxm", "rtx3090" );
workloads   = ( "$product", "$told" );
axes        = ( { path = "l2.mshr.entries"; values = [48, 64]; } );
engine      = "$2";
calibration = "none";
output      = "$1.db";
END
}
# MACHINE,MSHRs,program,cycles of each run, as the command of an engine prints them
singly() { # ENGINE
    local card entries options=()
    if [ "$1" = estimate ]; then options=(--cal none --bank none); fi
    for card in $cards; do
        for entries in 48 64; do
            "$plumb" "$1" "$card" "$product" "$told" --set l2.mshr.entries=$entries "${options[@]}" --csv -q |
                sed 1d | cut -d, -f1,2,5 | sed "s/\([^,]*\),\([^,]*\),/\2,$entries,\1,/"
        done
    done
}
swept() { "$plumb" sweep export "$1" --csv | sed 1d | cut -d, -f2,3,4,8 | sed 's/\([^,]*\),\([^,]*\),\([^,]*\),/\2,\3,\1,/'; }

for engine in estimate simulate; do
    sweep_file $engine $engine
    "$plumb" sweep run $engine.cfg -q
    swept $engine.cfg > swept.txt
    singly $engine > single.txt
    diff swept.txt single.txt || fail "a sweep of engine $engine and $engine differ"
done
[ "$(cut -d, -f3,4 swept.txt | grep -vc tile_m)" = 4 ] || fail "rows: $(cat swept.txt)"

# the database has a program for each choice: two cards' own, one with the tile that is told
[ "$(sqlite3 simulate.db "SELECT count(DISTINCT program) FROM run JOIN program p ON p.digest = program WHERE name NOT LIKE '%tile%'")" = 2 ] ||
    fail "programs: $(sqlite3 simulate.db 'SELECT * FROM program')"
[ "$(sqlite3 simulate.db "SELECT count(DISTINCT program) FROM run JOIN program p ON p.digest = program WHERE name LIKE '%tile%'")" = 1 ] ||
    fail "programs with a tile: $(sqlite3 simulate.db 'SELECT * FROM program')"

# two workloads that are one program on one card alone: results, which are numbered by program, cannot tell them apart
chosen=$("$plumb" program show ml/gemm --machine rtx3090 --p M=64 --p N=128 --p K=256 --p type=bf16 --json | jq -r '.parameters | map(select(.name | test("^(tile|stages|warps|split|cluster|warpgroup|swizzle)"))) | map("\(.name)=\(.value)") | join(" ")')
sed "s|$told|$product $chosen|; s/estimate.db/same.db/" estimate.cfg > same.cfg
if "$plumb" sweep check same.cfg > same.txt 2>&1; then fail "one program on one card under two names: $(cat same.txt)"; fi
grep -q '^plumb: same.cfg:2: .*are the same program on some machine; list it once' same.txt || fail "$(cat same.txt)"

# workers
sed 's/simulate.db/shared.db/' simulate.cfg > shared.cfg
"$plumb" sweep work shared.cfg --threads 1 2> work.log || fail "a worker: $(cat work.log)"
"$plumb" sweep merge shared.cfg > merge.txt 2>&1 || fail "merge: $(cat merge.txt)"
swept shared.cfg | diff - single.txt || fail "workers differ"

# anchors and answers checked by simulation run each card's own program
sed 's/calibration.*//; s/estimate.db/anchored.db/' estimate.cfg > anchored.cfg
"$plumb" sweep run anchored.cfg -q
sqlite3 anchored.db "SELECT program FROM run WHERE engine = 'simulate'" | sort > anchors.txt
sqlite3 simulate.db "SELECT DISTINCT r.program FROM run r JOIN machine m ON m.digest = r.machine WHERE m.name = 'h100-sxm'" |
    sort | diff anchors.txt - || fail "anchors run other programs than the first card's"
"$plumb" sweep check estimate.cfg --simulate 4 > check.txt 2> check.log || fail "check: $(cat check.log)"

# runs of the same name with other tiles are not shown beside the sweep's own
cp simulate.db mixed.db
sqlite3 mixed.db "PRAGMA foreign_keys = on; DELETE FROM run WHERE program IN (SELECT digest FROM program WHERE name NOT LIKE '%tile%');
    UPDATE program SET name = 'gemm ' || substr('$product', 9), spec = '$product' WHERE name LIKE '%tile%'"
sed "s/, \"$(sed 's|/|.|g' <<< "$told")\"//; s/estimate.db/mixed.db/" estimate.cfg > mixed.cfg
"$plumb" sweep run mixed.cfg -q
"$plumb" report mixed.db -o mixed.html > report.txt 2>&1 || fail "report: $(cat report.txt)"
engines=$(sed -n '/id="data">/,/<\/script>/p' mixed.html | sed '1d;$d' | jq -c .engines)
[ "$engines" = '["estimate"]' ] || fail "the report has runs of other tiles: $engines"

# the parts of a difference are those of one program
"$plumb" compare h100-sxm "$product" --with rtx3090 --anchor none -q --json | grep -q '"difference"' && fail "parts of two programs"
"$plumb" compare h100-sxm "$told" --with h100-sxm --anchor none -q > same.txt || fail "compare: $(cat same.txt)"

echo "ok"
