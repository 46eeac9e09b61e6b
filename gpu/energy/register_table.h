/* register_table.h - the table of register files: a row per structure, number of ports, node and
 * size, each for one SM.
 *
 * A table is a CSV file with a header of column names; lines that begin with '#' are comments,
 * unknown columns are ignored, and an empty cell is an unknown figure (NAN). Nothing is
 * interpolated: NVSim's figures for other sizes are not known, and CACTI's banks of SRAM differ
 * from them too much for ratios (register_costs.h).
 *
 * Units: pJ per access of an entry, ns, mW. Source: Mao table 3, section 3.2. */
#pragma once

#include "gpu/energy/sram_table.h"

enum register_structure { REGISTERS_OF_SRAM, REGISTERS_OF_RACETRACKS, REGISTER_BUFFER };

struct register_key {
    enum register_structure structure;
    uint32_t ports; /* of a racetrack, else 0 */
    uint32_t tech_nm, bytes, banks, entry_bytes;
};

struct register_row {
    struct register_key key;
    double read_pj, write_pj;
    double read_ns, write_ns; /* for reports only */
    double leakage_mw;
    double shift_pj;     /* all tracks of a bank by a bit */
    double area_of_sram; /* that of the same banks of SRAM is 1 */
};

enum { REGISTER_ROWS_MAX = 256 };
struct register_table {
    char name[TABLE_NAME_MAX];
    struct register_row row[REGISTER_ROWS_MAX];
    uint32_t n;
};

/* false: *e names file and line. */
bool register_table_parse(struct register_table *t, const char *name, const char *text,
                          struct error *e);
/* Reads configs/tables/NAME.csv, or a path, if the name contains a '/'. */
bool register_table_load(struct register_table *t, const char *name, struct error *e);
/* NULL: the table has no such row. `bytes` of 0 in the key: of any size. */
const struct register_row *register_table_find(const struct register_table *t,
                                               const struct register_key *key);
