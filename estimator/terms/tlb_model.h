/* tlb_model.h - what address translation costs: the reach of the TLBs from reuse distances between
 * accesses to pages, and the walks of the rest.
 *
 * An SM's TLB holds a page if fewer other pages than it has entries were accessed since by the SM
 * (within a set, by chance). Of what it lacks, the shared TLB holds what is within its reach among
 * the accesses of all SMs, whether their own TLBs let them through or not. The rest is walked for:
 * the levels above the last are in the walk cache, and so is the last one if the page is within the
 * pages that its lines cover; pages that are new to all SMs have neighbours in their sector.
 *
 * The first accesses of a launch wait for the walk of its first new page, whatever SM asks first:
 * no warp has anything else to do. In the first launch that accesses memory, no level of the page
 * table has been read yet.
 *
 * Not in the model: accesses that wait with the first one to a page later on. */
#pragma once

#include "estimator/launch/launch_model.h"

/* m->tlb; the reads of walks wait as the last solution's do. All 0 where translation costs nothing.
 */
void tlb_model_find(struct launch_model *m);
/* The cycles before the first accesses of the launch go on; unloaded. */
double tlb_model_start_cycles(const struct launch_model *m);
void tlb_model_put(struct launch_model *m); /* the stations of walkers and of waiting pages */
void tlb_model_metrics(const struct launch_model *m, struct metrics *out);
