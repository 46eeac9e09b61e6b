/* profile_build.c - builds a profile: runs the SMs in windows of time and hands what leaves them to
 * the L2 variants and to the samples of addresses. */
#include "estimator/pass/l2_variants.h"
#include "estimator/pass/placed_window.h"
#include "estimator/pass/repeated_launches.h"
#include "estimator/pass/sm_group.h"
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
enum { CODES = 256, FEW_LINES_AFTER = 8 }; /* static instructions, by their numbers modulo this */

const uint32_t profile_sample_bytes[SAMPLE_CLASSES] = {256 << 10, 2 << 20};
const uint32_t profile_l1_bytes[PROFILE_L1S] = {0, 16384, 32768, 65536, 131072};

/* The last line that is followed of those that an instruction accesses: its distance, and accesses
 * to others since. */
struct last_far {
    uint32_t distance, since;
};

/* How many lines of the L2 the launch has touched, of those that are followed, and when. */
struct reach {
    double progress, lines;
};

struct collector {
    struct profile *f;
    struct launch_profile *profile; /* of the current launch, */
    struct address_samples *samples;
    const struct program *program;
    unsigned threads;
    struct progress *progress; /* NULL: no progress is reported */
    bool whole;                /* every SM is run in full */
    uint64_t told;             /* CTAs of the launch reported to the progress so far */
    struct repeated_launches repeated;
    struct sm_group *group;
    struct l2_variants l2;
    struct group_window w;
    struct placed_window placed; /* where pages are placed */
    struct spread_sampler spread;
    struct block_sampler rows[SAMPLE_STREAMS];
    struct line_sampler lines;
    struct phase_tally phase;
    struct sharing sharing; /* for MOESI */
    struct sharers sharers; /* for L1s that keep unshared lines */
    struct reuse pages;     /* of all SMs, where TLBs translate */
    struct hit_tally page_shared;
    double new_pages, pages_before; /* of the launch; the launches before it */
    bool no_memory;
    double before; /* lines that had reached the L2 without an L1 when the launch began */
    /* samples of blocks: whether one is being taken, or all accesses have been asked for so that
     * one can be; how many have been asked for; since when; accesses since then, of all SMs */
    bool in_block, wants_block;
    uint32_t blocks;
    uint64_t since, accesses;
    double seen[SAMPLE_STREAMS];     /* followed accesses of each kind of block */
    struct last_far far[CODES];      /* by instruction */
    struct reach now, half, quarter; /* half: at least half of now; quarter: before it */
    enum group_part part;
};

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
    c->samples = mem_new(1, sizeof *c->samples);
    if (!c->profile || !c->samples) return error_no_memory(e);
    if (v->l1_keeps_own && !sharers_init(&c->sharers)) return error_no_memory(e);
    const struct reuse_params pages = {.lines = PAGE_REUSE_BOUND};
    if (v->page_shift && !reuse_init(&c->pages, &pages, NULL, NULL)) return error_no_memory(e);
    if (!sharing_init(&c->sharing, v->sms, v->l1_class_bytes / v->l1_line) ||
        !l2_variants_init(&c->l2, v, &plan.followed))
        return error_no_memory(e);
    if (has_pages(c) && !placed_window_init(&c->placed, &v->pages)) return error_no_memory(e);
    c->group = sm_group_new(v, c->program, &plan, c->threads, &c->l2.at[0].c,
                            has_pages(c) ? &c->placed.table : NULL, &c->sharers, e);
    return c->group != NULL;
}

static void collector_fini(struct collector *c)
{
    sm_group_free(c->group);
    l2_variants_fini(&c->l2);
    placed_window_fini(&c->placed);
    sharers_fini(&c->sharers);
    if (c->f->view.page_shift) reuse_fini(&c->pages);
    mem_free(c->profile);
    mem_free(c->samples);
    sharing_fini(&c->sharing);
    repeated_launches_fini(&c->repeated);
}

/* --- samples of addresses --- */

