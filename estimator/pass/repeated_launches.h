/* repeated_launches.h - which launches of a program repeat others, so that a profile of some stands
 * for all of them.
 *
 * Launches of one kernel with the same grid and CTAs, whose numbers of instructions are nearly the
 * same, form a group. The first REPEAT_FROM of a group are profiled, then one in REPEAT_EVERY; the
 * others take the profile of the last one before them. What they access is not followed: they
 * access again what the group's others do, so that stack distances over them stay what they are.
 *
 * Memory: grows with the number of groups. */
#pragma once

#include "trace/program/program.h"

struct repeated_group {
    const struct launch *face; /* the last one that was profiled */
    uint64_t instructions;     /* of it */
    uint32_t index;            /* its number in the program */
    uint32_t launches;         /* so far */
};

struct repeated_launches {
    const struct program *p;
    struct repeated_group *group;
    size_t n, cap;
};

void repeated_launches_fini(struct repeated_launches *r);
/* Whether the launch repeats one that was profiled: its number is in *as. Call once for each launch
 * in order; the others are to be profiled. false with failed set: no memory. */
bool repeated_launches_find(struct repeated_launches *r, uint32_t launch, uint32_t *as,
                            bool *failed);
