/* repeated_launches.h - which launches of a program repeat others, so that a profile of some stands
 * for all of them.
 *
 * Launches of the same code, grid and CTAs, whose numbers of instructions are nearly the same, form
 * a group, whatever they are called. Where all had as many instructions, the first REPEAT_EQUAL of
 * a group are profiled, a cold one and one behind others, then one in REPEAT_FROM. Else it is the
 * first REPEAT_FROM, then one in REPEAT_EVERY. The others take the profile of the last one before
 * them. What they access is not followed: they access again what the group's others do, so that
 * stack distances over them stay what they are.
 *
 * Memory: grows with the number of groups. */
#pragma once

#include "trace/program/program.h"

struct repeated_group {
    const struct launch *face; /* the last one that was profiled */
    uint64_t instructions;     /* of it */
    uint32_t index;            /* its number in the program */
    uint32_t launches;         /* so far */
    bool equal;                /* all had as many instructions */
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
