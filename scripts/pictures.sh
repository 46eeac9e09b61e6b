#!/bin/bash
# Makes the pictures of README and the guide from the program as it is: two screens of a terminal, the page of the demo's
# sweep in light and dark, its trade-off, and the miss ratio of srad.
#   scripts/pictures.sh [FOLDER]     FOLDER: results of scripts/demo.sh (build/demo-results)
# Needs what `scripts/deps.sh --browser --capture` installs, and ./plumb with its results from scripts/demo.sh.
# Environment: PLUMB (./plumb).
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-./plumb} results=${1:-build/demo-results} to=docs/guide/pictures
for tool in aha chromium optipng; do
    command -v "$tool" > /dev/null || { echo "pictures.sh: $tool is missing: scripts/deps.sh --browser" >&2; exit 1; }
done
[ -e "$results/rx540-demo.db" ] || { echo "pictures.sh: $results/rx540-demo.db is missing: scripts/demo.sh" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$to"

photograph() { # ADDRESS FILE WIDTH HEIGHT
    timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --user-data-dir="$work/profile" \
        --virtual-time-budget=20000 --window-size="$3,$4" --screenshot="$work/picture.png" "$1" > "$work/log" 2>&1 ||
        { cat "$work/log" >&2; return 1; }
    optipng -quiet -o2 "$work/picture.png"
    mv "$work/picture.png" "$2"
    echo "$2"
}

terminal() { # FILE LINES COMMAND...: the first lines of what a terminal of 80 columns shows
    local file=$1 lines=$2
    shift 2
    {
        printf '$ %s\n' "$*"
        COLUMNS=80 "$plumb" "${@:2}" --color always 2> /dev/null
    } | sed -n "1,${lines}p" | aha --black --title plumb |
        sed 's/<pre>/<pre style="font: 14px\/18px DejaVu Sans Mono, monospace; margin: 8px">/' > "$work/terminal.html"
    photograph "file://$work/terminal.html" "$file" 700 $((lines * 18 + 16))
}

terminal "$to/estimate.png" 24 plumb estimate rx540 fwt
terminal "$to/compare.png" 24 plumb compare rx540 fwt --vs l2.bank_kb=512

"$plumb" report "$results/rx540-demo.db" -o "$work/demo.html" --svg "$work" 2> /dev/null
for theme in light dark; do photograph "file://$work/demo.html#theme=$theme" "$to/report-$theme.png" 1280 960; done
cp "$work/trade-off.svg" docs/guide/rx540-demo-trade-off.svg

"$plumb" trace capture -o "$work/srad.plt" -- "$(dirname "$(readlink -f "$plumb")")/workloads/srad" > /dev/null
"$plumb" trace info "$work/srad.plt" --svg docs/guide/characterize-srad.svg > /dev/null
