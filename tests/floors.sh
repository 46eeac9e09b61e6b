#!/bin/bash
# The house rules that a compiler does not see: who may include whom, who may print or exit, who may use
# which library, who sees the whole machine, and no marker words.  `--self-test` shows on a temporary tree
# that each rule catches a violation; ctest runs both.
set -u

# Room -> rooms whose headers it may include besides its own.  The rooms inside gpu/ have floors of their own.
machine="base gpu/mechanisms gpu/metrics gpu/machine"
policies="$machine trace gpu/geometry gpu/policies"
cache="$machine gpu/geometry gpu/cache gpu/coherence"
gpu="base trace gpu/mechanisms gpu/metrics gpu/machine gpu/geometry gpu/policies gpu/pages gpu/cache gpu/coherence"
gpu="$gpu gpu/functional gpu/energy"
declare -A below=(
    [base]=""
    [trace]="base"
    [gpu/mechanisms]="base"
    [gpu/metrics]="base gpu/mechanisms"
    [gpu/machine]="base gpu/mechanisms gpu/metrics"
    [gpu/geometry]="$machine trace"
    [gpu/policies]="$policies"
    [gpu/pages]="$machine trace gpu/geometry"
    [gpu/cache]="$machine gpu/geometry"
    [gpu/coherence]="$machine gpu/cache"
    [gpu/functional]="$policies $cache gpu/pages"
    [gpu/energy]="$machine trace gpu/geometry"
    [detailed]="$gpu"
    [estimator]="$gpu"
    [answer]="$gpu detailed estimator"
    [calibration]="$gpu estimator answer"
    [sampler]="$gpu detailed estimator answer"
    [engine]="$gpu detailed estimator answer calibration sampler"
    [libplumb]="$gpu detailed estimator answer calibration sampler engine"
    [sweeps]="$gpu detailed estimator answer calibration sampler engine"
    [cards]="$gpu detailed estimator answer calibration sampler engine"
    [cli]="$gpu detailed estimator answer calibration sampler engine libplumb sweeps cards"
)

# The folders of each room from the ground up: a folder includes only those before it.  ".": the room's own files.
# So no two folders include each other, not even by a third, but for the arrows in tests/floors.up.
declare -A folders=(
    [base]="memory . io text run http plot"
    [trace]=". stream program plt analysis suite accelsim capture generators generators/ml lower oclgrind cuda/include cuda/include/plumb cuda/include/cooperative_groups cuda/include/cuda cuda/include/thrust cuda/include/thrust/iterator cuda/include/thrust/system/cuda cuda/include/hip cuda/runtime cuda/pass cuda/libdevice"
    [gpu/machine]="rows params params/coherence params/dram params/translation . check tables figures load show import sheet"
    [gpu/functional]=". state execution memory warming"
    [detailed]=". parts counters noc register_file cpu dram coherence l1 memory_side l2 translation scalar l15 sm core"
    [estimator]=". profile/view profile characterize reuse pass registers dram cache network launch terms model"
    [calibration]="bank ."
    [sampler]=". statistics strata extrapolation run"
    [sweeps]=". plan store hardware run ranking train auto analyse report workers"
    [cards]=". probe"
    [cli]="command print help parse . cuda trace machine run operators sweep"
)

sources() { # FOLDER...: the C and C++ files below those that exist; examples are programs of their own
    local folder
    for folder in "$@"; do
        [ -d "$folder" ] && find "$folder" -name '*.[ch]' -o -name '*.cpp' -path "$folder/*"
    done | grep -v '^libplumb/examples/' | sort
}

# Each rule prints its violations as FILE:LINE:TEXT.
rule_floors() {
    local room rooms allowed
    rooms=$(tr ' ' '|' <<< "${!below[*]}")
    for room in "${!below[@]}"; do
        [ -d "$room" ] || continue
        allowed=$(tr ' ' '|' <<< "$room ${below[$room]}" | sed 's/|$//')
        sources "$room" | xargs -r grep -HnE "^ *# *include \"($rooms)/" |
            grep -vE "include \"($allowed)/"
    done
}

