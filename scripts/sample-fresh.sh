#!/bin/bash
# Fresh samples, end to end, against one simulation of each program: how far off they are, whether the half widths
# hold, what they cost.  scripts/sample-summary.sh adds up.
# Usage: scripts/sample-fresh.sh [-s SEEDS] [-b BUDGET] [-t TRUTH] PLUMB OUT.csv MACHINE[,MACHINE]... PROGRAM|suite:NAME...
#   -s SEEDS   samples of a program, seeds from 1 on (3); one is enough where a program is simulated whole
#   -b BUDGET  warp instructions, for programs that would else be simulated whole
#   -t TRUTH   folder of the simulations: MACHINE-PROGRAM.json (simulate --json) and .time (its seconds of processor
#              time first); what is missing or is of another program is made (the cache directory's truth-SIM_MODEL_VERSION)
# A row a run.  The first seed finds an empty cache directory, the others what it left (the kept pass): processor time
# of one thread.  A program's rows are written together, when all are there, so that a killed run goes on; rows of this
# version are not made again.  Two runs may share OUT.csv when their machines differ.  version: SIM.EST.PROFILE.SAMPLE.TRACK
# of the tree that this script lies in, which must be what PLUMB was built from.
# bound: 3 % or six intervals of each stratum, whichever is more, as a share of the program: what sampling may simulate.
# Differences are of the sample to the simulation: cycles and energy relative, hit rates as they are; _holds: within the
# half width that was stated.  variance_ratio: with the control variate over without it; with, without: intervals that
# the half width so needs.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
seeds=3 budget="" truth=""
while getopts s:b:t: option; do
    case $option in
    s) seeds=$OPTARG ;;
    b) budget=$OPTARG ;;
    t) truth=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 4 ] || { sed -n 4p "$0" | cut -c3- >&2; exit 2; }
plumb=$1 out=$2
IFS=, read -ra machines <<< "$3"
shift 3

root=$(realpath "$(dirname "$0")/..")
version=
for name in SIM_MODEL EST_MODEL PROFILE SAMPLE TRACK; do
    number=$(grep -rhoE --include='*.[ch]' "${name}_VERSION = [0-9]+" "$root"/{gpu,estimator,engine} | sed 's/.* //')
    version=${version:+$version.}$number
done
cache=${XDG_CACHE_HOME:-$HOME/.cache}/plumb
truth=${truth:-$cache/truth-${version%%.*}}
export PLUMB_SUITES=${PLUMB_SUITES:-$cache/suites}
mkdir -p "$truth"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT # plumb itself ends in order
TIMEFORMAT=%U

timed() { # RESULT COMMAND...: the JSON to the file, seconds of processor time to standard output
    { time "${@:2}" --threads 1 --json -q > "$1" 2> "$work/errors"; } 2>&1 || { cat "$work/errors" >&2; return 1; }
}

simulation() { # MACHINE PROGRAM NAME: makes the truth that is not there
    local known=$truth/$1-$3 seconds
    [ -s "$known.json" ] && [ -s "$known.time" ] && return
    seconds=$(timed "$work/full" "$plumb" simulate "$1" "$2") || return 1
    echo "$seconds" > "$known.time"
    mv "$work/full" "$known.json"
}

same_question() { # TRUTH SAMPLE: both of one machine and one program
    [ "$(jq -c '[.machine_digest, .program_digest]' "$1")" = "$(jq -c '[.machine_digest, .program_digest]' "$2")" ]
}

strata() { # strata, intervals, mean length, mean warm-up, six intervals of each stratum: of the intervals' CSV
    awk -F, 'NR > 1 { n[$4]++; length_of[$4] += $6; all += $6; warm += $7 }
        END { for (s in n) { k++; six += 6 * length_of[s] / n[s] }
              runs = NR > 1 ? NR - 1 : 1
              printf "[%d,%d,%.1f,%.1f,%.1f]", k, NR ? NR - 1 : 0, all / runs, warm / runs, six }' "$work/intervals"
}

