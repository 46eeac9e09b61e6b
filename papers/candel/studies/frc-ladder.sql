-- about: what the gain of the FRC rests on (docs/models/misses.md); no claims
-- sweeps: frc-ladder frc-ladder-inclusion
-- columns: cycles opc l2.mpko l2.hit_rate l2.frc_share l2.line_waits l2.set_in_transition l2.miss_latency.eviction l2.miss_latency.memory l2.miss_latency.total l2.bytes_from_memory_per_cycle l2.bytes_to_memory_per_cycle dram.utilization warp_cycles.memory warp_cycles.compute l2.misses l2.nacks energy_mj.l2_memory energy_mj.l2_dynamic energy_mj.l2_static energy_mj.frc_static energy_mj.dram_dynamic l2.miss_latency.invalidation

CREATE VIEW claim AS SELECT '' AS id, 0 AS value, '' AS note WHERE 0;
