#!/bin/bash
# Does every broken input get exit status 2 and one line on stderr that names the place and the remedy?
# Each case: a name, what the line must say (extended regular expressions: the place, the remedy), the command.
# Nothing may go to standard output, no file may be made.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
bad=tests/cli/bad
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
failed=0
cases=0

# expect NAME LINES PLACE REMEDY COMMAND...: exit 2, that many lines on stderr, each starting "plumb: "
expect_lines() {
    local name=$1 lines=$2 place=$3 remedy=$4 status
    shift 4
    cases=$((cases + 1))
    timeout 60 "$@" > "$work/out" 2> "$work/err"
    status=$?
    if [ $status -ne 2 ]; then
        echo "FAIL $name: exit status $status, expected 2"
    elif [ "$(wc -l < "$work/err")" -ne "$lines" ]; then
        echo "FAIL $name: $(wc -l < "$work/err") lines on stderr, expected $lines"
    elif grep -qv '^plumb: ' "$work/err"; then
        echo "FAIL $name: a line does not start with 'plumb: '"
    elif ! grep -qE -- "$place" "$work/err"; then
        echo "FAIL $name: the place ($place) is not named"
    elif ! grep -qE -- "$remedy" "$work/err"; then
        echo "FAIL $name: the remedy ($remedy) is not named"
    elif [ -s "$work/out" ]; then
        echo "FAIL $name: something on standard output"
    else
        return
    fi
    sed 's/^/    /' "$work/err" | head -5
    failed=$((failed + 1))
}

expect() { # NAME PLACE REMEDY COMMAND...
    local name=$1
    shift
    expect_lines "$name" 1 "$@"
}

gather=configs/workloads/rx540-gather.cfg
machine() { # NAME PLACE REMEDY: the file bad/machine-NAME.cfg
    expect "machine $1" "$bad/machine-$1.cfg:?$2" "$3" "$plumb" estimate "$bad/machine-$1.cfg" "$gather"
}
sweep() { # NAME LINE REMEDY
    expect "sweep $1" "$bad/sweep-$1.cfg:$2: " "$3" "$plumb" sweep run "$bad/sweep-$1.cfg" --db "$work/never.db"
}

# --- machines, unbuilt policies among them
machine unknown-key 2 'l2\.bank_kb$|l2\.bank_kb[^s]'
machine wrong-type 2 'whole number from 1'
machine out-of-range 2 'from 1 to'
machine large-literal 2 'from 0 to 1048576'
machine syntax 2 'closed'
machine frc 2 'conventional'
machine torus 2 'crossbar'
machine mru 2 'lru'
machine when 2 'allowed with l2.miss_management = conventional'
machine missing-base 1 'rx540'
machine missing-include 2 'nowhere.cfg'
expect 'machine cycle' 'machine-cycle.cfg' 'without a circle' "$plumb" estimate $bad/machine-cycle.cfg $gather
expect_lines 'machine impossible' 2 'machine-impossible.cfg:2: l2.line_bytes' 'power of two' \
    "$plumb" estimate $bad/machine-impossible.cfg $gather
expect_lines 'machine with many faults' 3 'machine-many.cfg:4: l2.bank_kb' 'the closest known one is sm.count .streaming' \
    "$plumb" estimate $bad/machine-many.cfg $gather
expect 'machine that is not there' 'rx5400' 'rx540' "$plumb" simulate rx5400 $gather
expect 'machine file that is not there' '/nowhere/gpu.cfg' 'no such file' "$plumb" simulate /nowhere/gpu.cfg $gather
expect '--set of an unknown parameter' 'l1.kbb' 'l1.kb' "$plumb" estimate rx540 $gather --set l1.kbb=16
expect '--set of an unbuilt policy' 'l2.miss_management' 'conventional' \
    "$plumb" estimate rx540 $gather --set l2.miss_management=frc
expect '--set of an unbuilt topology' 'noc.topology' 'crossbar' "$plumb" estimate rx540 $gather --set noc.topology=torus
expect '--set without a value' '--set l1.kb' 'PATH=VALUE' "$plumb" estimate rx540 $gather --set l1.kb
expect '--vs out of range' '--vs sm.count=0' 'from 1 to' "$plumb" compare rx540 $gather --vs sm.count=0

