/* mechanisms.h - the table of mechanisms: what each does, which parameters are its own, where its
 * effects stand or why there are none. Reasons in `not_modelled`, docs/models/mechanisms.md and the
 * test of completeness (tests/unit/gpu/mechanisms.c) follow from it; rooms above hang what they do
 * on a row by its number.
 *
 * Every parameter belongs to one row, a mechanism or a group of sizes and times. */
#pragma once

#include "base/text/text.h"
#include "gpu/mechanisms/l1_mechanisms.h"
#include "gpu/mechanisms/l2_mechanisms.h"

#include <stdbool.h>

/* Mechanisms in the order of the parts, then groups: X(id). Rows: mechanism_rows.c, and headers of
 * their own for those of an L1 or an L2 slice. */
#define MECHANISMS(X)     \
    X(warp_scheduler)     \
    X(register_file)      \
    X(racetrack)          \
    X(register_mapping)   \
    X(register_buffer)    \
    X(register_cache)     \
    X(throttle)           \
    X(cta_dispatch)       \
    X(memory_wait)        \
    X(reuse_classes)      \
    X(vmb)                \
    X(coalescer)          \
    X(replacement)        \
    X(write_policy)       \
    X(l1_mshr)            \
    X(l1_tags)            \
    X(l1_bypass)          \
    X(l1_banks)           \
    X(l1_instruction)     \
    X(l1_merging)         \
    X(l1_access_queue)    \
    X(l1_adaptive)        \
    X(scalar_cache)       \
    X(translation)        \
    X(l2_mshr)            \
    X(l2_miss_management) \
    X(l2_line_wait)       \
    X(l2_inclusion)       \
    X(l2_data_banks)      \
    X(l2_nack)            \
    X(l2_host_copies)     \
    X(l3)                 \
    X(cpu)                \
    X(cpu_cores)          \
    X(coherence)          \
    X(write_caches)       \
    X(noc_mesh)           \
    X(noc_arbitration)    \
    X(noc_places)         \
    X(page_placement)     \
    X(second_memory)      \
    X(dram_scheduler)     \
    X(dram_page_policy)   \
    X(dram_write_drain)   \
    X(dram_delivered)     \
    X(dram_refresh)       \
    X(dram_power_down)    \
    X(dram_timing)        \
    X(power_limit)        \
    X(group_clocks)       \
    X(group_sm)           \
    X(group_l1)           \
    X(group_l2)           \
    X(group_noc)          \
    X(group_dram)         \
    X(group_energy)

#define MECHANISM_ID(id) MECHANISM_##id,
#define MECHANISM_ID_OF_L1(name, ID, ...) MECHANISM_l1_##name,
#define MECHANISM_ID_OF_L2(name, ID, ...) MECHANISM_l2_##name,
enum mechanism_id {
    L1_MECHANISMS(MECHANISM_ID_OF_L1, ) L2_MECHANISMS(MECHANISM_ID_OF_L2, ) MECHANISMS(MECHANISM_ID)
        MECHANISM_N
};

struct mechanism_set {
    bool has[MECHANISM_N];
};

/* An effect: where it stands, what it lacks, or both; if it lacks all, why there is none. */
struct mechanism_effect {
    const char *where, *lacks;
};

/* Lists are separated by blanks. */
struct mechanism {
    const char *name;
    const char *what;   /* one sentence without a full stop */
    const char *params; /* paths; one that ends in a dot or an underscore stands for all that begin
                           with it */
    const char *on;     /* conditions, all of which hold where it works ("l2.vc.entries!=0"); NULL:
                           it always does. In a group, too, NULL. */
    bool group;         /* sizes and times; has a name, `what` and `params` alone */
    struct mechanism_effect functional; /* where: the file of gpu/functional, or below, with it */
    struct mechanism_effect estimator;  /* where: the file with its term; lacks: what answers name
                                           under not_modelled */
    struct mechanism_effect energy;     /* where: metrics, as below */
    const char
        *absent; /* totals that are absent where it is on, since it has no figures; else NULL */
    const char *metrics; /* that it fills: names, or their beginnings; NULL: none of its own */
    /* How its identifiers begin, and how the paths of its own files do: tests/smear.sh counts the
     * other files that name it. NULL: they are not counted. */
    const char *named, *home;
};
extern const struct mechanism mechanisms[MECHANISM_N];

/* The mechanism or group of a parameter; MECHANISM_N: none. */
enum mechanism_id mechanism_of(const char *path);
/* Whether a list of paths or names has `name`, itself or by a beginning. *fits: the length of the
 * longest entry that does. */
bool mechanism_lists(const char *list, const char *name, size_t *fits);
/* Why estimates do not answer for a parameter; "": no row says so. */
const char *mechanism_reason(const char *path);
/* docs/models/mechanisms.md. */
void mechanisms_markdown(struct text *out);
