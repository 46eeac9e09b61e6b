/* profile_build.c - builds a profile: runs the SMs in windows of time and hands what leaves them to
 * the L2 and to the samples of addresses. */
#include "estimator/pass/l2_reuse.h"
#include "estimator/pass/placed_window.h"
#include "estimator/pass/repeated_launches.h"
#include "estimator/pass/sm_group.h"
#include "estimator/pass/stream_samples.h"
#include "estimator/profile/address_sample.h"
#include "estimator/reuse/moesi_write_sharing.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "base/run/progress.h"
#include "estimator/constants.h"

#include <math.h>
#include <string.h>

/* Cycles. Who shares lines is known from the windows before: shorter ones where that matters; and
 * while a block of consecutive accesses is sampled, as all accesses are merged then. */
enum { WINDOW = 8192, BLOCK_WINDOW = 512 };

/* How many lines of the L2 the launch has touched, of those that are followed, and when. */
struct reach {
    double progress, lines;
};

struct collector {
    struct profile *f;
    struct launch_profile *profile; /* of the current launch, */
    const struct program *program;
    unsigned threads;
    struct progress *progress; /* NULL: no progress is reported */
    bool whole;                /* every SM is run in full */
    uint64_t told;             /* CTAs of the launch reported to the progress so far */
    struct repeated_launches repeated;
    struct sm_group *group;
    struct l2_reuse l2;
    struct team *team;
    struct group_window w;
    struct placed_window placed; /* where pages are placed */
    struct stream_samples samples;
    struct sharing sharing; /* for MOESI */
    struct sharers sharers; /* for L1s that keep unshared lines */
    double before;          /* lines that had reached the L2 without an L1 when the launch began */
    double progressed;      /* the launch, 0 to 1, at the last window */
    struct reach half, quarter; /* half: at least half of the progress now; quarter: before it */
    enum group_part part;
};

static bool make_team(struct collector *c)
{
    struct team_work work[GROUP_WORKS];
    sm_group_works(c->group, work);
    c->team = team_new(c->threads, work, GROUP_WORKS);
    if (c->team) sm_group_join(c->group, c->team);
    return c->team != NULL;
}

static bool has_pages(const struct collector *c)
{
    return pages_are_placed(&c->f->view.pages.p);
}

static bool collector_init(struct collector *c, struct error *e)
{
    const struct profile_view *v = &c->f->view;
    struct pass_plan plan = pass_plan_of(v, pass_instructions(c->program), c->f->detail);
    c->whole = plan.full == v->sms;
    c->profile = mem_new(1, sizeof *c->profile);
    if (!c->profile || !stream_samples_init(&c->samples, v, plan.followed.one_in))
        return error_no_memory(e);
    if (v->l1_keeps_own && !sharers_init(&c->sharers)) return error_no_memory(e);
    if (!sharing_init(&c->sharing, v->sms, v->l1_class_bytes / v->l1_line) ||
        !l2_reuse_init(&c->l2, v, &plan.followed))
        return error_no_memory(e);
    if (has_pages(c) && !placed_window_init(&c->placed, &v->pages)) return error_no_memory(e);
    c->group = sm_group_new(v, c->program, &plan, c->threads, &c->l2.c,
                            has_pages(c) ? &c->placed.table : NULL, &c->sharers, e);
    return c->group && (make_team(c) || error_no_memory(e));
}

static void collector_fini(struct collector *c)
{
    team_free(c->team);
    sm_group_free(c->group);
    l2_reuse_fini(&c->l2);
    placed_window_fini(&c->placed);
    sharers_fini(&c->sharers);
    stream_samples_fini(&c->samples);
    mem_free(c->profile);
    sharing_fini(&c->sharing);
    repeated_launches_fini(&c->repeated);
}

/* --- what is left out --- */

static void time_reach(struct collector *c)
{
    c->progressed = sm_group_progress(c->group);
    if (c->progressed < 2 * c->half.progress) return;
    c->quarter = c->half;
    c->half = (struct reach){.progress = c->progressed, .lines = c->samples.lines_reached};
}

/* Lines that are new go on being touched as they were last: by what is left out, too. */
static void pass_over(struct collector *c, enum group_part part)
{
    double left_out = sm_group_skipped(c->group, part),
           run = 1 - sm_group_skipped(c->group, GROUP_HEAD) -
                 sm_group_skipped(c->group, GROUP_MIDDLE);
    bool late = c->progressed > 1.25 * c->half.progress;
    struct reach since = late ? c->half : c->quarter;
    if (left_out <= 0 || c->progressed <= since.progress) return;
    double like = c->samples.lines_reached - since.lines;
    double lines = like / (c->progressed - since.progress) * left_out / run;
    l2_reuse_pass_over(&c->l2, (uint64_t)lines, like);
    c->samples.lines_reached += floor(lines); /* none of which counts as touched since then */
    c->half.lines += floor(lines);
    c->quarter.lines += floor(lines);
}

static void time_parts(struct collector *c)
{
    time_reach(c);
    if (sm_group_part(c->group) == c->part) return;
    pass_over(c, GROUP_HEAD);
    c->part = GROUP_MIDDLE;
}

/* --- a launch --- */

static void finish_l2(struct collector *c)
{
    double passed[STREAM_CLASSES];
    sm_group_passed(c->group, passed);
    l2_reuse_finish(&c->l2, passed, c->profile);
    c->profile->pass_cycles /=
        1 - sm_group_skipped(c->group, GROUP_HEAD) - sm_group_skipped(c->group, GROUP_MIDDLE);
}

