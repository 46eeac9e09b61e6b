/* machine_import.h - a machine from the description of Accel-Sim and GPGPU-Sim (gpgpusim.config,
 * and the trace.config that stands beside it).
 *
 * Every value is written with the option that it follows from; where plumb's model needs more than
 * the option says, the addition stands in import_additions.h.  The result is checked as any machine
 * file; a fault is told at the option that it follows from.  Source of the options, their defaults
 * and meanings: GPGPU-Sim (gpu-sim.cc, gpu-cache.h, addrdec.cc), Accel-Sim (trace_driven.cc). */
#pragma once

#include "base/error.h"
#include "base/text/text.h"

struct machine_import {
    struct text machine; /* a complete, commented machine file, the report at its end */
    struct text
        report; /* what became of each option: groups, each sorted; what is replaced first */
    struct text replaced; /* the first group alone; empty if nothing is replaced */
};

/* Reads the files: a folder stands for its gpgpusim.config and, where there is one, its
 * trace.config.  false: `all` has every fault, FILE:LINE; *out is empty.  Otherwise the caller
 * calls machine_import_fini. */
bool machine_import_files(const char *const *path, size_t n, struct machine_import *out,
                          struct errors *all);
/* The same from a text. */
bool machine_import_text(const char *text, const char *name, struct machine_import *out,
                         struct errors *all);
void machine_import_fini(struct machine_import *i);
