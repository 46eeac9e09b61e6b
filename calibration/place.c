/* place.c - see place.h. */
#include "calibration/place.h"

#include "gpu/machine/machine.h"
#include "gpu/machine/tables/parts.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

const char *const place_group_name[PLACE_GROUPS] = {[PLACE_SM] = "sm",
                                                    [PLACE_L1_SIZE] = "l1_size",
                                                    [PLACE_L1_TIME] = "l1_time",
                                                    [PLACE_L1_MSHR] = "l1_mshr",
                                                    [PLACE_L2_MSHR] = "l2_mshr",
                                                    [PLACE_L2_SIZE] = "l2_size",
                                                    [PLACE_L2_TIME] = "l2_time",
                                                    [PLACE_NOC] = "noc",
                                                    [PLACE_DRAM_WIDTH] = "dram_width",
                                                    [PLACE_DRAM_CLOCK] = "dram_clock",
                                                    [PLACE_DRAM_ORDER] = "dram_order",
                                                    [PLACE_OTHER] = "other",
                                                    [PLACE_CHOICE] = "choice",
                                                    [PLACE_MACHINE] = "machine",
                                                    [PLACE_USE] = "use",
                                                    [PLACE_TIME] = "time"};

/* The group of a number is that of the first row that its path begins with. */
static const struct group_of_path {
    const char *begin;
    enum place_group group;
} group_of_path[] = {{"sm.vmb_entries", PLACE_L1_MSHR},
                     {"sm.", PLACE_SM},
                     {"clock.core_mhz", PLACE_SM},
                     {"clock.noc_mhz", PLACE_NOC},
                     {"clock.l2_mhz", PLACE_L2_TIME},
                     {"l1.mshr", PLACE_L1_MSHR},
                     {"l1.latency", PLACE_L1_TIME},
                     {"l1.ports", PLACE_L1_TIME},
                     {"l1.banks", PLACE_L1_TIME},
                     {"l1.", PLACE_L1_SIZE},
                     {"l2.mshr", PLACE_L2_MSHR},
                     {"l2.latency", PLACE_L2_TIME},
                     {"l2.extra_latency", PLACE_L2_TIME},
                     {"l2.ports", PLACE_L2_TIME},
                     {"l2.", PLACE_L2_SIZE},
                     {"noc.", PLACE_NOC},
                     {"dram.channels", PLACE_DRAM_WIDTH},
                     {"dram.clock_mhz", PLACE_DRAM_CLOCK},
                     {"dram.bus", PLACE_DRAM_WIDTH},
                     {"dram.burst", PLACE_DRAM_WIDTH},
                     {"dram.", PLACE_DRAM_ORDER},
                     {"", PLACE_OTHER}};

/* --- the parameters --- */

struct place_axis {
    struct param_ref ref;
    enum place_group group;
};

static struct {
    struct place_axis axis[PLACE_PARAMS_MAX];
    uint32_t n;
} axes;
static pthread_once_t axes_once = PTHREAD_ONCE_INIT;

static enum place_group group_of(const struct param *p)
{
    uint32_t i = 0;
    if (p->type == PARAM_ENUM || p->type == PARAM_BOOL) return PLACE_CHOICE;
    while (strncmp(p->full_path, group_of_path[i].begin, strlen(group_of_path[i].begin)) != 0)
        i++;
    return group_of_path[i].group;
}

static bool takes_part(const struct param_ref *ref)
{
    static const char energy[] = "energy";
    enum param_type t = ref->param->type;
    return t != PARAM_TEXT && t != PARAM_LIST && t != PARAM_FRAGMENT &&
           strcmp(ref->part->name, energy) != 0;
}

static void find_axes(void)
{
    struct param_ref ref;
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        if (!takes_part(&ref)) continue;
        assert(axes.n < PLACE_PARAMS_MAX);
        axes.axis[axes.n++] = (struct place_axis){.ref = ref, .group = group_of(ref.param)};
    }
}

static const struct place_axis *axis_at(uint32_t i)
{
    pthread_once(&axes_once, find_axes);
    return i < axes.n ? &axes.axis[i] : NULL;
}

uint32_t place_params(void)
{
    pthread_once(&axes_once, find_axes);
    return axes.n;
}

const char *place_param_name(uint32_t i)
{
    const struct place_axis *a = axis_at(i);
    return a ? a->ref.param->full_path : NULL;
}

uint32_t place_param_index(const char *name)
{
    for (uint32_t i = 0; i < place_params(); i++)
        if (strcmp(axes.axis[i].ref.param->full_path, name) == 0) return i;
    return UINT32_MAX;
}

/* --- a place --- */

static double place_of_value(const struct place_axis *a, double v)
{
    return a->group == PLACE_CHOICE ? v : log1p(fmax(v, 0));
}

double place_value(uint32_t param, double at)
{
    return axis_at(param)->group == PLACE_CHOICE ? at : expm1(at);
}

const char *place_choice_name(uint32_t param, double at)
{
    const struct param *p = axis_at(param)->ref.param;
    if (p->type == PARAM_BOOL) return at != 0 ? "true" : "false";
    if (p->type != PARAM_ENUM) return NULL;
    for (const struct choice *c = p->choices; c->name; c++)
        if (c->value == at) return c->name;
    return NULL;
}

