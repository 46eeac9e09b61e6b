/* sm_group.c - chooses which SMs of a launch are run in full and which of its CTAs are run, and
 * scales what these did to the whole launch.
 *
 * Of a launch of many waves its first rows of CTAs are run and some from its middle. Counts of
 * accesses are scaled by the instructions that are left out, and those of each kind by the SMs that
 * replay them. The windows of time: sm_group_window.c. The rules and their numbers:
 * docs/models/estimator.md. */
#include "estimator/pass/sm_group_internal.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "estimator/constants.h"

#include <math.h>
#include <string.h>

static bool start_readers(struct sm_group *g, bool others, struct error *e)
{
    for (unsigned i = 0; i < g->threads; i++) {
        struct group_reader *r = g->reader[i] = mem_new(1, sizeof *r);
        if (!r) return error_no_memory(e);
        if (!(r->full = reader_new(g->program, e))) return false;
        if (others && !(r->follow = reader_new_accesses(g->program, e))) return false;
    }
    return true;
}

static bool start_sms(struct sm_group *g, const struct chain *l2, const struct page_table *pages,
                      struct sharers *sharers, struct error *e)
{
    bool others = g->plan.full < g->v->sms;
    if (!start_readers(g, others, e)) return false;
    for (uint32_t i = 0; i < g->plan.full; i++) {
        g->full[i] =
            sm_pass_new(g->v, g->program, g->reader[i % g->threads]->full, &g->plan.followed, e);
        if (!g->full[i]) return false;
        sm_pass_connect(g->full[i], l2, pages, sharers);
        if (others) sm_pass_log(g->full[i]);
    }
    for (uint32_t i = 0; i < g->v->sms; i++)
        sm_replay_init(&g->replay[i], g->v, &g->plan.followed, i + 1);
    return true;
}

struct sm_group *sm_group_new(const struct profile_view *v, const struct program *p,
                              const struct pass_plan *plan, unsigned threads,
                              const struct chain *l2, const struct page_table *pages,
                              struct sharers *sharers, struct error *e)
{
    struct sm_group *g = mem_new(1, sizeof *g);
    if (!g) {
        error_no_memory(e);
        return NULL;
    }
    *g = (struct sm_group){.v = v,
                           .program = p,
                           .plan = *plan,
                           .threads = parallel_threads(threads),
                           .choice = {.one_in = plan->followed.one_in}};
    g->full = mem_new(plan->full, sizeof *g->full);
    g->done = mem_new(plan->full, sizeof *g->done);
    g->home = mem_new(plan->full, sizeof *g->home);
    g->errors = mem_new(v->sms, sizeof *g->errors);
    g->replay = mem_new(v->sms, sizeof *g->replay);
    g->leader = mem_new(v->sms, sizeof *g->leader);
    g->reader = mem_new(g->threads, sizeof(struct group_reader *));
    bool room = g->full && g->done && g->home && g->errors && g->replay && g->leader && g->reader;
    if (!room) error_no_memory(e);
    if (room && start_sms(g, l2, pages, sharers, e)) return g;
    sm_group_free(g);
    return NULL;
}

void sm_group_free(struct sm_group *g)
{
    if (!g) return;
    for (uint32_t i = 0; g->full && i < g->plan.full; i++)
        sm_pass_free(g->full[i]);
    for (uint32_t i = 0; g->replay && i < g->v->sms; i++)
        sm_replay_fini(&g->replay[i]);
    for (unsigned i = 0; g->reader && i < g->threads && g->reader[i]; i++) {
        reader_free(g->reader[i]->full);
        reader_free(g->reader[i]->follow);
        mem_free(g->reader[i]);
    }
    mem_free(g->full);
    mem_free(g->done);
    mem_free(g->home);
    mem_free(g->errors);
    mem_free(g->replay);
    mem_free(g->leader);
    mem_free(g->reader);
    mem_free(g->order);
    mem_free(g->order_sm);
    mem_free(g->slot);
    mem_free(g);
}

