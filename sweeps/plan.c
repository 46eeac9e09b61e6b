/* plan.c - see plan.h.  The keys of a sweep file stand in one table, read in the table's order. */
#include "sweeps/plan.h"

#include "base/conf.h"
#include "base/file.h"
#include "base/mem.h"
#include "sweeps/axis.h"
#include "sweeps/inputs.h"
#include "trace/suite.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FAULTS_MAX = 10, SETS_MAX = 64 };

struct loading {
    struct plan *plan;
    const struct plan_overrides *over;
    const struct conf_node *root;
    struct errors *all;
};

PLUMB_PRINTF(3, 4)
static bool refuse(struct loading *l, const struct conf_node *at, const char *fmt, ...)
{
    struct error e = {.kind = ERROR_INPUT};
    int n = snprintf(e.text, sizeof e.text, "%s:%" PRIu32 ": ", conf_file(at), conf_line(at));
    va_list args;
    va_start(args, fmt);
    vsnprintf(e.text + n, sizeof e.text - (size_t)n, fmt, args);
    va_end(args);
    errors_add_error(l->all, &e);
    return false;
}

static const char *keep(struct loading *l, const char *s)
{
    const char *copy = arena_strdup(&l->plan->arena, s);
    if (!copy) errors_add(l->all, "out of memory");
    return copy;
}

/* Every fault of `found`, with the place in the sweep file that led to it. */
static void pass_on(struct loading *l, const struct conf_node *at, const char *key,
                    struct errors *found)
{
    for (uint32_t i = 0; i < found->n; i++)
        refuse(l, at, "%s: %s", key, found->item[i].text);
    errors_fini(found);
}

static const char *text_of(struct loading *l, const struct conf_node *n, const char *expected)
{
    const char *s = conf_text(n);
    if (s && *s) return s;
    refuse(l, n, "%s: expected %s", conf_name(n) ? conf_name(n) : "list", expected);
    return NULL;
}

/* --- machine -----------------------------------------------------------------------------------
 */

