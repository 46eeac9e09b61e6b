#!/bin/bash
# Does what the documents name exist?  Of every page: relative links with their anchors, paths of files in the tree, files
# named alone (stack_distance.c), tests by their names in ctest (unit.gpu_sched), and parameters and metrics in backquotes
# whose first part is a part of a machine.
#   tests/cli/links.sh [FILE.md...]
set -u
: "${PLUMB:=build/test/plumb}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

rooms='base|trace|gpu|detailed|estimator|answer|calibration|sampler|engine|sweeps|cards|cli|configs|papers|scripts|tests|bench|docs|libplumb|workloads|cmake|third_party'
pages=("$@")
[ ${#pages[@]} -gt 0 ] || mapfile -t pages < <(find docs papers ./*.md -name '*.md' | sort)
find base trace gpu detailed estimator answer calibration sampler engine sweeps cards cli tests bench workloads -type f |
    sed 's/.*\///' | sort -u > "$work/names"
for kind in unit behaviour agreement; do # tests/unit/gpu/sched.c: unit.gpu_sched
    find "tests/$kind" -name '*.c' | sed "s/^tests\/$kind\///; s/\.c$//; s/\//_/g; s/^/$kind./"
done > "$work/tests"
find tests/cli -name '*.sh' | sed 's/.*\//cli./; s/\.sh$//' >> "$work/tests"
"$PLUMB" machine params --json | jq -r '.[].path' > "$work/keys"
"$PLUMB" metrics --json | jq -r '.[].name' >> "$work/keys"

anchors() { # PAGE: what a link to its headings says
    grep -E '^#+ ' "$1" | sed -E 's/^#+ //; s/\[([^]]*)\]\([^)]*\)/\1/g' | tr '[:upper:]' '[:lower:]' |
        sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# LINE<TAB>TARGET for each relative link
links() {
    awk '{ s = $0; while (match(s, /\]\([^)]+\)/)) {
               t = substr(s, RSTART + 2, RLENGTH - 3); s = substr(s, RSTART + RLENGTH)
               if (t !~ /^[a-z]+:/) print FNR "\t" t } }' "$1"
}

found() { # PATTERN: with stars and braces, is there such a file?
    local pattern=${1//\\/}
    eval "compgen -G ${pattern@Q}" > /dev/null && return
    case $pattern in
    *'{'*) local one; for one in $(eval "echo $pattern"); do [ -e "$one" ] || return 1; done ;;
    *) return 1 ;;
    esac
}

checked=0
for page in "${pages[@]}"; do
    page=${page#./}
    while IFS=$'\t' read -r line target; do
        checked=$((checked + 1))
        file=${target%%#*} anchor=
        [ "$target" = "$file" ] || anchor=${target#*#}
        if [ -n "$file" ]; then to=$(dirname "$page")/$file; else to=$page; fi
        [ -e "$to" ] || { fail "$page:$line: no $file"; continue; }
        [ -z "$anchor" ] || anchors "$to" | grep -qxF -- "$anchor" || fail "$page:$line: no heading #$anchor in $to"
    done < <(links "$page")
    while IFS=: read -r line path; do
        checked=$((checked + 1))
        path=${path%[.,:]}
        case $path in *NAME* | *...*) continue ;; esac
        found "$path" || found "configs/$path" || fail "$page:$line: no file $path"
    done < <(grep -noE "(^|[^A-Za-z0-9_./-])($rooms)/[A-Za-z0-9_./{},*-]*[A-Za-z0-9_*}/]" "$page" |
        sed -E "s/^([0-9]+):[^A-Za-z]?/\1:/" | grep -E '/.*\.(c|h|sh|md|cfg|csv|sql|json|py|svg|bash|zsh|plt|allow|html|js)$|/$')
    while IFS=: read -r line name; do
        checked=$((checked + 1))
        grep -qxF -- "$name" "$work/names" || fail "$page:$line: no file is called $name"
    done < <(grep -noE '`[a-z0-9_]+\.[ch]`' "$page" | tr -d '`')
    while IFS=: read -r line name; do
        checked=$((checked + 1))
        for one in $(eval "echo ${name%_}"); do
            grep -qxF -- "$one" "$work/tests" || fail "$page:$line: no test is called $one"
        done
    done < <(grep -noE '`(unit|behaviour|agreement|cli)\.[a-z0-9_]+(\{[a-z_,]+\})?`' "$page" | tr -d '`')
    case $page in docs/notebook/* | CHANGELOG.md) continue ;; esac # these speak of earlier versions, too
    while IFS=: read -r line key; do
        checked=$((checked + 1))
        grep -qxF -- "$key" "$work/keys" || grep -qE "^${key//./\\.}\\." "$work/keys" || fail "$page:$line: neither a parameter nor a metric: $key"
    done < <(grep -noE '`(sm|l1|l2|noc|dram|scalar|coherence|energy|clock|energy_mj|latency)\.[a-z0-9_.]+`' "$page" | tr -d '`')
done
# Pages that sources, scripts and settings name.  (A note of a study is kept as it was written, in validation.csv, too.)
[ $# -gt 0 ] || while IFS=: read -r file line page; do
    checked=$((checked + 1))
    [ -e "$page" ] || fail "$file:$line: no page $page"
done < <(grep -rnoE 'docs/[A-Za-z0-9_/-]+\.(md|csv|json|svg|1)\b' base trace gpu detailed estimator answer calibration sampler engine sweeps cards cli bench \
    configs/gpus configs/sweeps configs/dram papers libplumb scripts tests/unit tests/behaviour tests/agreement CMakeLists.txt .ci |
    grep -vE '^papers/mao/studies/vws.sql:|/NAME')
[ $# -gt 0 ] || [ "$checked" -gt 500 ] || fail "only $checked mentions were found"
exit $((failed > 0))
