-- about: Candel 2019, sections 6.6.4 and 6.6.5: area and leakage of the RX570's L2 and FRCs
-- scripts: frc-area

CREATE VIEW over AS
SELECT a.entries, a.ways, a.bank_kb AS kb, 100 * ((a.l2_mm2 + a.frc_mm2) / b.l2_mm2 - 1) AS area, a.leakage_mw AS leakage
FROM frc_area a JOIN frc_area b ON b.entries = 0 AND b.bank_kb = 256;

CREATE VIEW claim AS
SELECT 'FRC-RX570-AREA-4' AS id, area AS value, 'of CACTI''s tables, percent, as 2 ways; fully associative ' || (SELECT round(area, 1) FROM over WHERE entries = 4 AND ways = 4) AS note
FROM over WHERE entries = 4 AND ways = 2
UNION ALL SELECT 'FRC-RX570-AREA-512', area, 'of CACTI''s tables, percent' FROM over WHERE entries = 512
UNION ALL SELECT 'FRC-RX570-AREA-X2', area, 'of CACTI''s tables, percent' FROM over WHERE kb = 512
UNION ALL SELECT 'FRC-RX570-AREA-X4', area, 'of CACTI''s tables, percent' FROM over WHERE kb = 1024
UNION ALL SELECT 'FRC-RX570-STATIC-PERCYCLE', f.leakage < x2.leakage AND x2.leakage < x4.leakage,
    'mW: 512 entries ' || round(f.leakage) || ', 512 KB ' || round(x2.leakage) || ', 1024 KB ' || round(x4.leakage)
    FROM over f, over x2, over x4 WHERE f.entries = 512 AND x2.kb = 512 AND x4.kb = 1024;

CREATE VIEW figure AS
SELECT '6.14' AS figure, 'Area that FRCs and larger L2s add to the RX570''s L2' AS title, '% of the area' AS unit, '' AS axis,
    'FRCs of 4 and of 512 entries add 1.6 and 7.3 %, L2s of two and four times the size up to 84 and 252 %.' AS says;

CREATE VIEW bar AS
SELECT '6.14' AS figure, '+4e' AS x, 'area' AS series, NULL AS value, 'FRC-RX570-AREA-4' AS claim
UNION ALL VALUES ('6.14', '+512e', 'area', NULL, 'FRC-RX570-AREA-512'), ('6.14', '2 x L2', 'area', NULL, 'FRC-RX570-AREA-X2'), ('6.14', '4 x L2', 'area', NULL, 'FRC-RX570-AREA-X4');
