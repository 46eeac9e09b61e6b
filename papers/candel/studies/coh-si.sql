-- about: Candel 2019, chapter 2: SI over the files of MSHRs in the L1s
-- sweeps: coh-si
-- columns: cycles opc l1.accesses l1.hits latency.max_per_instruction_mean coherence.invalidations coherence.flushed_lines

CREATE VIEW coh_si_runs AS
SELECT program, "l1.mshr.entries" AS entries, opc, cycles, "latency.max_per_instruction_mean" AS latency
FROM coh_si WHERE "coherence.protocol" = 'si';

-- Latency counts from issue: an instruction for which the L1 has no room waits in its warp, uncounted, so that a
-- larger file shows longer latencies at the same throughput (Little's law).  The thesis's simulator lets it wait in
-- the memory unit, counted.

-- Each size of the file against the one before it: 1.00 = the same.
CREATE VIEW coh_si_step AS
SELECT a.program, a.entries, a.opc / b.opc AS opc, a.latency / b.latency AS latency
FROM coh_si_runs a JOIN coh_si_runs b USING (program)
WHERE (a.entries = 32 AND b.entries = 16) OR (a.entries = 64 AND b.entries = 32) OR (a.entries = 256 AND b.entries = 64);

CREATE VIEW coh_si_mean_step AS
SELECT entries, avg(opc) AS opc FROM coh_si_step GROUP BY entries;

CREATE VIEW claim AS
SELECT 'COH-SI-GROWS-WITH-MSHR' AS id, min(opc) >= 0.99 AS value,
       'smallest step of the mean OPC: ' || round(100 * (min(opc) - 1), 1) || ' %' AS note
FROM coh_si_mean_step
UNION ALL
SELECT 'COH-SI-LAT-FALLS-MSHR', min(opc) >= 0.99 AND max(latency) <= 1.01,
       'largest step of the latency ' || round(100 * (max(latency) - 1), 1) || ' %, smallest of OPC '
       || round(100 * (min(opc) - 1), 1) || ' %'
FROM coh_si_step WHERE program IN ('transpose', 'mersenne', 'recursivegaussian')
UNION ALL
SELECT 'COH-RED-LAT-HALF', 100 * (1 - a.latency / b.latency),
       'cycles ' || round(100 * (a.cycles / b.cycles - 1), 1) || ' %'
FROM coh_si_runs a JOIN coh_si_runs b USING (program) WHERE program = 'reduction' AND a.entries = 256 AND b.entries = 16;

CREATE VIEW figure AS
SELECT '2.5' AS figure, 'OPC under SI (16 MSHRs are 1)' AS title, 'ratio' AS unit, '' AS axis,
    'Performance rises, or stays, as MSHRs are added, and the latency of the programs that wait longest falls.' AS says;

CREATE VIEW bar AS
SELECT '2.5' AS figure, a.program AS x, CAST(a.entries AS INT) || ' MSHRs' AS series, a.opc / b.opc AS value, NULL AS claim
FROM coh_si_runs a JOIN coh_si_runs b USING (program) WHERE b.entries = 16;
