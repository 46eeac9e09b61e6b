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
- T4: 75 per cent of its memory''s peak is the most that any row has; the cycle model has no such limit. Its products run below
  the clock of the preset, which 70 W do not hold.
- Attention on Hopper: FlashAttention-2 (`mma.sync`) and cuDNN (`warpgroup=4`) are programs of their own. The cycle model keeps resident CTAs in step by its round robin, and cuDNN''s warpgroups take turns.
- Embeddings: PyTorch''s own kernel, with instructions counted from its source when the H100''s rows had been seen (the H200''s judge); what a piece of a row takes at its beginning is more
  on the card (bags of 10 look-ups).
- Element-wise operators on the A100 with 80 GB are 8 per cent too fast: its deeper memory queues were chosen by an H100''s triad.
- The times of P100, V100, T4 and A100 have a constant part, as rows of equal width and different numbers show: 15 to 20 us of
  element-wise operators, 20 to 45 us of softmax and layer norm; those of H100 and H200 have 2 to 5 us. Nothing in the models
  stands for the constant part, which makes kernels below 0.5 ms look too fast.
- Rows of a few accesses a thread: CTAs in step wait for memory and compute in turns in the cycle model, and estimates let one hide the
  other. Softmax of 8,640 x 1,600 on the A100 with 80 GB takes 51 us estimated and 79 simulated.';
