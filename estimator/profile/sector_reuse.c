/* sector_reuse.c - see sector_reuse.h. */
#include "estimator/profile/sector_reuse.h"

#include "base/memory/alloc.h"
#include "base/memory/prefetch.h"

#include <assert.h>
#include <string.h>

enum { CLEAN = UINT32_MAX }; /* value of chain_sector.dirty */
#define LONG_AGO (UINT32_C(1) << 31)
enum { LAUNCHES_APART = 1 << 20 }; /* of the clock; no fetch outlasts its launch */

struct chain_sector {
    /* largest line distance since the sector was last fetched, or all of it was written */
    uint32_t readable;
    uint32_t present; /* ... since it was last touched at all */
    uint32_t dirty;   /* ... since its last write, CLEAN = none */
    uint32_t joined;  /* ... since the first of the writes that left `parts` */
    uint32_t fetched; /* clock of the last miss at the nominal capacity */
    /* the same distances inside the sets */
    uint8_t readable_in[REUSE_ORGS], present_in[REUSE_ORGS], joined_in[REUSE_ORGS],
        dirty_in[REUSE_ORGS];
    bool written;       /* since its last read */
    uint8_t emptied_at; /* chain.emptied at its last touch */
    uint8_t parts;      /* written since it was last readable */
};

static struct chain_sector *sectors_of(const struct chain *c, uint32_t id)
{
    return c->sector + (size_t)id * c->p.sectors;
}

bool chain_init(struct chain *c, const struct chain_params *p)
{
    assert(p->sectors >= 1 && p->sectors <= CHAIN_SECTORS);
    *c = (struct chain){.p = *p, .counting = true};
    c->nominal_bucket = (uint8_t)histogram_bucket(p->nominal_ways);
    return reuse_init(&c->reuse, &p->reuse, NULL, NULL);
}

void chain_fini(struct chain *c)
{
    reuse_fini(&c->reuse);
    mem_free(c->sector);
    c->sector = NULL;
}

void chain_flush(struct chain *c)
{
    reuse_clear(&c->reuse);
}

static void clean_one(void *ctx, uint32_t id, uint32_t depth)
{
    struct chain *c = ctx;
    struct chain_sector *l = sectors_of(c, id);
    (void)depth;
    for (uint32_t s = 0; s < c->p.sectors; s++)
        l[s].dirty = CLEAN;
}

void chain_empty(struct chain *c)
{
    c->emptied++;
    if (c->p.write_back) reuse_each(&c->reuse, clean_one, c);
}

void chain_reset_tallies(struct chain *c)
{
    for (uint32_t k = 0; k < CHAIN_CLASSES; k++) {
        hit_tally_clear(&c->read[k].distance);
        hit_tally_clear(&c->read[k].written);
        hit_tally_clear(&c->read[k].old);
        hit_tally_clear(&c->read[k].age);
    }
    hit_tally_clear(&c->write);
    hit_tally_clear(&c->write_old);
    hit_tally_clear(&c->write_age);
    hit_tally_clear(&c->soiled);
    c->clock += LAUNCHES_APART;
}

void chain_soon(const struct chain *c, uint64_t line)
{
    reuse_soon(&c->reuse, line);
}

void chain_sooner(const struct chain *c, uint64_t line)
{
    uint32_t id;
    if (reuse_soon_id(&c->reuse, line, &id)) prefetch_line(sectors_of(c, id));
}

static uint32_t max32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void far_in_sets(struct chain_sector *s)
{
    memset(s->readable_in, REUSE_SET_FAR, sizeof s->readable_in);
    memset(s->present_in, REUSE_SET_FAR, sizeof s->present_in);
}

static void read_or_whole(struct chain_sector *s)
{
    s->readable = s->present = 0;
    s->parts = 0;
    memset(s->readable_in, 0, sizeof s->readable_in);
    memset(s->present_in, 0, sizeof s->present_in);
}

static void line_fresh(const struct chain *c, struct chain_sector *l)
{
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        l[s] = (struct chain_sector){.readable = REUSE_FAR,
                                     .present = REUSE_FAR,
                                     .dirty = CLEAN,
                                     .fetched = c->clock - LONG_AGO};
        far_in_sets(&l[s]);
    }
}

