-- about: Chithra and Shashi Kumar 2021 (AGCB), table 1: accesses of the programs at their default inputs
-- scripts: agcb-accesses

CREATE VIEW claim AS
SELECT 'AGCB-ACC-' || upper(substr(program, 1, instr(program, '-') - 1)) AS id, accesses / 1e6 AS value,
    program || ', ' || CAST(launches AS INT) || ' launches: loads and stores in pieces of 32 bytes'
    || CASE WHEN program LIKE 'gaussian%' THEN '; groups of 4 x 4 and neighbours that are rows, as in Rodinia' ELSE '' END AS note
FROM agcb_accesses;

CREATE VIEW figure AS
SELECT 'table 1' AS figure, 'Accesses of the L1' AS title, 'million accesses' AS unit, 'log' AS axis, 'From 26,000 (nn) to 20 million (bfs) at the default inputs.' AS says;

CREATE VIEW bar AS
SELECT 'table 1' AS figure, program AS x, 'accesses' AS series, accesses / 1e6 AS value, 'AGCB-ACC-' || upper(substr(program, 1, instr(program, '-') - 1)) AS claim FROM agcb_accesses;