static uint16_t bucket_of(uint32_t distance)
{
    return distance == REUSE_FAR ? UINT16_MAX : (uint16_t)histogram_bucket(distance);
}

static const uint8_t sampled_kind[] = {
    [STREAM_READ] = SAMPLED_READ, [STREAM_WRITE] = SAMPLED_WRITE, [STREAM_ATOMIC] = SAMPLED_ATOMIC};

/* The distance of the farthest sector. A line that is not followed is taken to be as far as the
 * last one that is, of the same instruction; if there has been none for long, the instruction
 * accesses few lines, which are near. */
static uint32_t farthest(struct collector *c, const struct stream_op *op, uint32_t mask,
                         const uint32_t *value)
{
    struct last_far *last = &c->far[op->code % CODES];
    if (!value) return ++last->since > FEW_LINES_AFTER * c->l2.followed.one_in ? 0 : last->distance;
    *last = (struct last_far){0, 0};
    for (uint32_t i = 0; i < CHAIN_SECTORS; i++)
        if ((mask >> i & 1) && value[i] > last->distance) last->distance = value[i];
    return last->distance;
}

/* Whether an access belongs to blocks of that kind. */
static bool in_stream(const struct collector *c, const struct stream_op *op, uint32_t far,
                      uint32_t kind)
{
    if (kind == SAMPLE_ASKED) return !stream_op_near(op, &c->f->view);
    return far >= profile_sample_bytes[kind] / c->f->view.l2_line;
}

static bool all_are_run(const struct collector *c)
{
    return c->l2.followed.one_in == 1;
}

/* A launch that ends in its first window has a second block, too: it follows the first. */
static void add_to_block(struct collector *c, uint32_t kind, const struct sampled *s)
{
    struct block_sampler *a = &c->rows[kind];
    if (all_are_run(c) && a->to->blocks == 1 && block_sampler_full(a))
        block_sampler_begin(a, c->seen[kind] - 1);
    block_sampler_add(a, s);
}

static void note_in_blocks(struct collector *c, const struct stream_op *op, const struct sampled *s,
                           uint32_t far, bool followed)
{
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++) {
        if (!in_stream(c, op, far, i)) continue;
        c->seen[i] += followed;
        if (c->in_block) add_to_block(c, i, s);
    }
}

/* A line is new to the launch if as many others have been touched since as the launch has touched.
 */
static void note_reach(struct collector *c, uint32_t far)
{
    if (far / c->l2.followed.one_in >= c->now.lines) c->now.lines++;
}

/* How far an access is from the last one of any SM to its page, if it is far in its own SM. */
static void note_page(struct collector *c, const struct stream_op *op, uint64_t addr, bool followed)
{
    struct reuse_distance d = {0};
    if (!reuse_touch(&c->pages, addr >> c->f->view.page_shift, &d))
        c->no_memory = true;
    else if (op->far_page && followed)
        hit_tally_add(&c->page_shared, d.global, NULL, 0);
    c->new_pages += d.fresh;
}

/* An access that would reach an L2 without an L1. */
static void sample_access(void *ctx, const struct stream_op *op, size_t at, uint64_t line,
                          uint32_t mask, const uint32_t *value)
{
    struct collector *c = ctx;
    const struct profile_view *v = &c->f->view;
    uint32_t far = farthest(c, op, mask, value), first = (uint32_t)__builtin_ctz(mask);
    struct sampled s = {.addr = line * v->l2_line + first * v->l2_sector,
                        .l1 = bucket_of(op->l1),
                        .l2 = bucket_of(far),
                        .kind = sampled_kind[op->kind],
                        .sectors = (uint8_t)__builtin_popcount(mask),
                        .sm = c->w.sm[at]};
    if (v->page_shift) note_page(c, op, s.addr, value != NULL);
    if (value) note_reach(c, far);
    if (value)
        phase_add(&c->phase, (uint32_t[PHASE_LEVELS]){[PHASE_L1] = op->l1, [PHASE_L2] = far});
    if (op->chosen) spread_sampler_offer(&c->spread, &s);
    note_in_blocks(c, op, &s, far, value != NULL);
}

