/* launch_filter.h - which launches of a program a capture takes, and which of their CTAs.
 *
 * Units:  launches count from 0 over all kernels, CTAs from 0 within a launch; ranges include both
 *         ends.
 * Memory: launch_choice_launches and launch_choice_kernels allocate, launch_choice_fini frees. */
#ifndef PLUMB_TRACE_CAPTURE_LAUNCH_FILTER_H
#define PLUMB_TRACE_CAPTURE_LAUNCH_FILTER_H

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
    char *names;                     /* what `kernel` points into */
    struct launch_choice_kernel {
        const char *name;
        bool taken; /* launch_choice_takes said yes to a launch of it */
    } * kernel;
    size_t n_kernels, kernels_cap; /* 0: all */
    bool some_ctas;
    struct launch_choice_range ctas;
};

/* "1,3,5-9".  false: it is no such list (or no memory), and the choice is unchanged or to be freed.
 */
bool launch_choice_launches(struct launch_choice *c, const char *text);
bool launch_choice_ctas(struct launch_choice *c, const char *text); /* "A-B" or "A" */
bool launch_choice_kernels(struct launch_choice *c,
                           const char *lines); /* a name a line; false: no memory */
void launch_choice_fini(struct launch_choice *c);

bool launch_choice_takes(struct launch_choice *c, uint64_t launch, const char *kernel);
/* Of a launch of n CTAs. */
struct launch_choice_range launch_choice_of_ctas(const struct launch_choice *c, uint64_t n);
/* A chosen kernel of which no launch was taken; NULL: there is none. */
const char *launch_choice_missing(const struct launch_choice *c);

#endif
