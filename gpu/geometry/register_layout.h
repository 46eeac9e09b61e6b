/* register_layout.h - where the registers of resident warps lie in the banks of a register file.
 *
 * All warp registers of an SM (or, with REGISTERS_WARP_BANKS, of a sub-core in its own banks) are
 * numbered through: register r of warp w is w * registers + r. Number g lies in bank g mod banks,
 * as the row g / banks of those in use. Where the registers of a warp are a multiple of the banks,
 * that is register r in bank r mod banks, each warp's rows behind the last one's (Mao, figure 7a);
 * where they are not, no row has gaps, which table 1's entries per bank presume.
 *
 * A track has `ports` access ports; a port serves a segment of bits, and all segments move
 * together, so that only the place in its segment, the bit-map location (BML), says how far a
 * register is from its port.
 *
 *   stacked   row d is bit d mod segment of the port d / segment.
 *   remapped  a warp's rows in a bank are dealt to the ports in pieces of num_reg_port_segt
 *             (equations 3.1, 3.2), so that each group of ports * num_reg_port_segt rows takes
 *             num_reg_port_segt bits; the bits in use lie in the middle of the segment (`offset`).
 *             That is equation 3.3 where a warp's rows fill the pieces of all ports, as in figure
 *             7. Elsewhere the equation leaves entries of some ports free and may exceed the
 *             segment; here the next warp's rows take them. Where even so pieces of that size
 *             exceed the segment, they are of one row.
 *
 * Pure functions. Source: Mao 3.3.1, 3.3.2, 3.3.3, figures 7 and 11. */
#pragma once

#include "gpu/machine/params/register_file.h"

/* The warps that are there: a warp's number is slot * subcores + subcore. */
struct register_warps {
    uint32_t registers; /* per lane */
    uint32_t warps;     /* resident at most */
    uint32_t subcores;
};

struct register_layout {
    uint32_t banks;  /* of a share */
    uint32_t shares; /* 1, or one for each sub-core */
    uint32_t registers, subcores;
    uint32_t segment; /* bits per port */
    uint32_t rows;    /* in use, of the fullest bank */
    uint32_t piece;   /* num_reg_port_segt; 0: stacked */
    uint32_t group;   /* rows that take `piece` bits */
    uint32_t offset;  /* free bits above */
};

struct register_place {
    uint8_t bank;
    uint8_t bit; /* BML, counted in its port's segment */
};

/* Precondition: the machine's checks hold, p is on, and registers are not 0. Registers that exceed
 * the banks (a launch that occupancy refuses) share entries. */
struct register_layout register_layout(const struct register_file_params *p,
                                       const struct register_warps *w);
struct register_place register_layout_place(const struct register_layout *l, uint32_t slot,
                                            uint32_t subcore, uint32_t reg);
