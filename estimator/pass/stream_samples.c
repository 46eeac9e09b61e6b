/* stream_samples.c - see stream_samples.h. */
#include "estimator/pass/stream_samples.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"

#include <math.h>
#include <string.h>

enum { FEW_LINES_AFTER = 8 };

const uint32_t profile_sample_bytes[SAMPLE_CLASSES] = {256 << 10, 2 << 20};

bool stream_samples_init(struct stream_samples *s, const struct profile_view *v, uint32_t one_in)
{
    const struct reuse_params pages = {.lines = PAGE_REUSE_BOUND};
    *s = (struct stream_samples){.v = v, .one_in = one_in};
    s->to = mem_new(1, sizeof *s->to);
    return s->to && (!v->page_shift || reuse_init(&s->pages, &pages, NULL, NULL));
}

void stream_samples_fini(struct stream_samples *s)
{
    if (s->v && s->v->page_shift) reuse_fini(&s->pages);
    mem_free(s->to);
}

/* Whether the profile is exact: every line is followed. */
static bool all_are_run(const struct stream_samples *s)
{
    return s->one_in == 1;
}

bool stream_samples_wants_all(const struct stream_samples *s)
{
    return s->wants_block && !all_are_run(s);
}

static uint16_t bucket_of(uint32_t distance)
{
    return distance == REUSE_FAR ? UINT16_MAX : (uint16_t)histogram_bucket(distance);
}

static const uint8_t sampled_kind[] = {
    [STREAM_READ] = SAMPLED_READ, [STREAM_WRITE] = SAMPLED_WRITE, [STREAM_ATOMIC] = SAMPLED_ATOMIC};

/* The distance of the farthest sector; what an L1 keeps is near. A line that is not followed is
 * taken to be as far as the last one that is, of the same instruction; if there has been none for
 * long, the instruction accesses few lines, which are near. */
static uint32_t farthest(struct stream_samples *s, const struct stream_op *op, uint32_t mask,
                         const uint32_t *value)
{
    struct last_far *last = &s->far[op->code % STREAM_CODES];
    if (!op->pass) return 0;
    if (!value) return ++last->since > FEW_LINES_AFTER * s->one_in ? 0 : last->distance;
    *last = (struct last_far){0, 0};
    for (uint32_t i = 0; i < CHAIN_SECTORS; i++)
        if ((mask >> i & 1) && value[i] > last->distance) last->distance = value[i];
    return last->distance;
}

/* Whether an access belongs to blocks of that kind. */
static bool in_stream(const struct stream_samples *s, const struct stream_op *op, uint32_t far,
                      uint32_t kind)
{
    if (kind == SAMPLE_ASKED) return !stream_op_near(op, s->v);
    return far >= profile_sample_bytes[kind] / s->v->l2_line;
}

/* A launch that ends in its first window has a second block, too: it follows the first. */
static void add_to_block(struct stream_samples *s, uint32_t kind, const struct sampled *one)
{
    struct block_sampler *a = &s->rows[kind];
    if (all_are_run(s) && a->to->blocks == 1 && block_sampler_full(a))
        block_sampler_begin(a, s->seen[kind] - 1);
    block_sampler_add(a, one);
}

static void note_in_blocks(struct stream_samples *s, const struct stream_op *op,
                           const struct sampled *one, uint32_t far, bool followed)
{
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++) {
        if (!in_stream(s, op, far, i)) continue;
        s->seen[i] += followed;
        if (s->in_block) add_to_block(s, i, one);
    }
}

/* A line is new to the launch if as many others have been touched since as the launch has touched.
 */
static void note_reach(struct stream_samples *s, uint32_t far)
{
    if (far / s->one_in >= s->lines_reached) s->lines_reached++;
}

/* How far an access is from the last one of any SM to its page, if it is far in its own SM. */
static void note_page(struct stream_samples *s, const struct stream_op *op, uint64_t addr,
                      bool followed)
{
    struct reuse_distance d = {0};
    if (!reuse_touch(&s->pages, addr >> s->v->page_shift, &d))
        s->no_memory = true;
    else if (op->far_page && followed)
        hit_tally_add(&s->page_shared, d.global, NULL, 0);
    s->new_pages += d.fresh;
}

