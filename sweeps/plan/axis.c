/* axis.c - see axis.h. */
#include "sweeps/plan/axis.h"

#include "base/text/text.h"
#include "gpu/machine/machine.h"
#include "sweeps/plan/condition.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct axis_reading {
    struct loading *l;
    struct axis *axis;
    const struct conf_node *node;
    const char **value;
};

static void real_text(double v, char *out, size_t cap)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, cap, "%.*g", digits, v);
        if (strtod(out, NULL) == v) return;
    }
}

static bool push_value(struct axis_reading *r, const struct conf_node *at, const char *text)
{
    struct axis *a = r->axis;
    if (a->n == AXIS_VALUES_MAX)
        return loading_refuse(r->l, at, "an axis takes at most %d values", AXIS_VALUES_MAX);
    r->value[a->n] = loading_keep(r->l, text);
    return r->value[a->n++] != NULL;
}

static bool append_value(struct axis_reading *r, const struct conf_node *at, const char *text)
{
    const struct axis *a = r->axis;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->value[i], text) == 0)
            return loading_refuse(
                r->l, at, "axis %s takes the value %s twice; give each value once", a->path, text);
    return push_value(r, at, text);
}

/* Writes a setting as the text after "path=". */
static bool value_text(const struct conf_node *n, char *out, size_t cap)
{
    bool truth;
    int64_t whole;
    double real;
    switch (conf_type(n)) {
    case CONF_BOOL:
        conf_bool(n, &truth);
        snprintf(out, cap, "%s", truth ? "true" : "false");
        return true;
    case CONF_INT:
        conf_int(n, &whole);
        snprintf(out, cap, "%" PRId64, whole);
        return true;
    case CONF_REAL:
        conf_real(n, &real);
        real_text(real, out, cap);
        return true;
    case CONF_TEXT: return (size_t)snprintf(out, cap, "%s", conf_text(n)) < cap;
    case CONF_GROUP:
    case CONF_LIST: break;
    }
    return false;
}

static bool read_values(struct axis_reading *r, const struct conf_node *values)
{
    char text[PARAM_TEXT_MAX];
    if (conf_type(values) != CONF_LIST || conf_count(values) == 0)
        return loading_refuse(r->l, values, "values: expected a list such as [64, 128, 256]");
    for (uint32_t i = 0; i < conf_count(values); i++) {
        const struct conf_node *n = conf_child(values, i);
        if (!value_text(n, text, sizeof text))
            return loading_refuse(r->l, n, "values: expected numbers, names or true and false");
        if (!append_value(r, n, text)) return false;
    }
    return true;
}

struct range {
    double lo, hi;
    uint32_t points;
    bool log2;
};

static bool is_number(const char *path)
{
    const char *closest;
    const struct param *p = machine_find_param(path, NULL, &closest);
    return p->type == PARAM_INT || p->type == PARAM_SIZE || p->type == PARAM_REAL;
}

static bool read_bounds(struct axis_reading *r, const struct conf_node *range, struct range *g)
{
    if (!is_number(r->axis->path))
        return loading_refuse(r->l, range, "range: %s is no number; give it values", r->axis->path);
    if (conf_type(range) != CONF_LIST || conf_count(range) != 2 ||
        !conf_real(conf_child(range, 0), &g->lo) || !conf_real(conf_child(range, 1), &g->hi) ||
        !(g->lo < g->hi))
        return loading_refuse(r->l, range, "range: expected two rising numbers such as [16, 256]");
    return true;
}

static bool read_scale(struct axis_reading *r, struct range *g)
{
    const struct conf_node *n = conf_find(r->node, "scale");
    if (!n) return true;
    const char *name = conf_text(n);
    if (!name || (strcmp(name, "linear") != 0 && strcmp(name, "log2") != 0))
        return loading_refuse(r->l, n, "scale: expected \"linear\" or \"log2\"");
    g->log2 = strcmp(name, "log2") == 0;
    if (g->log2 && !(g->lo > 0))
        return loading_refuse(r->l, n, "scale: log2 needs a range above 0");
    return true;
}

static bool plan_draws(const struct plan *p)
{
    return p->design == DESIGN_SOBOL || p->design == DESIGN_LHS;
}

