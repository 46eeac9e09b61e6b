/* coverage.h - every unit of a program run once, then the sampling procedure repeated in memory.
 *
 * A census holds what the cycle model said of every unit (after the warm-up that the pilots chose)
 * and of the whole program.  It is kept as lines of text: "key,truth,warmup,placing,pilots' cost,
 * values" and "key,unit number,cost,warm-up,values". */
#ifndef PLUMB_BENCH_COVERAGE_H
#define PLUMB_BENCH_COVERAGE_H

#include "base/mem.h"
#include "detailed/sim.h"
#include "energy/account.h"
#include "machine/machine.h"
#include "sampler/sampling.h"
#include "sampler/simulate.h"
#include "sampler/warmup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum metric census_metric[] = {
    M_cycles,        M_l1_hits,     M_l1_accesses,     M_l2_hits,   M_l2_accesses,
    M_dram_row_hits, M_dram_bursts, M_lane_operations, M_l2_misses, M_energy_total};
enum { CENSUS_VALUES = sizeof census_metric / sizeof census_metric[0] };

struct census {
    struct sampling s; /* cut; its rounds are not used */
    struct energy_costs costs;
    struct run_opts o;
    struct metrics truth;
    struct window_run *unit; /* [s.pop.units] by number */
    uint64_t pilot_cost, pilot_warmed;
    double placing;
    uint32_t missing; /* units not in the file */
};

static void census_fini(struct census *c)
{
    sampling_fini(&c->s);
    mem_free(c->unit);
    *c = (struct census){0};
}

/* What it was made of; the cut is part of it. */
static struct digest census_key(const struct census *c)
{
    char cut[96];
    snprintf(cut, sizeof cut, "%d %u %u %g", engine_version(ENGINE_SAMPLE), c->s.pop.units,
             c->s.pop.per_warp, c->o.error);
    struct digest d = digest_join(machine_digest(c->s.m), program_digest(c->s.p));
    return digest_join(d, digest_text(cut));
}

static void census_write(FILE *f, const struct metrics *m)
{
    for (uint32_t i = 0; i < CENSUS_VALUES; i++)
        if (m->has[census_metric[i]])
            fprintf(f, ",%.17g", m->v[census_metric[i]]);
        else
            fprintf(f, ",-");
    fprintf(f, "\n");
}

static void census_read(const char *at, struct metrics *m)
{
    *m = (struct metrics){0};
    for (uint32_t i = 0; i < CENSUS_VALUES && at; i++) {
        if (strncmp(at, "-", 1) != 0) metrics_set(m, census_metric[i], strtod(at, NULL));
        at = strchr(at, ',');
        if (at) at++;
    }
    metrics_finish(m);
}

static const char *census_field(const char *line, uint32_t n)
{
    for (; n > 0 && line; n--) {
        line = strchr(line, ',');
        if (line) line++;
    }
    return line;
}

/* Takes what the file has of this census; *truth: the whole simulation is among it. */
static void census_load(struct census *c, const char *path, const char *key, bool *truth)
{
    char line[1024];
    FILE *f = fopen(path, "r");
    *truth = false;
    c->missing = c->s.pop.units;
    while (f && fgets(line, sizeof line, f)) {
        uint32_t u, warmup;
        unsigned long long a, b;
        double placing;
        if (strncmp(line, key, 32) != 0 || !strchr(line, '\n')) continue;
        if (sscanf(line + 32, ",truth,%u,%lf,%llu,%llu,", &warmup, &placing, &a, &b) == 4) {
            c->s.warmup = warmup;
            c->placing = placing;
            c->pilot_cost = a;
            c->pilot_warmed = b;
            census_read(census_field(line, 6), &c->truth);
            *truth = true;
        } else if (sscanf(line + 32, ",%u,%llu,%llu,", &u, &a, &b) == 3 && u < c->s.pop.units) {
            struct window_run *r = &c->unit[u];
            c->missing -= r->unit == NULL;
            *r = (struct window_run){.unit = &c->s.pop.unit[u], .cost = a, .warmup = b};
            census_read(census_field(line, 4), &r->m);
        }
    }
    if (f) fclose(f);
}

static bool census_truth(struct census *c, FILE *f, const char *key, struct error *e)
{
    struct answer a = {0};
    bool ok = simulate_run(c->s.m, c->s.p, c->s.selected, &c->costs, &c->o, &a, e);
    if (ok) energy_account(&c->costs, &a.m);
    c->truth = a.m;
    answer_fini(&a);
    ok = ok && pilots_run(&c->s, e);
    c->placing = c->s.r.placing;
    c->pilot_cost = c->s.r.spent;
    c->pilot_warmed = c->s.r.warmed;
    if (!ok) return false;
    metrics_finish(&c->truth);
    fprintf(f, "%s,truth,%u,%.17g,%llu,%llu", key, c->s.warmup, c->placing,
            (unsigned long long)c->pilot_cost, (unsigned long long)c->pilot_warmed);
    census_write(f, &c->truth);
    return true;
}

