/* sampler_coverage.c - are the sampler's half widths true?  Asked thousands of times.
 *
 * Usage: sampler_coverage WINDOWS.csv ROWS.csv [MACHINE[,MACHINE]... PROGRAM...]
 *        (environment: REPEATS, default 10000, 0: only says what is sampled and what run whole;
 *        ERROR, default 0.03; BUDGET, a share of the program that sampling is forced to make do
 *        with, default 0: what sample does by itself; VERBOSE=1: a line per unit)
 * Every unit of a program is run once on the cycle model and kept in WINDOWS.csv (coverage.h),
 * beside the whole simulation; the sampling procedure is then repeated in memory, each time with
 * another seed, and what came out is a line of ROWS.csv (coverage_row.h).  A killed run goes on
 * where it was.  At the end, and alone without machines: all rows of ROWS.csv together, first those
 * that are sampled in most repetitions, then with those that are run whole, which are exact. */
#include "base/memory/sort.h"
#include "sampler/strata/est_params.h"
#include "tests/support/coverage_row.h"

#include <ctype.h>

static uint32_t number(const char *name, uint32_t otherwise)
{
    const char *s = getenv(name);
    return s ? (uint32_t)strtoul(s, NULL, 10) : otherwise;
}

/* *within: the stated half width holds the truth, or there is none of it. */
static double rate_error(uint32_t i, const struct repetition *r, const struct metrics *truth,
                         bool *within)
{
    double x, y;
    const char *key = coverage_rate[i].key;
    int id = metrics_by_path(key);
    *within = true;
    if (!metrics_value(&r->m, key, &x) || !metrics_value(truth, key, &y)) return 0;
    *within = id < 0 || fabs(x - y) <= r->half_widths.v[id];
    return fabs(x - y) / (coverage_rate[i].relative && y > 0 ? y : 1);
}

/* Sums over the repetitions. */
struct row_sums {
    double v[COVERAGE_N];
    double square, plain_square;
    double plain; /* repetitions that were also made without a control variate */
};
enum { PLAIN_EVERY = 10 };

static void count_whole(struct row_sums *t)
{
    t->v[COVERAGE_whole]++;
    t->v[COVERAGE_share]++;
    t->v[COVERAGE_covers]++;
    t->v[COVERAGE_covers_census]++;
    for (uint32_t i = 0; i < COVERAGE_RATES; i++)
        t->v[coverage_rate[i].covers]++;
}

static void count(struct row_sums *t, const struct census *c, double all,
                  const struct repetition *r)
{
    double truth = c->truth.v[M_cycles];
    t->v[COVERAGE_error] += fabs(r->cycles / truth - 1);
    t->v[COVERAGE_covers] += fabs(r->cycles - truth) <= r->half_width * r->cycles;
    t->v[COVERAGE_covers_census] +=
        fabs(r->cycles - all) <= r->half_sampling * r->cycles * (1 + 1e-12);
    t->v[COVERAGE_taken] += r->units;
    t->v[COVERAGE_share] += r->share;
    t->v[COVERAGE_half_width] += r->half_width;
    t->square += (r->cycles - all) * (r->cycles - all);
    t->plain_square += (r->plain - all) * (r->plain - all);
    for (uint32_t i = 0; i < COVERAGE_RATES; i++) {
        bool within;
        t->v[coverage_rate[i].error] += rate_error(i, r, &c->truth, &within);
        t->v[coverage_rate[i].covers] += within;
    }
}

/* VERBOSE=1: every unit, what the estimator says of it and what the cycle model did. */
static void print_units(const struct census *c)
{
    for (uint32_t i = 0; getenv("VERBOSE") && i < c->s.pop.units; i++) {
        const struct sample_unit *u = census_unit(c, i);
        printf("  launch %u stratum %u from %llu: estimated %.0f, run %.0f\n", u->launch,
               u->stratum, (unsigned long long)u->begin, u->x, census_unit_cycles(c, 0, i));
    }
}

