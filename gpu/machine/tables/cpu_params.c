/* cpu_params.c - parameter table of the CPUs beside the GPU, and their checks. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/params/coherence/cpu_programs.h"
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART cpu
#define WITH_CPU .when = "cpu.cache_kb!=0"
#define WITH_CORES .when = "cpu.programs!="
#define WITH_AGENTS .when = "cpu.agents!=0"

static const struct param rows[] = {
    ROW_INT("cache_kb", cache_kb, "0", 0, 1048576, "KB",
            "caches of all CPUs, where what the host writes stays modified; 0 = there are no CPUs",
            "QuickRelease 2.4, 5.1; [A] 2 MB", UNSEEN, NO_TERM),
    ROW_INT("ways", cache.ways, "16", 1, CACHE_WAYS_MAX, "ways",
            "lines per set; lines are the L2's", "[A]", UNSEEN, SILENT, WITH_CPU),
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
    ROW_STRING("programs", programs, "",
               "what the CPU cores beside the GPU execute, at most four, separated by commas or "
               "blanks; one core each",
               "Mao 5.4.1, tables 7 and 8", UNSEEN, TERM),
    ROW_INT("clock_mhz", clock_mhz, "3000", 1, 100000, "MHz", "clock of the cores", "Mao table 9",
            UNSEEN, TERM, WITH_CORES),
    ROW_INT("rob", rob, "256", 1, 65536, "instructions",
            "that a core executes beyond its oldest miss in flight", "Mao table 9", UNSEEN, TERM,
            WITH_CORES),
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

static bool programs(const struct machine *m, struct text *why)
{
    struct cpu_params p = m->cpu;
    struct error e = {0};
    return cpu_programs_find(&p, &e) || check_demand(false, why, "%s", e.text);
}

static bool cores_reach_the_memory(const struct machine *m, struct text *why)
{
    return check_demand(!cpu_cores_run(&m->cpu) || !l3_is_there(&m->l3), why,
                        "CPU cores reach the memory without an L3; l3.kb = 0 is allowed");
}

/* A line of a core lies in one slice and one row. */
static bool cores_lines(const struct machine *m, struct text *why)
{
    return check_demand(!cpu_cores_run(&m->cpu) || m->l2.interleave_bytes >= CPU_LINE, why,
                        "slices change every %u bytes within lines of CPU cores; %d and more are "
                        "allowed",
                        m->l2.interleave_bytes, CPU_LINE);
}

static bool cores_ports(const struct machine *m, struct text *why)
{
    enum { PORTS_MAX = 1024 }; /* as many as a request can name */
    return check_demand(m->sm.count + m->cpu.cores <= PORTS_MAX, why,
                        "%u SMs and %u CPU cores; together %d are allowed", m->sm.count,
                        m->cpu.cores, PORTS_MAX);
}

static bool cores_first(const struct machine *m, struct text *why)
{
    bool strict = m->dram.scheduler == DRAM_FCFS_STRICT ||
                  (dram_is_there(&m->second_dram) && m->second_dram.scheduler == DRAM_FCFS_STRICT);
    return check_demand(!m->dram.urgent_first || !strict, why,
                        "requests in strict order have no first; dram.scheduler=fcfs or fr_fcfs is "
                        "allowed");
}

static bool one_partition(const struct machine *m, struct text *why)
{
    return check_demand(m->l2.partitions == 1 || (!cpu_is_there(&m->cpu) && !m->cpu.cores), why,
                        "partitions of the L2 beside CPUs; none are allowed");
}

static const struct check checks[] = {
    {{"cpu.programs"}, programs},
    {{"cpu.programs", "l3.kb"}, cores_reach_the_memory},
    {{"cpu.programs", "l2.interleave_bytes"}, cores_lines},
    {{"cpu.programs", "sm.count"}, cores_ports},
    {{"cpu.cache_kb", "l3.kb"}, directory},
    {{"cpu.cache_kb", "cpu.ways", "l2.line_bytes"}, sets},
    {{"dram.cpu_first", "dram.scheduler", "dram[1].scheduler", "dram[1].channels"}, cores_first},
    {{"l2.partitions", "cpu.cache_kb", "cpu.programs"}, one_partition},
};

/* --- derived fields --- */

/* The CPUs' caches hold blocks of the L2's size. Every core has a port of its own at both networks;
 * both memories treat them alike. */
static void derive(struct machine *m)
{
    struct cpu_params *p = &m->cpu;
    const struct cache_params *l2 = &m->l2.cache;
    p->cache.line_bytes = p->cache.sector_bytes = l2->sector_bytes;
    p->cache.write = WRITE_BACK;
    p->cache.write_miss = WRITE_MISS_FETCH;
    p->cache.sets = check_derived_sets(p->cache_kb, &p->cache);
    cpu_programs_find(&m->cpu, NULL); /* what is wrong, the checks say */
    m->noc.other_ports = m->cpu.cores;
    m->noc.other_bytes = cpu_cores_run(p) ? CPU_LINE : 0;
    m->second_dram.urgent_first = m->dram.urgent_first;
}

const struct check_list cpu_checks = {checks, sizeof checks / sizeof checks[0], derive};
