/* l2_variants.c - see l2_variants.h. */
#include "estimator/pass/l2_variants.h"

#include "estimator/profile/set_view.h"

#include <math.h>
#include <string.h>

enum { SOON = 24, SOONER = 8 }; /* accesses ahead */

/* Distances among followed lines are so many times smaller. */
static uint32_t scale_of(const struct l2_variants *l)
{
    return l->followed.one_in;
}

static bool variant_init(struct level2 *l, const struct profile_view *v, uint32_t one_in)
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
    p.reuse.lines /= one_in;
    p.reuse.one_in = one_in;
    p.nominal_lines /= one_in;
    return chain_init(&l->c, &p);
}

bool l2_variants_init(struct l2_variants *l, const struct profile_view *v,
                      const struct followed_lines *followed)
{
    *l = (struct l2_variants){
        .v = v, .followed = *followed, .passed_over = UINT64_MAX / 2 / v->l2_line};
    return variant_init(&l->at[0], v, scale_of(l));
}

void l2_variants_fini(struct l2_variants *l)
{
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        chain_fini(&l->at[i].c);
}

void l2_variants_launch(struct l2_variants *l)
{
    for (uint32_t i = 0; i < PROFILE_L1S; i++) {
        if (l->v->l2_emptied && l->at[i].as == i) chain_empty(&l->at[i].c);
        chain_reset_tallies(&l->at[i].c);
        l->at[i].c.now = 0;
        memset(l->at[i].sectors, 0, sizeof l->at[i].sectors);
    }
}

/* --- which variants differ --- */

static bool part_level2(struct level2 *from, struct level2 *to)
{
    to->dirty = from->dirty;
    memcpy(to->sectors, from->sectors, sizeof to->sectors);
    return (to->c.p.sectors || chain_init(&to->c, &from->c.p)) && chain_copy(&to->c, &from->c);
}

/* The variant that represents this one by the view: behind an adaptive L1 all differ, else all are
 * behind the view's own. */
static uint32_t asked_for(const struct profile_view *v, uint32_t variant)
{
    return v->l1_adaptive ? variant : 0;
}

bool l2_variants_part(struct l2_variants *l, const struct sm_group *g)
{
    uint32_t was[PROFILE_L1S];
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        was[i] = l->at[i].as;
    for (uint32_t i = 1; i < PROFILE_L1S; i++) {
        uint32_t as = was[i], asked = asked_for(l->v, i);
        if (asked < i) {
            l->at[i].as = l->at[asked].as;
            continue;
        }
        while (as < i && !(was[as] == was[i] && l->at[as].as == as && sm_group_same(g, as, i)))
            as++;
        l->at[i].as = as;
        if (as == i && was[i] != i && !part_level2(&l->at[was[i]], &l->at[i])) return false;
    }
    return true;
}

/* --- accesses --- */

