#include "tests/support/cache_streams.h"

#include "estimator/cache/cache_levels.h"
#include "gpu/geometry/address_map.h"
#include "gpu/geometry/occupancy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void kept_fini(struct kept_stream *k)
{
    mem_free(k->op);
    mem_free(k->copied);
}

struct due_op {
    uint64_t time;
    uint32_t sm, seq;
    const struct stream_op *op;
};

static int due_order(const void *a, const void *b)
{
    const struct due_op *x = a, *y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    if (x->sm != y->sm) return x->sm < y->sm ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* What the SMs gave in a launch, in order. */
static bool kept_merge(struct kept_stream *k, struct sm_pass **sm)
{
    size_t n = 0;
    for (uint32_t s = 0; s < k->view.sms; s++)
        n += sm_pass_stream(sm[s])->n;
    struct due_op *due = mem_new(n + 1, sizeof *due);
    if (!due || !mem_grow(&k->op, &k->cap, k->n + n, sizeof *k->op)) {
        mem_free(due);
        return false;
    }
    n = 0;
    for (uint32_t s = 0; s < k->view.sms; s++) {
        struct stream *st = sm_pass_stream(sm[s]);
        for (size_t i = 0; i < st->n; i++) {
            due[n++] = (struct due_op){st->op[i].time, s, (uint32_t)i, &st->op[i]};
        }
    }
    qsort(due, n, sizeof *due, due_order);
    for (size_t i = 0; i < n; i++) {
        k->op[k->n++] = (struct kept_op){.addr = due[i].op->addr,
                                         .sm = due[i].sm,
                                         .kind = due[i].op->kind,
                                         .mask = due[i].op->mask,
                                         .whole = (uint8_t)sector_reuse_whole(due[i].op->parts),
                                         .pass = due[i].op->pass,
                                         .bypass = due[i].op->bypass};
    }
    mem_free(due);
    return true;
}

static bool kept_launch(struct kept_stream *k, struct sm_pass **sm, const struct program *p,
                        uint32_t launch, struct error *e)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < k->view.sms; i++) {
        bool done = false;
        const struct cta_share share = cta_dispatch_share(k->view.warps.dispatch, k->view.sms, i,
                                                          program_launch(p, launch)->ctas);
        ok = sm_pass_launch(sm[i], launch, i, &share, e);
        while (ok && !done)
            ok = sm_pass_run(sm[i], INFINITY, &done, e);
    }
    return ok && kept_merge(k, sm);
}

static bool kept_copy(struct kept_stream *k, const struct command *c)
{
    if (!mem_grow(&k->op, &k->cap, k->n + 1, sizeof *k->op) ||
        !mem_grow(&k->copied, &k->copied_cap, k->copies + 1, sizeof *k->copied))
        return false;
    k->op[k->n++] = (struct kept_op){.addr = c->addr, .sm = (uint32_t)k->copies, .kind = KEPT_COPY};
    k->copied[k->copies++] = c->bytes;
    return true;
}

bool kept_collect(struct kept_stream *k, const struct program *p, const struct profile_view *v,
                  struct error *e)
{
    static const struct followed_lines all_lines = {.one_in = 1};
    struct sm_pass **sm = mem_new(v->sms, sizeof *sm);
    bool ok = sm != NULL;
    *k = (struct kept_stream){.view = *v};
    for (uint32_t i = 0; ok && i < v->sms; i++)
        ok = (sm[i] = sm_pass_new(v, p, NULL, &all_lines, e)) != NULL;
    for (uint32_t i = 0; ok && i < program_commands(p); i++) {
        const struct command *c = program_command(p, i);
        if (c->kind == COMMAND_LAUNCH)
            ok = kept_launch(k, sm, p, c->launch, e);
        else if (c->kind == COMMAND_COPY_TO_DEVICE && v->copy_warms)
            ok = kept_copy(k, c);
    }
    for (uint32_t i = 0; sm && i < v->sms; i++)
        sm_pass_free(sm[i]);
    mem_free(sm);
    return ok;
}

/* --- exact caches --- */

struct exact {
    const struct machine *m;
    struct map map;
    struct cache *l1, *slice;
    struct hit_counts n;
};

static bool exact_init(struct exact *x, const struct machine *m)
{
    struct error e;
    *x = (struct exact){.m = m};
    x->l1 = mem_new(m->sm.count, sizeof *x->l1);
    x->slice = mem_new(m->l2.banks, sizeof *x->slice);
    bool ok = x->l1 && x->slice && map_init(&x->map, &m->l2, &m->dram, &e);
    for (uint32_t i = 0; ok && i < m->sm.count; i++)
        ok = cache_init(&x->l1[i], &m->l1.cache, 1, 0, false);
    for (uint32_t i = 0; ok && i < m->l2.banks; i++)
        ok = cache_init(&x->slice[i], &m->l2.cache, m->l2.banks, m->l2.interleave_bytes, false);
    return ok;
}

