/* port.h - a port that passes so many sectors a cycle, as the number of turns that it has given.
 *
 * What comes in one go for several sectors takes as many turns, and passes with the last: it came
 * with its last sector, so that turns that were free before count. One sector waits for nothing but
 * its turn. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The turns given when `sectors` have passed at `now`, for port_passes. */
static inline uint64_t port_turns(uint64_t used, uint32_t rate, uint32_t sectors, uint64_t now)
{
    uint64_t after = used + sectors, soonest = now * rate + 1;
    return after > soonest ? after : soonest;
}
static inline bool port_passes(uint64_t turns, uint32_t rate, uint64_t now)
{
    return turns <= (now + 1) * rate;
}
/* The same behind a network that brings one sector a cycle: what has come just now does not wait,
 * since its sectors came between those of others. */
static inline bool port_lets_in(uint64_t *used, uint32_t rate, uint32_t sectors, bool just_came,
                                uint64_t now)
{
    uint64_t turns = port_turns(*used, rate, sectors, now), end = (now + 1) * rate;
    if (turns > end && (sectors == 1 || !just_came)) return false;
    *used = turns < end ? turns : end;
    return true;
}
