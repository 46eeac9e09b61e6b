/* plan_inputs.c - reads the keys that name machines and programs. */
#include "sweeps/plan/plan_reader.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "sweeps/plan/plan_paths.h"
#include "trace/program/program_spec.h"
#include "trace/suite/suite.h"

#include <string.h>

enum { SETS_MAX = 64 };

static uint32_t read_sets(struct loading *l, const char *sets[SETS_MAX])
{
    const struct conf_node *n = conf_find(l->root, "set");
    uint32_t count = n ? conf_count(n) : 0;
    if (n && (conf_type(n) != CONF_LIST || count > SETS_MAX)) {
        loading_refuse(l, n,
                       "set: expected a list of at most 64 overrides such as ( \"sm.count=16\" )");
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        sets[i] = loading_text(l, conf_child(n, i), "an override such as \"sm.count=16\"");
        if (!sets[i]) return 0;
    }
    return count;
}

/* "gpus/rx540" means the preset; a path that leads to a file means the file. */
static char *machine_spec(struct loading *l, const char *spec)
{
    const char *slash = strchr(spec, '/'), *end = strrchr(spec, '.');
    bool file = end && strcmp(end, ".cfg") == 0;
    if (!slash && !file) return mem_strdup(spec);
    char *found = plan_find_input(l->plan->file, spec);
    if (found) return found;
    return mem_strdup(!file && strncmp(spec, "gpus/", 5) == 0 ? spec + 5 : spec);
}

static bool add_machine(struct loading *l, const struct conf_node *n)
{
    const char *sets[SETS_MAX];
    struct errors found = {0};
    struct plan *p = l->plan;
    const char *spec = loading_text(l, n, "the name of a preset or a file, in quotes");
    if (!spec) return false;
    for (uint32_t i = 0; i < p->n_machines; i++)
        if (strcmp(p->machine_spec[i], spec) == 0)
            return loading_refuse(l, n, "machine: %s is listed twice", spec);
    char *path = machine_spec(l, spec);
    uint32_t n_sets = read_sets(l, sets), at = p->n_machines;
    p->machine_spec[at] = loading_keep(l, spec);
    p->n_machines++;
    bool ok = path && machine_load(&p->base[at], path, sets, n_sets, &found);
    if (path && !ok) loading_pass_on(l, n, "machine", &found);
    mem_free(path);
    return ok;
}

/* Reads one machine, or a list of machines, which becomes the first axis. */
void plan_read_machine(struct loading *l, const struct conf_node *n)
{
    struct plan *p = l->plan;
    bool list = conf_type(n) == CONF_LIST;
    uint32_t count = list ? conf_count(n) : 1;
    if (count == 0 || count > MACHINES_MAX) {
        loading_refuse(l, n, "machine: expected a machine or a list of at most %d", MACHINES_MAX);
        return;
    }
    p->base = arena_new(&p->arena, count, sizeof *p->base);
    p->machine_spec = arena_new(&p->arena, count, sizeof *p->machine_spec);
    if (!p->base || !p->machine_spec) {
        loading_refuse(l, n, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!add_machine(l, list ? conf_child(n, i) : n)) return;
    if (count == 1) return;
    p->axis[p->n_axes++] = (struct axis){
        .path = AXIS_MACHINE, .value = p->machine_spec, .n = count, .line = conf_line(n)};
}

/* --- workloads ---------------------------------------------------------------------------------
 */

static bool add_workload(struct loading *l, const struct conf_node *n, const char *spec)
{
    struct plan *p = l->plan;
    if (p->n_workloads == WORKLOADS_MAX)
        return loading_refuse(l, n, "workloads: at most %d programs", WORKLOADS_MAX);
    struct workload *w = &p->workload[p->n_workloads++];
    w->spec = loading_keep(l, spec);
    w->line = conf_line(n);
    return w->spec != NULL;
}

static void add_suite(struct loading *l, const struct conf_node *n, const char *spec)
{
    struct suite s;
    struct error e = {0};
    if (!suite_read(&s, spec, &e)) {
        loading_refuse(l, n, "workloads: %s", e.text);
        return;
    }
    for (uint32_t i = 0; i < s.n && add_workload(l, n, s.entry[i].path);)
        i++;
    suite_fini(&s);
}

/* A name that is not found here may still be known to program_open, which else reports it. */
static void read_workload(struct loading *l, const struct conf_node *n)
{
    const char *spec = loading_text(l, n, "a program in quotes");
    if (!spec) return;
    if (suite_is(spec)) {
        add_suite(l, n, spec);
        return;
    }
    struct text found = {0};
    const char *params = program_spec_params(spec);
    char *name = program_spec_name(spec);
    char *path = name ? plan_find_input(l->plan->file, name) : NULL;
    if (name) text_add(&found, "%s%s%s", path ? path : name, *params ? " " : "", params);
    if (!name || found.failed)
        loading_refuse(l, n, "out of memory");
    else
        add_workload(l, n, text_str(&found));
    text_fini(&found);
    mem_free(path);
    mem_free(name);
}

void plan_read_workloads(struct loading *l, const struct conf_node *n)
{
    struct plan *p = l->plan;
    if (conf_type(n) != CONF_LIST || conf_count(n) == 0) {
        loading_refuse(l, n, "workloads: expected a list of programs such as ( \"fwt.plt\" )");
        return;
    }
    p->workload = arena_new(&p->arena, WORKLOADS_MAX, sizeof *p->workload);
    if (!p->workload) {
        loading_refuse(l, n, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < conf_count(n); i++)
        read_workload(l, conf_child(n, i));
}
