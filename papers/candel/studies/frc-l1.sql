-- about: an FRC in the L1s, beside L1s of twice and four times the size (docs/notebook/cycle-model.md); no claims
-- sweeps: frc-l1
-- columns: cycles opc l1.accesses l1.hits l1.misses l1.merges l1.frc_fetches l1.stall_cycles l2.hit_rate dram.utilization

CREATE VIEW claim AS SELECT '' AS id, 0 AS value, '' AS note WHERE 0;
