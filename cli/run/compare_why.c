/* compare_why.c - see compare_why.h. */
#include "cli/run/compare_why.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/constants.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "engine/difference.h"
#include "gpu/machine/machine.h"
#include "gpu/mechanisms/mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANGES = 4, QUEUES = 3 };

/* --- the parameters changed ------------------------------------------------------------------- */

/* Returns how many of the machines' parameters differ; names the first few. */
static uint32_t add_changes(struct text *out, const struct compared *c)
{
    uint32_t n, changed = 0;
    char **paths = machine_paths(&n);
    out->failed |= !paths;
    for (uint32_t i = 0; paths && i < n; i++) {
        struct text a = {0}, b = {0};
        const struct param *p = machine_find_param(paths[i], NULL, NULL);
        bool differs = p && p->type != PARAM_FRAGMENT &&
                       machine_get_bare(c->machine[0], paths[i], &a) &&
                       machine_get_bare(c->machine[1], paths[i], &b) &&
                       strcmp(text_str(&a), text_str(&b)) != 0;
        if (differs && changed++ < CHANGES)
            text_add_shown(out, "%s%s %s -> %s", changed > 1 ? ", " : "", paths[i], text_str(&a),
                           text_str(&b));
        text_fini(&a);
        text_fini(&b);
    }
    mem_free(paths);
    return changed;
}

static void say_change(struct text *out, const struct compared *c)
{
    struct text list = {0};
    uint32_t n = add_changes(&list, c);
    const char *a = c->answer[0]->kernel_chosen, *b = c->answer[1]->kernel_chosen;
    bool chooses = strcmp(a, b) != 0;
    if (n || chooses) text_add_shown(out, "  change: %s", text_str(&list));
    if (n > CHANGES) text_add(out, " and %u more ('plumb machine diff' lists them)", n - CHANGES);
    if (chooses) text_add_shown(out, "%skernel: %s -> %s", n ? "; " : "", a, b);
    if (n || chooses) text_add(out, "\n");
    text_fini(&list);
}

/* --- the parts of the difference -------------------------------------------------------------- */

/* Begins "  traffic: 98.1 % of the difference"; false: the parts are unknown. */
static bool start_part(struct text *out, const struct difference *d, enum difference_kind kind)
{
    if (!d->known || fabs(d->time - 1) < WHY_TIME) return false;
    double share = 100 * d->part[kind] / (d->time - 1);
    text_add_shown(out, "  %s: %.1f %% of the difference", difference_name[kind],
                   fabs(share) < 0.05 ? 0 : share);
    return true;
}

static void add_share(struct text *out, const struct compared *c, const char *key, const char *says)
{
    double x, y;
    if (!metrics_value(&c->answer[0]->m, key, &x) || !metrics_value(&c->answer[1]->m, key, &y))
        return;
    if (fabs(y - x) < WHY_SHARE) return;
    text_add_shown(out, "%s%s %.1f %% -> %.1f %%", out->len ? ", " : "", says, 100 * x, 100 * y);
}

static void add_count(struct text *out, const struct compared *c, const char *key, const char *says)
{
    double x, y;
    char before[NUMBER_MAX], after[NUMBER_MAX];
    if (!metrics_value(&c->answer[0]->m, key, &x) || !metrics_value(&c->answer[1]->m, key, &y))
        return;
    if (fabs(y - x) <= WHY_COUNT * fmax(x, y)) return;
    table_number_text(x, metrics_unit(key), before);
    table_number_text(y, metrics_unit(key), after);
    text_add_shown(out, "%s%s %s -> %s", out->len ? ", " : "", says, before, after);
}

static void say_facts(struct text *out, const char *head, bool started, const struct text *facts)
{
    if (facts->len) text_add_shown(out, "%s%s", started ? ": " : head, text_str(facts));
    if (facts->len || started) text_add(out, "\n");
}

static void say_traffic(struct text *out, const struct compared *c)
{
    struct text facts = {0};
    bool started = start_part(out, &c->answer[1]->difference, DIFFERENCE_TRAFFIC);
    add_share(&facts, c, "l1.hit_rate", "L1 hits");
    add_share(&facts, c, "l2.hit_rate", "L2 hits");
    add_count(&facts, c, "dram.reads", "DRAM reads");
    add_count(&facts, c, "dram.writes", "writes");
    say_facts(out, "  traffic: ", started, &facts);
    text_fini(&facts);
}

static void say_service(struct text *out, const struct compared *c)
{
    struct text facts = {0};
    bool started = start_part(out, &c->answer[1]->difference, DIFFERENCE_SERVICE);
    add_share(&facts, c, "dram.row_hit_rate", "DRAM row hits");
    say_facts(out, "  service: ", started, &facts);
    text_fini(&facts);
}

/* --- queues ------------------------------------------------------------------------------------
 */

struct moved {
    double by;
    char text[160];
};

static void keep_largest(struct moved *list, double by, const char *text)
{
    struct moved m = {.by = fabs(by)};
    snprintf(m.text, sizeof m.text, "%s", text);
    for (int i = 0; i < QUEUES; i++) {
        if (m.by <= list[i].by) continue;
        struct moved pushed = list[i];
        list[i] = m;
        m = pushed;
    }
}