double place_of_number(uint32_t param, double value)
{
    return place_of_value(axis_at(param), value);
}

void place_of_machine(struct place *p, const struct machine *m)
{
    uint32_t n = place_params();
    for (uint32_t i = 0; i < n; i++) {
        const struct place_axis *a = &axes.axis[i];
        double v = 0;
        param_number(a->ref.param, param_ref_struct_const(&a->ref, m), &v);
        p->param[i] = place_of_value(a, v);
    }
}

static const char *choice_name(const struct param *p, double v)
{
    const struct choice *c = p->choices;
    while (c->name && c->value != v)
        c++;
    return c->name ? c->name : "";
}

/* As machine files have it. */
static void write_value(const struct param *p, double v, struct text *out)
{
    if (p->type == PARAM_BOOL)
        text_add(out, "%s", v != 0 ? "true" : "false");
    else if (p->type == PARAM_ENUM)
        text_add(out, "%s", choice_name(p, v));
    else
        text_add(out, p->type == PARAM_REAL ? "%.9g" : "%.0f", v);
}

static void set_value(const struct place_axis *a, double v, struct machine *m, struct errors *all)
{
    struct text value = {0}, why = {0};
    write_value(a->ref.param, v, &value);
    if (!param_from_text(a->ref.param, param_ref_struct(&a->ref, m), text_str(&value), &why))
        errors_add(all, "%s: %s", a->ref.param->full_path, text_str(&why));
    text_fini(&value);
    text_fini(&why);
}

bool place_to_machine(const struct place *p, struct machine *m, struct errors *all)
{
    static const double SAME = 1e-8;
    struct place own;
    uint32_t n = place_params(), faults = all->n;
    place_of_machine(&own, m);
    for (uint32_t i = 0; i < n; i++)
        if (fabs(p->param[i] - own.param[i]) > SAME)
            set_value(&axes.axis[i], place_value(i, p->param[i]), m, all);
    return all->n == faults && machine_set(m, NULL, 0, all);
}

static double value_of(const struct metrics *m, const char *key)
{
    double v;
    return metrics_value(m, key, &v) && isfinite(v) ? v : 0;
}

void place_of_estimate(struct place *p, const struct metrics *m, const struct explanation *x)
{
    enum { RATES = 3 };
    uint32_t n = x->n < PLACE_FEATURES - RATES ? x->n : PLACE_FEATURES - RATES;
    for (uint32_t i = 0; i < PLACE_FEATURES; i++)
        p->feature[i] = i < n ? x->station[i].gain : 0;
    double *rate = p->feature + PLACE_FEATURES - RATES;
    rate[0] = value_of(m, "l1.hit_rate");
    rate[1] = value_of(m, "l2.hit_rate");
    rate[2] = value_of(m, "dram.row_hit_rate");
    p->estimate = log(m->v[M_cycles]);
}

/* --- two places --- */

/* The first parameter from i on in which the two differ; n: none.  Most machines differ in few. */
static uint32_t next_apart(const struct place *a, const struct place *b, uint32_t i, uint32_t n)
{
    enum { STRIDE = 16 };
    while (i + STRIDE <= n && memcmp(a->param + i, b->param + i, STRIDE * sizeof *a->param) == 0)
        i += STRIDE;
    while (i < n && a->param[i] == b->param[i])
        i++;
    return i;
}

static double apart(const struct place_axis *a, double x, double y)
{
    return a->group == PLACE_CHOICE ? 1 : x - y;
}

void place_distance(const struct place *a, const struct place *b, double out[PLACE_GROUPS])
{
    uint32_t n = place_params();
    memset(out, 0, PLACE_GROUPS * sizeof *out);
    for (uint32_t i = next_apart(a, b, 0, n); i < n; i = next_apart(a, b, i + 1, n)) {
        double d = apart(&axes.axis[i], a->param[i], b->param[i]);
        out[axes.axis[i].group] += d * d;
    }
    for (uint32_t g = 0; g < PLACE_MACHINE; g++)
        out[PLACE_MACHINE] += out[g];
    for (uint32_t i = 0; i < PLACE_FEATURES; i++)
        out[PLACE_USE] += (a->feature[i] - b->feature[i]) * (a->feature[i] - b->feature[i]);
    for (uint32_t g = 0; g < PLACE_TIME; g++)
        out[g] = sqrt(out[g]);
    out[PLACE_TIME] = fabs(a->estimate - b->estimate);
}

uint32_t place_differences(const struct place *a, const struct place *b, uint32_t most[],
                           uint32_t n_most)
{
    uint32_t n = place_params(), found = 0;
    for (uint32_t i = next_apart(a, b, 0, n); i < n; i = next_apart(a, b, i + 1, n)) {
        double d = fabs(apart(&axes.axis[i], a->param[i], b->param[i]));
        uint32_t at = found < n_most ? found : n_most;
        for (; at > 0; at--) {
            uint32_t k = most[at - 1];
            if (d <= fabs(apart(&axes.axis[k], a->param[k], b->param[k]))) break;
            if (at < n_most) most[at] = k;
        }
        if (at < n_most) most[at] = i;
        found++;
    }
    return found;
}
