/* functional_caches_state.c - construction, snapshot and serialization of the functional machine's
 * memory system; see functional_caches.h. */
#include "gpu/functional/memory/functional_caches.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"
#include "gpu/functional/memory/directory_l1s.h"
#include "gpu/functional/memory/functional_l3.h"
#include "gpu/geometry/coalesce.h"
#include "gpu/machine/machine.h"

#include <string.h>

static void left_l1(void *ctx, uint64_t tag)
{
    admission_left(ctx, tag);
}

bool functional_caches_init_l1(struct functional_caches *w, uint32_t sm,
                               const struct cache_params *p)
{
    struct cache *c = &w->l1[sm];
    if (!cache_init(c, p, 1, 0, false)) return false;
    if (w->admission && throttle_follows_lines(w->m->sm.throttle)) {
        c->left = left_l1;
        c->left_ctx = &w->admission[sm].policies;
    }
    return !w->memory[sm].of[L1_OF_agcb] || cache_keep_notes(c);
}

#define OPS_OF(kind) extern const struct func_shared_ops func_shared_##kind;
SHARED_CACHES(OPS_OF)
#define ROW(kind) &func_shared_##kind,
static const struct func_shared_ops *const shared_ops[SHARED_KINDS] = {SHARED_CACHES(ROW)};

static bool init_shared(struct functional_caches *w)
{
    for (uint32_t k = 0; k < SHARED_KINDS; k++) {
        uint32_t n = shared_ops[k]->count(w);
        w->shared_from[k + 1] = w->shared_from[k] + n;
        if (n && shared_ops[k]->serves) w->serves = shared_ops[k]->serves;
    }
    if (!w->shared_from[SHARED_KINDS]) return true;
    w->shared = mem_new(w->shared_from[SHARED_KINDS], sizeof *w->shared);
    for (uint32_t k = 0; w->shared && k < SHARED_KINDS; k++)
        for (uint32_t i = w->shared_from[k]; i < w->shared_from[k + 1]; i++)
            if (!cache_init(&w->shared[i], shared_ops[k]->params(w), 1, 0, false)) return false;
    return w->shared != NULL;
}

static bool init_copies(struct functional_caches *w)
{
    uint32_t n = w->m->l2.banks;
    if (w->m->l2.inclusion == INCLUSION_NONE || !w->m->l1.enabled) return true;
    w->copies = mem_new(n, sizeof *w->copies);
    bool ok = w->copies != NULL;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = inclusion_filter_init(&w->copies[i], &w->slice[i], w->m->sm.count);
    return ok;
}

static bool init_pages(struct functional_caches *w)
{
    const struct map *maps[PAGE_MEMORIES] = {&w->map, w->map.second ? &w->second_map : NULL};
    const double gbps[PAGE_MEMORIES] = {dram_channels_gbps(&w->m->dram),
                                        dram_channels_gbps(&w->m->second_dram)};
    return !pages_are_placed(&w->m->pages) ||
           page_table_init(&w->pages, &w->m->pages, w->m->sm.count, maps, gbps);
}

bool functional_caches_init(struct functional_caches *w, const struct machine *m,
                            struct warp_admission *admission, struct error *e)
{
    *w = (struct functional_caches){.m = m,
                                    .l1_params = &m->l1,
                                    .l2 = &m->l2,
                                    .l3 = &m->l3,
                                    .sms = m->sm.count,
                                    .admission = admission,
                                    .mechanisms = machine_mechanisms(m)};
    if (!coherence_init(&w->coherence, m->coherence.protocol))
        return error_run(e, "the tables of the coherence protocol are incomplete");
    if (!map_init(&w->map, &m->l2, &m->dram, e) || !fluid_init(&w->timing, m, e)) return false;
    w->map.second = dram_is_there(&m->second_dram);
    if (w->map.second && !map_init_second(&w->second_map, &m->l2, &m->second_dram, e)) return false;
    if (!init_pages(w)) return error_no_memory(e);
    w->banks = dram_bank_count(&m->dram);
    w->second_banks = dram_bank_count(&m->second_dram);
    w->first_rows = (size_t)m->dram.channels * w->banks;
    w->rows = w->first_rows + (size_t)m->second_dram.channels * w->second_banks;
    uint32_t sector = m->l1.enabled ? m->l1.cache.sector_bytes : m->l2.cache.sector_bytes;
    w->access_bytes = coalesce_block(&m->sm, sector);
    w->l1 = mem_new(m->sm.count, sizeof *w->l1);
    w->slice = mem_new(m->l2.banks, sizeof *w->slice);
    const struct l1_rules rules = l1_rules_of(&m->l1, w->coherence.protocol != NULL);
    w->ways = l1_ways_of(&rules);
    w->memory = mem_new(m->sm.count, sizeof *w->memory);
    struct cache_params tags = l1_tag_params(&m->l1);
    w->row = mem_new(w->rows, sizeof *w->row);
    w->touched = mem_new(w->rows, sizeof *w->touched);
    bool ok = w->l1 && w->slice && w->row && w->touched && w->memory;
    if (ok) memset(w->row, 0xff, w->rows * sizeof *w->row);
    for (uint32_t i = 0; ok && i < m->sm.count; i++)
        ok = l1_memory_init(&w->memory[i], &m->l1) && functional_caches_init_l1(w, i, &tags);
    for (uint32_t i = 0; ok && i < m->l2.banks; i++)
        ok = cache_init(&w->slice[i], &m->l2.cache, m->l2.banks, m->l2.interleave_bytes, false) &&
             (m->l1.bypass != BYPASS_AGCB || cache_keep_notes(&w->slice[i]));
    ok = ok && functional_tlbs_init(&w->tlbs, &m->tlb, m->sm.count);
    ok = ok && init_shared(w) && init_copies(w) && directory_l1s_init(w) && functional_l3_init(w);
    return ok || error_no_memory(e);
}

