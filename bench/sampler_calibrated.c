/* sampler_calibrated.c - how good are calibrated estimates, and are their error bars true?
 *
 * Usage: sampler_calibrated CACHE.csv DESIGNS TRAIN PROGRAM...   (environment: SEED, default 1;
 *        TIMES=n choices of the training points; MACHINES=1: then as many machines by chance with
 * all programs, among the same candidates; HELD=n: the last n programs take no part in training;
 *        BASE=rx540 or qv100 alone) The machines of sampler_designs; around each
 * base a calibration is made from TRAIN points (of all designs x programs, chosen by a seed), and
 * judged on all others.  Lines per base, for the points of programs that were trained with and for
 * those of programs held out: |error| of cycles before and after, Kendall's tau within programs,
 * the share that the stated 90 % interval covers, and the mean width of the interval (its half,
 * relative) over the mean error and the same without any calibration.  Then the means over all
 * choices, and of how many programs the truly best design is among the best twentieth of the
 * estimates, before and after. */
#include "bench/support/calibrated_report.h"
#include "calibration/calibration_set.h"
#include "estimator/constants.h"
#include "sampler/strata/est_params.h"

static const double LEVEL = 0.9;
static struct calibration_set uncalibrated;

static bool fail(const struct error *e)
{
    fprintf(stderr, "sampler_calibrated: %s\n", e->text);
    return false;
}

static const struct profile *profile_for(struct bed *b, uint32_t k, const struct program *p,
                                         const struct machine *m, struct error *e)
{
    struct profile_view view = est_view_of(m);
    for (uint32_t i = 0; i < b->profiles[k]; i++)
        if (profile_view_equal(&b->view[k][i], &view)) return b->profile[k][i];
    struct profile *f =
        profile_get(p, &view, profile_detail_for(p, &view, PROFILE_TIMES_ONE), 1, true, NULL, e);
    if (!f) return NULL;
    b->view[k][b->profiles[k]] = view;
    b->profile[k][b->profiles[k]++] = f;
    return f;
}

static bool estimate_raw(struct item *t, struct error *e)
{
    struct metrics m;
    struct explanation x;
    struct calibrated bare;
    if (!estimate(t->cal.profile, NULL, &t->cal.params, &m, &x, e)) return false;
    calibrate_apply(&uncalibrated.bare, t->cal.machine, NULL, &m, &x, LEVEL, &bare);
    t->raw = m.v[M_cycles];
    t->raw_half = sinh(bare.range);
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
        t->cal = (struct cal_point){.params = est_params_of(&designs[i].m),
                                    .machine = &designs[i].m,
                                    .program = program_digest(p)};
        t->cal.profile = profile_for(b, k, p, &designs[i].m, e);
        ok = t->cal.profile &&
             design_simulated(kept, designs[i].key, &designs[i].m, p, &t->cal.cycles, e) &&
             estimate_raw(t, e);
    }
    program_close(p);
    return ok;
}

static bool judge_one(struct item *t, const struct calibration *c, struct error *e)
{
    struct metrics m;
    struct explanation x;
    struct calibrated with;
    if (!estimate(t->cal.profile, NULL, &t->cal.params, &m, &x, e)) return false;
    calibrate_apply(c, t->cal.machine, &t->cal.program, &m, &x, LEVEL, &with);
    t->after = m.v[M_cycles] * with.factor;
    t->half = sinh(with.range);
    return true;
}

/* One of each program at least, and of no program more than there are. */
static bool enough_candidates(const struct bed *b, uint32_t train, struct error *e)
{
    uint32_t last = b->programs > b->held ? b->programs - b->held : 0;
    if (last > 0 && train <= b->n / b->programs / 2 * last && train >= last) return true;
    return error_input(e, "%u points of %u programs: from 1 to %u of each can be taken", train,
                       last, b->n / b->programs / 2);
}

static bool on_base(struct bed *b, uint32_t base, uint32_t train, uint64_t seed, enum pick how,
                    struct summary *all, struct error *e)
{
    struct calibration c = {0};
    struct cal_point *pts = calloc(train + 1, sizeof *pts);
    bool ok = pts != NULL && enough_candidates(b, train, e);
    if (ok) choose_points(b, how, train, seed, pts);
    ok = ok && calibrate_fit(pts, train, uncalibrated.ranges, &c, NULL, e);
    for (uint32_t i = 0; ok && i < b->n; i++)
        ok = judge_one(&b->at[i], &c, e);
    if (ok) {
        printf("%-6s %u points %s: %.1f%% before, cross-validated %.1f%%\n", base_name[base], train,
               choice_name[how], 100 * c.raw_error, 100 * c.cv_error);
        report_errors(b, base_name[base], "known programs", 0, b->programs - b->held, all);
        report_errors(b, base_name[base], "held out", b->programs - b->held, b->programs, NULL);
        count_found(b, all);
        for (uint32_t k = 0; getenv("VERBOSE") && k < b->programs; k++) {
            char name[24];
            snprintf(name, sizeof name, "program %u", k);
            report_errors(b, base_name[base], name, k, k + 1, NULL);
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

/* By chance, and where it is asked for, machines with all programs. */
static bool judge_choices(struct bed *b, uint32_t base, uint32_t train, struct error *e)
{
    struct summary all[CHOICES_N] = {0};
    bool ok = true;
    for (uint32_t how = 0; ok && how < (getenv("MACHINES") ? CHOICES_N : 1); how++) {
        for (uint64_t s = 1; ok && s <= number("TIMES", 1); s++)
            ok = on_base(b, base, train, s, (enum pick)how, &all[how], e);
        print_summary(base_name[base], choice_name[how], &all[how]);
    }
    return ok;
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
    if (!calibration_set_open(&uncalibrated, "none", NULL, 0, &e)) return !fail(&e);
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
        ok = ok && judge_choices(b, base, train, &e);
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
