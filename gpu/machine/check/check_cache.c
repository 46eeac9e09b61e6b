/* check_cache.c - checks of the L1 and the L2; see check.h. */
#include "gpu/machine/check/check.h"

enum { SECTORS_MAX = 4, IPOLY_SETS_MIN = 16, IPOLY_SETS_MAX = 1024 };

uint32_t check_derived_sets(uint32_t kb, const struct cache_params *c)
{
    uint64_t bytes = (uint64_t)kb * 1024, set = (uint64_t)c->ways * c->line_bytes;
    return bytes % set == 0 ? (uint32_t)(bytes / set) : 0;
}

uint32_t check_l1_sets(uint32_t kb, const struct cache_params *c)
{
    uint64_t lines = (uint64_t)kb * 1024 / c->line_bytes, sets = 1;
    uint32_t whole = check_derived_sets(kb, c);
    while (sets * c->ways < lines)
        sets *= 2;
    bool fits = (lines + sets - 1) / sets == c->ways;
    return whole ? whole : fits ? (uint32_t)sets : 0;
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

static bool index_fits(uint32_t sets, const struct cache_params *c, struct text *why)
{
    if (c->index == INDEX_MODULO || sets == 0) return true; /* whole_sets reports it */
    if (c->index == INDEX_XOR)
        return check_demand(check_is_power_of_two(sets), why,
                            "xor over %u sets; a power of two is allowed", sets);
    return check_demand(check_is_power_of_two(sets) && sets >= IPOLY_SETS_MIN &&
                            sets <= IPOLY_SETS_MAX,
                        why, "ipoly over %u sets; a power of two from %d to %d sets is allowed",
                        sets, IPOLY_SETS_MIN, IPOLY_SETS_MAX);
}

bool check_tree(uint32_t ways, const struct cache_params *c, struct text *why)
{
    return check_demand(c->repl != REPL_PLRU || check_is_power_of_two(ways), why,
                        "plru over %u ways; a power of two is allowed", ways);
}

/* Whether all sets of an L1 of that capacity have the same ways, of which a tree can be made. */
static bool l1_tree_fits(uint32_t kb, uint32_t sets, const struct cache_params *c, struct text *why)
{
    uint64_t lines = (uint64_t)kb * 1024 / c->line_bytes;
    return check_demand(c->repl != REPL_PLRU || lines % sets == 0, why,
                        "plru over %u KB in %u sets that are not all alike; a multiple is allowed",
                        kb, sets) &&
           check_tree((uint32_t)(lines / sets), c, why);
}

/* With l1.adaptive, this must hold for every smaller choice of shared memory, too. */
static bool l1_tree(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    uint32_t sets = check_l1_sets(p->kb, &p->cache);
    if (sets == 0) return true; /* l1_sets reports it */
    if (!l1_tree_fits(p->kb, sets, &p->cache, why)) return false;
    for (uint32_t i = 0; p->adaptive && i < p->shared_options_kb.n; i++) {
        uint32_t kb = l1_kb_beside(p, p->shared_options_kb.v[i]);
        if (kb && !l1_tree_fits(kb, sets, &p->cache, why)) return false;
    }
    return true;
}

static bool l2_tree(const struct machine *m, struct text *why)
{
    return check_tree(m->l2.cache.ways, &m->l2.cache, why);
}

static bool l1_lines(const struct machine *m, struct text *why)
{
    return lines_and_sectors(&m->l1.cache, why);
}

static bool l1_sets(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->l1.cache;
    if (check_l1_sets(m->l1.kb, c) > 0) return true;
    uint64_t lines = (uint64_t)m->l1.kb * 1024 / c->line_bytes, sets = 1;
    while (sets * c->ways < lines)
        sets *= 2;
    return check_demand(false, why,
                        "%u KB are not a whole number of sets of %u lines of %u bytes; a multiple"
                        " of %llu bytes, or %llu ways for %llu sets, is allowed",
                        m->l1.kb, c->ways, c->line_bytes,
                        (unsigned long long)c->ways * c->line_bytes,
                        (unsigned long long)((lines + sets - 1) / sets), (unsigned long long)sets);
}

static bool l1_index(const struct machine *m, struct text *why)
{
    return index_fits(check_l1_sets(m->l1.kb, &m->l1.cache), &m->l1.cache, why);
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
    return index_fits(check_derived_sets(m->l2.bank_kb, &m->l2.cache), &m->l2.cache, why);
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

/* Blocks beside the lines have no sectors, nor do protocols and records of copies know lines in
 * transition of which a part is there. */
static bool conventional_sectors(const struct machine *m, struct text *why)
{
    const struct l2_params *p = &m->l2;
    bool sectors =
        p->miss_management == MISS_CONVENTIONAL && p->cache.sector_bytes < p->cache.line_bytes;
    bool alone = !p->frc.entries && !p->vc.entries && p->inclusion == INCLUSION_NONE &&
                 m->coherence.protocol == PROTOCOL_NONE;
    return check_demand(!sectors || alone, why,
                        "conventional miss management with sectors of %u bytes in lines of %u; it"
                        " is allowed without FRC, victim cache, inclusion and coherence protocol",
                        p->cache.sector_bytes, p->cache.line_bytes);
}

bool check_frc_sets(const struct frc_params *f, uint32_t sets, struct text *why)
{
    return check_demand(f->entries <= f->ways || f->entries % f->ways == 0, why,
                        "%u entries in sets of %u; a multiple of the ways, or fewer, is allowed",
                        f->entries, f->ways) &&
           check_demand(
               f->entries <= f->ways || f->entries / f->ways <= sets || sets == 0, why,
               "%u entries in sets of %u are %u sets, and a block's set is that of the cache,"
               " which has %u; at most as many are allowed",
               f->entries, f->ways, f->entries / f->ways, sets);
}

static bool frc_sets(const struct machine *m, struct text *why)
{
    return check_frc_sets(&m->l2.frc, check_derived_sets(m->l2.bank_kb, &m->l2.cache), why);
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

/* Each shared-memory option leaves an L1 with a line for every set; the smallest of them is l1.kb.
 */
static bool shared_options(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    const struct param_list *o = &p->shared_options_kb;
    uint64_t set_bytes = (uint64_t)check_l1_sets(p->kb, &p->cache) * p->cache.line_bytes;
    if (!p->adaptive || set_bytes == 0) return true;
    if (!check_demand(o->n > 0, why, "no options; at least one is allowed")) return false;
    for (uint32_t i = 0; i < o->n; i++) {
        uint32_t kb = l1_kb_beside(p, o->v[i]);
        if (!check_demand(i == 0 || o->v[i] > o->v[i - 1], why, "%u KB after %u; rising is allowed",
                          o->v[i], o->v[i - (i > 0)]) ||
            !check_demand(kb > 0, why, "%u KB and a reserve of %u of %u; less is allowed", o->v[i],
                          p->reserved_kb, p->unified_kb) ||
            !check_demand(kb * UINT64_C(1024) >= set_bytes, why,
                          "%u KB leave an L1 of %u KB; at least %llu bytes (all sets, one way) are"
                          " allowed",
                          o->v[i], kb, (unsigned long long)set_bytes))
            return false;
    }
    uint64_t most_ways = (l1_most_kb(p) * UINT64_C(1024) + set_bytes - 1) / set_bytes;
    if (!check_demand(most_ways <= CACHE_WAYS_MAX, why,
                      "%llu ways beside %u KB; at most %d are allowed",
                      (unsigned long long)most_ways, o->v[0], CACHE_WAYS_MAX))
        return false;
    uint32_t left = l1_kb_beside(p, o->v[o->n - 1]);
    return check_demand(left == p->kb, why,
                        "l1.kb = %u, but the largest shared memory leaves %u of l1.unified_kb = %u;"
                        " l1.kb = %u is allowed, or l1.unified_kb = %u",
                        p->kb, left, p->unified_kb, left, p->kb + p->unified_kb - left);
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
    {{"l1.replacement", "l1.ways", "l1.kb", "l1.shared_options_kb", "l1.unified_kb",
      "l1.reserved_kb"},
     l1_tree},
    {{"l2.replacement", "l2.ways"}, l2_tree},
    {{"l2.line_bytes", "l2.sector_bytes"}, l2_lines},
    {{"l2.bank_kb", "l2.ways", "l2.line_bytes"}, l2_sets},
    {{"l2.index", "l2.bank_kb", "l2.ways", "l2.line_bytes"}, l2_index},
    {{"l1.sector_bytes", "l2.sector_bytes", "l1.enabled"}, sectors_below},
    {{"l1.line_bytes", "l2.line_bytes", "l1.enabled"}, line_order},
    {{"l2.interleave_bytes", "l2.line_bytes"}, interleave},
    {{"l2.miss_management", "l2.alloc"}, conventional},
    {{"l2.miss_management", "l2.sector_bytes", "l2.line_bytes", "l2.frc.entries", "l2.vc.entries",
      "l2.inclusion", "coherence.protocol"},
     conventional_sectors},
    {{"l2.frc.entries", "l2.frc.ways", "l2.bank_kb", "l2.ways", "l2.line_bytes"}, frc_sets},
    {{"l2.inclusion", "l2.write_miss", "l2.alloc", "l1.enabled"}, inclusion_l2},
    {{"l2.inclusion", "l1.write", "l1.write_miss", "l1.write_local", "l1.enabled"}, inclusion_l1},
    {{"l2.inclusion", "l2.copy_warms", "l1.flush_at_launch", "l1.enabled"}, inclusion_copies},
    {{"l2.vc.entries", "coherence.protocol"}, victims_stay},
    {{"l1.shared_options_kb", "l1.unified_kb", "l1.kb", "l1.ways", "l1.line_bytes", "l1.adaptive",
      "l1.reserved_kb"},
     shared_options},
    {{"sm.shared_kb", "l1.shared_options_kb", "l1.adaptive"}, shared_limit},
};

const struct check_list cache_checks = {rows, sizeof rows / sizeof rows[0], NULL};