static bool finish_launch(struct collector *c, uint32_t launch, struct error *e)
{
    struct launch_profile *p = c->profile;
    struct launch_place *place = &c->f->place[launch];
    if (!sm_group_profile(c->group, p) || c->samples.no_memory) return error_no_memory(e);
    const struct launch *l = &c->f->shape[launch];
    p->ctas = (double)l->ctas;
    p->warps_per_cta = l->warps_per_cta;
    p->warps = p->ctas * p->warps_per_cta;
    finish_l2(c);
    stream_samples_finish(&c->samples, p);
    p->shared = c->sharing.count;
    *place = (struct launch_place){.profile = parts_keep(&c->f->profiles, p),
                                   .samples = parts_keep(&c->f->samples, c->samples.to),
                                   .lines_before = c->before,
                                   .lines_after = l2_reuse_lines(&c->l2)};
    if (place->profile == PARTS_NONE || place->samples == PARTS_NONE) return error_no_memory(e);
    /* the first launch begins otherwise than those behind others */
    const uint64_t form[] = {l->ctas, launch > 0};
    place->likeness =
        digest_join(c->f->profiles.digest[place->profile], digest_bytes(form, sizeof form));
    return true;
}

static void tell_progress(struct collector *c)
{
    if (!c->progress) return;
    uint64_t started = sm_group_started(c->group);
    progress_add(c->progress, started - c->told);
    c->told = started;
}

static uint64_t window_length(const struct collector *c)
{
    if (c->f->view.l1_keeps_own) return SHARING_WINDOW;
    return stream_samples_wants_all(&c->samples) ? BLOCK_WINDOW : WINDOW;
}

static bool run_window(struct collector *c, uint64_t from, uint64_t until, struct error *e)
{
    enum stream_view view = stream_samples_view(&c->samples);
    if (!sm_group_run(c->group, from, until, view, &c->w, e)) return false;
    if (has_pages(c) && !placed_window_translate(&c->placed, &c->w)) return error_no_memory(e);
    stream_samples_window(&c->samples, &c->w, has_pages(c) ? &c->placed.table : NULL);
    if (!sm_group_tell_sharers(c->group) ||
        !l2_reuse_run(&c->l2, &c->w, stream_samples_see, &c->samples) ||
        !sharing_walk(&c->sharing, &c->f->view, c->w.order, c->w.sm, c->w.n))
        return error_no_memory(e);
    time_parts(c);
    stream_samples_end_window(&c->samples, until, sm_group_progress(c->group));
    tell_progress(c);
    return true;
}

static bool run_launch(struct collector *c, uint32_t launch, struct error *e)
{
    if (!sm_group_launch(c->group, launch, e)) return false;
    l2_reuse_launch(&c->l2);
    stream_samples_start(&c->samples);
    c->progressed = 0;
    c->half = c->quarter = (struct reach){0};
    c->part = GROUP_HEAD;
    sharing_start(&c->sharing);
    c->told = 0;
    c->before = l2_reuse_lines(&c->l2);
    c->w.done = false;
    for (uint64_t from = 0, until; !c->w.done; from = until) {
        if (atomic_load(&plumb_interrupted)) return error_interrupted(e, "profiling");
        until = from + window_length(c);
        if (!run_window(c, from, until, e)) return false;
    }
    pass_over(c, GROUP_MIDDLE);
    return finish_launch(c, launch, e);
}

/* A launch that repeats another has its profile. */
static void repeat_launch(struct collector *c, uint32_t launch, uint32_t as)
{
    c->f->place[launch] = c->f->place[as];
    if (c->progress) progress_add(c->progress, c->f->shape[launch].ctas);
    c->f->place[launch].lines_before = c->f->place[launch].lines_after = l2_reuse_lines(&c->l2);
}

static bool take_launch(struct collector *c, uint32_t launch, struct error *e)
{
    uint32_t as;
    bool failed = false;
    if (!c->whole && repeated_launches_find(&c->repeated, launch, &as, &failed)) {
        repeat_launch(c, launch, as);
        return true;
    }
    return failed ? error_no_memory(e) : run_launch(c, launch, e);
}

/* A copy to the device leaves its lines in the L2, the least recent first, clean or dirty. */
static void warm_by_copy(struct collector *c, const struct command *k)
{
    uint32_t line = c->f->view.l2_line;
    struct copy_pieces left = copy_tail(k, PROFILE_L2_BOUND_BYTES, line);
    for (uint64_t n = 0, at = left.first / line; n < left.n; n++, at++) {
        uint64_t addr = at * line;
        if (has_pages(c) && !page_table_find(&c->placed.table, addr, &addr)) continue;
        l2_reuse_copy_line(&c->l2, addr / line);
    }
    l2_reuse_copied(&c->l2);
}

bool profile_collect(struct profile *f, const struct program *p, unsigned threads,
                     struct progress *progress, struct error *e)
{
    struct collector c = {.f = f,
                          .program = p,
                          .threads = parallel_threads(threads),
                          .progress = progress,
                          .repeated = {.p = p}};
    bool ok = collector_init(&c, e);
    for (uint32_t i = 0; ok && i < program_commands(p); i++) {
        const struct command *k = program_command(p, i);
        if (k->kind == COMMAND_LAUNCH)
            ok = take_launch(&c, k->launch, e);
        else if (k->kind == COMMAND_COPY_TO_DEVICE && f->view.copy_warms)
            warm_by_copy(&c, k);
    }
    collector_fini(&c);
    return ok && (profile_seal(f) || error_no_memory(e));
}
