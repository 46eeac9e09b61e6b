#include "bench/support/calibrated_report.h"

struct line {
    uint32_t n, held, raw_held;
    double raw, after, worst, half, raw_half;
    struct pairs pairs, raw_pairs;
};

static void add_point(struct line *l, const struct item *t)
{
    double raw = fabs(t->raw / t->cal.cycles - 1), after = fabs(t->after / t->cal.cycles - 1);
    l->n++;
    l->raw += raw;
    l->after += after;
    l->worst = fmax(l->worst, after);
    l->half += t->half;
    l->raw_half += t->raw_half;
    /* half is half of the range over the value; the range is a factor, so that it is symmetric in
     * the logarithm */
    l->held += fabs(log(t->after / t->cal.cycles)) <= asinh(t->half);
    l->raw_held += fabs(log(t->raw / t->cal.cycles)) <= asinh(t->raw_half);
}

static void add_pairs(struct line *l, const struct bed *b, uint32_t program)
{
    struct point *after = calloc(b->n + 1, sizeof *after), *raw = calloc(b->n + 1, sizeof *raw);
    uint32_t n = 0;
    for (uint32_t i = 0; after && raw && i < b->n; i++) {
        const struct item *t = &b->at[i];
        if (t->trained || t->program != program) continue;
        after[n] = (struct point){t->cal.cycles, t->after};
        raw[n++] = (struct point){t->cal.cycles, t->raw};
    }
    struct pairs k = pairs_of(after, n), r = pairs_of(raw, n);
    l->pairs.n += k.n;
    l->pairs.agree += k.agree;
    l->raw_pairs.n += r.n;
    l->raw_pairs.agree += r.agree;
    free(after);
    free(raw);
}

void report_errors(const struct bed *b, const char *name, const char *what, uint32_t from,
                   uint32_t to, struct summary *all)
{
    struct line l = {0};
    for (uint32_t i = 0; i < b->n; i++)
        if (!b->at[i].trained && b->at[i].program >= from && b->at[i].program < to)
            add_point(&l, &b->at[i]);
    for (uint32_t k = from; k < to; k++)
        add_pairs(&l, b, k);
    if (!l.n) return;
    printf("%-6s %-14s n %4u  mean %5.1f%% -> %5.1f%% worst %6.1f%%  tau %.3f -> %.3f  90%% covers "
           "%5.1f%% width %4.2fx  (uncalibrated %5.1f%% %4.2fx)\n",
           name, what, l.n, 100 * l.raw / l.n, 100 * l.after / l.n, 100 * l.worst,
           l.raw_pairs.agree / l.raw_pairs.n, l.pairs.agree / l.pairs.n, 100.0 * l.held / l.n,
           l.half / l.after, 100.0 * l.raw_held / l.n, l.raw_half / l.raw);
    if (!all) return;
    all->n++;
    all->error += l.after / l.n;
    all->tau += l.pairs.agree / l.pairs.n;
    all->held += (double)l.held / l.n;
    all->width += l.half / l.after;
}

static double value_of(const struct item *t, bool raw)
{
    return raw ? t->raw : t->after;
}

/* Is a design of the fewest simulated cycles among the twentieth that the estimates put first? */
static bool finds_best(const struct bed *b, uint32_t program, bool raw)
{
    double least = INFINITY, told = INFINITY;
    uint32_t n = 0, before = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->at[i].program == program) least = fmin(least, b->at[i].cal.cycles);
    for (uint32_t i = 0; i < b->n; i++)
        if (b->at[i].program == program && b->at[i].cal.cycles <= least)
            told = fmin(told, value_of(&b->at[i], raw));
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->at[i].program != program) continue;
        n++;
        before += value_of(&b->at[i], raw) < told;
    }
    return before < 0.05 * n;
}

void count_found(const struct bed *b, struct summary *all)
{
    for (uint32_t k = 0; k < b->programs; k++) {
        all->programs++;
        all->found += finds_best(b, k, false);
        all->raw_found += finds_best(b, k, true);
    }
}

void print_summary(const char *base, const char *how, const struct summary *s)
{
    if (!s->n) return;
    printf(
        "%-6s %-10s mean of %u choices: error %.1f%%  tau %.3f  90%% covers %.1f%%  width %.2fx; "
        "best design in the first twentieth %u of %u, uncalibrated %u\n",
        base, how, s->n, 100 * s->error / s->n, s->tau / s->n, 100 * s->held / s->n,
        s->width / s->n, s->found, s->programs, s->raw_found);
}
