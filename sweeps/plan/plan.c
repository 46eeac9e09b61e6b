/* plan.c - see plan.h.  One table lists the keys of a sweep file, which are read in its order. */
#include "sweeps/plan/plan.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "sweeps/plan/design.h"
#include "sweeps/plan/plan_reader.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void read_seed(struct loading *l, const struct conf_node *n)
{
    loading_count(l, n, &l->plan->opts.seed);
}

static void read_max_instructions(struct loading *l, const struct conf_node *n)
{
    loading_count(l, n, &l->plan->opts.max_instructions);
}

static void read_output(struct loading *l, const struct conf_node *n)
{
    const char *s = loading_text(l, n, "the name of a database file in quotes");
    if (s && !l->over->output) l->plan->output = loading_keep(l, s);
}

static const struct plan_key {
    const char *name;
    bool required;
    /* NULL: the reader of another key reads it */
    void (*read)(struct loading *, const struct conf_node *);
} keys[] = {
    {"machine", true, plan_read_machine},
    {"set", false, NULL},
    {"workloads", true, plan_read_workloads},
    {"design", false, plan_read_design},
    {"axes", true, plan_read_axes},
    {"points", false, plan_read_points},
    {"constraints", false, plan_read_constraints},
    {"illegal", false, plan_read_illegal},
    {"engine", false, plan_read_engine},
    {"calibration", false, plan_read_calibration},
    {"anchor", false, plan_read_anchor},
    {"budget", false, plan_read_budget},
    {"seed", false, read_seed},
    {"max_instructions", false, read_max_instructions},
    {"objectives", false, plan_read_objectives},
    {"output", true, read_output},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

static void check_known(struct loading *l)
{
    const char *names[KEYS];
    char allowed[256] = "";
    for (uint32_t k = 0; k < KEYS; k++) {
        names[k] = keys[k].name;
        snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s", k ? ", " : "",
                 names[k]);
    }
    for (uint32_t i = 0; i < conf_count(l->root); i++) {
        const struct conf_node *n = conf_child(l->root, i);
        bool known = false;
        for (uint32_t k = 0; k < KEYS; k++)
            known |= strcmp(names[k], conf_name(n)) == 0;
        const char *closest = text_closest(conf_name(n), names, KEYS);
        if (known) continue;
        bool machine = closest && strcmp(closest, "machine") == 0;
        loading_refuse(l, n, "unknown key %s%s%s%s%s; allowed: %s", conf_name(n),
                       closest ? " (did you mean " : "", closest ? closest : "",
                       machine ? ", which takes a list such as ( \"v100\", \"t4\" ), too" : "",
                       closest ? "?)" : "", allowed);
    }
}

/* Whether a key that is not known, and was refused, was meant to be this one. */
static bool is_misspelt(const struct loading *l, const char *key)
{
    for (uint32_t i = 0; i < conf_count(l->root); i++)
        if (text_closest(conf_name(conf_child(l->root, i)), &key, 1)) return true;
    return false;
}

static void read_keys(struct loading *l)
{
    check_known(l);
    for (uint32_t k = 0; k < KEYS; k++) {
        const struct conf_node *n = conf_find(l->root, keys[k].name);
        if (!n && keys[k].required && !is_misspelt(l, keys[k].name))
            errors_add(l->all,
                       "%s:1: no %s; a sweep file needs machine, workloads, axes and output",
                       l->plan->file, keys[k].name);
        if (n && keys[k].read && l->all->n <= FAULTS_MAX) keys[k].read(l, n);
    }
    if (l->plan->design != DESIGN_GRID && !conf_find(l->root, "points"))
        errors_add(l->all, "%s:1: no points; a design \"%s\" needs them", l->plan->file,
                   plan_design(l->plan));
    plan_choose_calibration(l);
}

static void set_defaults(struct loading *l)
{
    struct plan *p = l->plan;
    run_opts_default(&p->opts);
    p->opts.in_sweep = true;
    p->engine = ENGINE_ESTIMATE;
    p->anchored = 1;
    p->objective[0] = (struct objective){.name = "cycles", .goal = GOAL_MIN};
    p->n_objectives = 1;
    p->output = l->over->output ? loading_keep(l, l->over->output) : NULL;
}

static bool keep_text(struct loading *l, struct error *e)
{
    char *bytes;
    size_t n;
    if (!file_read(l->plan->file, &bytes, &n, e)) return false;
    l->plan->text = loading_keep(l, bytes);
    mem_free(bytes);
    return l->plan->text || error_no_memory(e);
}

