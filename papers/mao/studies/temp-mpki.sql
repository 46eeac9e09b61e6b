-- about: Mao 2016, table 6: L2 misses of the GPU programs
-- sweeps: temp-mpki
-- columns: cycles warp_instructions lane_operations l2.accesses l2.reads l2.misses

-- Instructions are those of threads: LBM reads and writes 38 words, 1.2 lines a thread, in some 200 instructions, and has 5.82
-- misses; counted by warp it would have 190.
CREATE VIEW claim AS
WITH mao (id, program) AS (VALUES ('II', 'invertedindex'), ('KM', 'kmeans'), ('PVC', 'pageview'), ('PVR', 'pagerankview'),
    ('FWT', 'fwt'), ('STEN', 'stencil'), ('BP', 'backprop'), ('MS', 'mergesort'), ('DCT', 'dct'), ('SP', 'scalarproducts'),
    ('RD', 'reduction'), ('CUTCP', 'cutcp'), ('NN', 'neuralnet'), ('HOT', 'hotspot'), ('SN', 'sortingnetworks'),
    ('TPACF', 'tpacf'), ('MUM', 'stringmatch'), ('LBM', 'lbm'), ('CFD', 'cfd'), ('LIB', 'libor'))
SELECT 'TEMP-MPKI-' || id AS id, round(1000 * "l2.misses" / lane_operations, 4) AS value,
    program || ' at the size of suite temp, by thread instructions, stores that miss included'
    || CASE id WHEN 'II' THEN '; a letter takes 16 instructions, and lines of 128 letters stay in the caches until they are read' ELSE '' END AS note
FROM mao JOIN temp_mpki USING (program);

CREATE VIEW figure AS
SELECT 'table 6' AS figure, 'L2 misses of the GPU programs' AS title, 'misses / 1000 instructions of threads' AS unit, 'log' AS axis,
    'From 0.03 (CUTCP) to 45 (II); above 2 a program is memory-intensive.' AS says;

CREATE VIEW bar AS SELECT 'table 6' AS figure, substr(id, 11) AS x, 'misses' AS series, NULL AS value, id AS claim FROM claim;
