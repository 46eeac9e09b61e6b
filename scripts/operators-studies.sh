#!/bin/bash
# Studies of machine-learning operators on two cards: configs/sweeps/ml-*.cfg as docs/results/operators-studies.md and
# docs/results/studies/ml-operators.csv.
#   scripts/operators-studies.sh       about two minutes of a core for the estimates, two more for what is simulated
# PLUMB (build/rel/plumb), WORK (build/operators-studies, a folder for each version of the models: databases and answers; what lies there is not run again).
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/rel/plumb}
# shellcheck source=scripts/models.bash
. scripts/models.bash
models=$(models_of "$plumb" EST SIM)
work=${WORK:-build/operators-studies/${models//[, ]/}}
table=docs/results/studies/ml-operators.csv
page=docs/results/operators-studies.md
sweeps=(l2 memory mshr lines)
mkdir -p "$work"

# The cards as they are, and what a point changes of them: PATH=VALUE with spaces between, nothing for the card itself.
# A set of the memory has channels of its own, so that the card's are said with it.
base='{"h100-sxm": {"l2.bank_kb": 640, "l2.partitions": 2, "dram.set": "hbm3-5238", "dram.channels": 80, "l1.mshr.entries": 512,
    "l2.mshr.entries": 384, "l1.line_bytes": 128, "l1.sector_bytes": 32, "l2.line_bytes": 128, "l2.sector_bytes": 32,
    "sm.coalesce_bytes": 32},
  "mi300x": {"l2.bank_kb": 256, "l2.partitions": 8, "l3.kb": 262144, "dram.set": "hbm3-5200", "dram.channels": 128,
    "l1.mshr.entries": 256, "l2.mshr.entries": 256, "l1.line_bytes": 128, "l1.sector_bytes": 128, "l2.line_bytes": 128,
    "l2.sector_bytes": 128, "sm.coalesce_bytes": 128}}'
points() { # SWEEP: machine, changes
    jq -r --argjson base "$base" '[.[].at] | unique[] | . as $all | .machine as $m
        | (."dram.set" != $base[$m]."dram.set") as $other
        | [$m, (to_entries | map(select(.key != "machine" and .value != null
            and (.value != $base[$m][.key] or (.key == "dram.channels" and $other and $all["dram.set"]))) | "\(.key)=\(.value)") | join(" "))]
        | join("|")' "$work/$1.json"
}

# One or two points of each axis are simulated, too, for the programs that are small enough.
is_simulated() { # CHANGES
    case $1 in
    "" | l2.bank_kb=64 | l2.bank_kb=160 | l2.partitions=1 | "dram.set=hbm2-1754 "* | l1.mshr.entries=32) ;;
    l2.line_bytes=64\ l2.sector_bytes=64\ * | l2.sector_bytes=64\ *) ;;
    *) return 1 ;;
    esac
}

kept() { # FILE COMMAND...
    [ -s "$1" ] || { "${@:2}" > "$1.part" && mv "$1.part" "$1"; }
}

settings() { # OPTION CHANGES: as options
    local one
    for one in $2; do printf '%s %s ' "$1" "$one"; done
}

simulated() { # MACHINE CHANGES PROGRAM: cycles; nothing where it is not simulated
    local file
    file=$work/simulated-$1-${2//[ \/]/_}-${3//[ \/]/_}.json
    case $3 in *llama*) return ;; esac
    is_simulated "$2" || return 0
    # shellcheck disable=SC2046 # several words
    kept "$file" "$plumb" simulate "$1" "$3" $(settings --set "$2") --json -q --threads 1 || return 0
    jq .cycles "$file"
}

row() { # SWEEP MACHINE CHANGES FILE: a line for each program of a comparison
    local n sim unchanged
    for n in "${!programs[@]}"; do
        sim=$(simulated "$2" "$3" "${programs[n]}")
        unchanged=$(simulated "$2" "" "${programs[n]}")
        jq -r --argjson n "$n" --arg head "$1,$2,$3,${programs[n]#ml/}" --arg sim "$sim" --arg unchanged "$unchanged" '
            .[2 * $n] as $a | .[2 * $n + 1] as $b
            | [$head, $b.cycles, $b.cycles / $a.cycles, ($b.confidence.ratio.low // ""), ($b.confidence.ratio.high // ""),
               $b.bottleneck, $b.l2.hit_rate, $b.dram.utilization, $sim,
               (if $sim != "" and $unchanged != "" then ($sim | tonumber) / ($unchanged | tonumber) else "" end)]
            | map(tostring) | join(",")' "$4"
    done
}

mapfile -t programs < <(grep -o '"ml/[^"]*"' configs/sweeps/ml-l2.cfg | tr -d '"')
: > "$work/rows"
for sweep in "${sweeps[@]}"; do
    file=configs/sweeps/ml-$sweep.cfg
    "$plumb" sweep run "$file" --db "$work/$sweep.db" -q --threads 1
    "$plumb" sweep export "$file" --db "$work/$sweep.db" --json -o "$work/$sweep.json"
    while IFS='|' read -r machine changes; do
        answer=$work/$sweep-$machine-${changes// /_}.json
        # shellcheck disable=SC2046 # several words
        kept "$answer" "$plumb" compare "$machine" "${programs[@]}" $(settings --vs "${changes:-sm.count=$(jq -n "if \"$machine\" == \"mi300x\" then 304 else 132 end")}") \
            --json -q --threads 1
        row "$sweep" "$machine" "$changes" "$answer" >> "$work/rows"
    done < <(points "$sweep")
done
{
    echo sweep,machine,changes,program,cycles,ratio,low,high,bottleneck,l2_hit_rate,dram_utilization,simulated,simulated_ratio,model_version
    version=$(sqlite3 "$work/l2.db" "SELECT max(engine_version) FROM run")
    awk -F, -v OFS=, -v version="$version" '{
        for (i = 5; i <= NF; i++) if ($i ~ /^[0-9.e+-]+$/) $i = sprintf("%.4g", $i)
        print $0, version }' "$work/rows"
} > "$table.part"
mv "$table.part" "$table"

# shellcheck source=scripts/csv-tables.sh
. scripts/csv-tables.sh
{ import_csv "$table"; cat scripts/operators-studies.sql; } | sqlite3 -batch | with_models "$models" > "$page.part"
mv "$page.part" "$page"
