#!/bin/bash
# Does what README.md prints work as it is printed?  Its commands are typed line by line in an empty folder that leads to
# the repository (typed.bash says how).
#   tests/cli/readme.sh [FILE.md]     README=FILE.md does the same
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
readme=$(realpath "${README:-${1:-README.md}}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
source "$(dirname "${BASH_SOURCE[0]}")/typed.bash"
mkdir "$work/here" "$work/here/build"
for folder in configs docs scripts; do ln -s "$PWD/$folder" "$work/here/$folder"; done
ln -s "$plumb" "$work/here/plumb"
cd "$work/here" || exit 1

reason() { # COMMAND
    case $1 in
    scripts/*) echo 'installs packages and builds' ;;
    './plumb calibrate configs/sweeps/'*) echo 'samples 24 runs: two minutes with conservation checks; tests/cli/calibrate_long.sh' ;;
    esac
}

# The sweep of 324 runs is typed with two points of a small program, and without the calibration that is left out.
cat > small.cfg << END
machine = "rx540"; workloads = ( "quick/lud" ); axes = ( { path = "l1.kb"; values = [8, 16]; } );
output = "rx540-demo.db";
END
shorter() { # COMMAND
    case $1 in
    ./plumb*) sed -e 's/configs\/sweeps\/rx540-demo.cfg/small.cfg/; s/ --cal rx540-demo.cal//; s/--simulate 20/--simulate 2/' <<< "$1" ;;
    *) echo "$1" ;;
    esac
}

type_page "$readme"
# A README that lost its form would pass by holding nothing.
[ "$typed" -ge 8 ] && [ "$compared" -ge 4 ] || fail "only $typed commands typed, $compared of them compared"
exit $((failed > 0))