/* The line was touched at distance d: raises every sector's maxima to it. */
static void line_raise(const struct chain *c, struct chain_sector *l,
                       const struct reuse_distance *d)
{
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        l[s].readable = max32(l[s].readable, d->global);
        l[s].present = max32(l[s].present, d->global);
        if (l[s].dirty != CLEAN) l[s].dirty = max32(l[s].dirty, d->global);
        l[s].joined = max32(l[s].joined, d->global);
        for (uint32_t o = 0; o < c->p.reuse.n_orgs; o++) {
            if (l[s].readable_in[o] < d->in_set[o]) l[s].readable_in[o] = d->in_set[o];
            if (l[s].present_in[o] < d->in_set[o]) l[s].present_in[o] = d->in_set[o];
            if (l[s].joined_in[o] < d->in_set[o]) l[s].joined_in[o] = d->in_set[o];
            if (l[s].dirty_in[o] < d->in_set[o]) l[s].dirty_in[o] = d->in_set[o];
        }
    }
}

static bool readable_here(const struct chain *c, const struct chain_sector *s)
{
    if (c->p.nominal_ways) return s->readable_in[c->p.nominal_org] < c->nominal_bucket;
    return s->readable < c->p.nominal_lines;
}

static bool present_here(const struct chain *c, const struct chain_sector *s)
{
    if (c->p.nominal_ways) return s->present_in[c->p.nominal_org] < c->nominal_bucket;
    return s->present < c->p.nominal_lines;
}

bool chain_has(const struct chain *c, uint64_t line, bool *known)
{
    if (c->p.nominal_ways)
        return reuse_in_set(&c->reuse, line, c->p.nominal_org, c->p.nominal_ways, known);
    uint32_t depth = reuse_depth(&c->reuse, line);
    *known = depth != REUSE_FAR;
    return depth < c->p.nominal_lines;
}

static bool room_for(struct chain *c, size_t sectors)
{
    return sectors <= c->sector_cap ||
           mem_grow(&c->sector, &c->sector_cap, sectors, sizeof *c->sector);
}

static struct chain_sector *touch_line(struct chain *c, uint64_t line)
{
    struct reuse_distance d;
    c->now++;
    c->clock++;
    if (!reuse_touch(&c->reuse, line, &d) || !room_for(c, ((size_t)d.id + 1) * c->p.sectors)) {
        c->failed = true;
        return NULL;
    }
    struct chain_sector *l = sectors_of(c, d.id);
    c->last = d.id;
    if (d.fresh)
        line_fresh(c, l);
    else
        line_raise(c, l, &d);
    return l;
}

static void read_sector(struct chain *c, struct chain_sector *l, uint32_t s)
{
    uint32_t v = l[s].readable;
    bool here = readable_here(c, &l[s]);
    c->missed |= (uint32_t)!here << s;
    if (c->counting) {
        hit_tally_add(&c->read[c->reads].distance, v, l[s].readable_in, c->p.reuse.n_orgs);
        if (l[s].emptied_at != c->emptied)
            hit_tally_add(&c->read[c->reads].old, v, l[s].readable_in, c->p.reuse.n_orgs);
        if (l[s].written)
            hit_tally_add(&c->read[c->reads].written, v, l[s].readable_in, c->p.reuse.n_orgs);
        if (here && !(c->p.has_come && c->p.has_come(c->p.fetches, c->last))) {
            uint32_t age = c->clock - l[s].fetched;
            hit_tally_add(&c->read[c->reads].age, age, NULL, 0);
        }
    }
    if (!here) l[s].fetched = c->clock - (c->counting ? 0 : LONG_AGO);
    l[s].written = false;
    l[s].emptied_at = c->emptied;
    read_or_whole(&l[s]);
}

void chain_read(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS])
{
    struct chain_sector *l = touch_line(c, line);
    c->missed = l ? 0 : mask;
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        if (!(mask >> s & 1)) continue;
        value[s] = l ? l[s].readable : REUSE_FAR;
        if (l) read_sector(c, l, s);
    }
}

void chain_again(struct chain *c, uint32_t n)
{
    static const uint8_t near[REUSE_ORGS];
    for (uint32_t i = 0; c->counting && i < n; i++)
        hit_tally_add(&c->read[c->reads].distance, 0, near, c->p.reuse.n_orgs);
}

