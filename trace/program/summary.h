/* summary.h - statistics of a program, kernel by kernel, from reading it once.
 *
 * Footprints count distinct lines of 128 bytes, sectors of 32 bytes and pages of 4 KB that loads,
 * stores and atomics touch (not shared memory), over all launches of a kernel. Atomics read and
 * write. Memory: grows with the footprint, 16 to 32 bytes per line and kernel. */
#pragma once

#include "base/memory/hash_map.h"
#include "base/run/progress.h"
#include "trace/program/program.h"

enum { SUMMARY_LINE = 128, SUMMARY_SECTOR = 32, SUMMARY_PAGE = 4096 };
/* The value of a line in kernel_summary.touched: a bit for each sector, and whether it was read and
 * written. */
enum { TOUCHED_SECTORS = 15, TOUCHED_READ = 16, TOUCHED_WRITTEN = 32 };

struct kernel_summary {
    const char *name; /* the program's */
    uint64_t launches, ctas, warps, instructions, lanes;
    uint64_t by_class[OP_N], lanes_by_class[OP_N]; /* instructions; active lanes in them */
    uint64_t by_lanes[WARP_MAX_LANES + 1];         /* instructions by number of active lanes */
    uint64_t copies;                               /* of the loads, asynchronous copies */
    uint64_t lines, sectors, pages;
    uint64_t read_only, write_only; /* lines; the others are read and written */
    struct hash_map touched;        /* line -> TOUCHED_* */
};

/* A region of memory whose touched lines are less than REGION_GAP bytes apart and in which no copy
 * begins or ends: usually a buffer. */
enum { REGION_GAP = 1 << 20 };
struct region {
    uint64_t first, end; /* bytes; end: of the last line */
    uint64_t lines, read_only, write_only;
};

struct program_summary {
    /* In the order of their first launch; equal names are one kernel. */
    struct kernel_summary *kernel;
    uint32_t n;
    bool one; /* at most one kernel: all.touched is empty, the kernel's applies */
    struct kernel_summary all;
};

/* progress: NULL, or counts CTAs.  Interrupted: false with ERROR_INTERRUPTED. */
bool program_summarize(struct program_summary *s, const struct program *p,
                       struct progress *progress, struct error *e);
void program_summary_fini(struct program_summary *s);
/* The number of the kernel of that name among s->kernel; s->n: none. */
uint32_t program_summary_find(const struct program_summary *s, const char *name);
/* The program's regions by address, mem_free them; NULL: no memory, or none touched (*n = 0). */
struct region *program_regions(const struct program_summary *s, const struct program *p,
                               uint32_t *n);
