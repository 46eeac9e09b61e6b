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

#include "estimator/registers/register_file_model.h"

#include <stdbool.h>

struct launch_model;
struct metrics;

/* Windows of 1, 2, 4 ... warps; the last has all. */
enum { REGISTER_WINDOWS = 8 };

struct register_state {
    bool on;
    struct register_spread spread;
    uint32_t warps;
    struct register_shifts of[REGISTER_WINDOWS], near; /* near: of the warps that take turns */
    double reads, writes, readers;  /* of the launch: operands, results, instructions with any */
    double in_order;                /* collection behind others that must go first */
    double collect, write;          /* added before the unit, and behind it */
    double bank_read, bank_write;   /* register cycles of the mean access */
    double bank_reads, bank_writes; /* of the launch, as all below */
    double under; /* chance that another warp's access has left a register under a port */
    double shifts, wait, met; /* register cycles; accesses that find others */
    struct register_kept kept;
    double direct, passing, forced; /* how results leave the write buffer */
};

void register_stations_init(struct launch_model *m);
/* Under the load of the last solution; at first there is none. */
void register_stations_under(struct launch_model *m);
void register_stations_put(struct launch_model *m);
void register_stations_metrics(const struct launch_model *m, struct metrics *o);
/* Sub-cores that have execution units of their own: a register file's collectors share them. */
uint32_t register_stations_unit_groups(const struct launch_model *m);
