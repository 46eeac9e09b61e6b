/* check.h - checks between parameters (for gpu/machine's own files only). A check names the
 * parameters that it reads: it is skipped if one of them was refused already, and its error is
 * attributed to the one that was set last. */
#pragma once

#include "base/text/text.h"
#include "gpu/machine/machine.h"

enum { CHECK_READS_MAX = 20 };

struct check {
    const char *reads[CHECK_READS_MAX]; /* paths; the first gets the error if none was set */
    /* false: "what is wrong; what is allowed". */
    bool (*holds)(const struct machine *m, struct text *why);
};

struct check_list {
    const struct check *row;
    uint32_t n;
    void (*derive)(struct machine *m); /* sets derived fields, before the checks; NULL: none */
};

/* In the order in which they are made: X(name). */
#define MACHINE_CHECKS(X) \
    X(chip)               \
    X(register_file)      \
    X(cache)              \
    X(l1)                 \
    X(partition)          \
    X(scalar)             \
    X(tlb)                \
    X(l3)                 \
    X(cpu)                \
    X(coherence)          \
    X(quickrelease)       \
    X(pages)              \
    X(dram)               \
    X(second_dram)
#define CHECKS_DECLARED(name) extern const struct check_list name##_checks;
MACHINE_CHECKS(CHECKS_DECLARED)

/* The machine with its second memory as the first, which dram_checks then judge; false: it has
 * none.
 */
bool check_second_as_first(const struct machine *m, struct machine *alone);

bool check_is_power_of_two(uint32_t v);
/* Prints to `why` unless ok, and returns ok. */
bool check_demand(bool ok, struct text *why, const char *fmt, ...) PLUMB_PRINTF(3, 4);

/* The sets of a cache of `kb`; 0: not a whole number. */
uint32_t check_derived_sets(uint32_t kb, const struct cache_params *c);
/* The same of an L1, of which some sets may lack a way: a power of two then. */
uint32_t check_l1_sets(uint32_t kb, const struct cache_params *c);
/* Whether an FRC has whole sets, at most as many as its cache.  sets: 0: not known. */
bool check_frc_sets(const struct frc_params *f, uint32_t sets, struct text *why);
/* Converts MHz to kHz, rounded. */
uint32_t check_whole_khz(double mhz);
