-- Read by sample-summary.sh: tables of what sample-fresh.sh wrote (table fresh); one_machine is of the one asked for.

CREATE VIEW runs AS
    SELECT machine AS place, 1 AS single, * FROM fresh UNION ALL SELECT 'all', 0, * FROM fresh;
CREATE VIEW sampled AS
    SELECT *, abs(error) AS off, simulate_s / sample_s AS faster FROM runs WHERE half_width > 0;
CREATE VIEW programs AS
    SELECT place, machine, program, avg(abs(error)) AS off, max(half_width) > 0 AS samples,
        total(half_width = 0 AND simulated > 1) AS tried, avg(CASE WHEN half_width > 0 THEN holds END) AS holds
    FROM runs GROUP BY place, machine, program;

-- Times faster than simulate: kept 0, the first use; 1, with the kept pass.
CREATE VIEW ranked AS
    SELECT place, seed > 1 AS kept, faster, count(*) OVER (PARTITION BY place, seed > 1) AS n,
        row_number() OVER (PARTITION BY place, seed > 1 ORDER BY faster) AS i
    FROM sampled;
CREATE VIEW gains AS
    SELECT place, kept, avg(CASE WHEN i IN ((n + 1) / 2, n / 2 + 1) THEN faster END) AS middle, max(faster) AS best
    FROM ranked GROUP BY place, kept;

CREATE VIEW of_programs AS
    SELECT place, count(*) AS n, sum(samples) AS samples, sum(NOT samples AND tried) AS never, sum(NOT samples AND NOT tried) AS rule, sum(tried) AS tried,
        100 * avg(off) AS mean, 100 * max(off) AS worst,
        (SELECT printf('%s %.0f', program, 100 * holds) FROM programs q
            WHERE q.place = p.place AND holds IS NOT NULL ORDER BY holds, off DESC LIMIT 1) AS least
    FROM programs p GROUP BY place;

CREATE VIEW of_runs AS
    SELECT place, single, count(*) AS n, 100 * avg(off) AS mean, 100 * max(off) AS worst, 100 * avg(holds) AS holds,
        100 * avg(half_width) AS half_width, 100 * avg(abs(l1)) AS l1, 100 * avg(abs(l2)) AS l2,
        100 * avg(abs(rows)) AS rows, 100 * avg(abs(energy)) AS energy, 100 * avg(simulated) AS simulated,
        100 * avg(simulated <= bound) AS bounded
    FROM sampled GROUP BY place;

CREATE VIEW machines AS
    SELECT r.place AS machine, p.samples || ', ' || p.never || ', ' || p.rule AS 'programs: sampled, tried and whole, whole',
        r.n || ', ' || CAST(p.tried AS INTEGER) AS 'runs: sampled, tried and whole',
        printf('%.2f (%.1f)', r.mean, r.worst) AS 'error, % (worst run)',
        printf('%.2f (%.1f)', p.mean, p.worst) AS 'of all programs (worst)',
        printf('%.1f', holds) AS 'holds, %', p.least AS 'least', printf('%.1f', half_width) AS 'half width, %',
        printf('%.2f, %.2f, %.2f', l1, l2, rows) AS 'L1, L2, row hits, points', CASE WHEN energy IS NULL THEN '-' ELSE printf('%.2f', energy) END AS 'energy, %',
        printf('%.1f', simulated) AS 'simulated, %', printf('%.0f', bounded) AS 'within its bound, %',
        printf('%.1f (%.1f)', f.middle, f.best) AS 'first use, x (best)',
        printf('%.1f (%.1f)', k.middle, k.best) AS 'kept pass, x (best)'
    FROM of_runs r JOIN of_programs p USING (place) LEFT JOIN gains f ON f.place = r.place AND f.kept = 0
        LEFT JOIN gains k ON k.place = r.place AND k.kept = 1
    ORDER BY single DESC, r.place;

CREATE VIEW seconds AS
    SELECT machine, program, max(simulate_s) AS simulate, avg(CASE WHEN seed = 1 THEN sample_s END) AS first,
        avg(CASE WHEN seed > 1 THEN sample_s END) AS kept
    FROM fresh GROUP BY machine, program;

CREATE VIEW one_machine AS
    SELECT program, printf('%.1f', max(instructions) / 1e6) AS '10^6 instructions',
        group_concat(CASE WHEN half_width > 0 THEN printf('%+.1f', 100 * error) ELSE 'whole' END, ', ') AS 'error, %',
        group_concat(CASE WHEN half_width > 0 THEN printf('%.1f', 100 * half_width) ELSE '-' END, ', ') AS 'half width, %',
        group_concat(printf('%.0f', 100 * simulated), ', ') || CASE WHEN max(bound) IS NULL THEN '' ELSE printf(' (%.0f)', 100 * max(bound)) END AS 'simulated, % (bound)',
        coalesce(max(CASE WHEN seed = told THEN printf('%s: %.2f, %d for %d', control, variance_ratio, "with", without) END), '-')
            AS 'control variate: variance left, intervals',
        printf('%.1f / %.1f (%.1fx)', simulate, first, simulate / first)
            || CASE WHEN kept IS NULL THEN '' ELSE printf(' / %.1f (%.1fx)', kept, simulate / kept) END AS 'simulate / first use / kept pass, s'
    FROM (SELECT *, min(CASE WHEN half_width > 0 THEN seed END) OVER (PARTITION BY program) AS told
        FROM fresh JOIN asked USING (machine) JOIN seconds USING (machine, program) ORDER BY program, seed)
    GROUP BY machine, program;
