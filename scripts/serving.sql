-- Rows of plumb operators beside what was measured; scripts/serving.sh runs it.
-- What a measured operator is in ours, once for each of ours that it stands for; share: of their time.
CREATE TABLE meaning (op TEXT, operator TEXT, part TEXT, share REAL);
INSERT INTO meaning VALUES
    ('qkv_proj', 'qkv_proj', 'dense', 1), ('o_proj', 'o_proj', 'dense', 1), ('gate_up_proj', 'gate_up_proj', 'dense', 1),
    ('act_fn', 'act_fn', 'dense', 1), ('down_proj', 'down_proj', 'dense', 1), ('rmsnorm', 'input_layernorm', 'dense', 1),
    ('add', 'attention_residual', 'dense', 1), ('embedding', 'embedding', 'edges', 1),
    ('layernorm', 'input_layernorm', 'dense', 0.5), ('layernorm', 'attention_residual', 'dense', 0.5),
    ('layernorm', 'post_attention_layernorm', 'dense', 0.5), ('layernorm', 'mlp_residual', 'dense', 0.5);
-- Products that were measured apart are one of ours; equal rows are averaged.
CREATE TEMP VIEW measured AS
    SELECT gpu, model, CASE WHEN op IN ('q_proj', 'k_proj', 'v_proj') THEN 'qkv_proj'
                            WHEN op IN ('gate_proj', 'up_proj') THEN 'gate_up_proj' ELSE op END AS op, tokens, SUM(us) AS us
    FROM (SELECT gpu, model, op, tokens, AVG(us) AS us FROM layers WHERE tp = 1 GROUP BY gpu, model, op, tokens)
    GROUP BY 1, 2, 3, 4;
CREATE TEMP VIEW study AS
    SELECT s.gpu AS card, s.of AS model, m.op AS op, CAST(m.tokens AS INTEGER) AS tokens, printf('%.4g', m.us) AS measured_us,
        printf('%.4g', SUM(k.share * s.us)) AS estimate_us, printf('%.4g', SUM(k.share * s.us_low)) AS low_us,
        printf('%.4g', SUM(k.share * s.us_high)) AS high_us
    FROM measured m JOIN meaning k ON k.op = m.op
        JOIN served s ON s.gpu = m.gpu AND s.of = m.model AND s.part = k.part AND s.operator = k.operator AND s.tokens = m.tokens
    GROUP BY s.gpu, s.of, m.op, m.tokens ORDER BY s.gpu, s.of, m.tokens, m.op;
