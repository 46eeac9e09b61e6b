/* part_list.h - the parts of a machine, each with its struct of parameters and its table of rows
 * (gpu/machine/tables), in the order in which they are stored and shown: X(part, PARAMS), with
 * struct PARAMS_params. */
#pragma once

#define MACHINE_PARTS(X)            \
    X(clock, clock)                 \
    X(sm, sm)                       \
    X(register_file, register_file) \
    X(l1, l1)                       \
    X(scalar, scalar)               \
    X(tlb, tlb)                     \
    X(l2, l2)                       \
    X(l3, l3)                       \
    X(cpu, cpu)                     \
    X(coherence, coherence)         \
    X(noc, noc)                     \
    X(pages, pages)                 \
    X(dram, dram)                   \
    X(second_dram, dram)            \
    X(energy, energy)
