/* si.c - the protocol of AMD's Southern Islands as Candel 2019 describes it (2.4.A, 4.5.4, 4.6.4),
 * with two main states.
 *
 * An L1 writes through: a store's bytes go to the L2 with their mask and are never fetched. A block
 * that was written as a whole stays in the L1; one that was written in part, or by a store with
 * GLC, is evicted after the store. A load with GLC bypasses the L1, any access with SLC bypasses
 * both caches. The L2 has no directory, locks nothing and sends no invalidations; an SM empties its
 * L1 at an acquire. The L2 merges masks and writes back when a line is evicted.
 *
 * Our choices where the thesis is silent: a load with GLC and an atomic remove the L1's copy; an
 * access that bypasses the L2 finds memory up to date and leaves no copy in the L2; atomics are
 * performed at the L2, with SLC, too. */
#include "gpu/coherence/protocol.h"

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

static const char *const agent_states[AGENT_STATES] = {"I", "IV", "II", "V"};
static const char *const agent_events[AGENT_EVENTS] = {
    "load",   "load GLC/SLC", "store whole", "store part/GLC/SLC",
    "atomic", "fill",         "replace",     "acquire"};

static const struct row agent[] = {
    {AGENT_I, AGENT_LOAD, DO_FETCH, AGENT_IV},
    {AGENT_I, AGENT_LOAD_ROUND, DO_ROUND, AGENT_I},
    {AGENT_I, AGENT_STORE_WHOLE, DO_INSTALL | DO_WRITE, AGENT_V},
    {AGENT_I, AGENT_STORE_PART, DO_WRITE, AGENT_I},
    {AGENT_I, AGENT_ATOMIC, DO_ROUND, AGENT_I},
    {AGENT_I, AGENT_FILL, DO_NEVER, AGENT_I},
    {AGENT_I, AGENT_REPLACE, DO_NEVER, AGENT_I},
    {AGENT_I, AGENT_ACQUIRE, DO_NOTHING, AGENT_I},

    {AGENT_IV, AGENT_LOAD, DO_JOIN, AGENT_IV},
    {AGENT_IV, AGENT_LOAD_ROUND, DO_DISCARD | DO_ROUND, AGENT_II},
    {AGENT_IV, AGENT_STORE_WHOLE, DO_DISCARD | DO_WRITE, AGENT_II},
    {AGENT_IV, AGENT_STORE_PART, DO_DISCARD | DO_WRITE, AGENT_II},
    {AGENT_IV, AGENT_ATOMIC, DO_DISCARD | DO_ROUND, AGENT_II},
    {AGENT_IV, AGENT_FILL, DO_ANSWER | DO_KEEP, AGENT_V},
    {AGENT_IV, AGENT_REPLACE, DO_NEVER, AGENT_IV},
    {AGENT_IV, AGENT_ACQUIRE, DO_DISCARD, AGENT_II},

    {AGENT_II, AGENT_LOAD, DO_WAIT, AGENT_II},
    {AGENT_II, AGENT_LOAD_ROUND, DO_ROUND, AGENT_II},
    {AGENT_II, AGENT_STORE_WHOLE, DO_WRITE, AGENT_II},
    {AGENT_II, AGENT_STORE_PART, DO_WRITE, AGENT_II},
    {AGENT_II, AGENT_ATOMIC, DO_ROUND, AGENT_II},
    {AGENT_II, AGENT_FILL, DO_ANSWER, AGENT_I},
    {AGENT_II, AGENT_REPLACE, DO_NEVER, AGENT_II},
    {AGENT_II, AGENT_ACQUIRE, DO_NOTHING, AGENT_II},

    {AGENT_V, AGENT_LOAD, DO_HIT, AGENT_V},
    {AGENT_V, AGENT_LOAD_ROUND, DO_DROP | DO_ROUND, AGENT_I},
    {AGENT_V, AGENT_STORE_WHOLE, DO_INSTALL | DO_WRITE, AGENT_V},
    {AGENT_V, AGENT_STORE_PART, DO_WRITE | DO_DROP, AGENT_I},
    {AGENT_V, AGENT_ATOMIC, DO_DROP | DO_ROUND, AGENT_I},
    {AGENT_V, AGENT_FILL, DO_NEVER, AGENT_V},
    {AGENT_V, AGENT_REPLACE, DO_NOTHING, AGENT_I},
    {AGENT_V, AGENT_ACQUIRE, DO_DROP, AGENT_I},
};

