/* memory_need.c - see memory_need.h.  Counts follow the parts' init functions. */
#include "detailed/core/memory_need.h"

#include "base/memory/available.h"
#include "base/memory/hash_map.h"
#include "detailed/cpu/cpu_core.h"
#include "detailed/dram/dram.h"
#include "detailed/l2/l2_side.h"
#include "detailed/memory_side/memory_side.h"
#include "detailed/sm/sm.h"
#include "gpu/machine/machine.h"

#include <inttypes.h>

static uint64_t power_of_two(uint64_t least, uint64_t n)
{
    while (least < n)
        least *= 2;
    return least;
}

static uint64_t mshr_bytes(const struct mshr_params *p)
{
    uint64_t entries = p->entries ? p->entries : 64;
    return entries * (sizeof(struct mshr_entry) + sizeof(uint64_t) + 2 * sizeof(struct mshr_node)) +
           power_of_two(16, entries) * sizeof(uint32_t);
}

/* Bytes per line: its state and byte mask, its place in the replacement order and in the index. */
static uint64_t cache_bytes(const struct cache_params *p, bool shadow)
{
    enum { LINKS = 2, REPL_SET_BYTES = 4, INDEX_BYTES = sizeof(uint32_t) };
    uint64_t lines = (uint64_t)p->sets * p->ways, sectors = p->line_bytes / p->sector_bytes;
    uint64_t line = sizeof(struct cache_line) + 2 * sizeof(uint64_t);
    line += LINKS * (p->ways <= UINT16_MAX ? sizeof(uint16_t) : sizeof(uint32_t));
    if (shadow) line += sectors * sizeof(uint32_t);
    return lines * line + p->sets * (uint64_t)REPL_SET_BYTES +
           power_of_two(16, 2 * lines) * INDEX_BYTES + mshr_bytes(&p->mshr) +
           (uint64_t)p->tags * 2 * sizeof(struct hash_map_slot);
}

static uint64_t l2_bytes(const struct l2_params *p, uint64_t mechanisms_on)
{
    uint64_t lines = (uint64_t)p->cache.sets * p->cache.ways, bytes = sizeof(struct l2_slice);
    bytes += cache_bytes(&p->cache, SHADOW_ON) + l2_side_bytes(p, mechanisms_on);
    if (p->miss_management == MISS_CONVENTIONAL)
        bytes += lines * 2 * sizeof(uint32_t) + p->cache.sets * sizeof(uint16_t);
    return bytes;
}

static uint64_t sm_bytes(const struct sm_params *p, const struct l1_params *l1,
                         uint64_t mechanisms_on)
{
    uint64_t bytes = sizeof(struct sm) + (uint64_t)p->max_warps * sizeof(struct warp) +
                     (uint64_t)p->max_ctas * sizeof(struct cta_slot) +
                     p->subcores * sizeof(struct subcore) + 64 * sizeof(struct vinst) +
                     128 * sizeof(struct l1_access);
    if (l1->enabled)
        bytes += cache_bytes(&l1->cache, SHADOW_ON) + l1_side_bytes(l1, mechanisms_on);
    else
        bytes += mshr_bytes(&l1->cache.mshr);
    return bytes + (uint64_t)p->vmb_entries * 64;
}

static uint64_t scalar_bytes(const struct machine *m)
{
    if (m->scalar.loads == SCALAR_NONE) return 0;
    return scalar_caches(&m->scalar, m->sm.count) * cache_bytes(&m->scalar.cache, SHADOW_ON);
}

static uint64_t noc_bytes(uint64_t inputs, uint64_t outputs)
{
    enum { QUEUE = 16 * sizeof(struct fifo_entry) };
    uint64_t requests = power_of_two(16, inputs) * sizeof(uint32_t);
    return inputs * (sizeof(struct noc_input) + QUEUE) +
           outputs * (sizeof(struct noc_output) + QUEUE + requests);
}

/* The TLBs, with a question and a walk for each page that may wait, and the walk cache. */
static uint64_t translation_bytes(const struct tlb_params *p, uint64_t sms)
{
    uint64_t pages = sms * p->l1_misses;
    if (!tlb_is_on(p)) return 0;
    return sms * (sizeof(struct l1_tlb) + cache_bytes(&p->l1, false)) +
           pages * (sizeof(struct tlb_page) + sizeof(struct tlb_question) +
                    sizeof(struct tlb_walk) + 4 * sizeof(struct hash_map_slot)) +
           cache_bytes(&p->l2, false) + cache_bytes(&p->walk_cache, false);
}

/* Requests in flight and, if enabled, the shadow memory. */
static uint64_t common_bytes(uint64_t sms)
{
    enum { REQUESTS = 1024, SHADOW_SLOTS = 512 };
    uint64_t bytes = REQUESTS * (sizeof(struct req) + 2 * sizeof(uint64_t));
    if (SHADOW_ON) bytes += (sms * SHADOW_SLOTS + 4 * REQUESTS) * sizeof(struct hash_map_slot);
    return bytes;
}

uint64_t memory_need(const struct machine *m)
{
    uint64_t sms = m->sm.count, slices = m->l2.banks, channels = m->dram.channels;
    uint64_t clients = sms + m->cpu.cores;
    return common_bytes(sms) + sms * sm_bytes(&m->sm, &m->l1, machine_mechanisms(m)) +
           scalar_bytes(m) + translation_bytes(&m->tlb, sms) +
           slices * l2_bytes(&m->l2, machine_mechanisms(m)) + noc_bytes(clients, slices) +
           noc_bytes(slices, clients) + m->cpu.cores * sizeof(struct cpu_core) +
           channels * dram_need(&m->dram) + m->second_dram.channels * dram_need(&m->second_dram) +
           (l3_is_there(&m->l3) ? memory_side_bytes(&m->l3, m->dram.channels) : 0);
}

bool memory_suffices(const struct machine *m, struct error *e)
{
    const double gb = 1e9;
    uint64_t need = memory_need(m), there = memory_available();
    return need <= there ||
           error_input(
               e,
               "%s: a simulation of this machine needs %.3g GB of memory, and there are %.3g"
               " GB; fewer or smaller caches, queues and channels are allowed",
               m->name, (double)need / gb, (double)there / gb);
}
