-- about: Candel 2019, sections 6.6.3 and 6.6.4: the FRC on the RX570, energy
-- sweeps: frc-rx570
-- columns: cycles opc l2.mpko l2.frc_share l2.miss_latency.eviction l2.miss_latency.total energy_mj.l2_memory energy_mj.l2_dynamic energy_mj.l2_static energy_mj.frc_static energy_mj.dram_dynamic

-- Each configuration against the conventional L2 of the card's own size.
CREATE VIEW gain AS
SELECT a.program, a."l2.frc.entries" AS entries, a."l2.ways" AS ways, a."l2.bank_kb" AS kb, a."l2.vc.entries" AS vc,
    100 * (a.opc / b.opc - 1) AS opc, 100 * (1 - a."l2.mpko" / b."l2.mpko") AS fewer_misses, a.opc AS at_all,
    a."l2.miss_latency.eviction" AS eviction, a."energy_mj.l2_memory" AS energy, b."energy_mj.l2_memory" AS base_energy,
    a."energy_mj.dram_dynamic" / b."energy_mj.dram_dynamic" AS dram, a."energy_mj.l2_static" / b."energy_mj.l2_static" AS static,
    a."energy_mj.l2_static" + coalesce(a."energy_mj.frc_static", 0) > a."energy_mj.l2_dynamic" AS static_rules
FROM frc_rx570 a JOIN frc_rx570 b USING (program)
WHERE b."l2.frc.entries" = 0 AND b."l2.ways" = 32 AND b."l2.bank_kb" = 256 AND b."l2.vc.entries" = 0;

CREATE VIEW frc AS SELECT * FROM gain WHERE ways = 32 AND kb = 256 AND vc = 0;
CREATE VIEW frc_mean AS SELECT entries, avg(opc) AS opc, avg(fewer_misses) AS fewer_misses, avg(100 * (1 - energy / base_energy)) AS saved FROM frc GROUP BY entries;
CREATE VIEW best AS SELECT program, max(opc) AS opc FROM frc GROUP BY program;
CREATE VIEW larger AS SELECT kb, avg(opc) AS opc FROM gain WHERE entries = 0 AND kb > 256 GROUP BY kb;
CREATE VIEW against_larger AS
SELECT a.program, a.entries, b.kb, a.energy / b.energy AS energy FROM frc a JOIN gain b USING (program) WHERE a.entries > 0 AND b.entries = 0 AND b.kb > 256;

CREATE VIEW claim AS
SELECT 'FRC-RX570-OPC-AVG-4' AS id, opc AS value, 'mean of 20 programs, 16 MSHRs a bank, evictions end in the memory' AS note FROM frc_mean WHERE entries = 4
UNION ALL SELECT 'FRC-RX570-OPC-AVG-512', opc, 'mean of 20 programs, whose data mostly fit 2 MB of L2: few evictions' FROM frc_mean WHERE entries = 512
UNION ALL SELECT 'FRC-RX570-OPC-L2X2', opc, 'mean of 20 programs' FROM larger WHERE kb = 512
UNION ALL SELECT 'FRC-RX570-OPC-L2X4', opc, 'mean of 20 programs' FROM larger WHERE kb = 1024
UNION ALL SELECT 'FRC-RX570-OPC-FA-LT10', max(opc), 'the larger of FA and FA+VC' FROM (SELECT avg(opc) AS opc FROM gain WHERE ways = 4096 GROUP BY vc)
UNION ALL SELECT 'FRC-RX570-OPC-RANGE-LOW', max(opc), 'first quartile of the programs'' best gains'
    FROM (SELECT opc, row_number() OVER (ORDER BY opc) AS place, count(*) OVER () AS n FROM best) WHERE place <= (n + 3) / 4
UNION ALL SELECT 'FRC-RX570-OPC-RANGE-HIGH', max(opc), program FROM best
UNION ALL SELECT 'FRC-RX570-MPKO-4', fewer_misses, 'a victim that stays longer is hardly used again here' FROM frc_mean WHERE entries = 4
UNION ALL SELECT 'FRC-RX570-MPKO-512', fewer_misses, 'a victim that stays longer is hardly used again here' FROM frc_mean WHERE entries = 512
UNION ALL SELECT 'FRC-RX570-ENERGY-4', saved, 'L2, FRC and the memory''s dynamic energy, mean of 20 programs; misses do not fall, so that time alone saves' FROM frc_mean WHERE entries = 4
UNION ALL SELECT 'FRC-RX570-ENERGY-512', saved, 'L2, FRC and the memory''s dynamic energy, mean of 20 programs' FROM frc_mean WHERE entries = 512
UNION ALL SELECT 'FRC-RX570-ENERGY-VS2X-4', avg(100 * (1 - energy)), 'mean of 20 programs' FROM against_larger WHERE entries = 4 AND kb = 512
UNION ALL SELECT 'FRC-RX570-ENERGY-VS2X-512', avg(100 * (1 - energy)), 'mean of 20 programs' FROM against_larger WHERE entries = 512 AND kb = 512
UNION ALL SELECT 'FRC-RX570-ENERGY-STATICDOM', avg(static_rules) > 0.5, 'share of programs with 64 entries: ' || round(avg(static_rules), 2) FROM frc WHERE entries = 64
UNION ALL SELECT 'FRC-RX570-ENERGY-MMRED', max(dram) - 1, 'largest share of the baseline, less 1, of color, mersenne, reduction' FROM frc WHERE entries = 512 AND program IN ('color', 'mersenne', 'reduction')
UNION ALL SELECT 'FRC-RX570-ENERGY-STATICLOW', 100 * (max(static) - 1), 'percent, the lesser saving of dwthaar and transpose' FROM frc WHERE entries = 512 AND program IN ('dwthaar', 'transpose')
UNION ALL SELECT 'FRC-RX570-ENERGY-2DCONV', energy / base_energy, 'with 512 entries' FROM frc WHERE entries = 512 AND program = 'conv2d'
UNION ALL SELECT 'FRC-RX570-ENERGY-NEVER-GT', max(energy) - 1, 'largest ratio, less 1: ' || program || ', ' || CAST(entries AS INT) || ' entries, ' || CAST(kb AS INT) || ' KB' FROM against_larger;
