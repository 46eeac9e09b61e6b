#!/bin/bash
# How far answers move when a tuned number (constants.h of each room) is halved and doubled, as docs/develop/constants.md.
#   scripts/constants.sh             measures all of them (some 10 minutes of processor time) and writes the page
#   scripts/constants.sh NAME...     measures these again
#   scripts/constants.sh --page      writes the page with the present names, values and texts, and the effects it had; the
#                                    target docs of the build calls this
#   scripts/constants.sh --check     says whether names, values or texts on the page are stale
# BUILD (build/tuning): where plumb is built with PLUMB_TUNING; JOBS (2): measured at a time.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
page=docs/develop/constants.md
build=${BUILD:-build/tuning}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -std=c17 -I. scripts/constants.c -o "$work/list"
"$work/list" > "$work/constants"

machines="rx540 qv100 hd7770-fgcs18"
programs="quick/lud quick/bfs quick/histogram quick/mersenne"
long="rx540 long/long-stencil"
export machines programs long work plumb="$PWD/$build/plumb" configs="$PWD/configs"

sweep() { # ENGINE-LINES PROGRAM...: a small design around the RX 540
    local engine=$1 list
    shift
    list=$(printf ", \"$configs/workloads/%s.plt\"" "$@")
    cat << END
machine = "rx540"; workloads = ( ${list#, } );
design = "sobol"; points = 20; seed = 1; output = "unused.db"; $engine
axes = ( { path = "l1.mshr.entries"; values = [8, 16, 32, 64]; }, { path = "l2.bank_kb"; values = [32, 64, 128]; },
         { path = "l2.latency"; range = [10, 120]; }, { path = "dram.clock_mhz"; range = [800, 2400]; } );
END
}

columns() { # NAME...: these columns of a CSV with a header
    awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (i = 1; i <= n; i++) printf "%s%s", at[name[i]] ? $at[name[i]] : 0, i < n ? " " : "\n" }'
}

# One line for each answer: the cycles and their half width, the latter relative.
answers() { # ASKS FOLDER
    case $1 in
    PROFILE | ESTIMATE)
        for machine in $machines; do
            "$plumb" estimate "$machine" $programs -q --threads 1 --csv | columns cycles
        done ;;
    SIMULATE) "$plumb" simulate rx540 $programs -q --threads 1 --csv | columns cycles ;;
    SAMPLE) "$plumb" sample rx540 fwt --budget 250000 -q --threads 1 --csv | columns cycles confidence.half_width ;;
    LONG) "$plumb" sample $long -q --threads 1 --csv | columns cycles confidence.half_width ;;
    CALIBRATE)
        sweep 'engine = "sample";' quick/lud quick/bfs > "$2/c.cfg"
        "$plumb" calibrate "$2/c.cfg" -o "$2/c.cal" --points 4 -q --threads 1 > /dev/null
        "$plumb" estimate rx540 quick/lud quick/bfs --cal "$2/c.cal" -q --csv | columns cycles confidence.half_width
        "$plumb" estimate rx540 quick/lud quick/bfs --cal "$2/c.cal" --set l2.bank_kb=32 --set l2.latency=90 -q --csv |
            columns cycles confidence.half_width ;;
    SWEEP)
        sweep 'engine = "auto"; budget = { error = 0.02; points = 8; };' quick/lud > "$2/s.cfg"
        "$plumb" sweep run "$2/s.cfg" --db "$2/s.db" -q --threads 1
        "$plumb" sweep export "$2/s.cfg" --db "$2/s.db" --csv -q | columns cycles cycles.low cycles.high |
            awk '{ print $1, ($3 - $2) / $1 / 2 }' ;;
    esac
}

# Mean relative change of the cycles, and of half widths where there are some.
difference() { # BEFORE AFTER
    paste -d' ' "$1" "$2" | awk '
        function gap(a, b) { a = b / a - 1; return a < 0 ? -a : a }
        function shown(x) { return x == 0 ? "0" : x < 0.0001 ? "< 0.01 %" : sprintf("%.2g %%", 100 * x) }
        NF == 2 { n++; sum += gap($1, $2) }
        NF == 4 { n++; sum += gap($1, $3); if ($2 > 0) { halves++; half += gap($2, $4) } }
        NF % 2 { odd = 1 }
        END { if (!n || odd) print "refused"
              else print shown(sum / n) (half > 0 ? " (± " shown(half / halves) ")" : "") }'
}

