/* warmup_pilots.c - the warm-up before a measured interval, found by trying; see warmup.h. */
#include "sampler/constants.h"
#include "sampler/run/sampling.h"
#include "sampler/run/warmup.h"

#include <math.h>

enum { PILOTS = 4 };

/* Finds the heaviest stratum whose next unit is an interval with room for more than the second
 * longest warm-up (the longest starts at the launch's beginning, where the result is exact). */
static bool next_pilot(const struct sampling *s, uint32_t *stratum)
{
    double most = 0;
    for (uint32_t h = 0; h < s->pop.strata; h++) {
        if (s->r.taken[h] >= s->r.units[h]) continue;
        const struct sample_unit *u = rounds_unit(&s->r, h, s->r.taken[h]);
        uint64_t room = (uint64_t)warmup_length[WARMUPS - 2] * s->size[u->launch].resident;
        double weight = u->x * s->r.units[h] / (1 + s->r.taken[h]);
        if (u->begin <= room || weight <= most) continue;
        most = weight;
        *stratum = h;
    }
    return most > 0;
}

/* The lengths from shortest_warmup() up to count_lengths() are tried; both index warmup_length. */
static uint32_t shortest_warmup(const struct sampling *s)
{
    return sampling_is_lean(s) ? WARMUP_OF_LONG : 0;
}

/* truth: includes the run from the launch's beginning. */
static uint32_t count_lengths(bool truth)
{
    return truth ? WARMUPS + 1 : WARMUPS;
}

static uint64_t pilot_cost(const struct sampling *s, const struct sample_unit *u, bool truth)
{
    uint64_t cost = 0;
    for (uint32_t w = shortest_warmup(s); w < count_lengths(truth); w++)
        cost += u->length + sample_unit_warmup(u, s->size, warmup_length[w]);
    return cost;
}

/* The instructions available for pilots: at most half of the budget, leaving the least that rounds
 * need. */
static uint64_t pilot_budget(const struct sampling *s)
{
    uint64_t least = rounds_least_cost(&s->r);
    uint64_t left = s->r.budget > least ? s->r.budget - least : 0;
    uint64_t most = s->r.budget / 2;
    return left < most ? left : most;
}

/* The smallest budget for which pilot_budget returns at least `cost`. */
static uint64_t budget_for(const struct sampling *s, uint64_t cost)
{
    uint64_t least = rounds_least_cost(&s->r), beside = least + cost;
    return beside > 2 * cost ? beside : 2 * cost;
}

/* Appends each pilot with every length, the longest last. */
static bool append_pilots(struct sampling *s, bool truth, uint32_t *pilots, struct error *e)
{
    uint64_t cost = 0, most = pilot_budget(s);
    uint32_t h;
    uint32_t wanted = s->is_long ? PILOTS_OF_LONG : PILOTS;
    for (*pilots = 0; *pilots < wanted && next_pilot(s, &h); ++*pilots) {
        const struct sample_unit *u = rounds_unit(&s->r, h, s->r.taken[h]);
        cost += pilot_cost(s, u, truth);
        if (cost > most) return true;
        for (uint32_t w = shortest_warmup(s); w < count_lengths(truth); w++)
            if (!rounds_append(&s->r, u, warmup_length[w], e)) return false;
        s->r.taken[h]++;
    }
    return true;
}

/* A single interval says little about others, so the run from the launch's beginning needs a budget
 * for two pilots. */
static bool truth_affordable(struct sampling *s)
{
    uint64_t cost = 0, most = pilot_budget(s);
    uint32_t stratum[2], n = 0;
    for (; n < 2 && next_pilot(s, &stratum[n]); n++) {
        uint32_t h = stratum[n];
        cost += pilot_cost(s, rounds_unit(&s->r, h, s->r.taken[h]++), true);
    }
    for (uint32_t i = 0; i < n; i++)
        s->r.taken[stratum[i]]--;
    return n == 2 && cost <= most;
}

