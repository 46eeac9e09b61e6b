/* pass_plan.c - see pass_plan.h. */
#include "estimator/pass/pass_plan.h"

#include "base/memory/alloc.h"
#include "base/memory/thread_block.h"
#include "estimator/answer_memo.h"
#include "estimator/constants.h"
#include "estimator/profile/profile_data.h"
#include "estimator/profile/sector_reuse.h"
#include "estimator/profile/set_view.h"
#include "estimator/reuse/line_accesses.h"
#include "gpu/policies/cta_dispatch.h"
#include "trace/program/cursor.h"

#include <math.h>

/* Whether something depends on what every SM does: who shares lines, or whose queue has the most.
 */
static bool needs_all(const struct profile_view *v)
{
    return v->l1_keeps_own || v->l1_emptied == L1_NEVER ||
           cta_dispatch_has_queues(v->warps.dispatch);
}

static uint32_t full_sms(const struct profile_view *v)
{
    uint32_t n = v->sms / PASS_SMS_PER_FULL;
    return n ? n : 1;
}

static uint32_t one_line_in(uint64_t instructions)
{
    uint32_t n = 1;
    while (n < FOLLOWED_ONE_IN && 2 * instructions / n > PASS_WHOLE)
        n *= 2;
    return n;
}

struct pass_plan pass_plan_of(const struct profile_view *v, uint64_t instructions,
                              enum profile_detail detail)
{
    struct pass_plan plan = {.full = v->sms, .followed = {.one_in = 1}};
    if (detail == PROFILE_EXACT || needs_all(v) || instructions <= PASS_WHOLE) return plan;
    plan.full = full_sms(v);
    /* who touches a page first is not known when an access is made; so which set it is in */
    if (pages_are_placed(&v->pages.p)) return plan;
    struct reuse_params p = {.lines = PROFILE_L2_BOUND_BYTES / v->l2_line};
    set_view_orgs(&v->l2_at, p.lines, &p);
    bool nests = !p.n_orgs || p.at.index == INDEX_MODULO;
    if (v->l1_line != v->l2_line || v->l1_sector != v->l2_sector || !nests) return plan;
    uint32_t n = one_line_in(instructions), sets = p.n_orgs ? p.org[0].sets : 0;
    while (sets && sets * (p.at.slices ? p.at.slices : 1) % n)
        n /= 2; /* each part has as many sets */
    followed_lines_init(&plan.followed, n, sets, &p.at);
    return plan;
}

/* --- the cost --- */

static uint64_t launch_instructions_of(const struct program *p, uint32_t launch)
{
    return program_cta_start(p, launch, program_launch(p, launch)->ctas);
}

uint64_t pass_instructions(const struct program *p)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < program_launches(p); i++)
        n += launch_instructions_of(p, i);
    return n;
}

/* A walk over the program's warps, in steps of as many instructions. */
struct foretelling {
    const struct program *p;
    const struct profile_view *v;
    struct reader *reader;
    struct cursor cursor;
    struct line_accesses accesses;
    uint32_t launch;
    uint64_t before; /* instructions of the launches before it */
};

/* The first CTA of the launch that has instructions beyond the first `at`. */
static uint64_t cta_at(const struct program *p, uint32_t launch, uint64_t at)
{
    uint64_t low = 0, high = program_launch(p, launch)->ctas - 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (program_cta_start(p, launch, middle + 1) > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Transactions per instruction of a warp, of its first FORETOLD_ACCESSES accesses; NAN: *e. */
static double warp_density(struct foretelling *f, uint64_t cta, uint32_t warp, struct error *e)
{
    struct warp_inst w;
    enum got got = GOT_END;
    double transactions = 0;
    if (!cursor_seek(&f->cursor, f->reader, f->launch, cta, warp, 0, e)) return NAN;
    for (uint32_t n = 0; n < FORETOLD_ACCESSES; n++) {
        if ((got = cursor_next_access(&f->cursor, &w, e)) != GOT_INST) break;
        line_accesses_find(&f->accesses, f->v, &w);
        for (uint32_t i = 0; i < f->accesses.n; i++)
            transactions += sector_reuse_count(f->accesses.at[i].mask);
    }
    if (got == GOT_ERROR) return NAN;
    return f->cursor.done ? transactions / (double)f->cursor.done : 0;
}

/* Transactions per instruction at the program's at-th instruction. */
static double density_at(struct foretelling *f, uint64_t at, uint32_t turn, struct error *e)
{
    while (at >= f->before + launch_instructions_of(f->p, f->launch))
        f->before += launch_instructions_of(f->p, f->launch++);
    uint64_t cta = cta_at(f->p, f->launch, at - f->before);
    return warp_density(f, cta, turn % program_launch(f->p, f->launch)->warps_per_cta, e);
}

static double foretell(struct foretelling *f, uint64_t instructions, struct error *e)
{
    double density = 0;
    for (uint32_t i = 0; i < FORETOLD_WARPS; i++)
        density += density_at(f, (2 * i + 1) * instructions / (2 * FORETOLD_WARPS), i, e);
    return density / FORETOLD_WARPS * (double)instructions;
}

static double walk_cost(const struct program *p, const struct profile_view *v)
{
    struct error ignored = {0};
    uint64_t instructions = pass_instructions(p);
    double cost = (double)instructions / TRANSACTION_PART;
    if (cost > PROFILE_TIMES_SWEEP * PASS_EXACT || !instructions) return cost;
    struct foretelling *f = mem_new(1, sizeof *f);
    if (!f) return INFINITY;
    *f = (struct foretelling){.p = p, .v = v, .reader = reader_new_accesses(p, &ignored)};
    double transactions = f->reader ? foretell(f, instructions, &ignored) : NAN;
    if (f->reader) {
        cursor_release(&f->cursor);
        reader_free(f->reader);
    }
    mem_free(f);
    return isnan(transactions) ? INFINITY : cost + transactions;
}

struct kept_costs {
    struct memo memo;
    double at[MEMO_PLACES];
};

/* Sweeps ask for them again and again. */
double pass_foretold_cost(const struct program *p, const struct profile_view *v)
{
    static _Thread_local void *block;
    bool found;
    if (!thread_blocks_reserve()) return walk_cost(p, v);
    struct kept_costs *kept = THREAD_BLOCK(struct kept_costs, block);
    double *cost = &kept->at[memo_place(&kept->memo, profile_key(p, v, PROFILE_EXACT), &found)];
    if (!found) *cost = walk_cost(p, v);
    return *cost;
}

enum profile_detail profile_detail_for(const struct program *p, const struct profile_view *v,
                                       double times)
{
    bool exact = isinf(times) || needs_all(v) || pass_foretold_cost(p, v) <= times * PASS_EXACT;
    return exact ? PROFILE_EXACT : PROFILE_SAMPLED;
}
