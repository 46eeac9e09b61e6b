/* site_counters.h - cache statistics of each static memory instruction and each buffer: counted on
 * demand, without changing the simulation.
 *
 * A site is a memory instruction of a kernel (global and local memory; not shared memory). Its
 * accesses are those sent to the L1 after coalescing; they are hits or misses at the L1, or they
 * merged into a fill or bypassed the L1. With merging before the L1 (sm.vmb_merge), a merged access
 * is looked up once, for the instruction that arrived first. A site's latency is that of whole
 * instructions: from the issue until the last data have returned, or of stores until the last is
 * acknowledged. A buffer is a memory region (trace/program/summary.h); L2 requests are counted
 * once, when the slice first decides them.
 *
 * Units: latencies in core cycles. Memory: one struct site per instruction of each kernel.
 * Ownership: site_counters_fini frees; the simulation borrows it (sim_count_sites). */
#pragma once

#include "base/memory/hash_map.h"
#include "trace/program/program.h"

enum { SITE_NAME = 32 };

struct site {
    uint32_t pc;
    uint8_t cls, space, width; /* enum op_class, enum mem_space, bytes per lane */
    char opcode[SITE_NAME];    /* "" if the trace has none */
    uint64_t executions, lanes, accesses, hits, misses, latency, longest;
};

struct site_kernel {
    char name[128];
    /* [n] by position in the kernel's code; instructions without an address stay 0. */
    struct site *site;
    uint32_t n;
};

struct buffer_counts {
    uint64_t first, end; /* bytes */
    uint64_t reads, writes, atomics, l1_hits, l1_misses, l2_reads, l2_read_hits, l2_writes,
        l2_write_hits;
};

struct site_counters {
    struct site_kernel *kernel;
    struct site *now;             /* sites of the running launch */
    struct buffer_counts *buffer; /* sorted by address, disjoint */
    uint32_t n_kernels, n_buffers;
    size_t cap;
    /* Where pages are placed: the program's address of each KB of memory that it has touched. */
    struct hash_map place;
    uint64_t *origin;
    uint32_t n_origins;
    size_t origins_cap;
};

/* Counts for these memory regions (possibly none). */
struct region;
bool site_counters_init(struct site_counters *x, const struct region *region, uint32_t regions);
void site_counters_fini(struct site_counters *x);
/* Begins a launch; false: no memory. */
bool site_counters_launch(struct site_counters *x, const struct launch *l);
/* Called when an instruction sends an access; when an L1 or a slice has looked one up. */
void site_counters_access(struct site_counters *x, uint64_t addr, uint8_t cls);
/* Where pages are placed: the physical address of one of the program's; false: no memory. The
 * caches are told physical addresses. */
bool site_counters_place(struct site_counters *x, uint64_t addr, uint64_t physical);
void site_counters_l1(struct site_counters *x, uint32_t code, uint64_t addr, bool hit, bool miss);
void site_counters_l2(struct site_counters *x, uint64_t addr, bool read, bool hit);
