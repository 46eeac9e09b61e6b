#!/bin/bash
# Does each of the commonest mistakes give one line on standard error that names the mend, nothing on standard output,
# and exit status 2?
set -u
: "${PLUMB:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

mends() { # MEND ARGUMENT...: plumb refuses the arguments in one line that holds MEND
    local mend=$1
    shift
    says -F 2 "$mend" "$@"
    [ "$(wc -l < "$work/err")" = 1 ] || fail "plumb $*: $(wc -l < "$work/err") lines"
    [ ! -s "$work/out" ] || fail "plumb $*: something on standard output"
    [ "$(wc -c < "$work/err")" -lt 400 ] || fail "plumb $*: $(wc -c < "$work/err") bytes are no line to read"
}

# --- swapped arguments ---
mends 'the machine comes first: plumb estimate rx540 fwt' estimate fwt rx540
mends 'the machine comes first: plumb compare rx540 fwt' compare fwt rx540 --vs l2.bank_kb=512
mends 'the machine comes first' simulate workloads/quick/lud.plt configs/gpus/rx540.cfg

# --- misspelt names ---
mends 'did you mean rx540?' estimate rx450 fwt
mends 'did you mean rx540?' machine show rx450
mends 'did you mean rx540 or rx540-tc19?' estimate ./rx54.cfg fwt
mends 'the closest is fwt' estimate rx540 ftw
mends 'did you mean estimate?' estimat rx540 fwt
mends 'did you mean status?' sweep statsu x.cfg
mends 'did you mean suite:quick?' estimate rx540 suite:quik
mends 'did you mean suite:quick?' trace suite quik
mends 'the closest known one is l2.bank_kb' estimate rx540 fwt --set l2.kb=256
mends 'the closest known one is l1.mshr.entries' estimate rx540 fwt --set l1.mshr.entires=8
mends 'the closest is "lru"' estimate rx540 fwt --set l2.replacement=lur
mends 'allowed: "lru", "fifo"' estimate rx540 fwt --set l2.replacement=mru
cat > "$work/metric.cfg" <<< 'machine = "rx540"; workloads = ["quick/lud"]; output = "x.db";
    axes = ( { path = "l2.bank_kb"; values = [256, 512]; } ); objectives = ( { metric = "cyclse"; goal = "min"; } );'
mends 'did you mean cycles?' sweep check "$work/metric.cfg"
sed -i 's/cyclse/hit_rate/' "$work/metric.cfg"
mends 'did you mean l1.hit_rate?' sweep check "$work/metric.cfg"

# --- options ---
mends 'did you mean --kernel?' estimate rx540 fwt --kernal fwt
mends 'did you mean --set?' estimate rx540 fwt -set l2.bank_kb=512
mends "'plumb sweep run', 'plumb sweep work' do" estimate rx540 fwt --retry
mends "'plumb sample', 'plumb compare', 'plumb calibrate' do" estimate rx540 fwt --budget 1000
mends '--quiet takes no value' estimate rx540 fwt --quiet=yes
mends '-v takes no value' estimate rx540 fwt -v=3
mends '--kernel needs a value: NAME|N[-M]' estimate rx540 fwt --kernel
mends '-o, --output needs a value: FILE' estimate rx540 fwt -o
mends 'may be any of --set, --seed' estimate rx540 fwt --se 3
mends 'did you mean simulate? allowed are estimate, sample, simulate' compare rx540 fwt --engine simulat
mends 'allowed are whole numbers from 1 to 4096' estimate rx540 fwt --threads many

# --- units ---
mends 'written without a unit, in DRAM clocks' estimate rx540 fwt --set dram.timing.tCL=10ns
mends 'written without a unit, in MHz' estimate rx540 fwt --set clock.core_mhz=1.2GHz
printf 'base = "rx540";\ndram : { timing : { tCL = 10ns; }; };\n' > "$work/unit.cfg"
mends 'unit.cfg:2: 10ns is not a number; numbers are written without a unit' machine check "$work/unit.cfg"

