#!/bin/bash
# Is the page of plumb report accessible? axe-core, from npm, finds no violation in light, in dark and on a narrow screen.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
source "$(dirname "${BASH_SOURCE[0]}")/browser.bash"
command -v npm > /dev/null || { echo "npm, which brings axe-core, is missing"; exit 77; }
(cd "$work" && npm pack --silent axe-core@4.10.3 && tar -xzf axe-core-*.tgz package/axe.min.js) > "$work/log" 2>&1 ||
    { echo "npm could not bring axe-core: $(tail -n 1 "$work/log")"; exit 77; }

source "$(dirname "${BASH_SOURCE[0]}")/small_auto.bash"
for theme in light dark; do
    drive "$work/auto.html" driver_axe.js 1400 "$work/package/axe.min.js" "theme=$theme&point=4&beside=2&beside=3"
done
drive "$work/auto.html" driver_axe.js 420 "$work/package/axe.min.js" 'theme=light&point=4&beside=2'
exit $((failed > 0))
