-- The page docs/results/programs.md from docs/results/studies/programs.csv; scripts/programs.sh runs it.
.mode list
.separator ""
.headers off
-- One row per program, card, engine and way of counting; least: without what a launch takes at least, on either side.
CREATE TEMP TABLE answer AS
    WITH engines AS (
        SELECT rowid AS number, *, 'estimate' AS engine, estimate_us AS us FROM programs WHERE estimate_us IS NOT NULL
        UNION ALL SELECT rowid, *, 'simulate', simulate_us FROM programs WHERE simulate_us IS NOT NULL)
    SELECT number, program, device, engine, longest_us >= 10 AS long,
        measured_us > 4 * launches * empty_us AS kernels, 'all' AS counted, measured_us AS x, us AS y FROM engines
    UNION ALL SELECT number, program, device, engine, longest_us >= 10, measured_us > 4 * launches * empty_us,
        'less empty launches', measured_us - launches * empty_us, us - launches * launch_us FROM engines;
CREATE TEMP TABLE chosen AS
    SELECT *, 'all' AS which, 1 AS place FROM answer WHERE x > 0 AND y > 0
    UNION ALL SELECT *, 'a launch of 10 us or more', 2 FROM answer WHERE long AND x > 0 AND y > 0
    UNION ALL SELECT *, 'all launches below 10 us', 3 FROM answer WHERE NOT long AND x > 0 AND y > 0
    UNION ALL SELECT *, 'four empty launches or more', 4 FROM answer WHERE kernels AND x > 0 AND y > 0;
CREATE TEMP VIEW tau AS
    SELECT a.device, a.engine, a.counted, a.which, SUM(SIGN((a.x - b.x) * (a.y - b.y))) * 1.0 / COUNT(*) AS tau
    FROM chosen a JOIN chosen b ON a.device = b.device AND a.engine = b.engine AND a.counted = b.counted AND a.which = b.which
        AND a.number < b.number
    GROUP BY a.device, a.engine, a.counted, a.which;
SELECT '# Programs beside two cards

Made by `scripts/programs.sh`: OpenCL programs of plumb (`workloads/`), whose launches were timed on an H100 SXM and an H200
(`configs/curves/programs.csv`), captured and given to `plumb estimate` and `plumb simulate` with the presets `h100-sxm` and
`h200`, without calibration. Figures by program stand in `docs/results/studies/programs.csv`. No number of a preset or of a model
was chosen by these times.

A program''s time is the sum over its launches, of each the fastest of two or three runs. By its profiling event an empty kernel
takes 4 us on these cards, of which ncu sees 1.6 us: programs of many short launches measure that. So each figure stands twice:
of all time, and less an empty kernel for each launch (on the card as it was measured beside the program; on the machine
`sm.launch_cycles`).

The code is not the same: a capture has what LLVM makes with `-Oz` for Oclgrind (unless it is unrolled, see below), the card what
NVIDIA''s compiler makes of the same source. The card''s is unrolled and scheduled, so that loads of several rounds are under way together, and has other counts
of integer instructions; exp, sqrt and divisions are sequences there and one instruction here; captures keep no registers''
limit, so that more CTAs may fit an SM ([../guide/capture.md](../guide/capture.md)). Access to memory is the same, but for what
NVIDIA''s compiler keeps in registers.

## Errors and order

Error: mean of |ln(plumb / measured)|; in brackets the factor. Tau: Kendall''s, over all pairs of programs.
Four empty launches or more: programs that take more than four times what their launches would take empty.

| card | programs | engine | time | programs | error | mean of ln | tau |
| --- | --- | --- | --- | --- | --- | --- | --- |';
SELECT '| ' || c.device || ' | ' || c.which || ' | ' || c.engine || ' | ' || c.counted || ' | ' || COUNT(*) || ' | ' ||
    printf('%.2f (%.2f)', AVG(ABS(LN(y / x))), EXP(AVG(ABS(LN(y / x))))) || ' | ' || printf('%+.2f', AVG(LN(y / x))) || ' | ' ||
    printf('%.2f', t.tau) || ' |'
FROM chosen c JOIN tau t ON t.device = c.device AND t.engine = c.engine AND t.counted = c.counted AND t.which = c.which
GROUP BY c.device, c.place, c.engine, c.counted ORDER BY c.device, c.place, c.engine, c.counted;
SELECT '
Both engines on the programs that both ran, all time:

| card | programs | error of the estimate | of the simulation |
| --- | --- | --- | --- |';
SELECT '| ' || device || ' | ' || COUNT(*) || ' | ' || printf('%.2f', AVG(ABS(LN(estimate_us / measured_us)))) || ' | ' ||
    printf('%.2f', AVG(ABS(LN(simulate_us / measured_us)))) || ' |'
FROM programs WHERE estimate_us IS NOT NULL AND simulate_us IS NOT NULL GROUP BY device;
SELECT '
## By program

Microseconds. Runs: the slowest run over the measured time, which has the fastest of each launch. Empty: launches x the empty
kernel beside them; start: launches x `sm.launch_cycles`. Errors are relative.

| card | program | launches | measured | runs | empty | start | estimate | error | simulated | error |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |';
SELECT '| ' || device || ' | `' || program || '` | ' || CAST(launches AS INTEGER) || ' | ' || printf('%.1f | %.2f', measured_us, slowest_us / measured_us) || ' | ' ||
    printf('%.1f', launches * empty_us) || ' | ' || printf('%.1f', launches * launch_us) || ' | ' ||
    CASE WHEN estimate_us IS NULL THEN '- | -' ELSE printf('%.1f | %+.0f %%', estimate_us, 100 * (estimate_us / measured_us - 1)) END || ' | ' ||
    CASE WHEN simulate_us IS NULL THEN '- | -' ELSE printf('%.1f | %+.0f %%', simulate_us, 100 * (simulate_us / measured_us - 1)) END || ' |'
