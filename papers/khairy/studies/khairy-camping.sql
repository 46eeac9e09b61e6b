-- about: Khairy 2018, section II: partition indexing against partition camping
-- sweeps: khairy-camping
-- columns: cycles dram.channel_imbalance

CREATE VIEW claim AS
SELECT 'KH-PARTXOR' AS id, 100 * (b."dram.channel_imbalance" / a."dram.channel_imbalance" - 1) AS value,
    'busiest of 24 channels over their mean: ' || round(a."dram.channel_imbalance", 2) || ' plain, ' ||
    round(b."dram.channel_imbalance", 2) || ' hashed, at a stride of 64 KB; ' || round(a.cycles / b.cycles, 2) || ' times as fast' AS note
FROM khairy_camping a JOIN khairy_camping b WHERE a."l2.slice_hash" = 'modulo' AND b."l2.slice_hash" = 'xor';
