/* sampler_calibrated.c - how good are calibrated estimates, and are their error bars true?
 *
 * Usage: sampler_calibrated CACHE.csv DESIGNS TRAIN PROGRAM...   (environment: SEED, default 1;
 *        TIMES=n choices of the training points; ACTIVE=1: then as many by what they teach
 *        (sampler/teach.h), among the same candidates, and how the two compare, choice by choice;
 *        HELD=n: the last n programs take no part in training; BASE=rx540 or qv100 alone)
 * The machines of sampler_designs; around each base a calibration is made from TRAIN points (of all
 * designs x programs, chosen by a seed), and judged on all others.  Lines per base, for the points
 * of programs that were trained with and for those of programs held out:
 *   |error| of cycles before and after, Kendall's tau within programs, the share that the stated
 *   90 % interval covers, and the mean width of the interval (its half, relative) over the mean
 *   error
 * and the same without any calibration.  Then the means over all choices, and of how many programs
 * the truly best design is among the best twentieth of the estimates, before and after. */
#include "bench/drawn.h"
#include "sampler/calibrate.h"
#include "sampler/teach.h"

#include <gsl/gsl_cdf.h>

struct item {
    struct cal_point cal;
    double raw, after, half, raw_half;
    uint32_t program;
    bool trained;
};

struct bed {
    struct item *at;
    uint32_t n, programs, held;
    struct profile *profile[MOST_PROGRAMS][MOST_DESIGNS];
    uint32_t profiles[MOST_PROGRAMS];
    struct profile_view view[MOST_PROGRAMS][MOST_DESIGNS];
    uint32_t candidate[MOST_DESIGNS], candidates;
};

static bool fail(const struct error *e)
{
    fprintf(stderr, "sampler_calibrated: %s\n", e->text);
    return false;
}

static const struct profile *profile_for(struct bed *b, uint32_t k, const struct program *p,
                                         const struct machine *m, struct error *e)
{
    struct profile_view view = profile_view_of(&m->sm, &m->l1, &m->l2, &m->coherence);
    for (uint32_t i = 0; i < b->profiles[k]; i++)
        if (profile_view_equal(&b->view[k][i], &view)) return b->profile[k][i];
    struct profile *f = profile_get(p, &view, 1, true, e);
    if (!f) return NULL;
    b->view[k][b->profiles[k]] = view;
    b->profile[k][b->profiles[k]++] = f;
    return f;
}

static bool estimate_raw(struct item *t, struct error *e)
{
    struct metrics m;
    if (!estimate(t->cal.profile, NULL, &t->cal.params, NULL, &m, NULL, e)) return false;
    t->raw = m.v[M_cycles];
    t->raw_half = expm1(gsl_cdf_ugaussian_Pinv(0.95) * correction_none().log_sd);
    return true;
}

static bool gather(struct bed *b, uint32_t base, uint32_t k, const char *spec, struct truths *kept,
                   struct error *e)
{
    struct program_opts o = {.warp_width = designs[base].m.sm.warp_width};
    struct program *p = program_open(spec, &o, e);
    if (!p) return false;
    bool ok = true;
    for (uint32_t i = base; ok && i < n_designs; i += BASES) {
        struct item *t = &b->at[b->n++];
        *t = (struct item){.program = k};
        t->cal = (struct cal_point){.params = engine_est_params(&designs[i].m),
                                    .machine = &designs[i].m,
                                    .program = program_digest(p)};
        t->cal.profile = profile_for(b, k, p, &designs[i].m, e);
        ok = t->cal.profile &&
             simulated(kept, designs[i].key, &designs[i].m, p, &t->cal.cycles, e) &&
             estimate_raw(t, e);
    }
    program_close(p);
    return ok;
}

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

static void take(struct bed *b, uint32_t program, uint32_t candidate, struct cal_point *out,
                 uint32_t *n)
{
    struct item *t = &b->at[program * (b->n / b->programs) + b->candidate[candidate]];
    t->trained = true;
    out[(*n)++] = t->cal;
}

/* TRAIN points, spread evenly over the programs that take part, each program's by chance. */
static uint32_t choose(struct bed *b, uint32_t train, uint64_t seed, struct cal_point *out)
{
    struct rng r;
    uint32_t n = 0, last = b->programs - b->held, designs_of = b->n / b->programs;
    rng_seed(&r, seed, 77);
    while (n < train) {
        uint32_t c = (uint32_t)rng_below(&r, b->candidates), k = n % last;
        if (!b->at[k * designs_of + b->candidate[c]].trained) take(b, k, c, out, &n);
    }
    return n;
}

