/* access_count.c - see access_count.h. */
#include "sampler/statistics/access_count.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "gpu/geometry/coalesce.h"
#include "gpu/machine/machine.h"
#include "gpu/policies/scalar_rule.h"
#include "sampler/constants.h"
#include "trace/program/cursor.h"

#include <math.h>

enum { SLICES = 64 };

/* Sums over CTAs: of their instructions and accesses, of squares and products. */
struct sums {
    double ctas, n, x, nn, nx, xx;
    struct error error;
};

struct count {
    const struct machine *m;
    const struct program *p;
    const bool *selected;
    uint64_t step; /* one of so many CTAs is counted */
    bool (*beside)(void *ctx);
    void *ctx;
    struct sums slice[SLICES];
};

/* Counts accesses as SMs and the functional pass (gpu/functional/memory/functional_caches.c) send
 * them. */
static uint32_t accesses_of(const struct machine *m, const struct warp_inst *inst)
{
    struct txn txn[COALESCE_MAX];
    uint32_t sector = m->l1.enabled ? m->l1.cache.sector_bytes : m->l2.cache.sector_bytes;
    uint8_t cls = inst->si->cls;
    if (!inst_op_is_global(cls) || scalar_takes(m->scalar.loads, inst)) return 0;
    struct coalesce_params cp = coalesce_of(&m->sm, cls, sector);
    return coalesce(&cp, inst, txn);
}

static bool count_cta(const struct count *c, struct reader *r, uint32_t launch, uint64_t cta,
                      struct sums *s)
{
    uint64_t n = 0, x = 0;
    for (uint32_t warp = 0; warp < program_launch(c->p, launch)->warps_per_cta; warp++) {
        struct cursor at = {0};
        struct warp_inst inst;
        enum got got;
        if (!cursor_seek(&at, r, launch, cta, warp, 0, &s->error)) return false;
        while ((got = cursor_next(&at, &inst, &s->error)) == GOT_INST) {
            n++;
            x += accesses_of(c->m, &inst);
        }
        cursor_release(&at);
        if (got == GOT_ERROR) return false;
    }
    double dn = (double)n, dx = (double)x;
    s->ctas++;
    s->n += dn;
    s->x += dx;
    s->nn += dn * dn;
    s->nx += dn * dx;
    s->xx += dx * dx;
    return true;
}

/* CTAs are numbered through the selected launches; slice i counts its part of the chosen ones. */
static bool count_slice(struct count *c, size_t i)
{
    struct sums *s = &c->slice[i];
    struct reader *r = reader_new(c->p, &s->error);
    bool ok = r != NULL;
    uint64_t before = 0;
    for (uint32_t l = 0; ok && l < program_launches(c->p); l++) {
        uint64_t ctas = program_launch(c->p, l)->ctas;
        if (!c->selected[l]) continue;
        uint64_t first = (c->step - before % c->step) % c->step;
        for (uint64_t k = first; ok && k < ctas; k += c->step)
            if ((before + k) / c->step % SLICES == i) ok = count_cta(c, r, l, k, s);
        before += ctas;
    }
    reader_free(r);
    return ok;
}

static bool slice_job(size_t i, unsigned worker, void *ctx)
{
    (void)worker;
    return count_slice(ctx, i);
}

/* Job 0 is the caller's job beside the slices. */
static bool count_job(size_t i, unsigned worker, void *ctx)
{
    struct count *c = ctx;
    if (i > 0) return slice_job(i - 1, worker, ctx);
    return !c->beside || c->beside(c->ctx);
}

/* The total by the ratio; its variance for CTAs drawn at random is Cochran's 6.4. */
static struct access_counts sum_slices(const struct count *c, uint64_t ctas, uint64_t instructions)
{
    struct sums t = {0};
    for (uint32_t i = 0; i < SLICES; i++) {
        const struct sums *s = &c->slice[i];
        t.ctas += s->ctas, t.n += s->n, t.x += s->x;
        t.nn += s->nn, t.nx += s->nx, t.xx += s->xx;
    }
    if (!(t.n > 0)) return (struct access_counts){0};
    double ratio = t.x / t.n, all = (double)ctas;
    double square = t.xx - 2 * ratio * t.nx + ratio * ratio * t.nn;
    if (c->step == 1 || t.ctas < 2 || square < 0) square = 0;
    return (struct access_counts){
        .total = c->step == 1 ? t.x : ratio * (double)instructions,
        .variance = square > 0 ? all * (all - t.ctas) / t.ctas * square / (t.ctas - 1) : 0};
}

/* One CTA in so many is counted to read about `read` of n instructions: an odd number, since
 * programs repeat themselves in even ones. */
static uint64_t step_to_read(uint64_t n, uint64_t read)
{
    return (n > read ? (n - 1) / read + 1 : 1) | 1;
}

static bool is_known(const struct count *c, const struct access_counts *a)
{
    double ctas = 0;
    for (uint32_t i = 0; i < SLICES; i++)
        ctas += c->slice[i].ctas;
    return c->step == 1 ||
           (ctas >= ACCESS_CTAS_LEAST && sqrt(a->variance) <= ACCESSES_KNOWN * a->total);
}

/* Counts few CTAs first; more, beside the caller's job, if these leave the total in doubt. */
static bool count_in_two(struct count *c, uint64_t ctas, uint64_t n, uint64_t read,
                         unsigned threads, struct access_counts *out)
{
    c->step = step_to_read(n, read / ACCESS_COUNT_FIRST);
    if (!parallel_map(threads, SLICES, slice_job, c)) return false;
    *out = sum_slices(c, ctas, n);
    if (is_known(c, out)) return !c->beside || c->beside(c->ctx);
    c->step = step_to_read(n, read);
    for (uint32_t i = 0; i < SLICES; i++)
        c->slice[i] = (struct sums){0};
    if (!parallel_map(threads, SLICES + 1, count_job, c)) return false;
    *out = sum_slices(c, ctas, n);
    return true;
}

bool access_count_run(const struct machine *m, const struct program *p, const bool *selected,
                      uint64_t read, unsigned threads, bool (*beside)(void *ctx), void *ctx,
                      struct access_counts *out, struct error *e)
{
    uint64_t ctas = 0, n = 0;
    for (uint32_t l = 0; l < program_launches(p); l++) {
        if (!selected[l]) continue;
        ctas += program_launch(p, l)->ctas;
        n += program_cta_start(p, l, program_launch(p, l)->ctas);
    }
    struct count *c = mem_new(1, sizeof *c);
    if (!c) return error_no_memory(e);
    *c = (struct count){.m = m, .p = p, .selected = selected, .beside = beside, .ctx = ctx};
    bool ok = count_in_two(c, ctas, n, read, parallel_threads(threads), out);
    for (uint32_t i = 0; !ok && i < SLICES; i++)
        if (c->slice[i].error.kind != ERROR_NONE) *e = c->slice[i].error;
    mem_free(c);
    return ok;
}
