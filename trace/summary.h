/* summary.h - what a program consists of, kernel by kernel, from reading it once.
 *
 * Footprints count distinct lines of 128 bytes and sectors of 32 bytes that loads, stores and
 * atomics touch (not shared memory), over all launches of a kernel. */
#ifndef PLUMB_TRACE_SUMMARY_H
#define PLUMB_TRACE_SUMMARY_H

#include "base/linemap.h"
#include "trace/program.h"

struct kernel_summary {
    const char *name; /* the program's */
    uint64_t launches, ctas, warps, instructions, lanes;
    uint64_t by_class[OP_N], lanes_by_class[OP_N]; /* instructions; active lanes in them */
    uint64_t lines, sectors;
    struct linemap touched; /* line -> its sectors, a bit each */
};

struct program_summary {
    struct kernel_summary
        *kernel; /* in the order of their first launch; equal names are one kernel */
    uint32_t n;
    struct kernel_summary all;
};

bool program_summarize(struct program_summary *s, const struct program *p, struct error *e);
void program_summary_fini(struct program_summary *s);

#endif
