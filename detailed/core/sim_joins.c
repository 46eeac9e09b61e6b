/* sim_joins.c - whether the sectors of a line that an instruction touches travel together: as one
 * access, one MSHR entry, one request, one train of packets, one fetch and one reply.
 *
 * They do where every part on their way knows how many a message is for. Elsewhere each access is
 * for one sector. */
#include "detailed/core/sim_internal.h"

static const enum mechanism_id apart[] = {
    MECHANISM_coherence,    MECHANISM_scalar_cache,  MECHANISM_l1_tags,
    MECHANISM_l2_inclusion, MECHANISM_l2_data_banks, MECHANISM_l3,
    MECHANISM_cpu,          MECHANISM_cpu_cores,     MECHANISM_noc_mesh};

static bool are_absent(const struct machine *m)
{
    const struct mechanism_set on = machine_mechanisms(m);
    uint32_t sides = 0;
#define COUNT_L1(name, ...) sides += on.has[MECHANISM_l1_##name];
#define COUNT_L2(name, ...) sides += on.has[MECHANISM_l2_##name];
    L1_MECHANISMS(COUNT_L1, )
    L2_MECHANISMS(COUNT_L2, )
    sides -= on.has[MECHANISM_l2_partitions]; /* if they are one L2: below */
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        sides += on.has[apart[i]];
    return !sides;
}

/* Whether a line's fills are chained at it. */
static bool chains(const struct cache_params *p)
{
    return p->alloc == ALLOC_ON_MISS && p->mshr.entries && p->mshr.entries <= UINT16_MAX;
}

/* A line's sectors lie in banks of their own. */
static bool banks_suit(const struct l1_params *p)
{
    return p->banks <= 1 ||
           (p->bank_bytes == p->cache.sector_bytes && p->bank_index == INDEX_MODULO &&
            p->banks * p->bank_bytes >= p->cache.line_bytes);
}

bool sim_joins_sectors(const struct machine *m)
{
    const struct cache_params *l1 = &m->l1.cache, *l2 = &m->l2.cache;
    bool sectors = m->l1.enabled && l1->sector_bytes < l1->line_bytes &&
                   l1->sector_bytes == l2->sector_bytes && l1->line_bytes <= l2->line_bytes &&
                   coalesce_block(&m->sm, l1->sector_bytes) == l1->sector_bytes;
    bool below = m->l2.miss_management == MISS_REPLACE_AT_ONCE && !l2_are_several(&m->l2) &&
                 l2->write == WRITE_BACK && l2->write_miss != WRITE_MISS_NO_ALLOCATE &&
                 m->l2.interleave_bytes >= l1->line_bytes;
    bool walks = m->tlb.walk_cache.sector_bytes <= l2->sector_bytes;
    return sectors && below && walks && chains(l1) && chains(l2) && banks_suit(&m->l1) &&
           are_absent(m) && !m->l1.merge_loads && !m->l1.merge_stores && !m->l1.mshr_wait_aside &&
           !m->l2.nack;
}
