/* check_cache.c - checks of the L1 and the L2; see check.h. */
#include "gpu/machine/check/check.h"

enum { SECTORS_MAX = 4, WAYS_MAX = 4096, IPOLY_SETS_MIN = 16, IPOLY_SETS_MAX = 1024 };

uint32_t check_derived_sets(uint32_t kb, const struct cache_params *c)
{
    uint64_t bytes = (uint64_t)kb * 1024, set = (uint64_t)c->ways * c->line_bytes;
    return bytes % set == 0 ? (uint32_t)(bytes / set) : 0;
}

static bool lines_and_sectors(const struct cache_params *c, struct text *why)
{
    return check_demand(check_is_power_of_two(c->line_bytes), why,
                        "lines of %u bytes; a power of two is allowed", c->line_bytes) &&
           check_demand(
               check_is_power_of_two(c->sector_bytes) && c->sector_bytes <= c->line_bytes, why,
               "sectors of %u bytes in lines of %u; a power of two up to the line is allowed",
               c->sector_bytes, c->line_bytes) &&
           check_demand(c->line_bytes / c->sector_bytes <= SECTORS_MAX, why,
                        "%u sectors per line; at most %d are allowed",
                        c->line_bytes / c->sector_bytes, SECTORS_MAX);
}

static bool whole_sets(uint32_t kb, const struct cache_params *c, struct text *why)
{
    return check_demand(
        check_derived_sets(kb, c) > 0, why,
        "%u KB are not a whole number of sets of %u lines of %u bytes; a multiple of %llu"
        " bytes is allowed",
        kb, c->ways, c->line_bytes, (unsigned long long)c->ways * c->line_bytes);
}

static bool index_fits(uint32_t kb, const struct cache_params *c, struct text *why)
{
    uint32_t sets = check_derived_sets(kb, c);
    if (c->index == INDEX_MODULO || sets == 0) return true; /* whole_sets reports it */
    if (c->index == INDEX_XOR)
        return check_demand(check_is_power_of_two(sets), why,
                            "xor over %u sets; a power of two is allowed", sets);
    return check_demand(check_is_power_of_two(sets) && sets >= IPOLY_SETS_MIN &&
                            sets <= IPOLY_SETS_MAX,
                        why, "ipoly over %u sets; a power of two from %d to %d sets is allowed",
                        sets, IPOLY_SETS_MIN, IPOLY_SETS_MAX);
}

static bool tree_fits(uint32_t ways, const struct cache_params *c, struct text *why)
{
    return check_demand(c->repl != REPL_PLRU || check_is_power_of_two(ways), why,
                        "plru over %u ways; a power of two is allowed", ways);
}

/* With l1.adaptive, this must hold for every smaller choice of shared memory, too. */
static bool l1_tree(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    if (!tree_fits(p->cache.ways, &p->cache, why)) return false;
    for (uint32_t i = 0; p->adaptive && i < p->shared_options_kb.n; i++) {
        uint64_t set_bytes = (uint64_t)check_derived_sets(p->kb, &p->cache) * p->cache.line_bytes;
        if (set_bytes == 0 || p->unified_kb <= p->shared_options_kb.v[i]) return true;
        uint64_t bytes = (p->unified_kb - p->shared_options_kb.v[i]) * UINT64_C(1024);
        if (!tree_fits((uint32_t)(bytes / set_bytes), &p->cache, why)) return false;
    }
    return true;
}

static bool l2_tree(const struct machine *m, struct text *why)
{
    return tree_fits(m->l2.cache.ways, &m->l2.cache, why);
}

static bool l1_lines(const struct machine *m, struct text *why)
{
    return lines_and_sectors(&m->l1.cache, why);
}

static bool l1_sets(const struct machine *m, struct text *why)
{
    return whole_sets(m->l1.kb, &m->l1.cache, why);
}

static bool l1_index(const struct machine *m, struct text *why)
{
    return index_fits(m->l1.kb, &m->l1.cache, why);
}

/* An L1 request is for one sector of the L2. */
static bool sectors_below(const struct machine *m, struct text *why)
{
    return check_demand(
        !m->l1.enabled || m->l1.cache.sector_bytes <= m->l2.cache.sector_bytes, why,
        "L1 sectors of %u bytes over L2 sectors of %u; at most the L2's are allowed",
        m->l1.cache.sector_bytes, m->l2.cache.sector_bytes);
}

static bool l2_lines(const struct machine *m, struct text *why)
{
    return lines_and_sectors(&m->l2.cache, why);
}

