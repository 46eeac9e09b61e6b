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

cat > "$work/b.cfg" << 'END'
generator = "gather";
ctas = 16;
warps_per_cta = 4;
iterations = 4;
footprint = "512KB";
END
printf 'generator = "stream";\nctas = 2;\nwarps_per_cta = 1;\niterations = 1;\n' > "$work/a.cfg"
cat > "$work/auto.cfg" << 'END'
machine    = "rx540";
workloads  = ( "b.cfg", "a.cfg" );
axes       = ( { path = "l1.kb"; values = [8, 16, 32]; }, { path = "l2.bank_kb"; values = [16, 32, 64]; } );
engine     = "auto";
budget     = { error = 0.01; points = 5; };
objectives = ( { metric = "cycles"; goal = "min"; }, { parameter = "l2.bank_kb"; goal = "min"; } );
output     = "auto.db";
END
"$plumb" sweep run "$work/auto.cfg" --db "$work/auto.db" -q || exit 1
"$plumb" report "$work/auto.db" -o "$work/auto.html" -q || exit 1
for theme in light dark; do
    drive "$work/auto.html" driver_axe.js 1400 "$work/package/axe.min.js" "theme=$theme&point=4&beside=2&beside=3"
done
drive "$work/auto.html" driver_axe.js 420 "$work/package/axe.min.js" 'theme=light&point=4&beside=2'
exit $((failed > 0))
