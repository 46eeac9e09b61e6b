/* register_costs.h - energy per event, leakage and area of a machine's register files.
 *
 * Banks cost what the register table has for exactly their cells, ports, node, size and entries;
 * for others their costs are unknown. They are not scaled with CACTI's banks of SRAM (rf_128B_1rw):
 * sixteen of 8 KB leak four times what table 3 says and take half of its energy. Area is that of
 * CACTI's banks, for racetracks times the table's relative area.
 *
 * A write buffer costs what the table has; one of another size that times the ratio of CACTI's RAMs
 * of both sizes, within their range of 16 to 256 entries. The table of what it holds (WBIT) is in
 * these figures. A register-file cache costs what a write buffer with the entries of all warps in
 * the first levels does [A].
 *
 * Units: pJ per event; mW and mm2 over all SMs. Source: Mao 3.2, 3.3.2.1, table 3. */
#pragma once

#include "gpu/energy/register_table.h"
#include "gpu/energy/sram_model.h"
#include "gpu/machine/params/energy.h"
#include "gpu/machine/params/register_file.h"
#include "gpu/machine/params/sm.h"

/* What stands before the banks. */
struct register_front_costs {
    bool there, known;
    bool cache; /* a register-file cache, else a write buffer */
    bool scaled;
    uint32_t entries; /* of an SM */
    struct register_key asked;
    double read, write;
    double leakage_mw;
};

struct register_file_costs {
    bool on;
    bool known; /* the banks are in the table */
    struct register_key asked;
    double read, write;
    double shift; /* a bank by a bit; NAN: unknown, or cells that do not shift */
    double leakage_mw;
    double area_mm2; /* NAN: unknown */
    struct register_front_costs front;
    char table[TABLE_NAME_MAX]; /* name of the file */
};

/* Bits of an entry of the table of a write buffer's contents (Mao 3.3.2.1). */
enum {
    WBIT_VALID = 1,
    WBIT_RECEIVED = 1,
    WBIT_WARP = 6,
    WBIT_REGISTER = 6,
    WBIT_READERS = 4,
    WBIT_BITS = WBIT_VALID + WBIT_RECEIVED + WBIT_WARP + WBIT_REGISTER + WBIT_READERS
};
static inline uint32_t register_buffer_data_bytes(uint32_t entries, uint32_t entry_bytes)
{
    return entries * entry_bytes;
}
static inline uint32_t register_buffer_table_bytes(uint32_t entries)
{
    return (entries * WBIT_BITS + 7) / 8;
}

/* false: the table cannot be read. t: CACTI's. */
bool register_costs(struct register_file_costs *k, const struct register_file_params *p,
                    const struct sm_params *sm, const struct energy_params *energy,
                    const struct sram_tables *t, struct error *e);
/* Whether all that an access, a shift and a second cost is known. */
bool register_costs_complete(const struct register_file_costs *k);