static void note_all(const struct bed *b, const uint32_t *order, struct teach_program *p)
{
    uint32_t last = b->programs - b->held;
    for (uint32_t k = 0; k < last; k++) {
        p[k].known = 0;
        p[k].sum = p[k].squares = 0;
        for (uint32_t i = 0; i < p[k].runs; i++) {
            const struct item *t = &b->at[k * (b->n / b->programs) + b->candidate[order[i]]];
            teach_note(&p[k], log(t->cal.cycles / t->raw));
        }
    }
    teach_find_spreads(p, last);
}

/* As 'plumb calibrate --choose active': a third for all programs alike, then batches of half of
 * what is left. */
static void choose_in_order(struct bed *b, uint32_t train, const uint32_t *order,
                            struct cal_point *out)
{
    struct teach_program p[MOST_PROGRAMS] = {0};
    uint32_t last = b->programs - b->held, third = (train / last + 1) / 3, n = 0;
    for (uint32_t k = 0; k < last; k++) {
        p[k].room = b->candidates;
        for (; p[k].runs < (third > 2 ? third : 2); p[k].runs++)
            take(b, k, order[p[k].runs], out, &n);
    }
    while (n < train) {
        uint32_t left = train - n;
        note_all(b, order, p);
        for (uint32_t i = 0; i < (left > 2 * last ? left / 2 : left); i++) {
            uint32_t k = teach_next(p, last);
            take(b, k, order[p[k].runs++], out, &n);
        }
    }
}

static bool choose_actively(struct bed *b, uint32_t train, struct cal_point *out, struct error *e)
{
    uint32_t n = b->candidates, last = b->programs - b->held;
    double *x = calloc((size_t)n * last, sizeof *x);
    uint32_t *order = calloc(n, sizeof *order);
    for (uint32_t i = 0; x && i < n; i++)
        for (uint32_t k = 0; k < last; k++)
            x[i * last + k] = log(b->at[k * (b->n / b->programs) + b->candidate[i]].raw);
    bool ok = x && order && teach_order(x, n, last, UINT32_MAX, n, order, e);
    if (ok) choose_in_order(b, train, order, out);
    free(x);
    free(order);
    return ok;
}

static bool judge_one(struct item *t, const struct calibration *c, struct error *e)
{
    struct metrics m;
    struct explanation x;
    struct calibrated with;
    double z = gsl_cdf_ugaussian_Pinv(0.95);
    if (!estimate(t->cal.profile, NULL, &t->cal.params, &c->correction, &m, &x, e) ||
        !calibrate_apply(c, t->cal.machine, &t->cal.program, &m, &x, &with, e))
        return false;
    t->after = m.v[M_cycles] * with.factor;
    t->half = expm1(z * with.log_sd);
    return true;
}

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
    /* the interval is [estimate / (1 + half), estimate x (1 + half)], as the residual is normal in
     * the logarithm */
    l->held += fabs(log(t->after / t->cal.cycles)) <= log1p(t->half);
    l->raw_held += fabs(log(t->raw / t->cal.cycles)) <= log1p(t->raw_half);
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

enum { CHOICES_MOST = 256 };
/* Over all choices of training points. */
struct summary {
    uint32_t n, programs, found, raw_found; /* choices; programs; those whose best is found */
    double error, tau, held, width;
    double each[CHOICES_MOST], each_tau[CHOICES_MOST]; /* by choice */
};