void functional_caches_fini(struct functional_caches *w)
{
    for (uint32_t i = 0; w->l1 && i < w->m->sm.count; i++)
        cache_fini(&w->l1[i]);
    for (uint32_t i = 0; w->slice && i < w->m->l2.banks; i++)
        cache_fini(&w->slice[i]);
    for (uint32_t i = 0; w->memory && i < w->m->sm.count; i++)
        l1_memory_fini(&w->memory[i]);
    for (uint32_t i = 0; w->copies && i < w->m->l2.banks; i++)
        inclusion_filter_fini(&w->copies[i]);
    for (uint32_t i = 0; w->shared && i < w->shared_from[SHARED_KINDS]; i++)
        cache_fini(&w->shared[i]);
    functional_tlbs_fini(&w->tlbs);
    directory_l1s_fini(w);
    functional_l3_fini(w);
    fluid_fini(&w->timing);
    page_table_fini(&w->pages);
    mem_free(w->copies);
    mem_free(w->shared);
    mem_free(w->memory);
    mem_free(w->l1);
    mem_free(w->slice);
    mem_free(w->row);
    mem_free(w->touched);
}

/* --- the warm state with which an interval begins --- */

static bool save_cache(struct cache_image *to, const struct cache *c)
{
    struct line_image *all = mem_new(c->index.n ? c->index.n : 1, sizeof *all);
    if (!all) return false;
    to->line = all;
    to->n = cache_save(c, all);
    return true;
}

static bool save_memory(struct cache_image *to, const struct functional_caches *w, uint32_t sm)
{
    if (!l1_memory_init(&to->memory, &w->m->l1)) return false;
    l1_memory_copy(&to->memory, &w->memory[sm], &w->m->l1);
    return true;
}

static bool save_served(struct cache_image *to, const struct cache *c,
                        const struct inclusion_filter *k)
{
    size_t bytes = k->words * sizeof *k->served;
    to->served = mem_new(to->n ? to->n : 1, bytes);
    for (uint32_t i = 0; to->served && i < to->n; i++)
        memcpy(to->served + (size_t)i * k->words,
               k->served + (size_t)cache_find(c, to->line[i].tag) * k->words, bytes);
    return to->served != NULL;
}

static bool save_rows(struct warm_state *s, const struct functional_caches *w)
{
    s->row = mem_new(w->rows, sizeof *s->row);
    s->idle = mem_new(w->rows, sizeof *s->idle);
    if (!s->row || !s->idle) return false;
    memcpy(s->row, w->row, w->rows * sizeof *s->row);
    for (size_t i = 0; i < w->rows; i++)
        s->idle[i] = (uint64_t)(w->timing.now - w->touched[i]);
    return true;
}

static bool save_pages(struct warm_state *s, const struct functional_caches *w)
{
    struct page_table *pages = functional_caches_pages((struct functional_caches *)w);
    struct serializer t = {.mode = SERIALIZE_MEASURE};
    if (!pages) return true;
    page_table_serialize(pages, &t);
    s->pages = mem_new_unset(t.bytes, 1);
    t = (struct serializer){.mode = SERIALIZE_SAVE, .block = s->pages};
    return s->pages && page_table_serialize(pages, &t);
}

