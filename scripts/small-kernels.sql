-- The page docs/results/small-kernels.md from docs/results/studies/small-kernels.csv; scripts/small-kernels.sh runs it.
.mode list
.separator ""
.headers off
CREATE TEMP VIEW kernels AS SELECT *, LN(estimate_us / measured_us) AS off FROM small_kernels;
SELECT '# Small kernels

Made by `scripts/small-kernels.sh`. The kernels scale doubles from one array into another and back, queued or in graphs
(`configs/curves/small_kernels.csv`). Estimates are those of a launch among others. The rows have 16,384 elements or more. Smaller
kernels gave the presets the time between launches (`sm.next_launch_cycles`), and CTAs of 32 threads gave them the rate at which CTAs
start (`sm.cta_rate`); so rows with CTAs of 32 threads judge no card. The time between launches on Hopper is the A100''s, so that the
H200 judges it, though its rows had been seen. `docs/results/studies/small-kernels.csv` has the figures.

| card | mode | block | kernels | mean of abs(ln) | mean ln | worst |
| --- | --- | --- | --- | --- | --- | --- |';
SELECT '| ' || card || ' | ' || mode || ' | ' || CAST(block AS INTEGER) || ' | ' || COUNT(*) || ' | ' || printf('%.3f', AVG(ABS(off))) || ' | ' ||
    printf('%+.3f', AVG(off)) || ' | ' || printf('%+.3f', CASE WHEN MAX(off) > -MIN(off) THEN MAX(off) ELSE MIN(off) END) || ' |'
FROM kernels GROUP BY card, mode, block ORDER BY card, mode DESC, block;
SELECT '
| card | mode | kernels | mean of abs(ln) |
| --- | --- | --- | --- |';
SELECT '| ' || card || ' | ' || mode || ' | ' || COUNT(*) || ' | ' || printf('%.3f', AVG(ABS(off))) || ' |'
FROM kernels GROUP BY card, mode ORDER BY card, mode DESC;
