/* register_file.c - building, clearing and checking; see register_file.h. */
#include "detailed/register_file/register_file.h"

#include "base/memory/alloc.h"

#include <string.h>

enum { NOBODY = REGISTER_NOBODY };

/* --- memory --- */

static uint32_t collectors_of(const struct register_file_params *p, enum collector_kind kind)
{
    switch (kind) {
    case COLLECTOR_SP: return p->collectors.sp;
    case COLLECTOR_SFU: return p->collectors.sfu;
    case COLLECTOR_MEMORY: return p->collectors.memory;
    case COLLECTOR_N: break;
    }
    return 0;
}

static bool init_collectors(struct register_file *r, uint32_t *n)
{
    *n = 0;
    bool ok = true;
    for (enum collector_kind k = 0; k < COLLECTOR_N; k++) {
        r->set[k].n = collectors_of(r->p, k);
        r->set[k].order = mem_new(r->set[k].n, sizeof *r->set[k].order);
        ok = ok && r->set[k].order;
        *n += r->set[k].n;
    }
    uint32_t memory = r->set[COLLECTOR_MEMORY].n;
    r->collector = mem_new(*n, sizeof *r->collector);
    r->lists = mem_new((size_t)memory * WARP_MAX_LANES, sizeof *r->lists);
    if (!ok || !r->collector || !r->lists) return false;
    for (uint32_t i = 0; i < memory; i++)
        r->collector[*n - memory + i].list = &r->lists[(size_t)i * WARP_MAX_LANES];
    return true;
}

bool register_file_init(struct register_file *r, const struct register_file_params *p,
                        const struct sm_params *sm, const struct register_file_owner *owner)
{
    uint32_t n;
    *r = (struct register_file){.p = p,
                                .owner = *owner,
                                .slots = sm->max_warps / sm->subcores,
                                .subcores = sm->subcores,
                                .segment = register_file_segment(p),
                                .accesses = POOL(struct register_access, next),
                                .results = POOL(struct pending_result, next)};
    r->bank = mem_new(p->banks, sizeof *r->bank);
    r->next = mem_new((size_t)r->slots * r->subcores, sizeof *r->next);
    bool ok = init_collectors(r, &n) && r->bank && r->next &&
              write_buffer_init(&r->buffer, p->write_buffer, p->banks) &&
              register_cache_init(&r->cache, p->cache_entries, sm->subcores * SM_SUBCORE_SLOTS);
    if (ok)
        register_file_clear(r);
    else
        register_file_fini(r);
    return ok;
}

void register_file_fini(struct register_file *r)
{
    for (uint32_t k = 0; k < COLLECTOR_N; k++)
        mem_free(r->set[k].order);
    mem_free(r->place);
    mem_free(r->next);
    mem_free(r->collector);
    mem_free(r->lists);
    mem_free(r->bank);
    mem_free(r->access);
    mem_free(r->result);
    write_buffer_fini(&r->buffer);
    register_cache_fini(&r->cache);
    *r = (struct register_file){0};
}

static void clear_banks(struct register_file *r)
{
    const struct access_queue none = {NOBODY, NOBODY};
    for (uint32_t i = 0; i < r->p->banks; i++)
        r->bank[i] = (struct register_bank){.reads = none, .writes = none};
    memset(r->newest, 0, sizeof r->newest);
    for (uint32_t u = 0; u < RESULT_UNITS; u++)
        r->due[u] = none;
    pool_clear(&r->accesses, &r->access);
    pool_clear(&r->results, &r->result);
}

void register_file_clear(struct register_file *r)
{
    uint16_t next = 0;
    clear_banks(r);
    for (uint32_t k = 0; k < COLLECTOR_N; k++) {
        r->set[k].used = 0;
        for (uint32_t i = 0; i < r->set[k].n; i++)
            r->set[k].order[i] = next++;
    }
    r->collecting = 0;
    r->next_due = UINT64_MAX;
    r->due_units = 0;
    memset(r->want, 0, sizeof r->want);
    r->busy = 0;
    r->s = (struct register_file_stats){0};
    write_buffer_clear(&r->buffer);
    register_cache_clear(&r->cache);
}

bool register_file_launch(struct register_file *r, const struct register_map *map,
                          const struct register_warps *w)
{
    size_t n = (size_t)r->slots * r->subcores * map->registers;
    if (n > r->place_cap) {
        mem_free(r->place);
        r->place = mem_new_unset(n, sizeof *r->place);
        r->place_cap = r->place ? n : 0;
        if (!r->place) return false;
    }
    const struct register_layout layout = register_layout(r->p, w);
    r->map = map;
    r->home =
        layout.piece ? r->segment / 2 : (layout.rows < r->segment ? layout.rows : r->segment) / 2;
    struct register_place *to = r->place;
    for (uint32_t subcore = 0; subcore < r->subcores; subcore++)
        for (uint32_t slot = 0; slot < r->slots; slot++)
            for (uint32_t reg = 0; reg < map->registers; reg++)
                *to++ = register_layout_place(&layout, slot, subcore, reg);
    write_buffer_clear(&r->buffer);
    register_cache_clear(&r->cache);
    return true;
}

bool register_file_check(const struct register_file *r)
{
    uint32_t used = 0;
    for (uint32_t k = 0; k < COLLECTOR_N; k++)
        used += r->set[k].used;
    uint64_t left = r->s.voided + r->s.direct + r->s.piggyback + r->s.overflow + r->s.around;
    return used == r->collecting &&
           r->s.score_0 + r->s.score_1 + r->s.score_2 + r->s.score_3 == r->s.scored &&
           left <= r->s.writes && r->s.cache_reads + r->s.buffer_reads <= r->s.reads;
}
