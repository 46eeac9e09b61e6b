/* coherence_params.c - parameter table of the coherence protocol, and its requirements on the
 * caches. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART coherence

static const struct choice protocol_choices[] = {
    {"none", PROTOCOL_NONE, "no protocol: the cache policies alone decide what an access does"},
    {"si", PROTOCOL_SI,
     "Southern Islands: two states, L1s write through by byte masks, the L2 is the point of "
     "coherence"},
    {"nmoesi", PROTOCOL_NMOESI,
     "a directory at the L2; stores take their block and leave other copies alone, bytes merge "
     "when it leaves"},
    {"moesi", PROTOCOL_MOESI, "a directory at the L2; one writer at a time"},
    {"quickrelease", PROTOCOL_QUICKRELEASE,
     "write caches beside the L1s, the L2 and the L3; their S-FIFOs order stores before a release"},
    {NULL, 0, NULL},
};

static const struct choice store_order_choices[] = {
    {"free", STORE_ORDER_FREE, "stores to different blocks are in flight together"},
    {"in_order", STORE_ORDER_IN_ORDER,
     "a store waits for all older accesses of its L1, younger ones wait for it"},
    {NULL, 0, NULL},
};

static const struct choice l1_victim_choices[] = {
    {"beside", L1_VICTIM_BESIDE, "a miss puts the block of its line and fetches at once"},
    {"first", L1_VICTIM_FIRST, "it fetches when the home has acknowledged what was put"},
    {NULL, 0, NULL},
};

static const struct choice fifo_scope_choices[] = {
    {"sm", FIFO_OF_SM, "all warps of an SM share one; a release orders the stores of all"},
    {"cta", FIFO_OF_CTA, "each CTA has one"},
    {"warp", FIFO_OF_WARP, "each warp has one"},
    {NULL, 0, NULL},
};

static const struct param rows[] = {
    ROW_ENUM("protocol", protocol, "none", protocol_choices,
             "what L1s and L2 do with loads, stores and hints; see coherence.md",
             "Candel 2.4.A, 4.5.4, 4.6.4", SEEN, TERM),
    ROW_BOOL(
        "fence_invalidates", fence_invalidates, "false",
        "a fence empties the L1 as an acquire does; traces do not record whether a fence orders "
        "shared memory alone",
        "QuickRelease 2.2; [A] off", SEEN, TERM, .when = "coherence.protocol!=none"),
    ROW_ENUM("store_order", store_order, "free", store_order_choices,
             "what stores that own their block (moesi's, and atomics) wait for; n-stores are free",
             "in_order: the public Multi2Sim, whose coherent stores are a CPU's; [A] free", SEEN,
             TERM, .when = "coherence.protocol!=none"),
    ROW_ENUM("l1_victim", l1_victim, "beside", l1_victim_choices,
             "when an L1 under moesi or nmoesi fetches a block whose line has another",
             "first: the public Multi2Sim, whose miss locks its line; [A] beside", UNSEEN, NO_TERM,
             .when = "coherence.protocol!=none"),
    ROW_INT(
        "directory_entries", directory_entries, "0", 0, 16777216, "blocks",
        "that a directory covers in L1s and L2; beyond them it recalls the one used longest ago;"
        " 0 = any number",
        "QuickRelease 2.4.2, table 1 (256 KB); [A] 4,096 blocks", UNSEEN, NO_TERM,
        .when = "coherence.protocol=moesi"),
    ROW_INT("directory_ways", directory_ways, "16", 1, 4096, "ways", "entries per set", "[A]",
            UNSEEN, SILENT, .when = "coherence.directory_entries!=0"),
    ROW_INT("directory_latency", directory_latency, "0", 0, 255, "L2 cycles",
            "from an L2 slice to a directory below it and back; 0 = the directory is at the slice",
            "QuickRelease figure 2 (below the L2)", UNSEEN, NO_TERM,
            .when = "coherence.protocol=moesi"),
    FIFO_SCOPE_ROW,
};

const struct part coherence_part = PART_OF("coherence protocol between the L1s and the L2", rows);

static bool has_l1(const struct machine *m, struct text *why)
{
    return check_demand(m->coherence.protocol == PROTOCOL_NONE || m->l1.enabled, why,
                        "a protocol without L1s; \"none\" is allowed");
}

/* The protocol decides what a store leaves in an L1. */
static bool l1_writes(const struct machine *m, struct text *why)
{
    bool plain =
        m->l1.cache.write == WRITE_THROUGH && m->l1.cache.write_miss == WRITE_MISS_NO_ALLOCATE;
    return check_demand(m->coherence.protocol != PROTOCOL_SI || !m->l1.enabled || plain, why,
                        "si has stores of its own over l1.write = \"through\" with l1.write_miss ="
                        " \"no_allocate\"; these are allowed");
}

static bool launches(const struct machine *m, struct text *why)
{
    return check_demand(
        m->coherence.protocol != PROTOCOL_SI || !m->l1.enabled || m->l1.flush_at_launch, why,
        "si empties L1s between launches; l1.flush_at_launch = true is allowed");
}

/* The L2 holds written bytes, with their masks, until it evicts the line. */
static bool l2_writes(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->l2.cache;
    bool keeps = c->write == WRITE_BACK && c->write_miss != WRITE_MISS_NO_ALLOCATE;
    return check_demand(m->coherence.protocol != PROTOCOL_SI || keeps, why,
                        "si over an L2 that does not keep stores; l2.write = \"back\" with any"
                        " l2.write_miss but \"no_allocate\" is allowed");
}

static bool l1_victim(const struct machine *m, struct text *why)
{
    return check_demand(
        m->coherence.l1_victim == L1_VICTIM_BESIDE || coherence_has_directory(&m->coherence), why,
        "no L1 puts what leaves it without a directory; moesi or nmoesi is allowed,"
        " or l1_victim = \"beside\"");
}

