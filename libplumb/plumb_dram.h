/* plumb_dram.h - the memory alone, for other simulators to embed: channels with controller queues,
 * command scheduling under the full timing set, refresh, and banks.
 *
 * The caller advances the memory clock by clock (or in leaps) and hands over requests of one burst
 * each; a callback reports each one when its data are on the bus. Times are in clocks of the
 * memory's command clock. The result depends on what was accepted when, not on how the caller
 * divides the time.
 *
 *     plumb_dram *d = plumb_dram_open("hbm2", NULL, 0, done, NULL);
 *     while (... || plumb_dram_pending(d)) {
 *         if (plumb_dram_request(d, address, write, id)) ... (else it is full: try again later)
 *         plumb_dram_tick(d, 1);
 *         if (*plumb_error()) break; (after plumb_stop(1) no clock passes)
 *     }
 *     plumb_dram_close(d);
 *
 * Threads: a handle belongs to one thread at a time. Errors: plumb_error() in plumb.h; a handle
 * that is NULL or was closed is one, for which a function returns 0. */
#pragma once

#include "plumb.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plumb_dram plumb_dram;

/* Called within plumb_dram_tick, once for each request, in the order of completion: `id` is the
 * request's, `clock` the one after its last beat. It may make requests and ask; ticking and closing
 * this handle from within is an error. It returns: a C++ exception or longjmp out of it leaves the
 * memory in the middle of a clock, for good. */
typedef void plumb_dram_done(uint64_t id, int write, uint64_t clock, void *context);

struct plumb_dram_counts {
    uint64_t reads, writes, activates, refreshes; /* commands: bursts, rows opened, refreshes */
    uint64_t row_hits;                            /* bursts, all but the first after an activate */
    uint64_t busy_clocks;                         /* of the data buses, summed over the channels */
};

/* Opens a memory by a timing set's name ("gddr5", see `plumb dram --list`) or its file, with n
 * settings as for a machine, of paths below dram. ("dram.channels=4"). done: may be NULL. NULL:
 * plumb_error() holds the reason. */
PLUMB_API plumb_dram *plumb_dram_open(const char *memory, const char *const *set, size_t n,
                                      plumb_dram_done *done, void *context);
PLUMB_API void plumb_dram_close(plumb_dram *dram);
/* Bytes of a request's burst, and picoseconds of a clock. */
PLUMB_API uint32_t plumb_dram_burst(const plumb_dram *dram);
PLUMB_API double plumb_dram_clock_ps(const plumb_dram *dram);
/* Hands over a request for the burst that holds the address, at the present clock. 0: its channel
 * has no room now (or there is no memory), which is no error of plumb_error(). */
PLUMB_API int plumb_dram_request(plumb_dram *dram, uint64_t address, int write, uint64_t id);
/* Lets that many clocks pass; returns the clock that is now reached. After plumb_stop(1) that clock
 * is an earlier one and plumb_error() names the interrupt, for which a loop that waits for pending
 * requests has to look. Refreshes go on for ever: leap until plumb_dram_pending() is 0, not to the
 * end of time. */
PLUMB_API uint64_t plumb_dram_tick(plumb_dram *dram, uint64_t clocks);
/* Requests that have not completed. */
PLUMB_API uint64_t plumb_dram_pending(const plumb_dram *dram);
PLUMB_API void plumb_dram_count(plumb_dram *dram, struct plumb_dram_counts *counts);

#ifdef __cplusplus
}
#endif