static const char *const home_states[HOME_STATES] = {"I", "F", "V", "D", "R"};
static const char *const home_events[HOME_EVENTS] = {"read",      "write", "atomic", "read SLC",
                                                     "write SLC", "fill",  "replace"};

static const struct row home[] = {
    {HOME_I, HOME_READ, DO_LOOK_UP, HOME_F},
    {HOME_I, HOME_WRITE, DO_LOOK_UP, HOME_D},
    {HOME_I, HOME_ATOMIC, DO_LOOK_UP, HOME_F},
    {HOME_I, HOME_READ_ROUND, DO_MEMORY, HOME_R},
    {HOME_I, HOME_WRITE_ROUND, DO_MEMORY, HOME_I},
    {HOME_I, HOME_FILL, DO_NEVER, HOME_I},
    {HOME_I, HOME_REPLACE, DO_NEVER, HOME_I},

    {HOME_F, HOME_READ, DO_LOOK_UP, HOME_F},
    {HOME_F, HOME_WRITE, DO_LOOK_UP, HOME_F},
    {HOME_F, HOME_ATOMIC, DO_LOOK_UP, HOME_F},
    {HOME_F, HOME_READ_ROUND, DO_WAIT, HOME_F},
    {HOME_F, HOME_WRITE_ROUND, DO_WAIT, HOME_F},
    {HOME_F, HOME_FILL, DO_LOOK_UP, HOME_V},
    {HOME_F, HOME_REPLACE, DO_NEVER, HOME_F},

    {HOME_V, HOME_READ, DO_LOOK_UP, HOME_V},
    {HOME_V, HOME_WRITE, DO_LOOK_UP, HOME_D},
    {HOME_V, HOME_ATOMIC, DO_LOOK_UP, HOME_D},
    {HOME_V, HOME_READ_ROUND, DO_DROP | DO_MEMORY, HOME_R},
    {HOME_V, HOME_WRITE_ROUND, DO_DROP | DO_MEMORY, HOME_I},
    {HOME_V, HOME_FILL, DO_NEVER, HOME_V},
    {HOME_V, HOME_REPLACE, DO_NOTHING, HOME_I},

    {HOME_D, HOME_READ, DO_LOOK_UP, HOME_D},
    {HOME_D, HOME_WRITE, DO_LOOK_UP, HOME_D},
    {HOME_D, HOME_ATOMIC, DO_LOOK_UP, HOME_D},
    {HOME_D, HOME_READ_ROUND, DO_CLEAN | DO_DROP | DO_MEMORY, HOME_R},
    {HOME_D, HOME_WRITE_ROUND, DO_CLEAN | DO_DROP | DO_MEMORY, HOME_I},
    {HOME_D, HOME_FILL, DO_NEVER, HOME_D},
    {HOME_D, HOME_REPLACE, DO_CLEAN, HOME_I},

    {HOME_R, HOME_READ, DO_WAIT, HOME_R},
    {HOME_R, HOME_WRITE, DO_WAIT, HOME_R},
    {HOME_R, HOME_ATOMIC, DO_WAIT, HOME_R},
    {HOME_R, HOME_READ_ROUND, DO_JOIN, HOME_R},
    {HOME_R, HOME_WRITE_ROUND, DO_WAIT, HOME_R},
    {HOME_R, HOME_FILL, DO_ANSWER, HOME_I},
    {HOME_R, HOME_REPLACE, DO_NEVER, HOME_R},
};

const struct protocol protocol_si = {
    .name = "si",
    .agent = {agent_states, agent_events, AGENT_STATES, AGENT_EVENTS, agent, COUNT(agent), false},
    .home = {home_states, home_events, HOME_STATES, HOME_EVENTS, home, COUNT(home), false},
};
