#!/bin/bash
# The bank of runs: what is kept, where, who switches it off, and what happens to its file, while answers stay as they are.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
unset PLUMB_BANK PLUMB_BANK_MB
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
source tests/cli/check.bash
bank=$work/cache/plumb/bank.db

cat > "$work/small.cfg" <<'CFG'
generator = "stream";
ctas = 32;
iterations = 4;
launches = 2;
CFG
program=$work/small.cfg

runs() { # [FILE]: how many runs the bank has
    "$plumb" bank status --json ${1:+--bank "$1"} 2> /dev/null | jq .runs
}

expect() { # NAME WANT GOT
    [ "$2" = "$3" ] || fail "$1: $3 instead of $2"
}

said() { # NAME TEXT: one line of stderr, which has the text
    expect "$1, lines" 1 "$(wc -l < "$work/err")"
    grep -q "$2" "$work/err" || fail "$1: $(cat "$work/err")"
}

simulate() { # ARGUMENTS...: the cycles; what is said to $work/err
    "$plumb" simulate rx540 "$program" --json --quiet "$@" 2> "$work/err" | jq .metrics.cycles
}

loud() { # the same, warnings included
    "$plumb" simulate rx540 "$program" --json "$@" 2> "$work/err" | jq .metrics.cycles
}

# what is kept
cycles=$(simulate --bank none)
expect "no bank" 0 "$(runs)"
expect "the answer" "$cycles" "$(simulate)"
expect "a simulation" 1 "$(runs)"
simulate > /dev/null
expect "the same again" 1 "$(runs)"
simulate --max-instructions 1000 > /dev/null
simulate --kernel 0 > /dev/null
"$plumb" estimate rx540 "$program" -q > /dev/null
before=$(runs)
[ "$before" -le 2 ] || fail "parts of programs are kept"
"$plumb" sample rx540 "$program" -q --set l2.bank_kb=512 > /dev/null
expect "a sample" $((before + 1)) "$(runs)"
"$plumb" compare rx540 "$program" -q --engine simulate --vs l1.kb=32 > /dev/null
expect "a comparison" $((before + 2)) "$(runs)"
PLUMB_BANK=$work/own.db simulate > /dev/null
expect "a bank of one's own" 1 "$(runs "$work/own.db")"
simulate --bank "$work/own2.db" > /dev/null
expect "a bank by option" 1 "$(runs "$work/own2.db")"

# the switch
rm -f "$bank"*
"$plumb" bank off
simulate > /dev/null
[ -e "$bank" ] && fail "a bank that is off was written"
simulate --bank "$work/own2.db" --set l2.bank_kb=512 > /dev/null
expect "a named bank is on" 2 "$(runs "$work/own2.db")"
PLUMB_BANK=none "$plumb" bank on 2> "$work/err"
said "the environment decides" "PLUMB_BANK"
PLUMB_BANK=off simulate > /dev/null
[ -e "$bank" ] && fail "PLUMB_BANK=off wrote a bank"
simulate > /dev/null
expect "on again" 1 "$(runs)"

# copies
status "export" 0 "$plumb" bank export "$work/copy.bank"
expect "a copy" 1 "$(runs "$work/copy.bank")"
status "import" 0 "$plumb" bank import "$work/own2.db"
expect "merged" 2 "$(runs)"
grep -q "^1 run added, 1 already there" "$work/out" || fail "import says $(cat "$work/out")"
status "import of a text" 2 "$plumb" bank import "$work/small.cfg"
status "import of nothing" 2 "$plumb" bank import "$work/nothing"
status "export into itself" 2 "$plumb" bank export "$bank"
expect "still there" 2 "$(runs)"

