#!/bin/bash
# The runs behind docs/results/classes.md, as CSV: each suite on the machine of its paper, as it is and with one part of
# the memory system larger or perfect.  Resumes: runs that the database holds are not repeated.
#   PLUMB names the program, STUDIES_DB the folder of the database
set -eu
databases=${STUDIES_DB:-build/studies}
db=$databases/classes.db
metrics=(cycles warp_instructions lane_operations opc l1.accesses l1.reads l1.read_hits l2.accesses l2.reads l2.writes
    l2.misses l2.fetches dram.utilization dram.row_hit_rate)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is varied: name, parameter, value as the machine has it, value of the variant.
variants() { # MACHINE
    local channels l2
    channels=$("$PLUMB" machine show "$1" | sed -nE 's/^ *channels = ([0-9]+);.*/\1/p')
    l2=$("$PLUMB" machine show "$1" | sed -nE 's/^ *bank_kb = ([0-9]+);.*/\1/p')
    echo "l1x4 l1.kb 16 64"
    echo "l2x4 l2.bank_kb $l2 $((4 * l2))"
    echo "channelsx2 dram.channels $channels $((2 * channels))"
    echo 'perfect dram.model "banks" "fixed"'
}

rows() { # SUITE MACHINE VARIANT VALUE
    jq -r --arg suite "$1" --arg machine "$2" --arg variant "$3" --arg value "${4//\"/}" --arg metrics "${metrics[*]}" '
        (map(select(.status != "done")) | length) as $missing
        | if $missing > 0 then error("\($missing) runs are not there") else . end
        | .[] | (if (.at[] | tostring) == $value then $variant else "base" end) as $name
        | [$suite, $machine, $name, .program] + [.metrics[$metrics | split(" ")[]]]
        | map(if type == "number" then . * 1e6 | round / 1e6 else . // "" end | tostring) | join(",")' "$work/runs.json"
}

suite() { # SUITE MACHINE
    local variant path from to
    variants "$2" | while read -r variant path from to; do
        cat > "$work/sweep.cfg" << END
machine = "$2";
workloads = ( "suite:$1" );
axes = ( { path = "$path"; values = [$from, $to]; } );
engine = "simulate";
output = "$db";
END
        "$PLUMB" sweep run "$work/sweep.cfg" -q || exit 1
        "$PLUMB" sweep export "$work/sweep.cfg" --json -o "$work/runs.json" || exit 1
        rows "$1" "$2" "$variant" "$to" > "$work/rows" || exit 1
        [ "$variant" = l1x4 ] || sed -i '/^[^,]*,[^,]*,base,/d' "$work/rows" # the same run in every pair
        cat "$work/rows"
    done
}

{
    suite frc rx540
    suite qr rx540
    suite coh hd7770-fgcs18
    suite frc hd7770-europar18
    suite mshr hd7770-fgcs18
    suite vws gtx480
    suite rf gtx480
    suite temp gtx480
} > "$work/all"
version=$(sqlite3 "$db" "SELECT max(engine_version) FROM run WHERE engine = 'simulate'")
echo "suite,machine,variant,program,$(IFS=,; echo "${metrics[*]}"),model_version"
sed "s/\$/,$version/" "$work/all"
