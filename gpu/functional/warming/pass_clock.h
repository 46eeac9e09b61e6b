/* pass_clock.h - the functional pass's clock as a function of its position.
 *
 * The pass's time for a part of a program is a poor estimate of the cycle model's (up to a third
 * too low or too high), but it says well which parts take longer than others.
 *
 * Marks lie at every launch's end and, between, at least `step` instructions apart; times between
 * two marks are interpolated linearly. A pass that repeats a part changes nothing.
 *
 * Units: warp instructions from the program's beginning; core cycles. Memory: pass_clock_note
 * allocates. */
#pragma once

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
    uint64_t step;  /* minimum distance of two marks inside a launch */
    uint64_t ended; /* position of the last launch end */
};

void pass_clock_fini(struct pass_clock *t);
/* Adds a mark. end: a launch ends here. false: no memory. */
bool pass_clock_note(struct pass_clock *t, uint64_t done, double time, bool end);
/* Whether the clock covers `done`, including launches that end there. */
bool pass_clock_knows(const struct pass_clock *t, uint64_t done);
/* Precondition: pass_clock_knows(t, done). A launch's end belongs to the part before it. */
double pass_clock_at(const struct pass_clock *t, uint64_t done);