rule_shelves() { # every folder with code stands in a table; those named here are no rooms
    local file room folder
    find . -mindepth 2 \( -name '.?*' -o -path './build*' -o -path ./tests -o -path ./bench -o -path ./workloads -o -path ./scripts \
        -o -path ./third_party -o -path ./libplumb/examples \) -prune -o -name '*.[ch]' -print -o -name '*.cpp' -print |
        grep -vE '^\./(build[^/]*|tests|bench|workloads|scripts|third_party)/' | cut -c3- | sort | while read -r file; do
        room=${file%%/*} folder=${file#*/}
        [ "$room" = gpu ] && room=gpu/${folder%%/*} folder=${folder#*/}
        [[ $folder == */* ]] && folder=${folder%/*} || folder=.
        [[ -v below[$room] && " ${folders[$room]:-.} " == *" $folder "* ]] || echo "$file:1: $room/$folder"
    done
}

# Arrows from a folder of a room to one above it: "FROM TO FILE:LINE:TEXT".
arrows_up() {
    local room
    for room in "${!folders[@]}"; do
        [ -d "$room" ] && sources "$room" | xargs -r grep -HnE "^ *# *include \"$room/" |
            awk -v room="$room" -v order="${folders[$room]}" '
                function folder(path) { # below the room; "." for its own files
                    sub("^" room "/", "", path)
                    return sub("/[^/]*$", "", path) ? path : "."
                }
                BEGIN { n = split(order, name, " "); for (i = 1; i <= n; i++) floor[name[i]] = i }
                {   split($0, at, ":"); split($0, quoted, "\"")
                    from = folder(at[1]); to = folder(quoted[2])
                    if (floor[to] > floor[from]) print room "/" from, room "/" to, $0 }'
    done
}

rule_walls() {
    arrows_up | grep -vf <(grep -v '^#' tests/floors.up | grep . | sed 's/^/^/; s/$/ /') | cut -d' ' -f3-
}

rule_mended() { # an arrow that is gone leaves the list
    local arrow arrows
    arrows=$(arrows_up | cut -d' ' -f1,2)
    grep -nv '^#' tests/floors.up | grep ':.' | while IFS= read -r arrow; do
        grep -qxF "${arrow#*:}" <<< "$arrows" || echo "tests/floors.up:$arrow"
    done
}

# The capture plugin runs inside Oclgrind, and CUDA's parts in programs and in clang, not in plumb: their messages are
# their own affair.
rule_printing() {
    local rooms=("${!below[@]}")
    sources "${rooms[@]/cli/}" | grep -vE '^trace/(oclgrind|cuda)/' |
        xargs -r grep -HnE '(^|[^_[:alnum:]])((__builtin_)?(v?printf|puts|putchar|perror|exit|_exit|abort) ?\(|stdout|stderr)' |
        grep -vE ':[0-9]+: *(/\*|\*|//)'
}

# What a person reads goes through one file, so that no name on its way to a terminal is drawn raw; a captured
# program's own output is passed on as it is.
rule_saying() {
    sources cli | grep -vxE 'cli/print/say\.c|cli/trace/capture_run\.c' |
        xargs -r grep -HnE '(^|[^_[:alnum:]])([fv]?printf|vfprintf|f?puts|f?putc|putchar|fwrite|perror) ?\('
}

rule_libraries() {
    local rooms=("${!below[@]}")
    sources "${rooms[@]/base/}" bench |
        xargs -r grep -HnE '# *include <(libconfig|zstd|lzma|zlib)\.h>'
}

rule_machine() {
    sources "${!below[@]}" | grep -v '^gpu/machine/' | grep -vf <(allowed_machine) |
        xargs -r grep -Hn '# *include "gpu/machine/machine\.h"'
}

allowed_machine() { # patterns that match the start of a path
    grep -v '^#' tests/floors.allow | grep . | sed 's/[.]/\\./g; s/^/^/'
}

# The cycle model and the functional machine ask gpu/policies; a kind of policy that they name is a decision made twice.
rule_decisions() {
    local kinds='CTA_ONE_SUBCORE|CTA_WARPS_ROUND_ROBIN|WAIT_BLOCK|WAIT_ALL_AT_USE|WAIT_SCOREBOARD|DISPATCH_[A-Z]+'
    kinds="$kinds|SCHED_(LRR|GTO|TWO_LEVEL|INTERCL|OWL|TBAS)|THROTTLE_(NONE|FIXED|IWL|CCWS)"
    sources detailed gpu/functional estimator/reuse estimator/pass | xargs -r grep -HnE "(^|[^[:alnum:]_])($kinds)([^[:alnum:]_]|\$)"
}

rule_markers() {
    local words='FIX''ME|TO''DO|XX''X|HA''CK'
    find . -path ./.git -prune -o -path './build*' -prune -o -type f \
        \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.sh' -o -name '*.md' -o -name '*.cfg' \
        -o -name '*.cmake' -o -name '*.cl' -o -name '*.txt' \) -print |
        xargs -r grep -HnE "(^|[^[:alnum:]])($words)([^[:alnum:]]|\$)"
}

declare -A meaning=(
    [floors]="a room includes a header from a floor that it may not use"
    [shelves]="a folder with code stands in no table of tests/floors.sh"
    [walls]="a folder includes a header from a folder above it, so that folders can include each other in a circle"
    [mended]="an arrow of tests/floors.up is gone; take it off the list"
    [printing]="only cli/ prints or exits"
    [saying]="in cli/, only cli/print/say.c writes to a terminal"
    [libraries]="only base/ uses libconfig, zstd, lzma and zlib"
    [machine]="only the files in tests/floors.allow see the whole machine"
    [decisions]="gpu/policies alone decides by the kind of a policy"
    [markers]="no marker words"
)

check() { # runs every rule in the current folder
    local rule found failed=0
    for rule in floors shelves walls mended printing saying libraries machine decisions markers; do
        found=$(rule_$rule)
        [ -z "$found" ] && continue
        failed=1
        echo "house: ${meaning[$rule]}:"
        sed 's/^/    /' <<< "$found"
    done
    return $failed
}

plant() { # RULE FILE TEXT [ARROW]: fails unless the text in that file breaks that rule, and only it
    local tree found
    tree=$(mktemp -d)
    mkdir -p "$tree/$(dirname "$2")" "$tree/tests"
    printf '# comment\n\ndetailed/build.c\ncli/\n' > "$tree/tests/floors.allow"
    printf '# comment\n\n%s\n' "${4:-}" > "$tree/tests/floors.up"
    printf '%s\n' "$3" > "$tree/$2"
    found=$(cd "$tree" && check)
    rm -r "$tree"
    if [ "$1" = none ]; then
        [ -z "$found" ] && return 0
    else
        [[ $found == "house: ${meaning[$1]}:"*"$2:1:"* ]] &&
            [ "$(grep -c '^house' <<< "$found")" = 1 ] && return 0
    fi
    echo "self-test: '$3' in $2 should break: $1; found: $found"
    return 1
}

self_test() {
    local failed=0
    plant floors estimator/a.c '#include "detailed/core/sim.h"' || failed=1
    plant floors detailed/sm/a.h '#include "estimator/profile/profile.h"' || failed=1
    plant floors base/a.c '#  include "gpu/machine/rows/param.h"' || failed=1
    plant floors gpu/machine/load/a.c '#include "trace/stream/inst.h"' || failed=1
    plant floors gpu/mechanisms/a.h '#include "gpu/metrics/metrics.h"' || failed=1
    plant floors gpu/cache/a.c '#include "gpu/functional/memory/functional_caches.h"' || failed=1
    plant floors gpu/policies/a.c '#include "gpu/cache/cache.h"' || failed=1
    plant floors sampler/run/a.c '#include "engine/engine.h"' || failed=1
    plant none gpu/functional/memory/a.c '#include "gpu/cache/cache.h"' || failed=1
    plant none sampler/a.c '#include "detailed/core/sim.h"' || failed=1
    plant none cli/print/say.c 'printf("%d", 1); exit(1);' || failed=1
    plant saying cli/run/a.c 'printf("%d", 1);' || failed=1
    plant saying cli/a.c '    fputs(name, stderr);' || failed=1
    plant none cli/a.c 'snprintf(s, n, "x"); cli_print("x"); exit(1);' || failed=1
    plant floors base/a.c '#include "gpu/pages/page_table.h"' || failed=1
    plant floors gpu/pages/a.c '#include "detailed/core/sim.h"' || failed=1
    plant shelves detailed/new/a.c 'int x;' || failed=1
    plant shelves gpu/a.h 'int x;' || failed=1
    plant shelves gpu/new/a.c 'int x;' || failed=1
    plant shelves newroom/a.c '#include "detailed/core/sim.h"' || failed=1
    plant none tests/unit/new/a.c 'int x;' || failed=1
    plant walls base/io/a.c '#include "base/text/text.h"' || failed=1
    plant walls trace/program/a.h '#include "trace/plt/writer.h"' || failed=1
    plant walls detailed/sm/a.c '#include "detailed/core/sim.h"' || failed=1
    plant walls gpu/machine/params/a.h '#include "gpu/machine/machine.h"' || failed=1
    plant walls estimator/cache/a.h '#include "estimator/model/launch_model.h"' || failed=1
    plant none estimator/cache/a.h '#include "estimator/model/launch_model.h"' 'estimator/cache estimator/model' || failed=1
    plant mended tests/floors.up 'estimator/cache estimator/model' || failed=1
    plant none base/plot/a.c '#include "base/text/text.h"' || failed=1
    plant none cli/main.c '#include "cli/help/help.h"' || failed=1
    plant printing trace/a.c 'printf("%d", 1);' || failed=1
    plant printing sweeps/a.c '    if (x) exit(1);' || failed=1
    plant printing base/a.c 'fputs("x", stderr);' || failed=1
    plant printing detailed/a.c '    __builtin_printf("x");' || failed=1
    plant none base/a.c 'snprintf(s, n, "x"); my_exit(1); text_printf(t);' || failed=1
    plant libraries trace/a.c '#include <zstd.h>' || failed=1
    plant libraries gpu/machine/a.c '#include <libconfig.h>' || failed=1
    plant libraries cli/a.c '#include <zlib.h>' || failed=1
    plant none base/a.c '#include <lzma.h>' || failed=1
    plant machine detailed/l1/a.c '#include "gpu/machine/machine.h"' || failed=1
    plant none detailed/build.c '#include "gpu/machine/machine.h"' || failed=1
    plant none cli/simulate.c '#include "gpu/machine/machine.h"' || failed=1
    plant none gpu/machine/a.c '#include "gpu/machine/machine.h"' || failed=1
    plant decisions detailed/sm/a.c 'if (p->memory_wait == WAIT_BLOCK) return;' || failed=1
    plant decisions gpu/functional/a.c 'bool one = p->cta_binding == CTA_ONE_SUBCORE;' || failed=1
    plant none gpu/policies/a.c 'bool one = p->cta_binding == CTA_ONE_SUBCORE;' || failed=1
    plant none detailed/sm/a.c 'enum { SCHED_LOAD, WAIT_MEMORY };' || failed=1
    plant markers docs/a.md "a $(printf 'TO%s' DO) item" || failed=1
    plant markers tests/unit/a.c "/* $(printf 'FIX%s' ME) */" || failed=1
    return $failed
}

if [ "${1:-}" = --self-test ]; then
    self_test
else
    self_test && check
fi