static bool l2_sets(const struct machine *m, struct text *why)
{
    return whole_sets(m->l2.bank_kb, &m->l2.cache, why);
}

static bool l2_index(const struct machine *m, struct text *why)
{
    return index_fits(m->l2.bank_kb, &m->l2.cache, why);
}

static bool line_order(const struct machine *m, struct text *why)
{
    uint32_t l1 = m->l1.cache.line_bytes, l2 = m->l2.cache.line_bytes;
    return check_demand(!m->l1.enabled || l1 <= l2, why,
                        "L1 lines of %u bytes over L2 lines of %u; at most the L2's are allowed",
                        l1, l2);
}

static bool interleave(const struct machine *m, struct text *why)
{
    uint32_t n = m->l2.interleave_bytes, line = m->l2.cache.line_bytes;
    return check_demand(check_is_power_of_two(n) && n >= line, why,
                        "%u bytes with lines of %u; a power of two from the line up is allowed", n,
                        line);
}

static bool conventional(const struct machine *m, struct text *why)
{
    return check_demand(
        m->l2.miss_management != MISS_CONVENTIONAL || m->l2.cache.alloc == ALLOC_ON_MISS, why,
        "conventional miss management with alloc = \"on_fill\"; it takes its line at the"
        " miss: \"on_miss\" is allowed");
}

/* A line in transition belongs to one fetch. */
static bool conventional_sectors(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->l2.cache;
    if (!check_is_power_of_two(c->line_bytes)) return true; /* lines_and_sectors reports it */
    return check_demand(
        m->l2.miss_management != MISS_CONVENTIONAL || c->sector_bytes == c->line_bytes, why,
        "conventional miss management with sectors of %u bytes in lines of %u; lines"
        " without sectors are allowed",
        c->sector_bytes, c->line_bytes);
}

static bool frc_sets(const struct machine *m, struct text *why)
{
    const struct frc_params *f = &m->l2.frc;
    return check_demand(f->entries <= f->ways || f->entries % f->ways == 0, why,
                        "%u entries in sets of %u; a multiple of the ways, or fewer, is allowed",
                        f->entries, f->ways);
}

/* An inclusive L2 contains every line that an L1 may have, and records its copies. */
static bool inclusion_l2(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->l2.cache;
    bool keeps = c->write_miss != WRITE_MISS_NO_ALLOCATE && c->alloc == ALLOC_ON_MISS;
    return check_demand(
        m->l2.inclusion == INCLUSION_NONE || !m->l1.enabled || keeps, why,
        "an inclusive L2 that may not keep what an L1 does; alloc = \"on_miss\" and any"
        " write_miss but \"no_allocate\" are allowed");
}

static bool inclusion_l1(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    bool told = p->write_local == LOCAL_SAME &&
                (p->cache.write != WRITE_BACK || p->cache.write_miss == WRITE_MISS_NO_ALLOCATE);
    return check_demand(
        m->l2.inclusion == INCLUSION_NONE || !p->enabled || told, why,
        "an inclusive L2 under L1s that take lines without its knowing; write = \"back\""
        " with write_miss = \"no_allocate\" or another write, and write_local = \"same\""
        " are allowed");
}

static bool inclusion_copies(const struct machine *m, struct text *why)
{
    bool empty = !m->l2.copy_warms || m->l1.flush_at_launch;
    return check_demand(m->l2.inclusion == INCLUSION_NONE || !m->l1.enabled || empty, why,
                        "copies to the device push lines out of an inclusive L2 under full L1s;"
                        " copy_warms = false or l1.flush_at_launch = true is allowed");
}

/* Accesses that bypass the L2 under a protocol look only at the L2's lines, not at the victim
 * cache. */
static bool victims_stay(const struct machine *m, struct text *why)
{
    return check_demand(!m->l2.vc.entries || m->coherence.protocol == PROTOCOL_NONE, why,
                        "a victim cache of %u lines under a coherence protocol; 0 is allowed there",
                        m->l2.vc.entries);
}

/* The L1 capacity that each shared-memory option leaves fits the sets; the smallest of them is
 * l1.kb. */
