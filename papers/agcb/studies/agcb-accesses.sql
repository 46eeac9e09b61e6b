-- about: Chithra and Shashi Kumar 2021 (AGCB), table 1: accesses of the programs at their default inputs
-- scripts: agcb-accesses

CREATE VIEW claim AS
SELECT 'AGCB-ACC-' || upper(substr(program, 1, instr(program, '-') - 1)) AS id, accesses / 1e6 AS value,
    program || ', ' || CAST(launches AS INT) || ' launches: loads and stores in pieces of 32 bytes'
    || CASE WHEN program LIKE 'gaussian%' THEN '; groups of 4 x 4 and neighbours that are rows, as in Rodinia' ELSE '' END AS note
FROM agcb_accesses;
