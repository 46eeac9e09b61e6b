/* l2_hand.h - one L2 slice between requests by hand and a memory of fixed times by hand: an
 * operation towards memory is taken when it is sent, and its event comes READ or OUT cycles later.
 * Everything that goes out is logged with its cycle. */
#pragma once

#include "detailed/l2/l2.h"
#include "tests/support/run.h"

enum { START = 1000, READ = 120, OUT = 70, TOLD = 10, BLOCKS = 16, LOG_MAX = 64, NOBODY = 99 };

enum hand_kind { RETURN, ACCEPT, ANSWER };

struct hand_event {
    uint64_t at;
    uint32_t handle, version;
    enum hand_kind kind;
};

struct hand_log {
    const char *what;
    uint64_t addr, at;
};

/* The slice, what stands around it, and the log. */
struct hand {
    struct machine m;
    struct map map;
    struct memory memory;
    struct shadow shadow;
    struct req_pool reqs;
    struct noc request, reply;
    struct l2_wiring w;
    struct l2_slice s;
    uint64_t now;
    uint32_t copies; /* the block of which L1s hold copies */
    struct hand_event event[LOG_MAX];
    uint32_t events, logged, replies, asked;
    struct hand_log log[LOG_MAX];
    struct {
        uint64_t at; /* arrival */
        uint32_t req;
        bool in;
    } arrival[LOG_MAX];
    uint64_t answered[LOG_MAX];
};

/* The address of a block in a set. */
uint64_t hand_block_addr(const struct hand *h, uint32_t block, uint32_t set);

/* A slice of one bank on rx540 with n overrides.  `h` must stay where it is. */
void hand_init(struct hand *h, const char *const *sets, size_t n);

/* Declares `h` and initialises it with the overrides behind it. */
#define HAND(h, ...)                                  \
    struct hand h;                                    \
    hand_init(&h, (const char *const[]){__VA_ARGS__}, \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* A request that comes to the slice at `at`, in order of times; returns its number. */
uint32_t hand_ask_in_set(struct hand *h, uint64_t at, enum req_kind kind, uint32_t block,
                         uint32_t set);

/* The same, in set 0. */
uint32_t hand_ask(struct hand *h, uint64_t at, enum req_kind kind, uint32_t block);

/* Steps the slice up to and with this cycle. */
void hand_run_until(struct hand *h, uint64_t end);

/* The cycle in which the request was answered; 0: not yet. */
uint64_t hand_answered(const struct hand *h, uint32_t req);

/* Fails unless `what` went out for the block at `at`; prints the log then. */
void hand_assert_op(const struct hand *h, const char *what, uint32_t block, uint64_t at);

/* Whether the slice has the block. */
bool hand_holds(const struct hand *h, uint32_t block);

/* Whether the victim cache has the block. */
bool hand_keeps(const struct hand *h, uint32_t block);

/* Lets all come to rest, which it must, and frees the slice. */
void hand_end(struct hand *h);
