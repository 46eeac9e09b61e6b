#!/bin/bash
# The papers' shelf: is a name of its files as good as one of configs, does each name stand once, and do the lists of
# machines and programs put the papers' behind the others?
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

# --- the tree
twice=$(for folder in configs papers/*/; do
    (cd "$folder" && find gpus calibrations sweeps workloads dram tables curves studies results -type f 2> /dev/null)
done | sort | uniq -d)
[ -z "$twice" ] || fail "in two folders: $twice"
files=$(find papers -type f | wc -l)
[ "$files" -gt 200 ] || fail "only $files files of papers were found"
other=$(find papers -mindepth 2 -maxdepth 2 -type d | grep -vE '/(gpus|calibrations|sweeps|workloads|studies|results)$')
[ -z "$other" ] || fail "no folder of that name is searched: $other"
for folder in papers/*/; do
    folder=$(basename "$folder")
    grep -q '^paper = "[^"]*";$' "papers/$folder/paper.cfg" || fail "papers/$folder/paper.cfg has no heading"
    grep -qF "| [$folder]($folder) |" papers/README.md || fail "papers/README.md does not name $folder"
done

# --- names, from a folder where no file has them
cd "$work" || exit 1
says -F 0 "a paper's machine" machine show fermi-vws
says -F 0 'calibrations/titanv-gpgpusim3.cal' estimate titanv-gpgpusim3 khairy/mb1-01
says -F 0 '"program": "sparse"' estimate rx540 workloads/khairy/sparse.cfg --json
says -F 0 'for apu-quickrelease' trace suite qr --list
says -F 2 'papers/verdicts.sh STUDY.sql' sweep check studies/khairy.sql
says -F 2 'papers/khairy/sweeps/khairy-mb2.cfg?' sweep run khairy-mb2

# --- a file that is there goes before a name
mkdir -p workloads/khairy
printf 'generator = "stream"; ctas = 3; warps_per_cta = 1; iterations = 1;\n' > workloads/khairy/sparse.cfg
says -F 0 '"ctas": 3' trace info workloads/khairy/sparse.cfg --json

# --- lists
"$PLUMB" machine list > machines || fail 'machine list'
"$PLUMB" machine list --json > machines.json || fail 'machine list --json'
[ "$(grep -c '^# ' machines)" -eq 4 ] || fail "machines: headings are $(grep '^# ' machines)"
sed '/^# /,$d' machines | grep -qE '^(fermi|apu|hd7|gem5)' && fail "a paper's machine stands among the cards"
sed -n '/^# Mao/,/^# /p' machines | grep -q '^fermi-vws ' || fail 'fermi-vws does not stand below its paper'
[ "$(awk 'NR > 1 && /^[^#]/ { print $1 }' machines | sort)" = "$(jq -r '.[].machine' machines.json | sort)" ] ||
    fail 'the list and its JSON have other machines'
[ "$(jq -r '[.[] | select(.machine == "fermi-vws" or .machine == "rx540") | .paper | tostring | .[:8]] | join(",")' machines.json)" = 'Mao 2016,null' ] ||
    fail 'JSON does not say which paper a machine is of'
"$PLUMB" program list > programs || fail 'program list'
"$PLUMB" program list --json > programs.json || fail 'program list --json'
sed '/^# /,$d' programs | grep -qE '^(khairy/|suite:vws)' && fail "a paper's program stands among the others"
sed -n '/^# Khairy/,/^# /p' programs | grep -q '^khairy/sparse ' || fail 'khairy/sparse does not stand below its paper'
[ "$(awk 'NR > 1 && /^[^#]/ { print $1 }' programs | sort)" = "$(jq -r '.[].program' programs.json | sort)" ] ||
    fail 'the list and its JSON have other programs'

# --- a heading that is none
mkdir -p own/configs own/papers/smith
printf 'title = "x";\n' > own/papers/smith/paper.cfg
export PLUMB_CONFIG_PATH=$work/own/configs
says -F 2 'smith/paper.cfg: paper = "AUTHOR YEAR: TITLE"; is expected' machine list
says -F 2 'smith/paper.cfg' program list

exit $((failed > 0))