static bool shared_options(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    const struct param_list *o = &p->shared_options_kb;
    uint64_t set_bytes = (uint64_t)check_derived_sets(p->kb, &p->cache) * p->cache.line_bytes;
    if (!p->adaptive || set_bytes == 0) return true;
    if (!check_demand(o->n > 0, why, "no options; at least one is allowed")) return false;
    for (uint32_t i = 0; i < o->n; i++) {
        if (!check_demand(i == 0 || o->v[i] > o->v[i - 1], why, "%u KB after %u; rising is allowed",
                          o->v[i], o->v[i - (i > 0)]) ||
            !check_demand(o->v[i] < p->unified_kb, why, "%u KB of %u; less is allowed", o->v[i],
                          p->unified_kb) ||
            !check_demand(
                (p->unified_kb - o->v[i]) * UINT64_C(1024) % set_bytes == 0, why,
                "%u KB leave an L1 of %u KB; a multiple of %llu bytes (all sets, one way) is"
                " allowed",
                o->v[i], p->unified_kb - o->v[i], (unsigned long long)set_bytes))
            return false;
    }
    uint64_t most_ways = (p->unified_kb - o->v[0]) * UINT64_C(1024) / set_bytes;
    if (!check_demand(most_ways <= WAYS_MAX, why, "%llu ways beside %u KB; at most %d are allowed",
                      (unsigned long long)most_ways, o->v[0], WAYS_MAX))
        return false;
    return check_demand(p->unified_kb - o->v[o->n - 1] == p->kb, why,
                        "the largest option leaves %u KB; l1.kb = %u must be the same",
                        p->unified_kb - o->v[o->n - 1], p->kb);
}

static bool shared_limit(const struct machine *m, struct text *why)
{
    const struct param_list *o = &m->l1.shared_options_kb;
    if (!m->l1.adaptive || o->n == 0) return true;
    return check_demand(m->sm.shared_kb == o->v[o->n - 1], why,
                        "%u KB of shared memory per SM; the largest of l1.shared_options_kb, %u, is"
                        " allowed",
                        m->sm.shared_kb, o->v[o->n - 1]);
}

/* The bytes that a line's L1s return when it leaves have no request to acknowledge. */
static bool write_ack(const struct machine *m, struct text *why)
{
    bool by_l2 = m->l2.write_ack == WRITE_ACK_L2;
    return check_demand(by_l2 || m->l2.inclusion == INCLUSION_NONE || !m->l1.enabled, why,
                        "stores that the memory acknowledges, of an inclusive L2; non_inclusive is"
                        " allowed");
}

static const struct check rows[] = {
    {{"l2.write_ack", "l2.inclusion", "l1.enabled"}, write_ack},
    {{"l1.line_bytes", "l1.sector_bytes"}, l1_lines},
    {{"l1.kb", "l1.ways", "l1.line_bytes"}, l1_sets},
    {{"l1.index", "l1.kb", "l1.ways", "l1.line_bytes"}, l1_index},
    {{"l1.replacement", "l1.ways", "l1.kb", "l1.shared_options_kb", "l1.unified_kb"}, l1_tree},
    {{"l2.replacement", "l2.ways"}, l2_tree},
    {{"l2.line_bytes", "l2.sector_bytes"}, l2_lines},
    {{"l2.bank_kb", "l2.ways", "l2.line_bytes"}, l2_sets},
    {{"l2.index", "l2.bank_kb", "l2.ways", "l2.line_bytes"}, l2_index},
    {{"l1.sector_bytes", "l2.sector_bytes", "l1.enabled"}, sectors_below},
    {{"l1.line_bytes", "l2.line_bytes", "l1.enabled"}, line_order},
    {{"l2.interleave_bytes", "l2.line_bytes"}, interleave},
    {{"l2.miss_management", "l2.alloc"}, conventional},
    {{"l2.miss_management", "l2.sector_bytes", "l2.line_bytes"}, conventional_sectors},
    {{"l2.frc.entries", "l2.frc.ways"}, frc_sets},
    {{"l2.inclusion", "l2.write_miss", "l2.alloc", "l1.enabled"}, inclusion_l2},
    {{"l2.inclusion", "l1.write", "l1.write_miss", "l1.write_local", "l1.enabled"}, inclusion_l1},
    {{"l2.inclusion", "l2.copy_warms", "l1.flush_at_launch", "l1.enabled"}, inclusion_copies},
    {{"l2.vc.entries", "coherence.protocol"}, victims_stay},
    {{"l1.shared_options_kb", "l1.unified_kb", "l1.kb", "l1.ways", "l1.line_bytes", "l1.adaptive"},
     shared_options},
    {{"sm.shared_kb", "l1.shared_options_kb", "l1.adaptive"}, shared_limit},
};

const struct check_list cache_checks = {rows, sizeof rows / sizeof rows[0]};
