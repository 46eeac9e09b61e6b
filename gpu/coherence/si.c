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

static const char *const agent_states[] = {"I", "IV", "II", "V"};
static const char *const agent_events[AGENT_EVENTS] = {[AGENT_LOAD] = "load",
                                                       [AGENT_LOAD_ROUND] = "load GLC/SLC",
                                                       [AGENT_STORE_WHOLE] = "store whole",
                                                       [AGENT_STORE] = "store part/GLC/SLC",
                                                       [AGENT_ATOMIC] = "atomic",
                                                       [AGENT_FILL] = "fill",
                                                       [AGENT_REPLACE] = "replace",
                                                       [AGENT_ACQUIRE] = "acquire"};

static const struct row agent[] = {
    {BLOCK_I, AGENT_LOAD, DO_FETCH, BLOCK_IV},
    {BLOCK_I, AGENT_LOAD_ROUND, DO_ROUND, BLOCK_I},
    {BLOCK_I, AGENT_STORE_WHOLE, DO_INSTALL | DO_WRITE, BLOCK_V},
    {BLOCK_I, AGENT_STORE, DO_WRITE, BLOCK_I},
    {BLOCK_I, AGENT_ATOMIC, DO_ROUND, BLOCK_I},
    {BLOCK_I, AGENT_FILL, DO_NEVER, BLOCK_I},
    {BLOCK_I, AGENT_REPLACE, DO_NEVER, BLOCK_I},
    {BLOCK_I, AGENT_ACQUIRE, DO_NOTHING, BLOCK_I},

    {BLOCK_IV, AGENT_LOAD, DO_JOIN, BLOCK_IV},
    {BLOCK_IV, AGENT_LOAD_ROUND, DO_DISCARD | DO_ROUND, BLOCK_II},
    {BLOCK_IV, AGENT_STORE_WHOLE, DO_DISCARD | DO_WRITE, BLOCK_II},
    {BLOCK_IV, AGENT_STORE, DO_DISCARD | DO_WRITE, BLOCK_II},
    {BLOCK_IV, AGENT_ATOMIC, DO_DISCARD | DO_ROUND, BLOCK_II},
    {BLOCK_IV, AGENT_FILL, DO_ANSWER | DO_KEEP, BLOCK_V},
    {BLOCK_IV, AGENT_REPLACE, DO_NEVER, BLOCK_IV},
    {BLOCK_IV, AGENT_ACQUIRE, DO_DISCARD, BLOCK_II},

    {BLOCK_II, AGENT_LOAD, DO_WAIT, BLOCK_II},
    {BLOCK_II, AGENT_LOAD_ROUND, DO_ROUND, BLOCK_II},
    {BLOCK_II, AGENT_STORE_WHOLE, DO_WRITE, BLOCK_II},
    {BLOCK_II, AGENT_STORE, DO_WRITE, BLOCK_II},
    {BLOCK_II, AGENT_ATOMIC, DO_ROUND, BLOCK_II},
    {BLOCK_II, AGENT_FILL, DO_ANSWER, BLOCK_I},
    {BLOCK_II, AGENT_REPLACE, DO_NEVER, BLOCK_II},
    {BLOCK_II, AGENT_ACQUIRE, DO_NOTHING, BLOCK_II},

    {BLOCK_V, AGENT_LOAD, DO_HIT, BLOCK_V},
    {BLOCK_V, AGENT_LOAD_ROUND, DO_DROP | DO_ROUND, BLOCK_I},
    {BLOCK_V, AGENT_STORE_WHOLE, DO_INSTALL | DO_WRITE, BLOCK_V},
    {BLOCK_V, AGENT_STORE, DO_WRITE | DO_DROP, BLOCK_I},
    {BLOCK_V, AGENT_ATOMIC, DO_DROP | DO_ROUND, BLOCK_I},
    {BLOCK_V, AGENT_FILL, DO_NEVER, BLOCK_V},
    {BLOCK_V, AGENT_REPLACE, DO_NOTHING, BLOCK_I},
    {BLOCK_V, AGENT_ACQUIRE, DO_DROP, BLOCK_I},
};

static const char *const home_states[HOME_STATES] = {"I", "F", "V", "D", "R"};
static const char *const home_events[HOME_EVENTS] = {
    [HOME_READ] = "read",           [HOME_WRITE] = "write",           [HOME_ATOMIC] = "atomic",
    [HOME_READ_ROUND] = "read SLC", [HOME_WRITE_ROUND] = "write SLC", [HOME_FILL] = "fill",
    [HOME_REPLACE] = "replace"};

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
    .agent = {agent_states, agent_events, COUNT(agent_states), AGENT_EVENTS, agent, COUNT(agent),
              .access = {[ACCESS_READ] = {AGENT_LOAD, AGENT_LOAD_ROUND, AGENT_LOAD},
                         [ACCESS_WRITE] = {AGENT_STORE, AGENT_STORE, AGENT_STORE_WHOLE},
                         [ACCESS_ATOMIC] = {AGENT_ATOMIC, AGENT_ATOMIC, AGENT_ATOMIC}}},
    .home = {home_states, home_events, HOME_STATES, HOME_EVENTS, home, COUNT(home),
             .access = {[ACCESS_READ] = {HOME_READ, HOME_READ_ROUND, HOME_READ},
                        [ACCESS_WRITE] = {HOME_WRITE, HOME_WRITE_ROUND, HOME_WRITE},
                        [ACCESS_ATOMIC] = {HOME_ATOMIC, HOME_ATOMIC, HOME_ATOMIC}}},
};