/* Means over the repetitions; units over those that are not whole. */
static void conclude(struct coverage_row *row, const struct row_sums *t, const double *all)
{
    double n = row->v[COVERAGE_repeats], sampled = n - t->v[COVERAGE_whole];
    static const enum coverage_column mean[] = {
        COVERAGE_whole,        COVERAGE_share,         COVERAGE_error,      COVERAGE_half_width,
        COVERAGE_covers,       COVERAGE_covers_census, COVERAGE_l1_error,   COVERAGE_l1_covers,
        COVERAGE_l2_error,     COVERAGE_l2_covers,     COVERAGE_rows_error, COVERAGE_rows_covers,
        COVERAGE_energy_error, COVERAGE_energy_covers};
    for (uint32_t i = 0; i < sizeof mean / sizeof mean[0]; i++)
        row->v[mean[i]] = t->v[mean[i]] / n;
    row->v[COVERAGE_taken] = sampled > 0 ? t->v[COVERAGE_taken] / sampled : 0;
    row->v[COVERAGE_without] = t->plain > 0 ? t->v[COVERAGE_without] / t->plain : 0;
    row->v[COVERAGE_variance] = t->plain_square > 0 ? t->square / t->plain_square : 1;
    row->v[COVERAGE_census] = 0;
    for (uint32_t d = 0; d < CENSUS_DRAWS; d++)
        row->v[COVERAGE_census] += all[d] / CENSUS_DRAWS;
}

static void describe_pilots(struct coverage_row *row, const struct census *c, double *all)
{
    row->v[COVERAGE_warmup] = row->v[COVERAGE_placing] = 0;
    for (uint32_t d = 0; d < CENSUS_DRAWS; d++) {
        row->v[COVERAGE_warmup] += (double)c->pilots[d].warmup / CENSUS_DRAWS;
        row->v[COVERAGE_placing] += c->pilots[d].doubt.cycles / CENSUS_DRAWS;
        all[d] = census_cycles(c, d);
    }
}

/* Takes the row from "run whole" to what the repetitions say. */
static bool repeat(struct census *c, struct coverage_row *row, struct error *e)
{
    struct row_sums t = {0};
    uint32_t repeats = (uint32_t)row->v[COVERAGE_repeats];
    double *error = mem_new(repeats, sizeof *error), all[CENSUS_DRAWS];
    bool ok = error || error_no_memory(e);
    describe_pilots(row, c, all);
    for (uint32_t i = 0; ok && i < repeats; i++) {
        struct repetition with, without;
        ok = census_repeat(c, i + 1, false, &with, e);
        if (ok && i % PLAIN_EVERY == 0) ok = census_repeat(c, i + 1, true, &without, e);
        if (!ok) break;
        if (with.whole)
            count_whole(&t);
        else
            count(&t, c, all[with.draw], &with);
        if (i % PLAIN_EVERY == 0 && !with.whole) t.v[COVERAGE_without] += without.units, t.plain++;
        error[i] = with.whole ? 0 : fabs(with.cycles / c->truth.v[M_cycles] - 1);
    }
    if (ok) {
        sort_doubles(error, repeats);
        for (uint32_t d = 0; d < CENSUS_DRAWS; d++)
            all[d] = all[d] / c->truth.v[M_cycles] - 1;
        conclude(row, &t, all);
        row->v[COVERAGE_p99] = error[(uint32_t)(0.99 * (repeats - 1))];
        row->v[COVERAGE_worst] = error[repeats - 1];
    }
    if (!c->truth.has[M_energy_total]) row->v[COVERAGE_energy_error] = -1;
    mem_free(error);
    return ok;
}