# Profiles that others made serve where the number does not touch them; walks are made anew.
run() { # ASKS TUNE OUT
    local folder
    folder=$(mktemp -d -p "$work")
    mkdir -p "$folder/plumb"
    [ "$1" = PROFILE ] || cp "$work"/cache/plumb/*.profile "$folder/plumb/" 2> /dev/null || true
    PLUMB_TUNE=$2 XDG_CACHE_HOME=$folder timeout 60 bash -c 'set -o pipefail; answers "$@"' answers "$1" "$folder" \
        > "$3" 2> /dev/null || : > "$3"
    [ -n "$2" ] || cp -r "$folder/." "$work/cache/" 2> /dev/null
    rm -rf "$folder"
}

measure() { # NAME ASKS: a line of NAME and both effects between tabs
    local factor effect=()
    for factor in 0.5 2; do
        run "$2" "$1=$factor" "$work/$1.$factor"
        effect+=("$(difference "$work/base.$2" "$work/$1.$factor")")
    done
    printf '%s\t%s\t%s\n' "$1" "${effect[@]}" >> "$work/effects"
}
export -f answers columns difference measure run sweep

kept() { # effects of the page as it is
    [ ! -f "$page" ] || awk -F' [|] ' -v OFS='\t' '/^\| [A-Z][A-Z0-9_]* \|/ { sub(/^\| /, "", $1); sub(/ \|$/, "", $NF)
        print $1, $(NF - 1), $NF }' "$page"
}

write_page() { # EFFECTS
    cat << 'END'
# Tuned numbers

Made by `cmake --build DIR --target docs` from `constants.h` of each room (`base/constant.h` says what a row holds); do not edit.
A test says when names, values or texts are stale; effects are as of the last measurement by `scripts/constants.sh`.

A number stands here that somebody chose, fitted or measured. Not here: units, closed forms (the half of a uniform wait), parameters of
machines, sizes of tables, drawings, and ladders (the warm-ups of 8, 24, 72, 288 instructions, the tolerances of launch clusters,
the queue depths and windows of `row_locality.c`), whose steps are tried one after the other.

`x 0.5`, `x 2`: mean relative change of the cycles when the number is halved and doubled (whole numbers are rounded, to 1 at
least), and behind ± that of their half widths. *refused*: no answer, or none within a minute. *not felt*: nothing moves by
either, with this set; *said only*: it chooses what is said of an answer.

END
    printf -- "- profile, estimate: \`plumb estimate\` of %s on %s;\n" "${programs// /, }" "${machines// /, }"
    printf -- "- simulate: the same programs on rx540; sample: fwt on rx540 with \`--budget 250000\`; long: \`plumb sample %s\`;\n" "$long"
    cat << 'END'
- calibrate: quick/lud and quick/bfs at 4 points of 4 axes around rx540, then estimated on two machines with that calibration;
- sweep: quick/lud, the same 4 axes, 20 points by engine auto, of which 8 may be simulated.

A *threshold* is a step: answers may jump where it is crossed. *margin*: part of an error bar; *effort*: how much is done for an answer;
*solver*: how exactly an equation is solved; *model*: a quantity of a model.
END
    awk -F'\t' -v OFS=' | ' -v effects="$1" '
        BEGIN { while ((getline line < effects) > 0) { split(line, f, "\t"); half[f[1]] = f[2]; twice[f[1]] = f[3] } }
        $1 != room { room = $1; print "\n## " room "\n\n| number | value | unit | what it stands for | how it was found | role | acts on | x 0.5 | x 2 |"
                     print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |" }
        { a = $2 in half ? half[$2] : "-"; b = $2 in twice ? twice[$2] : "-"
          if ($8 == "TEXT") a = b = "said only"
          else if (a == "0" && b == "0") a = b = "not felt"
          print "| " $2, $3, $4, $5, $6, tolower($7), tolower($8), a, b " |" }' "$work/constants"
}

case ${1:-} in
--check)
    kept > "$work/effects"
    write_page "$work/effects" | diff "$page" - || { echo "$page is stale: cmake --build DIR --target docs"; exit 1; }
    exit 0 ;;
--page) kept > "$work/effects" ;;
*)
    mkdir -p "$work/cache"
    cmake -S . -B "$build" -DPLUMB_TUNING=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo > /dev/null
    cmake --build "$build" --target plumb > /dev/null
    kept > "$work/old"
    awk -F'\t' -v wanted=" $* " '$8 != "TEXT" && (wanted ~ /^ *$/ || index(wanted, " " $2 " ")) { print $2, $8 }' \
        "$work/constants" > "$work/todo"
    for asks in $(awk '{ print $2 }' "$work/todo" | sort -u); do run "$asks" "" "$work/base.$asks"; done
    xargs -P "${JOBS:-2}" -L 1 bash -c 'measure "$@"' measure < "$work/todo"
    awk -F'\t' 'NR == FNR { new[$1]; print; next } !($1 in new)' "$work/effects" "$work/old" > "$work/all"
    mv "$work/all" "$work/effects" ;;
esac
write_page "$work/effects" > "$page.new"
mv "$page.new" "$page"
