/* l2_reuse.c - see l2_reuse.h. */
#include "estimator/pass/l2_reuse.h"

#include "estimator/profile/set_view.h"

#include <math.h>
#include <string.h>

enum { SOON = 24, SOONER = 8 }; /* accesses ahead */

/* Distances among followed lines are so many times smaller. */
static uint32_t scale_of(const struct l2_reuse *l)
{
    return l->followed.one_in;
}

bool l2_reuse_init(struct l2_reuse *l, const struct profile_view *v,
                   const struct followed_lines *followed)
{
    uint32_t one_in = followed->one_in;
    struct chain_params p = {
        .sectors = v->l2_line / v->l2_sector,
        .write_miss = v->l2_write_miss,
        .write_back = true,
        .nominal_lines = v->l2_class_bytes / v->l2_line,
        .reuse = {.lines = PROFILE_L2_BOUND_BYTES / v->l2_line},
    };
    *l = (struct l2_reuse){
        .v = v, .followed = *followed, .passed_over = UINT64_MAX / 2 / v->l2_line};
    set_view_orgs(&v->l2_at, p.reuse.lines, &p.reuse);
    p.nominal_org = set_view_nominal(&v->l2_at, p.nominal_lines, &p.nominal_ways);
    p.reuse.lines /= one_in;
    p.reuse.one_in = one_in;
    p.nominal_lines /= one_in;
    return chain_init(&l->c, &p);
}

void l2_reuse_fini(struct l2_reuse *l)
{
    chain_fini(&l->c);
}

void l2_reuse_launch(struct l2_reuse *l)
{
    if (l->v->l2_emptied) chain_empty(&l->c);
    chain_reset_tallies(&l->c);
    l->c.now = 0;
    l->began = l->c.clock;
    l->first = UINT64_MAX;
    l->last = 0;
    memset(l->sectors, 0, sizeof l->sectors);
}

/* --- accesses --- */

/* What a run over a window needs. */
struct l2_run {
    struct l2_reuse *l;
    l2_seen_fn *seen;
    void *ctx;
    size_t at; /* of the access in the window */
};

static void access_followed(struct chain *ch, const struct stream_op *op, uint64_t line,
                            uint32_t mask, uint32_t parts, uint32_t *value)
{
    if (op->kind == STREAM_READ)
        chain_read(ch, line, mask, value);
    else if (op->kind == STREAM_WRITE)
        chain_write(ch, line, mask, parts, value);
    else
        chain_atomic(ch, line, mask, value);
}

/* The chain's clock counts cycles, so that ages do not depend on how close accesses come. */
static void note_time(struct l2_reuse *l, uint64_t time)
{
    l->c.clock = l->began + (uint32_t)time;
    if (time < l->first) l->first = time;
    if (time > l->last) l->last = time;
}

static void l2_access(const struct l2_run *r, const struct stream_op *op, uint64_t line,
                      uint32_t mask, uint32_t parts)
{
    uint32_t value[CHAIN_SECTORS];
    note_time(r->l, op->time);
    if (op->followed) access_followed(&r->l->c, op, line, mask, parts, value);
    bool leaves = r->l->v->stores_leave && op->kind != STREAM_READ;
    if (op->followed && leaves) chain_forget(&r->l->c, line, mask);
    for (uint32_t i = 0; op->followed && i < CHAIN_SECTORS; i++)
        if ((mask >> i & 1) && value[i] != REUSE_FAR) value[i] *= scale_of(r->l);
    r->seen(r->ctx, op, r->at, line, mask, op->followed ? value : NULL);
}

/* What does not come to the L2 is near there. */
static void see_absorbed(const struct l2_run *r, const struct stream_op *op)
{
    static const uint32_t near[CHAIN_SECTORS];
    const struct profile_view *v = r->l->v;
    uint64_t addr = op->addr + (uint64_t)__builtin_ctz(op->mask) * v->l1_sector;
    uint32_t bit = 1u << addr % v->l2_line / v->l2_sector;
    r->seen(r->ctx, op, r->at, profile_l2_line(v, addr), bit, op->followed ? near : NULL);
}

