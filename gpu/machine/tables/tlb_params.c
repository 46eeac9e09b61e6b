/* tlb_params.c - parameter table of address translation, and its checks. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART tlb
#define WITH_TLB .when = "tlb.l1_entries!=0"

static const struct param rows[] = {
    ROW_INT("l1_entries", l1_entries, "0", 0, 65536, "pages",
            "in the TLB of an SM; 0 = translation costs nothing", "Mao table 9 (64)", SEEN, PARTLY),
    ROW_INT("l1_ways", l1_ways, "0", 0, 65536, "pages", "per set of it; 0 = fully associative",
            "[A]", SEEN, TERM, WITH_TLB),
    ROW_INT("l1_misses", l1_misses, "16", 1, 256, "pages",
            "of an SM that may wait for their translation at a time", "[A]", UNSEEN, TERM,
            WITH_TLB),
    ROW_INT("l2_entries", l2_entries, "512", 1, 1048576, "pages", "in the TLB that all SMs share",
            "Mao table 9", SEEN, TERM, WITH_TLB),
    ROW_INT("l2_ways", l2_ways, "0", 0, 1048576, "pages", "per set of it; 0 = fully associative",
            "[A]", SEEN, TERM, WITH_TLB),
    ROW_INT("l2_latency", l2_latency, "20", 1, 10000, "core cycles",
            "from an SM to the shared TLB and back", "[A]", SEEN, TERM, WITH_TLB),
    ROW_INT("l2_ports", l2_ports, "1", 1, 64, "look-ups/cycle", "of the shared TLB", "[A]", UNSEEN,
            SILENT, WITH_TLB),
    ROW_INT("walkers", walkers, "32", 1, 65536, "walks", "of the page table at a time",
            "[A] Mao table 9 says highly threaded", UNSEEN, TERM, WITH_TLB),
    ROW_INT("levels", levels, "4", 1, TLB_LEVELS_MAX, "levels",
            "of the page table, read one after the other; 512 entries of 8 bytes make a table",
            "[A] as x86-64", SEEN, TERM, WITH_TLB),
    ROW_INT("walk_cache_kb", walk_cache_kb, "8", 1, 65536, "KB",
            "of page-table entries, which all walkers share", "Mao table 9", SEEN, TERM, WITH_TLB),
    ROW_INT("walk_cache_ways", walk_cache_ways, "4", 1, CACHE_WAYS_MAX, "ways",
            "lines per set of it; lines and sectors are the L2's", "[A]", SEEN, TERM, WITH_TLB),
    ROW_INT("walk_cache_latency", walk_cache_latency, "2", 1, 10000, "core cycles",
            "look-up of an entry", "[A]", SEEN, TERM, WITH_TLB),
};

const struct part tlb_part =
    PART_OF("address translation: TLBs, page-walk cache and page walkers", rows);

static bool whole_sets(const struct machine *m, uint32_t entries, uint32_t ways, struct text *why)
{
    bool whole = !ways || (ways <= entries && entries % ways == 0);
    return check_demand(!tlb_is_on(&m->tlb) || whole, why,
                        "%u entries are not a whole number of sets of %u; a divisor is allowed",
                        entries, ways);
}

static bool l1_sets(const struct machine *m, struct text *why)
{
    return whole_sets(m, m->tlb.l1_entries, m->tlb.l1_ways, why);
}

static bool l2_sets(const struct machine *m, struct text *why)
{
    return whole_sets(m, m->tlb.l2_entries, m->tlb.l2_ways, why);
}

static bool walk_cache_sets(const struct machine *m, struct text *why)
{
    const struct tlb_params *p = &m->tlb;
    return check_demand(!tlb_is_on(p) || p->walk_cache.sets > 0, why,
                        "%u KB are not a whole number of sets of %u lines of %u bytes",
                        p->walk_cache_kb, p->walk_cache_ways, p->walk_cache.line_bytes);
}

/* A walker would be a reader that a directory does not know, and a release's marker would overtake
 * the stores that wait for their translation. */
static bool readers(const struct machine *m, struct text *why)
{
    bool simple = m->coherence.protocol == PROTOCOL_NONE || m->coherence.protocol == PROTOCOL_SI;
    return check_demand(!tlb_is_on(&m->tlb) || simple, why,
                        "this protocol knows no page walkers; protocol = \"none\" or \"si\", or"
                        " tlb.l1_entries = 0, is allowed");
}

static const struct check checks[] = {
    {{"tlb.l1_ways", "tlb.l1_entries"}, l1_sets},
    {{"tlb.l2_ways", "tlb.l2_entries", "tlb.l1_entries"}, l2_sets},
    {{"tlb.walk_cache_kb", "tlb.walk_cache_ways", "tlb.l1_entries", "l2.line_bytes"},
     walk_cache_sets},
    {{"tlb.l1_entries", "coherence.protocol"}, readers},
};

/* --- derived fields --- */

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
static void derive(struct machine *m)
{
    struct tlb_params *p = &m->tlb;
    const struct cache_params *l2 = &m->l2.cache;
    uint32_t page_kb = m->pages.kb;
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
    m->l1.page_shift = tlb_is_on(p) ? p->page_shift : 0;
}

const struct check_list tlb_checks = {checks, sizeof checks / sizeof checks[0], derive};
