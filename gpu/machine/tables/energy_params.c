/* energy_params.c - parameter table of energy and area. */
#include "gpu/machine/params/energy.h"
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"
#include "gpu/mechanisms/register_energy.h"

#define PART energy

static const struct choice model_choices[] = {
    {"none", ENERGY_NONE, "no energy but the memory's, no area"},
    {"tables", ENERGY_TABLES, "caches and MSHR files from CACTI's tables"},
    {NULL, 0, NULL},
};

static const struct choice access_choices[] = {
    {"sequential", ACCESS_IN_TURN, "the data of the way that hit, after the tags"},
    {"normal", ACCESS_AT_ONCE, "tags and the data of all ways at once"},
    {NULL, 0, NULL},
};

#define FROM_TABLES .when = "energy.model=tables"

static const struct param rows[] = {
    ROW_ENUM("model", model, "tables", model_choices, "what an access to a cache costs",
             "Candel 6.6.4", UNSEEN, TERM),
    ROW_STRING("table", table, "caches",
               "table of caches: a file of configs/tables by its name, or a path",
               "CACTI 7; Candel 6.6", UNSEEN, TERM, FROM_TABLES),
    ROW_INT("tech_nm", tech_nm, "32", 1, 1000, "nm", "technology node, one that the table has",
            "Candel 6.6 (32 nm)", UNSEEN, TERM, FROM_TABLES),
    ROW_ENUM("access", access, "sequential", access_choices, "how caches look up",
             "Candel 6.6.4 (serialized)", UNSEEN, TERM, FROM_TABLES),
    REGISTER_ENERGY_ROWS
    ROW_REAL("flit_pj", flit_pj, "0.0", 0, 1e6, "pJ",
             "one flit over the crossbar, or over one link of a mesh; 0 = unknown: the network's"
             " energy is absent",
             "[A] none of the papers has a figure", UNSEEN, TERM, FROM_TABLES),
    ROW_INT("window_cycles", window_cycles, "10000", 0, 1000000000, "core cycles",
            "peak power is the largest mean over so many; 0 = no peak power", "[A]", UNSEEN, SILENT,
            FROM_TABLES),
};

const struct part energy_part = PART_OF("energy and area of caches and networks", rows);