struct warm_state *functional_caches_save(const struct functional_caches *w)
{
    struct warm_state *s = mem_new(1, sizeof *s);
    if (!s) return NULL;
    *s = (struct warm_state){.sms = w->m->sm.count,
                             .slices = w->m->l2.banks,
                             .banks = w->banks,
                             .parts = w->parts,
                             .cycles = (uint64_t)w->timing.now};
    s->l1 = mem_new(s->sms, sizeof *s->l1);
    s->slice = mem_new(s->slices, sizeof *s->slice);
    uint32_t shared = w->shared_from[SHARED_KINDS];
    memcpy(s->shared_from, w->shared_from, sizeof s->shared_from);
    if (shared) s->shared = mem_new(shared, sizeof *s->shared);
    if (s->parts) s->part = mem_new(s->parts, sizeof *s->part);
    bool ok = s->l1 && s->slice && save_rows(s, w) && save_pages(s, w) && (s->shared || !shared) &&
              (s->part || !s->parts);
    for (uint32_t i = 0; ok && i < s->sms; i++)
        ok = save_cache(&s->l1[i], &w->l1[i]) && save_memory(&s->l1[i], w, i) &&
             directory_l1s_save(w, i, &s->l1[i]);
    for (uint32_t i = 0; ok && i < shared; i++)
        ok = save_cache(&s->shared[i], &w->shared[i]);
    for (uint32_t i = 0; ok && i < s->parts; i++)
        ok = save_cache(&s->part[i], &w->part[i]);
    for (uint32_t i = 0; ok && i < s->slices; i++)
        ok = save_cache(&s->slice[i], &w->slice[i]) &&
             (!w->copies || save_served(&s->slice[i], &w->slice[i], &w->copies[i]));
    if (ok && functional_tlbs_save(&w->tlbs, s)) return s;
    warm_state_free(s);
    return NULL;
}

/* --- serialization --- */

/* Replaces the L1s by empty ones of that many lines; false: no memory. */
static bool remake_l1s(struct functional_caches *w, uint32_t lines)
{
    for (uint32_t i = 0; i < w->m->sm.count; i++) {
        struct cache_params p =
            l1_tags_of(&w->m->l1, (uint32_t)((uint64_t)lines * w->m->l1.cache.line_bytes / 1024));
        cache_fini(&w->l1[i]);
        if (!functional_caches_init_l1(w, i, &p)) return false;
    }
    return true;
}

/* Rebuilds the holders of the inclusion filters from the L1s that were just loaded. */
static void find_copies(struct functional_caches *w)
{
    for (uint32_t sm = 0; sm < w->m->sm.count; sm++) {
        const struct cache *l1 = &w->l1[sm];
        uint32_t step = w->m->l2.cache.line_bytes;
        for (uint32_t i = 0; i < l1->n_lines; i++) {
            uint64_t addr = l1->line[i].tag << l1->line_shift;
            if (!l1->line[i].resident) continue;
            for (uint32_t at = 0; at < l1->p.line_bytes; at += step) {
                uint32_t slice = map_slice(&w->map, addr + at);
                const struct cache *l2 = &w->slice[slice];
                uint32_t line = cache_find(l2, cache_tag(l2, addr + at));
                if (line != LINE_NONE) inclusion_filter_note_copy(&w->copies[slice], line, sm);
            }
        }
    }
}

bool functional_caches_restart(void *memory, struct error *e)
{
    struct functional_caches *w = memory;
    const struct machine *m = w->m;
    functional_caches_fini(w);
    return functional_caches_init(w, m, w->admission, e);
}

bool functional_caches_serialize(void *memory, struct serializer *t)
{
    struct functional_caches *w = memory;
    uint32_t now = cache_params_lines(&w->l1[0].p), lines = now;
    SERIALIZE_VALUE(t, lines);
    if (lines != now && !remake_l1s(w, lines)) return false;
    for (uint32_t i = 0; i < w->m->sm.count; i++) {
        cache_serialize(&w->l1[i], t);
        l1_memory_serialize(&w->memory[i], &w->m->l1, t);
    }
    directory_l1s_serialize(w, t);
    functional_tlbs_serialize(&w->tlbs, t);
    for (uint32_t i = 0; i < w->shared_from[SHARED_KINDS]; i++)
        cache_serialize(&w->shared[i], t);
    for (uint32_t i = 0; i < w->m->l2.banks; i++)
        cache_serialize(&w->slice[i], t);
    for (uint32_t i = 0; i < w->parts; i++)
        cache_serialize(&w->part[i], t);
    for (uint32_t i = 0; w->copies && i < w->m->l2.banks; i++)
        inclusion_filter_serialize(&w->copies[i], t);
    serialize_data(t, w->row, w->rows * sizeof *w->row);
    serialize_data(t, w->touched, w->rows * sizeof *w->touched);
    fluid_serialize(&w->timing, t);
    if (functional_caches_pages(w) && !page_table_serialize(&w->pages, t)) return false;
    if (w->copies && t->mode == SERIALIZE_LOAD) find_copies(w);
    return true;
}
