#include "bench/support/calibrated_choice.h"

/* The designs that a choice is made among: a half of them by chance, so that every choice is
 * another case.  All others are judged with them. */
static void draw_candidates(struct bed *b, uint64_t seed)
{
    struct rng r;
    uint32_t n = b->n / b->programs;
    rng_seed(&r, seed, 78);
    for (uint32_t i = 0; i < n; i++)
        b->candidate[i] = i;
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t j = i + (uint32_t)rng_below(&r, n - i), kept = b->candidate[i];
        b->candidate[i] = b->candidate[j];
        b->candidate[j] = kept;
    }
    b->candidates = n / 2;
}

static void take_point(struct bed *b, uint32_t program, uint32_t candidate, struct cal_point *out,
                       uint32_t *n)
{
    struct item *t = &b->at[program * (b->n / b->programs) + b->candidate[candidate]];
    t->trained = true;
    out[(*n)++] = t->cal;
}

/* TRAIN points, spread evenly over the programs that take part, each program's by chance. */
static void choose_apart(struct bed *b, uint32_t train, uint64_t seed, struct cal_point *out)
{
    struct rng r;
    uint32_t n = 0, last = b->programs - b->held, designs_of = b->n / b->programs;
    rng_seed(&r, seed, 77);
    while (n < train) {
        uint32_t c = (uint32_t)rng_below(&r, b->candidates), k = n % last;
        if (!b->at[k * designs_of + b->candidate[c]].trained) take_point(b, k, c, out, &n);
    }
}

/* As 'plumb calibrate --choose random': machines by chance, each with all programs. */
static void choose_machines(struct bed *b, uint32_t train, uint64_t seed, struct cal_point *out)
{
    struct rng r;
    uint32_t n = 0, last = b->programs - b->held;
    rng_seed(&r, seed, 79);
    while (n < train) {
        uint32_t c = (uint32_t)rng_below(&r, b->candidates);
        if (b->at[b->candidate[c]].trained) continue;
        for (uint32_t k = 0; k < last && n < train; k++)
            take_point(b, k, c, out, &n);
    }
}

const char *const choice_name[CHOICES_N] = {"by chance", "machines"};

void choose_points(struct bed *b, enum pick how, uint32_t train, uint64_t seed,
                   struct cal_point *out)
{
    for (uint32_t i = 0; i < b->n; i++)
        b->at[i].trained = false;
    draw_candidates(b, seed);
    if (how == CHANCE_APART)
        choose_apart(b, train, seed, out);
    else
        choose_machines(b, train, seed, out);
}
