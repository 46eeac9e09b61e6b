/* axis.c - see axis.h. */
#include "sweeps/axis.h"

#include "base/text.h"
#include "machine/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct axis *axis;
    const struct conf_node *node;
    struct arena *arena;
    struct errors *all;
    const char **value;
    bool whole; /* the parameter takes whole numbers */
};

static bool refuse(struct reading *r, const struct conf_node *at, const char *what)
{
    errors_add(r->all, "%s:%" PRIu32 ": %s", conf_file(at), conf_line(at), what);
    return false;
}

static void real_text(double v, char *out, size_t cap)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, cap, "%.*g", digits, v);
        if (strtod(out, NULL) == v) return;
    }
}

static bool append(struct reading *r, const struct conf_node *at, const char *text)
{
    char what[256];
    struct axis *a = r->axis;
    for (uint32_t i = 0; i < a->n; i++) {
        if (strcmp(a->value[i], text) != 0) continue;
        snprintf(what, sizeof what, "axis %.60s takes the value %.60s twice; give each value once",
                 a->path, text);
        return refuse(r, at, what);
    }
    if (a->n == AXIS_VALUES_MAX) return refuse(r, at, "an axis takes at most 4096 values");
    char *copy = arena_strdup(r->arena, text);
    if (!copy) return refuse(r, at, "out of memory");
    r->value[a->n++] = copy;
    return true;
}

/* A setting as the text that stands after "path=". */
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

static bool read_values(struct reading *r, const struct conf_node *values)
{
    char text[PARAM_TEXT_MAX];
    if (conf_type(values) != CONF_LIST || conf_count(values) == 0)
        return refuse(r, values, "values: expected a list such as [64, 128, 256]");
    for (uint32_t i = 0; i < conf_count(values); i++) {
        const struct conf_node *n = conf_child(values, i);
        if (!value_text(n, text, sizeof text))
            return refuse(r, n, "values: expected numbers, names or true and false");
        if (!append(r, n, text)) return false;
    }
    return true;
}

struct range {
    double lo, hi;
    uint32_t points;
    bool log2;
};

static bool read_bounds(struct reading *r, const struct conf_node *range, struct range *g)
{
    if (conf_type(range) != CONF_LIST || conf_count(range) != 2 ||
        !conf_real(conf_child(range, 0), &g->lo) || !conf_real(conf_child(range, 1), &g->hi) ||
        !(g->lo < g->hi))
        return refuse(r, range, "range: expected two rising numbers such as [16, 256]");
    return true;
}

static bool read_scale(struct reading *r, struct range *g)
{
    const struct conf_node *n = conf_find(r->node, "scale");
    if (!n) return true;
    const char *name = conf_text(n);
    if (!name || (strcmp(name, "linear") != 0 && strcmp(name, "log2") != 0))
        return refuse(r, n, "scale: expected \"linear\" or \"log2\"");
    g->log2 = strcmp(name, "log2") == 0;
    if (g->log2 && !(g->lo > 0)) return refuse(r, n, "scale: log2 needs a range above 0");
    return true;
}

static bool read_points(struct reading *r, struct range *g)
{
    int64_t points = 0;
    const struct conf_node *n = conf_find(r->node, "points");
    if (n) {
        if (!conf_int(n, &points) || points < 2 || points > AXIS_VALUES_MAX)
            return refuse(r, n, "points: expected a whole number from 2 to 4096");
        g->points = (uint32_t)points;
        return true;
    }
    double octaves = g->log2 ? log2(g->hi / g->lo) : 0;
    if (!g->log2 || fabs(octaves - round(octaves)) > 1e-9)
        return refuse(r, conf_find(r->node, "range"),
                      "range: needs points = N (only a log2 range whose ends are powers of two "
                      "apart does without)");
    g->points = (uint32_t)lround(octaves) + 1;
    return true;
}

static bool read_range(struct reading *r, const struct conf_node *range)
{
    struct range g = {0};
    char text[PARAM_TEXT_MAX];
    if (!read_bounds(r, range, &g) || !read_scale(r, &g) || !read_points(r, &g)) return false;
    for (uint32_t i = 0; i < g.points; i++) {
        double t = (double)i / (double)(g.points - 1);
        double v = g.log2 ? g.lo * pow(g.hi / g.lo, t) : g.lo + t * (g.hi - g.lo);
        if (i == g.points - 1) v = g.hi;
        real_text(r->whole ? round(v) : v, text, sizeof text);
        if (!append(r, range, text)) return false;
    }
    return true;
}

static bool known_keys(struct reading *r)
{
    static const char *const names[] = {"path", "values", "range", "scale", "points"};
    enum { N = sizeof names / sizeof names[0] };
    bool ok = true;
    for (uint32_t i = 0; i < conf_count(r->node); i++) {
        const struct conf_node *n = conf_child(r->node, i);
        bool known = false;
        for (uint32_t k = 0; k < N; k++)
            known |= strcmp(conf_name(n), names[k]) == 0;
        if (known) continue;
        char what[256];
        snprintf(
            what, sizeof what,
            "axes: unknown key %.60s; an axis has path and values, or path, range, scale, points",
            conf_name(n));
        ok = refuse(r, n, what);
    }
    return ok;
}

static bool read_path(struct reading *r)
{
    char what[400];
    const char *closest = NULL;
    const struct part *part;
    const struct conf_node *n = conf_find(r->node, "path");
    const char *path = n ? conf_text(n) : NULL;
    if (!path) return refuse(r, n ? n : r->node, "axes: path: expected a parameter in quotes");
    const struct param *param = machine_find_param(path, &part, &closest);
    if (!param) {
        snprintf(what, sizeof what,
                 "axes: no parameter %.100s%s%.100s%s; 'plumb machine params' lists them", path,
                 closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "");
        return refuse(r, n, what);
    }
    r->whole = param->type == PARAM_INT || param->type == PARAM_SIZE;
    r->axis->path = arena_strdup(r->arena, path);
    r->axis->line = conf_line(r->node);
    return r->axis->path || refuse(r, n, "out of memory");
}

bool axis_read(struct axis *a, const struct conf_node *n, struct arena *arena, struct errors *all)
{
    *a = (struct axis){0};
    struct reading r = {.axis = a, .node = n, .arena = arena, .all = all};
    if (conf_type(n) != CONF_GROUP)
        return refuse(&r, n,
                      "axes: expected groups such as { path = \"l2.bank_kb\"; values = [128]; }");
    if (!known_keys(&r) || !read_path(&r)) return false;
    r.value = arena_new(arena, AXIS_VALUES_MAX, sizeof *r.value);
    if (!r.value) return refuse(&r, n, "out of memory");
    a->value = r.value;
    const struct conf_node *values = conf_find(n, "values"), *range = conf_find(n, "range");
    if (!values == !range) return refuse(&r, n, "axes: expected either values or range");
    return values ? read_values(&r, values) : read_range(&r, range);
}