row() { # MACHINE NAME SEED SECONDS
    jq -rn --arg version "$version" --arg machine "$1" --arg name "$2" --argjson seed "$3" --argjson took "$4" \
        --argjson simulate "$(cut -d' ' -f1 "$truth/$1-$2.time")" --argjson strata "$(strata)" \
        --slurpfile full "$truth/$1-$2.json" --slurpfile some "$work/some" '
        def held(a; b; half): if a == null or b == null then null else ((a - b) | fabs) <= half * 1.000000001 + 1e-12 end;
        def bit: if . == null then null elif . then 1 else 0 end;
        def less(a; b): if a == null or b == null then null else a - b end;
        $full[0] as $f | $some[0] as $s | $s.confidence as $c | $c.half_widths as $h
        | [$version, $machine, $name, $seed, $f.warp_instructions, $s.cycles / $f.cycles - 1, $c.half_width,
            (held($s.cycles; $f.cycles; $h.cycles // 0) | bit), $c.simulated_share,
            (if $c.half_width > 0 then [0.03, $strata[4] / $f.warp_instructions] | max else null end),
            $strata[0], $strata[1], $strata[2], $strata[3], $c.control.variate, $c.control.variance_ratio,
            $c.control.intervals, $c.control.intervals_without,
            less($s.l1.hit_rate; $f.l1.hit_rate), (held($s.l1.hit_rate; $f.l1.hit_rate; $h["l1.hit_rate"] // 0) | bit),
            less($s.l2.hit_rate; $f.l2.hit_rate), (held($s.l2.hit_rate; $f.l2.hit_rate; $h["l2.hit_rate"] // 0) | bit),
            less($s.dram.row_hit_rate; $f.dram.row_hit_rate),
            (held($s.dram.row_hit_rate; $f.dram.row_hit_rate; $h["dram.row_hit_rate"] // 0) | bit),
            (if $f.energy_mj.total then $s.energy_mj.total / $f.energy_mj.total - 1 else null end),
            (held($s.energy_mj.total; $f.energy_mj.total; $h["energy_mj.total"] // 0) | bit),
            $simulate, $took]
        | map(if . == null then "" elif type == "number" then (. * 1e6 | round) / 1e6 else . end) | join(",")'
}

# Called where bash ignores set -e: each step says itself that it failed.
program() { # MACHINE PROGRAM: its rows
    local machine=$1 name seed took
    name=$(basename "$2") name=${name%.*}
    grep -qs "^$version,$machine,$name,1," "$out" && return
    simulation "$machine" "$2" "$name" || return 1
    : > "$work/rows"
    rm -rf "$work/cache"
    for ((seed = 1; seed <= seeds; seed++)); do
        : > "$work/intervals"
        took=$(XDG_CACHE_HOME=$work/cache timed "$work/some" "$plumb" sample "$machine" "$2" ${budget:+--budget "$budget"} \
            --seed $seed --intervals "$work/intervals") || return 1
        same_question "$truth/$machine-$name.json" "$work/some" || {
            echo "$truth/$machine-$name.json is of another machine or program" >&2
            return 1
        }
        row "$machine" "$name" $seed "$took" >> "$work/rows" || return 1
        [ "$(jq '.confidence.simulated_share == 1' "$work/some")" = true ] && break
    done
    flock "$out" tee -a "$out" < "$work/rows" > /dev/null
    echo "$machine $name: $(wc -l < "$work/rows") rows" >&2
}

head=version,machine,program,seed,instructions,error,half_width,holds,simulated,bound,strata,intervals,length,warmup,control
head=$head,variance_ratio,with,without,l1,l1_holds,l2,l2_holds,rows,rows_holds,energy,energy_holds,simulate_s,sample_s
[ -s "$out" ] || echo "$head" > "$out"
for one in "$@"; do
    case $one in
    suite:*) "$plumb" trace suite "${one#suite:}" --list --json -q | jq -r '.programs[] | select(.path) | .path' ;;
    *) echo "$one" ;;
    esac
done > "$work/programs"
for machine in "${machines[@]}"; do
    while read -r path; do
        program "$machine" "$path" < /dev/null || echo "sample-fresh.sh: $machine $path: no rows" >&2
    done < "$work/programs"
done
