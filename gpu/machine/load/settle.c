/* settle.c - the steps after all layers are read: rows that do not apply, derived fields, checks
 * between parameters; see loader.h. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/load/loader.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CHECK_LIST(name) &name##_checks,
static const struct check_list *const check_lists[] = {MACHINE_CHECKS(CHECK_LIST)};
enum { CHECK_LISTS = sizeof check_lists / sizeof *check_lists };

void loader_derive_fields(struct machine *m)
{
    struct cache_params *l1 = &m->l1.cache;
    l1->sets = check_l1_sets(m->l1.kb, l1);
    l1->short_sets = l1->sets ? l1_tags_of(&m->l1, m->l1.kb).short_sets : 0;
    m->l2.cache.sets = check_derived_sets(m->l2.bank_kb, &m->l2.cache);
    m->dram.clock_khz = check_whole_khz(m->dram.clock_mhz);
    m->second_dram.clock_khz = check_whole_khz(m->second_dram.clock_mhz);
    for (uint32_t i = 0; i < CHECK_LISTS; i++)
        if (check_lists[i]->derive) check_lists[i]->derive(m);
}

static void refuse_inactive(struct loader *l, const struct param_ref *ref,
                            const struct param_ref *selector)
{
    struct text t = {0};
    text_add(&t, "set although %s = ", selector->param->full_path);
    bool empty = param_is(selector->param, param_ref_struct_const(selector, l->m), "");
    (empty ? param_print : param_print_bare)(selector->param,
                                             param_ref_struct_const(selector, l->m), &t);
    text_add(&t, "; allowed with ");
    param_ref_when_text(ref, l->m, &t);
    loader_inherited_choice(l, selector, ref, &t);
    loader_fault(l, ref, text_str(&t));
    text_fini(&t);
}

/* Made once: most rows of a machine do not apply to it, and sweeps make many machines. */
static struct machine defaults;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_defaults(void)
{
    machine_defaults(&defaults);
}

/* Resets a row that does not apply to its default. Setting it is an error unless a later layer
 * changed the selector: a preset's settings for one policy must not forbid the choice of another.
 */
static void settle_row(struct loader *l, const struct param_ref *ref)
{
    struct param_ref selector;
    struct origin *o = &l->origin[ref->id];
    if (param_ref_is_active(ref, l->m, &selector)) return;
    const struct origin *chosen = &l->origin[selector.id];
    if (chosen->refused) return;
    if (o->file && o->layer >= chosen->layer) {
        refuse_inactive(l, ref, &selector);
        o->refused = true;
    } else {
        o->layer = chosen->layer; /* rows that depend on this one are reset by the same change */
    }
    param_copy(ref->param, param_ref_struct(ref, l->m), param_ref_struct_const(ref, &defaults));
}

/* Finds the row that gets the error: the one set last. false: one of them was refused. */
static bool find_culprit(const struct loader *l, const struct check *c, struct param_ref *culprit)
{
    struct param_ref ref, selector;
    if (!parts_ref_by_path(c->reads[0], culprit)) return false;
    for (uint32_t i = 0; i < CHECK_READS_MAX && c->reads[i]; i++) {
        if (!parts_ref_by_path(c->reads[i], &ref)) return false;
        const struct origin *o = &l->origin[ref.id], *best = &l->origin[culprit->id];
        if (o->refused) return false;
        if (!param_ref_is_active(&ref, l->m, &selector)) continue; /* of an absent memory, say */
        bool later = o->layer > best->layer || (o->layer == best->layer && o->line > best->line);
        if (o->file && (!best->file || later)) *culprit = ref;
    }
    return true;
}

static void run_check(struct loader *l, const struct check *c, const struct machine *m)
{
    struct param_ref culprit;
    struct text why = {0};
    if (!c->holds(m, &why) && find_culprit(l, c, &culprit)) {
        if (m == l->m) loader_clash(l, c, &culprit, &why);
        loader_fault(l, &culprit, text_str(&why));
    }
    text_fini(&why);
}

static void run_checks(struct loader *l, const struct check_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        run_check(l, &list->row[i], l->m);
}

/* Runs a check of the first memory on the second, whose parameters get the error. */
static void run_second_check(struct loader *l, const struct check *first,
                             const struct machine *alone)
{
    char path[CHECK_READS_MAX][PATH_MAX_LENGTH];
    struct check c = *first;
    for (uint32_t i = 0; i < CHECK_READS_MAX && c.reads[i]; i++) {
        if (strncmp(c.reads[i], "dram.", 5) != 0) continue;
        snprintf(path[i], PATH_MAX_LENGTH, "%s.%s", second_dram_part.name, c.reads[i] + 5);
        c.reads[i] = path[i];
    }
    run_check(l, &c, alone);
}

void loader_settle(struct loader *l)
{
    struct param_ref ref;
    pthread_once(&made, make_defaults);
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++)
        settle_row(l, &ref);
    loader_derive_fields(l->m);
    for (uint32_t k = 0; k < CHECK_LISTS; k++)
        run_checks(l, check_lists[k]);
    struct machine alone;
    bool second = check_second_as_first(l->m, &alone);
    for (uint32_t i = 0; second && i < dram_checks.n; i++)
        run_second_check(l, &dram_checks.row[i], &alone);
}

bool loader_checks_hold(const struct machine *m)
{
    struct text why = {0};
    bool ok = true;
    for (uint32_t k = 0; k < CHECK_LISTS; k++)
        for (uint32_t i = 0; ok && i < check_lists[k]->n; i++)
            ok = check_lists[k]->row[i].holds(m, &why);
    struct machine alone;
    bool second = check_second_as_first(m, &alone);
    for (uint32_t i = 0; second && ok && i < dram_checks.n; i++)
        ok = dram_checks.row[i].holds(&alone, &why);
    text_fini(&why);
    return ok;
}
