#!/bin/bash
# Do the commands that the guide prints work as they are printed?  Each page of docs/guide is typed in an empty folder of
# its own, with plumb in the PATH (typed.bash says how).
#   tests/cli/guide.sh [FILE.md...]
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
source "$(dirname "${BASH_SOURCE[0]}")/typed.bash"
mkdir "$work/bin"
ln -s "$plumb" "$work/bin/plumb"
PATH=$work/bin:$PATH

reason() { # COMMAND
    case $1 in
    'plumb report '*--serve*) echo 'serves until Ctrl-C; tests/cli/report_serve.sh' ;;
    scripts/* | cmake*) echo 'installs packages, builds or installs' ;;
    *'trace capture'*) echo 'needs Oclgrind; tests/cli/capture.sh' ;;
    *'trace suite frc'* | *suite:frc* | *suite:vws*) echo 'captures programs for a minute; tests/cli/suite.sh' ;;
    *suite:quick*) echo 'nine profiles: half a minute with conservation checks' ;;
    *' long/'*) echo 'a long program: half a minute with conservation checks; tests/cli/sample_fresh_long.sh' ;;
    *rx540-demo*) echo '324 runs, some simulated: scripts/demo.sh' ;;
    *'trace import'* | *saxpy* | ./install_nvbit.sh)
        echo 'needs a trace taken on an NVIDIA GPU; tests/cli/trace.sh' ;;
    *rx570.cfg* | *rx570.work* | sbatch*) echo 'needs a cluster; tests/cli/sweep_shared.sh, scripts/slurm-test.sh, cluster.md itself has a small one' ;;
    cc\ libplumb/examples/* | ./embed_dram* | cc\ first.c*) echo 'needs the library installed; scripts/packages.sh --try' ;;
    'cd workloads/probe' | cc\ * | ./probe* | *mycard.csv) echo 'needs an OpenCL device; tests/cli/card_probe.sh' ;;
    *' times.csv '*) echo 'needs an OpenCL device; tests/cli/counters.sh' ;;
    *'machine probe'* | *'machine fit'*) echo 'minutes of the cycle model; tests/cli/probe.sh' ;;
    'plumb energy import'*) echo 'needs output of CACTI; tests/cli/energy.sh' ;;
    esac
}
shorter() { echo "${1/--tokens 1-16,32-512\/32 --batch 1,4,16/--tokens 16 --batch 1,4}"; }

pages=("${@:-}")
[ -n "${pages[0]}" ] || pages=("$root"/docs/guide/*.md)
for page in "${pages[@]}"; do
    page=$(realpath "$page")
    here=$work/$(basename "$page" .md)
    mkdir "$here"
    cd "$here" || exit 1
    ln -s "$root/configs" "$root/scripts" "$root/docs" "$root/tests" .
    echo "== ${page#"$root"/}"
    type_page "$page"
    cd "$root" || exit 1
done
# A guide that lost its form would pass by holding nothing.
[ $# -gt 0 ] || [ "$typed" -ge 50 ] || fail "only $typed commands typed"
exit $((failed > 0))