static void report(const struct bed *b, const char *name, const char *what, uint32_t from,
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
    all->each[all->n] = l.after / l.n;
    all->each_tau[all->n++] = l.pairs.agree / l.pairs.n;
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

static void count_found(const struct bed *b, struct summary *all)
{
    for (uint32_t k = 0; k < b->programs; k++) {
        all->programs++;
        all->found += finds_best(b, k, false);
        all->raw_found += finds_best(b, k, true);
    }
}

static void print_summary(const char *base, const char *how, const struct summary *s)
{
    if (!s->n) return;
    printf(
        "%-6s %-10s mean of %u choices: error %.1f%%  tau %.3f  90%% covers %.1f%%  width %.2fx; "
        "best design in the first twentieth %u of %u, uncalibrated %u\n",
        base, how, s->n, 100 * s->error / s->n, s->tau / s->n, 100 * s->held / s->n,
        s->width / s->n, s->found, s->programs, s->raw_found);
}

/* Each choice among the same candidates: differences, their standard error, and Student's t. */
static void print_paired(const char *base, const char *what, const double *chance,
                         const double *chosen, uint32_t n)
{
    double sum = 0, squares = 0;
    uint32_t better = 0;
    for (uint32_t i = 0; i < n; i++) {
        double d = chosen[i] - chance[i];
        sum += d;
        squares += d * d;
        better += d < 0;
    }
    double mean = sum / n, error = sqrt(fmax(squares / n - mean * mean, 0) / (n - 1));
    printf("%-6s chosen less by chance, %s: %+.4f +- %.4f (standard error), t %.1f, p %.2g; "
           "lower in %u of %u\n",
           base, what, mean, error, mean / error, 2 * gsl_cdf_tdist_Q(fabs(mean / error), n - 1),
           better, n);
}

/* Two of each program at least where they are chosen, and of no program more than there are. */
static bool enough_candidates(const struct bed *b, uint32_t train, bool active, struct error *e)
{
    uint32_t last = b->programs > b->held ? b->programs - b->held : 0, least = active ? 2 : 1;
    if (last > 0 && train <= b->candidates * last && train >= least * last) return true;
    return error_input(e, "%u points of %u programs: from %u to %u of each can be taken", train,
                       last, least, b->candidates);
}

static bool on_base(struct bed *b, uint32_t base, uint32_t train, uint64_t seed, bool active,
                    struct summary *all, struct error *e)
{
    struct calibration c = {0};
    struct cal_point *pts = calloc(train + 1, sizeof *pts);
    const char *path[AXES];
    for (uint32_t i = 0; i < AXES; i++)
        path[i] = axes[i].path;
    bool ok = pts != NULL;
    for (uint32_t i = 0; i < b->n; i++)
        b->at[i].trained = false;
    draw_candidates(b, seed);
    ok = ok && enough_candidates(b, train, active, e);
    if (ok && active) ok = choose_actively(b, train, pts, e);
    if (ok && !active) choose(b, train, seed, pts);
    ok = ok && calibrate_fit(pts, train, path, AXES, &c, NULL, e);
    for (uint32_t i = 0; ok && i < b->n; i++)
        ok = judge_one(&b->at[i], &c, e);
    if (ok) {
        printf("%-6s %u points %s: coefficients %.1f%% -> %.1f%%, cross-validated %.1f%%, stretch "
               "%.2f, noise %.3f, terms",
               base_name[base], train, active ? "chosen" : "by chance", 100 * c.raw_error,
               100 * c.fit_error, 100 * c.cv_error, c.residual.stretch, c.residual.gp.kernel.noise);
        for (uint32_t i = 0; i < c.residual.gp.kernel.terms; i++)
            printf(" %.3f", c.residual.gp.kernel.term[i].amplitude);
        printf("\n");
        report(b, base_name[base], "known programs", 0, b->programs - b->held, all);
        report(b, base_name[base], "held out", b->programs - b->held, b->programs, NULL);
        count_found(b, all);
        for (uint32_t k = 0; getenv("VERBOSE") && k < b->programs; k++) {
            char name[24];
            snprintf(name, sizeof name, "program %u", k);
            report(b, base_name[base], name, k, k + 1, NULL);
        }
    }
    calibration_fini(&c);
    free(pts);
    return ok;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *s = getenv(name);
    return s ? strtoull(s, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    uint32_t n = argc > 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    uint32_t train = argc > 4 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    if (n < BASES || n > MOST_DESIGNS || argc - 4 > MOST_PROGRAMS) {
        fprintf(stderr, "usage: sampler_calibrated CACHE.csv DESIGNS TRAIN PROGRAM...\n");
        return 2;
    }
    struct bed *b = calloc(1, sizeof *b);
    designs = calloc(n, sizeof *designs);
    static const char *const metric[] = {"cycles"};
    struct truths kept;
    if (!b || !designs || !draw_all(n, number("SEED", 1)) ||
        !truths_open(&kept, argv[1], metric, 1))
        return 1;
    bool ok = true;
    for (uint32_t base = 0; ok && base < BASES; base++) {
        if (getenv("BASE") && strcmp(getenv("BASE"), base_name[base]) != 0) continue;
        *b = (struct bed){.programs = (uint32_t)argc - 4, .held = (uint32_t)number("HELD", 0)};
        b->at = calloc((size_t)n * b->programs, sizeof *b->at);
        for (uint32_t k = 0; ok && k < b->programs; k++)
            ok = gather(b, base, k, argv[4 + k], &kept, &e);
        struct summary all[2] = {0};
        for (uint32_t active = 0; ok && active <= (getenv("ACTIVE") != NULL); active++) {
            for (uint64_t s = 1; ok && s <= number("TIMES", 1) && s <= CHOICES_MOST; s++)
                ok = on_base(b, base, train, s, active, &all[active], &e);
            print_summary(base_name[base], active ? "chosen" : "by chance", &all[active]);
        }
        if (ok && all[1].n > 1) {
            print_paired(base_name[base], "error", all[0].each, all[1].each, all[1].n);
            print_paired(base_name[base], "tau", all[0].each_tau, all[1].each_tau, all[1].n);
        }
        for (uint32_t k = 0; k < b->programs; k++)
            for (uint32_t i = 0; i < b->profiles[k]; i++)
                profile_free(b->profile[k][i]);
        free(b->at);
    }
    if (!ok) fail(&e);
    truths_close(&kept);
    free(designs);
    free(b);
    return ok ? 0 : 1;
}