static bool census_units(struct census *c, FILE *f, const char *key, struct error *e)
{
    struct window_run *todo = mem_new(c->missing, sizeof *todo);
    uint32_t n = 0;
    if (!todo) return error_no_memory(e);
    for (uint32_t i = 0; i < c->s.pop.units; i++) {
        const struct unit *u = &c->s.pop.unit[i];
        if (c->unit[i].unit) continue;
        todo[n++] = (struct window_run){
            .unit = u, .warmup = unit_warmup(u, c->s.size, warmup_length[c->s.warmup])};
    }
    bool ok = c->s.r.source(todo, n, c->s.r.ctx, e);
    for (uint32_t i = 0; ok && i < n; i++) {
        uint32_t number = (uint32_t)(todo[i].unit - c->s.pop.unit);
        c->unit[number] = todo[i];
        fprintf(f, "%s,%u,%llu,%llu", key, number, (unsigned long long)todo[i].cost,
                (unsigned long long)todo[i].warmup);
        census_write(f, &todo[i].m);
    }
    mem_free(todo);
    return ok;
}

static bool census_costs(struct census *c, const struct machine *m, struct error *e)
{
    return energy_costs(&c->costs, &m->energy, &m->sm, &m->l1, &m->l2, &m->scalar, &m->noc, e);
}

/* Only cut: c->s.pop says into how many units. */
static bool census_start(struct census *c, const struct machine *m, const struct program *p,
                         const struct profile *profile, double error, struct error *e)
{
    struct correction none = correction_none();
    *c = (struct census){.s = {.m = m, .p = p}};
    run_opts_default(&c->o);
    c->o.error = error;
    c->s.o = &c->o;
    c->s.costs = &c->costs;
    return census_costs(c, m, e) && sampling_start(&c->s, profile, &none, e);
}

/* path: where lines are kept. */
static bool census_take(struct census *c, const char *path, struct error *e)
{
    char key[33];
    bool truth;
    digest_hex(census_key(c), key);
    c->unit = mem_new(c->s.pop.units, sizeof *c->unit);
    FILE *f = fopen(path, "a");
    bool ok = (c->unit || error_no_memory(e)) && (f || error_run(e, "%s: cannot be written", path));
    if (ok) census_load(c, path, key, &truth);
    if (ok && !truth) ok = census_truth(c, f, key, e);
    if (ok) fflush(f);
    if (ok && c->missing) ok = census_units(c, f, key, e);
    if (f) fclose(f);
    return ok;
}

static double census_cycles(const struct census *c)
{
    double t = 0;
    for (uint32_t i = 0; i < c->s.pop.units; i++)
        t += c->unit[i].m.v[M_cycles];
    return t;
}

/* --- one repetition --- */

static bool census_source(struct window_run *run, uint32_t n, void *ctx, struct error *e)
{
    const struct census *c = ctx;
    (void)e;
    for (uint32_t i = 0; i < n; i++)
        run[i] = c->unit[run[i].unit - c->s.pop.unit];
    return true;
}

struct repetition {
    uint32_t units, strata;
    double cycles, half_sampling, half_width; /* relative half widths */
    double plain;                             /* cycles, the same units without a control variate */
    enum control control;
    bool believed; /* no warning of too few observations */
    bool whole;    /* says so little that sample runs the program whole */
    struct metrics m, half_widths;
    double share; /* of the instructions, pilots and warm-up included */
};

static bool census_metrics(struct extrapolation *x, struct repetition *out, struct error *e)
{
    struct answer *a = mem_new(1, sizeof *a);
    if (!a) return error_no_memory(e);
    extrapolation_metrics(x, a);
    out->m = a->m;
    out->half_widths = a->half_widths;
    mem_free(a);
    return true;
}

static bool census_repeat(struct census *c, uint64_t seed, bool plain, struct repetition *out,
                          struct error *e)
{
    struct rounds r = {.pop = &c->s.pop,
                       .size = c->s.size,
                       .warmup = warmup_length[c->s.warmup],
                       .error = c->o.error,
                       .confidence = c->o.confidence,
                       .placing = c->placing,
                       .plain = plain,
                       .budget = c->s.r.budget,
                       .spent = c->pilot_cost,
                       .seed = seed,
                       .source = census_source,
                       .ctx = c};
    struct extrapolation x = {0};
    bool ok = rounds_start(&r, e) && rounds_run(&r, e) &&
              extrapolate(&x, r.pop, r.run, (uint32_t)r.runs, r.confidence, plain, e);
    if (ok) {
        x.placing = c->placing;
        *out = (struct repetition){.units = x.n,
                                   .strata = c->s.pop.strata,
                                   .cycles = x.cycles,
                                   .half_sampling = x.half_width,
                                   .half_width = hypot(x.half_width, x.placing),
                                   .control = x.control,
                                   .believed = x.free >= ROUNDS_FREE_WANTED,
                                   .share = (double)r.spent / (double)r.pop->instructions};
        ok = census_metrics(&x, out, e) && sampling_too_wide(&c->s, &r, &out->whole, e);
    }
    extrapolation_fini(&x);
    ok = ok && extrapolate(&x, r.pop, r.run, (uint32_t)r.runs, r.confidence, true, e);
    if (ok) out->plain = x.cycles;
    extrapolation_fini(&x);
    rounds_fini(&r);
    return ok;
}

#endif