/* What a variant's run over a window needs. */
struct l2_run {
    struct l2_variants *l;
    uint32_t variant;
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

static void l2_access(const struct l2_run *r, const struct stream_op *op, uint64_t line,
                      uint32_t mask, uint32_t parts)
{
    uint32_t value[CHAIN_SECTORS];
    if (op->followed) access_followed(&r->l->at[r->variant].c, op, line, mask, parts, value);
    bool leaves = r->l->v->stores_leave && op->kind != STREAM_READ;
    if (op->followed && leaves) chain_forget(&r->l->at[r->variant].c, line, mask);
    for (uint32_t i = 0; op->followed && i < CHAIN_SECTORS; i++)
        if ((mask >> i & 1) && value[i] != REUSE_FAR) value[i] *= scale_of(r->l);
    if (r->seen) r->seen(r->ctx, op, r->at, line, mask, op->followed ? value : NULL);
}

/* What does not come to the L2 is near there. */
static void see_absorbed(const struct l2_run *r, const struct stream_op *op)
{
    static const uint32_t near[CHAIN_SECTORS];
    const struct profile_view *v = r->l->v;
    uint64_t addr = op->addr + (uint64_t)__builtin_ctz(op->mask) * v->l1_sector;
    uint32_t bit = 1u << addr % v->l2_line / v->l2_sector;
    if (r->seen) r->seen(r->ctx, op, r->at, addr / v->l2_line, bit, op->followed ? near : NULL);
}

/* Converts the L1's sectors to the L2's lines and sectors. */
static void l2_op(const struct l2_run *r, const struct stream_op *op)
{
    const struct profile_view *v = r->l->v;
    uint32_t pass = op->pass[r->variant], mask = 0, parts = 0;
    if (!pass) {
        see_absorbed(r, op);
        return;
    }
    if (v->l1_line == v->l2_line && v->l1_sector == v->l2_sector) {
        l2_access(r, op, op->addr / v->l2_line, pass, op->parts);
        return;
    }
    uint64_t line = 0;
    for (uint32_t s = 0; s < v->l1_line / v->l1_sector; s++) {
        if (!(pass >> s & 1)) continue;
        uint64_t addr = op->addr + s * v->l1_sector, at = addr / v->l2_line;
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

static void note_class(struct level2 *own, uint32_t variant, const struct stream_op *op)
{
    enum stream_class k = stream_class_of(op, variant);
    if (!op->followed) return;
    own->sectors[k] += __builtin_popcount(op->pass[variant]);
    if (k != STREAM_STORES) own->c.reads = k;
}

bool l2_variants_run(struct l2_variants *l, uint32_t variant, const struct stream_op *const *order,
                     size_t n, l2_seen_fn *seen, void *ctx)
{
    struct level2 *own = &l->at[variant];
    struct l2_run r = {.l = l, .variant = variant, .seen = seen, .ctx = ctx};
    uint32_t line = l->v->l2_line;
    if (own->as != variant) return true;
    for (size_t k = 0; k < n; k++) {
        const struct stream_op *op = order[k];
        if (k + SOON < n && order[k + SOON]->followed)
            chain_soon(&own->c, order[k + SOON]->addr / line);
        if (k + SOONER < n && order[k + SOONER]->followed)
            chain_sooner(&own->c, order[k + SOONER]->addr / line);
        if (!op->followed && !seen) continue;
        note_class(own, variant, op);
        r.at = k;
        l2_op(&r, op);
    }
    return !own->c.failed;
}

/* --- copies --- */

/* Brings a line to a variant, whole; nothing is counted. */
static void bring_line(struct chain *ch, uint64_t line, bool dirty)
{
    uint32_t all = (1u << ch->p.sectors) - 1, value[CHAIN_SECTORS];
    uint64_t now = ch->now;
    ch->counting = false;
    (dirty ? chain_atomic : chain_read)(ch, line, all, value);
    ch->counting = true;
    ch->now = now;
}

void l2_variants_copy_line(struct l2_variants *l, uint64_t line)
{
    if (!followed_lines_has(&l->followed, line)) return;
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        if (l->at[i].as == i) bring_line(&l->at[i].c, line, l->v->copy_soils);
}

void l2_variants_pass_over(struct l2_variants *l, uint64_t lines, double like)
{
    uint64_t most = l->at[0].c.p.reuse.lines, n = lines < most ? lines : most;
    double share[PROFILE_L1S], soiled[PROFILE_L1S] = {0};
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        share[i] = l->at[i].as == i ? chain_dirty_share(&l->at[i].c, like) : 0;
    for (; n; l->passed_over++) {
        if (!followed_lines_has(&l->followed, l->passed_over)) continue;
        for (uint32_t i = 0; i < PROFILE_L1S; i++) {
            if (l->at[i].as != i) continue;
            soiled[i] += share[i];
            bring_line(&l->at[i].c, l->passed_over, soiled[i] >= 1);
            soiled[i] -= floor(soiled[i]);
        }
        n--;
    }
}

/* Dirty sectors of all lines that are in the L2. */
static struct hit_tally dirty_of(const struct l2_variants *l, const struct level2 *own)
{
    struct hit_tally dirty = {0};
    chain_dirty(&own->c, &dirty);
    hit_tally_scale(&dirty, scale_of(l), scale_of(l));
    return dirty;
}

/* Write-backs that the copy causes take no time. */
void l2_variants_copied(struct l2_variants *l)
{
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        if (l->at[i].as == i && l->v->copy_soils) l->at[i].dirty = dirty_of(l, &l->at[i]);
}

/* --- results --- */

double l2_variants_lines(const struct l2_variants *l)
{
    return (double)l->at[0].c.reuse.fresh * scale_of(l);
}

static void variant_copy(struct launch_profile *p, uint32_t to, uint32_t from)
{
    p->l2_writeback[to] = p->l2_writeback[from];
    p->l2_read[to] = p->l2_read[from];
    p->l2_written[to] = p->l2_written[from];
    p->l2_old[to] = p->l2_old[from];
    p->l2_write_old[to] = p->l2_write_old[from];
    p->l2_write[to] = p->l2_write[from];
    p->l2_age[to] = p->l2_age[from];
    p->l2_write_age[to] = p->l2_write_age[from];
    p->l2_ops[to] = p->l2_ops[from];
}

/* All sectors of a class over those that the variant has seen of it. */
static double all_for_seen(const struct l2_variants *l, uint32_t i, const double *passed,
                           enum stream_class k)
{
    double seen = l->at[i].sectors[k];
    return seen > 0 ? passed[k] / seen : scale_of(l);
}

/* Of a class of which no line is followed, all accesses go to few lines: they are near. */
static void add_unseen(struct hit_tally *t, double n)
{
    t->total += n;
    t->near[0] += n;
    for (uint32_t o = 0; o < REUSE_ORGS; o++)
        t->in_set[o][0] += n;
}

static void finish_reads(struct l2_variants *l, uint32_t i, const double *passed,
                         struct launch_profile *p)
{
    struct hit_tally distance = {0}, written = {0}, old = {0}, age = {0};
    for (uint32_t k = 0; k < CHAIN_CLASSES; k++) {
        struct chain_reads part = l->at[i].c.read[k];
        double each = all_for_seen(l, i, passed, k);
        hit_tally_scale(&part.distance, each, scale_of(l));
        hit_tally_scale(&part.written, each, scale_of(l));
        hit_tally_scale(&part.old, each, scale_of(l));
        hit_tally_scale(&part.age, each, scale_of(l));
        if (i == 0 && k == STREAM_ATOMICS) p->atomics_new = part.distance.far;
        hit_tally_merge(&distance, &part.distance);
        hit_tally_merge(&written, &part.written);
        hit_tally_merge(&old, &part.old);
        hit_tally_merge(&age, &part.age);
        if (l->at[i].sectors[k] <= 0) add_unseen(&distance, passed[k]);
    }
    hit_tally_curve(&distance, &p->l2_read[i]);
    hit_tally_curve(&written, &p->l2_written[i]);
    hit_tally_curve(&old, &p->l2_old[i]);
    hit_tally_curve(&age, &p->l2_age[i]);
}

/* Of `each` writes for one that was seen, those whose data do not stay. What is dirty is not scaled
 * by what is left out of the launch: its lines were passed over. */
static struct hit_tally writebacks_of(const struct l2_variants *l, struct level2 *own, double each)
{
    struct hit_tally t = own->c.soiled, now = dirty_of(l, own);
    hit_tally_scale(&t, each, scale_of(l));
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        t.near[b] += now.near[b] - own->dirty.near[b];
    own->dirty = now;
    return t;
}

static void finish_writes(struct l2_variants *l, uint32_t i, const double *passed,
                          struct launch_profile *p)
{
    struct level2 *own = &l->at[i];
    struct {
        struct hit_tally t;
        struct curve *c;
    } part[] = {{own->c.write, &p->l2_write[i]},
                {own->c.write_old, &p->l2_write_old[i]},
                {own->c.write_age, &p->l2_write_age[i]}};
    double each = all_for_seen(l, i, passed, STREAM_STORES);
    struct hit_tally back = writebacks_of(l, own, each);
    hit_tally_curve(&back, &p->l2_writeback[i]);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        hit_tally_scale(&part[k].t, each, scale_of(l));
        hit_tally_curve(&part[k].t, part[k].c);
    }
}

static void finish_variant(struct l2_variants *l, uint32_t i, const double *passed,
                           struct launch_profile *p)
{
    double seen = 0, all = 0;
    finish_reads(l, i, passed, p);
    finish_writes(l, i, passed, p);
    for (uint32_t k = 0; k < STREAM_CLASSES; k++) {
        seen += l->at[i].sectors[k];
        all += passed[k];
    }
    p->l2_ops[i] = (double)l->at[i].c.now * (seen > 0 ? all / seen : 1);
}

void l2_variants_finish(struct l2_variants *l, const double passed[PROFILE_L1S][STREAM_CLASSES],
                        struct launch_profile *p)
{
    for (uint32_t i = 0; i < PROFILE_L1S; i++) {
        if (l->at[i].as == i)
            finish_variant(l, i, passed[i], p);
        else
            variant_copy(p, i, l->at[i].as);
    }
}
