/* address_sample.c - see address_sample.h. */
#include "estimator/profile/address_sample.h"

#include "base/memory/rng.h"

#include <string.h>

void block_sampler_start(struct block_sampler *a, struct block_sample *to)
{
    *a = (struct block_sampler){
        .to = to, .stride = SAMPLE_BLOCK, .offset = SAMPLE_BLOCK, .keep_odd = true};
    to->blocks = 0;
    to->stride = SAMPLE_BLOCK;
}

enum { SPREAD_BLOCKS = SAMPLE_BLOCKS - 1 }; /* all but the first */

static void thin_blocks(struct block_sampler *a)
{
    struct block_sample *t = a->to;
    for (uint32_t b = 0; b < SPREAD_BLOCKS / 2; b++) {
        uint32_t from = 1 + 2 * b + a->keep_odd, to = 1 + b;
        t->n[to] = t->n[from];
        if (from != to) memcpy(t->at[to], t->at[from], sizeof t->at[to]);
    }
    t->blocks = 1 + SPREAD_BLOCKS / 2;
    if (a->keep_odd) a->offset += a->stride;
    a->keep_odd = !a->keep_odd;
    a->stride *= 2;
    t->stride = (double)a->stride;
}

static void keep_access(struct block_sample *t, uint32_t block, const struct sampled *s)
{
    if (block == t->blocks) t->n[t->blocks++] = 0;
    t->at[block][t->n[block]++] = *s;
}

void block_sampler_offer(struct block_sampler *a, const struct sampled *s)
{
    uint64_t i = a->seen++;
    if (i < SAMPLE_BLOCK) keep_access(a->to, 0, s);
    if (i >= a->offset && (i - a->offset) / a->stride == SPREAD_BLOCKS) thin_blocks(a);
    if (i < a->offset || (i - a->offset) % a->stride >= SAMPLE_BLOCK) return;
    keep_access(a->to, 1 + (uint32_t)((i - a->offset) / a->stride), s);
}

void line_sampler_start(struct line_sampler *a, struct line_sample *to)
{
    *a = (struct line_sampler){.to = to, .stride = LINE_RUN};
    to->runs = 0;
}

static void thin_lines(struct line_sampler *a)
{
    struct line_sample *t = a->to;
    for (uint32_t r = 1; r < LINE_RUNS / 2; r++) {
        t->n[r] = t->n[2 * r];
        memcpy(t->at[r], t->at[2 * r], sizeof t->at[r]);
    }
    t->runs = LINE_RUNS / 2;
    a->stride *= 2;
}

void line_sampler_offer(struct line_sampler *a, const struct sampled_line *s)
{
    struct line_sample *t = a->to;
    uint64_t i = a->seen++;
    if (i / a->stride == LINE_RUNS) thin_lines(a);
    if (i % a->stride >= LINE_RUN) return;
    uint32_t run = (uint32_t)(i / a->stride);
    if (run == t->runs) t->n[t->runs++] = 0;
    t->at[run][t->n[run]++] = *s;
}

void spread_sampler_start(struct spread_sampler *a, struct spread_sample *to)
{
    *a = (struct spread_sampler){.to = to, .stride = 1};
    to->n = 0;
}

static void thin_spread(struct spread_sampler *a)
{
    struct spread_sample *t = a->to;
    t->n = SAMPLE_SPREAD / 2;
    for (uint32_t i = 0; i < t->n; i++)
        t->at[i] = t->at[2 * i + (rng_splitmix64(a->stride + i) & 1)];
    a->stride *= 2;
}

void spread_sampler_offer(struct spread_sampler *a, const struct sampled *s)
{
    if (a->seen++ != a->pick) return;
    if (a->to->n == SAMPLE_SPREAD) thin_spread(a);
    a->to->at[a->to->n++] = *s;
    a->pick = a->to->n * a->stride + rng_splitmix64(a->to->n * a->stride) % a->stride;
}
