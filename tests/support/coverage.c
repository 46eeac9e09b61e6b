#include "tests/support/coverage.h"

#include "detailed/core/sim.h"
#include "engine/engine.h"
#include "gpu/functional/warming/checkpoints.h"
#include "sampler/constants.h"
#include "sampler/run/simulate.h"

#include <stdio.h>

static const enum metric census_metric[] = {
    M_cycles,      M_l1_hits,         M_l1_accesses, M_l2_hits,      M_l2_accesses, M_dram_row_hits,
    M_dram_bursts, M_lane_operations, M_l2_misses,   M_energy_total, M_l1_joined};

enum { CENSUS_VALUES = sizeof census_metric / sizeof census_metric[0] };

void census_fini(struct census *c)
{
    for (uint32_t i = 0; i < CENSUS_DRAWS; i++)
        rounds_fini(&c->pilots[i]);
    sampling_fini(&c->s);
    mem_free(c->run);
    if (c->f) fclose(c->f);
    *c = (struct census){0};
}

void census_keys(struct census *c)
{
    char text[64];
    struct digest d = digest_join(machine_digest(c->s.m), program_digest(c->s.p));
    snprintf(text, sizeof text, "simulate %d", engine_version(ENGINE_SIMULATE));
    d = digest_join(d, digest_text(text));
    digest_hex(d, c->truth_key);
    snprintf(text, sizeof text, "pass %d", TRACK_VERSION);
    digest_hex(digest_join(d, digest_text(text)), c->key);
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

static struct interval_run *census_run(const struct census *c, const struct sample_unit *u,
                                       uint32_t length)
{
    return &c->run[(size_t)(u - c->s.pop.unit) * CENSUS_LENGTHS + length];
}

/* A window that the file knows belongs to every length that comes down to its warm-up. */
static void census_place(struct census *c, const struct sample_unit *u,
                         const struct interval_run *known)
{
    for (uint32_t k = 0; k < CENSUS_LENGTHS; k++) {
        if (sample_unit_warmup(u, c->s.size, warmup_length[k]) != known->warmup) continue;
        struct interval_run *r = census_run(c, u, k);
        *r = *known;
        r->unit = u;
    }
}

static int by_place(const void *key, const void *unit)
{
    const struct sample_unit *a = key, *b = unit;
    if (a->launch != b->launch) return a->launch < b->launch ? -1 : 1;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* line: behind its key. */
static void census_window(struct census *c, const char *line)
{
    unsigned long long begin, length, warmup, cost;
    struct sample_unit at = {0};
    struct interval_run r = {0};
    if (sscanf(line, ",%u,%llu,%llu,%llu,%llu,", &at.launch, &begin, &length, &warmup, &cost) ==
        5) {
        at.begin = begin;
        const struct sample_unit *u =
            bsearch(&at, c->s.pop.unit, c->s.pop.units, sizeof *c->s.pop.unit, by_place);
        if (!u || u->length != length) return;
        r.warmup = warmup;
        r.cost = cost;
        census_read(census_field(line, 6), &r.m);
        census_place(c, u, &r);
    }
}

/* Takes what the file has of this census; *truth: the whole simulation is among it. */
static void census_load(struct census *c, const char *path, bool *truth)
{
    char line[1024];
    FILE *f = fopen(path, "r");
    *truth = false;
    while (f && fgets(line, sizeof line, f)) {
        if (!strchr(line, '\n')) continue;
        if (strncmp(line, c->key, 32) == 0) census_window(c, line + 32);
        if (strncmp(line, c->truth_key, 32) != 0) continue;
        census_read(census_field(line, 2), &c->truth);
        *truth = true;
    }
    if (f) fclose(f);
}

static bool census_truth(struct census *c, struct error *e)
{
    struct answer a = {0};
    bool ok = simulate_run(c->s.m, c->s.p, c->s.selected, &c->costs, &c->o, &a, e);
    if (ok) energy_account(&c->costs, &a.m);
    c->truth = a.m;
    answer_fini(&a);
    if (!ok) return false;
    metrics_finish(&c->truth);
    fprintf(c->f, "%s,truth", c->truth_key);
    census_write(c->f, &c->truth);
    fflush(c->f);
    return true;
}

/* Runs what is not known yet; run[n]: units and warm-ups. */
static bool census_fill(struct census *c, const struct interval_run *run, uint32_t n,
                        struct error *e)
{
    struct interval_run *todo = mem_new(n, sizeof *todo);
    uint32_t missing = 0;
    if (!todo) return error_no_memory(e);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;
        while (sample_unit_warmup(run[i].unit, c->s.size, warmup_length[k]) != run[i].warmup)
            k++;
        if (!census_run(c, run[i].unit, k)->unit) todo[missing++] = run[i];
    }
    bool ok = missing == 0 || c->s.r.source(todo, missing, c->s.r.ctx, e);
    for (uint32_t i = 0; ok && i < missing; i++) {
        const struct sample_unit *u = todo[i].unit;
        census_place(c, u, &todo[i]);
        fprintf(c->f, "%s,%u,%llu,%llu,%llu,%llu", c->key, u->launch, (unsigned long long)u->begin,
                (unsigned long long)u->length, (unsigned long long)todo[i].warmup,
                (unsigned long long)todo[i].cost);
        census_write(c->f, &todo[i].m);
    }
    fflush(c->f);
    mem_free(todo);
    return ok;
}

/* A rounds_source: what the census knows, and what it does not is run now. */
static bool census_source(struct interval_run *run, uint32_t n, void *ctx, struct error *e)
{
    struct census *c = ctx;
    if (!census_fill(c, run, n, e)) return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;
        while (sample_unit_warmup(run[i].unit, c->s.size, warmup_length[k]) != run[i].warmup)
            k++;
        run[i] = *census_run(c, run[i].unit, k);
    }
    return true;
}

