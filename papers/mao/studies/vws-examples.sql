-- about: Mao 2016, figures 22 and 23: two CTAs of two warps; four CTAs on two SMs
-- scripts: vws-examples

CREATE VIEW claim AS SELECT claim AS id, value, 'behaviour.detailed_warps: '
    || CASE claim WHEN 'VWS-EX-FIG22' THEN 'misses beside the compulsory ones, two warps of one CTA active'
                  ELSE 'misses of four CTAs under serial dispatch' END AS note FROM vws_examples;
