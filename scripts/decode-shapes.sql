-- The page docs/results/decode-shapes.md from docs/results/studies/decode-shapes.csv; scripts/decode-shapes.sh runs it.
.mode list
.separator ""
.headers off
CREATE TEMP VIEW shape AS
    SELECT rowid AS number, *, mi300x_estimate_us / h100_estimate_us AS estimate, mi300x_simulate_us / h100_simulate_us AS simulation
    FROM decode_shapes;
CREATE TEMP VIEW verdict AS
    SELECT *, CASE WHEN ABS(LN(simulation)) <= LN(1.1) THEN 'even' WHEN (estimate < 1) = (simulation < 1) THEN 'yes' ELSE 'no' END AS agree
    FROM shape;
SELECT '# An H100 and an MI300X on ten decode shapes

Made by `scripts/decode-shapes.sh`: ten operators of Llama-3.1-8B and -70B at 1 to 16 tokens, by `plumb estimate` and by `plumb simulate` with the
presets `h100-sxm` and `mi300x`, without calibration. The shapes were chosen before their figures were seen. Products have nothing but their
sizes, type and layout: tiles and splits are what the program chooses for the card. `tp`: the shard of one of so many cards. Figures by
row stand in `docs/results/studies/decode-shapes.csv`. No time of a card stands here.

Ratio: time on the MI300X over time on the H100; below 1 the MI300X is faster. Agree: whether estimate and simulation name the same
card; even: the cards are within 10 % of each other by simulation.

Of ' || COUNT(*) || ' shapes, ' || SUM(agree <> 'even') || ' differ by more than 10 % by simulation; on ' || SUM(agree = 'yes') || ' of these estimate and simulation agree.

| model | tp | operator | tokens | H100 estimate, us | simulation, us | MI300X estimate, us | simulation, us | ratio by estimate | by simulation | agree |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |' FROM verdict;
SELECT '| ' || printf('%s | %d | %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f', model, tp, operator, tokens, h100_estimate_us, h100_simulate_us,
    mi300x_estimate_us, mi300x_simulate_us, estimate, simulation) || ' | ' || agree || ' |'
FROM verdict ORDER BY number;
SELECT '
Estimates beside simulations, mean of the size of the relative error: H100 ' || printf('%.0f', 100 * AVG(ABS(h100_estimate_us / h100_simulate_us - 1))) ||
' %, MI300X ' || printf('%.0f', 100 * AVG(ABS(mi300x_estimate_us / mi300x_simulate_us - 1))) || ' %.' FROM shape;
SELECT '
## What binds

Of an estimate the station that is busiest, of a simulation what most of the warps'' waits come from.

| model | operator | tokens | H100, estimate | simulation | MI300X, estimate | simulation |
| --- | --- | --- | --- | --- | --- | --- |';
SELECT '| ' || printf('%s | %s | %d', model, operator, tokens) || ' | ' || h100_estimate_binds || ' | ' || COALESCE(h100_simulate_binds, '-') || ' | ' ||
    mi300x_estimate_binds || ' | ' || COALESCE(mi300x_simulate_binds, '-') || ' |'
FROM shape ORDER BY number;
SELECT '
Sampled, because a simulation takes too long: ' || COALESCE(GROUP_CONCAT(line, '; '), 'none') || '.' FROM (
    SELECT operator || ' of ' || model || ' (' || CASE WHEN h100_engine = 'sample' THEN 'H100' ELSE 'MI300X' END || ')' AS line
    FROM shape WHERE h100_engine = 'sample' OR mi300x_engine = 'sample');
