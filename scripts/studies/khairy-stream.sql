-- about: Khairy 2018 on two models of the TITAN V: bandwidth of STREAM, sparse accesses, the L1's refusals
-- sweeps: khairy-stream-titanv khairy-stream-titanv-gpgpusim3 khairy-sparse-titanv khairy-sparse-titanv-gpgpusim3
-- columns: cycles dram.bandwidth_gbps dram.utilization dram.row_hit_rate l1.reads l1.hit_rate l2.reads l2.writes l2.bytes_from_memory l1.fails_per_kilocycle.mshr l1.fails_per_kilocycle.merge l1.fails_per_kilocycle.line l1.fails_per_kilocycle.queue

-- Both models have 652.8 GB/s.
CREATE VIEW stream AS
SELECT 'new' AS model, program, "sm.count" AS sms, "l1.enabled" AS l1, 100 * "dram.bandwidth_gbps" / 652.8 AS share
FROM khairy_stream_titanv
UNION ALL
SELECT 'old', program, "sm.count", "l1.enabled", 100 * "dram.bandwidth_gbps" / 652.8 FROM khairy_stream_titanv_gpgpusim3;

CREATE VIEW fails AS
SELECT 'new' AS model, program,
       "l1.fails_per_kilocycle.mshr" + "l1.fails_per_kilocycle.merge" + "l1.fails_per_kilocycle.line" AS fails
FROM khairy_sparse_titanv
UNION ALL
SELECT 'old', program,
       "l1.fails_per_kilocycle.mshr" + "l1.fails_per_kilocycle.merge" + "l1.fails_per_kilocycle.line"
FROM khairy_sparse_titanv_gpgpusim3;
