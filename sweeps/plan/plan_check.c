/* plan_check.c - lays out the points and checks the whole plan before anything runs. */
#include "sweeps/plan/plan_reader.h"

#include "base/memory/alloc.h"
#include "gpu/energy/sram_model.h"
#include "sweeps/plan/design.h"
#include "sweeps/plan/legal_values.h"

#include <inttypes.h>
#include <stdio.h>

/* --- points ------------------------------------------------------------------------------------
 */

/* errors reported per axis: a range may have hundreds that are wrong alike */
enum { VALUES_TOLD = 3 };

/* false: the machine is not legal; `told` decides whether that is recorded as an error. */
static bool value_fits(struct loading *l, const struct axis *axis, uint32_t value, bool told)
{
    struct machine m = l->plan->base[0];
    struct errors found = {0};
    char set[2 * PARAM_TEXT_MAX + 2];
    snprintf(set, sizeof set, "%s=%s", axis->path, axis->value[value]);
    bool fits =
        machine_set_as(&m, (const char *const[]){set}, 1, SETTING_OF_SWEEP, &found) || !found.n;
    if (!fits && told)
        errors_add(l->all, "%s:%" PRIu32 ": axis value %s", l->plan->file, axis->line,
                   found.item[0].text);
    errors_fini(&found);
    return fits;
}

/* Tries each value of each axis alone on the first machine, so that errors name the value rather
 * than the point. */
static void check_values(struct loading *l)
{
    const struct plan *p = l->plan;
    for (uint32_t i = p->n_machines > 1; i < p->n_axes; i++) {
        uint32_t wrong = 0;
        for (uint32_t k = 0; k < p->axis[i].n; k++)
            wrong += !value_fits(l, &p->axis[i], k, wrong < VALUES_TOLD);
        if (wrong > VALUES_TOLD)
            errors_add(l->all, "%s:%" PRIu32 ": and %" PRIu32 " more values of %s%s", p->file,
                       p->axis[i].line, wrong - VALUES_TOLD, p->axis[i].path,
                       "; list the values that are wanted, or leave such points out: illegal ="
                       " \"skip\"");
    }
}

static void refuse_point(struct loading *l, uint32_t point, const struct error *why)
{
    errors_add(l->all, "%s:%" PRIu32 ": the combination at point %" PRIu32 ": %s", l->plan->file,
               l->plan->axis[0].line, point, why->text);
}

/* Records the first errors of points that are no legal machines, unless such points are left out.
 */
static bool check_points(struct loading *l, const bool *legal)
{
    const struct plan *p = l->plan;
    struct error e = {0};
    struct machine m;
    if (p->illegal == 0 || p->skip_illegal) return true;
    check_values(l);
    for (uint32_t i = 0; i < p->n_points && l->all->n == 0; i++)
        if (!legal[i] && !plan_machine(p, i, &m, &e)) refuse_point(l, i, &e);
    return false;
}

enum { MACHINES_KEPT = 1 << 14 }; /* the machines of up to this many points are kept (70 MB) */

/* What is known of each point of a design. */
struct marks {
    bool *legal;
    struct machine *machine; /* NULL: not kept */
};

/* Marks the points that are legal machines and counts the others; ends after `most` of those. */
static void mark_points(struct plan *p, const struct marks *k, uint32_t most)
{
    struct error e = {0};
    struct machine m;
    p->illegal = 0;
    for (uint32_t i = 0; i < p->n_points && p->illegal < most; i++) {
        k->legal[i] = plan_machine(p, i, k->machine ? &k->machine[i] : &m, &e);
        p->illegal += !k->legal[i];
    }
}

/* Whether the design draws from ranges, where other values may take the place of illegal ones. */
static bool can_redraw(const struct plan *p)
{
    bool draws = p->design == DESIGN_SOBOL || p->design == DESIGN_LHS, open = false;
    for (uint32_t i = 0; i < p->n_axes; i++)
        open |= p->axis[i].lo < p->axis[i].hi;
    return draws && open && !p->skip_illegal;
}

