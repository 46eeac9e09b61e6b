/* sm_group_window.c - runs all SMs of a profile pass for a window of time, and merges the accesses
 * that leave them into one stream.
 *
 * The SMs that are run in full go first, those of a reader in a thread; the others replay the
 * schedule of the one that they follow, PASS_LAG cycles later. The merged stream is sorted by time,
 * then by SM, by counting, so that the number of threads does not show in it. It holds the accesses
 * to followed lines, a random share of all, and those that the view asks for. */
#include "estimator/pass/sm_group_internal.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"

#include <string.h>

static void run_sm(struct sm_group *g, uint32_t k)
{
    sm_pass_begin_window(g->full[k], g->from);
    if (g->done[k] || !sm_pass_run(g->full[k], (double)g->until, &g->done[k], &g->errors[k]))
        return;
    if (!schedule_log_sort(sm_pass_schedule(g->full[k]), g->launch->warps_per_cta))
        error_no_memory(&g->errors[k]);
}

/* Runs the SMs whose cursors belong to reader i. */
static void run_full(void *ctx, uint32_t i)
{
    struct sm_group *g = ctx;
    for (uint32_t k = i; k < g->running; k += g->threads)
        run_sm(g, k);
}

static bool run_replay(struct sm_group *g, uint32_t sm, struct group_reader *own)
{
    uint32_t k = g->leader[sm];
    struct sm_replay *r = &g->replay[sm];
    const struct replay_source from = {.reader = own->follow,
                                       .scratch = &own->scratch,
                                       .log = sm_pass_schedule(g->full[k]),
                                       .stream = sm_pass_stream(g->full[k]),
                                       .view = g->view,
                                       .from = g->from};
    return sm_replay_run(r, &from, &g->errors[sm]) &&
           (!g->done[k] || sm_replay_end(r, &from, from.log->begun, g->until - 1, &g->errors[sm]));
}

/* Replays the SMs whose cursors belong to reader i. */
static void run_replays(void *ctx, uint32_t i)
{
    struct sm_group *g = ctx;
    for (uint32_t sm = i; sm < g->v->sms; sm += g->threads)
        if (sm_group_follows(g, sm) && !run_replay(g, sm, g->reader[i])) return;
}

void sm_group_works(struct sm_group *g, struct team_work *work)
{
    work[GROUP_FULL] = (struct team_work){run_full, g, g->threads};
    work[GROUP_REPLAYS] = (struct team_work){run_replays, g, g->threads};
}

void sm_group_join(struct sm_group *g, struct team *team)
{
    g->team = team;
}

/* Threads wait for each other twice per window: one thread processes windows with little in them,
 * judging by the window before. */
static bool do_work(struct sm_group *g, enum group_work work, struct error *e)
{
    if (g->n < WORTH_THREADS)
        team_do_alone(g->team, work);
    else
        team_do(g->team, work);
    for (uint32_t i = 0; i < g->v->sms; i++) {
        if (g->errors[i].kind == ERROR_NONE) continue;
        if (e) *e = g->errors[i];
        return false;
    }
    return true;
}

static void count_passed(struct sm_group *g, const struct stream_op *op)
{
    g->passed[stream_class_of(op)] += sector_reuse_count(op->pass);
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
            op->followed = followed_lines_has(&g->plan.followed, profile_l2_line(g->v, op->addr));
            op->chosen = random_choice_takes(&g->choice);
            count_passed(g, op);
        }
    }
}

/* Whether an access is in the window; those of the first SM that is run in full all are. Notes that
 * some come later. */
static bool belongs(struct sm_group *g, const struct stream_op *op, bool all)
{
    if (op->time >= g->until) {
        g->later = true;
        return false;
    }
    return all || op->followed || op->chosen || stream_op_shows(op, g->view, g->v);
}

static uint32_t window_slot(const struct sm_group *g, const struct stream_op *op)
{
    return op->time < g->from ? 0 : (uint32_t)(op->time - g->from);
}

static const struct stream *stream_of(const struct sm_group *g, uint32_t sm)
{
    return sm_group_follows(g, sm) ? &g->replay[sm].out : sm_pass_stream(g->full[g->leader[sm]]);
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

/* All accesses of the first SM that is run in full, behind the window's: where these have all of
 * them they are there in order. */
static void add_first(struct sm_group *g)
{
    if (g->plan.followed.one_in > 1) {
        sort_by_time(g, g->home[0], 1, true);
        return;
    }
    for (size_t i = 0; i < g->window_n; i++)
        if (g->order_sm[i] == g->home[0]) g->order[g->n++] = g->order[i];
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
    g->later = false;
    sort_by_time(g, 0, g->v->sms, false);
    g->window_n = g->n;
    add_first(g);
    return true;
}

/* Whether the launch has ended and its last access is in the window or before it. */
static bool all_done(const struct sm_group *g)
{
    for (uint32_t k = 0; k < g->running; k++)
        if (!g->done[k]) return false;
    return !g->later;
}

bool sm_group_run(struct sm_group *g, uint64_t from, uint64_t until, enum stream_view view,
                  struct group_window *w, struct error *e)
{
    g->from = from;
    g->until = until;
    g->view = view;
    if (!do_work(g, GROUP_FULL, e)) return false;
    if (g->plan.full < g->v->sms && !do_work(g, GROUP_REPLAYS, e)) return false;
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
