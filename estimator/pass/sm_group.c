/* sm_group.c - see sm_group.h. */
#include "estimator/pass/sm_group.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "estimator/constants.h"

#include <math.h>
#include <string.h>

/* --- the group --- */

/* What some of the SMs that follow are replayed with, in one thread at a time. */
struct replay_reader {
    struct reader *reader;
    struct line_accesses scratch;
};

struct sm_group {
    const struct profile_view *v;
    const struct program *program;
    struct pass_plan plan;
    unsigned threads;
    struct sm_pass **full;         /* [plan.full] */
    bool *done;                    /* [plan.full] in this launch */
    struct error *errors;          /* [view->sms] */
    struct sm_replay *replay;      /* [view->sms], by SM; used for those that are not run in full */
    struct replay_reader **reader; /* [threads] NULL: nobody follows */
    /* of the launch */
    const struct launch *launch;
    uint32_t index, running; /* running: of plan.full, those that have CTAs */
    uint32_t *leader;        /* [view->sms] the number of the one that the SM follows, or is */
    uint32_t *home;          /* [plan.full] its SM */
    /* CTAs that are run: those below head, and from middle to end - 1; head == middle: all */
    uint64_t head, middle, end;
    double in_full;                             /* share_in_full */
    double passed[PROFILE_L1S][STREAM_CLASSES]; /* sectors, of those run in full */
    struct random_choice choice;                /* of their accesses */
    /* of the window */
    uint64_t from, until;
    enum stream_view view;
    const struct stream_op **order;
    uint16_t *order_sm;
    uint32_t *slot; /* for the counting sort */
    size_t order_cap, order_sm_cap, slot_cap;
    size_t window_n, n; /* in the window; with those of the first SM */
};

static bool follows(const struct sm_group *g, uint32_t sm)
{
    return g->home[g->leader[sm]] != sm;
}

static bool start_readers(struct sm_group *g, struct error *e)
{
    for (unsigned i = 0; i < g->threads; i++) {
        g->reader[i] = mem_new(1, sizeof *g->reader[i]);
        if (!g->reader[i]) return error_no_memory(e);
        if (!(g->reader[i]->reader = reader_new_accesses(g->program, e))) return false;
    }
    return true;
}

