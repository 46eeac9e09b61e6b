/* check_quickrelease.c - what QuickRelease needs of the caches, and the sizes of its write caches.
 */
#include "gpu/machine/check/check.h"

static bool is_quickrelease(const struct machine *m)
{
    return m->coherence.protocol == PROTOCOL_QUICKRELEASE;
}

static bool split_l1(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->l1.cache;
    bool fits = c->write == WRITE_THROUGH && c->write_miss == WRITE_MISS_NO_ALLOCATE &&
                c->sector_bytes == c->line_bytes && c->line_bytes <= 64 && !c->tags &&
                !m->l1.adaptive && !m->l1.merge_loads && !m->l1.merge_stores &&
                !m->l1.frc.entries && m->l1.bypass == BYPASS_HINTED;
    return check_demand(!is_quickrelease(m) || fits, why,
                        "quickrelease has stores of its own; L1s with write = \"through\","
                        " write_miss = \"no_allocate\", lines of at most 64 bytes without sectors,"
                        " a fixed size, bypass by hints, and neither an FRC, a table of tags nor"
                        " merging are allowed");
}

static bool split_l2(const struct machine *m, struct text *why)
{
    const struct l2_params *p = &m->l2;
    const struct cache_params *c = &p->cache;
    bool fits = c->write == WRITE_THROUGH && c->write_miss == WRITE_MISS_NO_ALLOCATE &&
                c->sector_bytes == c->line_bytes && c->line_bytes == m->l1.cache.line_bytes &&
                p->miss_management == MISS_REPLACE_AT_ONCE && !p->nack && !p->data_banks &&
                p->inclusion == INCLUSION_NONE && !p->vc.entries && !p->frc.entries;
    return check_demand(!is_quickrelease(m) || fits, why,
                        "quickrelease over an L2 that does not suit it; write = \"through\","
                        " write_miss = \"no_allocate\", lines of the L1's size without sectors,"
                        " replace_at_once without NACK, non_inclusive and no data banks, FRC or"
                        " victim cache are allowed");
}

static bool split_l3(const struct machine *m, struct text *why)
{
    bool fits = l3_is_there(&m->l3) && m->l3.write == L3_WRITE_AROUND;
    return check_demand(!is_quickrelease(m) || fits, why,
                        "quickrelease keeps its last write cache before the L3; l3.kb other than 0"
                        " with l3.write = \"around\" is allowed");
}

static bool sync_readers(const struct machine *m, struct text *why)
{
    return check_demand(
        !is_quickrelease(m) || m->scalar.loads == SCALAR_NONE, why,
        "scalar caches receive no invalidations; scalar.loads = \"none\" is allowed");
}

/* The sets of a write cache are a whole number. */
static bool write_sets(const struct machine *m, const struct write_cache_params *p, uint32_t parts,
                       struct text *why)
{
    uint32_t set = p->ways * m->l2.cache.line_bytes, kb = p->kb / parts;
    if (!is_quickrelease(m)) return true;
    return check_demand(
        p->kb % parts == 0 && kb * 1024 >= set && kb * 1024 % set == 0 && p->fifo % parts == 0, why,
        "%u KB and %u entries over %u parts are not a whole number of sets of %u"
        " bytes, or of entries, each",
        p->kb, p->fifo, parts, set);
}

static bool l1_write_sets(const struct machine *m, struct text *why)
{
    return write_sets(m, &m->l1.write_cache, 1, why);
}
static bool l2_write_sets(const struct machine *m, struct text *why)
{
    return write_sets(m, &m->l2.write_cache, 1, why);
}
static bool l3_write_sets(const struct machine *m, struct text *why)
{
    return write_sets(m, &m->l3.write_cache, m->dram.channels, why);
}

static const struct check checks[] = {
    {{"coherence.protocol", "l1.write", "l1.write_miss", "l1.sector_bytes", "l1.line_bytes",
      "l1.tags", "l1.adaptive", "l1.frc.entries", "l1.bypass"},
     split_l1},
    {{"coherence.protocol", "l2.write", "l2.write_miss", "l2.sector_bytes", "l2.line_bytes",
      "l2.miss_management", "l2.nack", "l2.data_banks", "l2.inclusion"},
     split_l2},
    {{"coherence.protocol", "l3.kb", "l3.write"}, split_l3},
    {{"coherence.protocol", "scalar.loads"}, sync_readers},
    {{"l1.write_cache.kb", "l1.write_cache.ways", "l1.line_bytes", "coherence.protocol"},
     l1_write_sets},
    {{"l2.write_cache.kb", "l2.write_cache.ways", "l2.line_bytes", "coherence.protocol"},
     l2_write_sets},
    {{"l3.write_cache.kb", "l3.write_cache.fifo", "l3.write_cache.ways", "dram.channels",
      "l2.line_bytes", "coherence.protocol"},
     l3_write_sets},
};

const struct check_list quickrelease_checks = {checks, sizeof checks / sizeof checks[0], NULL};
