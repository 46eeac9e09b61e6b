/* sampler_coverage.c - are the sampler's half widths true?  Asked thousands of times.
 *
 * Usage: sampler_coverage CACHE.csv MACHINE[,MACHINE]... PROGRAM...
 *        (environment: REPEATS, default 10000, 0: only fill the cache; ERROR, default 0.03;
 *        VERBOSE=1: a line per unit)
 * Every unit of a program is run once on the cycle model and kept in CACHE.csv (coverage.h), beside
 * the whole simulation: a killed run goes on where it was.  The sampling procedure is then repeated
 * in memory, each time with another seed.  A line per machine and program:
 *   census    error of all units together against the simulation: placing and warming alone
 *   error     |sample - simulate| of cycles, mean over the repetitions and 99th percentile
 *   covers    share of the repetitions whose 95 % interval holds the simulation (the whole half
 *             width) and the census (sampling's part alone)
 *   units     run, of how many; without: the same where no control variate may be used
 *   variance  with a control variate over that without, on the same units
 *   rates     mean |error| of L1 and L2 hit rate and row hits in points, of energy in per cent;
 *             how often their half widths held
 * What sample would run whole, because it is small or because the repetition says too little, is
 * exact: error 0, and covered. */
#include "base/sort.h"
#include "bench/coverage.h"

struct tally {
    uint32_t n, held, census_held, believed, whole;
    double error, units, plain_units, share, half;
    double square, plain_square;
    double rate[4];
    uint32_t rate_held[4];
};

struct totals {
    uint32_t programs, whole, n, held, census_held;
    double error, worst, least_cover, least_census, units, plain_units;
    double rate[4], worst_rate[4];
    uint32_t rate_held[4];
};

static const struct {
    const char *key;
    bool relative;
} rates[] = {{"l1.hit_rate", false},
             {"l2.hit_rate", false},
             {"dram.row_hit_rate", false},
             {"energy_mj.total", true}};
enum { RATES = sizeof rates / sizeof rates[0] };

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
    int id = metric_by_path(rates[i].key);
    *within = true;
    if (!metrics_value(&r->m, rates[i].key, &x) || !metrics_value(truth, rates[i].key, &y))
        return 0;
    *within = id < 0 || fabs(x - y) <= r->half_widths.v[id];
    return fabs(x - y) / (rates[i].relative && y > 0 ? y : 1);
}

static void count_exact(struct tally *t)
{
    t->n++;
    t->held++;
    t->census_held++;
    t->believed++;
    t->whole++;
    t->share += 1;
    for (uint32_t i = 0; i < RATES; i++)
        t->rate_held[i]++;
}

static void count(struct tally *t, const struct census *c, double all, const struct repetition *r)
{
    double truth = c->truth.v[M_cycles];
    if (r->whole) {
        count_exact(t);
        return;
    }
    t->n++;
    t->error += fabs(r->cycles / truth - 1);
    t->held += fabs(r->cycles - truth) <= r->half_width * r->cycles;
    t->census_held += fabs(r->cycles - all) <= r->half_sampling * r->cycles * (1 + 1e-12);
    t->believed += r->believed;
    t->units += r->units;
    t->share += r->share;
    t->half += r->half_width;
    t->square += (r->cycles - all) * (r->cycles - all);
    t->plain_square += (r->plain - all) * (r->plain - all);
    for (uint32_t i = 0; i < RATES; i++) {
        bool within;
        t->rate[i] += rate_error(i, r, &c->truth, &within);
        t->rate_held[i] += within;
    }
}

/* VERBOSE=1: every unit, what the estimator says of it and what the cycle model did. */
static void print_units(const struct census *c)
{
    for (uint32_t i = 0; getenv("VERBOSE") && i < c->s.pop.units; i++) {
        const struct unit *u = &c->s.pop.unit[i];
        printf("  launch %u stratum %u from %llu: estimated %.0f, run %.0f\n", u->launch,
               u->stratum, (unsigned long long)u->begin, u->x, c->unit[i].m.v[M_cycles]);
    }
}

static bool repeat(struct census *c, uint32_t repeats, struct tally *t, double *p99,
                   struct error *e)
{
    double *error = mem_new(repeats, sizeof *error), all = census_cycles(c);
    bool ok = error || error_no_memory(e);
    for (uint32_t i = 0; ok && i < repeats; i++) {
        struct repetition with, without;
        ok = census_repeat(c, i + 1, false, &with, e) && census_repeat(c, i + 1, true, &without, e);
        if (!ok) break;
        count(t, c, all, &with);
        t->plain_units += with.whole ? 0 : without.units;
        error[i] = with.whole ? 0 : fabs(with.cycles / c->truth.v[M_cycles] - 1);
    }
    if (ok) sort_doubles(error, repeats);
    if (ok) *p99 = error[(uint32_t)(0.99 * (repeats - 1))];
    mem_free(error);
    return ok;
}

