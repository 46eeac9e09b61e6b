#include "tests/support/cache_formulas.h"

#include <math.h>

const char *const formula_name[FORMULAS] = {"plumb", "fully associative", "sdcm (PPT-GPU)",
                                            "sdcm, binomial law", "per set (Nugteren)"};

static bool one_distance(struct reuse *r, uint64_t line, struct hit_tally *t)
{
    struct reuse_distance d;
    if (!reuse_touch(r, line, &d)) return false;
    hit_tally_add(t, d.fresh ? REUSE_FAR : d.global, NULL, 0);
    return true;
}

bool distances_find(struct distances *d, const struct kept_stream *k)
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

void distances_fini(struct distances *d)
{
    *d = (struct distances){0};
}

static double sdcm_hit(double d, double ways, double sets)
{
    double mean = d / sets, sd = sqrt(mean * (1 - 1 / sets));
    if (sets <= 1 || d <= 0) return d < ways * sets;
    return 1 - 0.5 * erfc(fabs(ways - 1 - mean) / sd / sqrt(2));
}

static double law_of_formula(enum formula f, double d, double ways, double sets)
{
    if (f == FORMULA_SDCM) return sdcm_hit(d, ways, sets);
    if (f == FORMULA_BINOMIAL) return hit_curve_binomial(d, ways, sets);
    return d < ways * sets;
}

static double distance_rate(const struct hit_tally *t, enum formula f, double ways, double sets)
{
    double hits = 0;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        if (t->near[b] > 0)
            hits +=
                t->near[b] *
                law_of_formula(f, 0.5 * (hit_curve_bucket_low(b) + hit_curve_bucket_low(b + 1) - 1),
                               ways, sets);
    return hit_share(hits, t->total);
}

/* Loads in unsectored LRU caches with the machine's sets and one way more, one for each SM. */
static bool per_set_rate(const struct kept_stream *k, const struct machine *m, double *out)
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
    *out = hit_share(hits, n);
    return ok;
}

bool formulas_say(double said[FORMULAS][2], const struct profile *f, const struct kept_stream *k,
                  const struct distances *d, const struct machine *m)
{
    struct hit_counts ours;
    double l2_sets = (double)m->l2.banks * m->l2.cache.sets;
    modelled_run(f, m, &ours);
    said[FORMULA_PLUMB][0] = hit_share(ours.l1_hits, ours.l1_reads);
    said[FORMULA_PLUMB][1] = hit_share(ours.l2_hits, ours.l2_reads);
    for (enum formula i = FORMULA_FULL; i <= FORMULA_BINOMIAL; i++) {
        said[i][0] = distance_rate(&d->l1, i, m->l1.cache.ways, m->l1.cache.sets);
        said[i][1] = distance_rate(&d->l2, i, m->l2.cache.ways, l2_sets);
    }
    said[FORMULA_PER_SET][1] = NAN;
    return per_set_rate(k, m, &said[FORMULA_PER_SET][0]);
}
