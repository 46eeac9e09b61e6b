/* profile_build.c - builds a profile: runs the SMs in parallel in windows of time and merges their
 * streams into the L2 variants.
 *
 * Windows bound the memory of the streams.  Within a window accesses are ordered by time, then by
 * SM; each L2 variant processes the same order by itself, so that the number of threads does not
 * change the result. */
#include "estimator/observer/l2_variants.h"
#include "estimator/observer/sm_pass.h"
#include "estimator/profile/address_sample.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "base/run/progress.h"
#include "estimator/constants.h"

#include <string.h>

enum { SOON = 24, SOONER = 8 }; /* accesses ahead */
/* Who shares lines is known from the windows before: shorter ones where that matters. */
enum { WINDOW = 8192, WORTH_THREADS = 4096 };

const uint32_t profile_sample_bytes[SAMPLE_CLASSES] = {256 << 10, 2 << 20};
const uint32_t profile_l1_bytes[PROFILE_L1S] = {0, 16384, 32768, 65536, 131072};

struct collector {
    struct profile *f;
    struct launch_profile *profile; /* of the current launch, */
    struct address_samples *samples;
    const struct program *program;
    unsigned threads;
    struct progress *progress; /* NULL: no progress is reported */
    uint64_t told;             /* CTAs of the launch reported to the progress so far */
    struct sm_pass **sm;
    struct level2 *l2; /* [PROFILE_L1S] */
    const struct stream_op **order;
    uint16_t *order_sm; /* the SM of each access */
    size_t order_cap, order_sm_cap, n_order,
        at;         /* at: of variant 0, the only one that is sampled */
    uint32_t *slot; /* [WINDOW + 1] for the counting sort */
    struct spread_sampler spread;
    struct block_sampler rows[SAMPLE_STREAMS];
    struct line_sampler lines;
    struct phase_tally phase;
    struct sharing sharing; /* for MOESI */
    struct sharers sharers; /* for L1s that keep unshared lines */
    uint32_t window;
    uint64_t until, before; /* lines that had reached the L2 without an L1 when the launch began */
    bool *done;
    struct error *errors; /* [sms] */
};

static bool collector_init(struct collector *c, struct error *e)
{
    const struct profile_view *v = &c->f->view;
    c->sm = mem_new(v->sms, sizeof(struct sm_pass *));
    c->done = mem_new(v->sms, sizeof *c->done);
    c->errors = mem_new(v->sms, sizeof *c->errors);
    c->slot = mem_new(WINDOW + 1, sizeof *c->slot);
    c->l2 = mem_new(PROFILE_L1S, sizeof *c->l2);
    c->profile = mem_new(1, sizeof *c->profile);
    c->samples = mem_new(1, sizeof *c->samples);
    if (!c->sm || !c->done || !c->errors || !c->slot || !c->l2 || !c->profile || !c->samples)
        return error_no_memory(e);
    for (uint32_t i = 0; i < v->sms; i++)
        if (!(c->sm[i] = sm_pass_new(v, c->program, i, e))) return false;
    for (uint32_t i = 0; i < v->sms; i++)
        sm_pass_connect(c->sm[i], &c->l2[0].c, &c->sharers);
    c->window = v->l1_keeps_own ? SHARING_WINDOW : WINDOW;
    if (v->l1_keeps_own && !sharers_init(&c->sharers)) return error_no_memory(e);
    if (!sharing_init(&c->sharing, v->sms, v->l1_class_bytes / v->l1_line))
        return error_no_memory(e);
    return l2_variant_init(&c->l2[0], v) || error_no_memory(e);
}

static void collector_fini(struct collector *c)
{
    for (uint32_t i = 0; c->sm && i < c->f->view.sms; i++)
        sm_pass_free(c->sm[i]);
    for (uint32_t i = 0; c->l2 && i < PROFILE_L1S; i++)
        chain_fini(&c->l2[i].c);
    sharers_fini(&c->sharers);
    mem_free(c->profile);
    mem_free(c->samples);
    mem_free(c->sm);
    mem_free(c->done);
    mem_free(c->errors);
    mem_free(c->slot);
    mem_free(c->l2);
    mem_free(c->order);
    mem_free(c->order_sm);
    sharing_fini(&c->sharing);
}

/* --- the merged stream --- */

static uint32_t window_slot(const struct collector *c, const struct stream_op *op)
{
    uint64_t from = c->until - c->window;
    return op->time < from               ? 0
           : op->time - from < c->window ? (uint32_t)(op->time - from)
                                         : c->window - 1;
}

