/* l2_variants.h - the L2s of a profile, each behind L1s of another capacity; for profile_build.c.
 */
#pragma once

#include "estimator/observer/sm_pass.h"

#include <string.h>

/* One L2 variant.  While L1s of two capacities have let the same accesses through, the first
 * variant represents both; they separate when their streams differ. */
struct level2 {
    struct chain c;
    struct hit_tally written; /* write-backs until the end of the last launch */
    uint32_t as;              /* the variant that represents this one */
};

static inline bool l2_variant_init(struct level2 *l, const struct profile_view *v)
{
    struct chain_params p = {
        .sectors = v->l2_line / v->l2_sector,
        .write_miss = v->l2_write_miss,
        .write_back = true,
        .nominal_lines = v->l2_class_bytes / v->l2_line,
        .reuse = {.lines = PROFILE_L2_BOUND_BYTES / v->l2_line},
    };
    set_view_orgs(&v->l2_at, p.reuse.lines, &p.reuse);
    p.nominal_org = set_view_nominal(&v->l2_at, p.nominal_lines, &p.nominal_ways);
    return chain_init(&l->c, &p);
}

static inline void l2_variant_copy(struct launch_profile *p, uint32_t to, uint32_t from)
{
    p->l2_writeback[to] = p->l2_writeback[from];
    p->l2_read[to] = p->l2_read[from];
    p->l2_write[to] = p->l2_write[from];
    p->l2_age[to] = p->l2_age[from];
    p->l2_write_age[to] = p->l2_write_age[from];
    p->l2_ops[to] = p->l2_ops[from];
}

static inline void l2_variants_finish(struct level2 l2[PROFILE_L1S], struct launch_profile *p)
{
    for (uint32_t i = 0; i < PROFILE_L1S; i++) {
        struct level2 *l = &l2[i];
        if (l->as != i) {
            l2_variant_copy(p, i, l->as);
            continue;
        }
        struct hit_tally upto = l->c.writeback, here;
        chain_open_writebacks(&l->c, &upto);
        here.total = upto.total - l->written.total;
        here.far = upto.far - l->written.far;
        for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
            here.near[b] = upto.near[b] - l->written.near[b];
        memset(here.in_set, 0, sizeof here.in_set);
        l->written = upto;
        hit_tally_curve(&here, &p->l2_writeback[i]);
        hit_tally_curve(&l->c.read, &p->l2_read[i]);
        hit_tally_curve(&l->c.write, &p->l2_write[i]);
        hit_tally_curve(&l->c.age, &p->l2_age[i]);
        hit_tally_curve(&l->c.write_age, &p->l2_write_age[i]);
        p->l2_ops[i] = (double)l->c.now;
    }
}
