#!/bin/bash
# How many files name a mechanism besides its own?  A row of gpu/mechanisms/ says how its identifiers begin (.named) and
# where it lives (.home); at most 8 other files of the product, the estimator apart, may name it, or as many as
# tests/smear.up says, a list that may only shrink.  `--show` prints the files;
# `--self-test` shows on a temporary tree that too many are caught.
set -u
most=8

rows() { # NAMED|HOME of each row that states both
    cat gpu/mechanisms/*.[ch] | sed 's/\\$//' | tr -d '\n' | grep -oE '\.named = "[^"]*", *\.home = *("[^"]*" *)+' |
        sed -E 's/" +"//g; s/\.named = "([^"]*)", *\.home = *"([^"]*)".*/\1|\2/; s/ +/ /g'
}

namers() { # NAMED HOME: the files that name it, besides its own
    find base trace gpu detailed answer calibration sampler engine libplumb sweeps cards cli -name '*.[ch]' |
        xargs grep -lwE "(${1// /|})[a-z0-9_]*" | grep -vE "^(gpu/mechanisms/mechanism_rows|${2// /|})" | sort
}

check() { # [--show]
    local failed=0 seen=0 named home files n allowed stated
    while IFS='|' read -r named home; do
        files=$(namers "$named" "$home")
        n=$(grep -c . <<< "$files") allowed=$(awk -v named="$named" -F'|' '$1 == named { print $2 }' tests/smear.up)
        seen=$((seen + 1))
        [ "${1:-}" = --show ] && printf '%s: %d\n%s\n' "$named" "$n" "$files"
        if [ "$n" -gt "${allowed:-$most}" ]; then
            echo "smear: $named is named in $n files besides its own, where ${allowed:-$most} are allowed"
            failed=1
        elif [ -n "$allowed" ] && [ "$n" -lt "$allowed" ]; then
            echo "smear: $named is named in $n files: tests/smear.up says $allowed, and may only shrink"
            failed=1
        fi
    done < <(rows)
    stated=$(cat gpu/mechanisms/*.[ch] | grep -c '\.named = "')
    [ "$seen" -gt 0 ] && [ "$seen" = "$stated" ] || { echo "smear: $stated rows say what they are named, $seen could be read"; failed=1; }
    return $failed
}

# A tree with one mechanism of its own folder that ten files name.
self_test() {
    local tree i
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' RETURN
    mkdir -p "$tree"/{base,trace,gpu/mechanisms,detailed/own,answer,calibration,sampler,engine,libplumb,sweeps,cards,cli,tests}
    printf '.named = "thing_",\n    .home =\n  "detailed/own/ "\n "gpu/x"\n' > "$tree/gpu/mechanisms/mechanism_rows.c"
    echo 'int thing_a;' > "$tree/detailed/own/a.c"
    for ((i = 0; i < 9; i++)); do echo 'int thing_b; int nothing_b;' > "$tree/cli/$i.c"; done
    : > "$tree/tests/smear.up"
    (cd "$tree" && check) | grep -q '^smear: thing_ is named in 9 files' || { echo "smear: nine files pass"; return 1; }
    echo 'thing_|9' > "$tree/tests/smear.up"
    (cd "$tree" && check) || { echo "smear: what the list allows is refused"; return 1; }
    rm "$tree/cli/0.c"
    (cd "$tree" && check) | grep -q 'may only shrink' || { echo "smear: the list does not shrink"; return 1; }
    : > "$tree/tests/smear.up"
    (cd "$tree" && check) || { echo "smear: eight files are refused"; return 1; }
}

case ${1:-} in
--self-test) self_test ;;
--show) check --show ;;
*) self_test && check ;;
esac
