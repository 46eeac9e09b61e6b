# plumb machine: what each subcommand prints, and its exit status.
set -u
: "${PLUMB:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

expect() { says -F "$1" "$2" machine "${@:3}"; } # STATUS TEXT ARGUMENT...

printf 'base = "rx540";\nsm : { count = 4; };\n' >"$work/good.cfg"
printf 'sm : {\n cout = 4;\n};\nl2 : { bank_kb = 0; };\n' >"$work/bad.cfg"

expect 0 "list" --help
for sub in list show params check diff; do
    expect 0 "plumb machine $sub" $sub --help
done
expect 0 "870.4" list
expect 0 '"machine": "rx540"' list --json
expect 0 'bank_kb = 512; # KB' show rx540 --set l2.bank_kb=512
expect 0 'peak_gbps' show "$work/good.cfg"
expect 0 '"sm.count": 4' show "$work/good.cfg" --json
expect 0 'Candel' params l2.miss_management
expect 0 '"path": "l2.bank_kb"' params l2.bank --json
expect 0 '| `l2.bank_kb` |' params --markdown
expect 0 'fine' check "$work/good.cfg"
expect 2 "plumb: $work/bad.cfg:2: sm.cout: unknown parameter" check "$work/good.cfg" "$work/bad.cfg"
expect 2 "plumb: $work/bad.cfg:4: l2.bank_kb: 0 is out of range" check "$work/bad.cfg"
expect 0 'sm.count ' diff rx540 "$work/good.cfg"
expect 0 '"hbm2"' diff rx540 rx540 --set dram.set=hbm2
expect 2 'no such machine' show nothing
expect 2 'list, show, params' frobnicate
expect 2 'unknown option --wrong' list --wrong
expect 2 'allowed: list' # no subcommand

# Accel-Sim's configurations: from a folder, from files, to a pipe; the report goes to standard error.
accelsim=tests/data/accelsim/SM7_QV100
expect 0 'carried over: ' import $accelsim -o "$work/qv100.cfg"
expect 0 'fine' check "$work/qv100.cfg"
expect 0 'dram.energy.model' diff qv100 "$work/qv100.cfg"
"$PLUMB" machine diff qv100 "$work/qv100.cfg" | grep -vE '^(dram\.energy\.|noc\.arbitration )' && fail "import of $accelsim differs from qv100"
expect 0 'dram : {' import $accelsim/gpgpusim.config $accelsim/trace.config -q
[ -s "$work/err" ] && fail "import -q says something"
printf -- '-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32\n-gpgpu_flush_l2_cache 1\n' >"$work/a.config"
expect 0 'replaced, which changes answers: ' import "$work/a.config" -q
printf -- '-gpgpu_n_mem x\n' >"$work/a.config"
expect 2 "plumb: $work/a.config:1: -gpgpu_n_mem: x; a whole number from 1 to 256 is allowed" import "$work/a.config"
expect 2 'there is no gpgpusim.config in this folder' import "$work"
expect 2 "$work/none" import "$work/none"
expect 2 'it takes a folder' import

# What show prints loads again, to the same machine.
"$PLUMB" machine show qv100 >"$work/dump.cfg"
"$PLUMB" machine diff qv100 "$work/dump.cfg" >"$work/differ"
if [ -s "$work/differ" ]; then
    echo "show does not load back:"
    cat "$work/differ"
    failed=1
fi
exit $((failed > 0))
