/* channel_replay_state.h - what channel_replay.c knows of the channel while it replays. */
#pragma once

#include "estimator/dram/channel_replay.h"
#include "estimator/dram/command_gaps.h"

enum { NONE = UINT16_MAX };
/* A piece uses at most as many banks as it has requests; of groups and ranks there is room for all
 * that the parameters allow. */
enum { BANKS = REPLAY_MOST, SEEN = 2 * BANKS, ACT_RING = 32, GROUPS = 2048, RANKS = 128 };
#define NO_ROW UINT32_MAX
#define UNKNOWN (UINT32_MAX - 1)

enum row_is { ROW_USED, ROW_FRESH, ROW_NOT_KNOWN };
enum next {
    NEXT_READ,
    NEXT_WRITE,
    NEXT_ROW_CLOSE,
    NEXT_ROW_OPEN,
    NEXT_N
}; /* columns as READS, WRITES */

struct request_list { /* a list of requests, oldest first */
    uint16_t head, tail;
    uint32_t passed; /* requests served since the head became the head */
};
struct replay_bank {
    uint32_t row, at[NEXT_N];          /* earliest clocks of its commands */
    uint32_t used;                     /* last column command */
    uint16_t work, group, rank, place; /* place: in busy[], NONE = not there */
    uint8_t next;                      /* its next command */
    uint8_t row_is;
    struct request_list q[DIRECTIONS];
};
struct replay_level { /* a bank group, a rank or the buses */
    uint32_t at[NEXT_N];
};
struct wish {          /* a bank's next command; all are scanned every time, so they lie together */
    uint32_t at, late; /* late: tie-breaker; of two at the same time the smaller one goes first */
    uint16_t bank, group, rank, next;
};

struct replay {
    const struct dram_params *d;
    const struct replay_request *r;
    /* the channel has more banks than bank[] has room for, so bank[] holds only the banks in use */
    bool crowded;
    struct command_gaps t;
    uint32_t bus_rest; /* of a data bus after a burst, in 1 / DRAM_REST of a clock */
    uint32_t n, entered, depth, held[DIRECTIONS], oldest[DIRECTIONS], banks, ranks;
    uint32_t direction, turn, now, n_busy, n_forwarded;
    struct replay_level bus;
    bool gone[REPLAY_MOST];
    /* replay_start() initialises only the members used from here on */
    struct replay_bank bank[BANKS];
    struct wish busy[BANKS];
    uint16_t next[REPLAY_MOST], prev[REPLAY_MOST];
    struct replay_level group[GROUPS], rank[RANKS];
    uint32_t acts[RANKS][ACT_RING], n_acts[RANKS], rest[RANKS];
    uint16_t home[REPLAY_MOST]; /* crowded: index in bank[] of each request's bank */
    struct {
        uint32_t number; /* bank number + 1 */
        uint16_t place;
    } seen[SEEN]; /* hash table of the banks in use */
};
