/* plan_design.c - reads the keys that lay out a sweep's points. */
#include "sweeps/plan/axis.h"
#include "sweeps/plan/condition.h"

#include <string.h>

void plan_read_design(struct loading *l, const struct conf_node *n)
{
    static const char allowed[] = "\"grid\", \"sobol\", \"lhs\" or \"list\"";
    const char *s = loading_text(l, n, allowed);
    if (!s) return;
    for (int d = 0; d < DESIGN_N; d++) {
        if (strcmp(design_name[d], s) != 0) continue;
        l->plan->design = (enum design)d;
        return;
    }
    loading_refuse(l, n, "design: no design \"%s\"; allowed: %s", s, allowed);
}

/* In a design "list" all axes share a dimension; machines are another. */
void plan_read_axes(struct loading *l, const struct conf_node *n)
{
    struct plan *p = l->plan;
    uint32_t count = conf_count(n), dim = p->n_axes;
    uint64_t points = p->n_machines > 1 ? p->n_machines : 1;
    if (conf_type(n) != CONF_LIST || count == 0 || count > AXES_MAX) {
        loading_refuse(l, n, "axes: expected a list of 1 to %d axes", AXES_MAX);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!axis_read(l, conf_child(n, i), dim)) continue;
        points *= p->axis[p->n_axes - 1].n;
        if (p->design == DESIGN_GRID && points > POINTS_MAX) {
            loading_refuse(l, n, "axes: more than %d points; take fewer values", POINTS_MAX);
            return;
        }
        dim += p->design != DESIGN_LIST;
    }
}

/* Reads how many points to draw, or the rows of a list. */
void plan_read_points(struct loading *l, const struct conf_node *n)
{
    uint64_t count = 0;
    struct plan *p = l->plan;
    switch (p->design) {
    case DESIGN_GRID:
        loading_refuse(l, n,
                       "points: a grid has all combinations; for some of them give design = "
                       "\"sobol\" or \"lhs\"");
        return;
    case DESIGN_LIST: axis_read_rows(l, n); return;
    case DESIGN_SOBOL:
    case DESIGN_LHS:
    case DESIGN_N: break;
    }
    if (!loading_count(l, n, &count)) return;
    if (count < 1 || count > POINTS_MAX)
        loading_refuse(l, n, "points: expected a number from 1 to %d", POINTS_MAX);
    else
        p->draws = (uint32_t)count;
}

static void add_constraint(struct loading *l, const struct conf_node *n)
{
    struct error e = {0};
    struct plan *p = l->plan;
    const char *text = loading_text(l, n, "a condition such as \"l2.bank_kb * l2.banks <= 8192\"");
    if (!text) return;
    const struct expr *x = condition_read(p, text, p->n_axes, &e);
    if (!x) {
        loading_refuse(l, n, "constraints: \"%s\": %s", text, e.text);
        return;
    }
    p->constraint[p->n_constraints++] = x;
}

void plan_read_constraints(struct loading *l, const struct conf_node *n)
{
    if (conf_type(n) != CONF_LIST || conf_count(n) > CONSTRAINTS_MAX) {
        loading_refuse(l, n, "constraints: expected a list of at most %d conditions",
                       CONSTRAINTS_MAX);
        return;
    }
    for (uint32_t i = 0; i < conf_count(n); i++)
        add_constraint(l, conf_child(n, i));
}

void plan_read_illegal(struct loading *l, const struct conf_node *n)
{
    const char *s = loading_text(l, n, "\"refuse\" or \"skip\"");
    if (s && strcmp(s, "refuse") != 0 && strcmp(s, "skip") != 0)
        loading_refuse(l, n, "illegal: expected \"refuse\" or \"skip\"");
    l->plan->skip_illegal = s && strcmp(s, "skip") == 0;
}
