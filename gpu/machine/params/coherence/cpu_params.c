/* cpu_params.c - parameter table of the CPUs beside the GPU, and their checks. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/tables/parts.h"
#include "gpu/machine/tables/rows.h"

#define PART cpu
#define WITH_CPU .when = "cpu.cache_kb!=0"
#define WITH_AGENTS .when = "cpu.agents!=0"

static const struct param rows[] = {
    ROW_INT("cache_kb", cache_kb, "0", 0, 1048576, "KB",
            "caches of all CPUs, where what the host writes stays modified; 0 = there are no CPUs",
            "QuickRelease 2.4, 5.1; [A] 2 MB", UNSEEN, NO_TERM),
    ROW_INT("ways", cache.ways, "16", 1, 4096, "ways", "lines per set; lines are the L2's", "[A]",
            UNSEEN, SILENT, WITH_CPU),
    ROW_INT("probe_latency", probe_latency, "40", 0, 10000, "L2 cycles",
            "from the directory to the CPUs and back", "[A]", UNSEEN, SILENT, WITH_CPU),
    ROW_INT("supply_cycles", supply_cycles, "4", 1, 10000, "L2 cycles",
            "between two blocks that they supply", "[A] 16 bytes per cycle", UNSEEN, SILENT,
            WITH_CPU),
    ROW_INT("agents", agents, "0", 0, 64, "CPUs", "that use the memory while a kernel runs", "[A]",
            UNSEEN, SILENT, WITH_CPU),
    ROW_INT("rate", rate, "10", 1, 1000, "requests/1000 cycles",
            "misses of an agent's caches per 1000 L2 cycles", "[A]", UNSEEN, SILENT, WITH_AGENTS),
    ROW_INT("write_share", write_share, "25", 0, 100, "%", "of these, write-backs", "[A]", UNSEEN,
            SILENT, WITH_AGENTS),
    ROW_INT("locality", locality, "50", 0, 100, "%", "go to the block behind the one before", "[A]",
            UNSEEN, SILENT, WITH_AGENTS),
    ROW_INT("footprint_kb", footprint_kb, "65536", 1, 4194304, "KB",
            "memory of an agent, which no kernel touches", "[A]", UNSEEN, SILENT, WITH_AGENTS),
};

const struct part cpu_part = PART_OF("CPUs that share directory and memory with the GPU", rows);

static bool directory(const struct machine *m, struct text *why)
{
    return check_demand(!cpu_is_there(&m->cpu) || l3_is_there(&m->l3), why,
                        "CPUs meet the GPU at the L3; l3.kb other than 0 is allowed");
}

static bool sets(const struct machine *m, struct text *why)
{
    const struct cpu_params *p = &m->cpu;
    return check_demand(!cpu_is_there(p) || p->cache.sets > 0, why,
                        "%u KB are not a whole number of sets of %u lines of %u bytes", p->cache_kb,
                        p->cache.ways, p->cache.line_bytes);
}

static const struct check checks[] = {
    {{"cpu.cache_kb", "l3.kb"}, directory},
    {{"cpu.cache_kb", "cpu.ways", "l2.line_bytes"}, sets},
};

const struct check_list cpu_checks = {checks, sizeof checks / sizeof checks[0]};