static bool has_directory(const struct machine *m)
{
    return coherence_has_directory(&m->coherence);
}

static bool store_order(const struct machine *m, struct text *why)
{
    return check_demand(m->coherence.store_order == STORE_ORDER_FREE || has_directory(m), why,
                        "no store owns its block under si; moesi or nmoesi is allowed, or"
                        " store_order = \"free\"");
}

/* The protocol itself defines stores, lines and their states. */
static bool directory_l1(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    const struct cache_params *c = &p->cache;
    bool fits = c->write == WRITE_THROUGH && c->write_miss == WRITE_MISS_NO_ALLOCATE &&
                c->sector_bytes == c->line_bytes && !c->tags && !p->adaptive && p->flush_at_launch;
    return check_demand(
        !has_directory(m) || !p->enabled || fits, why,
        "moesi and nmoesi have stores and lines of their own; L1s with write ="
        " \"through\", write_miss = \"no_allocate\", no sectors, no table of tags, a"
        " fixed size and flush_at_launch = true are allowed");
}

static bool directory_l2(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->l2.cache;
    bool fits = c->write == WRITE_BACK && c->write_miss != WRITE_MISS_NO_ALLOCATE &&
                c->sector_bytes == m->l1.cache.line_bytes && !m->l2.copy_warms &&
                !m->l2.vc.entries && !m->l2.writeback_buffer;
    return check_demand(
        !has_directory(m) || fits, why,
        "a directory over an L2 that does not suit it; write = \"back\", any write_miss"
        " but \"no_allocate\", sectors of the L1's line, copy_warms = false and neither "
        "a victim cache nor a write-back buffer are allowed");
}

/* Both look a request up after the L2's tags, at different places. */
static bool directory_beside_frc(const struct machine *m, struct text *why)
{
    bool far = has_directory(m) && m->coherence.directory_latency;
    return check_demand(!far || !m->l2.frc.entries, why,
                        "an FRC of %u entries over a directory below the L2; 0 is allowed there",
                        m->l2.frc.entries);
}

/* Scalar caches would be readers that the directory does not know. */
static bool directory_readers(const struct machine *m, struct text *why)
{
    return check_demand(!has_directory(m) || m->scalar.loads == SCALAR_NONE, why,
                        "a directory knows no scalar caches; scalar.loads = \"none\" is allowed");
}

static bool directory_sets(const struct machine *m, struct text *why)
{
    const struct coherence_params *p = &m->coherence;
    uint32_t set = m->l2.banks * p->directory_ways;
    return check_demand(p->directory_entries % set == 0, why,
                        "%u entries over %u slices are not a whole number of sets of %u each",
                        p->directory_entries, m->l2.banks, p->directory_ways);
}

/* The directory replies to a request by its MSHR, which a rejected request must therefore keep. */
static bool directory_answers(const struct machine *m, struct text *why)
{
    return check_demand(!has_directory(m) || !m->l2.nack_releases_l1_mshr, why,
                        "requests that give up their MSHR beside a directory; false is allowed");
}

static bool directory_fills(const struct machine *m, struct text *why)
{
    bool at_miss = m->l1.cache.alloc == ALLOC_ON_MISS;
    return check_demand(!has_directory(m) || !m->l1.enabled || at_miss, why,
                        "moesi and nmoesi take an L1's line at the miss; \"on_miss\" is allowed");
}

/* With unfair arbitration, a starving port would hold the messages that the L2 waits for, while
 * requests of the served ports are rejected and retried for ever. */
static bool answers_come(const struct machine *m, struct text *why)
{
    bool asks = m->l1.enabled && (has_directory(m) || m->l2.inclusion != INCLUSION_NONE);
    return check_demand(
        !asks || m->noc.arbitration != ARBITRATION_FIXED, why,
        "an L2 that waits for answers of L1s, behind ports that starve; arbitration ="
        " \"oldest\" and \"round_robin\" are allowed");
}

static const struct check checks[] = {
    {{"coherence.protocol", "l1.enabled"}, has_l1},
    {{"l2.nack_releases_l1_mshr", "coherence.protocol"}, directory_answers},
    {{"l1.alloc", "coherence.protocol", "l1.enabled"}, directory_fills},
    {{"coherence.protocol", "l1.write", "l1.write_miss", "l1.enabled"}, l1_writes},
    {{"coherence.protocol", "l1.flush_at_launch", "l1.enabled"}, launches},
    {{"coherence.protocol", "l2.write", "l2.write_miss"}, l2_writes},
    {{"coherence.protocol", "l1.write", "l1.write_miss", "l1.sector_bytes", "l1.tags",
      "l1.adaptive", "l1.flush_at_launch"},
     directory_l1},
    {{"coherence.protocol", "l2.write", "l2.write_miss", "l2.sector_bytes", "l1.line_bytes",
      "l2.copy_warms", "l2.vc.entries", "l2.writeback_buffer"},
     directory_l2},
    {{"l2.frc.entries", "coherence.protocol", "coherence.directory_latency"}, directory_beside_frc},
    {{"coherence.protocol", "scalar.loads"}, directory_readers},
    {{"coherence.directory_entries", "coherence.directory_ways", "l2.banks"}, directory_sets},
    {{"coherence.store_order", "coherence.protocol"}, store_order},
    {{"coherence.l1_victim", "coherence.protocol"}, l1_victim},
    {{"noc.arbitration", "l2.inclusion", "coherence.protocol", "l1.enabled"}, answers_come},
};

const struct check_list coherence_checks = {checks, sizeof checks / sizeof checks[0], NULL};