# --- programs
program() { expect "program $1" "$2" "$3" "$plumb" estimate rx540 "$4"; }
program 'unknown generator' "generator-unknown.cfg:1" 'stream' $bad/generator-unknown.cfg
program 'no generator' 'generator-missing.cfg:1' 'stream' $bad/generator-missing.cfg
program 'unknown key' 'generator-key.cfg:2' 'iterations' $bad/generator-key.cfg
program 'value out of range' 'generator-range.cfg:2' '1 to' $bad/generator-range.cfg
program 'narrow trace on a wide machine' 'generator-narrow.cfg' '64 lanes' $bad/generator-narrow.cfg
expect 'layer without an operator' 'blocks=0' 'at least one operator' "$plumb" estimate rx540 ml/llama-8b-decode --p blocks=0
program 'not there' 'nowhere.plt' '\.plt trace' nowhere.plt
program 'suite that is not there' 'suite:nowhere' 'configuration directories' suite:nowhere
mkdir "$work/empty" "$work/list"
program 'directory without a list' "$work/empty" 'kernelslist.g' "$work/empty"
printf 'kernel-1.traceg\n' > "$work/list/kernelslist.g"
program 'list naming a missing trace' 'kernelslist.g:1' 'plain, .xz' "$work/list"
printf 'this is no trace\n' > "$work/list/kernel-1.traceg"
program 'trace that is none' 'kernel-1.traceg:1' 'headers look like' "$work/list"
head -c 3000 /dev/zero > "$work/zero.plt"
program 'plt of zeros' 'zero.plt' 'begin with PLUMBTRC' "$work/zero.plt"
: > "$work/empty.plt"
program 'empty plt' 'empty.plt' 'begin with PLUMBTRC' "$work/empty.plt"
if [ -f configs/workloads/fwt.plt ]; then
    head -c 4000 configs/workloads/fwt.plt > "$work/short.plt"
    program 'truncated plt' 'short.plt' 'cut|truncated|trailer|end' "$work/short.plt"
fi
expect 'kernel out of range' 'rx540-gather' 'allowed: 0-0' "$plumb" estimate rx540 $gather --kernel 7
expect 'kernel of no such name' 'nothing' "there is 'rx540-gather'" "$plumb" estimate rx540 $gather --kernel nothing

# --- calibrations
calibration() { expect "calibration $1" "$2" "$3" "$plumb" estimate rx540 $gather --cal "$4"; }
calibration 'of another machine' 'calibration-other-machine.cal' 'qv100' $bad/calibration-other-machine.cal
calibration 'of another model' 'calibration-other-model.cal' 'calibrate again' $bad/calibration-other-model.cal
calibration 'of an older format' 'calibration-format.cal:1' 'calibrate again' $bad/calibration-format.cal
calibration 'with a wrong value' 'calibration-value.cal:7' 'a number from' $bad/calibration-value.cal
calibration 'without contents' 'calibration-empty.cal:1' 'plumb_calibration' $bad/calibration-empty.cal
calibration 'not there' 'nowhere.cal' 'No such file' nowhere.cal

# --- sweeps
sweep engine 5 '"simulate" or "auto"'
sweep design 5 '"grid", "sobol"'
sweep key 5 'objectives'
sweep metric 5 'plumb metrics'
sweep goal 5 '"max" or "min"'
sweep calibration 5 'plumb calibrate'
sweep duplicate 5 'duplicate'
sweep budget 5 'instructions'
sweep illegal-value 4 '1 to 4096'
sweep axis 4 'machine params'
sweep scale 4 '"log2"'
sweep program 2 'kernelslist.g'
sweep no-output 1 'output'
sweep combination 4 'l1'
printf 'machine = "rx540"; workloads = ( "%s" ); output = "x.db"; axes = ( { path = "l1.kb"; values = [8]; } );
constraints = ( "l1.kb >\\n8 )" );\n' "$PWD/$gather" > "$work/lines.cfg"
expect 'sweep with a condition of two lines' 'lines.cfg:2: ' 'column 11' "$plumb" sweep run "$work/lines.cfg"
deep=$work/$(printf 'long%.0s' {1..50})/$(printf 'long%.0s' {1..50})/$(printf 'long%.0s' {1..50})
deep=$deep/$(printf 'long%.0s' {1..50})/$(printf 'long%.0s' {1..50})/$(printf 'long%.0s' {1..50})
mkdir -p "$deep" && cp "$work/lines.cfg" "$deep/"
expect 'sweep with a name of 1200 characters' 'longlong' 'longlong' "$plumb" sweep run "$deep/lines.cfg"
expect 'sweep with a table that is not there' 'sweep-energy.cfg: point 1: energy.table' 'configs/tables' \
    "$plumb" sweep run "$bad/sweep-energy.cfg" --db "$work/never.db"