static void dirty_sector(struct chain *c, struct chain_sector *l, uint32_t s)
{
    if (!c->p.write_back) return;
    if (c->counting && l[s].dirty != CLEAN)
        hit_tally_add(&c->soiled, l[s].dirty, l[s].dirty_in, c->p.reuse.n_orgs);
    else if (c->counting)
        c->soiled.total += 1;
    l[s].dirty = 0;
    memset(l[s].dirty_in, 0, sizeof l[s].dirty_in);
}

/* The sector is readable without a fetch once all its parts are written, in caches that it has not
 * left since the first of them.  Who writes the same parts again begins anew. */
static void join_parts(const struct chain *c, struct chain_sector *s, uint32_t parts)
{
    if (!s->parts || (s->parts & parts)) {
        s->parts = 0;
        s->joined = 0;
        memset(s->joined_in, 0, sizeof s->joined_in);
    }
    s->parts |= (uint8_t)parts;
    if (s->parts != CHAIN_ALL_PARTS) return;
    s->parts = 0;
    if (s->joined < s->readable) s->readable = s->joined;
    for (uint32_t o = 0; o < c->p.reuse.n_orgs; o++)
        if (s->joined_in[o] < s->readable_in[o]) s->readable_in[o] = s->joined_in[o];
}

static void write_sector(struct chain *c, struct chain_sector *l, uint32_t s, uint32_t parts)
{
    bool here = readable_here(c, &l[s]);
    c->missed |= (uint32_t)!present_here(c, &l[s]) << s;
    if (c->counting) hit_tally_add(&c->write, l[s].present, l[s].present_in, c->p.reuse.n_orgs);
    if (c->counting && l[s].emptied_at != c->emptied)
        hit_tally_add(&c->write_old, l[s].present, l[s].present_in, c->p.reuse.n_orgs);
    if (c->counting && here && c->p.write_miss == WRITE_MISS_FETCH)
        hit_tally_add(&c->write_age, c->clock - l[s].fetched, NULL, 0);
    dirty_sector(c, l, s);
    l[s].written = true;
    l[s].emptied_at = c->emptied;
    l[s].present = 0;
    memset(l[s].present_in, 0, sizeof l[s].present_in);
    if (parts != CHAIN_ALL_PARTS && c->p.write_miss == WRITE_MISS_LAZY_FETCH) {
        join_parts(c, &l[s], parts);
        return;
    }
    if (c->p.write_miss == WRITE_MISS_FETCH && !here)
        l[s].fetched = c->clock;
    else if (!here)
        l[s].fetched = c->clock - LONG_AGO;
    read_or_whole(&l[s]);
}

/* Stores that do not allocate report whether they found their sector; a hit refreshes the line. */
static void write_past(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS])
{
    struct reuse_distance d;
    struct chain_sector *l = NULL, seen[CHAIN_SECTORS];
    bool known, hit = chain_has(c, line, &known);
    if (known) {
        if (hit)
            l = touch_line(c, line);
        else if (reuse_peek(&c->reuse, line, &d))
            l = sectors_of(c, d.id);
        for (uint32_t s = 0; l && s < c->p.sectors; s++)
            l[s].written |= mask >> s & 1;
        if (l) memcpy(seen, l, c->p.sectors * sizeof *l);
        if (l && !hit) line_raise(c, seen, &d);
    }
    if (!l) line_fresh(c, seen);
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        if (!(mask >> s & 1)) continue;
        value[s] = seen[s].present;
        c->missed |= (uint32_t)!present_here(c, &seen[s]) << s;
        if (c->counting) hit_tally_add(&c->write, value[s], seen[s].present_in, c->p.reuse.n_orgs);
        if (value[s] != REUSE_FAR) dirty_sector(c, l, s);
    }
}

void chain_write(struct chain *c, uint64_t line, uint32_t mask, uint32_t parts,
                 uint32_t value[CHAIN_SECTORS])
{
    c->missed = 0;
    if (c->p.write_miss == WRITE_MISS_NO_ALLOCATE) {
        write_past(c, line, mask, value);
        return;
    }
    struct chain_sector *l = touch_line(c, line);
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        if (!(mask >> s & 1)) continue;
        value[s] = l ? l[s].present : REUSE_FAR;
        if (l) write_sector(c, l, s, parts >> s * CHAIN_PARTS & CHAIN_ALL_PARTS);
    }
}

static void forget_sector(struct chain_sector *s)
{
    s->readable = s->present = REUSE_FAR;
    far_in_sets(s);
}

