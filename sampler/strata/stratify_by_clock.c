/* stratify_by_clock.c - cuts strata where the functional pass's clock separates their units; see
 * population.h.
 *
 * Replacing one stratum by two saves N S - N1 S1 - N2 S2 (S: standard deviation of the clock's
 * cycles), because the sum of N S over all strata determines how many units the best allocation
 * needs.  The cut that saves most comes first. */
#include "sampler/strata/population.h"

#include "base/memory/alloc.h"
#include "sampler/constants.h"

#include <math.h>
#include <stdlib.h>

struct timed_unit {
    uint32_t stratum, unit;
    double cycles;
};

/* The units of one stratum, sorted by cycles; its best cut, and the saving. */
struct segment {
    uint32_t from, n, cut;
    double saves;
};

static int by_cycles(const void *a, const void *b)
{
    const struct timed_unit *x = a, *y = b;
    if (x->stratum != y->stratum) return x->stratum < y->stratum ? -1 : 1;
    if (x->cycles != y->cycles) return x->cycles < y->cycles ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* N S of n units with that sum and that sum of squares. */
static double spread_of(uint32_t n, double sum, double square)
{
    double variance = n > 1 ? (square - sum * sum / n) / (n - 1) : 0;
    return variance > 0 ? n * sqrt(variance) : 0;
}

static void find_cut(struct segment *s, const struct timed_unit *u)
{
    double sum = 0, square = 0, low = 0, low_square = 0;
    /* squares about the middle keep their precision */
    double middle = u[s->from + s->n / 2].cycles;
    for (uint32_t i = 0; i < s->n; i++) {
        double d = u[s->from + i].cycles - middle;
        sum += d;
        square += d * d;
    }
    double whole = spread_of(s->n, sum, square);
    s->saves = 0;
    for (uint32_t i = 0; i + 1 < s->n; i++) {
        double d = u[s->from + i].cycles - middle;
        low += d;
        low_square += d * d;
        double apart = spread_of(i + 1, low, low_square) +
                       spread_of(s->n - i - 1, sum - low, square - low_square);
        if (whole - apart <= s->saves) continue;
        s->saves = whole - apart;
        s->cut = i + 1;
    }
}

static void name_units(struct population *p, const struct timed_unit *u, const struct segment *s,
                       uint32_t stratum)
{
    for (uint32_t i = 0; i < s->n; i++)
        p->unit[u[s->from + i].unit].stratum = stratum;
}

/* Cuts segment h in two, unless the first two units of every stratum would then cost more than
 * `least` and than the options allow. */
static void cut_segment(struct population *p, const struct timed_unit *u, struct segment *s,
                        uint32_t h, const struct launch_size *size, const struct population_opts *o,
                        uint64_t budget)
{
    struct segment whole = s[h], high = {whole.from + whole.cut, whole.n - whole.cut, 0, 0};
    s[h].saves = 0;
    name_units(p, u, &high, p->strata);
    if (!population_bears(p, p->strata + 1, size, o, budget)) {
        name_units(p, u, &high, h);
        return;
    }
    s[h].n = whole.cut;
    s[p->strata] = high;
    find_cut(&s[h], u);
    find_cut(&s[p->strata++], u);
}

bool population_refine(struct population *p, const struct launch_size *size,
                       const struct population_opts *o, struct error *e)
{
    struct timed_unit *u = mem_new(p->units, sizeof *u);
    struct segment *s = mem_new(p->units + 1, sizeof *s);
    double all = 0;
    bool ok = (u && s) || error_no_memory(e);
    for (uint32_t i = 0; ok && i < p->units; i++) {
        u[i] = (struct timed_unit){p->unit[i].stratum, i, p->unit[i].pass};
        all += u[i].cycles;
        s[u[i].stratum].n++;
    }
    if (ok) qsort(u, p->units, sizeof *u, by_cycles);
    for (uint32_t h = 0, from = 0; ok && h < p->strata; from += s[h++].n) {
        s[h].from = from;
        find_cut(&s[h], u);
    }
    for (bool more = ok; more && p->strata < p->units;) {
        uint32_t best = 0;
        for (uint32_t h = 1; h < p->strata; h++)
            if (s[h].saves > s[best].saves) best = h;
        more = s[best].saves > CUT_WORTH * all;
        uint64_t budget = o->refined_budget;
        if (s[best].saves > DEAR_CUT_WORTH * all && o->dear_budget > budget)
            budget = o->dear_budget;
        if (more) cut_segment(p, u, s, best, size, o, budget);
    }
    mem_free(u);
    mem_free(s);
    return ok;
}