static uint32_t read_sets(struct loading *l, const char *sets[SETS_MAX])
{
    const struct conf_node *n = conf_find(l->root, "set");
    uint32_t count = n ? conf_count(n) : 0;
    if (n && (conf_type(n) != CONF_LIST || count > SETS_MAX)) {
        refuse(l, n, "set: expected a list of at most 64 overrides such as ( \"sm.count=16\" )");
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        sets[i] = text_of(l, conf_child(n, i), "an override such as \"sm.count=16\"");
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
    char *found = inputs_find(l->plan->file, spec);
    if (found) return found;
    return mem_strdup(!file && strncmp(spec, "gpus/", 5) == 0 ? spec + 5 : spec);
}

static void read_machine(struct loading *l, const struct conf_node *n)
{
    const char *sets[SETS_MAX];
    struct errors found = {0};
    const char *spec = text_of(l, n, "the name of a preset or a file, in quotes");
    if (!spec) return;
    char *path = machine_spec(l, spec);
    l->plan->machine_spec = keep(l, spec);
    uint32_t n_sets = read_sets(l, sets);
    if (path && !machine_load(&l->plan->base, path, sets, n_sets, &found))
        pass_on(l, n, "machine", &found);
    mem_free(path);
}

/* --- workloads ---------------------------------------------------------------------------------
 */

static bool add_workload(struct loading *l, const struct conf_node *n, const char *spec)
{
    struct plan *p = l->plan;
    if (p->n_workloads == WORKLOADS_MAX)
        return refuse(l, n, "workloads: at most %d programs", WORKLOADS_MAX);
    struct workload *w = &p->workload[p->n_workloads++];
    w->spec = keep(l, spec);
    w->line = conf_line(n);
    return w->spec != NULL;
}

static void add_suite(struct loading *l, const struct conf_node *n, const char *spec)
{
    struct suite s;
    struct error e = {0};
    if (!suite_read(&s, spec, &e)) {
        refuse(l, n, "workloads: %s", e.text);
        return;
    }
    for (uint32_t i = 0; i < s.n && add_workload(l, n, s.entry[i].path);)
        i++;
    suite_fini(&s);
}

/* What is not found here may still be known to program_open, which says so otherwise. */
static void read_workload(struct loading *l, const struct conf_node *n)
{
    const char *spec = text_of(l, n, "a program in quotes");
    if (!spec) return;
    if (suite_is(spec)) {
        add_suite(l, n, spec);
        return;
    }
    char *path = inputs_find(l->plan->file, spec);
    add_workload(l, n, path ? path : spec);
    mem_free(path);
}

static void read_workloads(struct loading *l, const struct conf_node *n)
{
    struct plan *p = l->plan;
    if (conf_type(n) != CONF_LIST || conf_count(n) == 0) {
        refuse(l, n, "workloads: expected a list of programs such as ( \"fwt.plt\" )");
        return;
    }
    p->workload = arena_new(&p->arena, WORKLOADS_MAX, sizeof *p->workload);
    if (!p->workload) {
        refuse(l, n, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < conf_count(n); i++)
        read_workload(l, conf_child(n, i));
}

/* --- axes --------------------------------------------------------------------------------------
 */

static void check_twice(struct loading *l, const struct conf_node *n)
{
    struct plan *p = l->plan;
    const struct axis *last = &p->axis[p->n_axes - 1];
    for (uint32_t i = 0; i + 1 < p->n_axes; i++)
        if (strcmp(p->axis[i].path, last->path) == 0)
            refuse(l, n, "axes: %s has two axes; give it one", last->path);
}

static void read_axes(struct loading *l, const struct conf_node *n)
{
    struct plan *p = l->plan;
    uint32_t count = conf_count(n);
    uint64_t points = 1;
    if (conf_type(n) != CONF_LIST || count == 0 || count > AXES_MAX) {
        refuse(l, n, "axes: expected a list of 1 to %d axes", AXES_MAX);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!axis_read(&p->axis[p->n_axes], conf_child(n, i), &p->arena, l->all)) continue;
        points *= p->axis[p->n_axes++].n;
        check_twice(l, conf_child(n, i));
        if (points > POINTS_MAX) {
            refuse(l, n, "axes: more than %d points; take fewer values", POINTS_MAX);
            return;
        }
    }
}

/* --- the rest ----------------------------------------------------------------------------------
 */

static void read_design(struct loading *l, const struct conf_node *n)
{
    const char *s = text_of(l, n, "\"grid\"");
    if (s && strcmp(s, "grid") != 0)
        refuse(l, n, "design: \"%s\" is not built; allowed: \"grid\"", s);
}

static void read_engine(struct loading *l, const struct conf_node *n)
{
    const char *s = text_of(l, n, "\"estimate\", \"sample\" or \"simulate\"");
    if (!s) return;
    for (int e = 0; e < ENGINE_N; e++) {
        if (strcmp(s, engine_name[e]) != 0) continue;
        l->plan->engine = (enum engine)e;
        return;
    }
    refuse(l, n, "engine: \"%s\" is not built; allowed: \"estimate\", \"sample\", \"simulate\"", s);
}

static bool load_calibration(struct loading *l, const char *path, struct error *e)
{
    struct plan *p = l->plan;
    struct error why = {0};
    char *bytes;
    size_t n;
    if (!file_read(path, &bytes, &n, e)) return false;
    p->calibration_digest = digest_bytes(bytes, n);
    mem_free(bytes);
    if (!calibration_load(&p->calibration, path, e)) return false;
    p->calibration_file = keep(l, path);
    return calibration_fits(&p->calibration, &p->base, &why) ||
           error_input(e, "%s: %.900s", path, why.text);
}

static void read_calibration(struct loading *l, const struct conf_node *n)
{
    struct error e = {0};
    if (l->over->calibration || l->over->no_calibration) return;
    const char *s = text_of(l, n, "a calibration file in quotes");
    if (!s) return;
    char *path = inputs_find(l->plan->file, s);
    if (!path)
        refuse(l, n, "calibration: %s: no such file; 'plumb calibrate' makes one", s);
    else if (!load_calibration(l, path, &e))
        refuse(l, n, "calibration: %s", e.text);
    mem_free(path);
}

static void override_calibration(struct loading *l)
{
    struct error e = {0};
    if (!l->over->calibration) return;
    if (!load_calibration(l, l->over->calibration, &e)) errors_add_error(l->all, &e);
}

static void read_fraction(struct loading *l, const struct conf_node *n, double *v)
{
    if (!conf_real(n, v) || !(*v > 0 && *v < 1))
        refuse(l, n, "budget: %s: expected a number between 0 and 1", conf_name(n));
}

static void read_count(struct loading *l, const struct conf_node *n, uint64_t *v)
{
    int64_t whole;
    if (!conf_int(n, &whole) || whole < 0)
        refuse(l, n, "%s: expected a whole number of at least 0", conf_name(n));
    else
        *v = (uint64_t)whole;
}

static void read_budget(struct loading *l, const struct conf_node *n)
{
    struct run_opts *o = &l->plan->opts;
    if (conf_type(n) != CONF_GROUP) {
        refuse(l, n, "budget: expected a group such as { error = 0.05; confidence = 0.95; }");
        return;
    }
    for (uint32_t i = 0; i < conf_count(n); i++) {
        const struct conf_node *c = conf_child(n, i);
        if (strcmp(conf_name(c), "error") == 0)
            read_fraction(l, c, &o->error);
        else if (strcmp(conf_name(c), "confidence") == 0)
            read_fraction(l, c, &o->confidence);
        else if (strcmp(conf_name(c), "instructions") == 0)
            read_count(l, c, &o->budget);
        else
            refuse(l, c, "budget: unknown key %s; allowed: error, confidence, instructions",
                   conf_name(c));
    }
}

static void read_seed(struct loading *l, const struct conf_node *n)
{
    read_count(l, n, &l->plan->opts.seed);
}

static void read_max_instructions(struct loading *l, const struct conf_node *n)
{
    read_count(l, n, &l->plan->opts.max_instructions);
}

static void read_output(struct loading *l, const struct conf_node *n)
{
    const char *s = text_of(l, n, "the name of a database file in quotes");
    if (s && !l->over->output) l->plan->output = keep(l, s);
}

/* --- objectives --------------------------------------------------------------------------------
 */

static bool is_metric(const char *name)
{
    const char *key;
    for (uint32_t i = 0; (key = metrics_key(i)); i++)
        if (strcmp(key, name) == 0) return true;
    return false;
}

static bool read_goal(struct loading *l, const struct conf_node *n, struct objective *o)
{
    const struct conf_node *g = conf_find(n, "goal");
    const char *s = g ? conf_text(g) : NULL;
    if (!s || (strcmp(s, "max") != 0 && strcmp(s, "min") != 0))
        return refuse(l, g ? g : n, "objectives: goal: expected \"max\" or \"min\"");
    o->goal = strcmp(s, "max") == 0 ? GOAL_MAX : GOAL_MIN;
    return true;
}

static bool read_aim(struct loading *l, const struct conf_node *n, struct objective *o)
{
    const struct part *part;
    const char *closest = NULL;
    const struct conf_node *m = conf_find(n, "metric"), *q = conf_find(n, "parameter");
    const char *s = m && !q ? conf_text(m) : q && !m ? conf_text(q) : NULL;
    if (!s)
        return refuse(l, n, "objectives: expected either metric = \"...\" or parameter = \"...\"");
    if (m && !is_metric(s))
        return refuse(l, m, "objectives: no metric %s; 'plumb metrics' lists them", s);
    if (q && !machine_find_param(s, &part, &closest))
        return refuse(l, q, "objectives: no parameter %s; 'plumb machine params' lists them", s);
    o->parameter = q != NULL;
    o->name = keep(l, s);
    return o->name != NULL;
}

static bool read_objective(struct loading *l, const struct conf_node *n, struct objective *o)
{
    static const char *const allowed[] = {"metric", "parameter", "goal"};
    if (conf_type(n) != CONF_GROUP)
        return refuse(l, n,
                      "objectives: expected groups such as { metric = \"opc\"; goal = \"max\"; }");
    for (uint32_t i = 0; i < conf_count(n); i++) {
        const char *key = conf_name(conf_child(n, i));
        bool known = false;
        for (int k = 0; k < 3; k++)
            known |= strcmp(key, allowed[k]) == 0;
        if (!known)
            return refuse(l, conf_child(n, i),
                          "objectives: unknown key %s; allowed: metric or parameter, goal", key);
    }
    return read_aim(l, n, o) && read_goal(l, n, o);
}

static void read_objectives(struct loading *l, const struct conf_node *n)
{
    struct plan *p = l->plan;
    if (conf_type(n) != CONF_LIST || conf_count(n) == 0 || conf_count(n) > OBJECTIVES_MAX) {
        refuse(l, n, "objectives: expected a list of 1 to %d objectives", OBJECTIVES_MAX);
        return;
    }
    p->n_objectives = 0;
    for (uint32_t i = 0; i < conf_count(n); i++)
        if (read_objective(l, conf_child(n, i), &p->objective[p->n_objectives])) p->n_objectives++;
}

/* --- the file ----------------------------------------------------------------------------------
 */

static const struct key {
    const char *name;
    bool required;
    void (*read)(struct loading *, const struct conf_node *); /* NULL: read with another key */
} keys[] = {
    {"machine", true, read_machine},
    {"set", false, NULL},
    {"workloads", true, read_workloads},
    {"axes", true, read_axes},
    {"design", false, read_design},
    {"engine", false, read_engine},
    {"calibration", false, read_calibration},
    {"budget", false, read_budget},
    {"seed", false, read_seed},
    {"max_instructions", false, read_max_instructions},
    {"objectives", false, read_objectives},
    {"output", true, read_output},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

static void check_known(struct loading *l)
{
    const char *names[KEYS];
    for (uint32_t k = 0; k < KEYS; k++)
        names[k] = keys[k].name;
    for (uint32_t i = 0; i < conf_count(l->root); i++) {
        const struct conf_node *n = conf_child(l->root, i);
        bool known = false;
        for (uint32_t k = 0; k < KEYS; k++)
            known |= strcmp(names[k], conf_name(n)) == 0;
        const char *closest = text_closest(conf_name(n), names, KEYS);
        if (!known)
            refuse(l, n,
                   "unknown key %s%s%s%s; allowed: machine, set, workloads, axes, design, "
                   "engine, calibration, budget, seed, max_instructions, objectives, output",
                   conf_name(n), closest ? " (did you mean " : "", closest ? closest : "",
                   closest ? "?)" : "");
    }
}

static void read_keys(struct loading *l)
{
    check_known(l);
    for (uint32_t k = 0; k < KEYS; k++) {
        const struct conf_node *n = conf_find(l->root, keys[k].name);
        if (!n && keys[k].required)
            errors_add(l->all,
                       "%s:1: no %s; a sweep file needs machine, workloads, axes and output",
                       l->plan->file, keys[k].name);
        if (n && keys[k].read && l->all->n <= FAULTS_MAX) keys[k].read(l, n);
    }
    override_calibration(l);
}

/* --- checks of the whole -----------------------------------------------------------------------
 */

static void set_text(char *out, size_t cap, const struct axis *a, uint32_t value)
{
    snprintf(out, cap, "%s=%s", a->path, a->value[value]);
}

static void check_values(struct loading *l)
{
    const struct plan *p = l->plan;
    char set[2 * PARAM_TEXT_MAX + 2];
    const char *const sets[] = {set};
    for (uint32_t i = 0; i < p->n_axes; i++) {
        for (uint32_t k = 0; k < p->axis[i].n && l->all->n <= FAULTS_MAX; k++) {
            struct machine m = p->base;
            struct errors found = {0};
            set_text(set, sizeof set, &p->axis[i], k);
            if (!machine_set(&m, sets, 1, &found) && found.n)
                errors_add(l->all, "%s:%" PRIu32 ": axis value %s", p->file, p->axis[i].line,
                           found.item[0].text);
            errors_fini(&found);
        }
    }
}

static void check_points(struct loading *l)
{
    const struct plan *p = l->plan;
    for (uint32_t i = 0; i < plan_points(p) && l->all->n <= FAULTS_MAX; i++) {
        struct machine m;
        struct error e = {0};
        if (!plan_machine(p, i, &m, &e))
            errors_add(l->all, "%s:%" PRIu32 ": the combination at point %" PRIu32 ": %s", p->file,
                       p->axis[0].line, i, e.text);
    }
}

static bool open_width(struct loading *l, struct workload *w, uint32_t width)
{
    struct error e = {0};
    struct program **slot = width > 32 ? &w->wide : &w->narrow;
    if (*slot) return true;
    *slot = program_open(w->spec, &(struct program_opts){.warp_width = width}, &e);
    if (!*slot) errors_add(l->all, "%s:%" PRIu32 ": workloads: %s", l->plan->file, w->line, e.text);
    return *slot != NULL;
}

/* Programs are read at the widths that the points' machines have. */
static void open_programs(struct loading *l)
{
    const struct plan *p = l->plan;
    uint32_t on_axis = UINT32_MAX;
    for (uint32_t i = 0; i < p->n_axes; i++)
        if (strcmp(p->axis[i].path, "sm.warp_width") == 0) on_axis = i;
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        if (on_axis == UINT32_MAX) {
            open_width(l, &p->workload[w], p->base.sm.warp_width);
            continue;
        }
        for (uint32_t k = 0; k < p->axis[on_axis].n; k++)
            if (!open_width(l, &p->workload[w],
                            strcmp(p->axis[on_axis].value[k], "64") == 0 ? 64 : 32))
                break;
    }
}

static struct digest content(const struct workload *w)
{
    return program_digest(w->narrow ? w->narrow : w->wide);
}

static void check_workloads_differ(struct loading *l)
{
    const struct plan *p = l->plan;
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        for (uint32_t k = i + 1; k < p->n_workloads; k++) {
            if (!digest_equal(content(&p->workload[i]), content(&p->workload[k]))) continue;
            errors_add(l->all, "%s:1: workloads: %s and %s are the same program; list it once",
                       p->file, p->workload[i].spec, p->workload[k].spec);
        }
    }
}