/* Converts the L1's sectors to the L2's lines and sectors. */
static void l2_op(const struct l2_run *r, const struct stream_op *op)
{
    const struct profile_view *v = r->l->v;
    uint32_t pass = op->pass, mask = 0, parts = 0;
    if (!pass) {
        see_absorbed(r, op);
        return;
    }
    if (v->l1_line == v->l2_line && v->l1_sector == v->l2_sector) {
        l2_access(r, op, profile_l2_line(v, op->addr), pass, op->parts);
        return;
    }
    uint64_t line = 0;
    for (uint32_t s = 0; s < v->l1_line / v->l1_sector; s++) {
        if (!(pass >> s & 1)) continue;
        uint64_t addr = op->addr + s * v->l1_sector, at = profile_l2_line(v, addr);
        uint32_t bit = 1u << (addr % v->l2_line) / v->l2_sector;
        if (mask && at != line) {
            l2_access(r, op, line, mask, parts);
            mask = parts = 0;
        }
        line = at;
        mask |= bit;
        if ((sector_reuse_whole(op->parts) >> s & 1) && v->l1_sector >= v->l2_sector)
            parts |= sector_reuse_parts(bit);
    }
    l2_access(r, op, line, mask, parts);
}

/* The chain divides its reads as the stream does. */
_Static_assert((int)STREAM_STORES == (int)CHAIN_CLASSES, "three classes of reads come first");

static void note_class(struct l2_reuse *l, const struct stream_op *op)
{
    enum stream_class k = stream_class_of(op);
    if (!op->followed) return;
    l->sectors[k] += sector_reuse_count(op->pass);
    if (k != STREAM_STORES) l->c.reads = k;
}

bool l2_reuse_run(struct l2_reuse *l, const struct group_window *w, l2_seen_fn *seen, void *ctx)
{
    struct l2_run r = {.l = l, .seen = seen, .ctx = ctx};
    for (size_t k = 0; k < w->n; k++) {
        const struct stream_op *const *op = &w->order[k];
        if (k + SOON < w->n && op[SOON]->followed)
            chain_soon(&l->c, profile_l2_line(l->v, op[SOON]->addr));
        if (k + SOONER < w->n && op[SOONER]->followed)
            chain_sooner(&l->c, profile_l2_line(l->v, op[SOONER]->addr));
        note_class(l, *op);
        r.at = k;
        l2_op(&r, *op);
    }
    return !l->c.failed;
}

/* --- copies --- */

/* Brings a line, whole; nothing is counted. */
static void bring_line(struct chain *ch, uint64_t line, bool dirty)
{
    uint32_t all = (1u << ch->p.sectors) - 1, value[CHAIN_SECTORS];
    uint64_t now = ch->now;
    ch->counting = false;
    (dirty ? chain_atomic : chain_read)(ch, line, all, value);
    ch->counting = true;
    ch->now = now;
}

void l2_reuse_copy_line(struct l2_reuse *l, uint64_t line)
{
    if (followed_lines_has(&l->followed, line)) bring_line(&l->c, line, l->v->copy_soils);
}

void l2_reuse_pass_over(struct l2_reuse *l, uint64_t lines, double like)
{
    uint64_t most = l->c.p.reuse.lines, n = lines < most ? lines : most;
    double share = chain_dirty_share(&l->c, like), soiled = 0;
    for (; n; l->passed_over++) {
        if (!followed_lines_has(&l->followed, l->passed_over)) continue;
        soiled += share;
        bring_line(&l->c, l->passed_over, soiled >= 1);
        soiled -= floor(soiled);
        n--;
    }
}

/* Dirty sectors of all lines that are in the L2. */
static struct hit_tally dirty_of(const struct l2_reuse *l)
{
    struct hit_tally dirty = {0};
    chain_dirty(&l->c, &dirty);
    hit_tally_scale(&dirty, scale_of(l), scale_of(l));
    return dirty;
}