# --- missing files and files of another kind ---
mends "no such file; MACHINE is expected here" estimate "$work/nosuch.cfg" fwt
mends "'plumb program list' lists those that come with plumb" estimate rx540 "$work/nosuch.plt"
mends 'sweeps/rx540-demo.cfg?' sweep run rx540-dmo.cfg
mends "'plumb sweep run' makes it" report "$work/nosuch.db" -o "$work/x.html"
mends 'is a program; MACHINE is needed here' estimate workloads/quick/lud.plt fwt
mends 'this is a machine; PROGRAM is needed here' estimate rx540 configs/gpus/rx570.cfg
mends "this is a sweep; PROGRAM is needed here; 'plumb sweep run' takes it" estimate rx540 configs/sweeps/rx540-demo.cfg
mends 'is a machine; SWEEP is needed here' sweep run configs/gpus/rx540.cfg
mends "this is a DRAM timing set; PROGRAM is needed here; 'plumb dram' takes it" estimate rx540 configs/dram/gddr5.cfg
mends 'suite:NAME stands for its programs' estimate rx540 configs/workloads/suites/quick.cfg
# ... though the others of several are answered, and JSON has the fault where the answer would be.
says -F 2 '"error": "configs/gpus/rx570.cfg: this is a machine; PROGRAM is needed here' estimate rx540 quick/lud configs/gpus/rx570.cfg --json
[ "$(jq '.[0].cycles > 0' "$work/out")" = true ] || fail 'the program beside a machine is not answered'
says -F 2 'rx540.cfg: fine' machine check configs/sweeps/rx540-demo.cfg configs/gpus/rx540.cfg

# --- CTAs that do not fit name the limit ---
mends 'sm.cta_binding = one_subcore keeps them' estimate rx540 quick/lud --set sm.max_warps=8
mends 'sm.max_warps = 4' simulate rx540 matmul --set sm.max_warps=4 --set sm.cta_binding=warps_round_robin
mends 'sm.shared_kb of 1 KB' sample rx540 quick/lud --set sm.shared_kb=1

