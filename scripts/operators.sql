-- The page docs/results/operators.md from docs/results/studies/operators.csv; scripts/operators.sh runs it.
.mode list
.separator ""
.headers off
CREATE TEMP VIEW streams AS
    SELECT operators.rowid AS number, *, estimate_ms / measured_ms - 1 AS error, sample_ms / measured_ms - 1 AS sampled,
        CASE WHEN op IN ('add', 'mul', 'div', 'pow') THEN 'two inputs'
             WHEN op IN ('addu', 'mulu', 'divu', 'powu', 'relu', 'gelu', 'tanh') THEN 'one input'
             ELSE op END AS kind,
        CASE WHEN op LIKE 'bmm%' OR op LIKE 'linear%' THEN 'matrix products'
             WHEN op LIKE 'attention%' OR op LIKE 'embedding%' THEN 'attention, embeddings'
             ELSE 'streaming' END AS family
    FROM operators WHERE measured_ms >= 0.1;
CREATE TEMP VIEW pairs AS
    SELECT a.device, a.family,
        SUM(SIGN((a.measured_ms - b.measured_ms) * (a.estimate_ms - b.estimate_ms))) * 1.0 / COUNT(*) AS tau
    FROM streams a JOIN streams b ON a.device = b.device AND a.number < b.number AND a.family = b.family
    GROUP BY a.device, a.family;
SELECT '# Operators beside PyTorch

Made by `scripts/operators.sh`. `configs/curves/operators.csv` and `operators_hopper.csv` have kernel times of PyTorch''s operators on
cards. Each row is estimated as the program that its kernel corresponds to, and a few are sampled, too. Rows below 0.1 ms and rows that
were not run are left out. Errors are relative, estimate to measurement. `docs/results/studies/operators.csv` has the figures by row.
Nothing is calibrated. Of the presets'' values, `sm.fp32_interval` of Hopper alone was fitted to such times, two of the H100; the H200 judges
it. `p100` is a card [from its data sheet](sheets.md).

## Mean error and order

Two inputs: add, mul, div, pow of two tensors; one input: relu, gelu, tanh, and add, mul, div, pow with a number. Tau:
Kendall''s, over all rows of the card.

| card | operators | rows | mean error | mean signed error | worst |
| --- | --- | --- | --- | --- | --- |';
SELECT '| ' || device || ' | ' || kind || ' | ' || COUNT(*) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(error))) || ' | ' ||
    printf('%+.1f %%', 100 * AVG(error)) || ' | ' || printf('%+.1f %%', 100 * CASE WHEN MAX(error) > -MIN(error) THEN MAX(error) ELSE MIN(error) END) || ' |'
FROM streams GROUP BY device, kind ORDER BY device, kind;
SELECT '
| card | programs | rows | mean error | tau |
| --- | --- | --- | --- | --- |';
SELECT '| ' || s.device || ' | ' || s.family || ' | ' || COUNT(*) || ' | ' ||
    printf('%.1f %%', 100 * AVG(ABS(error))) || ' | ' || printf('%.2f', p.tau) || ' |'
FROM streams s JOIN pairs p ON p.device = s.device AND p.family = s.family
GROUP BY s.device, s.family ORDER BY s.family DESC, s.device;
SELECT '
## Sampled

| card | rows | mean error of the sample | of the estimate |
| --- | --- | --- | --- |' WHERE EXISTS (SELECT 1 FROM streams WHERE sample_ms IS NOT NULL);
SELECT '| ' || device || ' | ' || COUNT(*) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(sampled))) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(error))) || ' |'
FROM streams WHERE sample_ms IS NOT NULL GROUP BY device;
SELECT '
## Rows and caches

The bandwidth, in GB/s, by the length of a row: each byte counts once as read and once as written. Long rows fall out of the caches
between the passes over them.

| card | operator | width | rows | measured | estimate |
| --- | --- | --- | --- | --- | --- |';
SELECT '| ' || device || ' | ' || op || ' | ' || CAST(H AS INTEGER) || ' | ' || COUNT(*) || ' | ' || printf('%.0f', AVG(8 * B * H / measured_ms / 1e6)) || ' | ' ||
    printf('%.0f', AVG(8 * B * H / estimate_ms / 1e6)) || ' |'
FROM streams WHERE kind IN ('softmax', 'ln') GROUP BY device, op, H ORDER BY device, op, H;
SELECT '
## What limits it

- Rows in L1s: the L1 of the models replaces the line that was used least recently, and so keeps rows of 1,280 to 8,192 elements from one
  pass to the next. The V100 reads a part of them again. Softmax of 16,384 x 2,048 takes 446 us on the card; the preset takes 333 us, and
  378 us with `l1.replacement = random`.
- T4: no row reaches more than 75 per cent of the memory''s peak; the cycle model has no such limit.
- Products in FP32 on the H100 take 52 cycles of an SM for each k and tile of 64 x 64, of which the reads of shared memory need 48. They
  take 100 to 110 cycles for 64 x 128 and 128 x 64 (64 for reads, 64 for multiply-adds), where both engines take 75 to 88, and 165 to 170
  for 128 x 128, in which a warp issues 137 instructions. Presets of Hopper have a multiply-add of 1.1 cycles (`sm.fp32_interval`), fitted to
  two rows of the H100. V100 and A100, with 16 lanes, take their 2 cycles. Copies of 4 bytes from four rows take four cycles of the L1 in the
  models where the rows share its banks of words, so that a CTA of 128 x 128 alone on its SM is simulated 5 per cent too slow.
- Products in BF16 on Hopper: cuBLAS''s kernels name clusters of two CTAs, which halve the reads of the larger operand. Without clusters the
  L2 bound a product of 8,192 x 8,192 x 1,024 (43 per cent too slow on the H100, with clusters 6).
- Layer norm on the A100 with 40 GB: with 32 registers, as nvcc 13.0 compiles the kernel, 16 CTAs of an SM keep 21 MB of rows of 3,072
  elements in flight, more than a partition of the L2 holds. 8,192 such rows take 208 us with 32 registers and 184 us with 40; the card
  takes an eighth of 1,482 us for eight times as many rows, 185 us. The compiler of the measured PyTorch is not known.
- Attention on Hopper: FlashAttention-2 (`mma.sync`) and cuDNN (`warpgroup=4`) are separate programs. The round robin of the cycle
  model keeps resident CTAs in step, where the warpgroups of cuDNN take turns.
- Embeddings: the program is PyTorch''s own kernel. Its instructions were counted from the source after the H100''s rows had been seen,
  so that the H200''s rows judge it. The beginning of each piece of a row takes longer on the card (bags of 10 look-ups).
- The times of P100, V100, T4 and A100 have a constant part, as numbers of rows of equal width show: 15 to 20 us for
  element-wise operators, and 20 to 45 us for softmax and layer norm. On H100 and H200 it is 2 to 5 us. The models have no such
  part, so that kernels below 0.5 ms are estimated too fast.
- Rows of a few accesses a thread: in the cycle model CTAs in step wait for memory and compute in turns. Estimates let the waiting hide
  behind the computing. Softmax of 8,640 x 1,600 on the A100 with 80 GB takes 51 us estimated and 79 us simulated.';