static void print(const struct census *c, const struct tally *t, double p99)
{
    double n = t->n, truth = c->truth.v[M_cycles];
    printf("%-8s %-16s census %+6.2f%%  error %5.2f%% p99 %5.2f%%  half %5.2f%%  covers %5.1f%% "
           "census %5.1f%%  units %5.1f of %3u, without %5.1f  strata %2u  variance %5.2f  "
           "rates %.2f %.2f %.2f %.2f%% held %.0f %.0f %.0f %.0f%%  share %3.0f%%  warm-up %u, "
           "placing %.1f%%  few %2.0f%%  whole %2.0f%%\n",
           c->s.m->name, program_name(c->s.p), 100 * (census_cycles(c) / truth - 1),
           100 * t->error / n, 100 * p99, 100 * t->half / n, 100 * t->held / n,
           100 * t->census_held / n, t->units / n, c->s.pop.units, t->plain_units / n,
           c->s.pop.strata, t->plain_square > 0 ? t->square / t->plain_square : 1,
           100 * t->rate[0] / n, 100 * t->rate[1] / n, 100 * t->rate[2] / n, 100 * t->rate[3] / n,
           100 * t->rate_held[0] / n, 100 * t->rate_held[1] / n, 100 * t->rate_held[2] / n,
           100 * t->rate_held[3] / n, 100 * t->share / n, warmup_length[c->s.warmup],
           100 * c->placing, 100 * (1 - t->believed / n), 100 * t->whole / n);
    fflush(stdout);
}

static void add(struct totals *all, const struct tally *t)
{
    double n = t->n;
    all->programs++;
    all->n += t->n;
    all->held += t->held;
    all->census_held += t->census_held;
    all->error += t->error / n;
    all->worst = fmax(all->worst, t->error / n);
    all->least_cover = fmin(all->least_cover, t->held / n);
    all->least_census = fmin(all->least_census, t->census_held / n);
    all->units += t->units / n;
    all->plain_units += t->plain_units / n;
    for (uint32_t i = 0; i < RATES; i++) {
        all->rate[i] += t->rate[i] / n;
        all->worst_rate[i] = fmax(all->worst_rate[i], t->rate[i] / n);
        all->rate_held[i] += t->rate_held[i];
    }
}

static void add_whole(struct totals *all, uint32_t repeats)
{
    struct tally t = {0};
    for (uint32_t i = 0; i < repeats; i++)
        count_exact(&t);
    add(all, &t);
    all->whole++;
}

static bool one(const char *path, const struct machine *m, const struct program *p,
                struct totals *all, struct error *e)
{
    struct profile_view view = profile_view_of(&m->sm, &m->l1, &m->l2, &m->coherence);
    struct profile *profile = profile_get(p, &view, 0, true, e);
    struct census c = {0};
    struct tally t = {0};
    double p99 = 0, error = getenv("ERROR") ? strtod(getenv("ERROR"), NULL) : 0.03;
    uint32_t repeats = number("REPEATS", 10000);
    bool ok = profile && census_start(&c, m, p, profile, error, e);
    if (ok && !sampling_worth(&c.s)) {
        printf("%-8s %-16s run whole: %u units, %llu instructions\n", m->name, program_name(p),
               c.s.pop.units, (unsigned long long)c.s.pop.instructions);
        if (repeats) add_whole(all, repeats);
    } else if (ok) {
        ok = census_take(&c, path, e);
        if (ok) print_units(&c);
        if (ok && repeats) ok = repeat(&c, repeats, &t, &p99, e);
        if (ok && repeats) print(&c, &t, p99);
        if (ok && repeats) add(all, &t);
    }
    census_fini(&c);
    profile_free(profile);
    return ok;
}

static bool on_machine(const char *name, int argc, char **argv, struct totals *all)
{
    struct machine m;
    struct errors errors = {0};
    struct error e = {0};
    bool ok = machine_load(&m, name, NULL, 0, &errors);
    if (!ok) fprintf(stderr, "sampler_coverage: %s\n", errors.item[0].text);
    const struct program_opts wide = {.warp_width = ok ? m.sm.warp_width : 32};
    for (int i = 3; ok && i < argc; i++) {
        struct program *p = program_open(argv[i], &wide, &e);
        if (!p || !one(argv[1], &m, p, all, &e))
            fprintf(stderr, "sampler_coverage: %s on %s: %s\n", argv[i], name, e.text);
        if (p) program_close(p);
    }
    errors_fini(&errors);
    return ok;
}

int main(int argc, char **argv)
{
    struct totals all = {.least_cover = 1, .least_census = 1};
    if (argc < 4) {
        fprintf(stderr, "usage: sampler_coverage CACHE.csv MACHINE[,MACHINE]... PROGRAM...\n");
        return 2;
    }
    for (char *name = strtok(argv[2], ","); name; name = strtok(NULL, ","))
        if (!on_machine(name, argc, argv, &all)) return 2;
    if (all.programs == 0) return 0;
    double n = all.programs;
    printf("all %u, %u of them whole: error mean %.2f%% worst %.2f%%  covers %.1f%% least %.1f%%  "
           "census %.1f%% least %.1f%%  units %.1f without %.1f\n",
           all.programs, all.whole, 100 * all.error / n, 100 * all.worst, 100.0 * all.held / all.n,
           100 * all.least_cover, 100.0 * all.census_held / all.n, 100 * all.least_census,
           all.units / n, all.plain_units / n);
    for (uint32_t i = 0; i < RATES; i++)
        printf("  %s: error mean %.2f%% worst %.2f%%, held %.1f%%\n", rates[i].key,
               100 * all.rate[i] / n, 100 * all.worst_rate[i], 100.0 * all.rate_held[i] / all.n);
    return 0;
}
