/* crossbar_contention.h - the throughput that a crossbar loses to head-of-line blocking: with
 * random destinations, or with the launch's own accesses. */
#pragma once

#include "estimator/launch/launch_model.h"

/* The slowdown with random destinations.  Packets wait in their inputs behind others, so that
 * outputs cannot be always busy: the narrower side carries so many times less than its ports (>=
 * 1).  The heads of saturated inputs are a closed network over the outputs (Karol et al. 1987,
 * infinite switch), here with both sides finite and every output equally likely. */
double crossbar_slowdown_by_chance(double inputs, double outputs);
/* Replays the samples through the machine's crossbar.  Each thread caches some results. */
void crossbar_contention_find(struct launch_model *m);
/* As crossbar_slowdown_by_chance, but for this launch's accesses. */
double crossbar_slowdown(const struct launch_model *m, double inputs, double outputs);
