#include "bench/support/calibrated_choice.h"

#include "calibration/active_choice.h"

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

static void note_all(const struct bed *b, uint32_t *const *order, struct active_program *p)
{
    uint32_t last = b->programs - b->held;
    for (uint32_t k = 0; k < last; k++) {
        p[k].known = 0;
        p[k].sum = p[k].squares = 0;
        for (uint32_t i = 0; i < p[k].runs; i++) {
            const struct item *t = &b->at[k * (b->n / b->programs) + b->candidate[order[k][i]]];
            active_program_note(&p[k], log(t->cal.cycles / t->raw));
        }
    }
    active_program_find_spreads(p, last);
}

/* As 'plumb calibrate --choose active': a third for all programs alike, then batches of half of
 * what is left. */
static void choose_in_order(struct bed *b, uint32_t train, uint32_t *const *order,
                            struct cal_point *out)
{
    struct active_program p[MOST_PROGRAMS] = {0};
    uint32_t last = b->programs - b->held, third = (train / last + 1) / 3, n = 0;
    for (uint32_t k = 0; k < last; k++) {
        p[k].room = b->candidates;
        for (; p[k].runs < (third > 2 ? third : 2); p[k].runs++)
            take_point(b, k, order[k][p[k].runs], out, &n);
    }
    while (n < train) {
        uint32_t left = train - n;
        note_all(b, order, p);
        for (uint32_t i = 0; i < (left > 2 * last ? left / 2 : left); i++) {
            uint32_t k = active_program_next(p, last);
            take_point(b, k, order[k][p[k].runs++], out, &n);
        }
    }
}

/* order[candidates]: of that program. */
static bool find_order(const struct bed *b, uint32_t program, uint32_t *order, struct error *e)
{
    double *x = calloc((size_t)b->candidates * ACTIVE_CHOICE_COLUMNS, sizeof *x);
    bool ok = x != NULL;
    for (uint32_t i = 0; ok && i < b->candidates; i++) {
        struct residual_point p;
        uint32_t at = program * (b->n / b->programs) + b->candidate[i];
        ok = calibrate_describe(&b->at[at].cal, &p, e);
        if (ok) active_choice_features(&p, x + (size_t)i * ACTIVE_CHOICE_COLUMNS);
    }
    ok = ok && active_choice_order(x, b->candidates, ACTIVE_CHOICE_COLUMNS, UINT32_MAX,
                                   b->candidates, order, e);
    free(x);
    return ok;
}

static bool choose_actively(struct bed *b, uint32_t train, struct cal_point *out, struct error *e)
{
    uint32_t *order[MOST_PROGRAMS] = {0}, last = b->programs - b->held;
    bool ok = true;
    for (uint32_t k = 0; ok && k < last; k++) {
        order[k] = calloc(b->candidates, sizeof *order[k]);
        ok = order[k] && find_order(b, k, order[k], e);
    }
    if (ok) choose_in_order(b, train, order, out);
    for (uint32_t k = 0; k < last; k++)
        free(order[k]);
    return ok;
}

const char *const choice_name[CHOICES_N] = {"by chance", "machines", "chosen"};

bool choose_points(struct bed *b, enum pick how, uint32_t train, uint64_t seed,
                   struct cal_point *out, struct error *e)
{
    for (uint32_t i = 0; i < b->n; i++)
        b->at[i].trained = false;
    draw_candidates(b, seed);
    switch (how) {
    case CHANCE_APART: choose_apart(b, train, seed, out); return true;
    case CHANCE_MACHINES: choose_machines(b, train, seed, out); return true;
    case CHOSEN: return choose_actively(b, train, out, e);
    case CHOICES_N: break;
    }
    return false;
}
