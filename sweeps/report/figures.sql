-- figures.sql - the pictures for papers as rows, from the data of the report's page (report_data.c, bound to ?1).
--
-- Each row of `picture` is a chart (base/plot/chart.h), each row of `mark` a part of one, in the order of the rows. `kind` is
--   lines, points, cells, bars   a point of a series; `series` numbers them, `name` stands in the legend
--   colours                      a point of a line whose colour is given
--   left, right, centre          a text with that side at (x, y)
--   x, y                         a name on that axis, at x
-- report_figures.c draws them.

-- --- what the page has ---

CREATE TABLE part(key TEXT PRIMARY KEY, value);
INSERT INTO part SELECT key, value FROM json_each(?1);
CREATE TABLE program AS SELECT key AS p, value AS name FROM json_each((SELECT value FROM part WHERE key = 'programs'));
CREATE TABLE engine AS SELECT key AS e, value AS name FROM json_each((SELECT value FROM part WHERE key = 'engines'));
CREATE TABLE axis AS SELECT key AS a, json_extract(value, '$.path') AS path, json_extract(value, '$.numeric') AS numeric,
    json_extract(value, '$.values') AS level, json_array_length(value, '$.values') AS n
    FROM json_each((SELECT value FROM part WHERE key = 'axes'));
CREATE TABLE level(a, l, text, number, PRIMARY KEY(a, l));
INSERT INTO level SELECT a, j.key, j.value, CAST(j.value AS REAL) FROM axis, json_each(axis.level) j;
CREATE TABLE at(a, m, l, PRIMARY KEY(a, m)); -- l: -1 where the axis does not apply
INSERT INTO at SELECT a.key, m.key, m.value
    FROM json_each((SELECT json_extract(value, '$.levels') FROM part WHERE key = 'machines')) a, json_each(a.value) m;
CREATE TABLE metric AS SELECT key AS i, json_extract(value, '$.key') AS name, json_extract(value, '$.unit') AS unit,
    json_extract(value, '$.goal') = 'max' AS more, json_extract(value, '$.mean') = 'geometric' AS geometric
    FROM json_each((SELECT value FROM part WHERE key = 'metrics'));
CREATE TABLE objective AS SELECT key AS i, json_extract(value, '$.name') AS name, json_extract(value, '$.goal') = 'max' AS more
    FROM json_each((SELECT value FROM part WHERE key = 'objectives'));

-- --- the two goals: the sweep's first two, else the page's defaults ---

CREATE TABLE goal(which PRIMARY KEY, name, metric, axis, more, unit, geometric, label);
CREATE VIEW quantity AS SELECT name, i AS metric, NULL AS axis, more, unit, geometric FROM metric
    UNION ALL SELECT path, NULL, a, 0, '', 0 FROM axis WHERE numeric AND path NOT IN (SELECT name FROM metric);
CREATE VIEW candidate AS SELECT q.name, q.metric, q.axis, coalesce(o.more, q.more) AS more, q.unit, q.geometric,
    q.name || CASE WHEN q.unit IN ('', '1') THEN '' ELSE ' (' || q.unit || ')' END AS label, o.i AS objective,
    row_number() OVER (ORDER BY o.i IS NULL, o.i, q.metric IS NULL, q.name <> 'cycles', q.metric) AS as_first,
    CASE WHEN o.i IS NOT NULL THEN o.i WHEN q.name = 'energy_mj.total' THEN 1000 WHEN q.name = 'area_mm2.total' THEN 1001
        WHEN q.axis IS NOT NULL THEN 1002 + q.axis END AS as_second
    FROM quantity q LEFT JOIN objective o ON o.name = q.name;
INSERT INTO goal SELECT 'y', name, metric, axis, more, unit, geometric, label FROM candidate
    WHERE metric IS NOT NULL ORDER BY as_first LIMIT 1;
INSERT INTO goal SELECT 'x', name, metric, axis, more, unit, geometric, label FROM candidate
    WHERE as_second IS NOT NULL AND name <> (SELECT name FROM goal) ORDER BY as_second LIMIT 1;

-- --- their values: the sweep's answers ---

CREATE TABLE cell(what, i, v, PRIMARY KEY(what, i)); -- columns of the runs; of a goal's metric, under its letter
INSERT INTO cell SELECT c.key, v.key, v.value FROM json_each((SELECT value FROM part WHERE key = 'runs')) c, json_each(c.value) v
    WHERE c.key IN ('machine', 'program', 'engine');
