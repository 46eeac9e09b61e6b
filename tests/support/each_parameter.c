#include "tests/support/each_parameter.h"

enum { EACH_VALUES = 4, EACH_TEXT = 512 };

uint64_t each_count(const struct name_lists *l)
{
    return 1 + (uint64_t)EACH_VALUES * l->n_paths;
}

/* The k-th other choice. */
static bool each_choice(const struct param *p, double now, uint32_t k, char *out, size_t size)
{
    for (const struct choice *c = p->choices; c && c->name; c++) {
        if ((double)(c - p->choices) == now || k-- > 0) continue;
        snprintf(out, size, "%s", c->name);
        return true;
    }
    return false;
}

static bool each_value(const struct param *p, double now, uint32_t k, char *out, size_t size)
{
    const double from = now > 0 ? now : 4, value[EACH_VALUES] = {from / 8, from * 8, p->lo, p->hi};
    if (p->type == PARAM_ENUM) return each_choice(p, now, k, out, size);
    if (p->type == PARAM_BOOL) snprintf(out, size, "%s", now != 0 ? "false" : "true");
    if (p->type == PARAM_BOOL) return k == 0;
    if (p->type == PARAM_REAL)
        snprintf(out, size, "%.6f", fmax(p->lo, fmin(value[k], p->hi)));
    else
        snprintf(out, size, "%.0f", fmax(p->lo, fmin(floor(value[k]), p->hi)));
    return true;
}

/* machine: a preset and settings of it, separated by blanks. */
static bool each_base(const char *machine, struct random_draw *d)
{
    char text[EACH_TEXT], *left = NULL;
    struct errors all = {0};
    const char *sets[DRAW_SETS];
    snprintf(text, sizeof text, "%s", machine);
    const char *preset = strtok_r(text, " ", &left);
    snprintf(d->preset, sizeof d->preset, "%s", preset ? preset : "");
    d->sets = 0;
    for (char *s; d->sets < DRAW_SETS - 1 && (s = strtok_r(NULL, " ", &left)); d->sets++) {
        snprintf(d->set[d->sets], DRAW_TEXT, "%s", s);
        sets[d->sets] = d->set[d->sets];
    }
    bool ok = machine_load(&d->m, d->preset, sets, d->sets, &all);
    errors_fini(&all);
    return ok;
}

bool draw_each(const struct name_lists *l, const char *machine, uint64_t number,
               struct random_draw *d)
{
    const struct part *part;
    struct errors all = {0};
    char value[PARAM_TEXT_MAX];
    double now;
    if (!each_base(machine, d) || number >= each_count(l)) return false;
    if (number == 0) return true;
    const struct param *p = machine_find_param(l->paths[(number - 1) / EACH_VALUES], &part, NULL);
    if (p->when && !machine_meets(&d->m, p->when)) return false;
    if (!param_number(p, (const char *)&d->m + part->offset, &now) ||
        !each_value(p, now, (number - 1) % EACH_VALUES, value, sizeof value) ||
        machine_is(&d->m, p->full_path, value))
        return false;
    snprintf(d->set[d->sets], DRAW_TEXT, "%s=%s", p->full_path, value);
    const char *set = d->set[d->sets++];
    bool ok = machine_set(&d->m, &set, 1, &all);
    errors_fini(&all);
    return ok;
}

struct program *each_program(const char *spec, struct random_draw *d)
{
    struct program_opts o = {.warp_width = d->m.sm.warp_width};
    struct error e = {0};
    snprintf(d->program, sizeof d->program, "%s", spec);
    return program_open(d->program, &o, &e);
}