static bool census_costs(struct census *c, const struct machine *m, struct error *e)
{
    const struct part_pointers parts = machine_part_pointers(m);
    return energy_costs(&c->costs, &parts, e);
}

bool census_start(struct census *c, const struct machine *m, const struct program *p,
                  const struct profile *profile, double error, double budget, struct error *e)
{
    *c = (struct census){.s = {.m = m, .p = p}};
    run_opts_default(&c->o);
    c->o.error = error;
    c->o.budget = (uint64_t)(budget * (double)long_program_instructions(p));
    c->o.threads = 1; /* beside others */
    c->s.o = &c->o;
    c->s.costs = &c->costs;
    return census_costs(c, m, e) && sampling_start(&c->s, profile, e);
}

static struct rounds census_rounds(struct census *c, uint64_t seed, struct systematic_error doubt)
{
    return (struct rounds){.pop = &c->s.pop,
                           .size = c->s.size,
                           .warmup = c->s.r.warmup,
                           .error = c->o.error,
                           .confidence = c->o.confidence,
                           .doubt = doubt,
                           .budget = c->s.r.budget,
                           .seed = seed,
                           .source = census_source,
                           .ctx = c};
}

static bool census_pilots(struct census *c, uint32_t draw, struct error *e)
{
    struct sampling s = c->s;                   /* borrows all but the rounds */
    uint64_t seed = draw ? draw : CENSUS_DRAWS; /* of a repetition */
    s.r = census_rounds(c, seed,
                        (struct systematic_error){PLACING_ERROR, PLACING_ERROR, PLACING_ERROR});
    bool ok = rounds_start(&s.r, e) && sampling_run_pilots(&s, e);
    c->pilots[draw] = s.r;
    return ok;
}

/* Every unit after the warm-up of each draw. */
static bool census_units(struct census *c, struct error *e)
{
    uint32_t n = c->s.pop.units;
    struct interval_run *all = mem_new(n, sizeof *all);
    bool ok = all || error_no_memory(e);
    for (uint32_t d = 0; ok && d < CENSUS_DRAWS; d++) {
        for (uint32_t i = 0; i < n; i++) {
            const struct sample_unit *u = &c->s.pop.unit[i];
            all[i] = (struct interval_run){
                .unit = u, .warmup = sample_unit_warmup(u, c->s.size, c->pilots[d].warmup)};
        }
        ok = census_fill(c, all, n, e);
    }
    mem_free(all);
    return ok;
}