void chain_forget(struct chain *c, uint64_t line, uint32_t mask)
{
    const uint32_t *id = hash_map_get(&c->reuse.index, line);
    struct chain_sector *l = id ? sectors_of(c, *id) : NULL;
    for (uint32_t s = 0; l && s < c->p.sectors; s++)
        if (mask >> s & 1) forget_sector(&l[s]);
}

struct forget_walk {
    struct chain *c;
    chain_leaves_fn *leaves;
    void *ctx;
    uint32_t had;
};

static void forget_one(void *ctx, uint32_t id, uint32_t depth)
{
    struct forget_walk *w = ctx;
    struct chain_sector *l = sectors_of(w->c, id);
    bool had = false;
    if (!w->leaves(w->ctx, w->c->reuse.line[id])) return;
    for (uint32_t s = 0; s < w->c->p.sectors; s++) {
        had |= max32(l[s].present, depth) < w->c->p.nominal_lines;
        forget_sector(&l[s]);
    }
    w->had += had;
}

uint32_t chain_forget_if(struct chain *c, chain_leaves_fn *leaves, void *ctx)
{
    struct forget_walk w = {c, leaves, ctx, 0};
    reuse_each(&c->reuse, forget_one, &w);
    return w.had;
}

void chain_install(struct chain *c, uint64_t line, uint32_t mask)
{
    struct chain_sector *l = mask ? touch_line(c, line) : NULL;
    for (; l && mask; mask &= mask - 1) {
        struct chain_sector *s = &l[__builtin_ctz(mask)];
        read_or_whole(s);
        s->fetched = c->clock - LONG_AGO;
    }
}

void chain_stay(struct chain *c, uint64_t line)
{
    struct reuse_distance d;
    if (!hash_map_get(&c->reuse.index, line)) return;
    if (!reuse_touch(&c->reuse, line, &d)) c->failed = true;
}

void chain_atomic(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS])
{
    struct chain_sector *l = touch_line(c, line);
    for (uint32_t s = 0; s < c->p.sectors; s++) {
        if (!(mask >> s & 1)) continue;
        value[s] = l ? l[s].readable : REUSE_FAR;
        if (!l) continue;
        read_sector(c, l, s);
        dirty_sector(c, l, s);
        l[s].written = true;
    }
}

struct dirty_walk {
    const struct chain *c;
    struct hit_tally *t;
    uint32_t org;
    double lines, sectors; /* the most recent lines, and those of their sectors that are dirty */
};

static void tally_dirty(void *ctx, uint32_t id, uint32_t depth)
{
    struct dirty_walk *w = ctx;
    const struct chain_sector *l = sectors_of(w->c, id);
    for (uint32_t s = 0; s < w->c->p.sectors; s++)
        if (l[s].dirty != CLEAN) w->t->near[histogram_bucket(max32(l[s].dirty, depth))] += 1;
}

static void tally_dirty_in_set(void *ctx, uint32_t id, uint32_t bucket)
{
    struct dirty_walk *w = ctx;
    const struct chain_sector *l = sectors_of(w->c, id);
    for (uint32_t s = 0; s < w->c->p.sectors; s++) {
        uint32_t at = max32(l[s].dirty_in[w->org], bucket);
        if (l[s].dirty != CLEAN && at < REUSE_SET_BUCKETS) w->t->in_set[w->org][at] += 1;
    }
}

void chain_dirty(const struct chain *c, struct hit_tally *t)
{
    struct dirty_walk w = {.c = c, .t = t};
    if (!c->p.write_back) return;
    reuse_each(&c->reuse, tally_dirty, &w);
    for (; w.org < c->p.reuse.n_orgs; w.org++)
        reuse_each_in_sets(&c->reuse, w.org, tally_dirty_in_set, &w);
}

static void count_dirty(void *ctx, uint32_t id, uint32_t depth)
{
    struct dirty_walk *w = ctx;
    const struct chain_sector *l = sectors_of(w->c, id);
    for (uint32_t s = 0; depth < w->lines && s < w->c->p.sectors; s++)
        w->sectors += l[s].dirty != CLEAN;
}

double chain_dirty_share(const struct chain *c, double lines)
{
    struct dirty_walk w = {.c = c, .lines = lines < c->reuse.live ? lines : c->reuse.live};
    if (c->p.write_back) reuse_each(&c->reuse, count_dirty, &w);
    return w.lines > 0 ? w.sectors / (w.lines * c->p.sectors) : 0;
}