/* Keeps of each pilot, as an observation, only the run with the longest warm-up. */
static void keep_longest(struct sampling *s, uint32_t pilots, uint32_t runs)
{
    for (uint32_t i = 0; i < pilots; i++)
        s->r.run[i] = s->r.run[i * runs + runs - 1];
    s->r.runs = pilots;
}

/* Reads each pilot's cycles after each of `runs` lengths, and cycles per access to the L1s; false:
 * a pilot made no access. */
static bool read_pilots(const struct sampling *s, uint32_t pilots, uint32_t runs,
                        double (*cycles)[WARMUPS + 1], double (*work)[WARMUPS + 1])
{
    bool working = s->pop.accesses.total > 0;
    for (uint32_t i = 0; i < pilots * runs; i++) {
        const struct metrics *m = &s->r.run[i].m;
        double accesses = extrapolate_accesses(m);
        uint32_t length = shortest_warmup(s) + i % runs;
        cycles[i / runs][length] = m->v[M_cycles];
        work[i / runs][length] = m->v[M_cycles] / accesses;
        working = working && accesses > 0;
    }
    return working;
}

/* After a short warm-up intervals may do other work than they would in the whole run.  If the
 * program's accesses are known, the error is measured in cycles per access, which removes this
 * part. */
static void settle_warmup(struct sampling *s, uint32_t pilots, bool truth)
{
    typedef const double(*table)[WARMUPS + 1];
    double cycles[PILOTS][WARMUPS + 1], work[PILOTS][WARMUPS + 1];
    uint32_t first = shortest_warmup(s);
    bool working = read_pilots(s, pilots, count_lengths(truth) - first, cycles, work);
    struct warmup_choice c = warmup_choose((table)cycles, pilots, first, truth, s->o->error), w = c;
    if (working) w = warmup_choose((table)work, pilots, first, truth, s->o->error);
    s->warmup = w.index;
    rounds_set_warmup(&s->r, warmup_length[s->warmup]);
    sampling_bear_warmup(s);
    while (s->warmup > first && s->r.spent + rounds_least_cost(&s->r) > s->r.budget)
        rounds_set_warmup(&s->r, warmup_length[--s->warmup]);
    s->r.doubt.cycles = fmax(s->r.doubt.placing, warmup_doubt(&c, s->warmup));
    s->r.doubt.work = fmax(s->r.doubt.placing, warmup_doubt(&w, s->warmup));
}

/* The systematic errors are stated at 95 % confidence. */
static void state_doubt(struct sampling *s)
{
    struct systematic_error *d = &s->r.doubt;
    d->placing = stratified_half_width_at(d->placing, s->o->confidence);
    d->cycles = stratified_half_width_at(d->cycles, s->o->confidence);
    d->work = stratified_half_width_at(d->work, s->o->confidence);
}

bool sampling_run_pilots(struct sampling *s, struct error *e)
{
    uint32_t pilots, h;
    bool wanted = next_pilot(s, &h);
    uint64_t cost = wanted ? pilot_cost(s, rounds_unit(&s->r, h, s->r.taken[h]), false) : 0;
    double placed = s->is_long ? PLACED_LONG_ERROR : PLACED_ERROR;
    s->r.doubt.placing = wanted ? placed : PLACING_ERROR;
    s->r.doubt.cycles = s->r.doubt.work = wanted ? UNMEASURED_ERROR : PLACING_ERROR;
    s->pilot_budget = cost ? budget_for(s, cost) : 0;
    bool truth = truth_affordable(s);
    if (!append_pilots(s, truth, &pilots, e) || !rounds_run_from(&s->r, 0, e)) return false;
    if (pilots) {
        s->pilot_budget = 0;
        settle_warmup(s, pilots, truth);
    }
    state_doubt(s);
    keep_longest(s, pilots, count_lengths(truth) - shortest_warmup(s));
    return true;
}

bool sampling_pilots_affordable(const struct sampling *s)
{
    uint32_t h;
    if (rounds_least_cost(&s->r) > s->r.budget) return false;
    return !next_pilot(s, &h) ||
           pilot_cost(s, rounds_unit(&s->r, h, s->r.taken[h]), false) <= pilot_budget(s);
}
