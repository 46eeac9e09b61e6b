-- about: Mao 2016, 5.5.2: CPU cores beside the GPU with thread batches, rows of CPUs apart and their requests first
-- scripts: heterogeneous

-- CPUs: the weighted speed-up (sum of the IPCs over those of each core alone), over that of both cores without the GPU.
-- GPU: its IPC over that without the cores.  Averages over the twelve mixes are arithmetic.
CREATE VIEW mix AS
SELECT s.mix, s.system, s.gpu, s.cpu_0, s.cpu_1,
    (s.ipc_0 / a.ipc_0 + s.ipc_1 / b.ipc_0) / (p.ipc_0 / a.ipc_0 + p.ipc_1 / b.ipc_0) AS ws,
    s.warp_instructions / s.cycles / (g.warp_instructions / g.cycles) AS gpu_ipc,
    s.ipc_0 / a.ipc_0 AS kept_0, s.ipc_1 / b.ipc_0 AS kept_1
FROM heterogeneous s
    JOIN heterogeneous g ON g.mix = s.mix AND g.system = 'gpu_alone'
    JOIN heterogeneous a ON a.mix = s.mix AND a.system = 'cpu_0_alone'
    JOIN heterogeneous b ON b.mix = s.mix AND b.system = 'cpu_1_alone' -- the only core of its run
    JOIN heterogeneous p ON p.mix = s.mix AND p.system = 'cpus_alone'
WHERE s.system IN ('shared', 'rows', 'combined');

CREATE VIEW mean AS SELECT system, avg(ws) AS ws, avg(gpu_ipc) AS gpu FROM mix GROUP BY system;
CREATE VIEW gain AS
SELECT c.mix, 100 * (c.ws - s.ws) AS cpu, 100 * (c.gpu_ipc - s.gpu_ipc) AS gpu FROM mix c JOIN mix s USING (mix)
WHERE c.system = 'combined' AND s.system = 'shared';
CREATE VIEW mean_gain AS SELECT avg(cpu + gpu) AS both FROM gain;

-- Every CPU program of every mix beside the GPU: what it loses, and whether it misses more than 20 times per 1000 instructions.
CREATE VIEW loss AS
SELECT cpu_0 AS program, 100 * (1 - kept_0) AS percent FROM mix WHERE system = 'shared'
UNION ALL SELECT cpu_1, 100 * (1 - kept_1) FROM mix WHERE system = 'shared';
CREATE VIEW losses AS
SELECT program IN ('mcf', 'omnetpp', 'xalancbmk', 'lbm') AS intensive, avg(percent) AS percent FROM loss GROUP BY 1;
-- The thesis's GPU programs with an L2 MPKI above 2: II, KM, PVC, PVR, MUM.
CREATE VIEW gpu_losses AS
SELECT gpu IN ('invertedindex', 'kmeans', 'pageview', 'pagerankview', 'stringmatch') AS intensive, avg(100 * (1 - gpu_ipc)) AS percent
FROM mix WHERE system = 'shared' GROUP BY 1;

CREATE VIEW claim AS
SELECT 'HET-CPU-M11.9' AS id, 100 * (1 - ws) AS value,
    (SELECT group_concat(mix || ' ' || round(100 * (1 - ws), 1), ', ') FROM mix WHERE system = 'shared') AS note FROM mean WHERE system = 'shared'
UNION ALL SELECT 'HET-GPU-M9.2', 100 * (1 - gpu),
    (SELECT group_concat(mix || ' ' || round(100 * (1 - gpu_ipc), 1), ', ') FROM mix WHERE system = 'shared') FROM mean WHERE system = 'shared'
UNION ALL SELECT 'HET-COMB-CPU-6.1', 100 * (c.ws - s.ws), 'of these, rows apart ' || round(100 * (r.ws - s.ws), 1)
    FROM mean c JOIN mean s JOIN mean r WHERE c.system = 'combined' AND s.system = 'shared' AND r.system = 'rows'
UNION ALL SELECT 'HET-COMB-GPU-3.5', 100 * (c.gpu - s.gpu), 'of these, rows apart ' || round(100 * (r.gpu - s.gpu), 1)
    FROM mean c JOIN mean s JOIN mean r WHERE c.system = 'combined' AND s.system = 'shared' AND r.system = 'rows'
UNION ALL SELECT 'HET-CPU-94.2', 100 * ws, 'mean of the twelve mixes' FROM mean WHERE system = 'combined'
UNION ALL SELECT 'HET-GPU-93.5', 100 * gpu, 'the GPU loses little beside the cores: most of these programs leave the memory idle' FROM mean WHERE system = 'combined'
UNION ALL SELECT 'HET-WL8-WL9', min(cpu + gpu) > (SELECT both FROM mean_gain),
    group_concat(mix || ' CPU ' || round(cpu, 1) || ' GPU ' || round(gpu, 1), ', ') || ' points: the cores of WL9 lose little beside the GPU, so that nothing is left to give back, and the GPU of WL8 pays for its cores; mean of both ' || (SELECT round(both, 1) FROM mean_gain)
    FROM gain WHERE mix IN ('WL8', 'WL9')
UNION ALL SELECT 'HET-INTENSIVE-SLOW', c.percent > 2 * d.percent AND g.percent > h.percent,
    'CPU programs ' || round(c.percent, 1) || ' and ' || round(d.percent, 1) || ' %, GPU programs ' || round(g.percent, 1) || ' and ' || round(h.percent, 1) || ' %: a core of few misses waits for each of them alone and suffers from longer latencies, too; GPU programs wait for little memory'
    FROM losses c JOIN losses d JOIN gpu_losses g JOIN gpu_losses h WHERE c.intensive AND NOT d.intensive AND g.intensive AND NOT h.intensive;

CREATE VIEW figure AS
SELECT '42' AS figure, 'CPUs (weighted speed-up) and GPU (IPC) beside each other, of each alone' AS title, '% of alone' AS unit, '' AS axis,
    'CPUs lose 11.9 % and the GPU 9.2 %; rows apart and requests of CPUs first leave 94.2 and 93.5 %, and mixes of intensive programs, WL8 and WL9 for example, gain significantly.' AS says;

CREATE VIEW bar AS
SELECT '42' AS figure, mix AS x, series, value, NULL AS claim FROM (SELECT * FROM (
    SELECT mix, 'CPUs' AS series, 100 * ws AS value, 1 AS place FROM mix WHERE system = 'shared' UNION ALL SELECT mix, 'GPU', 100 * gpu_ipc, 2 FROM mix WHERE system = 'shared'
    UNION ALL SELECT mix, 'CPUs, combined', 100 * ws, 3 FROM mix WHERE system = 'combined' UNION ALL SELECT mix, 'GPU, combined', 100 * gpu_ipc, 4 FROM mix WHERE system = 'combined')
    ORDER BY CAST(substr(mix, 3) AS INT), place)
UNION ALL VALUES ('42', 'mean', 'CPUs', NULL, '100-HET-CPU-M11.9'), ('42', 'mean', 'GPU', NULL, '100-HET-GPU-M9.2'), ('42', 'mean', 'CPUs, combined', NULL, 'HET-CPU-94.2'), ('42', 'mean', 'GPU, combined', NULL, 'HET-GPU-93.5');
