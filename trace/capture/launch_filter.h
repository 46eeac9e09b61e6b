/* launch_filter.h - which launches of a program a capture takes, and which of their CTAs.
 *
 * Units:  launches count from 0 over all kernels, CTAs from 0 within a launch; ranges include both
 *         ends.
 * Memory: launch_choice_launches and launch_choice_kernels allocate, launch_choice_fini frees. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct launch_choice_range {
    uint64_t first, last; /* first > last: nothing */
};

/* All zero takes everything. */
struct launch_choice {
    struct launch_choice_range *launch;
    size_t n_launches, launches_cap; /* 0: all */
    char *names;                     /* owns the text that `kernel` points into */
    struct launch_choice_kernel {
        const char *name;
        bool taken; /* launch_choice_takes has accepted a launch of it */
    } * kernel;
    size_t n_kernels, kernels_cap; /* 0: all */
    bool some_ctas;
    struct launch_choice_range ctas;
};

/* Parses "1,3,5-9". false: invalid list (or no memory); the choice is unchanged or must be freed.
 */
bool launch_choice_launches(struct launch_choice *c, const char *text);
bool launch_choice_ctas(struct launch_choice *c, const char *text); /* "A-B" or "A" */
/* A name a line; false: no memory. */
bool launch_choice_kernels(struct launch_choice *c, const char *lines);
void launch_choice_fini(struct launch_choice *c);

bool launch_choice_takes(struct launch_choice *c, uint64_t launch, const char *kernel);
/* The range of CTAs to take, of a launch of n. */
struct launch_choice_range launch_choice_of_ctas(const struct launch_choice *c, uint64_t n);
/* Turns a launch of which only some CTAs are captured, `held`, into a one-dimensional grid of
 * these; its header, written to `text`, gives the original. */
struct launch;
enum { LAUNCH_CHOICE_HEADER = 160 };
void launch_choice_cut(const struct launch_choice_range *held, struct launch *l,
                       char text[LAUNCH_CHOICE_HEADER]);
/* A chosen kernel without a launch; NULL: none. */
const char *launch_choice_missing(const struct launch_choice *c);
