/* energy.h - where the figures of energy and area come from (tables: gpu/energy/sram_table.h). */
#ifndef PLUMB_GPU_MACHINE_PARAMS_ENERGY_H
#define PLUMB_GPU_MACHINE_PARAMS_ENERGY_H

#include "gpu/machine/tables/param.h"

enum energy_model { ENERGY_NONE, ENERGY_TABLES };

/* How a cache looks up. */
enum access_order {
    ACCESS_IN_TURN, /* the data of the way that hit, after the tags (Candel 6.6.4) */
    ACCESS_AT_ONCE  /* tags and the data of all ways */
};

struct energy_params {
    enum energy_model model;
    char table[PARAM_TEXT_MAX]; /* of caches: a file of configs/tables by its name, or a path */
    uint32_t tech_nm;
    enum access_order access;
    double flit_pj; /* one flit over the crossbar, or over one link of a mesh; 0 = unknown */
    uint32_t window_cycles; /* over which peak power is taken; 0 = it is not */
};

#endif