static bool check_whole(struct loading *l)
{
    check_values(l);
    if (l->all->n == 0) check_points(l);
    if (l->all->n == 0) open_programs(l);
    if (l->all->n == 0) check_workloads_differ(l);
    return l->all->n == 0;
}

static void defaults(struct loading *l)
{
    struct plan *p = l->plan;
    run_opts_default(&p->opts);
    p->engine = ENGINE_ESTIMATE;
    p->objective[0] = (struct objective){.name = "cycles", .goal = GOAL_MIN};
    p->n_objectives = 1;
    p->output = l->over->output ? keep(l, l->over->output) : NULL;
}

static bool keep_text(struct loading *l, struct error *e)
{
    char *bytes;
    size_t n;
    if (!file_read(l->plan->file, &bytes, &n, e)) return false;
    l->plan->text = keep(l, bytes);
    mem_free(bytes);
    return l->plan->text || error_no_memory(e);
}

bool plan_load(struct plan *p, const char *path, const struct plan_overrides *o, struct errors *all)
{
    static const struct plan_overrides none;
    struct error e = {0};
    *p = (struct plan){0};
    struct loading l = {.plan = p, .over = o ? o : &none, .all = all};
    p->file = keep(&l, path);
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
    defaults(&l);
    read_keys(&l);
    conf_free(c);
    return all->n == 0 && check_whole(&l);
}