static bool read_points(struct axis_reading *r, struct range *g)
{
    int64_t points = 0;
    const struct conf_node *n = conf_find(r->node, "points");
    if (n) {
        if (!conf_int(n, &points) || points < 2 || points > AXIS_VALUES_MAX)
            return loading_refuse(r->l, n, "points: expected a whole number from 2 to %d",
                                  AXIS_VALUES_MAX);
        g->points = (uint32_t)points;
        return true;
    }
    if (plan_draws(r->l->plan)) return true;
    double octaves = g->log2 ? log2(g->hi / g->lo) : 0;
    if (!g->log2 || fabs(octaves - round(octaves)) > 1e-9)
        return loading_refuse(r->l, conf_find(r->node, "range"),
                              "range: needs points = N (only a log2 range whose ends are powers of "
                              "two apart does without)");
    g->points = (uint32_t)lround(octaves) + 1;
    return true;
}

/* A range from which a design draws any value. */
static bool open_range(struct axis_reading *r, const struct conf_node *range, const struct range *g)
{
    struct axis *a = r->axis;
    a->open = true;
    a->log2 = g->log2;
    a->lo = a->whole ? ceil(g->lo) : g->lo;
    a->hi = a->whole ? floor(g->hi) : g->hi;
    return a->lo < a->hi ||
           loading_refuse(r->l, range, "range: %s takes whole numbers; there are no two in there",
                          a->path);
}

static bool read_range(struct axis_reading *r, const struct conf_node *range)
{
    struct range g = {0};
    char text[PARAM_TEXT_MAX];
    if (!read_bounds(r, range, &g) || !read_scale(r, &g) || !read_points(r, &g)) return false;
    if (g.points == 0) return open_range(r, range, &g);
    for (uint32_t i = 0; i < g.points; i++) {
        double t = (double)i / (double)(g.points - 1);
        double v = g.log2 ? g.lo * pow(g.hi / g.lo, t) : g.lo + t * (g.hi - g.lo);
        if (i == g.points - 1) v = g.hi;
        real_text(r->axis->whole ? round(v) : v, text, sizeof text);
        if (!append_value(r, range, text)) return false;
    }
    return true;
}

/* --- the entry ---------------------------------------------------------------------------------
 */

static bool known_keys(struct loading *l, const struct conf_node *node)
{
    static const char *const names[] = {"path",  "paths",  "values", "range",
                                        "scale", "points", "when"};
    enum { N = sizeof names / sizeof names[0] };
    bool ok = true;
    for (uint32_t i = 0; i < conf_count(node); i++) {
        const struct conf_node *n = conf_child(node, i);
        bool known = false;
        for (uint32_t k = 0; k < N; k++)
            known |= strcmp(conf_name(n), names[k]) == 0;
        if (!known)
            ok = loading_refuse(l, n,
                                "axes: unknown key %s; an axis has path and values, or path, "
                                "range, scale, points, or paths and values; and when",
                                conf_name(n));
    }
    return ok;
}

/* Adds an axis for that parameter. */
static bool add_axis(struct axis_reading *r, const struct conf_node *n, uint32_t dim)
{
    const char *closest = NULL;
    struct plan *p = r->l->plan;
    const char *path = n ? conf_text(n) : NULL;
    if (!path)
        return loading_refuse(r->l, n ? n : r->node, "axes: path: expected a parameter in quotes");
    const struct param *param = machine_find_param(path, NULL, &closest);
    if (!param)
        return loading_refuse(
            r->l, n, "axes: no parameter %s%s%s%s; 'plumb machine params' lists them", path,
            closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "");
    for (uint32_t i = 0; i < p->n_axes; i++)
        if (strcmp(p->axis[i].path, path) == 0)
            return loading_refuse(r->l, r->node, "axes: %s has two axes; give it one", path);
    for (uint32_t i = 0; i < p->n_names; i++)
        if (strcmp(p->name[i].path, path) == 0)
            return loading_refuse(
                r->l, r->node, "axes: a condition speaks of %s before; put this axis first", path);
    if (p->n_axes == AXES_MAX)
        return loading_refuse(r->l, n, "axes: at most %d parameters", AXES_MAX);
    struct axis *a = &p->axis[p->n_axes];
    *a = (struct axis){.path = loading_keep(r->l, path), .line = conf_line(r->node), .dim = dim};
    a->whole = param->type == PARAM_INT || param->type == PARAM_SIZE;
    r->axis = a;
    r->value = arena_new(&p->arena, AXIS_VALUES_MAX, sizeof *r->value);
    a->value = r->value;
    if (!a->path || !r->value) return loading_refuse(r->l, n, "out of memory");
    p->n_axes++;
    return true;
}

