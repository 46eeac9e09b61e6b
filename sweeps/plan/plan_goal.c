/* plan_goal.c - reads the keys for the engine, its options and the objectives. */
#include "sweeps/plan/plan_reader.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "sweeps/plan/plan_paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void plan_read_engine(struct loading *l, const struct conf_node *n)
{
    static const char allowed[] = "\"estimate\", \"sample\", \"simulate\" or \"auto\"";
    const char *s = loading_text(l, n, allowed);
    if (!s) return;
    if (strcmp(s, "auto") == 0) {
        l->plan->automatic = true;
        l->plan->engine = ENGINE_ESTIMATE;
        return;
    }
    for (int e = 0; e < ENGINE_N; e++) {
        if (strcmp(s, engine_name[e]) != 0) continue;
        l->plan->engine = (enum engine)e;
        return;
    }
    loading_refuse(l, n, "engine: no engine \"%s\"; allowed: %s", s, allowed);
}

static bool open_calibrations(struct loading *l, const char *file, struct error *e)
{
    struct plan *p = l->plan;
    const struct machine *base[MACHINES_MAX];
    for (uint32_t i = 0; i < p->n_machines; i++)
        base[i] = &p->base[i];
    if (!calibration_set_open(&p->calibrations, file, base, p->n_machines, e)) return false;
    l->calibrated = true;
    return true;
}

void plan_read_calibration(struct loading *l, const struct conf_node *n)
{
    struct error e = {0};
    if (l->over->calibration || l->over->no_calibration) return;
    const char *s = loading_text(l, n, "a calibration file in quotes, or \"none\"");
    if (!s) return;
    bool none = strcmp(s, "none") == 0;
    char *path = none ? NULL : plan_find_input(l->plan->file, s);
    if (!none && !path)
        loading_refuse(l, n, "calibration: %s: no such file; 'plumb calibrate' makes one", s);
    else if (!open_calibrations(l, none ? s : path, &e))
        loading_refuse(l, n, "calibration: %s", e.text);
    l->calibrated = true;
    mem_free(path);
}

/* Engine auto learns from runs of its own, from estimates as they are. */
void plan_choose_calibration(struct loading *l)
{
    struct error e = {0};
    const char *file = l->over->calibration;
    if (l->over->no_calibration || (l->calibrated && !file)) return;
    if (!file && l->plan->automatic) file = "none";
    if (!open_calibrations(l, file, &e)) errors_add_error(l->all, &e);
}

static void read_fraction(struct loading *l, const struct conf_node *n, double *v)
{
    if (!conf_real(n, v) || !(*v > 0 && *v < 1))
        loading_refuse(l, n, "budget: %s: expected a number between 0 and 1", conf_name(n));
}

static void read_hours(struct loading *l, const struct conf_node *n)
{
    double *v = &l->plan->aim.core_hours;
    if (!conf_real(n, v) || !(*v > 0))
        loading_refuse(l, n, "budget: core_hours: expected a number above 0");
}

static void read_points(struct loading *l, const struct conf_node *n)
{
    uint64_t points;
    if (!loading_count(l, n, &points)) return;
    if (points < 1 || points > POINTS_MAX)
        loading_refuse(l, n, "budget: points: expected a number from 1 to %d", POINTS_MAX);
    else
        l->plan->aim.points = (uint32_t)points;
}

enum limit_of { OF_SAMPLE = 1, OF_AUTO = 2 };

static void read_error(struct loading *l, const struct conf_node *n)
{
    read_fraction(l, n, &l->plan->opts.error);
    l->plan->aim.error = true;
}

static void read_confidence(struct loading *l, const struct conf_node *n)
{
    double v = 0;
    read_fraction(l, n, &v);
    if (l->plan->automatic && v > 0 && fabs(v - 0.95) > 1e-9)
        loading_refuse(l, n, "budget: confidence: engine auto states intervals of 0.95 alone");
    else
        l->plan->opts.confidence = v;
}

static void read_instructions(struct loading *l, const struct conf_node *n)
{
    loading_count(l, n, &l->plan->opts.budget);
}

static const struct limit {
    const char *name;
    int engines;     /* the engines that accept the key */
    const char *who; /* the same engines, in words */
    void (*read)(struct loading *, const struct conf_node *);
} limits[] = {
    {"error", OF_SAMPLE | OF_AUTO, "engines sample and auto alone have", read_error},
    {"confidence", OF_SAMPLE | OF_AUTO, "engines sample and auto alone have", read_confidence},
    {"instructions", OF_SAMPLE, "engine sample alone has", read_instructions},
    {"core_hours", OF_AUTO, "engine auto alone has", read_hours},
    {"points", OF_AUTO, "engine auto alone has", read_points},
};
enum { LIMITS = sizeof limits / sizeof limits[0] };

