/* characterize.c - see characterize.h: reads the program once, with its warps interleaved. */
#include "estimator/characterize/characterize.h"

#include "base/memory/alloc.h"
#include "estimator/characterize/warp_interleave.h"
#include "estimator/profile/dependence.h"
#include "estimator/profile/hit_curve.h"
#include "estimator/profile/stack_distance.h"
#include "gpu/geometry/coalesce.h"

#include <string.h>

const uint32_t character_grain[CHARACTER_GRAINS] = {32, 64, 128};
const char *const access_kind_name[ACCESS_KINDS] = {"loads", "stores", "atomics"};
const char *const sharing_name[SHARINGS] = {"one_warp", "one_cta", "several_ctas"};
const char *const reuser_name[REUSERS] = {"same_warp", "same_cta", "other_cta", "earlier_launch"};

/* The last toucher of a line, ever and in this launch; indexed by the line's id in `reuse`. */
struct toucher {
    uint64_t cta;
    uint32_t launch;
    uint16_t warp;
    uint8_t sharing;
};

struct warp_loads {
    struct depend depend;
    uint32_t flown;
};

struct characterization {
    struct character *c;
    struct character_kernel *k; /* of the current launch */
    struct reuse reuse;
    struct toucher *toucher;
    struct warp_loads *warp; /* [places] */
    struct depend_reg *regs;
    struct copy_groups *copies; /* [places] */
    struct operand_code code;   /* of the current launch */
    size_t toucher_cap, warp_cap, reg_cap, copies_cap;
    uint64_t open[CHARACTER_BANKS]; /* open row + 1 of each bank */
    struct txn txn[COALESCE_MAX];
    uint64_t block[COALESCE_MAX];
    bool no_memory;
};

static void forgotten(void *ctx, uint32_t id)
{
    struct characterization *w = ctx;
    (void)id;
    w->c->bounded = true;
}

/* --- coalescing --- */

static void sort_blocks(uint64_t *at, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint64_t v = at[i];
        uint32_t j = i;
        for (; j && at[j - 1] > v; j--)
            at[j] = at[j - 1];
        at[j] = v;
    }
}

/* Finds the distinct blocks of 32 bytes, ascending, in w->block; counts them and the bytes. */
static uint32_t coalesce_32(struct characterization *w, struct coalescing *k,
                            const struct warp_inst *in)
{
    static const struct coalesce_params whole_warp = {.lanes = WARP_MAX_LANES, .bytes = 32};
    uint32_t n = coalesce(&whole_warp, in, w->txn), bytes = 0;
    if (n == 0) return 0;
    for (uint32_t i = 0; i < n; i++) {
        w->block[i] = w->txn[i].addr / 32;
        bytes += (uint32_t)__builtin_popcountll(w->txn[i].mask[0]);
    }
    sort_blocks(w->block, n);
    k->requests++;
    k->lanes += (uint64_t)__builtin_popcountll(in->mask);
    k->bytes += bytes;
    for (uint32_t g = 0; g < CHARACTER_GRAINS; g++)
        k->ideal[g] += (bytes + character_grain[g] - 1) / character_grain[g];
    k->transactions[0] += n;
    return n;
}

/* Joins ascending blocks to distinct blocks of twice the size, in place. */
static uint32_t join_pairs(uint64_t *block, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || block[kept - 1] != block[i] / 2) block[kept++] = block[i] / 2;
    return kept;
}

/* --- lines --- */

static void count_reuse(struct characterization *w, const struct turn_place *p,
                        const struct toucher *last)
{
    struct character_kernel *k = w->k;
    if (last->launch != p->launch) {
        k->reuse[REUSER_LAUNCH]++;
    } else if (last->cta != p->cta) {
        uint64_t d = p->cta > last->cta ? p->cta - last->cta : last->cta - p->cta;
        uint32_t octave = 63 - (uint32_t)__builtin_clzll(d);
        k->reuse[REUSER_OTHER_CTA]++;
        k->cta_distance[octave < CHARACTER_OCTAVES ? octave : CHARACTER_OCTAVES - 1]++;
    } else {
        k->reuse[last->warp == p->warp ? REUSER_WARP : REUSER_CTA]++;
    }
}

/* While only one warp or one CTA has touched a line, its last toucher represents all earlier
 * ones. */
