-- about: Mao 2016, figures 34 to 36: strides of thread batches and the pages that they share, from traces alone
-- scripts: temp-pages temp-examples

-- A kernel of one CTA, or whose launches have one each, has nothing to form.
CREATE VIEW formed AS SELECT * FROM temp_pages WHERE ctas > launches;

-- Figure 36: each program's pages, of the launches that a stride fits; programs count alike.
CREATE VIEW shared AS
SELECT program, 100 * sum(strided_one) / sum(strided) AS one, 100 * sum(strided_two) / sum(strided) AS two,
       100 * sum(strided_most) / sum(strided) AS most
FROM formed GROUP BY program HAVING sum(strided) > 0;

CREATE VIEW claim AS
SELECT 'TEMP-STRIDE-89' AS id, round(100.0 * sum(formation = 'stride') / count(*), 2) AS value,
    sum(formation = 'stride') || ' of ' || count(*) || ' kernels of more than one CTA; without a formula: '
    || (SELECT coalesce(group_concat(kernel, ', '), 'none') FROM formed WHERE formation = 'none') AS note FROM formed
UNION ALL SELECT 'TEMP-STRIDE-MOD-6', round(100.0 * sum(formation = 'modulo') / count(*), 2),
    sum(formation = 'modulo') || ' of ' || count(*) || ' kernels: none of the suite walks down columns' FROM formed
UNION ALL SELECT 'TEMP-PAGE-75', round(avg(one), 2), 'mean of ' || count(*) || ' programs; least: '
    || (SELECT program || ' ' || round(one, 1) FROM shared ORDER BY one LIMIT 1) FROM shared
UNION ALL SELECT 'TEMP-PAGE-22', round(avg(two), 2), 'mean of ' || count(*) || ' programs; most: '
    || (SELECT program || ' ' || round(two, 1) FROM shared ORDER BY two DESC LIMIT 1) FROM shared
UNION ALL SELECT 'TEMP-PAGE-97', round(avg(one + two), 2), 'mean of ' || count(*) || ' programs; least: '
    || (SELECT program || ' ' || round(one + two, 1) FROM shared ORDER BY one + two LIMIT 1) FROM shared
UNION ALL SELECT 'TEMP-PAGE-2', round(avg(most), 2), 'mean of ' || count(*) || ' programs; traces have no program text' FROM shared
UNION ALL SELECT claim, value, 'unit.trace_page_sharing' FROM temp_examples;

CREATE VIEW figure AS
SELECT '35' AS figure, 'Kernels whose thread batches a stride forms' AS title, '% of the kernels' AS unit, '' AS axis, 'A fixed stride suits 89 % of the kernels, a modulo formula 6 %.' AS says
UNION ALL SELECT '36', 'Pages that batches share, at most so many batches apart', '% of the pages', '', '75 % of the pages belong to one batch, 22 % to two in a row, both make 97 %; 2 % are shared by almost all.';

CREATE VIEW bar AS
SELECT '35' AS figure, 'fixed stride' AS x, 'kernels' AS series, NULL AS value, 'TEMP-STRIDE-89' AS claim
UNION ALL SELECT '35', 'modulo', 'kernels', NULL, 'TEMP-STRIDE-MOD-6'
UNION ALL SELECT '36', program, series, percent, NULL FROM (SELECT * FROM (
    SELECT program, 'one batch' AS series, one AS percent, 1 AS place FROM shared UNION ALL SELECT program, 'one or two', one + two, 2 FROM shared UNION ALL SELECT program, 'almost all', most, 3 FROM shared) s
    ORDER BY (SELECT min(t.rowid) FROM temp_pages t WHERE t.program = s.program), place)
UNION ALL VALUES ('36', 'mean', 'one batch', NULL, 'TEMP-PAGE-75'), ('36', 'mean', 'one or two', NULL, 'TEMP-PAGE-97'), ('36', 'mean', 'almost all', NULL, 'TEMP-PAGE-2'), ('36', 'two in a row', 'one or two', NULL, 'TEMP-PAGE-22');