static void read_limit(struct loading *l, const struct conf_node *n)
{
    const struct plan *p = l->plan;
    int engine = p->automatic ? OF_AUTO : p->engine == ENGINE_SAMPLE ? OF_SAMPLE : 0;
    for (uint32_t i = 0; i < LIMITS; i++) {
        if (strcmp(limits[i].name, conf_name(n)) != 0) continue;
        if (limits[i].engines & engine)
            limits[i].read(l, n);
        else
            loading_refuse(l, n, "budget: %s: %s such a limit", limits[i].name, limits[i].who);
        return;
    }
    loading_refuse(l, n,
                   "budget: unknown key %s; allowed: error, confidence, instructions of engine "
                   "sample, error, confidence, core_hours, points of engine auto",
                   conf_name(n));
}

void plan_read_budget(struct loading *l, const struct conf_node *n)
{
    if (conf_type(n) != CONF_GROUP) {
        loading_refuse(l, n,
                       "budget: expected a group such as { error = 0.05; confidence = 0.95; }");
        return;
    }
    for (uint32_t i = 0; i < conf_count(n); i++)
        read_limit(l, conf_child(n, i));
}

/* --- objectives --------------------------------------------------------------------------------
 */

static bool read_goal(struct loading *l, const struct conf_node *n, struct objective *o)
{
    const struct conf_node *g = conf_find(n, "goal");
    const char *s = g ? conf_text(g) : NULL;
    if (!s || (strcmp(s, "max") != 0 && strcmp(s, "min") != 0))
        return loading_refuse(l, g ? g : n, "objectives: goal: expected \"max\" or \"min\"");
    o->goal = strcmp(s, "max") == 0 ? GOAL_MAX : GOAL_MIN;
    return true;
}

static bool refuse_name(struct loading *l, const struct conf_node *n, const char *what,
                        const char *name, const char *closest, const char *lister)
{
    return loading_refuse(l, n, "objectives: no %s %s%s%s%s 'plumb %s' lists them", what, name,
                          closest ? ": did you mean " : "", closest ? closest : "",
                          closest ? "?" : ";", lister);
}

static bool read_aim(struct loading *l, const struct conf_node *n, struct objective *o)
{
    const struct part *part;
    const char *closest = NULL;
    const struct conf_node *m = conf_find(n, "metric"), *q = conf_find(n, "parameter");
    const char *s = m && !q ? conf_text(m) : q && !m ? conf_text(q) : NULL;
    if (!s)
        return loading_refuse(
            l, n, "objectives: expected either metric = \"...\" or parameter = \"...\"");
    if (m && metrics_key_index(s) == METRICS_KEYS_MAX)
        return refuse_name(l, m, "metric", s, metrics_closest(s), "metrics");
    if (q && !machine_find_param(s, &part, &closest))
        return refuse_name(l, q, "parameter", s, closest, "machine params");
    o->parameter = q != NULL;
    o->name = loading_keep(l, s);
    return o->name != NULL;
}

static bool read_objective(struct loading *l, const struct conf_node *n, struct objective *o)
{
    static const char *const allowed[] = {"metric", "parameter", "goal"};
    if (conf_type(n) != CONF_GROUP)
        return loading_refuse(
            l, n, "objectives: expected groups such as { metric = \"opc\"; goal = \"max\"; }");
    for (uint32_t i = 0; i < conf_count(n); i++) {
        const char *key = conf_name(conf_child(n, i));
        bool known = false;
        for (int k = 0; k < 3; k++)
            known |= strcmp(key, allowed[k]) == 0;
        if (!known)
            return loading_refuse(l, conf_child(n, i),
                                  "objectives: unknown key %s; allowed: metric or parameter, goal",
                                  key);
    }
    return read_aim(l, n, o) && read_goal(l, n, o);
}

void plan_read_objectives(struct loading *l, const struct conf_node *n)
{
    struct plan *p = l->plan;
    if (conf_type(n) != CONF_LIST || conf_count(n) == 0 || conf_count(n) > OBJECTIVES_MAX) {
        loading_refuse(l, n, "objectives: expected a list of 1 to %d objectives", OBJECTIVES_MAX);
        return;
    }
    p->n_objectives = 0;
    for (uint32_t i = 0; i < conf_count(n); i++)
        if (read_objective(l, conf_child(n, i), &p->objective[p->n_objectives])) p->n_objectives++;
}
