#!/bin/bash
# The mixes of Mao's table 8, two programs of CPU cores and one of the GPU each, on gem5gpu-temp with TEMP and TBAS: the GPU
# alone, the cores alone (each, and both), all three, and all three with the rows of CPUs apart and their requests first.  The
# programs are captured first: plumb trace suite temp.
set -euo pipefail
source scripts/suite-programs.bash
programs=$(suite_programs temp)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
batches=(gem5gpu-temp-tbas)

# Mix, GPU program of suite temp, CPU programs.
mixes='WL0 fwt perlbench bzip2
WL1 backprop gcc h264ref
WL2 invertedindex gcc bzip2
WL3 kmeans perlbench h264ref
WL4 stencil omnetpp gcc
WL5 pageview xalancbmk h264ref
WL6 dct mcf lbm
WL7 fwt omnetpp xalancbmk
WL8 pagerankview mcf xalancbmk
WL9 invertedindex omnetpp lbm
WL10 neuralnet lbm bzip2
WL11 stringmatch mcf perlbench'

path_of() { awk -v name="$1" '$1 == name { print $2 }' <<< "$programs"; }

# A GPU that leaves networks and memory to the cores: one warp whose loads hit in its L1.
idle_program() { # ITERATIONS
    printf 'generator = "stride"; ctas = 1; warps_per_cta = 1; iterations = %d; unroll = 1; footprint = 128;\n' "$1" > "$work/idle.cfg"
    echo "$work/idle.cfg"
}

simulate() { # PROGRAM [--set NAME=VALUE]...
    "$plumb" simulate "${batches[@]}" "$@" --json -q
}

row() { # MIX GPU CPU0 CPU1 SYSTEM, the answer on stdin
    jq -r --arg version "$version" --args '.metrics // . | [$ARGS.positional[], .cycles, .warp_instructions,
        .cpu.core_ipc."0", .cpu.core_ipc."1", .cpu.read_latency, .dram.row_hit_rate, .dram.utilization, $version]
        | map(if type == "number" then . * 1e6 | round / 1e6 elif . == null then "" else . end | tostring) | join(",")' "$@"
}

# What an iteration of the idle program takes, from two lengths of it.
short=$(simulate "$(idle_program 1000)" | jq '.metrics // . | .cycles')
long=$(simulate "$(idle_program 11000)" | jq '.metrics // . | .cycles')

echo mix,gpu,cpu_0,cpu_1,system,cycles,warp_instructions,ipc_0,ipc_1,read_latency,row_hit_rate,utilization,model_version
while read -r mix gpu cpu0 cpu1; do
    path=$(path_of "$gpu")
    simulate "$path" > "$work/alone"
    row "$mix" "$gpu" "$cpu0" "$cpu1" gpu_alone < "$work/alone"
    # the cores alone, for as long as the GPU's program takes alone
    window=$(jq '.metrics // . | .cycles' "$work/alone")
    idle=$(idle_program "$(awk -v w="$window" -v s="$short" -v l="$long" 'BEGIN { n = 10000 * (w - s) / (l - s) + 1000; printf "%d", n < 100 ? 100 : n }')")
    simulate "$idle" --set cpu.programs="$cpu0" | row "$mix" "$gpu" "$cpu0" "$cpu1" cpu_0_alone
    simulate "$idle" --set cpu.programs="$cpu1" | row "$mix" "$gpu" "$cpu0" "$cpu1" cpu_1_alone
    simulate "$idle" --set cpu.programs="$cpu0 $cpu1" | row "$mix" "$gpu" "$cpu0" "$cpu1" cpus_alone
    simulate "$path" --set cpu.programs="$cpu0 $cpu1" | row "$mix" "$gpu" "$cpu0" "$cpu1" shared
    simulate "$path" --set cpu.programs="$cpu0 $cpu1" --set pages.cpu_rows=true | row "$mix" "$gpu" "$cpu0" "$cpu1" rows
    simulate "$path" --set cpu.programs="$cpu0 $cpu1" --set pages.cpu_rows=true --set dram.cpu_first=true |
        row "$mix" "$gpu" "$cpu0" "$cpu1" combined
done <<< "$mixes"