# a sweep leaves its runs, and its database can be imported
cat > "$work/sweep.cfg" <<CFG
machine = "rx540";
workloads = ( "$program" );
axes = ( { path = "l2.bank_kb"; values = [128, 256]; } );
design = "grid";
engine = "simulate";
objectives = ( { metric = "cycles"; goal = "min"; } );
output = "$work/sweep.db";
CFG
rm -f "$bank"*
status "a sweep" 0 "$plumb" sweep run "$work/sweep.cfg" -q
expect "runs of a sweep" 2 "$(runs)"
status "import of a sweep" 0 "$plumb" bank import "$work/sweep.db" --bank "$work/swept.db"
expect "imported runs" 2 "$(runs "$work/swept.db")"
status "the same runs" 0 "$plumb" bank import "$work/swept.db"
grep -q "^0 runs added, 2 already there" "$work/out" || fail "a sweep's runs differ: $(cat "$work/out")"

# files that are no bank: one line, and the answer stays
echo "a text of mine, which is long enough to be the head of a database, if it were one, of a hundred bytes" > "$work/text"
expect "a text" "$cycles" "$(loud --bank "$work/text")"
said "a text" "no bank"
grep -q "^a text of mine" "$work/text" || fail "a text was written to"
ln -s "$work/own.db" "$work/link.db"
expect "a link" "$cycles" "$(loud --bank "$work/link.db")"
said "a link" "a link"
expect "a folder" "$cycles" "$(loud --bank "$work")"
said "a folder" "no regular file"
expect "a sweep" "$cycles" "$(loud --bank "$work/sweep.db")"
said "a sweep" "no bank of plumb's"
expect "no such folder" "$cycles" "$(loud --bank "$work/no/such.db")"
said "no such folder" "cannot be opened"
if command -v sqlite3 > /dev/null; then
    sqlite3 "$work/own.db" "PRAGMA user_version = 77"
    expect "another schema" "$cycles" "$(loud --bank "$work/own.db")"
    said "another schema" "schema version 77"
fi

# damage
rm -f "$bank"*
head -c 20000 /dev/urandom > "$bank"
expect "damaged" "$cycles" "$(loud)"
said "damaged" "was damaged; it is now"
[ -e "$bank.damaged" ] || fail "a damaged bank was not set aside"
expect "a new one" 1 "$(runs)"

# full disk: a limit on the size of files, as a disk that is full at any point
for blocks in 1 8 16 40; do
    rm -f "$bank"*
    got=$(ulimit -f $blocks; loud)
    expect "no room, $blocks KB" "$cycles" "$got"
    [ "$(wc -l < "$work/err")" -le 2 ] || fail "no room: $(cat "$work/err")"
done

# a folder without permission (root may write everywhere: there, a folder of /proc)
chmod a-w "$work/cache/plumb"
expect "read-only" "$cycles" "$(simulate)"
chmod u+w "$work/cache/plumb"
expect "no cache" "$cycles" "$(XDG_CACHE_HOME=/proc/nowhere simulate)"

# several processes, some of which are killed
rm -f "$bank"*
for round in 1 2 3; do
    for kb in 128 256 512; do
        "$plumb" simulate rx540 "$program" -q --set l2.bank_kb=$kb > /dev/null 2>> "$work/all" &
    done
    "$plumb" simulate rx540 "$program" -q --set l1.kb=32 --set l2.mshr.entries=$((16 + round)) > /dev/null 2>&1 &
    sleep 0.0$((round * 3))
    kill -9 $! 2> /dev/null
    wait
done 2> /dev/null
n=$(runs)
[ "$n" -ge 3 ] && [ "$n" -le 6 ] || fail "processes left $n runs"
[ -s "$work/all" ] && fail "processes: $(cat "$work/all")"
expect "nothing was damaged" "" "$(ls "$work/cache/plumb" | grep damaged)"

# upkeep
status "trim" 0 "$plumb" bank trim --mb 1
status "clear" 0 "$plumb" bank clear
expect "cleared" 0 "$(runs)"
PLUMB_BANK_MB=x status "a bound that is none" 2 "$plumb" bank trim
exit $((failed > 0))
