/* team.h - threads that do pieces of work together, each of a few microseconds, one after another.
 *
 * A piece has parts 0..parts-1. Each thread begins with its own (part modulo threads) and then does
 * those of others that nobody has begun, so that a thread that the host has put aside holds up the
 * others by one part at most. team_do returns when all parts are done, and what the parts have
 * written is then seen by the caller, as what the caller has written is by the parts. Which thread
 * does a part is left open: parts write to what no other part touches.
 *
 * Threads that find nothing to do spin for some microseconds, then let others have their core, then
 * sleep until the next piece. The caller never waits for one that sleeps. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TEAM_PARTS_MAX = 4096, TEAM_WORKS_MAX = 16 };

struct team_work {
    void (*part)(void *ctx, uint32_t part);
    void *ctx;
    uint32_t parts; /* at most TEAM_PARTS_MAX */
};

struct team;

/* The caller and threads - 1 others, for any of so many kinds of work, which are copied. NULL: no
 * memory, or the host gives no thread. */
struct team *team_new(uint32_t threads, const struct team_work *work, uint32_t works);
void team_free(struct team *t); /* NULL is fine */
void team_do(struct team *t, uint32_t work);
/* The caller does all parts: for a piece that is too small to share. */
void team_do_alone(struct team *t, uint32_t work);
