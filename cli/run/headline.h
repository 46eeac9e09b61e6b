/* headline.h - the lines that answer first: how long, how sure, what binds. */
#pragma once

#include "answer/answer.h"
#include "base/text/text.h"
#include "gpu/machine/machine.h"

/* A rate that the program reaches and the machine's peak. */
struct reached {
    const char *of, *unit; /* "DRAM", "GB/s" */
    double rate, peak;
};
enum { REACHED_MAX = 3 };
/* Those that are known and not idle: DRAM, FP32, matrix units. Returns how many. */
uint32_t headline_reached(const struct answer *a, const struct machine *m,
                          struct reached out[REACHED_MAX]);
/* "dram (memory channels), 99.8 % busy" of an estimate, "of the time 61.0 % waits at dram" of a
 * simulation; adds nothing if neither is known. */
void headline_limit(struct text *out, const struct answer *a);
/* "991 to 1,060" us; adds nothing if there is no range. */
void headline_range(struct text *out, const struct answer *a);
/* "corrected by 5 runs of this program: 3 in my.cal, 2 in the bank": what the answer rests on. */
void headline_basis(struct text *out, const struct answer *a);
/* All of it, a line each behind its word. m: NULL, without rates.  machine, program: as the user
 * named them. */
void headline_print(struct text *out, const struct answer *a, const struct machine *m,
                    const char *machine, const char *program);