INSERT INTO cell SELECT g.which, v.key, v.value FROM goal g,
    json_each(json_extract((SELECT value FROM part WHERE key = 'runs'), '$.values[' || g.metric || ']')) v
    WHERE g.metric IS NOT NULL;
INSERT INTO cell SELECT 'failed', json_extract(value, '$[0]'), 1
    FROM json_each(json_extract((SELECT value FROM part WHERE key = 'runs'), '$.failures'));
CREATE TABLE run(m, p, e, y, x, PRIMARY KEY(m, p, e)); -- those that are done
INSERT INTO run SELECT m.v, p.v, e.v, y.v, x.v FROM cell m JOIN cell p ON p.what = 'program' AND p.i = m.i
    JOIN cell e ON e.what = 'engine' AND e.i = m.i LEFT JOIN cell y ON y.what = 'y' AND y.i = m.i
    LEFT JOIN cell x ON x.what = 'x' AND x.i = m.i
    WHERE m.what = 'machine' AND m.i NOT IN (SELECT i FROM cell WHERE what = 'failed');
CREATE TABLE answered(metric, i, v, source, PRIMARY KEY(metric, i)); -- of engine auto; i: machine by machine, program by program
INSERT INTO answered SELECT json_extract(a.value, '$.metric'), v.key, v.value, json_extract(a.value, '$.source[' || v.key || ']')
    FROM json_each((SELECT value FROM part WHERE key = 'answers')) a, json_each(a.value, '$.value') v
    WHERE json_extract(a.value, '$.metric') IN (SELECT name FROM goal UNION SELECT 'cycles');
CREATE VIEW wanted AS SELECT r.*, r.m * (SELECT count(*) FROM program) + r.p AS i,
    (SELECT json_extract(value, '$.engine') FROM part WHERE key = 'sweep') AS sweep FROM run r;
CREATE VIEW own AS SELECT w.* FROM wanted w WHERE w.e = CASE
    WHEN sweep IS NULL THEN (SELECT max(e) FROM run o WHERE o.m = w.m AND o.p = w.p)
    ELSE (SELECT e FROM engine WHERE name = CASE WHEN sweep <> 'auto' THEN sweep
        WHEN EXISTS(SELECT 1 FROM answered a WHERE a.metric = 'cycles' AND a.i = w.i AND a.source = 3) THEN 'simulate'
        ELSE 'estimate' END) END;
CREATE TABLE value(which, m, p, v, PRIMARY KEY(which, m, p));
INSERT INTO value SELECT g.which, o.m, o.p, CASE g.which WHEN 'y' THEN o.y ELSE o.x END FROM goal g, own o
    WHERE g.metric IS NOT NULL AND g.name NOT IN (SELECT metric FROM answered);
INSERT INTO value SELECT g.which, a.i / n, a.i % n, a.v FROM goal g JOIN answered a ON a.metric = g.name,
    (SELECT count(*) AS n FROM program);

-- A mean over the programs; it is known where all of them are.
CREATE TABLE mean(which, m, v, PRIMARY KEY(which, m));
INSERT INTO mean SELECT which, m, CASE WHEN NOT geometric THEN avg(v) WHEN min(v) = 0 THEN 0 ELSE exp(avg(ln(v))) END
    FROM value JOIN goal USING(which) GROUP BY which, m HAVING count(v) = (SELECT count(*) FROM program) AND min(v) >= 0;
INSERT INTO mean SELECT 'x', at.m, number FROM goal g JOIN at ON at.a = g.axis JOIN level USING(a, l) WHERE g.which = 'x';
CREATE TABLE point(m PRIMARY KEY, y, x, by, bx); -- by, bx: as y and x, with the sign by which less is better
INSERT INTO point SELECT y.m, y.v, x.v, CASE WHEN gy.more THEN -y.v ELSE y.v END, CASE WHEN gx.more THEN -x.v ELSE x.v END
    FROM mean y JOIN goal gy ON gy.which = 'y' LEFT JOIN mean x ON x.m = y.m AND x.which = 'x' LEFT JOIN goal gx ON gx.which = 'x'
    WHERE y.which = 'y';