static bool has_illegal_values(struct loading *l, const struct axis *a)
{
    for (uint32_t k = 0; k < a->n; k++)
        if (!value_fits(l, a, k, false)) return true;
    return false;
}

/* Draws from the legal values: the user asked for a range, not for a value that is not legal. */
static bool draw_legal(struct loading *l, struct error *e)
{
    struct plan *p = l->plan;
    bool ok = true;
    for (uint32_t i = p->n_machines > 1; ok && i < p->n_axes; i++) {
        struct axis *a = &p->axis[i];
        if (a->lo < a->hi && has_illegal_values(l, a)) ok = legal_values_find(p, a, e);
    }
    return ok && design_redraw(p, e);
}

/* Looks once at each point of the design that counts, as its machine takes a while to make. */
static bool mark_or_redraw(struct loading *l, const struct marks *k, struct error *e)
{
    struct plan *p = l->plan;
    bool again = can_redraw(p);
    mark_points(p, k, again ? 1 : UINT32_MAX);
    if (!again || p->illegal == 0) return true;
    if (!draw_legal(l, e)) return false;
    mark_points(p, k, UINT32_MAX);
    return true;
}

static void keep_marked(struct plan *p, const struct marks *k)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->n_points && k->machine; i++)
        if (k->legal[i]) k->machine[kept++] = k->machine[i];
    design_keep(p, k->legal);
}

static bool keep_legal(struct loading *l)
{
    struct plan *p = l->plan;
    struct error e = {0};
    uint32_t most = p->n_points > p->draws ? p->n_points : p->draws;
    struct marks k = {.legal = mem_new(most, sizeof *k.legal)};
    if (most <= MACHINES_KEPT) k.machine = mem_new_unset(most, sizeof *k.machine);
    bool marked = k.legal ? mark_or_redraw(l, &k, &e) : error_no_memory(&e);
    if (!marked) errors_add(l->all, "%s:%" PRIu32 ": %s", p->file, p->axis[0].line, e.text);
    bool ok = marked && check_points(l, k.legal);
    if (ok && p->illegal) keep_marked(p, &k);
    mem_free(k.legal);
    p->machine = k.machine; /* freed with the plan */
    if (ok && p->n_points == 0) errors_add(l->all, "%s:1: no point is a legal machine", p->file);
    return ok && p->n_points > 0;
}

static bool lay_out(struct loading *l)
{
    struct error e = {0};
    struct plan *p = l->plan;
    if (design_make(p, &e)) return keep_legal(l);
    errors_add(l->all, "%s:%" PRIu32 ": %s", p->file, p->axis[0].line, e.text);
    return false;
}

/* --- all ---------------------------------------------------------------------------------------
 */

static void check_workloads_differ(struct loading *l)
{
    char where[256];
    const uint32_t line = l->plan->n_workloads ? l->plan->workload[0].line : 1;
    snprintf(where, sizeof where, "%s:%" PRIu32 ": workloads", l->plan->file, line);
    plan_programs_differ(l->plan, where, l->all);
}

bool plan_check(struct loading *l)
{
    if (!lay_out(l)) return false;
    plan_keep_digests(l->plan);
    if (plan_open_programs(l->plan, l->all)) check_workloads_differ(l);
    if (l->all->n == 0) plan_share_samples(l);
    if (l->all->n == 0) plan_choose_anchors(l);
    return l->all->n == 0;
}

bool plan_energy_known(const struct plan *p, struct errors *all)
{
    struct machine m;
    struct error e = {0};
    for (uint32_t i = 0; i < p->n_points; i++) {
        if (!plan_machine(p, i, &m, &e) || m.energy.model != ENERGY_TABLES) continue;
        if (sram_tables(m.energy.table, &e)) continue;
        errors_add(all, "%s: point %" PRIu32 ": %s", p->file, i, e.text);
        return false;
    }
    return true;
}
