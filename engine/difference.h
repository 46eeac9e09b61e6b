/* difference.h - why two machines differ in time: the parts of traffic, service, and entries.
 *
 * Traffic: what the caches let through (hits, misses, write-backs).  Entries: MSHRs, the vector
 * memory buffer, queues, side structures of the L2, which limit how much may be in flight.
 * Service: all the rest: clocks, latencies, ports, widths, channels.  The model is solved for all
 * eight ways of taking each of the three from A or from B.  A part is the mean change that it
 * causes over all orders in which the three may change one after the other (Shapley 1953).  So the
 * parts add up to the whole and depend on no order.
 *
 * The profile is A's; any difference that B's own profile makes (with other cache sizes other warps
 * may run ahead) counts as traffic.  Machines that need another profile (SMs, warps, coalescing)
 * are not decomposed. */
#pragma once

#include "answer/what_if.h"
#include "base/error.h"
#include "base/text/json.h"

#include <stdbool.h>

struct machine;
struct program;
struct run_opts;

extern const char *const difference_name[DIFFERENCE_N];

/* d->known = false: the machines cannot be decomposed.  false: *e says why. */
bool difference_find(const struct machine *a, const struct machine *b, const struct program *p,
                     const struct run_opts *o, struct difference *d, struct error *e);
/* Writes the object "difference", if it is known. */
void difference_json(const struct difference *d, struct json *j);
