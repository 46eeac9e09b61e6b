/* l3_params.c - parameter table of the memory-side cache, and its checks. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART l3
#define WITH_L3 .when = "l3.kb!=0"

static const struct choice write_choices[] = {
    {"around", L3_WRITE_AROUND, "goes to memory; a copy of its block leaves the L3"},
    {"back", L3_WRITE_BACK, "changes the L3's copy if there is one, and memory when that leaves"},
    {NULL, 0, NULL},
};

static const struct choice write_miss_choices[] = {
    {"around", L3_WRITE_MISS_AROUND, "goes to memory"},
    {"allocate", L3_WRITE_MISS_ALLOCATE,
     "takes a line if it has all bytes of its sectors; else it goes to memory"},
    {NULL, 0, NULL},
};

static const struct param rows[] = {
    ROW_INT("kb", kb, "0", 0, 4194304, "KB",
            "capacity over all channels, a part before each; 0 = there is none",
            "QuickRelease 4.1 (4 MB)", SEEN, TERM),
    ROW_INT("ways", cache.ways, "16", 1, CACHE_WAYS_MAX, "ways",
            "lines per set; lines are the L2's", "[A]", SEEN, TERM, WITH_L3),
    ROW_ENUM("replacement", cache.repl, "lru", repl_choices, "who leaves a full set", "[A]", SEEN,
             SILENT, WITH_L3),
    SEED_ROW,
    ROW_ENUM("write", write, "around", write_choices, "what a write does that reaches the L3",
             "QuickRelease 4.1 (writeable only with read for ownership); [A] around", SEEN, TERM,
             WITH_L3),
    ROW_ENUM("write_miss", write_miss, "around", write_miss_choices,
             "what a write does that finds no copy",
             "[A] around; AMD Infinity Cache allocates reads and writes (allocate)", SEEN, TERM,
             .when = "l3.write=back"),
    ROW_INT("tag_latency", tag_latency, "4", 0, 10000, "L2 cycles",
            "tag look-up, after which a miss goes to memory", "QuickRelease table 1 (4, of wL3)",
            UNSEEN, TERM, WITH_L3),
    ROW_INT("latency", latency, "20", 1, 10000, "L2 cycles", "tag look-up to data of a hit",
            "QuickRelease table 1 (4 and 16 cycles, of wL3)", UNSEEN, TERM, WITH_L3),
    ROW_INT(
        "write_latency", write_latency, "0", 0, 10000, "L2 cycles",
        "tag look-up of a write to its acknowledgement, which waits for room in the memory, too",
        "[A] 0", UNSEEN, TERM, WITH_L3),
    ROW_INT("link_latency", link_latency, "4", 0, 10000, "L2 cycles",
            "between an L2 slice and the L3, per direction", "[A] one hop", UNSEEN, TERM, WITH_L3),
    ROW_INT("ports", ports, "1", 1, 64, "operations/cycle",
            "operations that a channel's part takes per L2 cycle", "[A]", UNSEEN, TERM, WITH_L3),
    ROW_REAL(
        "bytes_per_cycle", bytes_per_cycle, "0.0", 0, 65536, "bytes/cycle",
        "of data that a channel's part moves per L2 cycle, for each operation a sector; 0 = any",
        "AMD Infinity Cache: 64 bytes per channel and cycle of its own clock", UNSEEN, TERM,
        WITH_L3),
    ROW_INT("queue", queue, "16", 1, 65536, "operations",
            "of a slice that wait for a memory channel behind the L3", "[A] as l2.miss_queue",
            UNSEEN, SILENT, WITH_L3),
    ROW_INT("header_bytes", header_bytes, "8", 0, 256, "bytes",
            "of a message between L2 and L3, in the counts of their traffic", "[A] an address",
            UNSEEN, SILENT, WITH_L3),
    WRITE_CACHE_ROWS("over all channels", "32", "8", "256", "4"),
};

const struct part l3_part = PART_OF("memory-side cache between the L2 and the memory (L3)", rows);

static bool sets(const struct machine *m, struct text *why)
{
    const struct l3_params *p = &m->l3;
    if (!l3_is_there(p)) return true;
    return check_demand(p->kb % m->dram.channels == 0 && p->cache.sets > 0, why,
                        "%u KB over %u channels are not a whole number of sets of %u lines of %u"
                        " bytes each",
                        p->kb, m->dram.channels, p->cache.ways, p->cache.line_bytes);
}

static bool tree(const struct machine *m, struct text *why)
{
    return check_tree(m->l3.cache.ways, &m->l3.cache, why);
}

static bool latency(const struct machine *m, struct text *why)
{
    return check_demand(m->l3.tag_latency <= m->l3.latency, why,
                        "tags in %u cycles and data in %u; at most as many are allowed",
                        m->l3.tag_latency, m->l3.latency);
}

static bool second_alone(const struct machine *m, struct text *why)
{
    return check_demand(!dram_is_there(&m->second_dram) || !l3_is_there(&m->l3), why,
                        "a second memory beside an L3; one of them is allowed");
}

static bool link_bytes(const struct machine *m, struct text *why)
{
    return check_demand(!l2_are_several(&m->l2) || !m->l2.link_bytes || l3_is_there(&m->l3), why,
                        "%u bytes per cycle to a memory without an L3; 0 is allowed",
                        m->l2.link_bytes);
}

static const struct check checks[] = {
    {{"l3.kb", "l3.ways", "l2.line_bytes", "dram.channels"}, sets},
    {{"l3.replacement", "l3.ways"}, tree},
    {{"l3.tag_latency", "l3.latency"}, latency},
    {{"dram[1].channels", "l3.kb"}, second_alone},
    {{"l2.link_bytes", "l2.partition_home", "l3.kb", "l2.partitions"}, link_bytes},
};

/* --- derived fields --- */

/* A part before each channel, with the L2's lines; writes do not pass through its cache's own
 * policy unless they find a copy. */
static void derive(struct machine *m)
{
    struct l3_params *p = &m->l3;
    const struct cache_params *l2 = &m->l2.cache;
    uint32_t channels = m->dram.channels;
    p->cache.line_bytes = l2->line_bytes;
    p->cache.sector_bytes = l2->sector_bytes;
    p->cache.alloc = ALLOC_ON_FILL;
    p->cache.write = WRITE_BACK;
    p->cache.write_miss = WRITE_MISS_NO_ALLOCATE;
    p->cache.sets = p->kb % channels ? 0 : check_derived_sets(p->kb / channels, &p->cache);
}

const struct check_list l3_checks = {checks, sizeof checks / sizeof checks[0], derive};

double machine_l3_cycles(const struct machine *m, uint32_t look_up)
{
    if (!l3_is_there(&m->l3)) return 0;
    return (2.0 * m->l3.link_latency + look_up) * m->clock.core_mhz / m->clock.l2_mhz;
}
