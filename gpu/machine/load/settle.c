/* settle.c - the steps after all layers are read: rows that do not apply, derived fields, checks
 * between parameters; see loader.h. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/load/loader.h"
#include "gpu/machine/params/coherence/cpu_programs.h"

#include <stdio.h>
#include <string.h>

/* A request is for one sector of the L2. */
static void derive_scalar(struct scalar_params *p, const struct cache_params *l2)
{
    p->cache.sets = check_derived_sets(p->kb, &p->cache);
    p->cache.sector_bytes =
        p->cache.line_bytes < l2->sector_bytes ? p->cache.line_bytes : l2->sector_bytes;
}

/* A part before each channel, with the L2's lines; writes do not pass through its cache's own
 * policy unless they find a copy. */
static void derive_l3(struct l3_params *p, const struct cache_params *l2, uint32_t channels)
{
    p->cache.line_bytes = l2->line_bytes;
    p->cache.sector_bytes = l2->sector_bytes;
    p->cache.alloc = ALLOC_ON_FILL;
    p->cache.write = WRITE_BACK;
    p->cache.write_miss = WRITE_MISS_NO_ALLOCATE;
    p->cache.sets = p->kb % channels ? 0 : check_derived_sets(p->kb / channels, &p->cache);
}

/* Every core has a port of its own at both networks; both memories treat them alike. */
static void derive_cores(struct machine *m)
{
    cpu_programs_find(&m->cpu, NULL); /* what is wrong, the checks say */
    m->noc.cpu_ports = m->cpu.cores;
    m->second_dram.cpu_first = m->dram.cpu_first;
}

/* The CPUs' caches hold blocks of the L2's size. */
static void derive_cpu(struct cpu_params *p, const struct cache_params *l2)
{
    p->cache.line_bytes = p->cache.sector_bytes = l2->sector_bytes;
    p->cache.write = WRITE_BACK;
    p->cache.write_miss = WRITE_MISS_FETCH;
    p->cache.sets = check_derived_sets(p->cache_kb, &p->cache);
}

/* The tags of `entries` pages; a line of 16 bytes stands for a page. */
static struct cache_params page_tags(uint32_t entries, uint32_t ways)
{
    enum { PAGE_LINE_BYTES = 16 };
    struct cache_params c = {.ways = ways ? ways : entries,
                             .line_bytes = PAGE_LINE_BYTES,
                             .sector_bytes = PAGE_LINE_BYTES};
    c.sets = c.ways && entries % c.ways == 0 ? entries / c.ways : 0;
    return c;
}

/* The walk cache holds lines of the L2, and asks for its sectors; it takes a line when the entries
 * come, so that a walk never waits for one. */
static void derive_tlb(struct tlb_params *p, const struct cache_params *l2, uint32_t page_kb)
{
    enum { KB_SHIFT = 10 };
    p->page_shift = KB_SHIFT;
    while (p->page_shift < 31 && UINT64_C(1) << p->page_shift < (uint64_t)page_kb << KB_SHIFT)
        p->page_shift++;
    p->l1 = page_tags(p->l1_entries, p->l1_ways);
    p->l2 = page_tags(p->l2_entries, p->l2_ways);
    p->walk_cache = (struct cache_params){.ways = p->walk_cache_ways,
                                          .line_bytes = l2->line_bytes,
                                          .sector_bytes = l2->sector_bytes,
                                          .alloc = ALLOC_ON_FILL};
    p->walk_cache.sets = check_derived_sets(p->walk_cache_kb, &p->walk_cache);
}

static void derive_register_file(struct register_file_params *p, const struct sm_params *sm)
{
    p->bank_entries = sm->registers / (sm->warp_width * p->banks);
}

void loader_derive_fields(struct machine *m)
{
    derive_register_file(&m->register_file, &m->sm);
    struct cache_params *l1 = &m->l1.cache;
    l1->sets = check_l1_sets(m->l1.kb, l1);
    l1->short_sets = l1->sets ? l1_tags_of(&m->l1, m->l1.kb).short_sets : 0;
    m->l2.cache.sets = check_derived_sets(m->l2.bank_kb, &m->l2.cache);
    derive_scalar(&m->scalar, &m->l2.cache);
    derive_tlb(&m->tlb, &m->l2.cache, m->pages.kb);
    m->l1.page_shift = tlb_is_on(&m->tlb) ? m->tlb.page_shift : 0;
    derive_cpu(&m->cpu, &m->l2.cache);
    derive_cores(m);
    derive_l3(&m->l3, &m->l2.cache, m->dram.channels);
    m->dram.clock_khz = check_whole_khz(m->dram.clock_mhz);
    m->second_dram.clock_khz = check_whole_khz(m->second_dram.clock_mhz);
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
    struct text none = {0};
    param_from_text(ref->param, param_ref_struct(ref, l->m), ref->param->dflt, &none);
    text_fini(&none);
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

static const struct check_list *const check_lists[] = {
    &chip_checks,   &register_file_checks, &cache_checks,      &l1_checks,  &partition_checks,
    &scalar_checks, &tlb_checks,           &l3_checks,         &cpu_checks, &coherence_checks,
    &pages_checks,  &dram_checks,          &second_dram_checks};
enum { CHECK_LISTS = sizeof check_lists / sizeof *check_lists };

void loader_settle(struct loader *l)
{
    struct param_ref ref;
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