/* Samples the lines that one SM accesses, with the distances in its own L1. */
static void sample_line(struct collector *c, const struct stream_op *op)
{
    const struct profile_view *v = &c->f->view;
    bool store = op->kind == STREAM_WRITE;
    if (op->bypass || op->kind == STREAM_ATOMIC) return;
    if (!store && op->l1 < v->l1_class_bytes / 2 / v->l1_line) return;
    uint64_t addr = op->addr; /* the window's pages have frames */
    if (has_pages(c)) page_table_find(&c->placed.table, addr, &addr);
    const struct sampled_line s = {.line = addr / v->l1_line,
                                   .l1 = bucket_of(op->l1),
                                   .sectors = (uint8_t)__builtin_popcount(op->mask),
                                   .store = store};
    line_sampler_offer(&c->lines, &s);
}

static void begin_block(struct collector *c)
{
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        block_sampler_begin(&c->rows[i], c->seen[i] * c->l2.followed.one_in);
    c->in_block = true;
    c->accesses = 0;
}

static bool block_ends(const struct collector *c)
{
    if (c->accesses >= BLOCK_MOST) return true;
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        if (!block_sampler_full(&c->rows[i])) return false;
    return true;
}

/* All accesses are wanted first, then those that may reach memory. */
static enum stream_view wanted_view(const struct collector *c)
{
    if (!c->wants_block) return STREAM_SAMPLE;
    bool asked = c->in_block && block_sampler_full(&c->rows[SAMPLE_ASKED]);
    return asked ? STREAM_MISSES : STREAM_ALL;
}

/* Blocks begin with the launch and at even steps of its progress, as soon as every SM's accesses
 * are there. */
static void time_blocks(struct collector *c, uint64_t now)
{
    if (c->in_block && block_ends(c)) c->in_block = c->wants_block = false;
    if (!c->wants_block && c->blocks < SAMPLE_BLOCKS &&
        sm_group_progress(c->group) * SAMPLE_BLOCKS >= c->blocks) {
        c->wants_block = true;
        c->since = now;
        c->blocks++;
    }
    if (c->wants_block && !c->in_block && now >= c->since + PASS_LAG) begin_block(c);
}

/* --- what is left out --- */

static void time_reach(struct collector *c)
{
    c->now.progress = sm_group_progress(c->group);
    if (c->now.progress < 2 * c->half.progress) return;
    c->quarter = c->half;
    c->half = c->now;
}

