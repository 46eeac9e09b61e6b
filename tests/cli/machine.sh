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
# What follows from a machine, and what no DRAM of its kind does: a warning, and no error.
expect 0 'trcd_ns                     14.8571 ns' check rtx4090
expect 0 'rtx4090: loads, but no DRAM does what it says' check rtx4090 --set dram.clock_mhz=11200
expect 0 'warning: dram: trcd_ns = 3.482 ns; no gddr6x does that: 11.1 to 21.38' check rtx4090 --set dram.clock_mhz=11200
expect 0 'warning: dram: pin_gbps' show rtx4090 --set dram.clock_mhz=11200
says -F 0 '' machine check rtx4090 a100-80 --json --set dram.clock_mhz=11200
[ "$(jq -r '.[0] | "\(.machine) \(.preset_version) \(.derived.fp32_tflops * 100 | round)"' "$work/out")" = 'rtx4090 3 7324' ] ||
    fail "check --json: $(head -12 "$work/out")"
[ "$(jq -r '.[0].implausible[1] | .memory, .figure, .kind' "$work/out" | tr '\n' ' ')" = 'dram trcd_ns gddr6x ' ] || fail 'check --json lacks what is implausible'
check=$(jq -c '.[1].derived' "$work/out")
"$PLUMB" machine show a100-80 --set dram.clock_mhz=11200 --json | jq -c .derived | grep -qxF -- "$check" || fail 'check and show differ in what follows'

# A base that has moved, evidence that is of another machine, a clash with what was inherited.
printf 'base = "qv100";\nbase_version = 9;\n' >"$work/moved.cfg"
expect 0 "warning: $work/moved.cfg:2: written for the values of version 9 of qv100, which is at version 2 and may" check "$work/moved.cfg"
says -F 0 "warning: $work/moved.cfg:2: written for the values of version 9 of qv100" estimate "$work/moved.cfg" 'stream ctas=2 iterations=1'
printf 'base = "a100-80";\nsm : { count = 99; };\n' >"$work/mine.cfg"
expect 0 'note: the evidence and the curves are of a100-80, from which 1 value differs: sm.count' check "$work/mine.cfg"
expect 0 '# Inherited: the evidence and the curves are of a100-80' show "$work/mine.cfg"
expect 0 '# Builds on preset a100-80, version 3' show "$work/mine.cfg"
printf 'base = "qv100";\nl2 : { banks = 24; };\ndram : { channels = 24; };\n' >"$work/old.cfg"
expect 2 "'base_version = 1;'" check "$work/old.cfg"
printf 'base_version = 1;\n' >>"$work/old.cfg"
expect 0 'on preset qv100, version 1' check "$work/old.cfg"

# A memory set in two lines.
printf 'base = "gddr6-14500";\nclock_mhz = 2500.0;\n' >"$work/gddr6-20000.cfg"
expect 0 'pin_gbps                         20 Gb/s' check t4 --set "dram.set=$work/gddr6-20000.cfg"
expect 0 'trcd_ns                        15.2 ns' check t4 --set "dram.set=$work/gddr6-20000.cfg"

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
[ "$("$PLUMB" machine diff qv100 "$work/dump.cfg")" = 'no difference' ] || fail 'show does not load back'

# A machine that plumb wrote is calibrated as its preset is; with other values it has its file's name.
expect 0 '' show rx540 --set l2.bank_kb=512 -o "$work/twice.cfg"
says -F 0 'fwt on twice, estimate' estimate "$work/twice.cfg" fwt --bank none
grep '^  time' "$work/out" > "$work/file"
says -F 0 'calibrations/rx540.cal' estimate rx540 fwt --set l2.bank_kb=512 --bank none
grep '^  time' "$work/out" | cmp -s - "$work/file" || fail 'the file of machine show is estimated otherwise than --set'
expect 0 'list|show|params|mechanisms|check|diff|probe|fit|new|import' --help
exit $((failed > 0))
