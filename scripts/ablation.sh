#!/bin/bash
# What each term of the estimate (estimator/model/term_list.c) and each tuned number that estimates feel earns: mean error
# of the cycles, Kendall's tau and coverage of the stated ranges, with the term left out, or the number halved and doubled.
#   scripts/ablation.sh                measures what docs/results/studies/ablation.csv lacks for the present models, and
#                                      writes docs/results/ablation.md; a killed run goes on
#   scripts/ablation.sh NAME...        measures only these terms and numbers
#   scripts/ablation.sh --page         writes the page alone
#   scripts/ablation.sh --truths       simulates what docs/results/studies/ablation-truths.csv lacks, and stops
# BUILD (build/tuning): where plumb is built with PLUMB_TUNING; JOBS (2): processes at a time; EVERY (1): of the cases of
# each set, every so manyth, for a quick look; RANDOM_ROWS: rows of scripts/random-machines.sh, whose machines and
# simulated cycles become the set `random`.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
. scripts/models.bash
build=${BUILD:-build/tuning} every=${EVERY:-1}
studies=docs/results/studies page=docs/results/ablation.md
truths=$studies/ablation-truths.csv results=$studies/ablation.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export plumb="$PWD/$build/plumb" work

quick="quick/lud quick/bfs quick/histogram quick/mersenne quick/apsp quick/kmeans quick/binomial quick/blackscholes"
foreign=$(printf '%s ' tests/data/foreign/*.plt)

groups() { # SET MACHINE PROGRAM...: what is asked for
    local machine
    for machine in rx540 rx570 qv100 hd7770-fgcs18 hd7770-europar18 gem5gpu-temp-batchbw apu-quickrelease gtx480; do
        echo "presets $machine $quick"
    done
    for machine in v100 a100-80 h100-sxm mi300x rx6900xt; do echo "cards $machine $quick"; done
    for machine in rx540 rx570 hd7770-fgcs18 qv100 a100-80; do echo "foreign $machine $foreign"; done
}

build_tuning() {
    cmake -S . -B "$build" -DPLUMB_TUNING=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo > /dev/null
    cmake --build "$build" --target plumb > /dev/null
}

model() { models_of "$plumb" "$1" | cut -d' ' -f2; }

# --- truths: sim,set,program,machine,cycles; machine: with its settings, as words of a shell ---

cycles_of() { # CSV of one row on stdin
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") at = i; next } { print $at }'
}

add_truths() {
    local sim set machine programs program cycles
    sim=$(model SIM)
    [ -f "$truths" ] || echo "sim,set,program,machine,cycles" > "$truths"
    groups | while read -r set machine programs; do
        for program in $programs; do
            grep -q "^$sim,$set,$program,$machine," "$truths" && continue
            cycles=$(timeout 60 "$plumb" simulate "$machine" "$program" -q --csv 2> /dev/null | cycles_of) || cycles=
            echo "$sim,$set,$program,$machine,$cycles" >> "$truths"
        done
    done
    [ -z "${RANDOM_ROWS:-}" ] || sqlite3 :memory: -cmd ".import --csv '$RANDOM_ROWS' rows" -separator $'\t' \
        "SELECT simulated, command FROM rows WHERE stage = 'done' AND simulated + 0 > 0" |
        sed -E "s/^([0-9.e+]+)\t([^ ]+) '([^']*)'(.*)/$sim,random,\3,\2\4,\1/" | grep -v '"' | sort -u |
        grep -vxFf "$truths" >> "$truths" || true
}

# --- estimates ---

# The cases of a set by machine: "set<TAB>machine<TAB>'program' 'program' ...<TAB>cycles cycles ...".
cases() {
    awk -F, -v sim="$(model SIM)" -v every="$every" -v OFS='\t' 'NR > 1 && $1 == sim && $5 > 0 {
        key = $2 OFS $4
        if (!(key in n)) { order[++keys] = key; n[key] = 0 }
        n[key]++; programs[key] = programs[key] " \047" $3 "\047"; cycles[key] = cycles[key] " " $5; of[key] = $2 }
        END { for (k = 1; k <= keys; k++) { key = order[k]
            if (seen[of[key]]++ % every == 0) print key, programs[key], cycles[key] } }' "$truths"
}

# Prints "set cycles estimate low high" of each case of a group.
estimate() { # LINE of cases
    local set machine programs cycles
    IFS=$'\t' read -r set machine programs cycles <<< "$1"
    paste -d' ' <(tr ' ' '\n' <<< "$cycles" | grep .) <(
        eval "timeout 60 \"\$plumb\" estimate $machine $programs -q --csv --cal none --threads 1" 2> /dev/null |
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                { print $at["cycles"], $at["confidence.low"] + 0, $at["confidence.high"] + 0 }') |
        sed "s/^/$set /"
}
export -f estimate

# "set cases error tau coverage" of the rows of all groups; coverage: of the cases for which a range is stated.
measures() {
    awk 'NF < 3 || $3 <= 0 { lost[$1]++; next }
        { s = $1; k = ++n[s]; truth[s, k] = $2; guess[s, k] = $3
          gap = $3 / $2 - 1; error[s] += gap < 0 ? -gap : gap
          if ($5 > 0) { stated[s]++; held[s] += $2 >= $4 && $2 <= $5 } }
        END { for (s in n) { agree = pairs = 0
            for (i = 2; i <= n[s]; i++) for (j = 1; j < i; j++) {
                d = log(truth[s, i] / truth[s, j]); if (d < 0.02 && d > -0.02) continue
                pairs++; agree += d * log(guess[s, i] / guess[s, j]) > 0 ? 1 : -1 }
            printf "%s,%d,%.4f,%.4f,%.4f\n", s, n[s] + lost[s], error[s] / n[s], pairs ? agree / pairs : 0,
                stated[s] ? held[s] / stated[s] : 0 } }'
}

# The rows of one change; PLUMB_WITHOUT and PLUMB_TUNE are set.
measure() {
    tr '\n' '\0' < "$work/cases" | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'estimate "$1"' estimate | measures | sort
}

terms() { # those that can be left out
    awk '/^const struct term term_list/ { on = 1 } /^};/ { on = 0 } on && /^    \{"/ {
        if ($0 !~ /TERM_NEEDED/) { split($0, q, "\""); print q[2] } }' estimator/model/term_list.c
}

numbers() { # that estimates feel with a kept profile
    cc -std=c17 -I. scripts/constants.c -o "$work/list"
    "$work/list" | awk -F'\t' '$1 == "estimator" && $8 == "ESTIMATE" && ($7 == "MODEL" || $7 == "THRESHOLD") { print $2 }'
}

changes() {
    echo "none -"
    terms | sed 's/$/ out/'
    numbers | sed 's/\(.*\)/\1 x0.5\n\1 x2/'
}

measure_all() { # NAME...: these; none: all
    local key name how
    key=$(model EST),$(model SIM),$(model PROFILE),$every
    [ -f "$results" ] || echo "est,sim,profile,every,name,change,set,cases,error,tau,coverage" > "$results"
    changes | while read -r name how; do
        [ $# -eq 0 ] || [[ " none $* " == *" $name "* ]] || continue
        grep -q "^$key,$name,$how," "$results" && continue
        case $how in
        out) PLUMB_WITHOUT=$name measure ;;
        x*) PLUMB_TUNE=$name=${how#x} measure ;;
        *) measure ;;
        esac | sed "s/^/$key,$name,$how,/" > "$work/rows"
        cat "$work/rows" >> "$results"
    done
}

# --- page ---

# Code lines of the function of each term and of those in its file that only it needs: "name lines file".
lines() {
    awk '/^const struct term term_list/ { on = 1 } /^};/ { on = 0 }
        on && /^    \{"/ { split($0, q, "\""); name = q[2]; row = "" } on { row = row $0 }
        on && /,$/ && name != "" && match(row, /(NO|OF\([a-z0-9_]+\)), *[a-z0-9_]+,/) {
            f = substr(row, RSTART, RLENGTH); sub(/^[^,]*, */, "", f); sub(/,.*/, "", f); print name, f; name = "" }' \
        estimator/model/term_list.c > "$work/finds"
    awk -v finds="$work/finds" 'BEGIN { while ((getline line < finds) > 0) { split(line, w, " "); term[++terms] = w[1]; find[w[1]] = w[2] } }
        FNR == 1 { now = "" }
        /^[a-z].*\(/ && !/;$/ { now = $0; sub(/\(.*/, "", now); sub(/.*[ *]/, "", now); now = FILENAME ":" now; all[now] = 1; where[substr(now, length(FILENAME) + 2)] = FILENAME }
        now != "" && !/^ *$/ && !/^ *(\/\*|\*)/ { size[now]++; text[now] = text[now] " " $0 }
        /^}/ { now = "" }
        function reach(f, n,  g, file, name) { if (seen[f]++) return 0
            n = size[f]; file = f; sub(/:.*/, "", file)
            for (g in all) if (index(g, file ":") == 1 && !seen[g]) { name = substr(g, length(file) + 2)
                if (text[f] ~ "(^|[^a-z0-9_])" name "\\(") n += reach(g) }
            return n }
        END { for (t = 1; t <= terms; t++) { split("", seen); f = find[term[t]]
            print term[t], reach(where[f] ":" f) + 0, where[f] } }' estimator/terms/*.c
}

