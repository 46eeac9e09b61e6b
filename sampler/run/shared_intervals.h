/* shared_intervals.h - runs the intervals that one machine's sample chose on other machines.
 *
 * One queue has the intervals of all machines, machine after machine, so that no thread waits for a
 * machine's last interval.  Machines with the same functional pass (checkpoints_key) are neighbours
 * and share it: it runs once, and lies in memory once.  At most as many passes as threads are open.
 * Results do not depend on the number of threads. */
#pragma once

#include "sampler/run/sample.h"
#include "sampler/run/sampling.h"

/* *s was sampled (or simulated whole) before.  false: interrupted, no memory, or `done` stopped
 * it. */
bool shared_intervals_run(struct sampling *s, const struct sample_others *others, struct error *e);

/* For sample.c: whether *s has intervals that other machines can run; else they are simulated
 * whole. */
bool shared_intervals_possible(const struct sampling *s);
bool shared_intervals_run_whole(const struct sampling *s, const struct sample_other *x,
                                struct answer *a, struct error *e);