/* --- a launch --- */

static uint64_t instructions_before(const struct sm_group *g, uint64_t cta)
{
    return program_cta_start(g->program, g->index, cta < g->launch->ctas ? cta : g->launch->ctas);
}

/* Instructions of the CTAs that are run, on whatever SM. */
static double run_total(const struct sm_group *g)
{
    uint64_t n = instructions_before(g, g->end);
    if (g->head != g->middle)
        n -= instructions_before(g, g->middle) - instructions_before(g, g->head);
    return (double)n;
}

/* Those that are run in full are spread over the SMs that get most CTAs; the others follow them in
 * turn. */
static void choose_homes(struct sm_group *g)
{
    uint64_t ctas = g->launch->ctas;
    uint32_t sms = g->v->sms, most = ctas < sms ? (uint32_t)ctas : sms;
    if (g->plan.full < sms && ctas % sms && ctas > sms) most = (uint32_t)(ctas % sms);
    uint32_t n = (ctas < sms ? (uint32_t)ctas : sms) * g->plan.full / sms;
    g->running = g->plan.full == sms ? sms : n < 1 ? 1 : n < most ? n : most;
    for (uint32_t k = 0; k < g->running; k++)
        g->home[k] = g->running == sms ? k : (2 * k + 1) * most / (2 * g->running);
    for (uint32_t i = 0; i < sms; i++)
        g->leader[i] = i % g->running;
    for (uint32_t k = 0; k < g->running; k++)
        g->leader[g->home[k]] = k;
}

/* What is run of a long launch: as many rows of CTAs, one on each SM, as are two thirds of
 * PASS_WAVES waves or have PASS_KEPT instructions, from the beginning, and half as many from the
 * middle. */
static void choose_parts(struct sm_group *g, uint32_t slots)
{
    uint64_t sms = g->v->sms, rows = (g->launch->ctas + sms - 1) / sms;
    double all = (double)instructions_before(g, g->launch->ctas);
    uint64_t kept = (uint64_t)ceil((double)rows * PASS_KEPT / (all + 1));
    if (kept < (uint64_t)PASS_WAVES * slots) kept = (uint64_t)PASS_WAVES * slots;
    uint64_t head = (2 * kept + 2) / 3, middle = rows / 2;
    g->head = g->middle = rows * sms;
    g->end = g->launch->ctas;
    if (g->plan.full == g->v->sms || 2 * kept > rows) return;
    g->head = head * sms;
    g->middle = middle * sms;
    g->end = (middle + kept - head) * sms;
}

static struct cta_share share_of(const struct sm_group *g, uint32_t sm)
{
    struct cta_share s = cta_dispatch_share(g->v->warps.dispatch, g->v->sms, sm, g->launch->ctas);
    if (g->head == g->middle) return s;
    s.end = g->end;
    s.gap = g->head;
    s.after = g->middle;
    return s;
}

static double count_ctas(const struct cta_share *s)
{
    double n = 0;
    while (cta_share_at(s, (uint64_t)n) != CTA_SHARE_OVER)
        n++;
    return n;
}

/* Of the CTAs that are run, the share on the SMs that are run in full. */
static double share_in_full(const struct sm_group *g)
{
    double full = 0, all = (double)(g->end - (g->middle - g->head));
    for (uint32_t k = 0; k < g->running; k++) {
        struct cta_share s = share_of(g, g->home[k]);
        full += count_ctas(&s);
    }
    return g->running < g->v->sms && all > 0 ? full / all : 1;
}

