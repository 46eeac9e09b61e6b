#!/bin/bash
# What a program's trace does not tell is said once by every command that answers with the program, and stays with it;
# what is not known of memory is refused unless --allow-unknown; files may have byte order marks and carriage returns.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

kernel() { # STREAM LINE: a kernel of a CTA of a warp
    printf -- '-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-binary version = 90\n'
    printf -- '-cuda stream id = %s\n-accelsim tracer version = 5\n#traces\n#BEGIN_TB\n' "$1"
    printf 'thread block = 0,0,0\nwarp = 0\ninsts = 2\n0010 ffffffff %s\n0020 ffffffff 0 EXIT 0 0 0\n#END_TB\n' "$2"
}
mkdir "$work/t" "$work/x"
kernel 0 '0 UTMALDG.2D 0 0 0' > "$work/t/kernel-1.traceg"
kernel 5 '1 R4 LDG.E 1 R2 4 1 0x7f1000000000 4 0' > "$work/t/kernel-2.traceg"
printf '\xef\xbb\xbfkernel-1.traceg\r\nkernel-2.traceg\r\nncclInit\r\n' > "$work/t/kernelslist.g"
kernel 0 '1 R4 LDZ.E 1 R2 4 1 0x7f1000000000 4 0' > "$work/x/kernel-1.traceg"
echo kernel-1.traceg > "$work/x/kernelslist.g"
printf '\xef\xbb\xbfmachine = "h100-sxm";\r\nworkloads = ("%s");\r\naxes = ({path = "l2.mshr.entries"; values = [96];});\r\n' \
    "$work/t" > "$work/s.cfg"
printf 'engine = "estimate";\r\noutput = "%s/s.db";\r\n' "$work" >> "$work/s.cfg"
kernel 0 '1 R4 LDG.E 1 R2 4 1 0x7f1000000000 4 0' | iconv -t UTF-16 > "$work/wide.cfg"

# Several programs with the same warning have one line of it.
says -F 0 'quick/lud and 2 more programs: warning: the energy tables have' estimate -v h100-sxm quick/lud quick/bfs quick/kmeans
[ "$(grep -c "the energy tables have" "$work/err")" = 1 ] || { fail 'a warning is told for each program'; cat "$work/err"; }
! "${PLUMB:-build/plumb}" estimate h100-sxm quick/lud 2>&1 | grep -q 'the energy tables have' || fail 'a stand-in is told without -v'
# Every station says what it is.
"$PLUMB" estimate h100-sxm quick/lud -q -v | awk '/^ *station +busy/{ on = 1; next } /queue: how/{ on = 0 } on && NF < 7' > "$work/bare"
[ ! -s "$work/bare" ] || fail "stations without a description: $(cat "$work/bare")"

# once STATUS ARGUMENT...: each of the three notes is in one line of stderr
once() {
    local text
    says -F "$1" '' "${@:2}"
    for text in '1 warp instruction (UTMALDG)' '2 launches of several streams' "'ncclInit'"; do
        [ "$(grep -cF "$text" "$work/err")" = 1 ] || { fail "plumb ${*:2} says not once: $text"; cat "$work/err"; }
    done
}
for command in 'estimate h100-sxm' 'sample h100-sxm' 'simulate h100-sxm' 'compare h100-sxm --vs l2.mshr.entries=96' \
    'trace info' 'trace check' 'trace profile'; do
    once 0 $command "$work/t"
done
once 0 sweep run "$work/s.cfg"
once 0 calibrate h100-sxm "$work/t" -o "$work/c.cal" --points 3
once 0 trace import "$work/t" -o "$work/t.plt"
once 0 simulate h100-sxm "$work/t.plt" --json
python3 - "$work/out" <<'END' || fail "the notes are not in the JSON's warnings"
import json, sys
w = json.load(open(sys.argv[1]))["warnings"]
sys.exit(not all(any(x in line for line in w) for x in ("UTMALDG", "several streams", "ncclInit")))
END
says -F 0 '"warnings": [' trace info "$work/t.plt" --json
says -F 0 '' simulate h100-sxm "$work/t" -q
[ -s "$work/err" ] && fail "-q does not silence notes"

for command in 'estimate h100-sxm' 'simulate h100-sxm' 'compare h100-sxm --vs l2.mshr.entries=96' 'trace info' 'trace check' \
    'trace profile'; do
    says -F 2 'kernel-1.traceg:13: unknown opcode LDZ.E of memory or matrices; --allow-unknown' $command "$work/x"
    says -F 0 '1 warp instruction (LDZ.E): unknown opcodes of memory or matrices' $command "$work/x" --allow-unknown
done
says -F 2 'unknown opcode LDZ.E' trace import "$work/x" -o "$work/x.plt"
says -F 0 '1 warp instruction (LDZ.E)' trace import "$work/x" -o "$work/x.plt" --allow-unknown
says -F 0 '1 warp instruction (LDZ.E)' estimate h100-sxm "$work/x.plt"
says -F 2 'wide.cfg: is UTF-16 or UTF-32; save it as UTF-8' machine check "$work/wide.cfg"

# A machine file that doubts an engine makes that engine's answers say so, in the table, in JSON and before a sweep; a file
# on top of it says the same, unless it takes that back; other engines say nothing.
doubt='evidence : { doubtful : { engine = "estimate"; what = "cycles twice too many"; source = "a test"; }; };'
printf 'base = "rx540"; %s\n' "$doubt" > "$work/doubted.cfg"
printf 'base = "doubted.cfg"; l2 : { bank_kb = 512; };\n' > "$work/heir.cfg"
printf 'base = "doubted.cfg"; evidence : { doubtful : { }; };\n' > "$work/cleared.cfg"
printf 'base = "rx540"; evidence : { doubtful : { engine = "guess"; }; };\n' > "$work/wrong.cfg"
says -F 0 '  do not rely on estimates of doubted: cycles twice too many (a test)' estimate "$work/doubted.cfg" quick/lud -q
says -F 0 'warning: do not rely on estimates of heir: cycles twice' estimate "$work/heir.cfg" quick/lud --json
jq -e '.warnings | any(test("do not rely on estimates"))' "$work/out" > /dev/null || fail 'JSON does not doubt'
"$PLUMB" machine show "$work/heir.cfg" > "$work/shown.cfg"
says -F 0 'do not rely on estimates' estimate "$work/shown.cfg" quick/lud -q
says -F 0 '"source": "docs/results/operators-studies.md"' machine show mi300x --json
for command in "simulate $work/doubted.cfg" "estimate $work/cleared.cfg" 'estimate rx540'; do
    says -F 0 '' $command quick/lud
    cat "$work/out" "$work/err" | grep -q 'rely' && fail "plumb $command doubts"
done
says -F 2 'evidence: doubtful: this does not fit; allowed: { engine = "estimate", "sample" or "simulate";' machine check "$work/wrong.cfg"
printf 'machine = "%s"; workloads = ("quick/lud"); output = "%s/d.db"; axes = ({ path = "l2.bank_kb"; values = [256]; });\n' \
    "$work/doubted.cfg" "$work" > "$work/d.cfg"
says -F 0 'warning: doubted: engine estimate is not to be relied on: cycles twice' sweep check "$work/d.cfg"
says -F 0 'do not rely on estimates of mi300x' estimate mi300x quick/lud -q
[ $failed -eq 0 ] && echo "all as expected"
exit $((failed > 0))