-- the front: the best y of each x, if it is better than that of every better x
CREATE TABLE step AS SELECT *, min(by) OVER (ORDER BY bx ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS cheaper
    FROM (SELECT bx, min(by) AS by FROM point WHERE bx IS NOT NULL GROUP BY bx);
CREATE TABLE front AS SELECT m, y, x FROM step JOIN point USING(bx, by) WHERE cheaper IS NULL OR by < cheaper;
CREATE TABLE here AS SELECT max(CASE which WHEN 'y' THEN name END) AS y_name, max(CASE which WHEN 'x' THEN name END) AS x_name,
    max(CASE which WHEN 'y' THEN label END) AS y_label, max(CASE which WHEN 'x' THEN label END) AS x_label,
    max(CASE which WHEN 'y' THEN unit = '1' END) AS y_share, max(CASE which WHEN 'x' THEN unit = '1' END) AS x_share,
    max(CASE which WHEN 'y' THEN more END) AS y_more, max(CASE which WHEN 'x' THEN more END) AS x_more,
    max(CASE which WHEN 'y' THEN geometric END) AS geometric FROM goal;

CREATE TABLE picture(id INTEGER PRIMARY KEY, name, title, x_label, x_scale DEFAULT 'linear', x_share DEFAULT 0, x_lo, x_hi,
    y_label, y_scale DEFAULT 'linear', y_share DEFAULT 0, y_lo, y_hi, width, height, bare DEFAULT 0, tilt, more DEFAULT 0);
CREATE TABLE mark(picture, series, kind, name, x, y, colour, text);
CREATE INDEX mark_of ON mark(picture);

-- --- trade-off: the points, and the front as a staircase whose corners have the worse value of both neighbours ---

INSERT INTO picture(id, name, x_label, x_scale, x_share, y_label, y_share) SELECT 1, 'trade-off', x_label,
    (SELECT CASE WHEN EXISTS(SELECT 1 FROM goal WHERE which = 'x' AND axis IS NOT NULL) AND count(DISTINCT x) > 2 AND min(x) > 0
        AND max(x) >= 8 * min(x) THEN 'log2' ELSE 'linear' END FROM point), x_share, y_label, y_share FROM here WHERE EXISTS(SELECT 1 FROM front);
WITH stair AS (SELECT row_number() OVER w AS i, x, y, lag(x) OVER w AS x_before, lag(y) OVER w AS y_before FROM front
    WINDOW w AS (ORDER BY x, y))
INSERT INTO mark SELECT 1, 0, 'lines', 'Pareto front', x, y, 0, NULL FROM (SELECT i, 1 AS k, x, y FROM stair
    UNION ALL SELECT i, 0, CASE WHEN x_more THEN x_before ELSE stair.x END, CASE WHEN x_more THEN stair.y ELSE y_before END
        FROM stair, here WHERE i > 1 ORDER BY i, k);
INSERT INTO mark SELECT 1, 1, 'points', 'points', x, y, 0, NULL FROM point WHERE x IS NOT NULL ORDER BY m;

-- --- effect-AXIS: the goal along each numeric axis ---

CREATE TABLE along AS SELECT at.a, l, number AS x, exp(avg(ln(y))) AS mean,
    CASE WHEN y_more THEN max(point.y) ELSE min(point.y) END AS best
    FROM point JOIN at USING(m) JOIN level USING(a, l) JOIN axis USING(a), here WHERE numeric AND point.y > 0 GROUP BY at.a, l;
INSERT INTO picture(id, name, x_label, x_scale, y_label, y_share) SELECT 1000 + a, 'effect-' || path, path,
    CASE WHEN count(*) > 2 AND min(x) > 0 AND max(x) >= 8 * min(x) THEN 'log2' ELSE 'linear' END, y_label, y_share
    FROM (SELECT a, x AS at, x FROM along) JOIN axis USING(a), here GROUP BY a HAVING count(*) > 1;
INSERT INTO mark SELECT 1000 + a, 0, 'lines', 'mean of the points', x, mean, 0, NULL FROM along ORDER BY a, l;
INSERT INTO mark SELECT 1000 + a, 1, 'lines', 'best point', x, best, 0, NULL FROM along ORDER BY a, l;

-- --- correlation-ENGINE-DEAREST: the runs that both engines made ---

CREATE TABLE pair AS SELECT r.e, t.y AS truth, r.y AS guess FROM run r JOIN run t USING(m, p)
    WHERE t.e = (SELECT max(e) FROM engine) AND r.e < t.e AND r.y > 0 AND t.y > 0 ORDER BY r.e, m, p;
INSERT INTO picture(id, name, x_label, x_scale, x_lo, x_hi, y_label, y_scale, y_lo, y_hi)
    SELECT 2000 + g.e, 'correlation-' || g.name || '-' || t.name, y_name || ': ' || t.name, 'log10',
    min(min(truth), min(guess)) / 1.15, max(max(truth), max(guess)) * 1.15, y_name || ': ' || g.name, 'log10',
    min(min(truth), min(guess)) / 1.15, max(max(truth), max(guess)) * 1.15
    FROM pair JOIN engine g USING(e) JOIN engine t ON t.e = (SELECT max(e) FROM engine), here GROUP BY pair.e;
INSERT INTO mark SELECT id, 0, 'lines', 'equal', end, end, 0, NULL FROM
    (SELECT id, x_lo AS end FROM picture WHERE id >= 2000 UNION ALL SELECT id, x_hi FROM picture WHERE id >= 2000);
INSERT INTO mark SELECT 2000 + e, 1, 'points', 'runs', truth, guess, 0, NULL FROM pair;

-- --- what-matters: main effects and interactions of pairs by an analysis of variance, as in the page (stats.js) ---

CREATE TABLE sample AS SELECT m, ln(y) AS v FROM point WHERE y > 0;
CREATE TABLE whole AS SELECT count(*) AS n, avg(v) AS mean FROM sample;
ALTER TABLE whole ADD COLUMN total;
UPDATE whole SET total = (SELECT sum((v - mean) * (v - mean)) FROM sample);
-- an axis with more than 12 values is cut into six bins of equal counts
CREATE TABLE cut AS SELECT a, l FROM (SELECT a, l, row_number() OVER (PARTITION BY a ORDER BY l) - 1 AS i, n
    FROM at JOIN sample USING(m), whole WHERE a IN (SELECT a FROM at JOIN sample USING(m) GROUP BY a HAVING count(DISTINCT l) > 12))
    WHERE i IN (n / 6, 2 * n / 6, 3 * n / 6, 4 * n / 6, 5 * n / 6);
CREATE TABLE grp(a, m, g, v, PRIMARY KEY(a, m));
INSERT INTO grp SELECT a, m, CASE WHEN a IN (SELECT a FROM cut) THEN
    (SELECT count(*) FROM cut c WHERE c.a = at.a AND c.l <= at.l) ELSE l END, v FROM at JOIN sample USING(m);
DELETE FROM grp WHERE a NOT IN (SELECT a FROM at JOIN sample USING(m) GROUP BY a HAVING count(DISTINCT l) > 1);
-- even: the points fill the grid once; elsewhere, what chance alone would explain is taken off
CREATE TABLE even AS SELECT NOT EXISTS(SELECT 1 FROM cut) AND n = (SELECT round(exp(sum(ln(k)))) FROM
    (SELECT count(DISTINCT g) AS k FROM grp GROUP BY a)) AND n = (SELECT count(DISTINCT place) FROM
    (SELECT group_concat(g) AS place FROM (SELECT m, g FROM grp ORDER BY m, a) GROUP BY m)) AS even FROM whole;
CREATE TABLE main AS SELECT a, sum(k * (part - mean) * (part - mean)) AS ss, count(*) - 1 AS degrees,
    exp(max(part) - min(part)) AS swing FROM (SELECT a, count(*) AS k, avg(v) AS part FROM grp GROUP BY a, g), whole GROUP BY a;
CREATE TABLE both AS SELECT z.a, z.b, max(0, sum(k * (part - mean) * (part - mean)) - x.ss - y.ss) AS ss,
    max(0, count(*) - 1 - x.degrees - y.degrees) AS degrees
    FROM (SELECT p.a, q.a AS b, count(*) AS k, avg(p.v) AS part FROM grp p JOIN grp q ON q.m = p.m AND p.a < q.a
        GROUP BY p.a, q.a, p.g, q.g) z JOIN main x ON x.a = z.a JOIN main y ON y.a = z.b, whole GROUP BY z.a, z.b;
CREATE TABLE effect AS SELECT row_number() OVER (ORDER BY share DESC, a, b IS NULL, b) - 1 AS i, * FROM (
    SELECT a, b, swing, CASE WHEN even THEN ss / total
        ELSE max(0, (ss - degrees * (total - ss) / max(1, n - 1 - degrees)) / total) END AS share
    FROM (SELECT a, NULL AS b, swing, ss, degrees FROM main UNION ALL SELECT a, b, NULL, ss, degrees FROM both), whole, even
    WHERE n > 1 AND total > 0) WHERE b IS NULL OR share >= 0.002 LIMIT 14;
INSERT INTO picture(id, name, x_label, x_lo, x_hi, y_lo, y_hi, height, bare) SELECT 3000, 'what-matters',
    'share of the variance of log ' || y_name || ' (x: largest mean over smallest)', 0,
    CASE WHEN max(share) > 0 THEN 1.6 * max(share) ELSE 1 END, count(*) - 0.5, -0.5, 20 * count(*) + 42, 1
    FROM effect, here GROUP BY y_name;
INSERT INTO mark SELECT 3000, 0, 'bars', NULL, share, i, CASE WHEN b IS NULL THEN 0x0072b2 ELSE 0x737373 END, NULL FROM effect ORDER BY i;
INSERT INTO mark SELECT 3000, 0, 'left', NULL, share, i, 0, printf('%.1f %%', 100 * share) ||
    CASE WHEN b IS NULL THEN printf(' (x %.3g)', swing) ELSE '' END FROM effect;
INSERT INTO mark SELECT 3000, 0, 'y', NULL, i, NULL, NULL, x.path || coalesce(' x ' || y.path, '')
    FROM effect JOIN axis x USING(a) LEFT JOIN axis y ON y.a = b;

-- --- parallel: a line for each point over all axes and the goals, the best on top, the front in black ---

CREATE TABLE shown AS SELECT m, point.y, point.x, m IN (SELECT m FROM front) AS strong,
    (row_number() OVER (ORDER BY by, m) - 1.0) / max(1, count(*) OVER () - 1) AS rank
    FROM point, here WHERE x_name IS NULL OR point.x IS NOT NULL;
CREATE TABLE upright(u INTEGER PRIMARY KEY, a, which, name, lo, hi);
INSERT INTO upright SELECT a, a, NULL, path, 0, max(1, n - 1) FROM axis WHERE EXISTS(SELECT 1 FROM shown);
INSERT INTO upright(which, name, lo, hi) SELECT 'x', x_name, min(shown.x), max(shown.x) FROM shown, here
    WHERE x_name NOT IN (SELECT path FROM axis) GROUP BY x_name;
INSERT INTO upright(which, name, lo, hi) SELECT 'y', y_name, min(shown.y), max(shown.y) FROM shown, here GROUP BY y_name;
UPDATE upright SET u = (SELECT count(*) FROM upright o WHERE o.u < upright.u);
INSERT INTO picture(id, name, x_label, x_lo, x_hi, y_lo, y_hi, width, height, bare) SELECT 4000, 'parallel',
    'the darker, the better ' || y_name || CASE WHEN x_name IS NULL THEN '' ELSE '; black: Pareto front' END,
    -0.1 * (count(*) - 1), 1.04 * (count(*) - 1), -0.03, 1.2, 640, 314, 1 FROM upright, here GROUP BY y_name HAVING count(*) > 1;
WITH place AS (SELECT m, u, CASE WHEN which IS NULL THEN CASE WHEN l >= 0 THEN l * 1.0 / hi END WHEN lo = hi THEN 0.5
    ELSE (CASE which WHEN 'x' THEN x ELSE y END - lo) / (hi - lo) END AS at, strong, rank
    FROM shown JOIN upright LEFT JOIN at USING(a, m))
INSERT INTO mark SELECT 4000, 0, 'colours', NULL, u, at, CASE WHEN strong THEN 0 ELSE
    (CAST(204 * rank AS INT) << 16) + (CAST(115 + 97 * rank AS INT) << 8) + CAST(178 + 41 * rank AS INT) END, NULL
    FROM (SELECT * FROM place UNION ALL SELECT m, 1000, NULL, strong, rank FROM shown) ORDER BY strong, rank DESC, m, u;
INSERT INTO mark SELECT 4000, 1, 'colours', NULL, u, end, 0x333333, NULL
    FROM upright, (SELECT 0 AS end UNION ALL SELECT 1 UNION ALL SELECT NULL) ORDER BY u, end IS NULL, end;
INSERT INTO mark SELECT 4000, 1, 'right', NULL, u, l * 1.0 / hi, 0, text FROM upright JOIN level USING(a)
    JOIN axis USING(a) WHERE l % ((n + 11) / 12) = 0;
INSERT INTO mark SELECT 4000, 1, 'right', NULL, u, tick, 0, CASE WHEN abs(v) < 1e4 THEN printf('%.5g', v)
    WHEN abs(v) < 1e6 THEN printf('%.4gk', v / 1e3) WHEN abs(v) < 1e9 THEN printf('%.4gM', v / 1e6) ELSE printf('%.4gG', v / 1e9) END
    FROM (SELECT u, tick, lo + tick * (hi - lo) AS v FROM upright,
        (SELECT 0 AS tick UNION ALL SELECT 0.25 UNION ALL SELECT 0.5 UNION ALL SELECT 0.75 UNION ALL SELECT 1) WHERE which IS NOT NULL);
-- long names take two lines, so that neighbours do not overlap
INSERT INTO mark SELECT 4000, 1, 'centre', NULL, u, CASE WHEN u % 2 THEN 1.07 ELSE 1.15 END, 0, name FROM upright;

-- --- programs-AXIS: each program's goal by the axis' values, relative to the first ---

CREATE TABLE ratio AS SELECT a, p, l, v / first_value(CASE WHEN l = 0 THEN v END) OVER (PARTITION BY a, p ORDER BY l) AS ratio
    FROM (SELECT at.a, p, l, CASE WHEN geometric THEN exp(avg(ln(v))) ELSE avg(v) END AS v
        FROM value JOIN at USING(m) JOIN axis USING(a), here
        WHERE which = 'y' AND v > 0 AND l >= 0 AND n BETWEEN 2 AND 60 GROUP BY at.a, p, l);
-- names that would touch are tilted, and then thinned out; lengths in points
CREATE TABLE names AS SELECT a, 312.0 / axis.n AS room, 5.5 * min(47, max(length(text))) AS widest
    FROM axis JOIN level USING(a) WHERE n BETWEEN 2 AND 60 GROUP BY a;
INSERT INTO picture(id, name, x_label, x_lo, x_hi, y_lo, y_hi, height, tilt, bare, more) SELECT 5000 + a, 'programs-' || path,
    path || ': ' || y_name || ' relative to ' || text, -0.5, n - 0.5, rows - 0.5, -0.5,
    80 + 19 * max(rows, 3) + CASE WHEN widest + 4 > room THEN 0.6 * widest ELSE 0 END,
    CASE WHEN widest + 4 > room THEN 0.6 * widest END, 1, y_more
    FROM axis JOIN names USING(a) JOIN level USING(a), here, (SELECT count(*) AS rows FROM program) WHERE l = 0 AND rows > 0;
INSERT INTO mark SELECT 5000 + a, 0, 'cells', NULL, l, p, CASE WHEN y_more THEN 1 ELSE -1 END * log2(ratio), NULL
    FROM ratio, here WHERE ratio > 0 ORDER BY a, p, l;
INSERT INTO mark SELECT 5000 + a, 0, 'centre', NULL, l, p, CASE WHEN abs(log2(ratio)) > 0.6 * max(0.05, most) THEN 0xffffff ELSE 0 END,
    CASE WHEN ratio >= 99.5 THEN printf('%.0f', ratio) WHEN ratio >= 9.95 THEN printf('%.1f', ratio) ELSE printf('%.2f', ratio) END
    FROM ratio JOIN (SELECT a, max(abs(log2(ratio))) AS most FROM ratio WHERE ratio > 0 GROUP BY a) USING(a) JOIN axis USING(a)
    WHERE ratio > 0 AND n <= 14;
INSERT INTO mark SELECT 5000 + a, 0, 'x', NULL, l, NULL, NULL, text FROM level JOIN names USING(a)
    WHERE widest + 4 <= room OR l % CAST(ceil(20.8 / room) AS INT) = 0;
INSERT INTO mark SELECT 5000 + a, 0, 'y', NULL, p, NULL, NULL, program.name FROM names, program;