static void print_row(const struct coverage_row *r)
{
    const double *v = r->v;
    printf("%-8s %-20s census %+6.2f%%  error %5.2f%% p99 %5.2f%%  half %5.2f%%  covers %5.1f%% "
           "census %5.1f%%  units %5.1f of %4.0f, without %5.1f  strata %2.0f  variance %5.2f  "
           "rates %.2f %.2f %.2f %.2f%% held %.0f %.0f %.0f %.0f%%  share %3.0f%%  warm-up %.0f, "
           "placing %.1f%%  whole %3.0f%%\n",
           r->machine, r->program, 100 * v[COVERAGE_census], 100 * v[COVERAGE_error],
           100 * v[COVERAGE_p99], 100 * v[COVERAGE_half_width], 100 * v[COVERAGE_covers],
           100 * v[COVERAGE_covers_census], v[COVERAGE_taken], v[COVERAGE_units],
           v[COVERAGE_without], v[COVERAGE_strata], v[COVERAGE_variance],
           100 * v[COVERAGE_l1_error], 100 * v[COVERAGE_l2_error], 100 * v[COVERAGE_rows_error],
           100 * v[COVERAGE_energy_error], 100 * v[COVERAGE_l1_covers], 100 * v[COVERAGE_l2_covers],
           100 * v[COVERAGE_rows_covers], 100 * v[COVERAGE_energy_covers], 100 * v[COVERAGE_share],
           v[COVERAGE_warmup], 100 * v[COVERAGE_placing], 100 * v[COVERAGE_whole]);
    fflush(stdout);
}

static bool print_plan(struct census *c, struct error *e)
{
    bool worth;
    if (!sampling_worth(&c->s, &worth, e)) return false;
    census_keys(c);
    printf("%-8s %-20s %10llu instructions, %4u units of %llu each (%u a warp), %3u strata, price "
           "%.2f %.2f %.2f, %s, key %s\n",
           c->s.m->name, program_name(c->s.p), (unsigned long long)c->s.pop.instructions,
           c->s.pop.units, (unsigned long long)(c->s.pop.instructions / c->s.pop.units),
           c->s.pop.per_warp, c->s.pop.strata, c->s.price.profile, c->s.price.pass,
           c->s.price.intervals, worth ? "sampled" : "run whole", c->truth_key);
    fflush(stdout);
    return true;
}

/* As sample's (long_program.h). */
static struct profile *profile_of(const struct machine *m, const struct program *p, struct error *e)
{
    struct profile_view view = est_view_of(m);
    struct program *head = NULL;
    if (!long_program_open(m, p, &head, e)) return NULL;
    struct profile *profile =
        profile_get(head ? head : p, &view, PROFILE_SAMPLED, 1, true, NULL, e);
    program_close(head);
    return profile;
}

static bool one(const char *windows, const char *rows, const struct machine *m,
                const struct program *p, struct error *e)
{
    struct profile *profile = profile_of(m, p, e);
    struct census c = {0};
    double error = getenv("ERROR") ? strtod(getenv("ERROR"), NULL) : 0.03;
    double budget = getenv("BUDGET") ? strtod(getenv("BUDGET"), NULL) : 0;
    bool ok = profile && census_start(&c, m, p, profile, error, budget, e);
    struct coverage_row row = {0};
    if (ok) row = coverage_whole(&c, number("REPEATS", 10000));
    if (ok && row.v[COVERAGE_repeats] == 0) ok = print_plan(&c, e);
    bool known = ok && (row.v[COVERAGE_repeats] == 0 || coverage_known(rows, &row));
    if (ok && !known && budget > 0 && rounds_least_cost(&c.s.r) > c.s.r.budget) {
        printf("%-8s %-20s refused: the budget gives no answer\n", m->name, program_name(p));
        known = true;
    }
    bool worth = false;
    if (ok && !known) ok = sampling_worth(&c.s, &worth, e);
    if (ok && !known && worth) {
        ok = census_take(&c, windows, e) && repeat(&c, &row, e);
        if (ok) print_units(&c);
    }
    if (ok && !known) {
        print_row(&row);
        ok = coverage_keep(rows, &row) || error_run(e, "%s: cannot be written", rows);
    }
    census_fini(&c);
    profile_free(profile);
    return ok;
}

