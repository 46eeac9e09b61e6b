#compdef plumb
# zsh completion for plumb: put it as _plumb into a directory of $fpath
# Made by 'plumb help --zsh' from the table of commands; do not edit.
_plumb_machines() {
    local -a names=(${(f)"$($plumb machine list 2> /dev/null | awk 'NR > 1 && /^[^#]/ { print $1 }')"})
    compadd -a names
    _files
}
_plumb_structures() {
    compadd cache frc mshr
    _plumb_machines
}
_plumb_programs() {
    local -a names=(${(f)"$($plumb program list 2> /dev/null | awk 'NR > 1 && /^[^#]/ { print $1 }')"})
    compadd -a names
    _files
}
_plumb_parameters() {
    local -a paths=(${(f)"$($plumb machine params --json 2> /dev/null |
        sed -nE 's/.*"path": "([^"]+)".*/\1/p')"})
    compadd -S = -a paths
}
_plumb() {
    local plumb=${~words[1]}
    local -a commands
    if (( CURRENT == 2 )); then
        commands=('help:what a command does and takes' \
            'estimate:the instant answer of a queueing model' \
            'sample:intervals of the cycle model, with confidence' \
            'simulate:the cycle model over the whole program' \
            'compare:two machines or more, and why they differ' \
            'calibrate:teaches the estimator by sampled runs' \
            'sweep:many machines, resumable' \
            'report:a sweep as a page for a browser' \
            'trace:programs and where they come from' \
            'program:the programs that come with plumb' \
            'machine:machines and their parameters' \
            'metrics:names, units and formulas of all results' \
            'energy:what an access costs, and where the figure is from' \
            'dram:the memory alone')
        _describe command commands
        return
    fi
    case $words[2] in
    help)
        (( CURRENT == 3 )) || return
        CURRENT=2
        _plumb ;;
    estimate)
        _arguments -s '--help[usage]' \
            '*--set[override a parameter of the machine; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '--cal[a calibration made by '\''plumb calibrate'\'' instead of the one that comes with plumb; none\: no correction]:FILE:_files' \
            '--kernel[only the launches of that name, or number N (to M), counted from 0]:NAME|N\[-M\]: ' \
            '--max-instructions[stop after so many warp instructions; an estimate is of the whole program all the same]:N: ' \
            '--per-kernel[the metrics of each launch, too]' \
            '--confidence[at this confidence (0.95)]:C: ' \
            '--exact-profile[make the profile from every access; takes as long as simulating]' \
            '--json[instead of a table; exactly one document]' \
            '--csv[rows instead of a table]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--threads[at most so many threads (all processors)]:N: ' \
            '--seed[of random choices (1)]:N: ' \
            '--quiet[no progress, no warnings]' \
            '-q[no progress, no warnings]' \
            '--verbose[every metric]' \
            '-v[every metric]' \
            '2:word:_plumb_machines' '*:word:_plumb_programs' ;;
    sample)
        _arguments -s '--help[usage]' \
            '*--set[override a parameter of the machine; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '--cal[taken, but a calibration changes estimates alone]:FILE:_files' \
            '--kernel[only the launches of that name, or number N (to M), counted from 0]:NAME|N\[-M\]: ' \
            '--max-instructions[stop after so many warp instructions; an estimate is of the whole program all the same]:N: ' \
            '--per-kernel[the metrics of each launch, too]' \
            '--error[stop at this relative half width of the cycles (0.03)]:E: ' \
            '--confidence[at this confidence (0.95)]:C: ' \
            '--budget[simulate at most N warp instructions (short programs\: all of them; long ones\: what the intervals of each stratum need)]:N: ' \
            '--compare-full[simulate all of it, too, and say how far the sample was off]' \
            '--intervals[a row for each interval that was run\: where it lies, its stratum, its weight in the estimate, its metrics]:FILE.csv:_files' \
            '--json[instead of a table; exactly one document]' \
            '--csv[rows instead of a table]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--threads[at most so many threads (all processors)]:N: ' \
            '--seed[of random choices (1)]:N: ' \
            '--quiet[no progress, no warnings]' \
            '-q[no progress, no warnings]' \
            '--verbose[every metric]' \
            '-v[every metric]' \
            '2:word:_plumb_machines' '*:word:_plumb_programs' ;;
    simulate)
        _arguments -s '--help[usage]' \
            '*--set[override a parameter of the machine; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '--cal[taken, but a calibration changes estimates alone]:FILE:_files' \
            '--kernel[only the launches of that name, or number N (to M), counted from 0]:NAME|N\[-M\]: ' \
            '--max-instructions[stop after so many warp instructions; an estimate is of the whole program all the same]:N: ' \
            '--per-kernel[the metrics of each launch, too]' \
            '--per-load[how often each memory instruction ran, its accesses, hits and latency, and the accesses to each buffer at both levels]' \
            '--every[what happened in every N core cycles, too, into --series, --plot or both]:N: ' \
            '--series[that, as rows of all metrics]:FILE.csv:_files' \
            '--plot[that, as a picture]:FILE.svg|.png:_files' \
            '--json[instead of a table; exactly one document]' \
            '--csv[rows instead of a table]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--threads[taken, but a simulation runs on one thread]:N: ' \
            '--seed[of random choices (1)]:N: ' \
            '--quiet[no progress, no warnings]' \
            '-q[no progress, no warnings]' \
            '--verbose[every metric]' \
            '-v[every metric]' \
            '2:word:_plumb_machines' '*:word:_plumb_programs' ;;
    compare)
        _arguments -s '--help[usage]' \
            '*--set[applies to all machines; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '*--vs[applies to the second machine; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '*--with[another machine, a preset or a file, beside the first; may be repeated]:MACHINE:_plumb_machines' \
            '--engine[estimate (default), sample or simulate; several, with commas between, beside each other on one machine]:NAME:(estimate sample simulate)' \
            '--cal[a calibration made by '\''plumb calibrate'\'' instead of those that come with plumb; none\: no correction]:FILE:_files' \
            '--kernel[only the launches of that name, or number N (to M), counted from 0]:NAME|N\[-M\]: ' \
            '--max-instructions[stop after so many warp instructions; an estimate is of the whole program all the same]:N: ' \
            '--exact-profile[make the profile from every access; takes as long as simulating]' \
            '--error[stop at this relative half width of the cycles (0.03)]:E: ' \
            '--confidence[at this confidence (0.95)]:C: ' \
            '--budget[simulate at most N warp instructions (short programs\: all of them; long ones\: what the intervals of each stratum need)]:N: ' \
            '--json[instead of a table; exactly one document]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--threads[at most so many threads (all processors)]:N: ' \
            '--seed[of random choices (1)]:N: ' \
            '--quiet[no progress, no warnings]' \
            '-q[no progress, no warnings]' \
            '--verbose[every metric]' \
            '-v[every metric]' \
            '2:word:_plumb_machines' '*:word:_plumb_programs' ;;
    calibrate)
        _arguments -s '--help[usage]' \
            '--output[where the calibration goes]:FILE.cal:_files' \
            '-o[where the calibration goes]:FILE.cal:_files' \
            '*--set[override a parameter of MACHINE; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--db[keep the sampled runs there; those that it has are not repeated]:FILE:_files' \
            '--points[machines, each with every program (8)]:N: ' \
            '--choose[which\: spread evenly (the default), random, or active\: as many runs, after a third of them by program and machine where they are expected to lower the error most]:HOW:(spread random active)' \
            '--minutes[with active\: no further run that would end later]:M: ' \
            '--error[stop at this relative half width of the cycles (0.03)]:E: ' \
            '--confidence[at this confidence (0.95)]:C: ' \
            '--budget[simulate at most N warp instructions (short programs\: all of them; long ones\: what the intervals of each stratum need)]:N: ' \
            '--max-instructions[stop after so many warp instructions; an estimate is of the whole program all the same]:N: ' \
            '--threads[at most so many threads (all processors)]:N: ' \
            '--seed[of random choices (1)]:N: ' \
            '--quiet[no progress]' \
            '-q[no progress]' \
            '--verbose[every sampled run]' \
            '-v[every sampled run]' \
            '2:word:_plumb_machines' '*:word:_plumb_programs' ;;
    sweep)
        if (( CURRENT == 3 )); then
            commands=( \
            'run:run what the database does not hold yet' \
            'work:make runs together with other workers' \
            'status:what is done, the best points, the Pareto front' \
            'export:every run as rows' \
            'point:a point'\''s machine, as a file' \
            'check:a sweep file, its answers at some points, or a study' \
            'merge:take the runs of workers and shards into the output' \
            'submit:start workers on a cluster' \
            'import:counters of ncu, nvprof or rocprof, or times of kernels, beside the results')
            _describe subcommand commands
            return
        fi
        case $words[3] in
        run) _arguments -s '--help[usage]' \
            '--shard[every N-th point from the I-th on, into OUTPUT.shard-I-of-N.db, which '\''plumb sweep merge'\'' takes into the output]:I/N: ' \
            '--retry[failed runs again]' \
            '--dry-run[only how many runs there are and how long they take]' \
            '--db[instead of the sweep'\''s output]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[at most so many threads (all processors)]:N: ' \
            '--quiet[no progress, no summary]' \
            '-q[no progress, no summary]' \
            '--verbose[every point of the front]' \
            '-v[every point of the front]' \
            '3:word:_files' '*:word: ' ;;
        work) _arguments -s '--help[usage]' \
            '--dir[where the workers meet, on a disk that they share (OUTPUT.work)]:DIR:_files -/' \
            '--workers[how many are expected, which decides how finely the points are cut; the first worker'\''s counts (32)]:N: ' \
            '--lease[after which the claim of a worker that gives no sign is taken over; the first worker'\''s counts (120)]:SECONDS: ' \
            '--leave[end when nothing is free, not when all is done]' \
            '--retry[runs that failed in the output again, and chunks that have ended every worker]' \
            '--db[instead of the sweep'\''s output]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[at most so many threads (all processors)]:N: ' \
            '--quiet[nothing on standard error but errors]' \
            '-q[nothing on standard error but errors]' \
            '--verbose[how much of the time went into runs, waiting and claiming]' \
            '-v[how much of the time went into runs, waiting and claiming]' \
            '3:word:_files' '*:word: ' ;;
        status) _arguments -s '--help[usage]' \
            '--dir[where the workers meet, on a disk that they share (OUTPUT.work)]:DIR:_files -/' \
            '--db[instead of the sweep'\''s output]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[taken, without effect]:N: ' \
            '--quiet[taken, without effect]' \
            '-q[taken, without effect]' \
            '--verbose[all of the Pareto front]' \
            '-v[all of the Pareto front]' \
            '3:word:_files' '*:word: ' ;;
        export) _arguments -s '--help[usage]' \
            '--csv[comma-separated values (the default)]' \
            '--json[one JSON document]' \
            '--table[the points as '\''plumb sweep status'\'' shows them]' \
            '--engine[the engine whose runs are written (the sweep'\''s); simulate\: those of '\''check'\'']:NAME:(estimate sample simulate)' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--db[instead of the sweep'\''s output]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[taken, without effect]:N: ' \
            '--quiet[taken, without effect]' \
            '-q[taken, without effect]' \
            '--verbose[taken, without effect]' \
            '-v[taken, without effect]' \
            '3:word:_files' '*:word: ' ;;
        point) _arguments -s '--help[usage]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--db[instead of the sweep'\''s output]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[taken, without effect]:N: ' \
            '--quiet[taken, without effect]' \
            '-q[taken, without effect]' \
            '--verbose[taken, without effect]' \
            '-v[taken, without effect]' \
            '3:word:_files' '*:word: ' ;;
        check) _arguments -s '--help[usage]' \
            '--simulate[the sweep'\''s answers at N points drawn by the seed against the full cycle model\: errors and Kendall'\''s tau]:N: ' \
            '--seed[of random choices (1)]:N: ' \
            '--json[one JSON document]' \
            '--csv[of a study\: rows of docs/results/validation.csv]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--db[instead of the sweep'\''s output; of a study the folder of its sweeps'\'' databases]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[at most so many threads (all processors)]:N: ' \
            '--quiet[no progress]' \
            '-q[no progress]' \
            '--verbose[of a study\: what the papers say and the notes]' \
            '-v[of a study\: what the papers say and the notes]' \
            '3:word:_files' '*:word: ' ;;
        merge) _arguments -s '--help[usage]' \
            '--dir[where the workers meet, on a disk that they share (OUTPUT.work)]:DIR:_files -/' \
            '--partial[runs that are missing are no failure]' \
            '--db[instead of the sweep'\''s output]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[taken, without effect]:N: ' \
            '--quiet[taken, without effect]' \
            '-q[taken, without effect]' \
            '--verbose[taken, without effect]' \
            '-v[taken, without effect]' \
            '3:word:_files' '*:word:_files' ;;
        submit) _arguments -s '--help[usage]' \
            '--workers[how many to start]:N: ' \
            '--shards[the same]:N: ' \
            '--slurm[submit to Slurm, with a merge after the workers, not print a script]' \
            '--dry-run[with --slurm\: print what would be submitted]' \
            '--pbs[print a script for PBS]' \
            '--parallel[print a script for GNU parallel, here or by ssh]' \
            '--dir[where the workers meet, on a disk that they share (OUTPUT.work)]:DIR:_files -/' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--time[limit of each worker, such as 30 (minutes) or 2\:00\:00 (the cluster'\''s default)]:TIME: ' \
            '--mem[memory of each worker'\''s node, such as 4G (the cluster'\''s default)]:SIZE: ' \
            '--partition[where the workers queue (the cluster'\''s default)]:NAME: ' \
            '--account[who pays (the cluster'\''s default)]:NAME: ' \
            '--at-once[workers that run at the same time (no limit)]:N: ' \
            '--db[instead of the sweep'\''s output]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[processors of each worker (what the cluster gives it)]:N: ' \
            '--quiet[taken, without effect]' \
            '-q[taken, without effect]' \
            '--verbose[taken, without effect]' \
            '-v[taken, without effect]' \
            '3:word:_files' '*:word: ' ;;
        import) _arguments -s '--help[usage]' \
            '--program[the program that the files measure (each the one it is named after)]:NAME: ' \
            '--what-to-collect[print the command line that makes TOOL collect what plumb compares, no more]:TOOL:(ncu nvprof opencl rocprof rocprofv3)' \
            '--db[instead of the sweep'\''s output]:FILE:_files' \
            '--cal[instead of the sweep'\''s calibration]:FILE:_files' \
            '--threads[taken, without effect]:N: ' \
            '--quiet[taken, without effect]' \
            '-q[taken, without effect]' \
            '--verbose[taken, without effect]' \
            '-v[taken, without effect]' \
            '3:word:_files' '*:word:_files' ;;
        esac ;;
    report)
        _arguments -s '--help[usage]' \
            '--output[the page]:FILE.html:_files' \
            '-o[the page]:FILE.html:_files' \
            '--svg[pictures for papers into that folder\: the trade-off, the goal along each axis, what matters, parallel coordinates, programs by axis, cheaper engines against the dearest]:DIR:_files -/' \
            '--png[the same, in pixels]:DIR:_files -/' \
            '--threads[taken, without effect]:N: ' \
            '--quiet[nothing on standard error but errors]' \
            '-q[nothing on standard error but errors]' \
            '--verbose[taken, without effect]' \
            '-v[taken, without effect]' \
            '2:word:_files' '*:word: ' ;;
    trace)
        if (( CURRENT == 3 )); then
            commands=( \
            'info:what a program does with memory, kernel by kernel' \
            'profile:make the estimator'\''s profile now' \
            'check:read everything, compare with checksums and counts' \
            'import:pack Accel-Sim traces' \
            'export:write as Accel-Sim traces' \
            'generate:write what a generator makes' \
            'capture:run an OpenCL program and record it' \
            'suite:capture the programs of a suite')
            _describe subcommand commands
            return
        fi
        case $words[3] in
        info) _arguments -s '--help[usage]' \
            '--section[only these\: kernels, mix, divergence, coalescing, footprint, reuse, rows, sharing, pages, dependence, registers, launches]:A,B: ' \
            '--brief[one table\: counts, mix, active lanes, footprint]' \
            '--json[every number as one JSON document; with --brief without what needs the second reading]' \
            '--png[the miss-ratio curve, a line for each kernel (the seven largest)]:FILE:_files' \
            '--svg[the same as SVG]:FILE:_files' \
            '--warps[resident at a time, as they take turns (1024); 1\: a CTA after the other]:N: ' \
            '--page[of a page in section pages, a power of two (4096)]:BYTES: ' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '--width[as a machine of that warp width sees it]:32|64:(32 64)' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--quiet[no progress]' \
            '-q[no progress]' \
            '3:word:_plumb_programs' '*:word: ' ;;
        profile) _arguments -s '--help[usage]' \
            '--machine[a preset or a file (rx540 for programs of 64 lanes, qv100 for 32)]:MACHINE:_plumb_machines' \
            '*--set[override a parameter of the machine; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '--output[instead of the cache]:FILE:_files' \
            '-o[instead of the cache]:FILE:_files' \
            '--threads[at most so many threads (all processors)]:N: ' \
            '--quiet[no progress]' \
            '-q[no progress]' \
            '--verbose[taken, without effect]' \
            '-v[taken, without effect]' \
            '3:word:_plumb_programs' '*:word: ' ;;
        check) _arguments -s '--help[usage]' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '--width[as a machine of that warp width sees it]:32|64:(32 64)' \
            '3:word:_plumb_programs' '*:word: ' ;;
        import) _arguments -s '--help[usage]' \
            '--output[the trace to write]:FILE.plt:_files' \
            '-o[the trace to write]:FILE.plt:_files' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '3:word:_files -/' '*:word: ' ;;
        export) _arguments -s '--help[usage]' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--allow-unknown[take instructions for memory and matrices whose opcodes are not known for integer arithmetic (Accel-Sim'\''s traces)]' \
            '--lossy[also what the format cannot hold whole; it is named]' \
            '3:word:_plumb_programs' '*:word:_files -/' ;;
        generate) _arguments -s '--help[usage]' \
            '--output[the trace to write]:FILE.plt:_files' \
            '-o[the trace to write]:FILE.plt:_files' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--width[lanes of a warp (as the generator says)]:32|64:(32 64)' \
            '3:word:_plumb_programs' '*:word: ' ;;
        capture) _arguments -s '--help[usage]' \
            '--output[the trace to write]:FILE.plt:_files' \
            '-o[the trace to write]:FILE.plt:_files' \
            '--width[lanes per warp (64\: also serves machines of 32 lanes)]:32|64:(32 64)' \
            '--kernel[only launches of this kernel (may be given again)]:NAME: ' \
            '--launches[only these launches, counted from 0 over all kernels\: 1,3,5-9]:LIST: ' \
            '--ctas[only these CTAs of each launch; the trace holds a shorter launch]:A-B: ' \
            '--registers[32-bit registers per lane of every launch (not known)]:N: ' \
            '--resident-warps[at most so many warps of 32 lanes of a launch at a time on an SM, in whole CTAs, at least one (no limit)]:N: ' \
            '--unroll[unroll loops N times and put loads first, as a GPU'\''s compiler does (1\: neither)]:N: ' \
            '3:word:_files' '*:word:_files' ;;
        suite) _arguments -s '--help[usage]' \
            '--list[the programs of the suite, nothing is captured]' \
            '--json[the same as JSON]' \
            '--threads[captures at a time (all cores)]:N: ' \
            '--force[capture anew what is there, too]' \
            '--accept[take captures whose digest is not the one that the suite records]' \
            '--dir[where captures are kept (as PLUMB_SUITES; else in the cache directory)]:DIR:_files -/' \
            '--quiet[no progress]' \
            '-q[no progress]' \
            '3:word: ' '*:word: ' ;;
        esac ;;
    program)
        if (( CURRENT == 3 )); then
            commands=( \
            'list:the programs and suites, by name' \
            'show:a program'\''s parameters')
            _describe subcommand commands
            return
        fi
        case $words[3] in
        list) _arguments -s '--help[usage]' \
            '--json[an array of objects\: program, kind, path, note, launches, warp_instructions]' \
            '3:word: ' '*:word: ' ;;
        show) _arguments -s '--help[usage]' \
            '--p[set a parameter of the programs, which are generators or layers ('\''plumb program show'\'' lists them); may be repeated]:NAME=VALUE: ' \
            '--json[an object\: program, made_from, launches, warp_instructions, parameters]' \
            '3:word:_plumb_programs' '*:word: ' ;;
        esac ;;
    machine)
        if (( CURRENT == 3 )); then
            commands=( \
            'list:presets, what they are, their bandwidth' \
            'show:effective configuration and what follows from it' \
            'params:reference of the parameters' \
            'mechanisms:what a machine can do, and which engine knows it' \
            'check:every fault of machine files, and what follows from them' \
            'diff:parameters in which two machines differ' \
            'probe:microbenchmarks of a machine, beside measured curves' \
            'fit:latencies that meet a measured pointer chase' \
            'import:a machine from Accel-Sim'\''s configuration')
            _describe subcommand commands
            return
        fi
        case $words[3] in
        list) _arguments -s '--help[usage]' \
            '--json[an array of objects\: machine, description, what it is, peak bandwidth]' \
            '3:word: ' '*:word: ' ;;
        show) _arguments -s '--help[usage]' \
            '*--set[override a parameter; may be repeated, the last one wins]:PATH=VALUE:_plumb_parameters' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--json[one JSON object\: machine, description, digest, parameters, evidence, derived]' \
            '3:word:_plumb_machines' '*:word: ' ;;
        params) _arguments -s '--help[usage]' \
            '--json[an array of objects, one for each parameter]' \
            '--markdown[as docs/parameters.md]' \
            '3:word:_plumb_parameters' '*:word: ' ;;
        mechanisms) _arguments -s '--help[usage]' \
            '*--set[override a parameter of the machine; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '--markdown[as docs/models/mechanisms.md]' \
            '3:word:_plumb_machines' '*:word: ' ;;
        check) _arguments -s '--help[usage]' \
            '*--set[override a parameter of each machine; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '--json[an array of objects\: file, machine, warnings, derived, implausible]' \
            '3:word:_plumb_machines' '*:word:_plumb_machines' ;;
        diff) _arguments -s '--help[usage]' \
            '*--set[override a parameter of B; may be repeated]:PATH=VALUE:_plumb_parameters' \
            '3:word:_plumb_machines' '*:word:_plumb_machines' ;;
        probe) _arguments -s '--help[usage]' \
            '--experiment[only the experiments whose names begin with it (all); may be repeated]:NAME: ' \
            '--against[measured curves\: run at their x, and print the errors; further files have what the first lacks]:CSV:_files' \
            '--gpu[the card of that file, if it has several]:NAME: ' \
            '--output[the curves, as a file of the same kind]:FILE.csv:_files' \
            '-o[the curves, as a file of the same kind]:FILE.csv:_files' \
            '--svg[a picture of every curve there]:DIR:_files -/' \
            '*--set[override a parameter; may be repeated, the last one wins]:PATH=VALUE:_plumb_parameters' \
            '--points[points of a curve (latency 30, reads 12, streams 10)]:N: ' \
            '--threads[points at a time (as many as processors)]:N: ' \
            '--json[one JSON object\: machine, points, errors, notes]' \
            '--quiet[no progress]' \
            '-q[no progress]' \
            '3:word:_plumb_machines' '*:word: ' ;;
        fit) _arguments -s '--help[usage]' \
            '--against[measured curves, with one of pchase_latency]:CSV:_files' \
            '--gpu[the card of that file, if it has several]:NAME: ' \
            '--output[the machine file, with MACHINE as its base]:FILE.cfg:_files' \
            '-o[the machine file, with MACHINE as its base]:FILE.cfg:_files' \
            '3:word:_plumb_machines' '*:word: ' ;;
        import) _arguments -s '--help[usage]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--quiet[say only what was replaced, not what became of each option]' \
            '-q[say only what was replaced, not what became of each option]' \
            '3:word:_files' '*:word:_files' ;;
        esac ;;
    metrics)
        _arguments -s '--help[usage]' \
            '--json[an array of objects with name, unit, meaning and formula]' \
            '--markdown[as docs/guide/metrics.md]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '--threads[taken, without effect]:N: ' \
            '--quiet[taken, without effect]' \
            '-q[taken, without effect]' \
            '--verbose[taken, without effect]' \
            '-v[taken, without effect]' \
            '2:word: ' '*:word: ' ;;
    energy)
        if (( CURRENT == 3 )); then
            commands=( \
            'show:what an access to each structure costs' \
            'import:a table from CACTI'\''s out.csv')
            _describe subcommand commands
            return
        fi
        case $words[3] in
        show) _arguments -s '--help[usage]' \
            '--bytes[capacity]:N: ' \
            '--entries[instead of --bytes\: lines (mshr and cam64b\: entries of 8 bytes)]:N: ' \
            '--ways[of a cache (16), of an frc (8); all lines\: fully associative]:N: ' \
            '--line[bytes of a line (64; of a structure of ram.csv as its name says)]:N: ' \
            '--sector[bytes of an access (a line)]:N: ' \
            '--tech[nm (32)]:N: ' \
            '--access[sequential\: the data after the tags (default); normal\: both at once]:MODE:(sequential normal)' \
            '--table[of caches, as energy.table]:NAME: ' \
            '*--set[a parameter of the MACHINE; may be repeated, the last one wins]:PATH=VALUE:_plumb_parameters' \
            '--json[one JSON object]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '3:word:_plumb_structures' '*:word: ' ;;
        import) _arguments -s '--help[usage]' \
            '--access[how the imported caches look up\: sequential (default), normal]:MODE:(sequential normal)' \
            '--output[instead of standard output]:TABLE.csv:_files' \
            '-o[instead of standard output]:TABLE.csv:_files' \
            '3:word:_files' '*:word: ' ;;
        esac ;;
    dram)
        _arguments -s '--help[usage]' \
            '--pattern[seq, rand, mix21, conf or rowstep]:PATTERN:(seq rand mix21 conf rowstep)' \
            '--gap[cycles between requests; 0 (default)\: as fast as they are taken]:N: ' \
            '--requests[how many (100000)]:N: ' \
            '--percycle[at most so many enter in a cycle (1)]:N: ' \
            '--trace[lines '\''0xADDRESS READ|WRITE CYCLE'\'', plain or .xz, .gz, .zst; as many as --percycle enter in a cycle]:FILE:_files' \
            '--interleave[consecutive bytes on one channel (256)]:BYTES: ' \
            '*--set[a parameter below dram.; may be repeated, the last one wins]:PATH=VALUE:_plumb_parameters' \
            '--list[the timing sets that there are]' \
            '--json[one JSON object]' \
            '--output[instead of standard output]:FILE:_files' \
            '-o[instead of standard output]:FILE:_files' \
            '2:word: ' '*:word: ' ;;
    esac
}
_plumb "$@"
