/* energy_machine.h - the structures of a machine, for `plumb energy show MACHINE`. */
#pragma once

#include "cli/machine/energy_report.h"
#include "gpu/energy/warp_policy_cost.h"
#include "gpu/machine/machine.h"

/* What is shown, and the figures that it points to: not to be copied. */
struct machine_shown {
    struct shown shown[SHOWN_MAX];
    uint32_t n;
    struct per_event per_event;
    struct sram_figures banks, front, figures[WARP_STRUCTURES];
    char front_from[TABLE_NAME_MAX + 32];
};

/* Adds an SM's banks and what stands before them, if it has a register file. */
void energy_machine_registers(struct machine_shown *a, const struct energy_costs *c, uint32_t sms);
/* Borrows c, which must outlive *a. */
void energy_of_machine(struct machine_shown *a, const struct energy_costs *c,
                       const struct machine *m, const struct sram_tables *t);
