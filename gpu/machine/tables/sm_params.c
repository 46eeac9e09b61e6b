/* sm_params.c - parameter table of the streaming multiprocessor (compute unit). */
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART sm

static const struct choice sched_choices[] = {
    {"lrr", SCHED_LRR, "loose round robin"},
    {"gto", SCHED_GTO, "greedy, then oldest"},
    {"two_level", SCHED_TWO_LEVEL, "of a first level of warps that do not wait, loose round robin"},
    {"intercl", SCHED_INTERCL,
     "the same with neighbouring CTAs in the first level, greedy, then oldest"},
    {"owl", SCHED_OWL, "groups of CTAs in a fixed order, another one on the next SM"},
    {"rmws", SCHED_RMWS, "whose operands need the fewest shifts of racetracks, then as gto"},
    {"tbas", SCHED_TBAS, "of a running set of few thread batches, greedy, then oldest"},
    {NULL, 0, NULL},
};

static const struct choice tbas_choices[] = {
    {"gather", TBAS_GATHER, "the one that has had enough runnable warps for longest"},
    {"successor", TBAS_SUCCESSOR, "the one that follows the batch that entered last"},
    {"older_first", TBAS_OLDER_FIRST, "the oldest"},
    {NULL, 0, NULL},
};

static const struct choice throttle_choices[] = {
    {"none", THROTTLE_NONE, "all of them"},
    {"fixed", THROTTLE_FIXED, "sm.active_warps"},
    {"iwl", THROTTLE_IWL, "as many as have working sets that fit into the L1, from samples"},
    {"ccws", THROTTLE_CCWS, "loads of those that lost locality most"},
    {NULL, 0, NULL},
};

static const struct choice active_choices[] = {
    {"spread", ACTIVE_SPREAD, "a warp of each CTA in turn"},
    {"cta", ACTIVE_CTA, "from as few CTAs as possible (IntraCL)"},
    {NULL, 0, NULL},
};

static const struct choice iwl_access_choices[] = {
    {"transactions", IWL_TRANSACTIONS, "each one that reaches the L1"},
    {"instructions", IWL_INSTRUCTIONS,
     "memory instructions: one for all that a warp asks for at once"},
    {NULL, 0, NULL},
};
static const struct choice dispatch_choices[] = {
    {"interleaved", DISPATCH_INTERLEAVED, "the next CTA goes to whoever has room"},
    {"serial", DISPATCH_SERIAL, "each SM has a queue of consecutive CTAs"},
    {"balanced", DISPATCH_BALANCED,
     "the same; an SM whose queue is empty takes the second half of the longest one"},
    {NULL, 0, NULL},
};

static const struct choice wait_choices[] = {
    {"block", WAIT_BLOCK, "at the memory instruction itself"},
    {"wait_all_at_use", WAIT_ALL_AT_USE, "at the first use of any loaded register, for all loads"},
    {"scoreboard", WAIT_SCOREBOARD, "at the first use of that register"},
    {NULL, 0, NULL},
};

static const struct choice binding_choices[] = {
    {"warps_round_robin", CTA_WARPS_ROUND_ROBIN, "a CTA's warps go to the sub-cores in turn"},
    {"one_subcore", CTA_ONE_SUBCORE, "all warps of a CTA on one sub-core, CTAs in turn"},
    {NULL, 0, NULL},
};

static const struct choice scope_choices[] = {
    {"sm", VMB_PER_SM, "a buffer for all warps"},
    {"warp", VMB_PER_WARP, "a buffer for each warp slot"},
    {NULL, 0, NULL},
};

static const struct choice release_choices[] = {
    {"out_of_order", VMB_OUT_OF_ORDER, "an entry is free when its instruction is finished"},
    {"in_order", VMB_IN_ORDER, "and all older entries of the SM are free"},
    {"in_order_warp", VMB_IN_ORDER_WARP, "and all older entries of its warp are free"},
    {NULL, 0, NULL},
};

static const struct choice shared_choices[] = {
    {"own", SHARED_OWN, "by a pipeline of its own, beside vector memory instructions"},
    {"memory", SHARED_MEMORY,
     "by the address pipeline, whose turns and latency it shares with vector memory"},
    {NULL, 0, NULL},
};

#define UNIT_ROWS(unit_, latency_, interval_, what_)                                               \
    ROW_INT("units." #unit_ ".latency", unit_.latency, latency_, 1, 100000, "cycles",              \
            what_ ": issue to result", "Candel table 3.1 (4 cycles per instruction)", SEEN, TERM), \
        ROW_INT("units." #unit_ ".interval", unit_.interval, interval_, 1, 100000, "cycles",       \
                what_ ": between two instructions of a sub-core",                                  \
                "Candel table 3.1 (16 lanes, 64-wide warps)", SEEN, TERM)

