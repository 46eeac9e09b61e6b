/* l1_params.c - parameter table of the L1 data cache. */
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART l1
/* Accesses pass the ports and the queue to the network without a cache, too. */
#define WITH_CACHE .when = "l1.enabled=true"

/* Where the limits of an instruction were measured. */
#define STRIDES "gpu-strides of RRZE-HPC/gpu-benches"

static const struct param rows[] = {
    ROW_BOOL("enabled", enabled, "true",
             "false: every access goes on to the L2 from the address pipeline",
             "QuickRelease 4.1 (noL1)", SEEN, TERM),
    ROW_INT("kb", kb, "16", 1, 4096, "KB",
            "capacity; with l1.adaptive what is left beside the largest shared memory. If it is no "
            "whole"
            " number of sets, sets are the next power of two, and some have one way less",
            "Candel tables 2.1, 3.1, 4.2", SEEN, TERM, WITH_CACHE),
    CACHE_ROWS("L1", "4", "64", "64", l1_write_choices, "through", "no_allocate",
               l1_write_miss_choices, "0", TERM, SEEN, TERM, WITH_CACHE),
    ROW_BOOL("mshr.wait_aside", mshr_wait_aside, "false",
             "a load without an MSHR waits in a queue of its own and lets others go on; false: it"
             " waits as the head",
             "Candel 3.5.1, 4.5.1", SEEN, PARTLY, .when = "l1.enabled=true"),
    ROW_INT("mshr.wait_entries", mshr_wait_entries, "0", 0, 65536, "accesses",
            "places of that queue; 0 = unbounded", "Candel 4.5.1", SEEN, TERM,
            .when = "l1.mshr.wait_aside=true"),
    SEED_ROW,
    ROW_INT(
        "tags", cache.tags, "0", 0, 1048576, "tags",
        "of lines that are there or on their way, in a table of their own; one that is wanted and"
        " not to be had pushes out a line; 0 = unbounded",
        "Khairy III-C, figure 6", SEEN, NO_TERM, .when = "l1.alloc=on_fill"),
    ROW_ENUM("write_local", write_local, "same", local_choices,
             "where stores to private (local) memory go", "Khairy table II (Fermi)", SEEN, TERM,
             WITH_CACHE),
    ROW_ENUM("bypass", bypass, "hinted", bypass_choices, "which accesses go round the L1",
             "AGCB 4, figure 15", SEEN, TERM, WITH_CACHE),
    L1_MECHANISM_ROWS ROW_ENUM("wake", wake, "together", wake_choices,
                               "when those who wait for a fill learn of it",
                               "Khairy III-C, figure 6", SEEN, SILENT, WITH_CACHE),
    ROW_INT("banks", banks, "1", 1, 64, "banks",
            "of the data array: accesses to one bank take turns; 1 = only l1.ports count",
            "Accel-Sim SM7_QV100", SEEN, TERM, WITH_CACHE),
    ROW_INT("bank_bytes", bank_bytes, "32", 4, 128, "bytes", "neighbouring bytes that share a bank",
            "Accel-Sim SM7_QV100", SEEN, TERM, WITH_CACHE),
    ROW_INT("bank_ports", bank_ports, "1", 1, 64, "accesses/cycle", "of each bank", "[A]", SEEN,
            TERM, WITH_CACHE),
    ROW_ENUM("bank_index", bank_index, "modulo", index_choices, "which bank: of address/bank_bytes",
             "Accel-Sim SM7_QV100 (linear = modulo)", SEEN, TERM, WITH_CACHE),
    ROW_INT("lookups", instruction.lookups, "0", 0, 64, "lines/cycle",
            "that the tags take of one instruction: so many banks of tags; 0 = only l1.ports count",
            STRIDES " (4)", SEEN, TERM, WITH_CACHE),
    ROW_ENUM("lookup_index", instruction.lookup_index, "modulo", lookup_choices,
             "in which of these banks a line's tag is",
             STRIDES ": RDNA2 modulo; A100, A40, H200 fold", SEEN, TERM, .when = "l1.lookups!=0"),
    ROW_INT("word_banks", instruction.word_banks, "0", 0, 64, "banks",
            "of 4 bytes of the data: lanes of an instruction that want different words of a bank"
            " take turns; 0 = they do not",
            STRIDES " (32)", SEEN, TERM, WITH_CACHE),
    ROW_INT("bytes_per_cycle", instruction.bytes_per_cycle, "0", 0, 1024, "bytes/cycle",
            "of an instruction's lanes that the data take; 0 = no limit",
            STRIDES ": A100, H200, RDNA2 128; A40 64", SEEN, TERM, WITH_CACHE),
    ROW_INT("scattered_lanes", instruction.scattered_lanes, "0", 0, 64, "lanes/cycle",
            "of an instruction whose lanes do not lie side by side, if they are in the same 16"
            " bytes; others come one by one; 0 = no limit",
            STRIDES ": MI210 2", SEEN, TERM, WITH_CACHE),
    ROW_BOOL("scattered_runs", instruction.scattered_runs, "false",
             "where lanes of an instruction do not lie side by side, those that do still come"
             " together, as many as bytes_per_cycle hold",
             "[A] false; AMD: multi-channel loads of a wave take 16 clocks (GPUOpen)", SEEN, TERM,
             .when = "l1.scattered_lanes!=0"),
    ROW_INT("latency", latency, "1", 1, 10000, "cycles", "tag look-up to data of a hit",
            "Candel tables 2.1, 3.1", SEEN, TERM, WITH_CACHE),
    ROW_INT("ports", ports, "2", 1, 64, "accesses/cycle", "accesses per cycle",
            "Candel tables 2.1, 3.1", SEEN, TERM),
    ROW_BOOL("merge_loads", merge_loads, "false",
             "a load joins the newest queued access to its block if that is a load",
             "Candel 3.5.2, 4.5.3", SEEN, TERM),
    ROW_BOOL("merge_stores", merge_stores, "false",
             "a store joins a queued store to its block: l1.merge_stores_with",
             "Candel 3.5.2, 4.5.3", SEEN, TERM),
    ROW_ENUM("merge_stores_with", merge_stores_with, "block", join_choices,
             "which queued access a store may join, if that is a store to its block",
             "Candel 3.5.2, 3.6.2; last: Multi2Sim", SEEN, PARTLY, .when = "l1.merge_stores=true"),
    ROW_INT("access_queue", access_queue, "0", 0, 65536, "accesses",
            "accesses before the look-up with which another instruction may issue; 0 = what the"
            " address pipeline holds",
            "[A]", SEEN, PARTLY),
    ROW_INT("miss_queue", miss_queue, "16", 1, 65536, "packets", "packets waiting for the network",
            "[A]", SEEN, TERM),
    ROW_INT("fill_ports", fill_ports, "1", 1, 64, "fills/cycle", "fills per cycle", "[A]", SEEN,
            TERM),
    ROW_BOOL("flush_at_launch", flush_at_launch, "true", "invalidated between launches",
             "Accel-Sim SM7_QV100", SEEN, TERM, WITH_CACHE),
    ROW_BOOL("adaptive", adaptive, "false",
             "L1 = unified memory - reserve - the smallest shared option that the launch needs",
             "Khairy II", SEEN, TERM, WITH_CACHE),
    ROW_INT("unified_kb", unified_kb, "128", 1, 4096, "KB", "L1 and shared memory together",
            "Khairy II", SEEN, TERM, .when = "l1.adaptive=true"),
    ROW_INT("reserved_kb", reserved_kb, "0", 0, 4096, "KB",
            "of the unified memory that neither L1 nor shared memory gets",
            "gpu-cache of RRZE-HPC/gpu-benches: loads leave the L1 at 125 of 128 KB (V100), 108 of"
            " 128 (A40), 158 to 172 of 192 (A100), 221 to 239 of 256 (H100)",
            SEEN, TERM, .when = "l1.adaptive=true"),
    ROW_LIST("shared_options_kb", shared_options_kb, "[0, 8, 16, 32, 64, 96]", 0, 4096, "KB",
             "capacities that shared memory can take, rising", "Khairy II", SEEN, TERM,
             .when = "l1.adaptive=true"),
    WRITE_CACHE_ROWS("of one L1", "4", "8", "64", "1"),
};

const struct part l1_part =
    PART_OF("L1 data cache of an SM and its split with shared memory", rows);

struct cache_params l1_tag_params(const struct l1_params *p)
{
    struct cache_params c = p->cache;
    if (p->write_local == LOCAL_BACK) c.write = WRITE_BACK;
    return c;
}

struct cache_params l1_tags_of(const struct l1_params *p, uint32_t kb)
{
    struct cache_params c = l1_tag_params(p);
    uint32_t lines = (uint32_t)((uint64_t)kb * 1024 / c.line_bytes);
    c.ways = (lines + c.sets - 1) / c.sets;
    c.short_sets = c.sets * c.ways - lines;
    return c;
}

uint32_t l1_most_kb(const struct l1_params *p)
{
    const struct param_list *o = &p->shared_options_kb;
    bool split = p->adaptive && o->n && l1_kb_beside(p, o->v[0]);
    return split ? l1_kb_beside(p, o->v[0]) : p->kb;
}

bool l1_keeps_stores(const struct l1_params *p)
{
    return p->cache.write == WRITE_THROUGH && p->cache.write_miss != WRITE_MISS_NO_ALLOCATE;
}
