#!/bin/bash
# Parameters behind a program's name (--p NAME=VALUE), wherever a PROGRAM is taken; layers find in the L2 what their
# earlier operators left there.
set -u
: "${PLUMB:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

cat > "$work/copy.cfg" <<END
generator = "stream"; kernel = "copy"; ctas = 8; warps_per_cta = 4; iterations = 4; footprint = "64KB";
END
cat > "$work/triad.cfg" <<END
generator = "stream"; kernel = "triad"; ctas = 16; warps_per_cta = 4; iterations = 4; footprint = 131072;
END
copy=$work/copy.cfg
set_all=(--p kernel=triad --p ctas=16 --p footprint=128KB)

# --- a parameter is as if its file had it: every command, same digest, another name ---
digest() { "$PLUMB" trace info "$@" --brief --json | jq -r .digest; }
[ "$(digest "$copy" "${set_all[@]}")" = "$(digest "$work/triad.cfg")" ] || fail 'not the digest of the file that says so'
[ "$(digest "$copy" --p ctas=9)" != "$(digest "$copy")" ] || fail 'the digest does not hold a parameter'
[ "$(digest "$copy ctas=9")" = "$(digest "$copy" --p ctas=9)" ] || fail 'a text with parameters is another program'
for engine in estimate sample simulate; do
    says -F 0 '' $engine rx540 "$copy" "${set_all[@]}" --json -q
    jq -c '[.cycles, .warp_instructions]' "$work/out" > "$work/set"
    [ "$(jq -r .program "$work/out")" = 'copy kernel=triad ctas=16 footprint=128KB' ] || fail "$engine: another name"
    says -F 0 '' $engine rx540 "$work/triad.cfg" --json -q
    cmp -s "$work/set" <(jq -c '[.cycles, .warp_instructions]' "$work/out") || fail "$engine: the parameters do not count"
done
says -F 0 'copy ctas=4' compare rx540 "$copy" --vs l1.kb=32 --p ctas=4 -q
says -F 0 'rx540, copy ctas=4' compare rx540 "$copy ctas=4" "$copy ctas=8" --vs l1.kb=32 -q
grep -q 'rx540, copy ctas=8' "$work/out" || fail 'two shapes are not told apart'
says -E 0 'whole: 1 launch$' trace check "$copy" --p ctas=2
says -F 0 'warp instructions' trace generate "$copy" --p ctas=2 -o "$work/copy.plt" --width 64
says -E 0 '^ctas +2 ' program show "$copy" --p ctas=2
says -F 0 '"value": "copy"' program show "$copy" --json
says -F 0 'no parameters' program show "$work/copy.plt"
# the launch is still called as the file
says -F 0 'copy ctas=3' estimate rx540 "$copy" --p ctas=3 --kernel copy -q

