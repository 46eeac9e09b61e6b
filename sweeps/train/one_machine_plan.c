/* one_machine_plan.c - makes the plan that calibrates one machine without a sweep file; see
 * train.h. */
#include "sweeps/train/train.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "gpu/machine/machine.h"
#include "sweeps/plan/design.h"
#include "sweeps/plan/plan_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 5 };

/* Parameters that need no new profile and change a station each.  A value of 0 means "without
 * bound", which has no neighbours: such a parameter takes the absolute values. */
static const struct swept_parameter {
    const char *path;
    double factor[STEPS];   /* of the machine's own value; 0 = unused */
    double absolute[STEPS]; /* when its own value is 0 */
} knobs[] = {
    {"l1.kb", {0.5, 1, 2, 4}, {0}},
    {"l2.bank_kb", {0.25, 0.5, 1, 2, 4}, {0}},
    {"l2.mshr.entries", {0.5, 1, 2, 4}, {16, 32, 64, 128}},
    {"l2.latency", {0.5, 1, 2, 4}, {0}},
    {"noc.latency", {0.5, 1, 2, 4}, {0}},
    {"dram.channels", {0.5, 1, 2}, {0}},
    {"dram.clock_mhz", {0.5, 0.75, 1, 1.5}, {0}},
};
enum { KNOBS = sizeof knobs / sizeof knobs[0] };

static bool is_legal(const struct machine *base, const char *path, double v)
{
    char set[2 * PARAM_TEXT_MAX];
    const char *const sets[] = {set};
    struct errors found = {0};
    struct machine m = *base;
    snprintf(set, sizeof set, "%s=%.15g", path, v);
    bool ok = machine_set(&m, sets, 1, &found);
    errors_fini(&found);
    return ok;
}

static bool add_value(struct plan *p, const char **value, uint32_t *n, double v)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.15g", v);
    value[*n] = arena_strdup(&p->arena, digits);
    return value[(*n)++] != NULL;
}

/* Adds an axis, which needs at least two legal values; a parameter with fewer is not swept. */
static bool add_knob(struct plan *p, const struct swept_parameter *k)
{
    double own;
    uint32_t n = 0;
    const char **value = arena_new(&p->arena, STEPS + 1, sizeof *value);
    if (!value) return false;
    if (!machine_get_number(p->base, k->path, &own)) return true;
    if (own == 0 && k->absolute[0] > 0 && !add_value(p, value, &n, 0)) return false;
    for (int i = 0; i < STEPS; i++) {
        double v = own == 0 ? k->absolute[i] : own * k->factor[i];
        if (!(v > 0) || !is_legal(p->base, k->path, v)) continue;
        if (!add_value(p, value, &n, v)) return false;
    }
    if (n < 2) return true;
    p->axis[p->n_axes] = (struct axis){.path = k->path, .value = value, .n = n, .dim = p->n_axes};
    p->n_axes++;
    return true;
}

static bool add_workload(struct plan *p, const char *spec)
{
    struct workload *w = &p->workload[p->n_workloads++];
    w->spec = arena_strdup(&p->arena, spec);
    return w->spec != NULL;
}

bool plan_around(struct plan *p, const char *machine, const char *const *sets, uint32_t n_sets,
                 const char *const *programs, uint32_t n_programs, struct errors *all)
{
    struct error e = {0};
    *p = (struct plan){.file = machine, .engine = ENGINE_SAMPLE};
    run_opts_default(&p->opts);
    p->base = arena_new(&p->arena, 1, sizeof *p->base);
    p->machine_spec = arena_new(&p->arena, 1, sizeof *p->machine_spec);
    if (!p->base || !p->machine_spec) {
        errors_add(all, "out of memory");
        return false;
    }
    p->n_machines = 1;
    p->machine_spec[0] = machine;
    if (!machine_load(p->base, machine, sets, n_sets, all)) return false;
    p->workload = arena_new(&p->arena, n_programs, sizeof *p->workload);
    bool ok = p->workload && calibration_set_open(&p->calibrations, "none", NULL, 0, &e);
    for (int k = 0; k < KNOBS && ok; k++)
        ok = add_knob(p, &knobs[k]);
    ok = ok && design_make(p, &e);
    for (uint32_t i = 0; i < n_programs && ok; i++)
        ok = add_workload(p, programs[i]);
    if (!ok && e.kind == ERROR_NONE) error_no_memory(&e);
    if (!ok) errors_add_error(all, &e);
    return ok && plan_open_programs(p, all) && plan_programs_differ(p, machine, all);
}
