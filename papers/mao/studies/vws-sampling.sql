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