bool plan_load(struct plan *p, const char *path, const struct plan_overrides *o, struct errors *all)
{
    static const struct plan_overrides none;
    struct error e = {0};
    *p = (struct plan){0};
    struct loading l = {.plan = p, .over = o ? o : &none, .all = all};
    p->file = loading_keep(&l, path);
    if (!p->file) return false;
    if (!keep_text(&l, &e)) {
        errors_add_error(all, &e);
        return false;
    }
    struct conf *c = conf_load(path, NULL, &e);
    if (!c) {
        errors_add_error(all, &e);
        return false;
    }
    l.root = conf_root(c);
    set_defaults(&l);
    read_keys(&l);
    conf_free(c);
    return all->n == 0 && plan_check(&l);
}

void plan_fini(struct plan *p)
{
    plan_close_programs(p);
    mem_free(p->index);
    mem_free(p->machine);
    mem_free(p->digest);
    mem_free(p->sample_base);
    mem_free(p->anchor);
    calibration_set_close(&p->calibrations);
    arena_fini(&p->arena);
    *p = (struct plan){0};
}

uint32_t plan_points(const struct plan *p)
{
    return p->n_points;
}

void plan_point(const struct plan *p, uint32_t point, uint32_t index[AXES_MAX])
{
    memcpy(index, &p->index[(size_t)point * p->n_axes], p->n_axes * sizeof *index);
}

bool plan_is_axis(const struct plan *p, const struct objective *o)
{
    for (uint32_t i = 0; i < p->n_axes && o->parameter; i++)
        if (strcmp(o->name, p->axis[i].path) == 0) return true;
    return false;
}

const char *plan_value(const struct plan *p, uint32_t point, uint32_t axis)
{
    uint32_t index = p->index[(size_t)point * p->n_axes + axis];
    return index == AXIS_UNSET ? "" : p->axis[axis].value[index];
}

bool plan_machine(const struct plan *p, uint32_t point, struct machine *m, struct error *e)
{
    char set[AXES_MAX][2 * PARAM_TEXT_MAX + 2];
    const char *sets[AXES_MAX];
    uint32_t index[AXES_MAX], n = 0;
    struct errors found = {0};
    if (p->machine) {
        *m = p->machine[point];
        return true;
    }
    plan_point(p, point, index);
    for (uint32_t i = p->n_machines > 1; i < p->n_axes; i++) {
        const struct axis *a = &p->axis[i];
        if (index[i] == AXIS_UNSET) continue;
        snprintf(set[n], sizeof set[n], "%s=%s", a->path, a->value[index[i]]);
        sets[n] = set[n];
        n++;
    }
    *m = p->base[p->n_machines > 1 ? index[0] : 0];
    bool ok = machine_set_as(m, sets, n, SETTING_OF_SWEEP, &found);
    if (!ok && found.n) *e = found.item[0];
    if (!ok && !found.n) error_no_memory(e);
    errors_fini(&found);
    return ok;
}

/* state: empty, being written, ready */
struct plan_digest {
    _Atomic int state;
    struct digest d;
};

uint32_t plan_base(const struct plan *p, uint32_t point, uint32_t workload)
{
    return p->sample_base ? p->sample_base[(size_t)workload * p->n_points + point] : PLAN_ALONE;
}

void plan_keep_digests(struct plan *p)
{
    p->digest = mem_new(p->n_points, sizeof *p->digest);
}

struct digest plan_digest(const struct plan *p, uint32_t point, const struct machine *m)
{
    struct plan_digest *x = p->digest ? &p->digest[point] : NULL;
    int none = 0;
    if (x && atomic_load_explicit(&x->state, memory_order_acquire) == 2) return x->d;
    struct digest d = machine_digest(m);
    if (x && atomic_compare_exchange_strong(&x->state, &none, 1)) {
        x->d = d;
        atomic_store_explicit(&x->state, 2, memory_order_release);
    }
    return d;
}

const char *plan_engine(const struct plan *p)
{
    return p->automatic ? "auto" : engine_name[p->engine];
}

const char *plan_design(const struct plan *p)
{
    return design_name[p->design];
}

const char *plan_workload(const struct plan *p, uint32_t workload)
{
    return program_name(p->workload[workload].program[0]);
}