void plan_fini(struct plan *p)
{
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        if (p->workload[i].narrow) program_close(p->workload[i].narrow);
        if (p->workload[i].wide) program_close(p->workload[i].wide);
    }
    arena_fini(&p->arena);
    *p = (struct plan){0};
}

uint32_t plan_points(const struct plan *p)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < p->n_axes; i++)
        n *= p->axis[i].n;
    return n;
}

void plan_point(const struct plan *p, uint32_t point, uint32_t index[AXES_MAX])
{
    for (uint32_t i = p->n_axes; i-- > 0;) {
        index[i] = point % p->axis[i].n;
        point /= p->axis[i].n;
    }
}

const char *plan_value(const struct plan *p, uint32_t point, uint32_t axis)
{
    uint32_t index[AXES_MAX];
    plan_point(p, point, index);
    return p->axis[axis].value[index[axis]];
}

bool plan_machine(const struct plan *p, uint32_t point, struct machine *m, struct error *e)
{
    char set[AXES_MAX][2 * PARAM_TEXT_MAX + 2];
    const char *sets[AXES_MAX];
    uint32_t index[AXES_MAX];
    struct errors found = {0};
    plan_point(p, point, index);
    for (uint32_t i = 0; i < p->n_axes; i++) {
        set_text(set[i], sizeof set[i], &p->axis[i], index[i]);
        sets[i] = set[i];
    }
    *m = p->base;
    bool ok = machine_set(m, sets, p->n_axes, &found);
    if (!ok && found.n) *e = found.item[0];
    if (!ok && !found.n) error_no_memory(e);
    errors_fini(&found);
    return ok;
}

const struct program *plan_program(const struct plan *p, uint32_t workload, uint32_t warp_width)
{
    const struct workload *w = &p->workload[workload];
    return warp_width > 32 ? w->wide : w->narrow;
}

const char *plan_engine(const struct plan *p)
{
    return engine_name[p->engine];
}

const char *plan_design(const struct plan *p)
{
    (void)p;
    return "grid";
}

const char *plan_workload(const struct plan *p, uint32_t workload)
{
    const struct workload *w = &p->workload[workload];
    return program_name(w->narrow ? w->narrow : w->wide);
}
