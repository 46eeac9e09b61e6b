/* anchor.h - one run of a program on the machine that what-ifs begin with: most of an estimate's
 * error belongs to the program and stays when the machine changes, so that this run corrects the
 * estimates of all machines near it (calibration/posterior.h). */
#pragma once

#include "engine/engine.h"

#include <stdint.h>

struct anchor {
    bool known;         /* the bank has a run of this program on this machine */
    enum engine engine; /* that would make it: the cycle model, or for long programs its samples */
    uint64_t instructions; /* warp instructions of the program */
    uint64_t price;        /* warp instructions whose simulation costs as much */
};

/* Which engine makes it, and what it costs; by counts alone, so that the choice is the same
 * everywhere. */
void anchor_choose(const struct machine *m, const struct program *p, const struct run_opts *o,
                   struct anchor *out);
/* Whether it is made only where the user asks for anchors. */
bool anchor_is_dear(const struct anchor *a);
/* The same, and whether it is known.  o->bank must be there; of a bank that cannot be read no run
 * is known. */
void anchor_find(const struct machine *m, const struct program *p, const struct run_opts *o,
                 struct anchor *out);
/* The whole simulation of the same in that bank, by metrics_key's index, NaN where there is none;
 * false: it has none. */
bool anchor_from_bank(const struct machine *m, const struct program *p, struct bank *b,
                      double simulated[METRICS_KEYS_MAX]);
/* Makes it and leaves it in o->bank. */
bool anchor_make(const struct anchor *a, const struct machine *m, const struct program *p,
                 const struct run_opts *o, struct error *e);
