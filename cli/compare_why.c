/* compare_why.c - see compare_why.h. */
#include "cli/compare_why.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REASONS = 4 };

struct reason {
    double weight;
    char text[200];
};

static void add_reason(struct reason *list, double weight, const char *text)
{
    struct reason r = {.weight = fabs(weight)};
    snprintf(r.text, sizeof r.text, "%s", text);
    for (int i = 0; i < REASONS; i++) {
        if (r.weight <= list[i].weight) continue;
        struct reason pushed = list[i];
        list[i] = r;
        r = pushed;
    }
}

/* What the stations hold up: the share of the cycles that an infinitely fast one would save. */
static void station_reasons(struct reason *list, const struct answer *a, const struct answer *b)
{
    char text[200];
    for (uint32_t i = 0; i < a->x.n; i++) {
        for (uint32_t k = 0; k < b->x.n; k++) {
            const struct station *s = &a->x.station[i], *t = &b->x.station[k];
            if (strcmp(s->name, t->name) != 0) continue;
            double held = s->gain, holds = t->gain;
            if (fabs(holds - held) < 0.01) continue;
            snprintf(text, sizeof text,
                     "%s holds up %.1f %% of the cycles instead of %.1f %% (busy %.1f %% -> %.1f "
                     "%%, %.0f -> "
                     "%.0f cycles a visit)",
                     s->name, 100 * holds, 100 * held, 100 * s->utilization, 100 * t->utilization,
                     s->latency, t->latency);
            add_reason(list, holds - held, text);
        }
    }
}

static void share_reasons(struct reason *list, const struct metrics *a, const struct metrics *b)
{
    static const struct {
        const char *key, *says;
    } shares[] = {
        {"l1.hit_rate", "L1 hit rate"},
        {"l2.hit_rate", "L2 hit rate"},
        {"dram.row_hit_rate", "DRAM row hit rate"},
        {"dram.utilization", "DRAM utilization"},
        {"stalls.memory", "issue slots lost to loads in flight"},
        {"stalls.compute", "issue slots lost to busy units"},
        {"stalls.barrier", "issue slots lost at barriers"},
        {"stalls.mshr", "issue slots lost for want of an MSHR or a line"},
        {"stalls.noc", "issue slots lost to the network"},
    };
    char text[200];
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        double x, y;
        if (!metrics_value(a, shares[i].key, &x) || !metrics_value(b, shares[i].key, &y)) continue;
        if (fabs(y - x) < 0.01) continue;
        snprintf(text, sizeof text, "%s: %.1f %% -> %.1f %%", shares[i].says, 100 * x, 100 * y);
        add_reason(list, y - x, text);
    }
}

static bool names(const struct explanation *x, const char *path)
{
    for (uint32_t i = 0; i < x->n_not_modelled; i++)
        if (strcmp(x->not_modelled[i], path) == 0) return true;
    return false;
}

/* A difference may lie in what an estimate does not see. */
static void say_not_modelled(struct text *out, const struct explanation *a,
                             const struct explanation *b)
{
    for (uint32_t k = 0; k < 2; k++) {
        const struct explanation *x = k ? b : a;
        for (uint32_t i = 0; i < x->n_not_modelled; i++) {
            bool both = names(k ? a : b, x->not_modelled[i]);
            if (k && both) continue;
            text_add(out, "  estimates do not answer for %s, of %s\n", x->not_modelled[i],
                     both ? "both"
                     : k  ? "B"
                          : "A");
        }
    }
}

void compare_say_why(struct text *out, const struct answer *a, const struct answer *b)
{
    struct reason list[REASONS] = {0};
    double first, second; /* times: the machines' clocks may differ */
    if (!metrics_value(&a->m, "time_us", &first) || !metrics_value(&b->m, "time_us", &second))
        return;
    double ratio = second / first;
    if (fabs(ratio - 1) < 0.005)
        text_add(out, "\n  B takes as long as A (within 0.5 %%)\n");
    else
        text_add(out, "\n  B is %.2f times as %s as A\n", ratio < 1 ? 1 / ratio : ratio,
                 ratio < 1 ? "fast" : "slow");
    if (b->paired.known)
        text_add(
            out,
            "  cycles of B over A: %.4f \u00b1 %.4f on the same intervals (each by itself: \u00b1 "
            "%.4f)\n",
            b->paired.ratio, b->paired.half_width, b->paired.apart);
    station_reasons(list, a, b);
    share_reasons(list, &a->m, &b->m);
    for (int i = 0; i < REASONS && list[i].weight > 0; i++)
        text_add(out, "  - %s\n", list[i].text);
    if (a->x.bottleneck && b->x.bottleneck && strcmp(a->x.bottleneck, b->x.bottleneck) != 0)
        text_add(out, "  - the bottleneck moves from %s to %s\n", a->x.bottleneck, b->x.bottleneck);
    say_not_modelled(out, &a->x, &b->x);
}