static bool merge_streams(struct collector *c, struct error *e)
{
    uint32_t sms = c->f->view.sms;
    c->n_order = 0;
    memset(c->slot, 0, (c->window + 1) * sizeof *c->slot);
    for (uint32_t s = 0; s < sms; s++) {
        const struct stream *st = sm_pass_stream(c->sm[s]);
        c->n_order += st->n;
        for (size_t i = 0; i < st->n; i++)
            c->slot[window_slot(c, &st->op[i]) + 1]++;
    }
    if (!mem_grow(&c->order, &c->order_cap, c->n_order, sizeof *c->order) ||
        !mem_grow(&c->order_sm, &c->order_sm_cap, c->n_order, sizeof *c->order_sm))
        return error_no_memory(e);
    for (uint32_t t = 0; t < c->window; t++)
        c->slot[t + 1] += c->slot[t];
    for (uint32_t s = 0; s < sms; s++) {
        const struct stream *st = sm_pass_stream(c->sm[s]);
        for (size_t i = 0; i < st->n; i++) {
            size_t at = c->slot[window_slot(c, &st->op[i])]++;
            c->order[at] = &st->op[i];
            c->order_sm[at] = (uint16_t)s;
        }
    }
    return true;
}

static uint16_t bucket_of(uint32_t distance)
{
    return distance == REUSE_FAR ? UINT16_MAX : (uint16_t)histogram_bucket(distance);
}

static const uint8_t sampled_kind[] = {
    [STREAM_READ] = SAMPLED_READ, [STREAM_WRITE] = SAMPLED_WRITE, [STREAM_ATOMIC] = SAMPLED_ATOMIC};

static void sample_op(struct collector *c, const struct stream_op *op, uint64_t addr, uint32_t mask,
                      const uint32_t *value)
{
    uint32_t far = 0;
    for (uint32_t i = 0; i < CHAIN_SECTORS; i++)
        if ((mask >> i & 1) && value[i] > far) far = value[i];
    struct sampled s = {.addr = addr,
                        .l1 = bucket_of(op->l1),
                        .l2 = bucket_of(far),
                        .kind = sampled_kind[op->kind],
                        .sectors = (uint8_t)__builtin_popcount(mask),
                        .sm = c->order_sm[c->at]};
    phase_add(&c->phase, (uint32_t[PHASE_LEVELS]){[PHASE_L1] = op->l1, [PHASE_L2] = far});
    spread_sampler_offer(&c->spread, &s);
    for (uint32_t i = 0; i < SAMPLE_CLASSES; i++)
        if (far >= profile_sample_bytes[i] / c->f->view.l2_line)
            block_sampler_offer(&c->rows[i], &s);
    block_sampler_offer(&c->rows[SAMPLE_ASKED], &s);
}

static void l2_access(struct collector *c, uint32_t variant, const struct stream_op *op,
                      uint64_t line, uint32_t mask, uint32_t whole)
{
    struct chain *ch = &c->l2[variant].c;
    uint32_t value[CHAIN_SECTORS];
    if (op->kind == STREAM_READ)
        chain_read(ch, line, mask, value);
    else if (op->kind == STREAM_WRITE)
        chain_write(ch, line, mask, whole, value);
    else
        chain_atomic(ch, line, mask, value);
    if (variant == 0) {
        uint32_t first = (uint32_t)__builtin_ctz(mask);
        sample_op(c, op, line * c->f->view.l2_line + first * c->f->view.l2_sector, mask, value);
    }
}

/* Converts the L1's sectors to the L2's lines and sectors. */
static void l2_op(struct collector *c, uint32_t variant, const struct stream_op *op)
{
    const struct profile_view *v = &c->f->view;
    uint32_t pass = op->pass[variant], mask = 0, whole = 0;
    if (v->l1_line == v->l2_line && v->l1_sector == v->l2_sector) {
        if (pass) l2_access(c, variant, op, op->addr / v->l2_line, pass, op->whole);
        return;
    }
    uint64_t line = 0;
    for (uint32_t s = 0; s < v->l1_line / v->l1_sector; s++) {
        if (!(pass >> s & 1)) continue;
        uint64_t addr = op->addr + s * v->l1_sector, at = addr / v->l2_line;
        uint32_t bit = 1u << (addr % v->l2_line) / v->l2_sector;
        if (mask && at != line) {
            l2_access(c, variant, op, line, mask, whole);
            mask = whole = 0;
        }
        line = at;
        mask |= bit;
        if ((op->whole >> s & 1) && v->l1_sector >= v->l2_sector) whole |= bit;
    }
    if (mask) l2_access(c, variant, op, line, mask, whole);
}