static void count_sharing(struct characterization *w, const struct turn_place *p, struct toucher *t,
                          bool known)
{
    enum sharing_scope now = SHARING_WARP;
    bool here = known && t->launch == p->launch;
    if (here) {
        now = (enum sharing_scope)t->sharing;
        if (t->cta != p->cta)
            now = SHARING_CTAS;
        else if (t->warp != p->warp && now == SHARING_WARP)
            now = SHARING_CTA;
        w->k->lines[t->sharing]--;
    }
    w->k->lines[now]++;
    *t = (struct toucher){p->cta, p->launch, (uint16_t)p->warp, (uint8_t)now};
}

static uint32_t bank_of(uint64_t row)
{
    uint32_t bank = 0;
    for (; row; row /= CHARACTER_BANKS)
        bank ^= (uint32_t)(row % CHARACTER_BANKS);
    return bank;
}

static void open_row(struct characterization *w, uint64_t line)
{
    uint64_t row = line * CHARACTER_LINE / CHARACTER_ROW, *open = &w->open[bank_of(row)];
    w->k->row_accesses++;
    w->k->row_hits += *open == row + 1;
    *open = row + 1;
}

static bool access_line(struct characterization *w, const struct turn_place *p, uint64_t line)
{
    struct reuse_distance d;
    if (!reuse_touch(&w->reuse, line, &d) ||
        !mem_grow(&w->toucher, &w->toucher_cap, (size_t)d.id + 1, sizeof *w->toucher))
        return false;
    struct toucher *t = &w->toucher[d.id];
    w->k->accesses++;
    if (d.fresh) {
        w->k->first++;
    } else {
        histogram_add(&w->k->distance, d.global, 1);
        count_reuse(w, p, t);
    }
    count_sharing(w, p, t, !d.fresh);
    if (d.fresh || d.global >= CHARACTER_CACHE) open_row(w, line);
    return true;
}

static enum access_type kind_of(uint8_t cls)
{
    return cls == OP_LOAD ? ACCESS_LOAD : cls == OP_STORE ? ACCESS_STORE : ACCESS_ATOMIC;
}

static bool record_access(struct characterization *w, const struct turn_place *p,
                          const struct warp_inst *in)
{
    struct coalescing *k = &w->k->access[kind_of(in->si->cls)];
    uint32_t n = coalesce_32(w, k, in);
    for (uint32_t g = 1; g < CHARACTER_GRAINS; g++) {
        n = join_pairs(w->block, n);
        k->transactions[g] += n;
    }
    for (uint32_t i = 0; i < n; i++)
        reuse_soon(&w->reuse, w->block[i]);
    for (uint32_t i = 0; i < n; i++)
        if (!access_line(w, p, w->block[i])) return false;
    return true;
}

/* --- loads in flight --- */

static void count_wait(struct characterization *w, struct warp_loads *l,
                       const struct depend_wait *wait)
{
    if (!wait->waits || l->flown == 0) return;
    w->k->waits++;
    w->k->flown += l->flown;
    w->k->overlap += wait->overlap;
    w->k->flight[l->flown < CHARACTER_FLIGHT ? l->flown : CHARACTER_FLIGHT - 1]++;
    l->flown = 0;
}

static void follow_loads(struct characterization *w, struct warp_loads *l,
                         const struct static_inst *si)
{
    struct depend_wait wait = depend_check(&l->depend, si, WAIT_ALL_AT_USE);
    count_wait(w, l, &wait);
    depend_issue(&l->depend, si);
    bool fills = si->dst != REG_NONE && (si->cls == OP_LOAD || si->cls == OP_ATOMIC);
    if (!fills && !inst_is_copy(si)) return;
    depend_load(&l->depend, si);
    l->flown++;
}

/* --- the visitor --- */

static bool on_start(void *ctx, const struct turn_place *p)
{
    struct characterization *w = ctx;
    depend_start(&w->warp[p->at].depend);
    w->warp[p->at].flown = 0;
    return true;
}

static bool on_inst(void *ctx, const struct turn_place *p, const struct warp_inst *in)
{
    struct characterization *w = ctx;
    follow_loads(w, &w->warp[p->at], in->si);
    operand_counts_add(&w->k->registers, &w->code.of[in->code]);
    if (!inst_op_is_global(in->si->cls) || in->si->width == 0 || record_access(w, p, in))
        return true;
    w->no_memory = true;
    return false;
}

static void on_end(void *ctx, const struct turn_place *p)
{
    struct characterization *w = ctx;
    struct depend_wait wait = depend_end(&w->warp[p->at].depend);
    count_wait(w, &w->warp[p->at], &wait);
}

