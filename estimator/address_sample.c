/* address_sample.c - see address_sample.h. */
#include "estimator/address_sample.h"

#include "base/rng.h"

#include <string.h>

void block_sampler_start(struct block_sampler *a, struct block_sample *to)
{
    *a = (struct block_sampler){
        .to = to, .stride = SAMPLE_BLOCK, .offset = SAMPLE_BLOCK, .keep_odd = true};
    to->blocks = 0;
    to->stride = SAMPLE_BLOCK;
}

enum { SPREAD_BLOCKS = SAMPLE_BLOCKS - 1 }; /* behind the first */

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

static void keep(struct block_sample *t, uint32_t block, const struct sampled *s)
{
    if (block == t->blocks) t->n[t->blocks++] = 0;
    t->at[block][t->n[block]++] = *s;
}

void block_sampler_offer(struct block_sampler *a, const struct sampled *s)
{
    uint64_t i = a->seen++;
    if (i < SAMPLE_BLOCK) keep(a->to, 0, s);
    if (i >= a->offset && (i - a->offset) / a->stride == SPREAD_BLOCKS) thin_blocks(a);
    if (i < a->offset || (i - a->offset) % a->stride >= SAMPLE_BLOCK) return;
    keep(a->to, 1 + (uint32_t)((i - a->offset) / a->stride), s);
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
        t->at[i] = t->at[2 * i + (splitmix64(a->stride + i) & 1)];
    a->stride *= 2;
}

void spread_sampler_offer(struct spread_sampler *a, const struct sampled *s)
{
    if (a->seen++ != a->pick) return;
    if (a->to->n == SAMPLE_SPREAD) thin_spread(a);
    a->to->at[a->to->n++] = *s;
    a->pick = a->to->n * a->stride + splitmix64(a->to->n * a->stride) % a->stride;
}
