/* progress.h - progress of a long run. The library only counts (progress_add, from any thread); the
 * caller displays it through the `show` callback, which is called at the start, then at most about
 * five times a second, and once at the end. cli/ draws a bar with rate and remaining time on a
 * terminal, plain lines otherwise. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Work in its own unit, for items of different durations. */
struct progress_work {
    double all, done;
    double seconds; /* spent on the finished work */
};

struct progress {
    const char *what; /* "points", "intervals" */
    uint64_t total;   /* 0 = unknown */
    _Atomic uint64_t done, failed;
    double started, shown; /* seconds, monotonic */
    void (*show)(const struct progress *p, double seconds, bool last, void *ctx); /* NULL: silent */
    void *ctx;
    _Atomic bool showing; /* held by the thread that calls show */
    /* If items differ in size, set after progress_start: the items' sizes, and the work that is
     * done in advance for many of them (its time belongs to no item). all = 0: items are equal, and
     * nothing is done in advance. */
    struct progress_work items, ahead;
    char note[96]; /* current best or current item; never written concurrently with progress_add */
    char part[64]; /* progress of the current item; never written concurrently with progress_add */
};

void progress_start(struct progress *p, const char *what, uint64_t total);
void progress_add(struct progress *p, uint64_t n);
void progress_finish(struct progress *p);
double progress_seconds_left(const struct progress *p, double seconds); /* < 0: unknown */
double progress_clock_seconds(void);                                    /* monotonic */

/* Set by the signal handler of cli/; long loops poll it and stop with ERROR_INTERRUPTED, preserving
 * their results so far. */
extern _Atomic bool plumb_interrupted;
