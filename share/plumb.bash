# bash completion for plumb
# Made by 'plumb help --bash' from the table of commands; do not edit.
_plumb_machines() {
    "$plumb" machine list 2> /dev/null | awk 'NR > 1 && /^[^#]/ { print $1 }'
}
_plumb_programs() {
    "$plumb" program list 2> /dev/null | awk 'NR > 1 && /^[^#]/ { print $1 }'
}
_plumb_parameters() {
    "$plumb" machine params --json 2> /dev/null | sed -nE 's/.*"path": "([^"]+)".*/\1/p'
}
_plumb_subcommands() { # COMMAND, or '' for the commands
    case $1 in
    '' | help) echo 'estimate sample simulate compare calibrate sweep report trace program machine metrics energy dram help' ;;
    sweep) echo 'run work status export point check merge submit import' ;;
    trace) echo 'info profile check import export generate capture suite' ;;
    program) echo 'list show' ;;
    machine) echo 'list show params mechanisms check diff probe fit import' ;;
    energy) echo 'show import' ;;
    esac
}
_plumb_options() { # COMMAND
    case $* in
    'estimate') echo '--set --p --allow-unknown --cal --kernel --max-instructions --per-kernel --confidence --exact-profile --json --csv --output --threads --seed --quiet --verbose' ;;
    'sample') echo '--set --p --allow-unknown --cal --kernel --max-instructions --per-kernel --error --confidence --budget --compare-full --intervals --json --csv --output --threads --seed --quiet --verbose' ;;
    'simulate') echo '--set --p --allow-unknown --cal --kernel --max-instructions --per-kernel --per-load --every --series --plot --json --csv --output --threads --seed --quiet --verbose' ;;
    'compare') echo '--set --p --allow-unknown --vs --with --engine --cal --kernel --max-instructions --exact-profile --error --confidence --budget --json --output --threads --seed --quiet --verbose' ;;
    'calibrate') echo '--output --set --p --db --points --choose --minutes --error --confidence --budget --max-instructions --threads --seed --quiet --verbose' ;;
    'sweep run') echo '--shard --retry --dry-run --db --cal --threads --quiet --verbose' ;;
    'sweep work') echo '--dir --workers --lease --leave --retry --db --cal --threads --quiet --verbose' ;;
    'sweep status') echo '--dir --db --cal --threads --quiet --verbose' ;;
    'sweep export') echo '--csv --json --table --engine --output --db --cal --threads --quiet --verbose' ;;
    'sweep point') echo '--output --db --cal --threads --quiet --verbose' ;;
    'sweep check') echo '--simulate --seed --json --csv --output --db --cal --threads --quiet --verbose' ;;
    'sweep merge') echo '--dir --partial --db --cal --threads --quiet --verbose' ;;
    'sweep submit') echo '--workers --shards --slurm --dry-run --pbs --parallel --dir --output --time --mem --partition --account --at-once --db --cal --threads --quiet --verbose' ;;
    'sweep import') echo '--program --what-to-collect --db --cal --threads --quiet --verbose' ;;
    'report') echo '--output --svg --png --threads --quiet --verbose' ;;
    'trace info') echo '--section --brief --json --png --svg --warps --page --p --allow-unknown --width --output --quiet' ;;
    'trace profile') echo '--machine --set --p --allow-unknown --output --threads --quiet --verbose' ;;
    'trace check') echo '--p --allow-unknown --width' ;;
    'trace import') echo '--output --allow-unknown' ;;
    'trace export') echo '--p --allow-unknown --lossy' ;;
    'trace generate') echo '--output --p --width' ;;
    'trace capture') echo '--output --width --kernel --launches --ctas --registers --resident-warps --unroll' ;;
    'trace suite') echo '--list --json --threads --force --accept --dir --quiet' ;;
    'program list') echo '--json' ;;
    'program show') echo '--p --json' ;;
    'machine list') echo '--json' ;;
    'machine show') echo '--set --output --json' ;;
    'machine params') echo '--json --markdown' ;;
    'machine mechanisms') echo '--set --markdown' ;;
    'machine check') echo '--set --json' ;;
    'machine diff') echo '--set' ;;
    'machine probe') echo '--experiment --against --gpu --output --svg --set --points --threads --json --quiet' ;;
    'machine fit') echo '--against --gpu --output' ;;
    'machine import') echo '--output --quiet' ;;
    'metrics') echo '--json --markdown --output --threads --quiet --verbose' ;;
    'energy show') echo '--bytes --entries --ways --line --sector --tech --access --table --set --json --output' ;;
    'energy import') echo '--access --output' ;;
    'dram') echo '--pattern --gap --requests --percycle --trace --interleave --set --list --json --output' ;;
    esac
}
_plumb_value() { # COMMAND OPTION
    case $* in
    'estimate --set') echo 'parameter' ;;
    'estimate --p') echo 'nothing' ;;
    'estimate --cal') echo 'file' ;;
    'estimate --kernel') echo 'nothing' ;;
    'estimate --max-instructions') echo 'nothing' ;;
    'estimate --confidence') echo 'nothing' ;;
    'estimate --output' | 'estimate -o') echo 'file' ;;
    'estimate --threads') echo 'nothing' ;;
    'estimate --seed') echo 'nothing' ;;
    'sample --set') echo 'parameter' ;;
    'sample --p') echo 'nothing' ;;
    'sample --cal') echo 'file' ;;
    'sample --kernel') echo 'nothing' ;;
    'sample --max-instructions') echo 'nothing' ;;
    'sample --error') echo 'nothing' ;;
    'sample --confidence') echo 'nothing' ;;
    'sample --budget') echo 'nothing' ;;
    'sample --intervals') echo 'file' ;;
    'sample --output' | 'sample -o') echo 'file' ;;
    'sample --threads') echo 'nothing' ;;
    'sample --seed') echo 'nothing' ;;
    'simulate --set') echo 'parameter' ;;
    'simulate --p') echo 'nothing' ;;
    'simulate --cal') echo 'file' ;;
    'simulate --kernel') echo 'nothing' ;;
    'simulate --max-instructions') echo 'nothing' ;;
    'simulate --every') echo 'nothing' ;;
    'simulate --series') echo 'file' ;;
    'simulate --plot') echo 'file' ;;
    'simulate --output' | 'simulate -o') echo 'file' ;;
    'simulate --threads') echo 'nothing' ;;
    'simulate --seed') echo 'nothing' ;;
    'compare --set') echo 'parameter' ;;
    'compare --p') echo 'nothing' ;;
    'compare --vs') echo 'parameter' ;;
    'compare --with') echo 'machine' ;;
    'compare --engine') echo 'words:estimate sample simulate' ;;
    'compare --cal') echo 'file' ;;
    'compare --kernel') echo 'nothing' ;;
    'compare --max-instructions') echo 'nothing' ;;
    'compare --error') echo 'nothing' ;;
    'compare --confidence') echo 'nothing' ;;
    'compare --budget') echo 'nothing' ;;
    'compare --output' | 'compare -o') echo 'file' ;;
    'compare --threads') echo 'nothing' ;;
    'compare --seed') echo 'nothing' ;;
    'calibrate --output' | 'calibrate -o') echo 'file' ;;
    'calibrate --set') echo 'parameter' ;;
    'calibrate --p') echo 'nothing' ;;
    'calibrate --db') echo 'file' ;;
    'calibrate --points') echo 'nothing' ;;
    'calibrate --choose') echo 'words:spread random active' ;;
    'calibrate --minutes') echo 'nothing' ;;
    'calibrate --error') echo 'nothing' ;;
    'calibrate --confidence') echo 'nothing' ;;
    'calibrate --budget') echo 'nothing' ;;
    'calibrate --max-instructions') echo 'nothing' ;;
    'calibrate --threads') echo 'nothing' ;;
    'calibrate --seed') echo 'nothing' ;;
    'sweep run --shard') echo 'nothing' ;;
    'sweep run --db') echo 'file' ;;
    'sweep run --cal') echo 'file' ;;
    'sweep run --threads') echo 'nothing' ;;
    'sweep work --dir') echo 'folder' ;;
    'sweep work --workers') echo 'nothing' ;;
    'sweep work --lease') echo 'nothing' ;;
    'sweep work --db') echo 'file' ;;
    'sweep work --cal') echo 'file' ;;
    'sweep work --threads') echo 'nothing' ;;
    'sweep status --dir') echo 'folder' ;;
    'sweep status --db') echo 'file' ;;
    'sweep status --cal') echo 'file' ;;
    'sweep status --threads') echo 'nothing' ;;
    'sweep export --engine') echo 'words:estimate sample simulate' ;;
    'sweep export --output' | 'sweep export -o') echo 'file' ;;
    'sweep export --db') echo 'file' ;;
    'sweep export --cal') echo 'file' ;;
    'sweep export --threads') echo 'nothing' ;;
    'sweep point --output' | 'sweep point -o') echo 'file' ;;
    'sweep point --db') echo 'file' ;;
    'sweep point --cal') echo 'file' ;;
    'sweep point --threads') echo 'nothing' ;;
    'sweep check --simulate') echo 'nothing' ;;
    'sweep check --seed') echo 'nothing' ;;
    'sweep check --output' | 'sweep check -o') echo 'file' ;;
    'sweep check --db') echo 'file' ;;
    'sweep check --cal') echo 'file' ;;
    'sweep check --threads') echo 'nothing' ;;
    'sweep merge --dir') echo 'folder' ;;
    'sweep merge --db') echo 'file' ;;
    'sweep merge --cal') echo 'file' ;;
    'sweep merge --threads') echo 'nothing' ;;
    'sweep submit --workers') echo 'nothing' ;;
    'sweep submit --shards') echo 'nothing' ;;
    'sweep submit --dir') echo 'folder' ;;
    'sweep submit --output' | 'sweep submit -o') echo 'file' ;;
    'sweep submit --time') echo 'nothing' ;;
    'sweep submit --mem') echo 'nothing' ;;
    'sweep submit --partition') echo 'nothing' ;;
    'sweep submit --account') echo 'nothing' ;;
    'sweep submit --at-once') echo 'nothing' ;;
    'sweep submit --db') echo 'file' ;;
    'sweep submit --cal') echo 'file' ;;
    'sweep submit --threads') echo 'nothing' ;;
    'sweep import --program') echo 'nothing' ;;
    'sweep import --what-to-collect') echo 'words:ncu nvprof opencl rocprof rocprofv3' ;;
    'sweep import --db') echo 'file' ;;
    'sweep import --cal') echo 'file' ;;
    'sweep import --threads') echo 'nothing' ;;
    'report --output' | 'report -o') echo 'file' ;;
    'report --svg') echo 'folder' ;;
    'report --png') echo 'folder' ;;
    'report --threads') echo 'nothing' ;;
    'trace info --section') echo 'nothing' ;;
    'trace info --png') echo 'file' ;;
    'trace info --svg') echo 'file' ;;
    'trace info --warps') echo 'nothing' ;;
    'trace info --page') echo 'nothing' ;;
    'trace info --p') echo 'nothing' ;;
    'trace info --width') echo 'words:32 64' ;;
    'trace info --output' | 'trace info -o') echo 'file' ;;
    'trace profile --machine') echo 'machine' ;;
    'trace profile --set') echo 'parameter' ;;
    'trace profile --p') echo 'nothing' ;;
    'trace profile --output' | 'trace profile -o') echo 'file' ;;
    'trace profile --threads') echo 'nothing' ;;
    'trace check --p') echo 'nothing' ;;
    'trace check --width') echo 'words:32 64' ;;
    'trace import --output' | 'trace import -o') echo 'file' ;;
    'trace export --p') echo 'nothing' ;;
    'trace generate --output' | 'trace generate -o') echo 'file' ;;
    'trace generate --p') echo 'nothing' ;;
    'trace generate --width') echo 'words:32 64' ;;
    'trace capture --output' | 'trace capture -o') echo 'file' ;;
    'trace capture --width') echo 'words:32 64' ;;
    'trace capture --kernel') echo 'nothing' ;;
    'trace capture --launches') echo 'nothing' ;;
    'trace capture --ctas') echo 'nothing' ;;
    'trace capture --registers') echo 'nothing' ;;
    'trace capture --resident-warps') echo 'nothing' ;;
    'trace capture --unroll') echo 'nothing' ;;
    'trace suite --threads') echo 'nothing' ;;
    'trace suite --dir') echo 'folder' ;;
    'program show --p') echo 'nothing' ;;
    'machine show --set') echo 'parameter' ;;
    'machine show --output' | 'machine show -o') echo 'file' ;;
    'machine mechanisms --set') echo 'parameter' ;;
    'machine check --set') echo 'parameter' ;;
    'machine diff --set') echo 'parameter' ;;
    'machine probe --experiment') echo 'nothing' ;;
    'machine probe --against') echo 'file' ;;
    'machine probe --gpu') echo 'nothing' ;;
    'machine probe --output' | 'machine probe -o') echo 'file' ;;
    'machine probe --svg') echo 'folder' ;;
    'machine probe --set') echo 'parameter' ;;
    'machine probe --points') echo 'nothing' ;;
    'machine probe --threads') echo 'nothing' ;;
    'machine fit --against') echo 'file' ;;
    'machine fit --gpu') echo 'nothing' ;;
    'machine fit --output' | 'machine fit -o') echo 'file' ;;
    'machine import --output' | 'machine import -o') echo 'file' ;;
    'metrics --output' | 'metrics -o') echo 'file' ;;
    'metrics --threads') echo 'nothing' ;;
    'energy show --bytes') echo 'nothing' ;;
    'energy show --entries') echo 'nothing' ;;
    'energy show --ways') echo 'nothing' ;;
    'energy show --line') echo 'nothing' ;;
    'energy show --sector') echo 'nothing' ;;
    'energy show --tech') echo 'nothing' ;;
    'energy show --access') echo 'words:sequential normal' ;;
    'energy show --table') echo 'nothing' ;;
    'energy show --set') echo 'parameter' ;;
    'energy show --output' | 'energy show -o') echo 'file' ;;
    'energy import --access') echo 'words:sequential normal' ;;
    'energy import --output' | 'energy import -o') echo 'file' ;;
    'dram --pattern') echo 'words:seq rand mix21 conf rowstep' ;;
    'dram --gap') echo 'nothing' ;;
    'dram --requests') echo 'nothing' ;;
    'dram --percycle') echo 'nothing' ;;
    'dram --trace') echo 'file' ;;
    'dram --interleave') echo 'nothing' ;;
    'dram --set') echo 'parameter' ;;
    'dram --output' | 'dram -o') echo 'file' ;;
    esac
}
_plumb_word() { # COMMAND first|others
    case $* in
    'estimate first') echo machine ;;
    'estimate others') echo program ;;
    'sample first') echo machine ;;
    'sample others') echo program ;;
    'simulate first') echo machine ;;
    'simulate others') echo program ;;
    'compare first') echo machine ;;
    'compare others') echo program ;;
    'calibrate first') echo machine ;;
    'calibrate others') echo program ;;
    'sweep run first') echo file ;;
    'sweep run others') echo nothing ;;
    'sweep work first') echo file ;;
    'sweep work others') echo nothing ;;
    'sweep status first') echo file ;;
    'sweep status others') echo nothing ;;
    'sweep export first') echo file ;;
    'sweep export others') echo nothing ;;
    'sweep point first') echo file ;;
    'sweep point others') echo nothing ;;
    'sweep check first') echo file ;;
    'sweep check others') echo nothing ;;
    'sweep merge first') echo file ;;
    'sweep merge others') echo file ;;
    'sweep submit first') echo file ;;
    'sweep submit others') echo nothing ;;
    'sweep import first') echo file ;;
    'sweep import others') echo file ;;
    'report first') echo file ;;
    'report others') echo nothing ;;
    'trace info first') echo program ;;
    'trace info others') echo nothing ;;
    'trace profile first') echo program ;;
    'trace profile others') echo nothing ;;
    'trace check first') echo program ;;
    'trace check others') echo nothing ;;
    'trace import first') echo folder ;;
    'trace import others') echo nothing ;;
    'trace export first') echo program ;;
    'trace export others') echo folder ;;
    'trace generate first') echo program ;;
    'trace generate others') echo nothing ;;
    'trace capture first') echo file ;;
    'trace capture others') echo file ;;
    'trace suite first') echo nothing ;;
    'trace suite others') echo nothing ;;
    'program list first') echo nothing ;;
    'program list others') echo nothing ;;
    'program show first') echo program ;;
    'program show others') echo nothing ;;
    'machine list first') echo nothing ;;
    'machine list others') echo nothing ;;
    'machine show first') echo machine ;;
    'machine show others') echo nothing ;;
    'machine params first') echo parameter ;;
    'machine params others') echo nothing ;;
    'machine mechanisms first') echo machine ;;
    'machine mechanisms others') echo nothing ;;
    'machine check first') echo machine ;;
    'machine check others') echo machine ;;
    'machine diff first') echo machine ;;
    'machine diff others') echo machine ;;
    'machine probe first') echo machine ;;
    'machine probe others') echo nothing ;;
    'machine fit first') echo machine ;;
    'machine fit others') echo nothing ;;
    'machine import first') echo file ;;
    'machine import others') echo file ;;
    'metrics first') echo nothing ;;
    'metrics others') echo nothing ;;
    'energy show first') echo energy ;;
    'energy show others') echo nothing ;;
    'energy import first') echo file ;;
    'energy import others') echo nothing ;;
    'dram first') echo nothing ;;
    'dram others') echo nothing ;;
    esac
}
# The words that begin so.  compgen -W would run what a name of a file says.
_plumb_begin() { # WORDS WORD
    local word
    local -a all=()
    read -r -d '' -a all <<< "$1"
    for word in "${all[@]}"; do [[ $word == "$2"* ]] && COMPREPLY+=("$word"); done
}
# What a word of that kind may be.
_plumb_offer() { # KIND WORD
    local words=''
    case $1 in
    parameter) words=$(_plumb_parameters | sed 's/$/=/'); compopt -o nospace ;;
    machine) words=$(_plumb_machines) ;;
    energy) words="cache frc mshr $(_plumb_machines)" ;;
    program) words=$(_plumb_programs) ;;
    words:*) words=${1#words:}; compopt +o filenames ;;
    folder) mapfile -t COMPREPLY < <(compgen -d -- "$2"); return ;;
    nothing) return ;;
    esac
    _plumb_begin "$words" "$2"
    case $1 in
    file | machine | energy | program)
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$2") ;;
    esac
}
_plumb() {
    local plumb=$1 word=$2 command=${COMP_WORDS[1]} first=2 kind
    COMPREPLY=()
    if [ "$command" = help ] && [ "$COMP_CWORD" -gt 1 ]; then
        [ "$COMP_CWORD" -gt 2 ] && command=${COMP_WORDS[2]} || command=''
        _plumb_offer "words:$(_plumb_subcommands "$command")" "$word"
        return
    fi
    if [ -n "$(_plumb_subcommands "$command")" ]; then
        command="$command ${COMP_WORDS[2]}" first=3
    fi
    if [ "$COMP_CWORD" -lt "$first" ]; then
        local before=''
        [ "$first" -eq 3 ] && [ "$COMP_CWORD" -eq 2 ] && before=${COMP_WORDS[1]}
        _plumb_offer "words:$(_plumb_subcommands "$before") --help" "$word"
        return
    fi
    kind=$(_plumb_value "$command" "$3")
    [ "$3" != = ] || kind=nothing
    if [ -n "$kind" ]; then
        _plumb_offer "$kind" "$word"
    elif [[ $word == -* ]]; then
        _plumb_offer "words:$(_plumb_options "$command") --help" "$word"
    else
        local place=others
        [ "$COMP_CWORD" -eq "$first" ] && place=first
        _plumb_offer "$(_plumb_word "$command" $place)" "$word"
    fi
}
complete -o filenames -F _plumb plumb
