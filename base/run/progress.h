/* progress.h - what a long run says of itself.
 *
 * The library only counts (progress_add, from any thread); who shows it is decided by the caller
 * through the `show` callback, called at most about five times a second and once at the end.  cli/
 * draws a bar with rate and time left on a terminal, plain lines otherwise. */
#ifndef PLUMB_BASE_RUN_PROGRESS_H
#define PLUMB_BASE_RUN_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Work in a unit of its own, for items that take unlike times. */
struct progress_work {
    double all, done;
    double seconds; /* spent on what is done */
};

struct progress {
    const char *what; /* "points", "intervals" */
    uint64_t total;   /* 0 = unknown */
    _Atomic uint64_t done, failed;
    double started, shown; /* seconds, monotonic */
    void (*show)(const struct progress *p, double seconds, bool last, void *ctx); /* NULL: silent */
    void *ctx;
    _Atomic bool showing; /* held by the thread that calls show */
    /* Where items are not alike, set after progress_start: the items' sizes, and what is done ahead
     * for many of them (its time is no item's).  all = 0: items are alike, nothing is ahead. */
    struct progress_work items, ahead;
    char note[96]; /* current best or current item; never written beside progress_add */
    char part[64]; /* how far the item under way is; likewise */
};

void progress_start(struct progress *p, const char *what, uint64_t total);
void progress_add(struct progress *p, uint64_t n);
void progress_finish(struct progress *p);
double progress_seconds_left(const struct progress *p, double seconds); /* < 0: unknown */
double progress_clock_seconds(void);                                    /* monotonic */

/* Set by the signal handler of cli/; long loops poll it and stop with ERROR_INTERRUPTED, keeping
 * what is known. */
extern _Atomic bool plumb_interrupted;

#endif
