-- The page docs/results/small-kernels.md from docs/results/studies/small-kernels.csv; scripts/small-kernels.sh runs it.
.mode list
.separator ""
.headers off
CREATE TEMP VIEW kernels AS SELECT *, LN(estimate_us / measured_us) AS off FROM small_kernels;
SELECT '# Small kernels

Made by `scripts/small-kernels.sh`: kernels that scale doubles from one array into another and back, queued and in graphs
(`configs/curves/small_kernels.csv`), beside estimates of a launch among others. From 16,384 elements on; smaller ones gave the
presets what lies between launches (`sm.next_launch_cycles`), CTAs of 32 threads the CTAs a cycle (`sm.cta_rate`). What lies between
launches on Hopper is the A100''s, so that the H200 judges it, though its rows had been seen. CTAs of 32 threads judge no card. Figures: `docs/results/studies/small-kernels.csv`.

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
