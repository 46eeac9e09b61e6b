/* pass_clock.h - when a functional pass was where: its clock at places on its way.
 *
 * What a walk takes for a part of a program says little about the cycle model's cycles as such (a
 * third too few or too many), but much about which parts take longer than others.
 *
 * Marks lie at every launch's end and at least `step` instructions apart between; times between two
 * marks are taken in proportion.  A walk that goes over the same ground again changes nothing.
 *
 * Units: warp instructions from the program's beginning; core cycles.  Memory: pass_clock_note
 * grows. */
#ifndef PLUMB_GPU_FUNCTIONAL_WARMING_PASS_CLOCK_H
#define PLUMB_GPU_FUNCTIONAL_WARMING_PASS_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pass_clock_mark {
    uint64_t done;
    double time;
};

/* Embed; zero is empty. */
struct pass_clock {
    struct pass_clock_mark *mark; /* done ascending, time not falling; owned */
    size_t n, cap;
    uint64_t step;  /* between two marks inside a launch */
    uint64_t ended; /* the last launch that ended did so here */
};

void pass_clock_fini(struct pass_clock *t);
/* end: of a launch.  false: no memory. */
bool pass_clock_note(struct pass_clock *t, uint64_t done, double time, bool end);
bool pass_clock_knows(const struct pass_clock *t,
                      uint64_t done); /* launches that end there, to their end */
/* Precondition: known.  A launch's end counts to what lies before it. */
double pass_clock_at(const struct pass_clock *t, uint64_t done);

#endif
