#!/bin/bash
# Do Accel-Sim directories work without a cache folder that can be written, with the same answer and one line
# that says so?  And packed with gzip, zstd or xz, whole?
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
source=tests/data/accelsim/f_reduction
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

# answer NAME CACHE ENGINE PROGRAM: what it says but for the host, to $work/NAME; stderr to $work/NAME.err
answer() {
    XDG_CACHE_HOME=$2 "$plumb" "$3" qv100 --json "$4" 2> "$work/$1.err" |
        jq -S 'del(.host, .program)' > "$work/$1" || fail "$1: $(tail -n 1 "$work/$1.err")"
    [ "$(jq -r .engine "$work/$1")" = "$3" ] || fail "$1: no answer"
}
for engine in estimate simulate; do
    answer $engine.want "$work/cache" $engine $source
    grep -q 'made anew' "$work/$engine.want.err" && fail "$engine warns of a cache that works"
    answer $engine.none /proc/nowhere $engine $source # nobody can make a folder there, root neither
    cmp -s "$work/$engine.want" "$work/$engine.none" || fail "$engine: another answer without a cache"
    [ "$(grep -c 'warning: .*made anew' "$work/$engine.none.err")" -eq 1 ] || fail "$engine: no one warning"
    for kind in gz zst xz; do
        mkdir -p "$work/$kind"
        sed -E "s/\.(gz|zst|xz)\$//" $source/kernelslist.g > "$work/$kind/kernelslist.g"
        for kernel in "$source"/*.traceg*; do
            plain=$(basename "$kernel" | sed -E 's/\.(gz|zst|xz)$//')
            case $kernel in
            *.xz) xz -dc "$kernel" ;;
            *.zst) zstd -dqc "$kernel" ;;
            *.gz) gzip -dc "$kernel" ;;
            *) cat "$kernel" ;;
            esac > "$work/plain"
            case $kind in
            gz) gzip -c "$work/plain" ;;
            zst) zstd -qc "$work/plain" ;;
            xz) xz -c "$work/plain" ;;
            esac > "$work/$kind/$plain.$kind"
        done
        answer $engine.$kind "$work/cache" $engine "$work/$kind"
        cmp -s "$work/$engine.want" "$work/$engine.$kind" || fail "$engine: another answer from .$kind"
    done
done
[ $failed -eq 0 ] && echo "Accel-Sim directories: the same without a cache and packed"
exit $((failed > 0))