/* Lists the change of each station's share of the closed network's customers. */
static void moved_stations(struct moved *list, const struct compared *c)
{
    const struct explanation *a = &c->answer[0]->x, *b = &c->answer[1]->x;
    char text[160];
    for (uint32_t i = 0; i < a->n && i < b->n; i++) {
        const struct station *s = &a->station[i], *t = &b->station[i];
        double by = (t->latency - s->latency) / fmax(1, fmax(t->latency, s->latency));
        by *= fabs(t->utilization - s->utilization);
        if (fabs(by) < WHY_SHARE) continue;
        snprintf(text, sizeof text, "%s %.0f -> %.0f cycles a visit (busy %.1f %% -> %.1f %%)",
                 t->name, s->latency, t->latency, 100 * s->utilization, 100 * t->utilization);
        keep_largest(list, by, text);
    }
}

static void moved_roots(struct moved *list, const struct compared *c)
{
    static const char prefix[] = "stall_roots.";
    const char *key;
    char text[160];
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        double x, y;
        if (strncmp(key, prefix, sizeof prefix - 1) != 0) continue;
        if (!metrics_value(&c->answer[0]->m, key, &x) || !metrics_value(&c->answer[1]->m, key, &y))
            continue;
        if (fabs(y - x) < WHY_SHARE) continue;
        snprintf(text, sizeof text, "waits at %s %.1f %% -> %.1f %% of the time",
                 key + sizeof prefix - 1, 100 * x, 100 * y);
        keep_largest(list, y - x, text);
    }
}

static void say_queues(struct text *out, const struct compared *c)
{
    struct moved list[QUEUES] = {0};
    const char *a = c->answer[0]->x.bottleneck, *b = c->answer[1]->x.bottleneck;
    bool moves = a && b && strcmp(a, b) != 0;
    moved_stations(list, c);
    moved_roots(list, c);
    for (int i = 0; i < QUEUES && list[i].by > 0; i++)
        text_add_shown(out, "%s%s", i ? "; " : "  queues: ", list[i].text);
    if (moves)
        text_add_shown(out, "%sthe bottleneck moves from %s to %s",
                       list[0].by > 0 ? "; " : "  queues: ", a, b);
    if (moves || list[0].by > 0) text_add(out, "\n");
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static bool names_parameter(const struct explanation *x, const char *path)
{
    for (uint32_t i = 0; i < x->n_not_modelled; i++)
        if (strcmp(x->not_modelled[i], path) == 0) return true;
    return false;
}

/* The difference may come from mechanisms that an estimate does not model. */
static void say_not_modelled(struct text *out, const struct explanation *a,
                             const struct explanation *b)
{
    for (uint32_t k = 0; k < 2; k++) {
        const struct explanation *x = k ? b : a;
        for (uint32_t i = 0; i < x->n_not_modelled; i++) {
            bool both = names_parameter(k ? a : b, x->not_modelled[i]);
            if (k && both) continue;
            text_add_shown(out, "  estimates do not answer for %s, of %s: %s\n", x->not_modelled[i],
                           both ? "both"
                           : k  ? "B"
                                : "A",
                           mechanism_reason(x->not_modelled[i]));
        }
    }
}

/* "(3.41 to 3.70 times at 95 % confidence)", of what the words before it say: of the time of A over
 * that of B where B is called the faster. */
static void say_ratio_range(struct text *out, const struct answer *a, const struct answer *b,
                            bool inverse)
{
    const struct answer_ratio *r = &b->ratio;
    bool estimated = a->engine == ENGINE_ESTIMATE && b->engine == ENGINE_ESTIMATE;
    if (!r->known) {
        if (estimated)
            text_add_shown(out, " (no range: %s has none)", a->has_confidence ? "B" : "A");
        return;
    }
    text_add_shown(out, " (%.3g to %.3g times%s at %.4g %% confidence)",
                   inverse ? 1 / r->high : r->low, inverse ? 1 / r->low : r->high,
                   fabs(r->value - 1) < WHY_TIME ? " its time" : "", 100 * b->level);
}

void compare_say_ratio(struct text *out, const struct compared *c)
{
    const struct answer *a = c->answer[0], *b = c->answer[1];
    if (!a->m.has[M_cycles] || !b->m.has[M_cycles]) return;
    double ratio = b->m.v[M_time_us] / a->m.v[M_time_us];
    bool same = fabs(ratio - 1) < WHY_TIME, faster = !same && ratio < 1;
    if (same)
        text_add(out, "  " STYLE_BOLD "B takes as long as A, within 0.5 %%" STYLE_END);
    else
        text_add(out, "  " STYLE_BOLD "B is %.2f times as %s as A" STYLE_END,
                 faster ? 1 / ratio : ratio, faster ? "fast" : "slow");
    say_ratio_range(out, a, b, faster);
    text_add(out, "\n");
    if (b->paired.known)
        text_add(
            out,
            "  cycles of B over A: %.4f \u00b1 %.4f on the same intervals (on intervals of their "
            "own: \u00b1 %.4f)\n",
            b->paired.ratio, b->paired.half_width, b->paired.apart);
    text_add(out, "\n");
}

void compare_say_why(struct text *out, const struct compared *c, bool all)
{
    const struct answer *a = c->answer[0], *b = c->answer[1];
    if (!a->m.has[M_cycles] || !b->m.has[M_cycles]) return;
    text_add(out, "\n");
    say_change(out, c);
    say_traffic(out, c);
    say_service(out, c);
    bool parts = start_part(out, &b->difference, DIFFERENCE_ENTRIES);
    if (parts) text_add(out, "\n");
    if (parts && all)
        text_add(out, "  (traffic: what the caches let through; service: how long a request takes; "
                      "entries: how much may be in flight)\n");
    say_queues(out, c);
    say_not_modelled(out, &a->x, &b->x);
}