expect 'sweep that is not there' 'nowhere.cfg' 'no such file' "$plumb" sweep run nowhere.cfg
cat > "$work/sound.cfg" << END
machine   = "rx540";
workloads = ( "$PWD/$gather" );
axes      = ( { path = "l1.kb"; values = [8]; } );
output    = "$work/never.db";
END
sed 's/output/engine = "auto"; output/' "$work/sound.cfg" > "$work/chosen.cfg"
expect 'sweep joined' 'joined' 'check, merge, submit' "$plumb" sweep joined "$work/sound.cfg"
expect 'sweep merge of nothing' 'never.shard-' 'name them' "$plumb" sweep merge "$work/sound.cfg" --db "$work/never.db"
expect 'sweep merge of a shard that is not there' 'gone.db' 'no such database' "$plumb" sweep merge "$work/sound.cfg" gone.db --db "$work/never.db"
: > "$work/empty.db"
expect 'sweep status of an empty file' 'empty.db' 'an empty file' "$plumb" sweep status "$work/sound.cfg" --db "$work/empty.db"
expect 'report of an empty file' 'empty.db' 'an empty file' "$plumb" report "$work/empty.db" -o "$work/empty.html"
[ ! -s "$work/empty.db" ] || { echo "an empty file was written to"; exit 1; }
expect 'sweep submit' 'submit' '--workers N' "$plumb" sweep submit "$work/sound.cfg"
expect 'sweep submit twice' 'submit' 'one of --slurm' "$plumb" sweep submit "$work/sound.cfg" --workers 2 --pbs --slurm
expect 'sweep work without a lease' '--lease 0' 'from 1 to 86400' "$plumb" sweep work "$work/sound.cfg" --lease 0
expect 'sweep work in a file' 'sound.cfg' 'no directory' "$plumb" sweep work "$work/sound.cfg" --dir "$work/sound.cfg"
expect 'sweep --shard of auto' '--shard' 'sweep work' "$plumb" sweep run "$work/chosen.cfg" --shard 1/2
expect 'sweep --shard 5/4' '--shard 5/4' '1 <= I <= N' "$plumb" sweep run "$work/sound.cfg" --shard 5/4

# --- databases
sweep_db() { expect "database $1" "$work/$2" "$3" "$plumb" sweep "$4" "$work/sweep.cfg" --db "$work/$2"; }
cat > "$work/sweep.cfg" << END
machine   = "rx540";
workloads = ( "$PWD/$bad/../../../$gather" );
axes      = ( { path = "l1.kb"; values = [8, 16]; } );
output    = "never.db";
END
printf 'this is not a database, though it is long enough to hold a header of a hundred bytes: %s\n' {1..20} \
    > "$work/text.db"
sweep_db 'that is text' text.db 'another output' run
sweep_db 'that is text, asked for its status' text.db 'another output' status
sweep_db 'in no directory' no/where.db 'directory' run
sweep_db 'that is a directory' empty 'database file' run
sweep_db 'that is not there' missing.db 'sweep run' export
if command -v sqlite3 > /dev/null; then
    sqlite3 "$work/strange.db" 'CREATE TABLE guests(name TEXT)'
    sweep_db 'of another program' strange.db 'another output' run
    "$plumb" sweep run "$work/sweep.cfg" --db "$work/old.db" -q
    cp "$work/old.db" "$work/broken.db"
    sqlite3 "$work/old.db" 'PRAGMA user_version = 99'
    sweep_db 'of another version' old.db 'schema version 99' run
    head -c 20000 /dev/urandom | dd of="$work/broken.db" bs=1 seek=4096 conv=notrunc status=none
    sweep_db 'with broken pages' broken.db 'move it away' run
fi

# --- arguments
expect 'no command' 'no command' '--help' "$plumb"
expect 'unknown command' 'estimat' 'estimate' "$plumb" estimat rx540 $gather
expect 'the report, not built' 'report' '--help' "$plumb" report x.db
expect 'no program' 'estimate' 'PROGRAM' "$plumb" estimate rx540
expect 'unknown option' '--fast' '--help' "$plumb" estimate rx540 $gather --fast
expect 'option of another command' '--error' 'does not take' "$plumb" estimate rx540 $gather --error 0.1
expect 'missing value' '--set' 'needs a value' "$plumb" estimate rx540 $gather --set
expect 'error of 3' '--error 3' 'between 0 and 1' "$plumb" sample rx540 $gather --error 3
expect 'threads of 0' '--threads 0' 'from 1' "$plumb" simulate rx540 $gather --threads 0
expect 'seed of words' '--seed one' 'whole number' "$plumb" sample rx540 $gather --seed one
expect 'kernel range backwards' '--kernel 5-2' 'N-M' "$plumb" estimate rx540 $gather --kernel 5-2
expect 'two formats' '--json and --csv' 'one of' "$plumb" estimate rx540 $gather --json --csv
expect 'unknown engine' '--engine guess' 'estimate, sample, simulate' "$plumb" compare rx540 $gather --engine guess
expect 'nothing to compare' 'compare' '--vs l2.bank_kb=512' "$plumb" compare rx540 $gather
expect 'one machine to calibrate' 'rx540: one machine' '2 or more' "$plumb" calibrate rx540 $gather --points 1 -o "$work/never.cal"
expect 'too few runs to calibrate' 'rx540: 2 sampled' 'points' "$plumb" calibrate rx540 $gather --points 2 -o "$work/never.cal"
expect 'calibrate on one program twice' 'rx540' 'list it once' "$plumb" calibrate rx540 $gather $gather -o "$work/never.cal"
expect 'calibrate without -o' 'calibrate' '-o FILE' "$plumb" calibrate rx540 $gather
expect 'unknown metrics argument' 'metrics' '--help' "$plumb" metrics nosuch

[ ! -e never.db ] && [ ! -e "$work/never.db" ] || { echo "FAIL a database was made"; failed=$((failed + 1)); }
echo "$cases broken inputs, $failed not refused as they should be"
[ $failed -eq 0 ]
