/* pass_clock.h - when a functional pass was where: its clock at places on its way.
 *
 * What a walk takes for a part of a program says little about the cycle model's cycles as such (a
 * third too few or too many), but much about which parts take longer than others.
 *
 * Marks lie at every launch's end and at least `step` instructions apart between; times between two
 * marks are taken in proportion.  A walk that goes over the same ground again changes nothing.
 *
 * Units: warp instructions from the program's beginning; core cycles.  Memory: tempo_note grows. */
#ifndef PLUMB_GPU_FUNCTIONAL_WARMING_PASS_CLOCK_H
#define PLUMB_GPU_FUNCTIONAL_WARMING_PASS_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tempo_mark {
    uint64_t done;
    double time;
};

/* Embed; zero is empty. */
struct tempo {
    struct tempo_mark *mark; /* done ascending, time not falling; owned */
    size_t n, cap;
    uint64_t step;  /* between two marks inside a launch */
    uint64_t ended; /* the last launch that ended did so here */
};

void tempo_fini(struct tempo *t);
/* end: of a launch.  false: no memory. */
bool tempo_note(struct tempo *t, uint64_t done, double time, bool end);
bool tempo_knows(const struct tempo *t, uint64_t done); /* launches that end there, to their end */
/* Precondition: known.  A launch's end counts to what lies before it. */
double tempo_at(const struct tempo *t, uint64_t done);

#endif