bool sm_group_launch(struct sm_group *g, uint32_t launch, struct error *e)
{
    g->launch = program_launch(g->program, launch);
    g->index = launch;
    memset(g->passed, 0, sizeof g->passed);
    uint32_t slots = sm_pass_fits(g->full[0], g->launch);
    choose_parts(g, slots);
    choose_homes(g);
    g->in_full = share_in_full(g);
    for (uint32_t k = 0; k < g->running; k++) {
        const struct cta_share share = share_of(g, g->home[k]);
        g->done[k] = false;
        if (!sm_pass_launch(g->full[k], launch, g->home[k], &share, e)) return false;
    }
    for (uint32_t i = 0; i < g->v->sms; i++)
        if (sm_group_follows(g, i) &&
            !sm_replay_launch(&g->replay[i], launch, g->launch, slots, share_of(g, i)))
            return error_no_memory(e);
    return true;
}

bool sm_group_tell_sharers(struct sm_group *g)
{
    return sm_pass_tell_sharers(g->full, g->running);
}

/* --- results --- */

static uint64_t done_in_full(const struct sm_group *g)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < g->running; k++)
        n += sm_pass_done(g->full[k]);
    return n;
}

/* The whole launch's instructions over those of the CTAs that are run. */
static double launch_scale(const struct sm_group *g)
{
    double run = run_total(g);
    return run > 0 ? (double)instructions_before(g, g->launch->ctas) / run : 1;
}

double sm_group_progress(const struct sm_group *g)
{
    double all = run_total(g) * g->in_full;
    return all > 0 ? (double)done_in_full(g) / all : 1;
}

uint64_t sm_group_started(const struct sm_group *g)
{
    double share = sm_group_progress(g);
    return (uint64_t)((share < 1 ? share : 1) * (double)g->launch->ctas);
}

double sm_group_skipped(const struct sm_group *g, enum group_part part)
{
    double all = (double)instructions_before(g, g->launch->ctas);
    if (g->head == g->middle || all <= 0) return 0;
    uint64_t head = instructions_before(g, g->head), middle = instructions_before(g, g->middle),
             end = instructions_before(g, g->end);
    return part == GROUP_HEAD ? (double)(middle - head) / all : (all - (double)end) / all;
}

enum group_part sm_group_part(const struct sm_group *g)
{
    uint64_t begun = sm_pass_started(g->full[0]);
    return g->head != g->middle && begun * g->v->sms > g->head ? GROUP_MIDDLE : GROUP_HEAD;
}

/* Memory instructions of a kind of all SMs over those of the ones that are run in full. */
static double kind_scale(const struct sm_group *g, enum stream_kind kind)
{
    double full = 0, all = 0;
    for (uint32_t k = 0; k < g->running; k++)
        full += sm_pass_accesses(g->full[k], kind);
    for (uint32_t i = 0; i < g->v->sms; i++)
        if (sm_group_follows(g, i)) all += g->replay[i].instructions[kind];
    return (full > 0 ? 1 + all / full : 1) * launch_scale(g);
}

void sm_group_passed(const struct sm_group *g, double passed[STREAM_CLASSES])
{
    double scale = launch_scale(g);
    for (uint32_t k = 0; k < STREAM_CLASSES; k++) {
        passed[k] = scale * g->passed[k];
        for (uint32_t s = 0; s < g->v->sms; s++)
            if (sm_group_follows(g, s)) passed[k] += scale * g->replay[s].passed[k];
    }
}

bool sm_group_profile(struct sm_group *g, struct launch_profile *p)
{
    struct pass_scale by = {.instructions = 1, .launch = launch_scale(g)};
    double done = (double)done_in_full(g);
    for (enum stream_kind k = 0; k < STREAM_KINDS; k++)
        by.kind[k] = kind_scale(g, k);
    for (uint32_t i = 0; i < g->v->sms; i++) {
        if (!sm_group_follows(g, i)) continue;
        by.longest = fmax(by.longest, (double)g->replay[i].longest);
        for (enum stream_kind k = 0; k < STREAM_KINDS; k++)
            by.followed[k] += g->replay[i].sectors[k];
    }
    if (g->running < g->v->sms && done > 0)
        by.instructions = (double)instructions_before(g, g->launch->ctas) / done;
    return sm_pass_profile(g->full, g->running, &by, p);
}
