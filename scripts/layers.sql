-- The page docs/results/layers.md from docs/results/studies/layers.csv; scripts/layers.sh runs it.
.mode list
.separator ""
.headers off
CREATE TEMP VIEW operators AS
    SELECT rowid AS number, *, estimate_us / measured_us - 1 AS error,
        CASE WHEN op LIKE '%_proj' OR op = 'lm_head' THEN 'products' ELSE op END AS family,
        CASE WHEN tokens <= 8 THEN '1 to 8' ELSE '16 to 8,192' END AS span
    FROM layers;
-- What all operators of a layer take one after another: its two norms and its two sums are measured once.
CREATE TEMP VIEW sums AS
    SELECT card, model, tp, tokens, span, SUM(times * measured_us) AS measured, SUM(times * estimate_us) AS estimate
    FROM (SELECT *, CASE WHEN op IN ('rmsnorm', 'add', 'layernorm') THEN 2 ELSE 1 END AS times FROM operators WHERE op <> 'lm_head')
    GROUP BY card, model, tp, tokens;
CREATE TEMP VIEW tau AS
    SELECT a.card, SUM(SIGN((a.measured_us - b.measured_us) * (a.estimate_us - b.estimate_us))) * 1.0 / COUNT(*) AS tau
    FROM operators a JOIN operators b ON a.card = b.card AND a.number < b.number
    WHERE a.family = 'products' AND b.family = 'products' AND a.measured_us >= 20 AND b.measured_us >= 20
    GROUP BY a.card;
SELECT '# Layers of language models

Made by `scripts/layers.sh`. The profilers of LLMServingSim and Vidur measured the operators of Llama''s layers
(`configs/curves/layers.csv`); `plumb estimate` has each of them as a program, without calibration. A product is given by its sizes, type and layout alone: the
program chooses tiles and splits for the card. Errors are relative, estimate to measurement. `docs/results/studies/layers.csv` has
the figures of the rows that were run.

The cards of the table: `h100`, `rtx3090` and `rtxpro6000` (LLMServingSim), `a100` and `h100_sxm` (Vidur, whole microseconds). The rules of
the choice were made beside `h100` and `rtx3090`, but faults were also found in rows of `a100` (splits, loads from shared memory, a wave
that keeps the memory busy) and of `rtxpro6000` (a preset [from its data sheet](sheets.md): the mapping of GDDR7), so that
`h100_sxm` alone judges. No number was fitted to a row.

## Operators of at least 20 us

| card | operator | rows | mean error | mean signed error | worst |
| --- | --- | --- | --- | --- | --- |';
SELECT '| ' || card || ' | ' || family || ' | ' || COUNT(*) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(error))) || ' | ' ||
    printf('%+.1f %%', 100 * AVG(error)) || ' | ' || printf('%+.1f %%', 100 * CASE WHEN MAX(error) > -MIN(error) THEN MAX(error) ELSE MIN(error) END) || ' |'
FROM operators WHERE measured_us >= 20 GROUP BY card, family ORDER BY family = 'products' DESC, family, card;
SELECT '
Kendall''s tau over products of at least 20 us:

| card | tau |
| --- | --- |';
SELECT '| ' || card || ' | ' || printf('%.3f', tau) || ' |' FROM tau ORDER BY card;
SELECT '
## Layers

The sum over the operators of a layer that were run, without attention, and with two norms and two sums where they were measured.

| card | tokens | layers | mean error | mean signed error | worst |
| --- | --- | --- | --- | --- | --- |';
SELECT '| ' || card || ' | ' || span || ' | ' || COUNT(*) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(estimate / measured - 1))) || ' | ' ||
    printf('%+.1f %%', 100 * AVG(estimate / measured - 1)) || ' | ' ||
    printf('%+.1f %%', 100 * CASE WHEN MAX(estimate / measured) - 1 > 1 - MIN(estimate / measured) THEN MAX(estimate / measured) - 1 ELSE MIN(estimate / measured) - 1 END) || ' |'
FROM sums GROUP BY card, span ORDER BY span, card;
SELECT '
## Products by tokens

All products, also those below 20 us.

| card | tokens | products | mean error | mean signed error |
| --- | --- | --- | --- | --- |';
SELECT '| ' || card || ' | ' || CAST(tokens AS INTEGER) || ' | ' || COUNT(*) || ' | ' || printf('%.1f %%', 100 * AVG(ABS(error))) || ' | ' ||
    printf('%+.1f %%', 100 * AVG(error)) || ' |'
FROM operators WHERE family = 'products' GROUP BY card, tokens ORDER BY card, tokens;
