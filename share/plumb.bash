# bash completion for plumb
_plumb_machines() {
    plumb machine list 2> /dev/null | awk 'NR > 1 { print $1 }'
}

_plumb() {
    local word=$2 before=$3 command=${COMP_WORDS[1]} options files
    local engines='estimate sample simulate'
    local run='--set --kernel --max-instructions --per-kernel --json --csv --output --threads --seed --quiet --verbose --help'
    local sampling='--error --confidence --budget'
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$engines compare calibrate sweep report trace machine metrics energy dram --help --version" -- "$word")
        return
    fi
    case $before in
    --access) mapfile -t COMPREPLY < <(compgen -W 'sequential normal' -- "$word"); return ;;
    --pattern) mapfile -t COMPREPLY < <(compgen -W 'seq rand mix21 conf rowstep' -- "$word"); return ;;
    --engine) mapfile -t COMPREPLY < <(compgen -W "$engines" -- "$word"); return ;;
    --set | --vs)
        mapfile -t COMPREPLY < <(compgen -S = -W "$(plumb machine params --json 2> /dev/null |
            sed -nE 's/.*"path": "([^"]+)".*/\1/p')" -- "$word")
        compopt -o nospace
        return
        ;;
    esac
    files=yes
    case $command in
    estimate) options="$run --cal" ;;
    sample) options="$run $sampling --cal --compare-full --intervals" ;;
    simulate) options="$run --cal --per-load --every --series --plot" ;;
    compare) options="--set --vs --engine --cal --kernel --max-instructions $sampling --json --output --threads --seed --quiet --verbose --help" ;;
    calibrate) options="--output --points --choose --minutes --set --max-instructions $sampling --threads --seed --quiet --verbose --help" ;;
    report) options='--output --svg --png --quiet --help' ;;
    sweep) options='--db --cal --json --csv --table --engine --simulate --shard --shards --retry --dry-run --program --output --threads --seed --quiet --verbose --help' ;;
    trace) options='--output --width --json --lossy --brief --section --warps --png --svg --machine --set --kernel --launches --ctas --list --threads --force --accept --dir --quiet --help' ;;
    machine) options='--set --json --markdown --output --help' ;;
    metrics) options='--json --output --help' files=no ;;
    energy) options='--bytes --entries --ways --line --sector --tech --access --table --set --json --output --help' ;;
    dram) options='--list --pattern --gap --requests --percycle --interleave --trace --set --json --output --help' ;;
    *) return ;;
    esac
    if [ "$COMP_CWORD" -eq 2 ]; then
        case $command in
        estimate | sample | simulate | compare | calibrate) options="$options $(_plumb_machines)" ;;
        sweep) options='run status export check merge submit import --help' files=no ;;
        trace) options='info profile check import export generate capture suite --help' files=no ;;
        machine) options='list show params check diff --help' files=no ;;
        energy) options='show import --help' files=no ;;
        esac
    elif [ "$command" = energy ] && [ "${COMP_WORDS[2]}" = show ]; then
        options="$options cache frc mshr $(_plumb_machines)"
    elif [ "$command" = machine ]; then
        case ${COMP_WORDS[2]} in show | diff) options="$options $(_plumb_machines)" ;; esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    [ $files = yes ] && mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _plumb plumb
