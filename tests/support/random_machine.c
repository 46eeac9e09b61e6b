#include "tests/support/random_machine.h"

#include "base/memory/rng.h"
#include "tests/support/run.h"

#include <math.h>

void atlas_init(struct atlas *a)
{
    *a = (struct atlas){0};
    assert_true(name_lists_init(&a->names));
    for (uint32_t i = 0; i < a->names.n_paths; i++) {
        const struct param *p = machine_find_param(a->names.paths[i], NULL, NULL);
        static const char *const truth[] = {"false", "true"};
        for (uint32_t k = 0;
             p->type == PARAM_BOOL ? k < 2 : p->type == PARAM_ENUM && p->choices[k].name; k++) {
            struct level *l = &a->level[a->n++];
            assert_true(a->n <= LEVELS_MAX);
            *l = (struct level){.path = a->names.paths[i], .p = p};
            snprintf(l->value, sizeof l->value, "%s",
                     p->type == PARAM_BOOL ? truth[k] : p->choices[k].name);
        }
    }
}

void atlas_fini(struct atlas *a)
{
    name_lists_fini(&a->names);
}

bool param_value_is(const struct machine *m, const char *path, const char *value)
{
    const struct part *part;
    const struct param *p = machine_find_param(path, &part, NULL);
    return param_is(p, (const char *)m + part->offset, value);
}

bool param_applies(const struct machine *m, const struct param *p)
{
    char path[PARAM_TEXT_MAX];
    if (!p->when) return true;
    size_t n = strcspn(p->when, "!=");
    snprintf(path, sizeof path, "%.*s", (int)n, p->when);
    bool not_equal = p->when[n] == '!';
    return param_value_is(m, path, p->when + n + 1 + not_equal) != not_equal;
}

struct machine build_machine(const struct drawn *d)
{
    struct machine m = run_machine(d->preset, NULL, 0);
    for (uint32_t i = 0; i < d->n; i++) {
        const char *set = d->set[i];
        struct errors all = {0};
        machine_set(&m, &set, 1, &all);
        errors_fini(&all);
    }
    return m;
}

bool try_set(struct atlas *a, struct drawn *d, struct machine *m, const char *path,
             const char *value)
{
    struct errors all = {0};
    const char *set = d->set[d->n];
    if (d->n == SETS_MAX) return false;
    snprintf(d->set[d->n], SET_CHARS, "%s=%s", path, value);
    bool ok = machine_set(m, &set, 1, &all);
    errors_fini(&all);
    a->tried++;
    a->refused += !ok;
    d->n += ok;
    return ok;
}

/* Anything that is documented: the bounds, and what lies between them by magnitude. */
static double draw_extreme(struct rng *r, const struct param *p)
{
    double lo = fmax(p->lo, p->type == PARAM_INT ? 1 : 0.001), u = rng_unit(r);
    if (rng_below(r, 6) == 0) return p->lo;
    if (rng_below(r, 3) == 0 || p->hi <= lo) return p->hi;
    double v = lo * pow(p->hi / lo, u);
    return p->type == PARAM_INT ? floor(v) : v;
}

/* Small numbers, bounds, and neighbours of what stands there. */
static double draw_number(struct rng *r, const struct param *p, double now)
{
    const double from[] = {p->lo, p->lo + 1, 2, 3, 8, now / 2, now * 2, now - 1, now + 1, now * 3};
    double v = from[rng_below(r, sizeof from / sizeof *from)], most = fmax(64, 4 * now);
    if (p->type == PARAM_INT) v = floor(v);
    /* Clocks stay within a factor of two: others are right, too, but take the host their time. */
    if (p->type == PARAM_REAL) v = now * (2 + (double)rng_below(r, 7)) / 4;
    v = fmax(p->lo, fmin(v, fmin(p->hi, most)));
    return v;
}

bool draw_value(const struct atlas *a, struct rng *r, const struct machine *m, const char *path,
                char *out, size_t size)
{
    const struct part *part;
    const struct param *p = machine_find_param(path, &part, NULL);
    double now = 0;
    if (!param_number(p, (const char *)m + part->offset, &now) || p->type == PARAM_BOOL ||
        p->type == PARAM_ENUM)
        return draw_named(&a->names, r, p, out, size);
    now = a->extremes ? draw_extreme(r, p) : draw_number(r, p, now);
    if (a->extremes && p->type == PARAM_REAL)
        snprintf(out, size, "%.3f", now);
    else
        snprintf(out, size, "%.0f%s", now, p->type == PARAM_REAL ? ".0" : "");
    return true;
}

/* Two choices that have not met, if a few draws find some. */
static void draw_pair(struct atlas *a, struct rng *r, struct drawn *d, struct machine *m)
{
    for (int i = 0; i < 60; i++) {
        uint32_t x = (uint32_t)rng_below(r, a->n), y = (uint32_t)rng_below(r, a->n);
        if (a->level[x].p == a->level[y].p || a->met[x][y]) continue;
        try_set(a, d, m, a->level[x].path, a->level[x].value);
        try_set(a, d, m, a->level[y].path, a->level[y].value);
        return;
    }
}

static void note_pairs(struct atlas *a, const struct machine *m)
{
    uint32_t here[LEVELS_MAX], n = 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (param_applies(m, a->level[i].p) &&
            param_value_is(m, a->level[i].path, a->level[i].value))
            here[n++] = i;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            a->met[here[i]][here[k]] = 1;
}

struct machine draw_machine(struct atlas *a, struct rng *r, struct drawn *d)
{
    d->n = 0;
    snprintf(d->preset, sizeof d->preset, "%s", a->names.presets[rng_below(r, a->names.n_presets)]);
    struct machine m = run_machine(d->preset, NULL, 0);
    try_set(a, d, &m, "sm.count", rng_below(r, 2) ? "2" : "5"); /* or 80 would take their time */
    if (rng_below(r, 2)) draw_pair(a, r, d, &m);
    for (uint32_t k = (uint32_t)rng_below(r, 24); k > 0; k--) {
        char value[PARAM_TEXT_MAX];
        const char *path = a->names.paths[rng_below(r, a->names.n_paths)];
        if (strcmp(path, "sm.count") == 0) continue;
        if (draw_value(a, r, &m, path, value, sizeof value)) try_set(a, d, &m, path, value);
    }
    note_pairs(a, &m);
    return m;
}

uint32_t count_pairs(const struct atlas *a, uint32_t *all)
{
    uint32_t met = 0;
    *all = 0;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < i; k++) {
            if (a->level[i].p == a->level[k].p) continue;
            ++*all;
            met += a->met[i][k];
        }
    return met;
}