bool census_take(struct census *c, const char *path, struct error *e)
{
    bool truth;
    census_keys(c);
    c->run = mem_new((size_t)c->s.pop.units * CENSUS_LENGTHS, sizeof *c->run);
    c->f = fopen(path, "a");
    bool ok =
        (c->run || error_no_memory(e)) && (c->f || error_run(e, "%s: cannot be written", path));
    if (ok) census_load(c, path, &truth);
    ok = ok && (truth || census_truth(c, e)) && sampling_look(&c->s, e);
    for (uint32_t d = 0; ok && d < CENSUS_DRAWS; d++)
        ok = census_pilots(c, d, e);
    return ok && census_units(c, e);
}

const struct sample_unit *census_unit(const struct census *c, uint32_t i)
{
    return &c->s.pop.unit[i];
}

double census_unit_cycles(const struct census *c, uint32_t draw, uint32_t i)
{
    uint32_t k = 0;
    while (warmup_length[k] != c->pilots[draw].warmup)
        k++;
    return census_run(c, census_unit(c, i), k)->m.v[M_cycles];
}

double census_cycles(const struct census *c, uint32_t draw)
{
    double t = 0;
    for (uint32_t i = 0; i < c->s.pop.units; i++)
        t += census_unit_cycles(c, draw, i);
    return t;
}

/* --- one repetition --- */

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

/* The draw's pilots are the first observations, as in a run of its own. */
static bool census_resume(struct rounds *r, const struct rounds *pilots, struct error *e)
{
    r->spent = pilots->spent;
    r->warmed = pilots->warmed;
    rounds_set_warmup(r, pilots->warmup);
    for (size_t i = 0; i < pilots->runs; i++) {
        uint32_t h = pilots->run[i].unit->stratum, at = r->start[h] + r->taken[h]++, from = at;
        uint32_t number = (uint32_t)(pilots->run[i].unit - r->pop->unit);
        while (r->order[from] != number)
            from++;
        r->order[from] = r->order[at];
        r->order[at] = number;
        if (!rounds_append(r, pilots->run[i].unit, 0, e)) return false;
        r->run[i] = pilots->run[i];
    }
    return true;
}

bool census_repeat(struct census *c, uint64_t seed, bool plain, struct repetition *out,
                   struct error *e)
{
    uint32_t draw = (uint32_t)(seed % CENSUS_DRAWS);
    const struct rounds *pilots = &c->pilots[draw];
    struct rounds r = census_rounds(c, seed, pilots->doubt);
    struct extrapolation x = {0};
    r.plain = plain;
    r.budget = pilots->budget; /* may have grown for their warm-up */
    bool whole = false;
    bool ok = rounds_start(&r, e) && census_resume(&r, pilots, e) &&
              sampling_rounds(&c->s, &r, &whole, e) &&
              extrapolate(&x, r.pop, r.run, (uint32_t)r.runs, r.confidence, r.doubt, plain, e);
    if (ok) {
        *out = (struct repetition){.units = x.n,
                                   .draw = draw,
                                   .whole = whole,
                                   .cycles = x.cycles,
                                   .half_sampling = x.half_width,
                                   .half_width = hypot(x.half_width, x.placing),
                                   .control = x.control,
                                   .believed = x.free >= ROUNDS_FREE_WANTED,
                                   .share = (double)r.spent / (double)r.pop->instructions};
        ok = census_metrics(&x, out, e);
    }
    extrapolation_fini(&x);
    ok = ok && extrapolate(&x, r.pop, r.run, (uint32_t)r.runs, r.confidence, r.doubt, true, e);
    if (ok) out->plain = x.cycles;
    extrapolation_fini(&x);
    rounds_fini(&r);
    return ok;
}
