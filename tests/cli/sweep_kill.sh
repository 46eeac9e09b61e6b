#!/bin/bash
# kill -9 at five random moments of a sweep (KILLS), then a last run to the end, on one thread: are the exported
# results, byte for byte, those of a sweep that nobody touched?  On the cycle model, the estimator and samples that share
# their intervals (ENGINES); on engine auto in sweep_kill_long.sh.
set -eu
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
kills=${KILLS:-5}
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

cat > "$work/program.cfg" << 'END'
generator = "gather";
ctas = 16;
warps_per_cta = 2;
iterations = 3;
footprint = "256KB";
END
cat > "$work/second.cfg" << 'END'
generator = "stream";
ctas = 24;
warps_per_cta = 2;
iterations = 12;
footprint = "96KB";
END

sed 's/iterations = 12/iterations = 400/' "$work/second.cfg" > "$work/longer.cfg"

sweep_file() { # ENGINE VALUES...
    local engine=$1
    shift
    cat > "$work/$engine.cfg" << END
machine   = "rx540";
workloads = ( "program.cfg", "second.cfg" );
axes      = ( { path = "l1.kb"; values = [8, 16, 32]; },
              { path = "l2.bank_kb"; values = [$1]; },
              { path = "l2.mshr.entries"; values = [$2]; } );
engine    = "$engine";
objectives = ( { metric = "cycles"; goal = "min"; }, { parameter = "l2.bank_kb"; goal = "min"; } );
output    = "$work/$engine.db";
END
}

exports() { # DB NAME
    "$plumb" sweep export "$work/$engine.cfg" --db "$work/$1" --csv -o "$work/$2.csv"
    "$plumb" sweep export "$work/$engine.cfg" --db "$work/$1" --json -o "$work/$2.json"
}

left() { # runs that the killed sweep still has to do
    "$plumb" sweep status "$work/$engine.cfg" --db "$work/killed.db" | sed -nE '1s/.* ([0-9]+) left .*/\1/p'
}

now() { date +%s%N; }

sample_file() { # a budget that forbids to simulate the whole, or nothing would be sampled
    sweep_file sample 128 '16, 64, 128'
    sed -i 's:"program.cfg", "second.cfg":"longer.cfg":; s:^engine .*:&\nbudget = { instructions = 40000; };:
            s:\[8, 16, 32\]:[8, 16]:' "$work/sample.cfg"
}

kill_it() { # NANOSECONDS of the whole sweep
    local pid wait status partial=0 i slice=$(($1 / (kills + 3)))
    [ $engine != sample ] || slice=$(($1 * 2 / 5)) # each resumed run samples the first point again
    for i in $(seq "$kills"); do
        wait=$((slice + slice * (RANDOM % 100) / 100))
        "$plumb" sweep run "$work/$engine.cfg" --db "$work/killed.db" -q &
        pid=$!
        sleep "$(printf '%d.%09d' $((wait / 1000000000)) $((wait % 1000000000)))"
        kill -9 $pid 2> /dev/null || true
        status=0
        wait $pid 2> /dev/null || status=$?
        echo "  kill $i after $((wait / 1000000)) ms: $(left) runs left"
        if [ $status -eq 137 ]; then # it was still running
            partial=$((partial + 1))
        elif [ $partial -eq 0 ]; then # the whole was timed in a slow moment: the next kill comes sooner, in a new sweep
            rm -f "$work"/killed.db*
            slice=$((slice / 2))
        fi
    done
    [ $partial -ge 1 ] || { echo "FAIL: every run was over before it was killed"; return 1; }
}

for engine in ${ENGINES:-simulate estimate sample}; do
    if [ $engine = sample ]; then
        sample_file
    elif [ $engine != estimate ]; then
        sweep_file $engine "${L2_VALUES:-64, 128, 256}" "${MSHR_VALUES:-8, 32}"
    else
        sweep_file estimate '32, 64, 128, 256, 512, 1024' '4, 8, 16, 32, 64, 128, 256, 512'
    fi
    rm -f "$work"/killed.db*
    "$plumb" sweep run "$work/$engine.cfg" --db "$work/warm.db" -q # fills the cache of profiles
    start=$(now)
    "$plumb" sweep run "$work/$engine.cfg" --db "$work/whole.db" -q
    took=$(($(now) - start))
    echo "$engine: $((took / 1000000)) ms uninterrupted"
    exports whole.db whole
    kill_it $took
    "$plumb" sweep run "$work/$engine.cfg" --db "$work/killed.db" --threads 1 -q
    exports killed.db killed
    cmp "$work/whole.csv" "$work/killed.csv"
    cmp "$work/whole.json" "$work/killed.json"
    grep -qE ',(done|simulate),' "$work/whole.csv"
    if [ $engine = sample ] && [ "$(grep -o '"half_width_apart"' "$work/whole.json" | wc -l)" != 5 ]; then
        echo "FAIL: five points share the intervals of the first"
        exit 1
    fi
    if grep -qE ',(missing|failed),' "$work/whole.csv"; then
        echo "FAIL: runs missing or failed"
        exit 1
    fi
    echo "  $(grep -cE ',(done|simulate),' "$work/killed.csv") runs: exports are equal"
    rm -f "$work"/*.db*
done
