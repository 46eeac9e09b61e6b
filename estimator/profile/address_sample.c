/* address_sample.c - see address_sample.h. */
#include "estimator/profile/address_sample.h"

#include "base/memory/rng.h"

#include <math.h>
#include <string.h>

void block_sampler_start(struct block_sampler *a, struct block_sample *to, uint32_t size)
{
    *a = (struct block_sampler){.to = to, .size = size};
    for (uint32_t b = 0; b < to->blocks; b++)
        memset(to->at[b], 0, to->n[b] * sizeof *to->at[b]);
    to->blocks = 0;
    memset(to->n, 0, sizeof to->n);
    memset(to->each, 0, sizeof to->each);
}

void block_sampler_begin(struct block_sampler *a, double seen)
{
    struct block_sample *s = a->to;
    bool another = !s->blocks || (s->n[s->blocks - 1] && s->blocks < SAMPLE_BLOCKS);
    s->blocks += another;
    s->n[s->blocks - 1] = 0;
    a->began[s->blocks - 1] = seen;
}

void block_sampler_add(struct block_sampler *a, const struct sampled *access)
{
    uint32_t b = a->to->blocks - 1, *n = &a->to->n[b];
    if (*n < a->size) a->to->at[b][(*n)++] = *access;
}

bool block_sampler_full(const struct block_sampler *a)
{
    return a->to->blocks && a->to->n[a->to->blocks - 1] == a->size;
}

void block_sampler_finish(struct block_sampler *a, double seen)
{
    struct block_sample *s = a->to;
    if (s->blocks && !s->n[s->blocks - 1]) s->blocks--;
    for (uint32_t b = 0; b < s->blocks; b++) {
        double end = b + 1 < s->blocks ? a->began[b + 1] : seen;
        s->each[b] = fmax(1, (end - a->began[b]) / s->n[b]);
    }
}

void line_sampler_start(struct line_sampler *a, struct line_sample *to)
{
    *a = (struct line_sampler){.to = to, .stride = LINE_RUN};
    memset(to, 0, sizeof *to);
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
    memset(to, 0, sizeof *to);
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

static void set_bit(uint64_t bits[SAMPLE_BUCKETS / 64], uint16_t bucket)
{
    if (bucket < SAMPLE_BUCKETS) bits[bucket / 64] |= 1ULL << bucket % 64;
}

static void note_all(struct sample_content *c, uint32_t cls, const struct sampled *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (s[i].kind == SAMPLED_READ) set_bit(c->l1[cls], s[i].l1);
        set_bit(c->l2[cls], s[i].l2);
    }
}

void sample_content_find(struct sample_content *c, const struct spread_sample *spread,
                         const struct block_sample rows[SAMPLE_STREAMS])
{
    for (uint32_t k = 0; k < SAMPLE_CLASSES; k++) {
        note_all(c, k, spread->at, spread->n);
        for (uint32_t b = 0; b < rows[k].blocks; b++)
            note_all(c, k, rows[k].at[b], rows[k].n[b]);
    }
}
