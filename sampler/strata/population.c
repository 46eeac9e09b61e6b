/* population.c - see population.h. */
#include "sampler/strata/population.h"

#include "base/memory/alloc.h"
#include "sampler/constants.h"
#include "sampler/strata/launch_clusters.h"

#include <math.h>

const char *const unit_kind_name[UNIT_KINDS] = {
    [UNIT_WHOLE] = "whole", [UNIT_RAMP] = "ramp", [UNIT_STEADY] = "steady", [UNIT_TAIL] = "tail"};

/* A launch must give a ramp, a tail and at least two steady intervals, else it is one unit. */
static uint32_t intervals_of(const struct population *p, const struct launch_size *s)
{
    double length = fmax((double)p->per_warp * s->resident, (double)s->least);
    double n = round((double)s->instructions / length);
    return n < INTERVALS_LEAST ? 1 : (uint32_t)fmin(n, 1e6);
}

static uint32_t count_units(const struct population *p, const struct launch_size *size,
                            uint32_t launches)
{
    uint64_t n = 0;
    for (uint32_t l = 0; l < launches; l++)
        if (size[l].instructions) n += intervals_of(p, &size[l]);
    return (uint32_t)n;
}

static bool all_whole(const struct population *p, const struct launch_size *size, uint32_t launches)
{
    for (uint32_t l = 0; l < launches; l++)
        if (size[l].instructions && intervals_of(p, &size[l]) > 1) return false;
    return true;
}

/* Many short launches are best taken whole: they need no warm-up and have no placement error. */
static void choose_length(struct population *p, const struct launch_size *size, uint32_t launches,
                          const struct population_opts *o)
{
    p->per_warp = o->per_warp;
    if (all_whole(p, size, launches) && count_units(p, size, launches) >= o->min_whole) return;
    while (p->per_warp > o->min_per_warp && count_units(p, size, launches) < o->min_units) {
        uint32_t shorter = (uint32_t)(INTERVAL_SHRINKS * p->per_warp);
        p->per_warp = shorter > o->min_per_warp ? shorter : o->min_per_warp;
    }
}

/* The effective number of launches with a drain: n if their drains are equal, fewer if some weigh
 * more. The random error of their sum is that of so many equal ones. */
static double count_drains(const struct population *p, const struct launch_size *size,
                           uint32_t launches)
{
    double sum = 0, square = 0;
    for (uint32_t l = 0; l < launches; l++) {
        double drain =
            size[l].instructions && intervals_of(p, &size[l]) > 1 ? (double)size[l].drain : 0;
        sum += drain;
        square += drain * drain;
    }
    return square > 0 ? sum * sum / square : 0;
}

static enum unit_kind kind_of(uint32_t i, uint32_t n, bool truncated)
{
    if (n == 1) return UNIT_WHOLE;
    if (i == 0) return UNIT_RAMP;
    return i == n - 1 && !truncated ? UNIT_TAIL : UNIT_STEADY;
}

static uint64_t cut_at(uint64_t instructions, uint32_t i, uint32_t n)
{
    return instructions / n * i + instructions % n * i / n;
}

/* The share of the launch's cycles before a position, both 0..1. */
static double course_until(const struct launch_course *c, double position)
{
    double access = 0, cycles = 0;
    for (uint32_t i = 0; i < c->parts; i++) {
        if (position < access + c->access[i])
            return cycles + c->cycles[i] * (position - access) / c->access[i];
        access += c->access[i];
        cycles += c->cycles[i];
    }
    return c->parts ? 1 : position;
}

/* Estimated cycles between two positions, in instructions; over the covered part they add up to
 * s->cycles. */
static double estimated_between(const struct launch_size *s, uint64_t begin, uint64_t end)
{
    double covered = s->covered > 0 ? s->covered : 1, n = (double)s->instructions;
    double from = course_until(&s->course, covered * (double)begin / n);
    double to = course_until(&s->course, covered * (double)end / n);
    return s->cycles * (to - from) / course_until(&s->course, covered);
}

/* u has room for intervals_of(p, s) units. */
static uint32_t cut_launch(const struct population *p, struct sample_unit *u,
                           const struct launch_size *s, uint32_t launch)
{
    uint32_t n = intervals_of(p, s);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t begin = cut_at(s->instructions, i, n), end = cut_at(s->instructions, i + 1, n);
        u[i] = (struct sample_unit){.launch = launch,
                                    .kind = kind_of(i, n, s->truncated),
                                    .begin = begin,
                                    .length = end - begin,
                                    .to_end = i == n - 1 && !s->truncated,
                                    .drains = n > 1 && end > s->instructions - s->drain,
                                    .x = estimated_between(s, begin, end)};
    }
    return n;
}

uint64_t sample_unit_warmup(const struct sample_unit *u, const struct launch_size *size,
                            uint32_t per_warp)
{
    uint64_t asked = (uint64_t)per_warp * size[u->launch].resident;
    return asked < u->begin ? asked : u->begin;
}

