/* launch_filter.h - which launches of a program a capture takes, and which of their CTAs.
 *
 * Units:  launches count from 0 over all kernels, CTAs from 0 within a launch; ranges include both
 *         ends.
 * Memory: choice_launches and choice_kernels allocate, choice_fini frees. */
#ifndef PLUMB_TRACE_CAPTURE_LAUNCH_FILTER_H
#define PLUMB_TRACE_CAPTURE_LAUNCH_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct choice_range {
    uint64_t first, last; /* first > last: nothing */
};

/* All zero takes everything. */
struct choice {
    struct choice_range *launch;
    size_t n_launches, launches_cap; /* 0: all */
    char *names;                     /* what `kernel` points into */
    struct choice_kernel {
        const char *name;
        bool taken; /* choice_takes said yes to a launch of it */
    } * kernel;
    size_t n_kernels, kernels_cap; /* 0: all */
    bool some_ctas;
    struct choice_range ctas;
};

/* "1,3,5-9".  false: it is no such list (or no memory), and the choice is unchanged or to be freed.
 */
bool choice_launches(struct choice *c, const char *text);
bool choice_ctas(struct choice *c, const char *text);     /* "A-B" or "A" */
bool choice_kernels(struct choice *c, const char *lines); /* a name a line; false: no memory */
void choice_fini(struct choice *c);

bool choice_takes(struct choice *c, uint64_t launch, const char *kernel);
/* Of a launch of n CTAs. */
struct choice_range choice_of_ctas(const struct choice *c, uint64_t n);
/* A chosen kernel of which no launch was taken; NULL: there is none. */
const char *choice_missing(const struct choice *c);

#endif
