/* check.h - what must hold between parameters (machine's own files only).
 *
 * A row names the parameters that it looks at: it is passed over when one of them was refused
 * already, and the fault is laid on the one that was set last. */
#ifndef PLUMB_GPU_MACHINE_CHECK_CHECK_H
#define PLUMB_GPU_MACHINE_CHECK_CHECK_H

#include "base/text/text.h"
#include "gpu/machine/load/machine.h"

enum { CHECK_READS_MAX = 10 };

struct check {
    const char *reads[CHECK_READS_MAX]; /* paths; the first is blamed when none was set */
    bool (*holds)(const struct machine *m,
                  struct text *why); /* false: "what is wrong; what is allowed" */
};

struct check_list {
    const struct check *row;
    uint32_t n;
};

extern const struct check_list chip_checks, cache_checks, l1_checks, scalar_checks,
    coherence_checks, dram_checks;

bool check_is_power_of_two(uint32_t v);
/* Helper of the checks: prints to `why` unless ok, and returns ok. */
bool check_demand(bool ok, struct text *why, const char *fmt, ...) PLUMB_PRINTF(3, 4);

/* Sets of a cache of `kb`, 0 where they would not come out whole. */
uint32_t check_derived_sets(uint32_t kb, const struct cache_params *c);
/* MHz in kHz, rounded. */
uint32_t check_whole_khz(double mhz);

#endif