FROM programs WHERE estimate_us IS NOT NULL ORDER BY rowid;
SELECT '
## With loops unrolled

The same programs captured with `--unroll 4` ([../guide/capture.md](../guide/capture.md)): the factor of LLVM''s unrolling where the
number of rounds is only known at run time, and the one seen most in NVIDIA''s code; it was not chosen by these times. Empty
launches are taken off, as above. The mean of ln falls: unrolled, most programs are simulated too fast.

| card | engine | programs | error as captured | mean of ln | error unrolled | mean of ln |
| --- | --- | --- | --- | --- | --- | --- |';
CREATE TEMP VIEW unrolled AS
    SELECT rowid AS number, device, program, 'estimate' AS engine, measured_us, estimate_us AS before, unrolled_estimate_us AS after,
        measured_us - launches * empty_us AS card, launches * launch_us AS start
    FROM programs WHERE estimate_us IS NOT NULL AND unrolled_estimate_us IS NOT NULL
    UNION ALL SELECT rowid, device, program, 'simulate', measured_us, simulate_us, unrolled_simulate_us,
        measured_us - launches * empty_us, launches * launch_us
    FROM programs WHERE simulate_us IS NOT NULL AND unrolled_simulate_us IS NOT NULL;
SELECT '| ' || device || ' | ' || engine || ' | ' || COUNT(*) || ' | ' ||
    printf('%.2f (%.2f) | %+.2f', AVG(ABS(LN((before - start) / card))), EXP(AVG(ABS(LN((before - start) / card)))), AVG(LN((before - start) / card))) || ' | ' ||
    printf('%.2f (%.2f) | %+.2f', AVG(ABS(LN((after - start) / card))), EXP(AVG(ABS(LN((after - start) / card)))), AVG(LN((after - start) / card))) || ' |'
FROM unrolled WHERE card > 0 AND before > start AND after > start GROUP BY device, engine ORDER BY device, engine;
SELECT '
Programs whose simulation it moves by 5 per cent or more, microseconds:

| card | program | measured | simulated as captured | error | unrolled | error |
| --- | --- | --- | --- | --- | --- | --- |';
SELECT '| ' || device || ' | `' || program || '` | ' || printf('%.1f | %.1f | %+.0f %% | %.1f | %+.0f %%', measured_us, before,
    100 * (before / measured_us - 1), after, 100 * (after / measured_us - 1)) || ' |'
FROM unrolled WHERE engine = 'simulate' AND ABS(LN(after / before)) >= 0.05 ORDER BY number;
SELECT '
Not run: ' || COALESCE(GROUP_CONCAT(line, '; '), 'none') || '.' FROM (
    SELECT '`' || program || '` (' || why_not || ', ' || GROUP_CONCAT(device, ' and ') || ')' AS line FROM programs
    WHERE why_not IS NOT NULL GROUP BY program, why_not ORDER BY MIN(rowid));
SELECT '
## What the largest errors come from

The loads of loops were counted in the machine code that nvcc 13 makes of the same source for sm_90; copies of some kernels were
changed by hand to load as it does, captured without unrolling, and simulated.

- **Loads before they are needed.** NVIDIA''s compiler unrolls a loop of loads and puts the loads of all rounds first: 16 rounds at
  a time in `spmv`, 4 in `atax`, `scalarproducts` and the sum of `histogram`, all 16 words in `histogram` and `nw`. The capture
  waits for each round''s loads before the next. Four rounds at a time by hand make the simulation faster by 2.0 (`spmv rmat 16`),
  1.7 (`pagerank`), 3.0 (`scalarproducts`), 1.3 (`atax`) and 2.3 (`histogram`). In `bfs` a store in the loop forbids it, to the card''s compiler, too: two loads a round there and
  here, and `bfs rmat 16`, with rows as long as those of `spmv`, is simulated within 5 per cent.
- **Loads under conditions** (`laplace3d`): the four rims of a tile are predicated loads side by side on the card; in the capture
  each is a branch, waited for by its store to shared memory. With the loads before the stores it takes half the time.
- **Functions** (`mersenne`, `blackscholes`): log, cos and sin are 30 to 60 instructions on the card, one here. A round of
  `mersenne` has 195 instructions here; what is left of its time after its stores has room for some 900.
- **Scattered stores** (`transpose 2048 1`, `mersenne`): the H100 takes 117 sectors in a ns of which 4 bytes are written, 0.45 in
  a cycle and SM; the models take one in a cycle and SM.
- **Stores to one address** (`bfs uniform 16`), not tried: each vertex that is found sets the same flag, some 35,000 stores of
  warps in all. The two levels in which most are found take 22 and 26 us more than an empty kernel, simulated 9 and 8; what is
  missing over all levels is 1.3 ns for each such store, where the models'' slices take one in half a ns (an atomic on one
  address takes an H200 0.7 ns).
- **What the host wrote** (`reduction`, `streamcluster`): on the card the first launch, which reads 8 to 16 MB that the host has
  just written, takes no longer than later ones, which find them in the L2; the models read them from memory.
- **Short launches** (`fwt`, `gaussian`, `srad`, `kmeans`, `sortingnetworks`): most of an event''s time lies outside the kernel. On
  the H100 single launches differ by 1 to 3 us from run to run, those behind long work of the host by more (`streamcluster`,
  `nw`).';
