/* cpu_programs.h - the table of programs of CPU cores, configs/tables/cpu_programs.csv: MPKI as
 * measured, and what else the memory sees of a program. */
#pragma once

#include "base/error.h"
#include "gpu/machine/params/coherence/cpu.h"

enum { CPU_PROGRAMS_MAX = 64 };

struct cpu_table {
    struct cpu_program row[CPU_PROGRAMS_MAX];
    uint32_t n;
};

/* Reads a table from its text; `name` stands in errors. */
bool cpu_table_parse(struct cpu_table *t, const char *name, const char *text, struct error *e);
/* Reads the table of the configuration directories. */
bool cpu_table_load(struct cpu_table *t, struct error *e);
/* Sets cores and their programs from p->programs. false: *e says why, and there are no cores. */
bool cpu_programs_find(struct cpu_params *p, struct error *e);
