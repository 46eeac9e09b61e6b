-- The page docs/results/serving.md; scripts/serving.sh runs it behind serving.sql.
.mode list
.separator ""
.headers off
CREATE TEMP VIEW rows AS
    SELECT card, model, op, tokens, measured_us + 0 AS measured, estimate_us + 0 AS estimate, estimate_us / measured_us - 1 AS error,
        measured_us + 0 BETWEEN low_us + 0 AND high_us + 0 AS held
    FROM study;
-- What the operators of a block take one after another: its two norms and its two sums are measured once.
CREATE TEMP VIEW blocks AS
    SELECT card, model, tokens, SUM(times * measured) AS measured, SUM(times * estimate) AS estimate
    FROM (SELECT *, CASE WHEN op IN ('rmsnorm', 'add', 'layernorm') THEN 2 ELSE 1 END AS times FROM rows WHERE op <> 'embedding')
    GROUP BY card, model, tokens;
SELECT '# Tables for serving beside measured layers

Made by `scripts/serving.sh`. It compares rows of `plumb operators` ([../guide/serving.md](../guide/serving.md)) with times that the
profilers of LLMServingSim and Vidur measured (`configs/curves/layers.csv`). Estimates use the calibration that comes with each card
and state ranges of 95 %. The times of products that were measured separately are added, and `layernorm` is a norm with its addition.
`docs/results/studies/serving.csv` has the figures by row. `rtxpro6000` is a card [from its data sheet](sheets.md), without calibration.
One value was chosen after these rows had been seen, the number of threads of norms, which is that of vLLM''s source.
The mapping of GDDR7, which `rtxpro6000` has, was found wrong in rows of that card.

## How many ranges hold what was measured

| card | model | rows | held | mean error of products | of all rows |
| --- | --- | --- | --- | --- | --- |';
SELECT '| ' || card || ' | ' || model || ' | ' || COUNT(*) || ' | ' || printf('%.0f %%', 100.0 * AVG(held)) || ' | ' ||
    printf('%.1f %%', 100 * AVG(CASE WHEN op LIKE '%_proj' THEN ABS(error) END)) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(error))) || ' |'
FROM rows GROUP BY card, model;
SELECT '| all | | ' || COUNT(*) || ' | ' || printf('%.0f %%', 100.0 * AVG(held)) || ' | ' ||
    printf('%.1f %%', 100 * AVG(CASE WHEN op LIKE '%_proj' THEN ABS(error) END)) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(error))) || ' |'
FROM rows;
SELECT '
Rows that are outside of their ranges:

| card | model | operator | tokens | measured, us | estimate, us |
| --- | --- | --- | --- | --- | --- |';
SELECT '| ' || card || ' | ' || model || ' | ' || op || ' | ' || tokens || ' | ' || printf('%.4g', measured) || ' | ' || printf('%.4g', estimate) || ' |'
FROM rows WHERE NOT held;
SELECT '
Most of these operators take a few microseconds, and Vidur''s times (`a100`, `h100_sxm`) are whole microseconds.

## Blocks

All operators of a block except attention, one after another.

| card | model | blocks | mean error | mean signed error | worst |
| --- | --- | --- | --- | --- | --- |';
SELECT '| ' || card || ' | ' || model || ' | ' || COUNT(*) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(estimate / measured - 1))) || ' | ' ||
    printf('%+.1f %%', 100 * AVG(estimate / measured - 1)) || ' | ' ||
    printf('%+.1f %%', 100 * CASE WHEN MAX(estimate / measured) - 1 > 1 - MIN(estimate / measured) THEN MAX(estimate / measured) - 1 ELSE MIN(estimate / measured) - 1 END) || ' |'
FROM blocks GROUP BY card, model;