static bool is_repeated(const struct plan *p, uint32_t first, uint32_t row)
{
    for (uint32_t before = 0; before < row; before++) {
        bool same = true;
        for (uint32_t k = first; k < p->n_axes && same; k++)
            same = strcmp(p->axis[k].value[before], p->axis[k].value[row]) == 0;
        if (same) return true;
    }
    return false;
}

/* Reads one row per value of the dimension, one column per axis from `first` on. */
static bool read_rows(struct axis_reading *r, const struct conf_node *rows, uint32_t first)
{
    struct plan *p = r->l->plan;
    uint32_t columns = p->n_axes - first;
    char text[PARAM_TEXT_MAX];
    if (conf_type(rows) != CONF_LIST || conf_count(rows) == 0)
        return loading_refuse(r->l, rows,
                              "%s: expected a list of rows such as ( [16, 4], [32, 8] )",
                              conf_name(rows));
    for (uint32_t i = 0; i < conf_count(rows); i++) {
        const struct conf_node *row = conf_child(rows, i);
        if (conf_type(row) != CONF_LIST || conf_count(row) != columns)
            return loading_refuse(r->l, row, "%s: row %u: expected %u values, one for each path",
                                  conf_name(rows), i + 1, columns);
        for (uint32_t k = 0; k < columns; k++) {
            r->axis = &p->axis[first + k];
            r->value = (const char **)r->axis->value;
            if (!value_text(conf_child(row, k), text, sizeof text))
                return loading_refuse(r->l, row, "%s: expected numbers, names or true and false",
                                      conf_name(rows));
            if (!push_value(r, row, text)) return false;
        }
        if (is_repeated(p, first, i))
            return loading_refuse(r->l, row, "%s: row %u stands there twice; give each row once",
                                  conf_name(rows), i + 1);
    }
    return true;
}

static bool read_linked(struct axis_reading *r, const struct conf_node *paths, uint32_t dim)
{
    uint32_t first = r->l->plan->n_axes;
    const struct conf_node *values = conf_find(r->node, "values");
    if (conf_type(paths) != CONF_LIST || conf_count(paths) < 2)
        return loading_refuse(r->l, paths,
                              "axes: paths: expected a list of at least two "
                              "parameters");
    for (uint32_t i = 0; i < conf_count(paths); i++)
        if (!add_axis(r, conf_child(paths, i), dim)) return false;
    if (r->l->plan->design == DESIGN_LIST)
        return loading_refuse(r->l, paths, "axes: in a list each parameter has a path of its own");
    if (!values) return loading_refuse(r->l, r->node, "axes: paths need values, row by row");
    return read_rows(r, values, first);
}

static bool read_single(struct axis_reading *r, uint32_t dim)
{
    const struct conf_node *n = r->node;
    const struct conf_node *values = conf_find(n, "values"), *range = conf_find(n, "range");
    if (!add_axis(r, conf_find(n, "path"), dim)) return false;
    if (r->l->plan->design == DESIGN_LIST)
        return (!values && !range) ||
               loading_refuse(r->l, n, "axes: in a list the values stand in points");
    if (!values == !range) return loading_refuse(r->l, n, "axes: expected either values or range");
    return values ? read_values(r, values) : read_range(r, range);
}

static bool read_when(struct axis_reading *r, uint32_t first)
{
    struct error e = {0};
    struct plan *p = r->l->plan;
    const struct conf_node *n = conf_find(r->node, "when");
    if (!n) return true;
    const char *text = loading_text(r->l, n, "a condition such as \"l1.kb > 16\"");
    if (!text) return false;
    const struct expr *x = condition_read(p, text, first, &e);
    if (!x) return loading_refuse(r->l, n, "when: \"%s\": %s", text, e.text);
    for (uint32_t i = first; i < p->n_axes; i++)
        p->axis[i].when = x;
    return true;
}

bool axis_read(struct loading *l, const struct conf_node *n, uint32_t dim)
{
    struct axis_reading r = {.l = l, .node = n};
    uint32_t first = l->plan->n_axes;
    if (conf_type(n) != CONF_GROUP)
        return loading_refuse(
            l, n, "axes: expected groups such as { path = \"l2.bank_kb\"; values = [128]; }");
    if (!known_keys(l, n)) return false;
    const struct conf_node *paths = conf_find(n, "paths");
    bool ok = paths ? read_linked(&r, paths, dim) : read_single(&r, dim);
    return ok && read_when(&r, first);
}

bool axis_read_rows(struct loading *l, const struct conf_node *points)
{
    struct axis_reading r = {.l = l, .node = points};
    return read_rows(&r, points, l->plan->n_machines > 1);
}
