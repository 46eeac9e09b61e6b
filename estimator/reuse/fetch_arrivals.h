/* fetch_arrivals.h - the fetches of an SM that are under way, by the time at which they are back: a
 * heap.
 *
 * A line that is being fetched cannot be evicted, so that its age counts from its arrival; the pass
 * learns here which lines have arrived.  Memory: grows with the fetches under way. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fetch_arrival {
    uint64_t time, line;
};

struct fetch_arrivals {
    struct fetch_arrival *at; /* [n], a heap */
    size_t n, cap;
};

bool fetch_arrivals_add(struct fetch_arrivals *a, uint64_t time,
                        uint64_t line); /* false: no memory */
/* Takes the first of those that are back by `now`; false: there is none. */
bool fetch_arrivals_take(struct fetch_arrivals *a, uint64_t now, uint64_t *line);
void fetch_arrivals_fini(struct fetch_arrivals *a);