/* Whether both variants get the same accesses in this window. */
static bool same_stream(const struct collector *c, uint32_t a, uint32_t b)
{
    for (size_t k = 0; k < c->n_order; k++)
        if (c->order[k]->pass[a] != c->order[k]->pass[b]) return false;
    return true;
}

static bool part_level2(struct level2 *from, struct level2 *to)
{
    to->written = from->written;
    return (to->c.p.sectors || chain_init(&to->c, &from->c.p)) && chain_copy(&to->c, &from->c);
}

/* The stream behind L1s of the view's class lies between those of the class's neighbours; the
 * samples need the variant without an L1.  A variant that is not needed equals the one before
 * it. */
static uint32_t asked_for(const struct profile_view *v, uint32_t variant)
{
    uint32_t cls = 0;
    while (cls + 1 < PROFILE_L1S && profile_l1_bytes[cls + 1] <= v->l1_class_bytes)
        cls++;
    if (v->l1_adaptive || variant + 1 < cls) return variant;
    return cls == 0 ? 0 : variant > cls + 1 ? cls + 1 : variant;
}

/* Separates the variants that differ from this window on. */
static bool part_variants(struct collector *c)
{
    uint32_t was[PROFILE_L1S];
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        was[i] = c->l2[i].as;
    for (uint32_t i = 1; i < PROFILE_L1S; i++) {
        uint32_t as = was[i], asked = asked_for(&c->f->view, i);
        if (asked < i) {
            c->l2[i].as = c->l2[asked].as;
            continue;
        }
        while (as < i && !(was[as] == was[i] && c->l2[as].as == as && same_stream(c, as, i)))
            as++;
        c->l2[i].as = as;
        if (as == i && was[i] != i && !part_level2(&c->l2[was[i]], &c->l2[i])) return false;
    }
    return true;
}

/* Samples the lines that the first SM accesses, with the distances in its own L1. */
static void sample_line(struct collector *c, const struct stream_op *op)
{
    const struct profile_view *v = &c->f->view;
    bool store = op->kind == STREAM_WRITE;
    if (op->bypass || op->kind == STREAM_ATOMIC) return;
    if (!store && op->l1 < v->l1_class_bytes / 2 / v->l1_line) return;
    const struct sampled_line s = {.line = op->addr / v->l1_line,
                                   .l1 = bucket_of(op->l1),
                                   .sectors = (uint8_t)__builtin_popcount(op->mask),
                                   .store = store};
    line_sampler_offer(&c->lines, &s);
}

static bool run_l2_variant(size_t i, unsigned worker, void *ctx)
{
    struct collector *c = ctx;
    (void)worker;
    if (c->l2[i].as != i) return true;
    const struct chain *ch = &c->l2[i].c;
    uint32_t line = c->f->view.l2_line;
    for (size_t k = 0; k < c->n_order; k++) {
        if (k + SOON < c->n_order) chain_soon(ch, c->order[k + SOON]->addr / line);
        if (k + SOONER < c->n_order) chain_sooner(ch, c->order[k + SOONER]->addr / line);
        if (i == 0) c->at = k;
        if (i == 0 && !c->order_sm[k]) sample_line(c, c->order[k]);
        l2_op(c, (uint32_t)i, c->order[k]);
    }
    return !c->l2[i].c.failed;
}

static bool run_sm(size_t i, unsigned worker, void *ctx)
{
    struct collector *c = ctx;
    (void)worker;
    sm_pass_stream(c->sm[i])->n = 0;
    return c->done[i] || sm_pass_run(c->sm[i], (double)c->until, &c->done[i], &c->errors[i]);
}

static bool first_error(const struct collector *c, struct error *e)
{
    for (uint32_t i = 0; i < c->f->view.sms; i++)
        if (c->errors[i].kind != ERROR_NONE) {
            if (e) *e = c->errors[i];
            return false;
        }
    return error_no_memory(e);
}

static bool all_done(const struct collector *c)
{
    for (uint32_t i = 0; i < c->f->view.sms; i++)
        if (!c->done[i]) return false;
    return true;
}

/* --- a launch --- */

