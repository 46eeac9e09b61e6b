/* cache_formulas.h - hit rates by plumb's model and by the formulas of public reuse-distance
 * models, on one stream.
 *
 *   plumb      estimator/cache/cache_levels.h
 *   full       hit where the stack distance is below the capacity in lines (Mattson; RDGC, AET and
 *              StatStack have no sets either)
 *   sdcm       PPT-GPU's code: P(hit | D) = 1 - Q(|A - 1 - mean| / sd),
 *              mean and sd of D lines spread over the sets; the L2 sees all accesses, those that
 * hit in L1s too binomial   the same with the exact binomial law instead of the normal one, else as
 * PPT-GPU per_set    Nugteren et al.: distances inside the sets of one core, a hit at distances up
 * to the ways (one too many), loads only; it has no L2
 *
 * Public models know no sectors: they see lines.  Loads at the L1 (stores pass by), all accesses at
 * the L2. */
#pragma once

#include "tests/support/cache_streams.h"

#include <math.h>

enum formula {
    FORMULA_PLUMB,
    FORMULA_FULL,
    FORMULA_SDCM,
    FORMULA_BINOMIAL,
    FORMULA_PER_SET,
    FORMULAS
};
static const char *const formula_name[FORMULAS] = {"plumb", "fully associative", "sdcm (PPT-GPU)",
                                                   "sdcm, binomial law", "per set (Nugteren)"};

struct distances { /* line distances of all loads in their SM, of all accesses in the whole GPU */
    struct hit_tally l1, l2;
};

static inline bool one_distance(struct reuse *r, uint64_t line, struct hit_tally *t)
{
    struct reuse_distance d;
    if (!reuse_touch(r, line, &d)) return false;
    hit_tally_add(t, d.fresh ? REUSE_FAR : d.global, NULL, 0);
    return true;
}

static inline bool distances_find(struct distances *d, const struct kept_stream *k)
{
    const struct reuse_params of_sm = {.lines = 1 << 14}, of_all = {.lines = 1 << 21};
    struct reuse *sm = mem_new(k->view.sms, sizeof *sm), all = {0};
    bool ok = sm && reuse_init(&all, &of_all, NULL, NULL);
    for (uint32_t i = 0; ok && i < k->view.sms; i++)
        ok = reuse_init(&sm[i], &of_sm, NULL, NULL);
    for (size_t i = 0; ok && i < k->n; i++) {
        const struct kept_op *op = &k->op[i];
        if (op->kind == KEPT_COPY) continue;
        if (op->emptied) reuse_clear(&sm[op->sm]);
        if (op->kind == STREAM_READ && !op->bypass)
            ok = one_distance(&sm[op->sm], op->addr / k->view.l1_line, &d->l1);
        ok = ok && one_distance(&all, op->addr / k->view.l2_line, &d->l2);
    }
    for (uint32_t i = 0; sm && i < k->view.sms; i++)
        reuse_fini(&sm[i]);
    reuse_fini(&all);
    mem_free(sm);
    return ok;
}

static inline void distances_fini(struct distances *d)
{
    *d = (struct distances){0};
}

static inline double sdcm_hit(double d, double ways, double sets)
{
    double mean = d / sets, sd = sqrt(mean * (1 - 1 / sets));
    if (sets <= 1 || d <= 0) return d < ways * sets;
    return 1 - 0.5 * erfc(fabs(ways - 1 - mean) / sd / sqrt(2));
}

static inline double law_of_formula(enum formula f, double d, double ways, double sets)
{
    if (f == FORMULA_SDCM) return sdcm_hit(d, ways, sets);
    if (f == FORMULA_BINOMIAL) return hit_curve_binomial(d, ways, sets);
    return d < ways * sets;
}

static inline double distance_rate(const struct hit_tally *t, enum formula f, double ways,
                                   double sets)
{
    double hits = 0;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        if (t->near[b] > 0)
            hits +=
                t->near[b] *
                law_of_formula(f, 0.5 * (hit_curve_bucket_low(b) + hit_curve_bucket_low(b + 1) - 1),
                               ways, sets);
    return rate(hits, t->total);
}

/* Loads in unsectored LRU caches with the machine's sets and one way more, one for each SM. */
static inline bool per_set_rate(const struct kept_stream *k, const struct machine *m, double *out)
{
    struct cache_params p = m->l1.cache;
    struct cache *l1 = mem_new(m->sm.count, sizeof *l1);
    bool ok = l1 != NULL;
    double hits = 0, n = 0;
    p.ways++;
    p.sector_bytes = p.line_bytes;
    for (uint32_t i = 0; ok && i < m->sm.count; i++)
        ok = cache_init(&l1[i], &p, 1, 0, false);
    for (size_t i = 0; ok && i < k->n; i++) {
        const struct kept_op *op = &k->op[i];
        if (op->kind == KEPT_COPY) continue;
        if (op->emptied) cache_invalidate(&l1[op->sm]);
        if (op->kind != STREAM_READ || op->bypass) continue;
        struct access a = {.addr = op->addr, .kind = ACCESS_READ};
        hits += exact_touch(&l1[op->sm], &a);
        n++;
    }
    for (uint32_t i = 0; l1 && i < m->sm.count; i++)
        cache_fini(&l1[i]);
    mem_free(l1);
    *out = rate(hits, n);
    return ok;
}

/* [formula][0 = L1, 1 = L2]; NAN: it has no such answer.  false: no memory. */
static inline bool formulas_say(double said[FORMULAS][2], const struct profile *f,
                                const struct kept_stream *k, const struct distances *d,
                                const struct machine *m)
{
    struct hit_counts ours;
    double l2_sets = (double)m->l2.banks * m->l2.cache.sets;
    modelled_run(f, m, &ours);
    said[FORMULA_PLUMB][0] = rate(ours.l1_hits, ours.l1_reads);
    said[FORMULA_PLUMB][1] = rate(ours.l2_hits, ours.l2_reads);
    for (enum formula i = FORMULA_FULL; i <= FORMULA_BINOMIAL; i++) {
        said[i][0] = distance_rate(&d->l1, i, m->l1.cache.ways, m->l1.cache.sets);
        said[i][1] = distance_rate(&d->l2, i, m->l2.cache.ways, l2_sets);
    }
    said[FORMULA_PER_SET][1] = NAN;
    return per_set_rate(k, m, &said[FORMULA_PER_SET][0]);
}
