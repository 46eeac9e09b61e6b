-- about: Mao 2016, figure 28: alpha and beta of IWL inside VWS; fixed limits, for docs/notebook/scheduling.md
-- sweeps: vws-alpha vws-beta vws-fixed
-- columns: cycles l1.hit_rate

CREATE VIEW alpha AS SELECT "sm.iwl.alpha" AS at, program, cycles FROM vws_alpha;
CREATE VIEW beta AS SELECT "sm.iwl.beta" AS at, program, cycles FROM vws_beta;
-- Speed over the paper's choice, percent.
CREATE VIEW alphas AS SELECT a.at, 100 * (exp(avg(ln(o.cycles / a.cycles))) - 1) AS percent
FROM alpha a JOIN alpha o USING (program) WHERE o.at = 0.1 GROUP BY a.at;
CREATE VIEW betas AS SELECT a.at, 100 * (exp(avg(ln(o.cycles / a.cycles))) - 1) AS percent
FROM beta a JOIN beta o USING (program) WHERE o.at = 4 GROUP BY a.at;

CREATE VIEW claim AS
SELECT 'VWS-ALPHA-0.1' AS id, (SELECT at FROM alphas ORDER BY percent DESC LIMIT 1) AS value,
    'over 0.1: ' || group_concat(at || ' ' || round(percent, 1) || ' %', ', ')
    || '; 1 is VWS without IWL: programs of suite vws-large' AS note FROM alphas
UNION ALL
SELECT 'VWS-ALPHA-1', 100 * (exp(avg(ln(o.cycles / a.cycles))) - 1), 'over 0.1: '
    || group_concat(a.program || ' ' || round(100 * (o.cycles / a.cycles - 1), 1) || ' %', ', ')
FROM alpha a JOIN alpha o USING (program) WHERE o.at = 0.1 AND a.at = 1
UNION ALL
SELECT 'VWS-BETA-4', (SELECT at FROM betas ORDER BY percent DESC LIMIT 1),
    'over 4: ' || group_concat(at || ' ' || round(percent, 1) || ' %', ', ') FROM betas;

CREATE VIEW figure AS
SELECT '28a' AS figure, 'Performance of VWS with alpha, over alpha = 0.1' AS title, '%' AS unit, '' AS axis, 'The peak is at 0.1; 1, which is VWS without IWL, harms performance significantly (its bars are over LRR).' AS says
UNION ALL SELECT '28b', 'Performance of VWS with beta, over beta = 4', '%', '', 'The best is 4 (its bars are over LRR).';

CREATE VIEW bar AS
SELECT '28a' AS figure, CAST(at AS TEXT) AS x, 'VWS' AS series, percent AS value, CASE at WHEN 1 THEN 'VWS-ALPHA-1' END AS claim FROM (SELECT * FROM alphas ORDER BY at)
UNION ALL SELECT '28b', CAST(CAST(at AS INT) AS TEXT), 'VWS', percent, NULL FROM (SELECT * FROM betas ORDER BY at);
