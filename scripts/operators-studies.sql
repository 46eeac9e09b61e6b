-- The page docs/results/operators-studies.md from docs/results/studies/ml-operators.csv; scripts/operators-studies.sh runs it.
.mode list
.separator ""
.headers off
CREATE TEMP VIEW cells AS
    SELECT rowid AS number, sweep, machine, changes, program,
        printf('%.2f', ratio) || CASE WHEN low IS NULL THEN '' ELSE printf(' (%.2f to %.2f)', low, high) END ||
        CASE WHEN simulated_ratio IS NULL THEN '' ELSE printf('; **%.2f**', simulated_ratio) END AS cell
    FROM ml_operators WHERE changes IS NOT NULL AND changes <> '';
CREATE TEMP VIEW lines AS
    SELECT sweep, machine, MIN(number) AS number, '| ' || machine || ' | ' || changes || ' | ' ||
        MAX(CASE WHEN program = 'attention-decode batch=16 keys=256' THEN cell END) || ' | ' ||
        MAX(CASE WHEN program = 'llama-8b-decode' THEN cell END) || ' | ' ||
        MAX(CASE WHEN program = 'llama-8b-prefill tokens=256' THEN cell END) || ' | ' ||
        MAX(CASE WHEN program = 'moe-gather tokens=512' THEN cell END) || ' | ' ||
        MAX(CASE WHEN program = 'embedding rows=100000' THEN cell END) || ' |' AS line
    FROM cells GROUP BY sweep, machine, changes;
SELECT '# Studies of operators

Made by `scripts/operators-studies.sh` from `configs/sweeps/ml-*.cfg`: each sweep changes one
parameter of an H100 SXM or an MI300X, and estimates operators of neural networks. A cell has the time over the time of the unchanged
card, with the range that plumb states for the ratio (95 %). The figure in bold is the same ratio in the cycle model, at one or two
points of each axis. `docs/results/studies/ml-operators.csv` has all figures.

Programs: `ml/attention-decode batch=16 keys=256` (decode), `ml/llama-8b-decode` and `ml/llama-8b-prefill tokens=256` (one block; too
long for the cycle model here, so their ratios are not checked), `ml/moe-gather tokens=512` (MoE), `ml/embedding rows=100000` (embedding).
Caches are cold, as between the steps of a model that is much larger than they are.

## How far off the estimates are

Cycles of the cards as they are, and then the ratios of all tables:

| card | program | estimate | simulated | error |
| --- | --- | --- | --- | --- |';
SELECT '| ' || machine || ' | ' || program || ' | ' || printf('%d', cycles) || ' | ' || printf('%d', simulated) || ' | ' ||
    printf('%+.0f %%', 100 * (cycles / simulated - 1)) || ' |'
FROM ml_operators WHERE sweep = 'l2' AND (changes IS NULL OR changes = '') AND simulated IS NOT NULL;
SELECT '
| sweep | ratios | mean error of the ratio | simulated ratio in the range | worst |
| --- | --- | --- | --- | --- |';
SELECT '| ml-' || sweep || ' | ' || COUNT(*) || ' | ' || printf('%.0f %%', 100 * AVG(ABS(ratio / simulated_ratio - 1))) || ' | ' ||
    SUM(simulated_ratio BETWEEN low AND high) || ' | ' ||
    printf('%.2f for %.2f', MAX(CASE WHEN worst THEN ratio END), MAX(CASE WHEN worst THEN simulated_ratio END)) || ' |'
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sweep ORDER BY ABS(ratio / simulated_ratio - 1) DESC) = 1 AS worst
      FROM ml_operators WHERE changes <> '' AND simulated_ratio IS NOT NULL)
GROUP BY sweep ORDER BY sweep;
SELECT '
## L2: capacity and partitions

Capacity matters only where a program reads again what it wrote or read: MoE writes 33 MB of copies, which an H100''s 50 MB hold and
12.5 MB do not (1.5 times as long, in the cycle model 1.44). Decode streams keys and values once, so nothing moves it. Fewer
partitions gain an H100 some per cent. For an MI300X believe the cycle model alone: an L2 of 8 MB costs MoE 29 %, where the
estimate wrongly shows a gain. The L3 of the MI300X is cold and changes no estimate, which is not checked.

| card | change | decode | Llama decode | Llama prefill | MoE | embedding |
| --- | --- | --- | --- | --- | --- | --- |';
SELECT line FROM lines WHERE sweep = 'l2' ORDER BY machine, number;
SELECT '
## Generations of HBM

With the HBM of two generations back (HBM2 at 1.75 Gb/s, a third of either card''s bandwidth) decode takes 1.7 and 1.3 times as long in
the cycle model. It does not take three times as long, because latency binds it, too. Estimates overstate the effect by up to 82 %, most
for embedding on an MI300X, where the cycle model uses 29 % of the memory''s bandwidth. HBM3E gains at most 15 % by estimate, which is not
checked. MoE of this size stays in the L2 of an H100.

| card | change | decode | Llama decode | Llama prefill | MoE | embedding |
| --- | --- | --- | --- | --- | --- | --- |';
SELECT line FROM lines WHERE sweep = 'memory' ORDER BY machine, number;
SELECT '
## MSHRs

Do not believe estimates of `l1.mshr.entries` for decode and both Llama programs. Their operands are copied to shared memory around the
L1. In the cycle model such a read takes no MSHR of the L1 (the ratio is exactly 1.00); in the estimate it waits for one. Loads into
registers need MSHRs: with 32 entries per L1, MoE and embedding take 3.4 and 4.4 times as long on an H100, and 1.4 and 1.1 times as long
on an MI300X. By estimates that are not checked, an MI300X loses nothing with 128 entries, and embedding on an H100 still loses 30 % with
256. `l2.mshr.entries` is not checked either: by estimate 128 entries per slice are enough, except for embedding on an MI300X.

| card | change | decode | Llama decode | Llama prefill | MoE | embedding |
| --- | --- | --- | --- | --- | --- | --- |';
SELECT line FROM lines WHERE sweep = 'mshr' ORDER BY machine, number;
SELECT '
## Lines and sectors

Sectors and requests of 64 bytes beside an H100''s 32 let MoE take 0.68 to 0.69 of the time in the cycle model (0.65 to 0.67 by estimate).
Lines of 64 bytes cost an MI300X 20 % with MoE. Decode hardly changes. The network of an MI300X keeps its flit of
136 bytes, of which small sectors waste a part; embedding on an MI300X is unsure, as above. Lines of 256 bytes are beyond what plumb has.

| card | change | decode | Llama decode | Llama prefill | MoE | embedding |
| --- | --- | --- | --- | --- | --- | --- |';
SELECT line FROM lines WHERE sweep = 'lines' ORDER BY machine, number;
SELECT '
## What limits it

- MI300X: the estimator leaves out where the parts of its L2 lie (`l2.partition_home` stands in `not_modelled`) and finds next to no hits
  in it, where the cycle model finds 35 % for embedding. The estimate of MoE is 2.6 times the simulation. Even the sign of
  an effect may be wrong (MoE with an L2 of 8 MB, or with sectors of 64 bytes).
- Embedding over tables of several GB waits for page walks in the cycle model (2.4 to 3.6 times as long as estimated), so its tables have
  100,000 rows here.
- Ranges are learned from other programs; where an estimate lacks a mechanism, the simulated ratio lies outside of them, as the second
  table counts.
- Both Llama programs and all points without bold figures are estimates alone.';
