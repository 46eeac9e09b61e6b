#compdef plumb
# zsh completion for plumb: put it as _plumb into a directory of $fpath
_plumb() {
    local -a commands run sampling
    commands=(
        'estimate:the instant answer of a queueing model'
        'sample:intervals of the cycle model, with confidence'
        'simulate:the cycle model over the whole program'
        'compare:two machines, and why they differ'
        'calibrate:teaches the estimator by sampled runs'
        'sweep:many machines, resumable'
        'report:a sweep as a page for a browser'
        'trace:programs and where they come from'
        'machine:machines and their parameters'
        'metrics:names, units and formulas of all results'
        'energy:what an access costs, and where the figure is from'
        'dram:the memory alone'
    )
    run=(
        '*--set[override a parameter]:PATH=VALUE'
        '--kernel[launches]:NAME or N-M'
        '--max-instructions[stop after]:N'
        '--per-kernel[the metrics of each launch]'
        '(--csv)--json[one JSON document]' '(--json)--csv[comma-separated values]'
        {-o,--output}'[file]:file:_files'
        '--threads[at most]:N' '--seed[of random choices]:N'
        {-q,--quiet}'[no progress, no warnings]' {-v,--verbose}'[every metric]' '--help[usage]'
    )
    sampling=('--error[half width]:E' '--confidence[level]:C' '--budget[instructions]:N')
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case $words[2] in
    estimate) _arguments $run '--cal[calibration]:file:_files' '*:file:_files' ;;
    sample) _arguments $run $sampling '--compare-full[simulate all of it too]' '--intervals[what was run]:file:_files' '--cal[calibration]:file:_files' '*:file:_files' ;;
    simulate) _arguments $run '--cal[taken, without effect]:file:_files' '--per-load[instructions and buffers]' '--every[core cycles]:N' '--series[rows]:file:_files' '--plot[picture]:file:_files' '*:file:_files' ;;
    compare) _arguments $run $sampling '*--vs[of the second machine]:PATH=VALUE' \
        '--engine[engines]:engine:(estimate sample simulate)' '--cal[calibration]:file:_files' '*:file:_files' ;;
    calibrate) _arguments $run $sampling '--points[machines]:N' '--choose[how]:how:(spread active random)' '--minutes[at most]:M' '*:file:_files' ;;
    report) _arguments '2:database:_files' '--svg[pictures]:folder:_files -/' '--png[pictures]:folder:_files -/' \
        '-o[the page]:file:_files' ;;
    sweep) _arguments '2:subcommand:(run status export check merge submit import)' '--shard[I/N: part of the points]:part:' \
            '--shards[N parts]:parts:' '--program[measured]:NAME' '--retry[failed runs again]' '--dry-run[how many, how long]' '--db[database]:file:_files' \
        '--cal[calibration]:file:_files' '--simulate[points]:N' '--seed[of the draw]:N' \
        '--json' '--csv' '--table' {-o,--output}'[file]:file:_files' '*:file:_files' ;;
    trace) _arguments '2:subcommand:(info profile check import export generate capture suite)' \
        '--brief[one table]' '--section[some tables]:A,B' '--warps[resident at a time]:N' '--width[lanes of a warp]:lanes:(32 64)' \
        '--machine[the profile is for]:MACHINE' '*--set[override a parameter]:PATH=VALUE' '--lossy[what the format cannot hold, too]' \
        '*--kernel[only of this name]:NAME' '--launches[only these]:LIST' '--ctas[only these]:A-B' '--list[what a suite holds]' \
        '--force[capture anew]' '--accept[another digest, too]' '--dir[of captures]:folder:_files -/' '--threads[at most]:N' \
        '--svg[miss-ratio curve]:file:_files' '--png[miss-ratio curve]:file:_files' '--json' {-o,--output}'[file]:file:_files' \
        {-q,--quiet}'[no progress]' '*:file:_files' ;;
    machine) _arguments '2:subcommand:(list show params check diff)' '*--set[override a parameter]:PATH=VALUE' '--json' \
        '--markdown[as docs/parameters.md]' {-o,--output}'[file]:file:_files' '*:file:_files' ;;
    metrics) _arguments '--json' {-o,--output}'[file]:file:_files' ;;
    energy) _arguments '2:subcommand:(show import)' '--bytes:N' '--entries:N' '--ways:N' '--line:bytes' '--sector:bytes' \
        '--tech:nm' '--access:mode:(sequential normal)' '--table:name' '*--set:PATH=VALUE' '--json' {-o,--output}'[file]:file:_files' '*:file:_files' ;;
    dram) _arguments '--pattern:pattern:(seq rand mix21 conf rowstep)' '--gap:N' '--requests:N' '--percycle:N' '--interleave:bytes' '--trace:file:_files' '*--set:PATH=VALUE' '--json' {-o,--output}'[file]:file:_files' '--list' '*:file:_files' ;;
    esac
}
_plumb "$@"