static bool on_machine(const char *name, int argc, char **argv)
{
    struct machine m;
    struct errors errors = {0};
    bool ok = machine_load(&m, name, NULL, 0, &errors);
    if (!ok) fprintf(stderr, "sampler_coverage: %s\n", errors.item[0].text);
    const struct program_opts wide = {.warp_width = ok ? m.sm.warp_width : 32};
    for (int i = 4; ok && i < argc; i++) {
        struct error e = {0};
        struct program *p = program_open(argv[i], &wide, &e);
        if (!p || !one(argv[1], argv[2], &m, p, &e))
            fprintf(stderr, "sampler_coverage: %s on %s: %s\n", argv[i], name, e.text);
        if (p) program_close(p);
    }
    errors_fini(&errors);
    return ok;
}

/* --- all rows together --- */

struct together {
    uint32_t rows, whole, energies;
    double sum[COVERAGE_N], most[COVERAGE_N], least[COVERAGE_N];
};

static void add(struct together *t, const struct coverage_row *r)
{
    t->whole += r->v[COVERAGE_whole] >= 0.5;
    t->energies += r->v[COVERAGE_energy_error] >= 0;
    for (uint32_t i = 0; i < COVERAGE_N; i++) {
        double x = r->v[i];
        if (i == COVERAGE_energy_error && x < 0) x = 0;
        t->sum[i] += x;
        t->most[i] = t->rows ? fmax(t->most[i], x) : x;
        t->least[i] = t->rows ? fmin(t->least[i], x) : x;
    }
    t->rows++;
}

static void print_together(const char *what, const struct together *t)
{
    double n = t->rows;
    if (t->rows == 0) return;
    printf("%s: %u rows, %u of them whole in most repetitions\n", what, t->rows, t->whole);
    printf("  cycles: error mean %.2f%%, worst row %.2f%%, worst repetition %.1f%%; covers %.1f%%, "
           "least %.1f%%; census covered %.1f%%, least %.1f%%\n",
           100 * t->sum[COVERAGE_error] / n, 100 * t->most[COVERAGE_error],
           100 * t->most[COVERAGE_worst], 100 * t->sum[COVERAGE_covers] / n,
           100 * t->least[COVERAGE_covers], 100 * t->sum[COVERAGE_covers_census] / n,
           100 * t->least[COVERAGE_covers_census]);
    printf("  units %.1f, without a control variate %.1f\n", t->sum[COVERAGE_taken] / n,
           t->sum[COVERAGE_without] / n);
    for (uint32_t i = 0; i < COVERAGE_RATES; i++) {
        enum coverage_column error = coverage_rate[i].error, covers = coverage_rate[i].covers;
        double of = coverage_rate[i].relative ? t->energies : n;
        printf("  %s: error mean %.2f%%, worst row %.2f%%; covers %.1f%%, least %.1f%%\n",
               coverage_rate[i].key, of > 0 ? 100 * t->sum[error] / of : 0, 100 * t->most[error],
               100 * t->sum[covers] / n, 100 * t->least[covers]);
    }
}

static void summarise(const char *path)
{
    char line[2048];
    struct together sampled = {0}, all = {0};
    struct coverage_row r;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (!isdigit((unsigned char)line[0]) || !coverage_parse(line, &r)) continue;
        add(&all, &r);
        if (r.v[COVERAGE_whole] < 0.5) add(&sampled, &r);
    }
    if (f) fclose(f);
    print_together("sampled", &sampled);
    print_together("all", &all);
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc == 4) {
        fprintf(stderr,
                "usage: sampler_coverage WINDOWS.csv ROWS.csv [MACHINE[,MACHINE]... PROGRAM...]\n");
        return 2;
    }
    for (char *name = argc > 4 ? strtok(argv[3], ",") : NULL; name; name = strtok(NULL, ","))
        if (!on_machine(name, argc, argv)) return 2;
    summarise(argv[2]);
    return 0;
}
