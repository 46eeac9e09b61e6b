/* energy.h - the sources of energy and area figures (tables: gpu/energy/sram_table.h). */
#pragma once

#include "gpu/machine/rows/param.h"
#include "gpu/mechanisms/register_energy.h"

enum energy_model { ENERGY_NONE, ENERGY_TABLES };

/* The order in which a look-up accesses tags and data. */
enum access_order {
    ACCESS_IN_TURN, /* the tags first, then the data of the way that hit (Candel 6.6.4) */
    ACCESS_AT_ONCE  /* tags and the data of all ways together */
};

struct energy_params {
    enum energy_model model;
    char table[PARAM_TEXT_MAX]; /* table of the caches: the name of a file in configs/tables, or a
                                   path */
    uint32_t tech_nm;
    enum access_order access;
    REGISTER_ENERGY_MEMBERS
    double flit_pj; /* one flit over the crossbar, or over one link of a mesh; 0 = unknown */
    uint32_t window_cycles; /* window of peak power; 0 = no peak power */
};