static const struct param rows[] = {
    ROW_INT("count", count, "8", 1, SM_COUNT_MAX, "SMs",
            "streaming multiprocessors (compute units)", "Candel 6.6", SEEN, TERM),
    ROW_INT("warp_width", warp_width, "64", 32, 64, "lanes", "32 or 64", "Candel 1.2.2; Khairy II",
            SEEN, TERM),
    ROW_INT("max_warps", max_warps, "40", 1, 256, "warps", "resident warps per SM",
            "QuickRelease table 1", SEEN, TERM),
    ROW_INT("max_ctas", max_ctas, "40", 1, 256, "CTAs", "resident CTAs per SM",
            "[A] no limit beside the warps", SEEN, TERM),
    ROW_INT("registers", registers, "65536", 0, 1048576, "registers",
            "32-bit registers per SM over all lanes; 0 = no limit", "Khairy table II", SEEN, TERM),
    ROW_INT("register_unit", register_unit, "8", 1, 64, "registers",
            "a warp's registers per lane are allocated in units of so many", "[A]", SEEN, TERM),
    ROW_INT("shared_kb", shared_kb, "64", 0, 1024, "KB", "most shared memory per SM; 0 = no limit",
            "Candel 3.4.3", SEEN, TERM),
    ROW_INT(
        "subcores", subcores, "4", 1, 8, "sub-cores",
        "each with a scheduler that issues one instruction per cycle, and units of its own unless"
        " the register file has collectors",
        "Candel 1.2.2; Khairy II", SEEN, TERM),
    ROW_ENUM("scheduler", scheduler, "lrr", sched_choices, "which ready warp issues",
             "Mao table 2; mechanisms of Rogers et al. 2012", SEEN, TERM),
    ROW_INT("two_level.warps", two_level_warps, "8", 1, 64, "warps",
            "in the first level, per sub-core", "Gebhart 2011 (8 of 32)", SEEN, TERM,
            .when = "sm.scheduler=two_level"),
    ROW_INT("intercl.warps", intercl_warps, "16", 1, 64, "warps",
            "in the first level, per sub-core", "Mao 4.3", SEEN, TERM,
            .when = "sm.scheduler=intercl"),
    ROW_INT("owl.ctas", owl_ctas, "1", 1, 64, "CTAs", "of a group that goes first together",
            "Jog 2013 [A] the smallest", SEEN, TERM, .when = "sm.scheduler=owl"),
    ROW_INT("batch_blocks", batch_blocks, "0", 0, 1048576, "CTAs",
            "consecutive CTAs that make a thread batch; 0 = as many as share pages, found in the"
            " trace for each kernel",
            "Mao 5.2.1; [A] from CTA 0 on", SEEN, TERM, .when = "sm.scheduler=tbas"),
    ROW_INT("batch_page_kb", batch_page_kb, "4", 1, 2048, "KB",
            "size of the pages that batches share, a power of two", "Mao 5.2.1", SEEN, TERM,
            .when = "sm.scheduler=tbas"),
    ROW_INT("tbas.warps", tbas_warps, "16", 1, 64, "warps", "in the running set, per sub-core",
            "Mao 5.3; [A] the number of intercl's first level", SEEN, TERM,
            .when = "sm.scheduler=tbas"),
    ROW_ENUM("tbas.steps", tbas_steps, "older_first", tbas_choices,
             "which thread batch enters the running set next",
             "Mao 5.3, figure 37 (c) to (e); [A] the order of (c)", SEEN, TERM,
             .when = "sm.scheduler=tbas"),
    ROW_ENUM("throttle", throttle, "none", throttle_choices, "how many warps of an SM may issue",
             "Mao 4.2.1; Rogers 2012", SEEN, TERM),
    ROW_INT("active_warps", active_warps, "16", 1, 256, "warps",
            "of an SM that may issue; those at a barrier do not count", "Mao 4.2.1; [A] the number",
            SEEN, TERM, .when = "sm.throttle=fixed"),
    ROW_ENUM("active_set", active_set, "spread", active_choices,
             "which warps those are; ccws has a rule of its own", "Mao 4.2.2", SEEN, TERM,
             .when = "sm.throttle!=none"),
    ROW_REAL("iwl.alpha", iwl.alpha, "0.1", 0, 1, "1",
             "share of a launch's warps that an SM runs before it throttles", "Mao 4.2.1, 4.3",
             SEEN, TERM, .when = "sm.throttle=iwl"),
    ROW_REAL("iwl.beta", iwl.beta, "4", 0.01, 1000, "1",
             "how many times the L1 the active warps' accesses may cover", "Mao 4.2.1, 4.3", SEEN,
             TERM, .when = "sm.throttle=iwl"),
    ROW_ENUM("iwl.accesses", iwl.accesses, "transactions", iwl_access_choices,
             "what counts as an access of a warp",
             "Mao 4.2.1 leaves it open; 4.4 has accesses that"
             " generate lists of transactions",
             SEEN, TERM, .when = "sm.throttle=iwl"),
    ROW_INT("iwl.amt_entries", iwl.amt_entries, "8192", 1, 1048576, "bits",
            "of the address miss table", "Mao 4.2.1", SEEN, TERM, .when = "sm.throttle=iwl"),
    ROW_INT("iwl.counter_bits", iwl.counter_bits, "10", 1, 31, "bits",
            "of a warp's counters of misses and accesses, which stay at their end", "Mao 4.2.1",
            SEEN, TERM, .when = "sm.throttle=iwl"),
    ROW_INT("ccws.tags", ccws.tags, "16", 1, 1024, "tags", "of lost lines that a warp remembers",
            "Rogers 2012", SEEN, TERM, .when = "sm.throttle=ccws"),
    ROW_INT("ccws.tag_ways", ccws.tag_ways, "8", 1, 1024, "tags",
            "per set of these, a divisor of them", "Rogers 2012", SEEN, TERM,
            .when = "sm.throttle=ccws"),
    ROW_INT("ccws.base_score", ccws.base_score, "100", 1, 100000, "points",
            "of a warp that has lost nothing; a cycle takes a point away down to it", "Rogers 2012",
            SEEN, TERM, .when = "sm.throttle=ccws"),
    ROW_REAL("ccws.gain", ccws.gain, "8", 0.001, 10000, "1",
             "weight of lost lines per instruction in the score", "Rogers 2012 (K_THROTTLE)", SEEN,
             TERM, .when = "sm.throttle=ccws"),
    ROW_ENUM("dispatch", dispatch, "interleaved", dispatch_choices, "which SM a CTA goes to",
             "Mao 4.2.3", SEEN, TERM),
    ROW_BOOL("reuse_classes", reuse_classes, "false",
             "count loads' hits and misses by who touched the block last; changes no time",
             "Mao 4.1, figures 21, 25, 26", SEEN, SILENT),
    ROW_ENUM("cta_binding", cta_binding, "one_subcore", binding_choices,
             "which sub-core a CTA's warps go to", "Candel 1.2.2", SEEN, TERM),
    ROW_ENUM("memory_wait", memory_wait, "wait_all_at_use", wait_choices,
             "when a warp with a load in flight stops issuing", "Candel 2.5.B", SEEN, TERM),
    ROW_BOOL("nonblocking_stores", nonblocking_stores, "true",
             "a store leaves the vector memory buffer when its accesses are issued", "Candel 3.5.3",
             SEEN, TERM),
    ROW_BOOL("exit_waits_for_stores", exit_waits_for_stores, "true",
             "a warp that has ended keeps its place until its stores are acknowledged",
             "MI100 instruction set architecture (S_ENDPGM waits for all)", SEEN, TERM),
    ROW_INT("launch_cycles", launch_cycles, "0", 0, 10000000, "cycles",
            "from a launch command to its first CTA", "[A] none", SEEN, TERM),
    ROW_INT("next_launch_cycles", next_launch_cycles, "0", 0, 10000000, "cycles",
            "from the end of a launch to the first CTA of the one behind it; 0: launch_cycles",
            "measured: small kernels, queued and in a graph (te42kyfo/gpu-benches)", SEEN, TERM),
    ROW_INT("cta_launch_cycles", cta_launch_cycles, "0", 0, 100000, "cycles",
            "from the moment a CTA has its place on an SM to its first instruction", "[A] none",
            SEEN, TERM),
    ROW_REAL("cta_rate", cta_rate, "0", 0, 1024, "CTAs per cycle",
             "that the GPU's one dispatcher starts, over all SMs; 0 = no limit",
             "measured: H100 SXM and H200, empty kernels of 2^20 CTAs", SEEN, TERM),
    UNIT_ROWS(int32, "4", "4", "32-bit integer"),
    UNIT_ROWS(fp32, "4", "4", "single precision"),
    UNIT_ROWS(fp64, "4", "4", "double precision"),
    UNIT_ROWS(sfu, "4", "4", "special functions"),
    UNIT_ROWS(tensor, "4", "4", "matrix unit"),
    UNIT_ROWS(branch, "4", "4", "branches"),
    ROW_REAL(
        "mma_sync_interval", mma_sync_interval, "0", 0, 100000, "cycles",
        "matrix unit, a single warp's instruction (mma.sync), a mean; 0: units.tensor.interval",
        "measured: H100 SXM and H200 (6.2, where wgmma takes 4)", SEEN, TERM),
    ROW_REAL("fp32_interval", fp32_interval, "0", 0, 100000, "cycles",
             "FP32 unit, an instruction, a mean; 0: units.fp32.interval",
             "derived: products in FP32 of an H100 SXM (1.1, where a sub-core has 32 lanes)", SEEN,
             TERM),
    ROW_BOOL("warpgroups", warpgroups, "false",
             "four warps multiply together (wgmma): which tiles ml/gemm chooses",
             "PTX ISA, wgmma.mma_async (sm_90a)", SEEN, TERM),
    ROW_INT("vmb_entries", vmb_entries, "32", 0, 65536, "instructions",
            "vector memory instructions in flight per SM or warp slot; 0 = unbounded",
            "Candel table 3.1", SEEN, PARTLY),
    ROW_ENUM("vmb_scope", vmb_scope, "sm", scope_choices, "whose the entries of the buffer are",
             "Candel table 3.1; M2S since 2017 (warp)", SEEN, TERM, .when = "sm.vmb_entries!=0"),
    ROW_ENUM("vmb_release", vmb_release, "out_of_order", release_choices,
             "when an entry is free again; a store is finished when its accesses are issued, or"
             " back where stores block",
             "Candel 3.5.3 (in_order); M2S since 2017", SEEN, TERM, .when = "sm.vmb_entries!=0"),
    ROW_BOOL("coalesce_loads", coalesce_loads, "true",
             "an instruction's lanes join before it goes to the L1; false: only those of a phase",
             "Candel 3.5.2", SEEN, TERM),
    ROW_BOOL("coalesce_stores", coalesce_stores, "true",
             "the same of stores; false in Southern Islands, which merges them", "Candel 3.5.2",
             SEEN, TERM),
    ROW_INT("phase_lanes", phase_lanes, "16", 1, 64, "lanes",
            "lanes per cycle of an instruction that does not coalesce, a power of two",
            "Candel 4.5.3", SEEN, TERM),
    ROW_BOOL("combine_atomics", combine_atomics, "true",
             "lanes of an atomic instruction to one address make one access; false: one each",
             "[A]; Accel-Sim (false)", SEEN, TERM),
    ROW_INT("coalesce_lanes", coalesce_lanes, "64", 1, 64, "lanes",
            "lanes whose accesses may join, a power of two: 8 Volta, 32 Fermi, 64 GCN",
            "Khairy II; Candel 3.5.2", SEEN, TERM),
    ROW_INT("coalesce_bytes", coalesce_bytes, "64", 16, 128, "bytes",
            "aligned block that they join into, from the L1's sector to its line",
            "Khairy II; Candel 3.5.2", SEEN, TERM),
    ROW_INT("memory_latency", memory_latency, "1", 0, 100000, "cycles",
            "issue to the first access at the L1's door", "[A]", SEEN, TERM),
    ROW_ENUM("shared_pipeline", shared_pipeline, "own", shared_choices,
             "how instructions get to shared memory", "Candel 3.4.3 (LDS); Accel-Sim (memory)",
             SEEN, TERM),
    ROW_INT("shared_latency", shared_latency, "1", 1, 100000, "cycles",
            "shared memory, without conflicts: issue to result, or from the address pipeline's end",
            "Candel table 3.1 (LDS)", SEEN, TERM),
    ROW_INT("shared_banks", shared_banks, "32", 1, 64, "banks",
            "banks of shared memory, 4 bytes wide, a power of two", "Candel table 3.1 (32 ports)",
            SEEN, TERM),
    ROW_INT("shared_bytes", shared_bytes, "0", 0, 4096, "bytes/cycle",
            "between shared memory and registers, words that lanes share counted for each; 0: "
            "banks alone",
            "GA102 whitepaper: Turing 64, Ampere 128", SEEN, TERM),
};

const struct part sm_part = PART_OF("streaming multiprocessor (AMD: compute unit)", rows);
