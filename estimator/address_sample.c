/* address_sample.c - see address_sample.h. */
#include "estimator/address_sample.h"

#include "base/rng.h"

void block_sampler_start(struct block_sampler *a, struct block_sample *to)
{
    *a = (struct block_sampler){.to = to, .stride = SAMPLE_BLOCK};
    to->blocks = 0;
}

static void thin_blocks(struct block_sampler *a)
{
    struct block_sample *t = a->to;
    for (uint32_t b = 0; b < SAMPLE_BLOCKS / 2; b++) {
        t->n[b] = t->n[2 * b];
        for (uint32_t i = 0; i < t->n[b]; i++)
            t->at[b][i] = t->at[2 * b][i];
    }
    t->blocks = SAMPLE_BLOCKS / 2;
    a->stride *= 2;
}

void block_sampler_offer(struct block_sampler *a, const struct sampled *s)
{
    uint64_t i = a->seen++;
    if (i / a->stride == SAMPLE_BLOCKS) thin_blocks(a);
    if (i % a->stride >= SAMPLE_BLOCK) return;
    uint32_t b = (uint32_t)(i / a->stride);
    if (b == a->to->blocks) a->to->n[a->to->blocks++] = 0;
    a->to->at[b][a->to->n[b]++] = *s;
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
