#!/bin/bash
# plumb operators: four simulators' formats hold what plumb estimate says, interrupted tables go on, mistakes are told.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache PLUMB_BANK=off PLUMB=$plumb
source "$here/check.bash"
cd "$work" || exit 1

# A small model, so that the test takes seconds.
small="serving/llama-3.1-8b layers=3 hidden=512 heads=4 kv_heads=2 cache_heads=2 qkv=1024 rope=768 q_width=512 kv_width=512 ffn=1024 vocab=2048 row_parts=1 row_part=512"
sizes=(--tokens 16 --batch 1,2 --context 256 -q)
for format in llmservingsim vidur sglang astra-sim; do
    status "$format" 0 "$plumb" operators v100 "$small" "${sizes[@]}" --format $format -o $format
    python3 "$here/operators.py" $format $format 16 3 > $format.us 2> err || fail "$format: $(tail -1 err)"
done
status csv 0 "$plumb" operators v100 "$small" "${sizes[@]}" -o table.csv
cmp -s table.csv sglang/operators.csv || fail 'the table hangs on the format'

# A step is the sum of what plumb estimate says of its parts: three blocks, and the ends once.
us() { "$plumb" estimate v100 "$small $1" --csv -q 2> /dev/null | awk -F, 'NR == 1 { while ($++c != "time_us"); next } { print $c }'; }
step=$(awk -v e="$(us 'dense=0 edges=1 tokens=16 norm_threads=64')" -v h="$(us 'dense=0 head=1 sequences=1')" -v d="$(us 'tokens=16 norm_threads=64')" \
    -v p="$(us 'dense=0 prefill=1 tokens=16')" 'BEGIN { printf "%.9g", e + h + 3 * (d + p) }')
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a > b - t && a < b + t && b > 0) }' || fail "$1: $2 us, plumb estimate says $3"; }
near sglang "$(cat sglang.us)" "$step" 0.01
near llmservingsim "$(cat llmservingsim.us)" "$step" 0.01
near astra-sim "$(cat astra-sim.us)" "$step" 0.6
rest=$(awk -F, '$4 == "edges" && $5 == "final_layernorm" && $6 == 16 || $4 == "head" && $7 == 1 { s += $10 }
    $4 == "dense" && $5 == "mlp_residual" && $6 == 16 { s += 3 * $10 } END { print s }' table.csv)
near vidur "$(cat vidur.us)" "$(awk -v a="$step" -v b="$rest" 'BEGIN { print a - b }')" 0.01
awk -F, 'NR > 1 && !($11 > 0 && $11 <= $10 && $10 <= $12) { exit 1 }' table.csv || fail 'a time outside of its range'

# Rows of norms have the threads that vLLM gives them: 16 bytes each.
grep -q "edges=1 tokens=16 norm_threads=64$" table.csv || fail "norms have other threads"

# Without -o the table goes to standard output, and a line has the sum of a block.
"$plumb" operators v100 "$small" --tokens 16 --batch 1,2 --context 256 > printed.csv 2> err || fail "no table: $(cat err)"
cmp -s printed.csv table.csv || fail "the table on standard output is not that of -o"
prompt=$(awk -F, '$4 == "dense" && $6 == 16 || $4 == "prefill" { s += $10 } END { printf "%.1f", s }' table.csv)
grep -q "one block: $prompt us for a prompt of 16 tokens" err || fail "the sum of a block is not $prompt: $(cat err)"

# What a table has is kept: rows that were lost come back as they were, and no row is estimated twice.
cp table.csv whole.csv
grep -v ',decode,' whole.csv > table.csv
status 'go on' 0 "$plumb" operators v100 "$small" "${sizes[@]}" -o table.csv
cmp -s table.csv whole.csv || fail 'a table that went on differs'
sed -i 's/,lm_head,0,1,0,1,[^,]*,/,lm_head,0,1,0,1,777,/' table.csv
status 'further sizes' 0 "$plumb" operators v100 "$small" --tokens 8 --batch 1 --context 256 -q -o table.csv
grep -q ',lm_head,0,1,0,1,777,' table.csv || fail 'a row was estimated again'
[ "$(wc -l < table.csv)" -gt "$(wc -l < whole.csv)" ] || fail 'further sizes lost rows'

# Experts: as many as the tokens reach, with the rows that these share.
status experts 0 "$plumb" operators v100 "$small gated=0 moe=1 experts=4 top_k=2 expert_ffn=256" --tokens 1,16 --batch 1 \
    --context 256 -q --format llmservingsim -o experts
[ "$(cut -d, -f1-3 experts/tp1/moe.csv | tr '\n' ' ')" = 'ep,tokens,activated_experts 1,1,2 1,16,4 ' ] ||
    fail "experts: $(cat experts/tp1/moe.csv)"
grep -q 'tokens=16 active=4 expert_rows=8' experts/operators.csv || fail 'experts have other rows'

says -F 2 'is no model that is served: it has no parameter layers' operators v100 ml/softmax -o x.csv
says -F 2 'expected CARD and MODEL' operators v100
says -F 2 'say -o' operators v100 "$small" --format vidur
says -F 2 'expected whole numbers from 1' operators v100 "$small" --tokens 1,x -o x.csv
says -F 2 'expected whole numbers from 1' operators v100 "$small" --context 9-3 -o x.csv
says -F 2 'more than 4096 sizes' operators v100 "$small" --batch 1-9999 -o x.csv
says -F 2 'rows of card v100, and these would be of a100-80' operators a100-80 "$small" -o whole.csv
says -F 2 'no row of such a table' operators v100 "$small" -o "$here/operators.sh"
says -F 2 'csv' operators v100 "$small" --format vidor -o x
exit $((failed > 0))
