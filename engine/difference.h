/* difference.h - why two machines differ: how much of it is traffic, service, and entries.
 *
 * Traffic: what the caches let through (hits, misses, write-backs), of either machine's caches.
 * Entries: MSHRs, the vector memory buffer, queues, side structures of the L2: how much may be
 * under way.  Service: all the rest: clocks, latencies, ports, widths, channels.  The model is
 * solved for all eight ways of taking each from A or from B; a part is the mean of what it changes,
 * over the orders in which the three may change one after the other (Shapley 1953).  So the parts
 * sum to the whole and hang on no order.
 *
 * The profile is A's; what B's own profile changes (caches of other sizes let other warps keep up)
 * is traffic.  Machines that need other profiles (SMs, warps, coalescing) are not taken apart. */
#ifndef PLUMB_ENGINE_DIFFERENCE_H
#define PLUMB_ENGINE_DIFFERENCE_H

#include "base/error.h"
#include "base/text/json.h"
#include "sampler/answer/what_if.h"

#include <stdbool.h>

struct machine;
struct program;
struct calibration;
struct run_opts;

extern const char *const difference_name[DIFFERENCE_N];

/* d->known = false: not to be taken apart.  false: *e. */
bool difference_find(const struct machine *a, const struct machine *b, const struct program *p,
                     const struct calibration *cal, const struct run_opts *o, struct difference *d,
                     struct error *e);
/* The object "difference", where it is known. */
void difference_json(const struct difference *d, struct json *j);

#endif
