/* register_stations.h - an SM's register file in the model of a launch: what it adds to the latency
 * of instructions, its stations in the network, its counts.
 *
 * Without a register file nothing is added. Collection and write-back lengthen the time between an
 * instruction and those that need its result (warp_round.c), and that of loads (stations.c); banks
 * and collectors are stations besides, for what they cannot carry. Waits depend on the throughput
 * and are found with it, in the passes of launch_model.c.
 *
 * Units: core cycles, unless said otherwise. */
#pragma once

#include "estimator/launch/launch_model.h"

struct metrics;

void register_stations_init(struct launch_model *m);
/* Under the load of the last solution; at first there is none. */
void register_stations_under(struct launch_model *m);
void register_stations_put(struct launch_model *m);
void register_stations_metrics(const struct launch_model *m, struct metrics *o);
/* Sub-cores that have execution units of their own: a register file's collectors share them. */
uint32_t register_stations_unit_groups(const struct launch_model *m);
