-- about: Candel 2019, figures 5.2 and 6.2: three misses to one line, to the cycle
-- scripts: time-line

CREATE VIEW claim AS SELECT claim AS id, value, 'unit.detailed_time_line' AS note FROM time_line
WHERE claim IN ('TL-CONV-A-HIT-UNTIL-90', 'TL-CONV-C-START-210', 'TL-CONV-C-DONE-400', 'TL-FRC-B-FETCH-10', 'TL-FRC-C-FETCH-90', 'TL-FRC-REUSE-D', 'TL-FRC-NO-TRANSIENT');