write_page() {
    lines > "$work/lines"
    awk -F, -v OFS='\t' -v key="$(model EST),$(model SIM),$(model PROFILE),$every" '
        NR > 1 && $1 "," $2 "," $3 "," $4 == key { print $5, $6, $7, $8, $9, $10, $11 }' "$results" > "$work/rows"
    cat << END
# What terms and numbers earn

Made by \`scripts/ablation.sh\`; do not edit. Estimates without calibration beside simulated cycles, with one term of the estimate
(\`estimator/model/term_list.c\`) left out, or one tuned number ([constants](../develop/constants.md)) halved or doubled.

- points: by how many percentage points the mean error of the cycles is larger for it (positive: the term earns its place; of a
  number, the smaller of both changes: positive, where its value is better than half and twice);
- tau, held: change of Kendall's tau and of the share of cases in the range that is stated, in percentage points;
- lines: of code of the term's function and of the functions of its file that it calls (several terms may call one).

END
    awk -F'\t' -v linesfile="$work/lines" '
        BEGIN { while ((getline l < linesfile) > 0) { split(l, f, " "); size[f[1]] = f[2] } }
        $1 == "none" { cases[$3] = $4; error[$3] = $5; tau[$3] = $6; held[$3] = $7; next }
        { id = $1; if (!(id in how)) order[++n] = id
          how[id] = $2 == "out" ? "term" : "number"
          e = 100 * ($5 - error[$3]); t = 100 * (tau[$3] - $6); h = 100 * (held[$3] - $7)
          if (!((id, $3) in gain) || e < gain[id, $3]) { gain[id, $3] = e; order_of[id, $3] = t; holds[id, $3] = h } 
          if (e > 0.1 || e < -0.1 || t > 0.1 || t < -0.1) felt[id] = 1 }
        function row(id, k,  s) { s = ""
            for (k = 1; k <= 4; k++) s = s sprintf(" | %+.1f | %+.1f | %+.1f", gain[id, set[k]], order_of[id, set[k]], holds[id, set[k]])
            return s }
        function table(kind,  i, id) { for (i = 1; i <= n; i++) { id = order[i]; if (how[id] != kind) continue
            print "| " id (kind == "term" ? " | " size[id] : "") row(id) " |" } }
        END { split("presets cards random foreign", set, " ")
            print "| set | cases | mean error | tau | held |\n| --- | --- | --- | --- | --- |"
            for (k = 1; k <= 4; k++) printf "| %s | %d | %.1f %% | %.3f | %.1f %% |\n", set[k], cases[set[k]], 100 * error[set[k]], tau[set[k]], 100 * held[set[k]]
            head = ""; line = ""
            for (k = 1; k <= 4; k++) { head = head " | " set[k] ": points | tau | held"; line = line " | --- | --- | ---" }
            print "\n## Terms\n\n| term | lines" head " |\n| --- | ---" line " |"; table("term")
            print "\n## Numbers\n\n| number" head " |\n| ---" line " |"; table("number")
            print "\nNot felt in any set by 0.1 points of error or of tau:"
            for (i = 1; i <= n; i++) if (!felt[order[i]]) printf "%s%s", sep, order[i] (sep == "" ? "" : ""), sep = ", "
            print nil "." }' "$work/rows"
}

build_tuning
case ${1:-} in
--truths) add_truths; exit 0 ;;
--page) ;;
*)
    add_truths
    cases > "$work/cases"
    measure_all "$@" ;;
esac
write_page | with_models "$(models_of "$plumb" EST SIM PROFILE)" > "$page.new"
mv "$page.new" "$page"
