/* register_file.h - parameters of an SM's register file: banks, operand collectors, racetrack
 * cells, and what stands in front of the banks.
 *
 * A warp register holds a 32-bit register of every lane; each entry of a bank holds one. Register
 * cycles: clock_ratio of them are a core cycle. Source: Mao 3.1 to 3.4. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    REGISTER_MAX_BANKS = 64,  /* a set of banks is a number */
    REGISTER_MAX_SEGMENT = 64 /* bits of a track that share an access port: a score is a number */
};

enum register_cells {
    CELLS_NONE, /* operands and results cost nothing */
    CELLS_SRAM,
    CELLS_RACETRACK /* a track must be shifted until the register lies under an access port */
};

/* Where a warp's registers lie. */
enum register_mapping {
    REGISTERS_STACKED,   /* warp after warp (Mao, figure 7a) */
    REGISTERS_REMAPPED,  /* around the access ports (Mao 3.3.1, figure 7b) */
    REGISTERS_WARP_BANKS /* remapped, and a scheduler's warps in banks of their own (Mao 3.3.3) */
};

struct collector_params {
    uint32_t sp, sfu, memory; /* per SM, whatever the number of sub-cores */
};

struct racetrack_params {
    uint32_t ports;                     /* access ports of a track */
    uint32_t read_cycles, write_cycles; /* register cycles, under the port */
    bool auto_return;                   /* an idle bank shifts back to the middle */
};

struct register_file_params {
    enum register_cells cells;
    uint32_t banks;
    uint32_t clock_ratio;
    struct collector_params collectors;
    enum register_mapping mapping;
    struct racetrack_params racetrack;
    uint32_t write_buffer;  /* entries over all banks; 0 = none */
    uint32_t cache_entries; /* of an active warp's register cache; 0 = none */
    uint32_t bank_entries;  /* derived: warp registers of a bank */
};

static inline bool register_file_is_on(const struct register_file_params *p)
{
    return p->cells != CELLS_NONE;
}
/* Bits of a track for each access port. */
static inline uint32_t register_file_segment(const struct register_file_params *p)
{
    return p->cells == CELLS_RACETRACK ? p->bank_entries / p->racetrack.ports : 1;
}