# --- sweeps tell the programs apart ---
cat > "$work/sweep.cfg" <<END
machine = "rx540"; workloads = ( "copy.cfg ctas=4", "copy.cfg ctas=6", "copy.cfg" );
axes = ( { path = "l1.kb"; values = [ 16, 32 ]; } ); engine = "estimate"; output = "$work/sweep.db";
END
says -F 0 '' sweep run "$work/sweep.cfg" -q
says -F 0 '' sweep export "$work/sweep.cfg" --csv
for program in 'copy ctas=4' 'copy ctas=6' 'copy'; do
    [ "$(grep -c "[,\"]$program[,\"]" "$work/out")" = 2 ] || fail "sweep: the rows of $program are not two"
done
sed -i 's/ctas=6/ctas=4/' "$work/sweep.cfg"
says -F 2 'are the same program on some machine; list it once' sweep check "$work/sweep.cfg"

# --- layers: what an operator leaves in the L2, the next one finds there ---
cat > "$work/layer.cfg" <<END
parameters = { n = 131072; };
layer = (
    { op = "vectorized"; name = "first"; n = "n"; function = "copy"; x = "x"; y = "h"; },
    { op = "vectorized"; name = "second"; n = "n"; function = "copy"; x = "h"; y = "y"; }
);
END
cat > "$work/alone.cfg" <<END
layer = ( { op = "vectorized"; name = "second"; n = 131072; function = "copy"; x = "h"; y = "y"; } );
END
read_from_memory() { # ENGINE PROGRAM: sectors that its launch "second" reads from memory
    "$PLUMB" "$1" qv100 "$2" --per-kernel --json -q |
        jq -c '[.kernels[] | select(.name == "second") | .l2.reads, .dram.reads]'
}
for engine in estimate sample simulate; do # 131,072 elements of 4 bytes in sectors of 32
    [ "$(read_from_memory $engine "$work/alone.cfg")" = '[16384,16384]' ] || fail "$engine: alone, other reads"
    [ "$(read_from_memory $engine "$work/layer.cfg")" = '[16384,0]' ] || fail "$engine: the layer finds nothing in the L2"
done
says -F 0 '"name": "n"' program show "$work/layer.cfg" --json
says -E 0 '^n +4096' program show "$work/layer.cfg" --p n=4096
says -F 0 'whole: 2 launches' trace check "$work/layer.cfg" --p n=1000
"$PLUMB" program list --json > "$work/list"
for layer in dlrm gcn llama-8b-decode llama-8b-prefill resnet50; do
    jq -e --arg name "ml/$layer" 'any(.[]; .program == $name and .kind == "layer")' "$work/list" > "$work/out" ||
        fail "ml/$layer is not listed as a layer"
done
for layer in $(jq -r '.[] | select(.kind == "layer") | .program' "$work/list"); do
    says -E 0 "^${layer##*/}: [0-9]+ launch(es)?," program show "$layer"
done
says -F 0 '578 launches' program show ml/llama-8b-decode --p blocks=32 --p head=1
refuse_layer='the layer has no parameter bach; did you mean batch'
says -F 2 "$refuse_layer" program show ml/dlrm --p bach=3
says -F 2 "dlrm.cfg:14: M is out of range" program show ml/dlrm --p batch=3000000000

# --- what is wrong is one line ---
refuse() { # TEXT ARGUMENT...
    says -F 2 "$@"
    [ "$(wc -l < "$work/err")" = 1 ] || fail "$*: more than one line"
}
refuse 'generator stream has no parameter ctsa; did you mean ctas' estimate rx540 "$copy" --p ctsa=3
refuse 'allowed are kernel, arithmetic, footprint, ctas' estimate rx540 "$copy" --p zebra=3
refuse 'ctas: not an allowed value; a whole number' estimate rx540 "$copy" --p ctas=many
refuse 'ctas: not an allowed value; a whole number' estimate rx540 "$copy" --p ctas=4.5
refuse 'ctas is out of range; allowed are 1 to' estimate rx540 "$copy" --p ctas=0
refuse 'ctas: not an allowed value' estimate rx540 "$copy" --p ctas=99999999999999999999
refuse 'footprint: not an allowed value; a size' estimate rx540 "$copy" --p footprint=1XB
refuse 'allowed are "copy", "scale", "add", "triad"' estimate rx540 "$copy" --p kernel=sum
refuse 'expected NAME=VALUE such as M=4096' estimate rx540 "$copy" --p ctas
refuse 'expected NAME=VALUE such as M=4096' estimate rx540 "$copy" --p =3
refuse 'expected NAME=VALUE such as M=4096' estimate rx540 "$copy" --p 'ctas=3 4'
refuse 'is a trace; generators and layers take parameters' estimate rx540 fwt --p ctas=3
refuse 'is a suite; parameters belong to one program' estimate rx540 suite:quick --p ctas=3
refuse 'no such program; the closest is stream' estimate rx540 streem --p ctas=3
refuse '--p is given, and no PROGRAM' calibrate "$work/sweep.cfg" --p ctas=3
refuse 'does not take --p' machine show rx540 --p ctas=3

[ $failed -eq 0 ] && echo "all as expected"
exit $((failed > 0))
