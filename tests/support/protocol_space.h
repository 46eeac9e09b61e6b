/* protocol_space.h - the states that a model of a protocol has been seen in, the steps between
 * them, and whether all comes to rest.  A state is a struct of bytes without padding. */
#pragma once

#include "tests/support/check.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum step_kind {
    STEP_ON,    /* a message arrives, or the L2 answers: what is under way goes on */
    STEP_FRAME, /* an access that finds nothing takes the cache's frame */
    STEP_OTHER
};

/* A step from a state to the next; cache: whose, of STEP_FRAME. */
struct step {
    uint32_t next;
    uint8_t kind, cache;
};

/* Starts with `size` alone; the owner fills in `first`. */
struct space {
    size_t size; /* of a state */
    unsigned char *state;
    uint32_t n, cap, *slot, mask;
    struct step *step; /* by state: from first[i] to first[i + 1] */
    uint32_t *first, steps, step_cap;
};

/* State i; valid until the next one is kept. */
static inline const void *space_state(const struct space *s, uint32_t i)
{
    return s->state + (size_t)i * s->size;
}

/* The number of a state, which is kept if it is new. */
uint32_t space_reach(struct space *s, const void *state);

/* Appends a step from the state that is being walked. */
void space_step(struct space *s, uint32_t next, enum step_kind kind, uint32_t cache);

/* Whether without new accesses all comes to rest, whatever the order, so that nobody waits for
 * ever.  NULL, or what is wrong. */
const char *space_rests(const struct space *k, bool (*at_rest)(const void *state));
void space_fini(struct space *s);