# --- a newcomer's forty: each leads to the right command or word in one line ---
cp configs/sweeps/rx540-demo.cfg "$work/demo.cfg"
touch "$work/results.db"
sed 's/^machine .*/machines = ( "rx540", "rx570" );/' configs/sweeps/rx540-demo.cfg > "$work/machines.cfg"
while IFS='|' read -r mend typed; do
    [ -n "$typed" ] || continue
    mend=${mend%% } typed=${typed//WORK/$work} # blanks at the ends are no part of either
    mend=${mend//WORK/$work}
    eval "mends \"\${mend% }\" $typed"
done << 'END'
did you mean h100-pcie or h100-sxm? | estimate h100 fwt
did you mean h100-pcie or h100-sxm? | machine show H100
did you mean a100-40 or a100-80? | energy show a100
did you mean rtx4090? | compare rx540 fwt --with rtx40
did you mean h100-pcie or h100-sxm? | estimate ./h100.cfg fwt
the closest is ml/gemm; | program show gemm
the closest is ml/attention, ml/attention-combine | estimate rx540 ml/att
the closest is quick/lud; | simulate rx540 LUD
did you mean suite:quick? | estimate rx540 suite:qui
did you mean suite:quick? | estimate rx540 quick
the closest is hbm2-1754 or hbm2-1ch, | dram hbm2-1 --pattern seq
the closest is gddr5, | dram gdr5 --pattern seq
plumb compare rx540 fwt --with rx570; | compare rx540 rx570 fwt
plumb compare rx540 fwt --with rx570; | compare rx540 fwt rx570
plumb compare rx540 fwt --with rx570; | compare fwt rx540 rx570
plumb compare rx540 PROGRAM --with rx570; | compare rx540 rx570
plumb compare rx540 fwt --vs l2.bank_kb=512; | compare rx540 fwt
plumb compare rx540 'ml/gemm M=64' --with rx570; | compare rx540 'ml/gemm M=64' rx570
another machine goes after --with | compare rx540 fwt --vs rx570
--vs l2.bank_kb=512; | compare rx540 fwt --with l2.bank_kb=512
plumb simulate rx540 fwt; | simulate fwt rx540
such as plumb estimate rx540 fwt; | estimate rx540
such as engine = "simulate"; | sweep run WORK/demo.cfg --engine simulate
such as seed = 2; | sweep run WORK/demo.cfg --seed 3
plumb report WORK/results.db -o WORK/results.html; | report WORK/results.db
plumb report ./-r.db -o ./-r.html; | report -- -r.db
plumb machine show 'a b'; | machine list 'a b'
plumb report 'a '\''b.db' -o 'a '\''b.html'; | report "a 'b.db"
--set 'l2.bank_kb=1 2'; | estimate rx540 ml/gemm --p 'l2.bank_kb=1 2'
such as -o rx540.cal; | calibrate rx540 fwt
a program's go after --p: --p M=4096 | estimate h100-sxm ml/gemm --set M=4096
go after --set: --set l2.bank_kb=512; | estimate rx540 ml/gemm --p l2.bank_kb=512
goes after --p: --p M=VALUE; | estimate rx540 ml/gemm --M 4096
goes after --set: --set l2.bank_kb=VALUE; | estimate rx540 fwt --l2.bank_kb 512
did you mean --p? | estimate rx540 ml/gemm -p M=64
such as 4096 or 4k (k, M, G: powers of 1,024) | estimate rx540 ml/gemm --p M=4x
did you mean M | estimate rx540 ml/gemm --p m=64
the closest known one is l2.bank_kb (capacity of a slice) | estimate rx540 fwt --set l2.size=512
the closest known one is l2.bank_kb (capacity of a slice) | machine params l2.capacity
the closest known one is l1.ways (lines per set) | estimate rx540 fwt --set L1.associativity=4
'plumb machine params l2' lists those of l2 | estimate rx540 fwt --set l2=512
the closest is l2.hit_rate; | metrics l2.hitrate
did you mean machine? | machines
there are estimate, sample, simulate, | run rx540 fwt
did you mean --version? | version
--json or --csv; | estimate rx540 fwt --format json
the machine is the first word, | estimate --machine rx540 fwt
plumb machine show rx540; | machine list rx540
plumb program show ml/gemm; | program list ml/gemm
such as l2.bank_kb=512; | estimate rx540 fwt --set l2.bank_kb 512
such as 0.05; | sample rx540 fwt --error 5
every answer has energy_mj.total; | estimate rx540 fwt --energy
plumb estimate, plumb sample, plumb simulate; | estimate rx540 fwt --engine simulate
docs/glossary.md has plumb's words; | help mshr
such as ( "v100", "t4" ), too? | sweep check WORK/machines.cfg
END
# What people write otherwise and means the same is taken.
says -F 0 'h100-sxm, estimate' estimate H100-SXM quick/LUD -q
says -F 0 'row hit' dram GDDR5 --pattern seq --requests 10
says -F 0 'l2.hit_rate' metrics l2
[ "$(wc -l < "$work/out")" -lt "$("$PLUMB" metrics | wc -l)" ] || fail 'a FILTER leaves all metrics'
for m in 4k 4K 4096; do
    "$PLUMB" trace info ml/gemm --p M=$m --p N=64 --p K=64 --brief --json | jq -r .digest
done | sort -u > "$work/digests"
[ "$(wc -l < "$work/digests")" = 1 ] || fail '4k is not 4096'
says -F 0 'l2.mshr.entries' machine params MSHR
says -F 0 'Usage: plumb COMMAND' help --help
# --- a part of formulas, which is no metric; a file that hides a program ---
mends 'is no metric, but a part of dram.bandwidth_gbps' metrics dram.bytes
mends 'is no metric, but a part of dram.channel_imbalance' metrics dram.hottest
PLUMB=$(realpath "$PLUMB")
cd "$work" && echo x > stencil
mends "the file ./stencil hides the bundled program 'stencil'" estimate rx540 stencil

exit $((failed > 0))
