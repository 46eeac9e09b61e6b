/* chain.c - see chain.h. */
#include "estimator/chain.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum { CLEAN = UINT32_MAX }; /* of chain_line.dirty */
#define LONG_AGO (UINT32_C(1) << 31)

struct chain_line {
    uint32_t readable[CHAIN_SECTORS]; /* greatest line distance since the sector was last whole */
    uint32_t present[CHAIN_SECTORS];  /* ... since it was last touched at all */
    uint32_t dirty[CHAIN_SECTORS];    /* ... since its last write, CLEAN = none */
    uint32_t
        fetched[CHAIN_SECTORS]; /* time of the last miss at the nominal capacity, modulo 2^32 */
    uint8_t in_set[CHAIN_SECTORS][REUSE_ORGS]; /* as readable, inside the sets */
};

static void on_drop(void *ctx, uint32_t id)
{
    struct chain *c = ctx;
    struct chain_line *l = &c->line[id];
    for (uint32_t s = 0; s < c->p.sectors; s++)
        if (l->dirty[s] != CLEAN) tally_add(&c->writeback, REUSE_FAR, NULL, 0);
}

bool chain_init(struct chain *c, const struct chain_params *p)
{
    assert(p->sectors >= 1 && p->sectors <= CHAIN_SECTORS);
    *c = (struct chain){.p = *p, .counting = true};
    return reuse_init(&c->reuse, &p->reuse, p->write_back ? on_drop : NULL, c);
}

void chain_fini(struct chain *c)
{
    reuse_fini(&c->reuse);
    mem_free(c->line);
    c->line = NULL;
}

static void flush_one(void *ctx, uint32_t id, uint32_t depth)
{
    (void)depth;
    on_drop(ctx, id);
}

void chain_flush(struct chain *c)
{
    if (c->p.write_back) reuse_each(&c->reuse, flush_one, c);
    reuse_clear(&c->reuse);
}

void chain_reset_tallies(struct chain *c)
{
    c->read = c->write = c->age = (struct tally){0};
}

static uint32_t max32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void line_fresh(struct chain_line *l, uint32_t now)
{
    for (uint32_t s = 0; s < CHAIN_SECTORS; s++)
        l->fetched[s] = now - LONG_AGO;

    memset(l->readable, 0xff, sizeof l->readable);
    memset(l->present, 0xff, sizeof l->present);
    memset(l->dirty, 0xff, sizeof l->dirty);
    memset(l->in_set, 0xff, sizeof l->in_set);
}

/* The line was touched at distance d: every sector's maxima rise to it. */
static void line_raise(const struct chain *c, struct chain_line *l, const struct reuse_distance *d)
{
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        l->readable[s] = max32(l->readable[s], d->global);
        l->present[s] = max32(l->present[s], d->global);
        if (l->dirty[s] != CLEAN) l->dirty[s] = max32(l->dirty[s], d->global);
        for (uint32_t o = 0; o < c->p.reuse.n_orgs; o++)
            if (l->in_set[s][o] < d->in_set[o]) l->in_set[s][o] = d->in_set[o];
    }
}

static struct chain_line *touch(struct chain *c, uint64_t line)
{
    struct reuse_distance d;
    c->now++;
    if (!reuse_touch(&c->reuse, line, &d) ||
        !mem_grow(&c->line, &c->line_cap, (size_t)d.id + 1, sizeof *c->line)) {
        c->failed = true;
        return NULL;
    }
    struct chain_line *l = &c->line[d.id];
    c->last = d.id;
    if (d.fresh)
        line_fresh(l, (uint32_t)c->now);
    else
        line_raise(c, l, &d);
    return l;
}

static void read_sector(struct chain *c, struct chain_line *l, uint32_t s)
{
    uint32_t v = l->readable[s];
    if (c->counting) {
        tally_add(&c->read, v, l->in_set[s], c->p.reuse.n_orgs);
        if (v < c->p.nominal_lines) {
            uint32_t age = (uint32_t)c->now - l->fetched[s];
            tally_add(&c->age, age, NULL, 0);
        }
    }
    if (v >= c->p.nominal_lines) l->fetched[s] = (uint32_t)c->now - (c->counting ? 0 : LONG_AGO);
    l->readable[s] = l->present[s] = 0;
    memset(l->in_set[s], 0, sizeof l->in_set[s]);
}