static void exact_fini(struct exact *x)
{
    for (uint32_t i = 0; x->l1 && i < x->m->sm.count; i++)
        cache_fini(&x->l1[i]);
    for (uint32_t i = 0; x->slice && i < x->m->l2.banks; i++)
        cache_fini(&x->slice[i]);
    mem_free(x->l1);
    mem_free(x->slice);
}

bool exact_touch(struct cache *c, const struct access *a)
{
    struct victim v;
    struct access_plan p = cache_plan(c, a);
    bool found = p.verdict == CACHE_HIT || p.written;
    cache_touch(c, a, &v);
    return found;
}

static void exact_l2(struct exact *x, const struct access *a)
{
    bool hit = exact_touch(&x->slice[map_slice(&x->map, a->addr)], a);
    if (a->kind == ACCESS_WRITE) {
        x->n.l2_writes++;
        x->n.l2_write_hits += hit;
    } else {
        x->n.l2_reads++;
        x->n.l2_hits += hit;
    }
}

static void exact_sector(struct exact *x, const struct kept_op *op, uint32_t s)
{
    struct cache *l1 = &x->l1[op->sm];
    uint32_t grain = x->m->l1.cache.sector_bytes;
    struct access a = {.addr = op->addr + (uint64_t)s * grain, .through = true};
    bool whole = op->whole >> s & 1;
    a.mask[0] = !whole ? 1 : grain >= 64 ? UINT64_MAX : (UINT64_C(1) << grain) - 1;
    a.mask[1] = whole && grain > 64 ? UINT64_MAX : 0;
    a.kind = op->kind == STREAM_READ    ? ACCESS_READ
             : op->kind == STREAM_WRITE ? ACCESS_WRITE
                                        : ACCESS_ATOMIC;
    bool looks = !op->bypass && a.kind != ACCESS_ATOMIC, hit = looks && exact_touch(l1, &a);
    if (looks && a.kind == ACCESS_READ) {
        x->n.l1_reads++;
        x->n.l1_hits += hit;
        if (hit) return;
    }
    a.through = false;
    exact_l2(x, &a);
}

static void exact_copy(struct exact *x, uint64_t addr, uint64_t bytes)
{
    uint32_t grain = x->m->l2.cache.sector_bytes;
    for (uint64_t at = addr / grain * grain; at < addr + bytes; at += grain) {
        struct access a = {.addr = at, .kind = ACCESS_READ};
        exact_touch(&x->slice[map_slice(&x->map, at)], &a);
    }
}

bool exact_run(const struct kept_stream *k, const struct machine *m, struct hit_counts *out)
{
    struct exact x;
    bool ok = exact_init(&x, m);
    for (size_t i = 0; ok && i < k->n; i++) {
        const struct kept_op *op = &k->op[i];
        if (op->kind == KEPT_COPY) {
            exact_copy(&x, op->addr, k->copied[op->sm]);
            continue;
        }
        if (op->emptied) cache_invalidate(&x.l1[op->sm]);
        for (uint32_t s = 0; s < k->view.l1_line / k->view.l1_sector; s++)
            if (op->mask >> s & 1) exact_sector(&x, op, s);
    }
    *out = x.n;
    exact_fini(&x);
    return ok;
}

/* --- the profile's answer --- */

void modelled_run(const struct profile *f, const struct machine *m, struct hit_counts *out)
{
    *out = (struct hit_counts){0};
    for (uint32_t i = 0; i < f->launches; i++) {
        const struct launch_profile *p = profile_launch(f, i);
        double lines = occupancy(&m->sm, &m->l1, &f->shape[i]).l1_kb * 1024.0 / f->view.l1_line;
        double sms = p->ctas < m->sm.count ? p->ctas : m->sm.count;
        struct cache_levels v;
        const struct cached_machine c = {&f->view, &m->l1, &m->l2, &m->l3, lines, m->sm.count, sms};
        cache_levels_find(&v, p, &c);
        out->l1_reads += v.l1.reads - v.l1_bypassed;
        out->l1_hits += v.l1.read_hits;
        out->l2_reads += v.l2.reads;
        out->l2_hits += v.l2.read_hits;
        out->l2_writes += v.l2.writes;
        out->l2_write_hits += v.l2.write_hits;
    }
}

double hit_share(double hits, double of)
{
    return of > 0 ? hits / of : 0;
}
