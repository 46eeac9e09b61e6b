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

Made by `scripts/operators.sh`: the operators of `configs/curves/operators.csv` and `operators_hopper.csv` (kernel times of
PyTorch on cards), each as the program of `plumb estimate` that its kernel names; a few by `plumb sample`, too. Rows below 0.1 ms are left out, and rows that
were not run. Errors are relative, estimate to measurement; figures by row stand in `docs/results/studies/operators.csv`.
No calibration: no preset and no number of a model was fitted to these times. `p100` is a card [from its data sheet](sheets.md).

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

Bandwidth by the row''s length: bytes read once and written once over the time, in GB/s. Long rows fall out of the caches
between the passes over them.

| card | operator | width | rows | measured | estimate |
| --- | --- | --- | --- | --- | --- |';
SELECT '| ' || device || ' | ' || op || ' | ' || CAST(H AS INTEGER) || ' | ' || COUNT(*) || ' | ' || printf('%.0f', AVG(8 * B * H / measured_ms / 1e6)) || ' | ' ||
    printf('%.0f', AVG(8 * B * H / estimate_ms / 1e6)) || ' |'
FROM streams WHERE kind IN ('softmax', 'ln') GROUP BY device, op, H ORDER BY device, op, H;
SELECT '
## What limits it

- Rows in L1s: the models'' L1 replaces the line that was used least recently and keeps rows of 1,280 to 8,192 elements from one
  pass to the next; the V100 reads a part of them again. With `l1.replacement = random` softmax of 16,384 x 2,048 takes 378 us on
  the V100, 333 without and 446 on the card.
- Products in FP32 (H100, cycles of an SM for each k and tile of four warps, from the rows'' times): 52 for tiles of 64 x 64, where 48 are
  the reads of shared memory; but 100 to 110 for 64 x 128 and 128 x 64 (64 are reads, 64 are multiply-adds), and 167 for 128 x 128 (128 are
  multiply-adds). So a multiply-add takes 1.3 cycles where a sub-core has 32 lanes; V100 and A100, with 16, take their 2. Nothing in the
  models stands for it. Copies of 4 bytes take one cycle of the address pipeline there, and four here where rows share banks.
- Layer norm on the A100 with 40 GB: 32 registers, as nvcc 13.0 compiles it, let 16 CTAs of an SM keep 21 MB of rows of 3,072 elements in flight, more
  than a partition of the L2 holds. With 40 registers (12 CTAs) 8,192 such rows take 184 us, with 32 they take 208; the card takes an eighth of 1,482
  for eight times as many rows, 185. Which compiler built the measured PyTorch is not known.
- Attention on Hopper: FlashAttention-2 (`mma.sync`) and cuDNN (`warpgroup=4`) are programs of their own. The cycle model keeps resident CTAs in step by its round robin, and cuDNN''s warpgroups take turns.
- Embeddings: PyTorch''s own kernel, with instructions counted from its source when the H100''s rows had been seen (the H200''s judge); what a piece of a row takes at its beginning is more
  on the card (bags of 10 look-ups).
- Element-wise operators on the A100 with 80 GB are 8 per cent too fast: its deeper memory queues were chosen by an H100''s triad.
- The times of P100, V100, T4 and A100 have a constant part, as rows of equal width and different numbers show: 15 to 20 us of
  element-wise operators, 20 to 45 us of softmax and layer norm; those of H100 and H200 have 2 to 5 us. Nothing in the models
  stands for the constant part, which makes kernels below 0.5 ms look too fast.
- Rows of a few accesses a thread: CTAs in step wait for memory and compute in turns in the cycle model, and estimates let one hide the
  other. Softmax of 8,640 x 1,600 on the A100 with 80 GB takes 51 us estimated and 79 simulated.';
