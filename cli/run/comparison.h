/* comparison.h - the sides of plumb compare with a program's answers, and how they are printed. */
#pragma once

#include "base/text/text.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/run/answer_print.h"
#include "libplumb/handles.h"

#include <stdbool.h>
#include <stdint.h>

enum { SIDES_MAX = 8 };

struct side {
    char head[160]; /* the machine and its overrides, or the engine */
    const char *spec;
    const plumb_machine *machine;
    enum engine engine;
    uint32_t n_sets; /* of the comparison's */
};

struct comparison {
    struct args args;
    bool machines; /* compares machines; else engines on machine[0] */
    plumb_machine *machine[SIDES_MAX];
    const char **set; /* args.set, then args.vs */
    struct side side[SIDES_MAX];
    struct outcome outcome[SIDES_MAX]; /* of the current program */
    uint32_t n;                        /* number of sides */
    uint32_t anchors;                  /* machines that each program is simulated on first */
    struct progress progress;
    struct cli_warnings warnings;
};

/* Prints which machines or engines they are; of two machines the ratio; what each side's answer
 * says; of two machines why they differ and what would help the second; and the metrics. */
void comparison_print(const struct comparison *c, struct text *out);
