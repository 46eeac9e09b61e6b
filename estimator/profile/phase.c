/* phase.c - see phase.h. */
#include "estimator/profile/phase.h"

#include "estimator/constants.h"

#include <math.h>
#include <stdlib.h>

void phase_start(struct phase_tally *t)
{
    *t = (struct phase_tally){.length = PHASE_FIRST_LENGTH};
}

static void join_pairs(float v[PHASE_PARTS])
{
    for (uint32_t i = 0; i < PHASE_PARTS; i++) {
        float n = v[i];
        v[i] = 0;
        v[i / 2] += n;
    }
}

static void halve_tally(struct phase_tally *t)
{
    struct phase_curve *c = &t->c;
    join_pairs(c->total);
    for (uint32_t l = 0; l < PHASE_LEVELS; l++)
        for (uint32_t k = 0; k < PHASE_OCTAVES; k++) {
            float v[PHASE_PARTS];
            for (uint32_t i = 0; i < PHASE_PARTS; i++)
                v[i] = c->beyond[l][i][k];
            join_pairs(v);
            for (uint32_t i = 0; i < PHASE_PARTS; i++)
                c->beyond[l][i][k] = v[i];
        }
    c->parts = PHASE_PARTS / 2;
    t->length *= 2;
}

static uint32_t octave_of(uint32_t distance)
{
    uint32_t k = 31 - (uint32_t)__builtin_clz(distance);
    return k < PHASE_OCTAVES ? k : PHASE_OCTAVES - 1;
}

void phase_add(struct phase_tally *t, const uint32_t distance[PHASE_LEVELS])
{
    struct phase_curve *c = &t->c;
    if (!c->parts || c->total[c->parts - 1] >= (float)t->length) {
        if (c->parts == PHASE_PARTS) halve_tally(t);
        c->parts++;
    }
    c->total[c->parts - 1] += 1;
    for (uint32_t l = 0; l < PHASE_LEVELS; l++)
        if (distance[l]) c->beyond[l][c->parts - 1][octave_of(distance[l])] += 1;
}

void phase_finish(const struct phase_tally *t, struct phase_curve *c)
{
    *c = t->c;
    for (uint32_t l = 0; l < PHASE_LEVELS; l++)
        for (uint32_t i = 0; i < c->parts; i++)
            for (uint32_t k = PHASE_OCTAVES - 1; k-- > 0;)
                c->beyond[l][i][k] += c->beyond[l][i][k + 1];
}

struct phase_part {
    double work, misses[PHASE_LEVELS];
};

static int by_share(const void *a, const void *b)
{
    const struct phase_part *x = a, *y = b;
    double d = x->misses[PHASE_L2] * y->work - y->misses[PHASE_L2] * x->work;
    return (d > 0) - (d < 0);
}

static double misses_of(const float beyond[PHASE_OCTAVES], double lines)
{
    double t = log2(lines > 1 ? lines : 1);
    if (t >= PHASE_OCTAVES - 1) return beyond[PHASE_OCTAVES - 1];
    uint32_t k = (uint32_t)t;
    return beyond[k] + (t - k) * (beyond[k + 1] - beyond[k]);
}

/* Distributes one level's misses of the sorted parts over groups of equal work. */
static void deal_parts(const struct phase_part *part, uint32_t n, const struct phase_part *sum,
                       enum phase_level l, struct phase out[PHASES])
{
    double done = 0;
    for (uint32_t g = 0; g < PHASES; g++)
        out[g].misses[l] = sum->misses[l] > 0 ? 0 : 1;
    for (uint32_t i = 0; i < n && sum->misses[l] > 0; i++) {
        double from = done / sum->work * PHASES;
        double to = (done += part[i].work) / sum->work * PHASES;
        double dense = part[i].misses[l] / sum->misses[l] * PHASES / (to - from);
        for (uint32_t g = (uint32_t)from; g < PHASES && g < to; g++)
            out[g].misses[l] += (fmin(to, g + 1) - fmax(from, g)) * dense;
    }
}

void phase_find(const struct phase_curve *c, const double lines[PHASE_LEVELS],
                struct phase out[PHASES])
{
    struct phase_part part[PHASE_PARTS], sum = {0};
    for (uint32_t i = 0; i < c->parts; i++) {
        part[i].work = c->total[i];
        sum.work += part[i].work;
        for (uint32_t l = 0; l < PHASE_LEVELS; l++) {
            part[i].misses[l] = misses_of(c->beyond[l][i], lines[l]);
            sum.misses[l] += part[i].misses[l];
        }
    }
    qsort(part, c->parts, sizeof part[0], by_share);
    for (uint32_t l = 0; l < PHASE_LEVELS; l++)
        deal_parts(part, c->parts, &sum, (enum phase_level)l, out);
}

double phase_of_part(const struct phase_curve *c, const double lines[PHASE_LEVELS], uint32_t part,
                     struct phase *out)
{
    double work = 0;
    for (uint32_t i = 0; i < c->parts; i++)
        work += c->total[i];
    double share = c->total[part] / work;
    for (uint32_t l = 0; l < PHASE_LEVELS; l++) {
        double all = 0;
        for (uint32_t i = 0; i < c->parts; i++)
            all += misses_of(c->beyond[l][i], lines[l]);
        out->misses[l] = all > 0 ? misses_of(c->beyond[l][part], lines[l]) / (all * share) : 1;
    }
    return share;
}