static bool finish_launch(struct collector *c, uint32_t launch, struct error *e)
{
    struct launch_profile *p = c->profile;
    struct launch_place *place = &c->f->place[launch];
    if (!sm_pass_profile(c->sm, c->f->view.sms, p)) return error_no_memory(e);
    const struct launch *l = &c->f->shape[launch];
    p->ctas = (double)l->ctas;
    p->warps_per_cta = l->warps_per_cta;
    p->warps = p->ctas * p->warps_per_cta;
    l2_variants_finish(c->l2, p);
    phase_finish(&c->phase, &p->phase);
    p->shared = c->sharing.count;
    *place = (struct launch_place){.profile = parts_keep(&c->f->profiles, p),
                                   .samples = parts_keep(&c->f->samples, c->samples),
                                   .lines_before = (double)c->before,
                                   .lines_after = (double)c->l2[0].c.reuse.fresh};
    if (place->profile == PARTS_NONE || place->samples == PARTS_NONE) return error_no_memory(e);
    place->likeness =
        digest_join(c->f->profiles.digest[place->profile], digest_bytes(&l->ctas, sizeof l->ctas));
    return true;
}

static void tell_progress(struct collector *c)
{
    uint64_t started = 0;
    if (!c->progress) return;
    for (uint32_t i = 0; i < c->f->view.sms; i++)
        started += sm_pass_started(c->sm[i]);
    progress_add(c->progress, started - c->told);
    c->told = started;
}

/* Threads wait for each other twice per window: one thread processes windows with little in them,
 * judging by the window before. */
static unsigned threads_for(const struct collector *c)
{
    return c->n_order < WORTH_THREADS ? 1 : c->threads;
}

static bool run_launch(struct collector *c, uint32_t launch, struct error *e)
{
    const struct profile_view *v = &c->f->view;
    for (uint32_t i = 0; i < v->sms; i++) {
        c->done[i] = false;
        if (!sm_pass_launch(c->sm[i], launch, e)) return false;
    }
    for (uint32_t i = 0; i < PROFILE_L1S; i++) {
        chain_reset_tallies(&c->l2[i].c);
        c->l2[i].c.now = 0;
    }
    memset(c->samples, 0, sizeof *c->samples);
    spread_sampler_start(&c->spread, &c->samples->spread);
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        block_sampler_start(&c->rows[i], &c->samples->rows[i]);
    line_sampler_start(&c->lines, &c->samples->lines);
    phase_start(&c->phase);
    sharing_start(&c->sharing);
    c->told = 0;
    c->before = c->l2[0].c.reuse.fresh;
    for (c->until = c->window; !all_done(c); c->until += c->window) {
        if (atomic_load(&plumb_interrupted)) return error_interrupted(e, "profiling");
        if (!parallel_map(threads_for(c), v->sms, run_sm, c)) return first_error(c, e);
        if (!merge_streams(c, e)) return false;
        if (!sm_pass_tell_sharers(c->sm, v->sms) || !part_variants(c) ||
            !parallel_map(threads_for(c), PROFILE_L1S, run_l2_variant, c))
            return error_no_memory(e);
        if (!sharing_walk(&c->sharing, v, c->order, c->order_sm, c->n_order))
            return error_no_memory(e);
        tell_progress(c);
    }
    return finish_launch(c, launch, e);
}

/* A copy to the device leaves its lines in the L2, the least recent first, clean or dirty. */
static void warm_by_copy(struct collector *c, const struct command *k)
{
    const struct profile_view *v = &c->f->view;
    struct copy_pieces left = copy_tail(k, PROFILE_L2_BOUND_BYTES, v->l2_line);
    uint32_t all = (1u << v->l2_line / v->l2_sector) - 1, value[CHAIN_SECTORS];
    for (uint32_t i = 0; i < PROFILE_L1S; i++) {
        struct chain *ch = &c->l2[i].c;
        if (c->l2[i].as != i) continue;
        ch->counting = false;
        for (uint64_t n = 0, line = left.first / v->l2_line; n < left.n; n++, line++)
            (v->copy_soils ? chain_atomic : chain_read)(ch, line, all, value);
        ch->counting = true;
        if (v->copy_soils) { /* write-backs that the copy causes take no time */
            c->l2[i].written = ch->writeback;
            chain_open_writebacks(ch, &c->l2[i].written);
        }
    }
}

bool profile_collect(struct profile *f, const struct program *p, unsigned threads,
                     struct progress *progress, struct error *e)
{
    struct collector c = {.f = f, .program = p, .threads = threads, .progress = progress};
    bool ok = collector_init(&c, e);
    for (uint32_t i = 0; ok && i < program_commands(p); i++) {
        const struct command *k = program_command(p, i);
        if (k->kind == COMMAND_LAUNCH)
            ok = run_launch(&c, k->launch, e);
        else if (k->kind == COMMAND_COPY_TO_DEVICE && f->view.copy_warms)
            warm_by_copy(&c, k);
    }
    collector_fini(&c);
    return ok && (profile_seal(f) || error_no_memory(e));
}
