/* energy_report.h - prints the results of `plumb energy show`. */
#pragma once

#include "base/text/text.h"
#include "gpu/energy/costs.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHOWN_MAX = 20 };

/* A structure and its figures; pJ, mW and mm2 are for one instance. */
struct shown {
    const char *name;
    uint32_t count; /* instances in the machine */
    uint64_t bytes;
    uint32_t line_bytes, sector_bytes, ways, tech_nm;
    char why[112]; /* why there are no figures; "": there are */
    double look_up, read, write, tag_write, leakage_mw, area_mm2;
    const struct sram_figures *from;
    /* of a cache: ways and access of the table's entries (sram_model.h) */
    uint32_t entry_ways, entry_access;
};

/* Events that belong to no structure's access; 0: unknown, or there are none. */
struct per_event {
    double flit_pj;
    double shift_pj; /* a bank of racetracks by a bit */
};

void energy_report_table(struct text *out, const struct shown *s, uint32_t n,
                         const struct per_event *per);
/* head: "machine" or "structure"; name: its name. */
void energy_report_json(struct text *out, const char *head, const char *name, const struct shown *s,
                        uint32_t n, const struct per_event *per);
/* A memory without tags, of which a line is accessed at once. */
struct shown energy_report_ram(const char *name, uint32_t count, const struct sram_key *key,
                               const struct sram_figures *from);
struct shown energy_report_cache(const char *name, uint32_t count, const struct sram_cache *asked,
                                 const struct sram_cache_figures *from);
