/* part_list.h - the parts of a machine, each with its struct of parameters and its table of rows
 * (gpu/machine/tables), in the order in which they are stored and shown: X(part, PARAMS), with
 * struct PARAMS_params. */
#pragma once

#include "gpu/machine/params/clock.h"
#include "gpu/machine/params/coherence/coherence.h"
#include "gpu/machine/params/coherence/cpu.h"
#include "gpu/machine/params/coherence/l3.h"
#include "gpu/machine/params/dram/dram.h"
#include "gpu/machine/params/energy.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"
#include "gpu/machine/params/noc.h"
#include "gpu/machine/params/register_file.h"
#include "gpu/machine/params/scalar.h"
#include "gpu/machine/params/sm.h"
#include "gpu/machine/params/translation/pages.h"
#include "gpu/machine/params/translation/tlb.h"

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

#define PART_DECLARED(name, type) extern const struct part name##_part;
MACHINE_PARTS(PART_DECLARED)

/* All of them by pointers, for what reads several and may not see the machine. */
#define PART_POINTER(part, params) const struct params##_params *part;
#define PART_POINTER_IN_M(part, params) .part = &m->part, /* m: a struct machine * */
struct part_pointers {
    MACHINE_PARTS(PART_POINTER)
    uint64_t mechanisms; /* those that are on (machine_mechanisms) */
};