static bool walk_launch(struct characterization *w, struct turns *t, const struct program *p,
                        uint32_t launch, struct progress *progress, struct error *e)
{
    const struct launch *l = program_launch(p, launch);
    const struct turns_visitor v = {on_start, on_inst, on_end, w};
    uint32_t places = turns_places(t, l);
    if (!mem_grow(&w->warp, &w->warp_cap, places, sizeof *w->warp) ||
        !mem_grow(&w->regs, &w->reg_cap, (size_t)places * l->n_registers + 1, sizeof *w->regs) ||
        !mem_grow(&w->copies, &w->copies_cap, places, sizeof *w->copies) ||
        !operand_code_init(&w->code, l))
        return error_no_memory(e);
    for (uint32_t i = 0; i < places; i++)
        w->warp[i].depend = (struct depend){.reg = w->regs + (size_t)i * l->n_registers,
                                            .copies = &w->copies[i],
                                            .n = l->n_registers};
    bool ok = turns_launch(t, launch, &v, progress, e) || (w->no_memory && error_no_memory(e));
    operand_code_fini(&w->code);
    return ok;
}

static void add_kernel(struct character_kernel *to, const struct character_kernel *k)
{
    for (unsigned a = 0; a < ACCESS_KINDS; a++) {
        to->access[a].requests += k->access[a].requests;
        to->access[a].lanes += k->access[a].lanes;
        to->access[a].bytes += k->access[a].bytes;
        for (unsigned g = 0; g < CHARACTER_GRAINS; g++) {
            to->access[a].transactions[g] += k->access[a].transactions[g];
            to->access[a].ideal[g] += k->access[a].ideal[g];
        }
    }
    to->accesses += k->accesses;
    to->first += k->first;
    histogram_accumulate(&to->distance, &k->distance, 1);
    for (unsigned i = 0; i < SHARINGS; i++)
        to->lines[i] += k->lines[i];
    for (unsigned i = 0; i < REUSERS; i++)
        to->reuse[i] += k->reuse[i];
    for (unsigned i = 0; i < CHARACTER_OCTAVES; i++)
        to->cta_distance[i] += k->cta_distance[i];
    for (unsigned i = 0; i < CHARACTER_FLIGHT; i++)
        to->flight[i] += k->flight[i];
    to->row_accesses += k->row_accesses;
    to->row_hits += k->row_hits;
    to->waits += k->waits;
    to->flown += k->flown;
    to->overlap += k->overlap;
    operand_counts_add(&to->registers, &k->registers);
}

static void walk_fini(struct characterization *w)
{
    reuse_fini(&w->reuse);
    mem_free(w->toucher);
    mem_free(w->warp);
    mem_free(w->regs);
    mem_free(w->copies);
    mem_free(w);
}

bool character_collect(struct character *c, const struct program *p,
                       const struct program_summary *s, uint32_t warps, struct progress *progress,
                       struct error *e)
{
    struct reuse_params rp = {.lines = CHARACTER_BOUND};
    struct turns t = {0};
    *c = (struct character){.kernel = mem_new(s->n ? s->n : 1, sizeof *c->kernel), .n = s->n};
    struct characterization *w = mem_new(1, sizeof *w);
    if (!w || !c->kernel || !reuse_init(&w->reuse, &rp, forgotten, w)) {
        mem_free(w);
        character_fini(c);
        return error_no_memory(e);
    }
    w->c = c;
    bool ok = turns_init(&t, p, warps, e);
    for (uint32_t i = 0; ok && i < program_launches(p); i++) {
        w->k = &c->kernel[program_summary_find(s, program_launch(p, i)->name)];
        ok = walk_launch(w, &t, p, i, progress, e);
    }
    for (uint32_t i = 0; ok && i < c->n; i++)
        add_kernel(&c->all, &c->kernel[i]);
    turns_fini(&t);
    walk_fini(w);
    if (!ok) character_fini(c);
    return ok;
}

void character_fini(struct character *c)
{
    mem_free(c->kernel);
    *c = (struct character){0};
}

double character_miss_ratio(const struct character_kernel *k, double lines)
{
    double far = (double)k->first;
    if (k->accesses == 0) return 0;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++) {
        double low = hit_curve_bucket_low(b), high = hit_curve_bucket_low(b + 1), part = 0;
        if (lines <= low)
            part = 1;
        else if (lines < high)
            part = (high - lines) / (high - low);
        far += part * k->distance.count[b];
    }
    return far / (double)k->accesses;
}

double character_cta_distance(const struct character_kernel *k, double quantile)
{
    double want = quantile * (double)k->reuse[REUSER_OTHER_CTA], sum = 0;
    for (uint32_t i = 0; i < CHARACTER_OCTAVES; i++) {
        sum += (double)k->cta_distance[i];
        if (sum >= want && sum > 0) return (double)((uint64_t)1 << i);
    }
    return 0;
}