/* Lines that are new go on being touched as they were last: by what is left out, too. */
static void pass_over(struct collector *c, enum group_part part)
{
    double left_out = sm_group_skipped(c->group, part),
           run = 1 - sm_group_skipped(c->group, GROUP_HEAD) -
                 sm_group_skipped(c->group, GROUP_MIDDLE);
    bool late = c->now.progress > 1.25 * c->half.progress;
    struct reach since = late ? c->half : c->quarter;
    if (left_out <= 0 || c->now.progress <= since.progress) return;
    double lines =
        (c->now.lines - since.lines) / (c->now.progress - since.progress) * left_out / run;
    l2_variants_pass_over(&c->l2, (uint64_t)lines);
    c->now.lines += floor(lines); /* none of which counts as touched since then */
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

static void start_samples(struct collector *c)
{
    spread_sampler_start(&c->spread, &c->samples->spread);
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        block_sampler_start(&c->rows[i], &c->samples->rows[i]);
    line_sampler_start(&c->lines, &c->samples->lines);
    phase_start(&c->phase);
    memset(c->seen, 0, sizeof c->seen);
    c->page_shared = (struct hit_tally){0};
    c->pages_before += c->new_pages;
    c->new_pages = 0;
    for (uint32_t i = 0; i < CODES; i++)
        c->far[i] = (struct last_far){REUSE_FAR, 0};
    c->now = c->half = c->quarter = (struct reach){0};
    c->part = GROUP_HEAD;
    c->wants_block = true;
    c->blocks = 1;
    begin_block(c);
}

static void finish_samples(struct collector *c)
{
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        block_sampler_finish(&c->rows[i], c->seen[i] * c->l2.followed.one_in);
    double asked = c->seen[SAMPLE_ASKED] * c->l2.followed.one_in, entries = c->samples->spread.n;
    c->samples->spread.apart = entries > 0 ? fmax(1, asked / entries) : 1;
}

/* --- a launch --- */

static bool run_l2_variant(size_t i, unsigned worker, void *ctx)
{
    struct collector *c = ctx;
    (void)worker;
    return l2_variants_run(&c->l2, (uint32_t)i, c->w.order, c->w.n, i ? NULL : sample_access, c);
}

static void finish_l2(struct collector *c)
{
    double passed[PROFILE_L1S][STREAM_CLASSES];
    sm_group_passed(c->group, passed);
    l2_variants_finish(&c->l2, passed, c->profile);
}

static bool finish_launch(struct collector *c, uint32_t launch, struct error *e)
{
    struct launch_profile *p = c->profile;
    struct launch_place *place = &c->f->place[launch];
    if (!sm_group_profile(c->group, p) || c->no_memory) return error_no_memory(e);
    const struct launch *l = &c->f->shape[launch];
    p->ctas = (double)l->ctas;
    p->warps_per_cta = l->warps_per_cta;
    p->warps = p->ctas * p->warps_per_cta;
    finish_l2(c);
    finish_samples(c);
    phase_finish(&c->phase, &p->phase);
    p->shared = c->sharing.count;
    hit_tally_curve(&c->page_shared, &p->page_shared);
    p->new_pages = c->new_pages;
    p->pages_are_first = c->new_pages > 0 && c->pages_before <= 0;
    *place = (struct launch_place){.profile = parts_keep(&c->f->profiles, p),
                                   .samples = parts_keep(&c->f->samples, c->samples),
                                   .lines_before = c->before,
                                   .lines_after = l2_variants_lines(&c->l2)};
    if (place->profile == PARTS_NONE || place->samples == PARTS_NONE) return error_no_memory(e);
    place->likeness =
        digest_join(c->f->profiles.digest[place->profile], digest_bytes(&l->ctas, sizeof l->ctas));
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
    return c->wants_block && !all_are_run(c) ? BLOCK_WINDOW : WINDOW;
}

static bool run_window(struct collector *c, uint64_t from, uint64_t until, struct error *e)
{
    if (!sm_group_run(c->group, from, until, wanted_view(c), &c->w, e)) return false;
    if (has_pages(c) && !placed_window_translate(&c->placed, &c->w)) return error_no_memory(e);
    for (size_t i = 0; i < c->w.first_n; i++)
        sample_line(c, c->w.first[i]);
    if (!sm_group_tell_sharers(c->group) || !l2_variants_part(&c->l2, c->group) ||
        !parallel_map(c->w.n < WORTH_THREADS ? 1 : c->threads, PROFILE_L1S, run_l2_variant, c) ||
        !sharing_walk(&c->sharing, &c->f->view, c->w.order, c->w.sm, c->w.n))
        return error_no_memory(e);
    c->accesses += c->w.first_n * c->f->view.sms;
    time_parts(c);
    time_blocks(c, until);
    tell_progress(c);
    return true;
}

static bool run_launch(struct collector *c, uint32_t launch, struct error *e)
{
    if (!sm_group_launch(c->group, launch, e)) return false;
    l2_variants_launch(&c->l2);
    start_samples(c);
    sharing_start(&c->sharing);
    c->told = 0;
    c->before = l2_variants_lines(&c->l2);
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
    c->f->place[launch].lines_before = c->f->place[launch].lines_after = l2_variants_lines(&c->l2);
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
        l2_variants_copy_line(&c->l2, addr / line);
    }
    l2_variants_copied(&c->l2);
}

bool profile_collect(struct profile *f, const struct program *p, unsigned threads,
                     struct progress *progress, struct error *e)
{
    struct collector c = {
        .f = f, .program = p, .threads = threads, .progress = progress, .repeated = {.p = p}};
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
