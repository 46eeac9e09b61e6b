/* register_file_model.c - see register_file_model.h. */
#include "estimator/registers/register_file_model.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"

#include <math.h>
#include <string.h>

/* The numbers that registers of a launch are counted by. */
static uint32_t numbers(const struct register_layout *l)
{
    return l->registers < REGISTER_NUMBERS ? l->registers : REGISTER_NUMBERS;
}

static struct register_place place_of(const struct register_layout *l, uint32_t warp, uint32_t reg)
{
    return register_layout_place(l, warp / l->subcores, warp % l->subcores, reg);
}

void register_spread_find(struct register_spread *s, const struct register_layout *l,
                          const struct register_use *u, uint32_t banks, uint32_t warps)
{
    double all = 0;
    memset(s, 0, sizeof *s);
    for (uint32_t w = 0; w < warps; w++)
        for (uint32_t r = 0; r < numbers(l); r++) {
            s->bank[place_of(l, w, r).bank] += u->accessed[r];
            all += u->accessed[r];
        }
    for (uint32_t b = 0; b < banks; b++) {
        s->bank[b] = all > 0 ? s->bank[b] / all : 1.0 / banks;
        s->same += s->bank[b] * s->bank[b];
        s->most = math_larger(s->most, s->bank[b]);
    }
}

static void finish_shifts(struct register_shifts *s)
{
    double all = 0;
    for (uint32_t d = 0; d < REGISTER_MAX_SEGMENT; d++)
        all += s->chance[d];
    if (all <= 0) s->chance[0] = all = 1;
    s->mean = s->square = 0;
    for (uint32_t d = 0; d < REGISTER_MAX_SEGMENT; d++) {
        s->chance[d] /= all;
        s->mean += d * s->chance[d];
        s->square += (double)d * d * s->chance[d];
    }
}

/* How often each bit of each bank is accessed. */
struct bits {
    double at[REGISTER_MAX_BANKS][REGISTER_MAX_SEGMENT];
};

static void add_distances(struct register_shifts *s, const double *at, uint32_t segment)
{
    double all = 0, sum[REGISTER_MAX_SEGMENT] = {0};
    for (uint32_t i = 0; i < segment; i++) {
        all += at[i];
        if (at[i] <= 0) continue;
        sum[0] += at[i] * at[i];
        for (uint32_t j = i + 1; j < segment; j++)
            sum[j - i] += 2 * at[i] * at[j];
    }
    for (uint32_t d = 0; all > 0 && d < segment; d++)
        s->chance[d] += sum[d] / all;
}

void register_shifts_find(struct register_shifts *s, const struct register_layout *l,
                          const struct register_use *u, uint32_t warps, uint32_t window)
{
    enum { STARTS = 8 };
    uint32_t starts = window >= warps ? 1 : warps < STARTS ? warps : STARTS;
    *s = (struct register_shifts){0};
    for (uint32_t k = 0; l->segment > 1 && k < starts; k++) {
        struct bits b;
        memset(&b, 0, sizeof b);
        for (uint32_t i = 0; i < window; i++)
            for (uint32_t r = 0; r < numbers(l); r++) {
                struct register_place p = place_of(l, (k * warps / starts + i) % warps, r);
                b.at[p.bank][p.bit] += u->accessed[r];
            }
        for (uint32_t i = 0; i < l->banks * l->shares; i++)
            add_distances(s, b.at[i], l->segment);
    }
    finish_shifts(s);
}

void register_shifts_chosen(struct register_shifts *s, const struct register_shifts *any,
                            double operands, double ready)
{
    double o = math_larger(1, operands), n = math_larger(1, ready), below = 0, left = 1;
    *s = (struct register_shifts){0};
    for (uint32_t m = 0; m < REGISTER_MAX_SEGMENT && below < 1; m++) {
        double within = math_smaller(1, below + any->chance[m]);
        double farther = within >= 1 - 1e-12 ? 0 : pow(1 - pow(within, o), n);
        double least = left - farther; /* chance that m is the least of the farthest */
        s->chance[m] += least / o;
        for (uint32_t d = 0; within > 0 && d <= m; d++)
            s->chance[d] += least * (1 - 1 / o) * any->chance[d] / within;
        below = within;
        left = farther;
    }
    finish_shifts(s);
}

double register_shifts_whole(const struct register_shifts *s, double operands, uint32_t cycles,
                             uint32_t ratio)
{
    double sum = 0, below = 0, before = 0;
    for (uint32_t d = 0; d < REGISTER_MAX_SEGMENT; d++) {
        double within = math_smaller(1, below + s->chance[d]), at = pow(within, operands);
        sum += (at - before) * ((d + cycles + ratio - 1) / ratio);
        below = within;
        before = at;
    }
    return sum;
}

void register_waits_find(struct register_waits *w, const struct register_spread *s,
                         const struct register_load *l)
{
    double all = l->reads + l->writes;
    double left = (l->reads * l->read2 + l->writes * l->write2) / 2;
    double own = math_larger(0, l->operands - 1) / 2 * s->same;
    *w = (struct register_waits){.read = own * l->read};
    for (uint32_t b = 0; b < REGISTER_MAX_BANKS && all > 0; b++) {
        double share = s->bank[b], n = l->most * share, f = n / (n + 1);
        double reads = math_smaller(1, share * l->reads * l->read);
        double busy = math_smaller(1, reads + share * l->writes * l->write);
        double read = share * left * f / (1 - f * reads);
        w->read += share * read;
        w->write += share * read / (1 - f * busy);
        w->met += share * math_smaller(1, busy + (1 - busy) * own);
    }
}

/* The chance that fewer than n come where `mean` are expected, for an n that need not be whole. */
static double fewer_than(double n, double mean)
{
    double term = exp(-mean), sum = 0, left = n;
    for (uint32_t k = 1; left > 0; k++) {
        sum += term * math_smaller(1, left);
        left -= 1;
        term *= mean / k;
    }
    return math_smaller(1, sum);
}

double register_buffer_full(double ways, double asked)
{
    double full = 1;
    for (uint32_t k = 1; k <= ways; k++)
        full = asked * full / (k + asked * full);
    return full;
}

/* The chance that a result is in the write buffer when its warp is `apart` instructions on. */
static double buffered(const struct register_front *f, double apart, double latency)
{
    double cycles = math_larger(apart * f->gap, latency), ready = cycles - latency;
    return (1 - f->idle) * exp(-f->passes * ready - f->wait * apart) *
           fewer_than(f->ways, f->newer * cycles);
}

void register_buffer_keeps(struct register_kept *k, const struct register_use *u,
                           const struct register_front *f)
{
    *k = (struct register_kept){0};
    for (uint32_t d = 1; d < REGISTER_APART; d++) {
        double made = buffered(f, d, f->latency);
        k->reads += u->made_before[d] * made + u->loaded_before[d] * buffered(f, d, 0);
        k->voided += u->written_before[d] * made;
    }
}

void register_cache_keeps(struct register_kept *k, const struct register_use *u,
                          const struct register_front *f)
{
    *k = (struct register_kept){0};
    for (uint32_t d = 1; d < REGISTER_APART; d++) {
        double newer = f->per_inst * (d - 1);
        double kept = math_larger(0, math_smaller(1, f->ways - newer)) * exp(-f->wait * d);
        k->reads += u->made_before[d] * kept;
        k->voided += u->written_before[d] * kept;
    }
}