void chain_read(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS])
{
    struct chain_line *l = touch(c, line);
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        if (!(mask >> s & 1)) continue;
        value[s] = l ? l->readable[s] : REUSE_FAR;
        if (l) read_sector(c, l, s);
    }
}

static void dirty_sector(struct chain *c, struct chain_line *l, uint32_t s)
{
    if (!c->p.write_back) return;
    if (l->dirty[s] != CLEAN) tally_add(&c->writeback, l->dirty[s], NULL, 0);
    l->dirty[s] = 0;
}

static void write_sector(struct chain *c, struct chain_line *l, uint32_t s, bool whole)
{
    if (c->counting) tally_add(&c->write, l->present[s], l->in_set[s], c->p.reuse.n_orgs);
    dirty_sector(c, l, s);
    l->present[s] = 0;
    if (!whole && c->p.write_miss == WRITE_MISS_LAZY_FETCH)
        return; /* not readable before a fetch */
    if (c->p.write_miss == WRITE_MISS_FETCH && l->readable[s] >= c->p.nominal_lines)
        l->fetched[s] = (uint32_t)c->now;
    else if (l->readable[s] >= c->p.nominal_lines)
        l->fetched[s] = (uint32_t)c->now - LONG_AGO;
    l->readable[s] = 0;
    memset(l->in_set[s], 0, sizeof l->in_set[s]);
}

/* Stores that take no line say whether they found their sector; a hit refreshes the line. */
static void write_past(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS])
{
    struct reuse_distance d;
    struct chain_line *l = NULL, seen;
    if (reuse_peek(&c->reuse, line, &d)) {
        bool hit = d.global < c->p.nominal_lines;
        l = hit ? touch(c, line) : &c->line[d.id];
        if (l) seen = *l;
        if (l && !hit) line_raise(c, &seen, &d);
    }
    if (!l) line_fresh(&seen, (uint32_t)c->now);
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        if (!(mask >> s & 1)) continue;
        value[s] = seen.present[s];
        if (c->counting) tally_add(&c->write, value[s], seen.in_set[s], c->p.reuse.n_orgs);
        if (value[s] != REUSE_FAR) dirty_sector(c, l, s);
    }
}

void chain_write(struct chain *c, uint64_t line, uint32_t mask, uint32_t whole,
                 uint32_t value[CHAIN_SECTORS])
{
    if (c->p.write_miss == WRITE_MISS_NO_ALLOCATE) {
        write_past(c, line, mask, value);
        return;
    }
    struct chain_line *l = touch(c, line);
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        if (!(mask >> s & 1)) continue;
        value[s] = l ? l->present[s] : REUSE_FAR;
        if (l) write_sector(c, l, s, whole >> s & 1);
    }
}

void chain_atomic(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS])
{
    struct chain_line *l = touch(c, line);
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        if (!(mask >> s & 1)) continue;
        value[s] = l ? l->readable[s] : REUSE_FAR;
        if (!l) continue;
        read_sector(c, l, s);
        dirty_sector(c, l, s);
    }
}

struct open_walk {
    const struct chain *c;
    struct tally *t;
};

static void open_one(void *ctx, uint32_t id, uint32_t depth)
{
    struct open_walk *w = ctx;
    const struct chain_line *l = &w->c->line[id];
    for (uint32_t s = 0; s < w->c->p.sectors; s++)
        if (l->dirty[s] != CLEAN) tally_add(w->t, max32(l->dirty[s], depth), NULL, 0);
}

void chain_open_writebacks(const struct chain *c, struct tally *t)
{
    struct open_walk w = {c, t};
    if (c->p.write_back) reuse_each(&c->reuse, open_one, &w);
}