void stream_samples_see(void *ctx, const struct stream_op *op, size_t at, uint64_t line,
                        uint32_t mask, const uint32_t *value)
{
    struct stream_samples *s = ctx;
    const struct profile_view *v = s->v;
    uint32_t far = farthest(s, op, mask, value), first = (uint32_t)__builtin_ctz(mask);
    struct sampled one = {.addr = line * v->l2_line + first * v->l2_sector,
                          .l1 = bucket_of(op->pass ? REUSE_FAR : 0),
                          .l2 = bucket_of(far),
                          .kind = sampled_kind[op->kind],
                          .sectors = (uint8_t)sector_reuse_count(mask),
                          .sm = s->sm[at]};
    if (v->page_shift) note_page(s, op, one.addr, value != NULL);
    if (value) note_reach(s, far);
    if (value)
        phase_add(&s->phase, (uint32_t[PHASE_LEVELS]){[PHASE_L1] = op->l1, [PHASE_L2] = far});
    if (op->chosen) spread_sampler_offer(&s->spread, &one);
    note_in_blocks(s, op, &one, far, value != NULL);
}

/* Samples the lines that one SM accesses, with the distances in its own L1. */
static void sample_line(struct stream_samples *s, const struct stream_op *op,
                        const struct page_table *pages)
{
    const struct profile_view *v = s->v;
    bool store = op->kind == STREAM_WRITE;
    if (op->bypass || op->kind == STREAM_ATOMIC) return;
    if (!store && op->l1 < v->l1_class_bytes / 2 / v->l1_line) return;
    uint64_t addr = op->addr; /* the window's pages have frames */
    if (pages) page_table_find(pages, addr, &addr);
    const struct sampled_line one = {.line = addr / v->l1_line,
                                     .l1 = bucket_of(op->l1),
                                     .sectors = (uint8_t)sector_reuse_count(op->mask),
                                     .store = store};
    line_sampler_offer(&s->lines, &one);
}

void stream_samples_window(struct stream_samples *s, const struct group_window *w,
                           const struct page_table *pages)
{
    s->sm = w->sm;
    s->accesses += w->first_n * s->v->sms;
    for (size_t i = 0; i < w->first_n; i++)
        sample_line(s, w->first[i], pages);
}

static void begin_block(struct stream_samples *s)
{
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        block_sampler_begin(&s->rows[i], s->seen[i] * s->one_in);
    s->in_block = true;
    s->accesses = 0;
}

static bool block_ends(const struct stream_samples *s)
{
    if (s->accesses >= (uint64_t)BLOCK_WITHIN * s->v->block_accesses) return true;
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        if (!block_sampler_full(&s->rows[i])) return false;
    return true;
}

enum stream_view stream_samples_view(const struct stream_samples *s)
{
    if (!s->wants_block) return STREAM_SAMPLE;
    bool asked = s->in_block && block_sampler_full(&s->rows[SAMPLE_ASKED]);
    return asked ? STREAM_MISSES : STREAM_ALL;
}

void stream_samples_end_window(struct stream_samples *s, uint64_t now, double progress)
{
    if (s->in_block && block_ends(s)) s->in_block = s->wants_block = false;
    if (!s->wants_block && s->blocks < SAMPLE_BLOCKS && progress * SAMPLE_BLOCKS >= s->blocks) {
        s->wants_block = true;
        s->since = now;
        s->blocks++;
    }
    if (s->wants_block && !s->in_block && now >= s->since + PASS_LAG) begin_block(s);
}

void stream_samples_start(struct stream_samples *s)
{
    spread_sampler_start(&s->spread, &s->to->spread);
    for (uint32_t i = 0; i < SAMPLE_CLASSES; i++)
        block_sampler_start(&s->rows[i], &s->to->rows[i], s->v->block_accesses);
    block_sampler_start(&s->rows[SAMPLE_ASKED], &s->to->rows[SAMPLE_ASKED], SAMPLE_BLOCK);
    line_sampler_start(&s->lines, &s->to->lines);
    phase_start(&s->phase);
    memset(s->seen, 0, sizeof s->seen);
    hit_tally_clear(&s->page_shared);
    s->pages_before += s->new_pages;
    s->new_pages = 0;
    for (uint32_t i = 0; i < STREAM_CODES; i++)
        s->far[i] = (struct last_far){REUSE_FAR, 0};
    s->lines_reached = 0;
    s->wants_block = true;
    s->blocks = 1;
    begin_block(s);
}

void stream_samples_finish(struct stream_samples *s, struct launch_profile *p)
{
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        block_sampler_finish(&s->rows[i], s->seen[i] * s->one_in);
    double asked = s->seen[SAMPLE_ASKED] * s->one_in, entries = s->to->spread.n;
    s->to->spread.apart = entries > 0 ? fmax(1, asked / entries) : 1;
    phase_finish(&s->phase, &p->phase);
    hit_tally_curve(&s->page_shared, &p->page_shared);
    p->new_pages = s->new_pages;
    p->pages_are_first = s->new_pages > 0 && s->pages_before <= 0;
}