/* Write-backs that the copy causes take no time. */
void l2_reuse_copied(struct l2_reuse *l)
{
    if (l->v->copy_soils) l->dirty = dirty_of(l);
}

/* --- results --- */

double l2_reuse_lines(const struct l2_reuse *l)
{
    return (double)l->c.reuse.fresh * scale_of(l);
}

/* All sectors of a class over those that were seen of it. */
static double all_for_seen(const struct l2_reuse *l, const double *passed, enum stream_class k)
{
    return l->sectors[k] > 0 ? passed[k] / l->sectors[k] : scale_of(l);
}

/* Of a class of which no line is followed, all accesses go to few lines: they are near. */
static void add_unseen(struct hit_tally *t, double n)
{
    t->total += n;
    t->near[0] += n;
    for (uint32_t o = 0; o < REUSE_ORGS; o++)
        t->in_set[o][0] += n;
}

static void finish_reads(struct l2_reuse *l, const double *passed, struct launch_profile *p)
{
    struct hit_tally distance = {0}, written = {0}, old = {0}, age = {0};
    for (uint32_t k = 0; k < CHAIN_CLASSES; k++) {
        if (l->sectors[k] <= 0) {
            add_unseen(&distance, passed[k]);
            continue;
        }
        struct chain_reads part = l->c.read[k];
        double each = all_for_seen(l, passed, k);
        hit_tally_scale(&part.distance, each, scale_of(l));
        hit_tally_scale(&part.written, each, scale_of(l));
        hit_tally_scale(&part.old, each, scale_of(l));
        hit_tally_scale(&part.age, each, 1);
        if (k == STREAM_ATOMICS) p->atomics_new = part.distance.far;
        hit_tally_merge(&distance, &part.distance);
        hit_tally_merge(&written, &part.written);
        hit_tally_merge(&old, &part.old);
        hit_tally_merge(&age, &part.age);
    }
    hit_tally_curve(&distance, &p->l2_read);
    hit_tally_curve(&written, &p->l2_written);
    hit_tally_curve(&old, &p->l2_old);
    hit_tally_curve(&age, &p->l2_age);
}

/* Of `each` writes for one that was seen, those whose data do not stay. What is dirty is not scaled
 * by what is left out of the launch: its lines were passed over. */
static struct hit_tally writebacks_of(struct l2_reuse *l, double each)
{
    struct hit_tally t = l->c.soiled, now = dirty_of(l);
    hit_tally_scale(&t, each, scale_of(l));
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        t.near[b] += now.near[b] - l->dirty.near[b];
    for (uint32_t o = 0; o < REUSE_ORGS; o++)
        for (uint32_t b = 0; b < REUSE_SET_BUCKETS; b++)
            t.in_set[o][b] += now.in_set[o][b] - l->dirty.in_set[o][b];
    l->dirty = now;
    return t;
}

static void finish_writes(struct l2_reuse *l, const double *passed, struct launch_profile *p)
{
    struct {
        struct hit_tally t;
        struct curve *c;
        double farther; /* a distance among all lines, over one among those followed */
    } part[] = {{l->c.write, &p->l2_write, scale_of(l)},
                {l->c.write_old, &p->l2_write_old, scale_of(l)},
                {l->c.write_age, &p->l2_write_age, 1}};
    double each = all_for_seen(l, passed, STREAM_STORES);
    struct hit_tally back = writebacks_of(l, each);
    hit_tally_curve(&back, &p->l2_writeback);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        hit_tally_scale(&part[k].t, each, part[k].farther);
        hit_tally_curve(&part[k].t, part[k].c);
    }
}

void l2_reuse_finish(struct l2_reuse *l, const double passed[STREAM_CLASSES],
                     struct launch_profile *p)
{
    finish_reads(l, passed, p);
    finish_writes(l, passed, p);
    p->pass_cycles = l->last >= l->first ? (double)(l->last - l->first) + 1 : 0;
}
