/* condition.c - see condition.h. */
#include "sweeps/plan/condition.h"

#include "base/text/text.h"
#include "gpu/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scope_of {
    struct plan *plan;
    uint32_t axes;
};

static uint32_t axis_of(const struct plan *p, const char *path)
{
    for (uint32_t i = 0; i < p->n_axes; i++)
        if (strcmp(p->axis[i].path, path) == 0) return i;
    return AXIS_UNSET;
}

static bool type_of(const char *path, bool *is_text, struct error *e)
{
    const char *closest = NULL;
    if (strcmp(path, AXIS_MACHINE) == 0) return *is_text = true;
    const struct param *p = machine_find_param(path, NULL, &closest);
    if (!p)
        return error_input(e, "no parameter %s%s%s%s", path, closest ? " (did you mean " : "",
                           closest ? closest : "", closest ? "?)" : "");
    if (p->type == PARAM_LIST) return error_input(e, "%s is a list", path);
    *is_text = p->type == PARAM_ENUM || p->type == PARAM_TEXT || p->type == PARAM_FRAGMENT;
    return true;
}

/* The value of the parameter on each machine; NULL: no memory. */
static const struct expr_value *own_values(struct plan *p, const char *path, bool is_text)
{
    struct expr_value *own = arena_new(&p->arena, p->n_machines, sizeof *own);
    for (uint32_t i = 0; i < p->n_machines && own; i++) {
        struct text value = {0};
        own[i] = (struct expr_value){.is_text = is_text, .text = p->machine_spec[i]};
        bool named = strcmp(path, AXIS_MACHINE) == 0;
        if (is_text && !named) {
            machine_get_bare(&p->base[i], path, &value);
            own[i].text = arena_strdup(&p->arena, text_str(&value));
        }
        if (!is_text) machine_get_number(&p->base[i], path, &own[i].number);
        text_fini(&value);
        if (!own[i].text) own = NULL;
    }
    return own;
}

static bool find(void *ctx, const char *name, uint32_t *id, bool *is_text, struct error *e)
{
    struct scope_of *s = ctx;
    struct plan *p = s->plan;
    if (!type_of(name, is_text, e)) return false;
    uint32_t axis = axis_of(p, name);
    if (axis != AXIS_UNSET && axis >= s->axes)
        return error_input(e, "%s has an axis that comes later; put that axis first", name);
    for (*id = 0; *id < p->n_names; (*id)++)
        if (strcmp(p->name[*id].path, name) == 0) return true;
    if (p->n_names == NAMES_MAX)
        return error_input(e, "conditions speak of more than %d parameters", NAMES_MAX);
    struct plan_name n = {.path = arena_strdup(&p->arena, name), .axis = axis, .is_text = *is_text};
    n.own = own_values(p, name, *is_text);
    if (!n.path || !n.own) return error_no_memory(e);
    p->name[p->n_names++] = n;
    return true;
}

const struct expr *condition_read(struct plan *p, const char *text, uint32_t axes, struct error *e)
{
    struct scope_of s = {.plan = p, .axes = axes};
    return expr_read(text, find, &s, &p->arena, e);
}

/* Sizes may be written with KB or MB. */
static double number_of(const char *value)
{
    char *end;
    if (strcmp(value, "true") == 0) return 1;
    if (strcmp(value, "false") == 0) return 0;
    double v = strtod(value, &end);
    if (strcmp(end, "KB") == 0) return v * 1024;
    if (strcmp(end, "MB") == 0) return v * 1024 * 1024;
    return v;
}

struct place_of {
    const struct plan *plan;
    const uint32_t *index;
    const double *real;
};

static struct expr_value look(void *ctx, uint32_t id)
{
    const struct place_of *w = ctx;
    const struct plan_name *n = &w->plan->name[id];
    uint32_t machine = w->plan->n_machines > 1 ? w->index[0] : 0;
    if (n->axis == AXIS_UNSET || w->index[n->axis] == AXIS_UNSET) return n->own[machine];
    const struct axis *a = &w->plan->axis[n->axis];
    if (a->open) return (struct expr_value){.number = w->real[n->axis]};
    const char *value = a->value[w->index[n->axis]];
    if (n->is_text) return (struct expr_value){.is_text = true, .text = value};
    return (struct expr_value){.number = number_of(value)};
}

bool condition_holds(const struct plan *p, const struct expr *x, const uint32_t *index,
                     const double *real)
{
    struct place_of w = {.plan = p, .index = index, .real = real};
    return expr_true(x, look, &w);
}
