/* scalar_params.c - parameter table of the scalar caches, and their checks. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART scalar
#define WITH_SCALAR .when = "scalar.loads!=none"

static const struct choice loads_choices[] = {
    {"none", SCALAR_NONE, "there is none: such loads go to the L1"},
    {"constant", SCALAR_CONSTANT, "of constant memory, all active lanes at one address"},
    {"uniform", SCALAR_UNIFORM,
     "of global memory likewise, too; stores leave its copies alone, an acquire drops them"},
    {NULL, 0, NULL},
};

static const struct param rows[] = {
    ROW_ENUM("loads", loads, "none", loads_choices, "which loads a scalar cache serves",
             "Candel 2.3, table 3.1; [A] which", SEEN, NO_TERM),
    ROW_INT("sms_per_cache", sms_per_cache, "4", 1, 1024, "SMs",
            "that share a cache, at most; 10 SMs by 4 are 4, 3 and 3", "Candel 2.3, table 3.1",
            SEEN, SILENT, WITH_SCALAR),
    ROW_INT("kb", kb, "16", 1, 4096, "KB", "capacity of one", "Candel table 3.1", SEEN, SILENT,
            WITH_SCALAR),
    ROW_INT("ways", cache.ways, "4", 1, CACHE_WAYS_MAX, "ways", "lines per set", "Candel table 3.1",
            SEEN, SILENT, WITH_SCALAR),
    ROW_INT("line_bytes", cache.line_bytes, "64", 16, 128, "bytes",
            "line, a power of two; fetched by sectors of the L2 where these are smaller",
            "Candel table 3.1", SEEN, SILENT, WITH_SCALAR),
    ROW_ENUM("replacement", cache.repl, "lru", repl_choices, "who leaves a full set",
             "Candel table 3.1 (lru)", SEEN, SILENT, WITH_SCALAR),
    SEED_ROW,
    ROW_INT("mshr.entries", cache.mshr.entries, "0", 0, 65536, "entries",
            "sectors that may have a fill in flight, per cache; 0 = unbounded", "Candel 3.5.1",
            SEEN, SILENT, WITH_SCALAR),
    ROW_INT("mshr.max_merge", cache.mshr.max_merge, "0", 0, 65536, "accesses",
            "accesses that may wait for one fill, the first included; 0 = unbounded",
            "Candel 3.5.1", SEEN, SILENT, WITH_SCALAR),
    ROW_INT("latency", latency, "1", 1, 10000, "cycles",
            "tag look-up to data of a hit, behind sm.memory_latency", "Candel table 3.1", SEEN,
            SILENT, WITH_SCALAR),
    ROW_INT("ports", ports, "2", 1, 64, "accesses/cycle", "accesses per cycle", "Candel table 3.1",
            SEEN, SILENT, WITH_SCALAR),
};

const struct part scalar_part = PART_OF("scalar (constant) caches, each shared by some SMs", rows);

static bool lines(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->scalar.cache;
    if (m->scalar.loads == SCALAR_NONE) return true;
    return check_demand(check_is_power_of_two(c->line_bytes), why,
                        "lines of %u bytes; a power of two is allowed", c->line_bytes) &&
           check_demand(c->line_bytes <= m->l2.cache.line_bytes, why,
                        "lines of %u bytes over L2 lines of %u; at most the L2's are allowed",
                        c->line_bytes, m->l2.cache.line_bytes);
}

static bool sets(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->scalar.cache;
    return check_demand(m->scalar.loads == SCALAR_NONE || c->sets > 0, why,
                        "%u KB are not a whole number of sets of %u lines of %u bytes",
                        m->scalar.kb, c->ways, c->line_bytes);
}

static bool tree(const struct machine *m, struct text *why)
{
    return check_tree(m->scalar.cache.ways, &m->scalar.cache, why);
}

static const struct check checks[] = {
    {{"scalar.line_bytes", "l2.line_bytes", "scalar.loads"}, lines},
    {{"scalar.kb", "scalar.ways", "scalar.line_bytes", "scalar.loads"}, sets},
    {{"scalar.replacement", "scalar.ways"}, tree},
};

/* --- derived fields --- */

/* A request is for one sector of the L2. */
static void derive(struct machine *m)
{
    struct scalar_params *p = &m->scalar;
    const struct cache_params *l2 = &m->l2.cache;
    p->cache.sets = check_derived_sets(p->kb, &p->cache);
    p->cache.sector_bytes =
        p->cache.line_bytes < l2->sector_bytes ? p->cache.line_bytes : l2->sector_bytes;
}

const struct check_list scalar_checks = {checks, sizeof checks / sizeof checks[0], derive};
