/* address_sample.c - see address_sample.h. */
#include "estimator/address_sample.h"

void address_sampler_start(struct address_sampler *a, struct address_sample *to)
{
    *a = (struct address_sampler){.to = to, .stride = SAMPLE_BLOCK};
    to->blocks = 0;
}

static void thin(struct address_sampler *a)
{
    struct address_sample *t = a->to;
    for (uint32_t b = 0; b < SAMPLE_BLOCKS / 2; b++) {
        t->n[b] = t->n[2 * b];
        for (uint32_t i = 0; i < t->n[b]; i++)
            t->at[b][i] = t->at[2 * b][i];
    }
    t->blocks = SAMPLE_BLOCKS / 2;
    a->stride *= 2;
}

void address_sampler_offer(struct address_sampler *a, const struct sampled *s)
{
    uint64_t i = a->seen++;
    if (i / a->stride == SAMPLE_BLOCKS) thin(a);
    if (i % a->stride >= SAMPLE_BLOCK) return;
    uint32_t b = (uint32_t)(i / a->stride);
    if (b == a->to->blocks) a->to->n[a->to->blocks++] = 0;
    a->to->at[b][a->to->n[b]++] = *s;
}
