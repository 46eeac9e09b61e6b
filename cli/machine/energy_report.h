/* energy_report.h - what `plumb energy show` prints. */
#ifndef PLUMB_CLI_MACHINE_ENERGY_REPORT_H
#define PLUMB_CLI_MACHINE_ENERGY_REPORT_H

#include "base/text/text.h"
#include "gpu/energy/costs.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHOWN_MAX = 12 };

/* A structure, and what is known of it; pJ, mW and mm2 of one. */
struct shown {
    const char *name;
    uint32_t count; /* how many of it the machine has */
    uint64_t bytes;
    uint32_t line_bytes, sector_bytes, ways, tech_nm;
    char why[112]; /* nothing is known; "": the rest is set */
    double look_up, read, write, tag_write, leakage_mw, area_mm2;
    const struct sram_figures *from;
    uint32_t entry_ways, entry_access; /* of a cache: those that the entries have (sram_model.h) */
};

void energy_report_table(struct text *out, const struct shown *s, uint32_t n, double flit_pj);
/* head: "machine" or "structure", and its name. */
void energy_report_json(struct text *out, const char *head, const char *name, const struct shown *s,
                        uint32_t n, double flit_pj);

#endif
