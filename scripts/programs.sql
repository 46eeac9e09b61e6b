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

Made by `scripts/programs.sh`. The launches of plumb''s OpenCL programs (`workloads/`) were timed on an H100 SXM and an H200
(`configs/curves/programs.csv`). The script captures the same programs, and runs `plumb estimate` and `plumb simulate` on the captures
with the presets `h100-sxm` and `h200`, without calibration. `docs/results/studies/programs.csv` has the figures by program. No
number of a preset or of a model was chosen by these times.

The time of a program is the sum over its launches; the time of a launch is that of the fastest of two or three runs. By its profiling event an empty kernel
takes 4 us on these cards, of which ncu sees 1.6 us: programs of many short launches measure that. So each figure stands twice:
of all time, and less an empty kernel for each launch (on the card as it was measured beside the program; on the machine
`sm.launch_cycles`).

The code differs. A capture has the code that LLVM makes with `-Oz` for Oclgrind (unless it is unrolled, see below). The card runs
the code that NVIDIA''s compiler makes of the same source. NVIDIA''s compiler unrolls loops and schedules them, so that loads of
several rounds are under way together, and it uses other numbers of integer instructions. It makes a sequence of instructions of each
exp, sqrt and division, where a capture has one instruction. Captures record no register counts, so more CTAs may fit an SM
([../guide/capture.md](../guide/capture.md)). Memory accesses are the same, except for values that NVIDIA''s compiler keeps in
registers.

## Errors and order

Error: mean of |ln(plumb / measured)|; in brackets the factor. Tau: Kendall''s, over all pairs of programs.
"Four empty launches or more" counts programs that take more than four times as long as the same number of empty launches.

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

Times are in microseconds. Runs: the time of the slowest run over the measured time. Empty: the number of launches times the time
of the empty kernel that was measured beside them. Start: the number of launches times `sm.launch_cycles`. Errors are relative.

| card | program | launches | measured | runs | empty | start | estimate | error | simulated | error |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |';
SELECT '| ' || device || ' | `' || program || '` | ' || CAST(launches AS INTEGER) || ' | ' || printf('%.1f | %.2f', measured_us, slowest_us / measured_us) || ' | ' ||
    printf('%.1f', launches * empty_us) || ' | ' || printf('%.1f', launches * launch_us) || ' | ' ||
    CASE WHEN estimate_us IS NULL THEN '- | -' ELSE printf('%.1f | %+.0f %%', estimate_us, 100 * (estimate_us / measured_us - 1)) END || ' | ' ||
    CASE WHEN simulate_us IS NULL THEN '- | -' ELSE printf('%.1f | %+.0f %%', simulate_us, 100 * (simulate_us / measured_us - 1)) END || ' |'
FROM programs WHERE estimate_us IS NOT NULL ORDER BY rowid;
SELECT '
## With loops unrolled

These are the same programs, captured with `--unroll 4` ([../guide/capture.md](../guide/capture.md)). LLVM unrolls by four where the
number of rounds is only known at run time, and four is the factor seen most often in NVIDIA''s code. It was not chosen by these
times. Empty launches are taken off, as above. The mean of ln is lower: unrolled, most programs are simulated too fast.

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

The loads of loops were counted in the machine code that nvcc 13 makes of the same source for sm_90. Copies of some kernels were
changed by hand so that they load in the order of that code. These copies were captured without unrolling, and simulated.

- **Loads before they are needed.** NVIDIA''s compiler unrolls a loop of loads and puts the loads of all rounds first: 16 rounds at
  a time in `spmv`, 4 in `atax`, `scalarproducts` and the sum of `histogram`, all 16 words in `histogram` and `nw`. The capture
  waits for the loads of each round before it begins the next. With four rounds at a time, by hand, simulations are faster by factors of
  2.0 (`spmv rmat 16`), 1.7 (`pagerank`), 3.0 (`scalarproducts`), 1.3 (`atax`) and 2.3 (`histogram`). In `bfs` a store in the loop
  forbids this to either compiler: both have two loads in a round. `bfs rmat 16`, whose rows are as long as those of `spmv`, is simulated
  within 5 per cent of the card.
- **Loads under conditions** (`laplace3d`): on the card the four rims of a tile are predicated loads, side by side. In the capture
  each is a branch, whose store to shared memory waits for the load. With all loads before the stores the simulation takes half the time.
- **Functions** (`mersenne`, `blackscholes`): log, cos and sin are 30 to 60 instructions on the card, and one in a capture. A
  round of `mersenne` has 195 instructions in the capture; the time that its stores leave on the card has room for some 900.
- **Scattered stores** (`transpose 2048 1`, `mersenne`): the H100 takes 117 sectors in a ns if 4 bytes of each are written: 0.45 per
  cycle and SM. The models take one per cycle and SM.
- **Stores to one address** (`bfs uniform 16`), not tried: each vertex that is found sets the same flag: some 35,000 stores
  of warps in all. The two levels in which most vertices are found take 22 and 26 us more than an empty kernel on the card, and 9 and 8
  us simulated. Over all levels 1.3 ns are missing for each such store; a slice of the models takes one in half a ns (an H200 takes
  0.7 ns for an atomic on one address).
- **What the host wrote** (`reduction`, `streamcluster`): the first launch reads 8 to 16 MB that the host has just written. On the
  card it takes no longer than later launches, which find the data in the L2. The models read the data from memory.
- **Short launches** (`fwt`, `gaussian`, `srad`, `kmeans`, `sortingnetworks`): most of an event''s time lies outside the kernel. On
  the H100 single launches differ by 1 to 3 us from run to run, and by more where they follow long work of the host (`streamcluster`,
  `nw`).';