/* The program's first launch finds empty caches, so that its units are apart from those of launches
 * like it; if it is long, only its first one. */
static uint32_t group_of(const struct population *p, const struct sample_unit *u,
                         const struct launch_size *size)
{
    bool alone = u->launch == p->first && (u->kind == UNIT_RAMP || u->kind == UNIT_WHOLE ||
                                           intervals_of(p, &size[u->launch]) < WARM_FROM);
    return alone ? p->groups - 1 : p->group[u->launch];
}

/* Numbers the strata that have units, in order of first unit.  number[groups * UNIT_KINDS] is
 * workspace. */
static void assign_strata(struct population *p, const struct launch_size *size, uint32_t *number)
{
    for (uint32_t i = 0; i < p->groups * UNIT_KINDS; i++)
        number[i] = UINT32_MAX;
    p->strata = 0;
    for (uint32_t i = 0; i < p->units; i++) {
        struct sample_unit *u = &p->unit[i];
        uint32_t *n = &number[group_of(p, u, size) * UNIT_KINDS + (uint32_t)u->kind];
        if (*n == UINT32_MAX) *n = p->strata++;
        u->stratum = *n;
    }
}

uint64_t population_pilot_cost(const struct population *p, uint32_t strata,
                               const struct launch_size *size, uint32_t warmup)
{
    uint64_t cost = 0;
    uint32_t *seen = mem_new(strata + 1, sizeof(*seen));
    for (uint32_t i = 0; seen && i < p->units; i++) {
        const struct sample_unit *u = &p->unit[i];
        if (seen[u->stratum]++ < 2) cost += u->length + sample_unit_warmup(u, size, warmup);
    }
    cost = seen ? cost : UINT64_MAX;
    mem_free(seen);
    return cost;
}

bool population_bears(const struct population *p, uint32_t strata, const struct launch_size *size,
                      const struct population_opts *o, uint64_t least)
{
    uint64_t bound = p->units ? o->pilot_units * (p->instructions / p->units) : 0;
    if (bound < o->pilot_budget) bound = o->pilot_budget;
    if (bound < least) bound = least;
    return population_pilot_cost(p, strata, size, o->warmup_per_warp) <= bound;
}

struct grouping {
    const double *features;
    uint32_t width;
    bool *selected;
    uint32_t *leader, *number;
};

static uint32_t first_launch(const bool *selected, uint32_t launches)
{
    uint32_t first = 0;
    while (first < launches && !selected[first])
        first++;
    return first;
}

/* Tries from fine to coarse groups until two units of each stratum fit into the pilot budget.  The
 * last group is the first launch's own. */
static void stratify_units(struct population *p, const struct launch_size *size, uint32_t launches,
                           struct grouping *g, const struct population_opts *o)
{
    static const double tolerance[] = {0.1, 0.2, 0.4, 2};
    enum { STEPS = sizeof(tolerance) / sizeof(tolerance[0]) };
    p->first = first_launch(g->selected, launches);
    for (uint32_t step = 0; step < STEPS; step++) {
        p->groups = 1 + launch_clusters_find(g->features, g->width, g->selected, launches,
                                             tolerance[step], p->group, g->leader);
        assign_strata(p, size, g->number);
        if (population_bears(p, p->strata, size, o, 0)) return;
    }
}

static bool allocate_units(struct population *p, struct grouping *g, uint32_t launches)
{
    uint32_t room = p->units > launches ? p->units : launches;
    p->unit = mem_new(p->units, sizeof(*p->unit));
    p->group = mem_new(launches, sizeof(*p->group));
    g->selected = mem_new(launches, sizeof(*g->selected));
    g->leader = mem_new(room, sizeof(*g->leader));
    g->number = mem_new(((size_t)launches + 1) * UNIT_KINDS, sizeof(*g->number));
    return p->unit && p->group && g->selected && g->leader && g->number;
}

bool population_build(struct population *p, const struct launch_size *size, uint32_t launches,
                      const double *features, uint32_t width, const struct population_opts *o,
                      struct error *e)
{
    *p = (struct population){0};
    choose_length(p, size, launches, o);
    p->units = count_units(p, size, launches);
    p->drains = count_drains(p, size, launches);
    struct grouping g = {.features = features, .width = width};
    bool ok = allocate_units(p, &g, launches);
    for (uint32_t l = 0, at = 0; ok && l < launches; l++) {
        g.selected[l] = size[l].instructions > 0;
        if (g.selected[l]) at += cut_launch(p, p->unit + at, &size[l], l);
        p->instructions += size[l].instructions;
    }
    if (ok) stratify_units(p, size, launches, &g, o);
    mem_free(g.selected);
    mem_free(g.leader);
    mem_free(g.number);
    return ok || error_no_memory(e);
}

void population_fini(struct population *p)
{
    mem_free(p->unit);
    mem_free(p->group);
    *p = (struct population){0};
}