static bool start_sms(struct sm_group *g, const struct chain *l2, const struct page_table *pages,
                      struct sharers *sharers, struct error *e)
{
    bool others = g->plan.full < g->v->sms;
    for (uint32_t i = 0; i < g->plan.full; i++) {
        if (!(g->full[i] = sm_pass_new(g->v, g->program, &g->plan.followed, e))) return false;
        sm_pass_connect(g->full[i], l2, pages, sharers);
        if (others) sm_pass_log(g->full[i]);
    }
    for (uint32_t i = 0; i < g->v->sms; i++)
        sm_replay_init(&g->replay[i], g->v, &g->plan.followed, i + 1);
    return !others || start_readers(g, e);
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
    g->reader = mem_new(g->threads, sizeof(struct replay_reader *));
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
        reader_free(g->reader[i]->reader);
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

/* As many as hold PASS_FULL_MOST instructions suffice, but not fewer than PASS_FULL_LEAST. */
static uint32_t limit_full(const struct sm_group *g, uint32_t n)
{
    double each = run_total(g) / (double)g->v->sms, enough = ceil(PASS_FULL_MOST / (each + 1));
    if (enough < PASS_FULL_LEAST) enough = PASS_FULL_LEAST;
    return enough < n ? (uint32_t)enough : n;
}

/* Those that are run in full are spread over the SMs that get most CTAs; the others follow them in
 * turn. */
static void choose_homes(struct sm_group *g)
{
    uint64_t ctas = g->launch->ctas;
    uint32_t sms = g->v->sms, most = ctas < sms ? (uint32_t)ctas : sms;
    if (g->plan.full < sms && ctas % sms && ctas > sms) most = (uint32_t)(ctas % sms);
    uint32_t n = (ctas < sms ? (uint32_t)ctas : sms) * g->plan.full / sms;
    if (g->plan.full < sms) n = limit_full(g, n);
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
        if (follows(g, i) &&
            !sm_replay_launch(&g->replay[i], launch, g->launch, slots, share_of(g, i)))
            return error_no_memory(e);
    return true;
}

/* --- a window --- */

/* Threads wait for each other twice per window: one thread processes windows with little in them,
 * judging by the window before. */
static unsigned threads_for(const struct sm_group *g)
{
    return g->n < WORTH_THREADS ? 1 : g->threads;
}

static bool run_full(size_t k, unsigned worker, void *ctx)
{
    struct sm_group *g = ctx;
    (void)worker;
    sm_pass_begin_window(g->full[k], g->from);
    if (g->done[k]) return true;
    return sm_pass_run(g->full[k], (double)g->until, &g->done[k], &g->errors[k]) &&
           (schedule_log_sort(sm_pass_schedule(g->full[k]), g->launch->warps_per_cta) ||
            error_no_memory(&g->errors[k]));
}

static bool run_replay(struct sm_group *g, uint32_t sm, struct replay_reader *own)
{
    uint32_t k = g->leader[sm];
    struct sm_replay *r = &g->replay[sm];
    const struct replay_source from = {.reader = own->reader,
                                       .scratch = &own->scratch,
                                       .log = sm_pass_schedule(g->full[k]),
                                       .stream = sm_pass_stream(g->full[k]),
                                       .view = g->view,
                                       .from = g->from};
    return sm_replay_run(r, &from, &g->errors[sm]) &&
           (!g->done[k] || sm_replay_end(r, &from, from.log->begun, g->until - 1, &g->errors[sm]));
}

/* The SMs of a reader, whose cursors belong to it. */
static bool run_replays(size_t i, unsigned worker, void *ctx)
{
    struct sm_group *g = ctx;
    (void)worker;
    for (uint32_t sm = (uint32_t)i; sm < g->v->sms; sm += g->threads)
        if (follows(g, sm) && !run_replay(g, sm, g->reader[i])) return false;
    return true;
}

static bool first_error(const struct sm_group *g, struct error *e)
{
    for (uint32_t i = 0; i < g->v->sms; i++)
        if (g->errors[i].kind != ERROR_NONE) {
            if (e) *e = g->errors[i];
            return false;
        }
    return error_no_memory(e);
}

static void count_passed(struct sm_group *g, const struct stream_op *op)
{
    for (uint32_t v = 0; v < PROFILE_L1S; v++)
        g->passed[v][stream_class_of(op, v)] += __builtin_popcount(op->pass[v]);
}

/* Completes the new accesses of the SMs that are run in full. */
static void mark_full(struct sm_group *g)
{
    uint32_t lag = g->plan.full < g->v->sms ? PASS_LAG : 0;
    for (uint32_t k = 0; k < g->running; k++) {
        struct stream *st = sm_pass_stream(g->full[k]);
        for (size_t i = g->full[k]->kept; i < st->n; i++) {
            struct stream_op *op = &st->op[i];
            op->time += lag;
            op->followed = followed_lines_has(&g->plan.followed, op->addr / g->v->l2_line);
            op->chosen = random_choice_takes(&g->choice);
            count_passed(g, op);
        }
    }
}

/* Whether an access is in the window; those of the first SM that is run in full all are. */
static bool belongs(const struct sm_group *g, const struct stream_op *op, bool all)
{
    if (op->time >= g->until) return false;
    return all || op->followed || op->chosen || stream_op_shows(op, g->view, g->v);
}

static uint32_t window_slot(const struct sm_group *g, const struct stream_op *op)
{
    return op->time < g->from ? 0 : (uint32_t)(op->time - g->from);
}

static const struct stream *stream_of(const struct sm_group *g, uint32_t sm)
{
    return follows(g, sm) ? &g->replay[sm].out : sm_pass_stream(g->full[g->leader[sm]]);
}

/* Appends the accesses of some SMs to the order, by time, then by SM. */
static void sort_by_time(struct sm_group *g, uint32_t sm, uint32_t sms, bool all)
{
    size_t length = g->until - g->from;
    memset(g->slot, 0, (length + 1) * sizeof *g->slot);
    for (uint32_t s = sm; s < sm + sms; s++) {
        const struct stream *st = stream_of(g, s);
        for (size_t i = 0; i < st->n; i++)
            if (belongs(g, &st->op[i], all)) g->slot[window_slot(g, &st->op[i]) + 1]++;
    }
    g->slot[0] = (uint32_t)g->n;
    for (size_t t = 0; t < length; t++)
        g->slot[t + 1] += g->slot[t];
    g->n = g->slot[length];
    for (uint32_t s = sm; s < sm + sms; s++) {
        const struct stream *st = stream_of(g, s);
        for (size_t i = 0; i < st->n; i++) {
            if (!belongs(g, &st->op[i], all)) continue;
            size_t at = g->slot[window_slot(g, &st->op[i])]++;
            g->order[at] = &st->op[i];
            g->order_sm[at] = (uint16_t)s;
        }
    }
}

/* The window's accesses, and after them all of the first SM that is run in full. */
static bool merge_streams(struct sm_group *g)
{
    size_t length = g->until - g->from, room = stream_of(g, g->home[0])->n;
    for (uint32_t i = 0; i < g->v->sms; i++)
        room += stream_of(g, i)->n;
    if (!mem_grow(&g->order, &g->order_cap, room, sizeof *g->order) ||
        !mem_grow(&g->order_sm, &g->order_sm_cap, room, sizeof *g->order_sm) ||
        !mem_grow(&g->slot, &g->slot_cap, length + 1, sizeof *g->slot))
        return false;
    g->n = 0;
    sort_by_time(g, 0, g->v->sms, false);
    g->window_n = g->n;
    sort_by_time(g, g->home[0], 1, true);
    return true;
}

/* Whether the launch has ended and its last access is in the window or before it. */
static bool all_done(const struct sm_group *g)
{
    for (uint32_t k = 0; k < g->running; k++)
        if (!g->done[k]) return false;
    for (uint32_t s = 0; s < g->v->sms; s++) {
        const struct stream *st = stream_of(g, s);
        for (size_t i = 0; i < st->n; i++)
            if (st->op[i].time >= g->until) return false;
    }
    return true;
}

bool sm_group_run(struct sm_group *g, uint64_t from, uint64_t until, enum stream_view view,
                  struct group_window *w, struct error *e)
{
    g->from = from;
    g->until = until;
    g->view = view;
    if (!parallel_map(threads_for(g), g->running, run_full, g)) return first_error(g, e);
    if (g->plan.full < g->v->sms && !parallel_map(threads_for(g), g->threads, run_replays, g))
        return first_error(g, e);
    mark_full(g);
    if (!merge_streams(g)) return error_no_memory(e);
    *w = (struct group_window){.order = g->order,
                               .sm = g->order_sm,
                               .n = g->window_n,
                               .first = g->order + g->window_n,
                               .first_n = g->n - g->window_n,
                               .done = all_done(g)};
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
        if (follows(g, i)) all += g->replay[i].instructions[kind];
    return (full > 0 ? 1 + all / full : 1) * launch_scale(g);
}

void sm_group_passed(const struct sm_group *g, double passed[PROFILE_L1S][STREAM_CLASSES])
{
    double scale = launch_scale(g);
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        for (uint32_t k = 0; k < STREAM_CLASSES; k++) {
            passed[i][k] = scale * g->passed[i][k];
            for (uint32_t s = 0; s < g->v->sms; s++)
                if (follows(g, s)) passed[i][k] += scale * g->replay[s].passed[i][k];
        }
}

bool sm_group_same(const struct sm_group *g, uint32_t a, uint32_t b)
{
    return g->passed[a][STREAM_ABSORBED] + g->passed[a][STREAM_ON] ==
           g->passed[b][STREAM_ABSORBED] + g->passed[b][STREAM_ON];
}

bool sm_group_profile(struct sm_group *g, struct launch_profile *p)
{
    struct pass_scale by = {.instructions = 1, .launch = launch_scale(g)};
    double done = (double)done_in_full(g);
    for (enum stream_kind k = 0; k < STREAM_KINDS; k++)
        by.kind[k] = kind_scale(g, k);
    for (uint32_t i = 0; i < g->v->sms; i++) {
        if (!follows(g, i)) continue;
        by.longest = fmax(by.longest, (double)g->replay[i].longest);
        for (enum stream_kind k = 0; k < STREAM_KINDS; k++)
            by.followed[k] += sm_replay_transactions(&g->replay[i], k);
    }
    if (g->running < g->v->sms && done > 0)
        by.instructions = (double)instructions_before(g, g->launch->ctas) / done;
    return sm_pass_profile(g->full, g->running, &by, p);
}
