/* litmus.h - small programs of a warp on each of two to four SMs whose loads are watched through
 * the shadow memory: which store's data each load was served.
 *
 * A variable is 256 bytes of its own; an access is of one lane (part of a block) or of all lanes
 * (whole blocks), and the block at the variable's beginning is what is watched.  A version is a
 * store's number in the order in which stores left the L1s; 0 = never stored. */
#pragma once

#include "detailed/core/sim_internal.h"
#include "tests/support/written.h"

enum { LITMUS_OPS = 24, LITMUS_WARPS = 4, LITMUS_LANES = 64, SEEN_MAX = 64 };

enum var { VAR_X, VAR_Y, VAR_FLAG, VAR_N };

/* An instruction of a warp; `set` is true. */
struct op {
    enum op_class cls;
    enum var var;
    uint8_t hint;
    bool whole, set;
    uint8_t lane;   /* of an access by one lane */
    uint32_t times; /* of a delay: dependent instructions */
};

#define LD(v)                                 \
    {                                         \
        .set = true, .cls = OP_LOAD, .var = v \
    }
#define LD_HINT(v, h)                                    \
    {                                                    \
        .set = true, .cls = OP_LOAD, .var = v, .hint = h \
    }
#define ST(v)                                  \
    {                                          \
        .set = true, .cls = OP_STORE, .var = v \
    }
#define ST_HINT(v, h)                                     \
    {                                                     \
        .set = true, .cls = OP_STORE, .var = v, .hint = h \
    }
#define ST_WHOLE(v)                                           \
    {                                                         \
        .set = true, .cls = OP_STORE, .var = v, .whole = true \
    }
#define LD_WHOLE(v)                                          \
    {                                                        \
        .set = true, .cls = OP_LOAD, .var = v, .whole = true \
    }
/* By a lane other than the first: other bytes of the variable's first block. */
#define LD_LANE(v, n)                                    \
    {                                                    \
        .set = true, .cls = OP_LOAD, .var = v, .lane = n \
    }
#define ST_LANE(v, n)                                     \
    {                                                     \
        .set = true, .cls = OP_STORE, .var = v, .lane = n \
    }
#define ATOMIC(v)                               \
    {                                           \
        .set = true, .cls = OP_ATOMIC, .var = v \
    }
#define SYNC(c)               \
    {                         \
        .set = true, .cls = c \
    }
#define DELAY(n)                               \
    {                                          \
        .set = true, .cls = OP_INT, .times = n \
    }

enum { GLC = HINT_BYPASS_L1, SLC = HINT_BYPASS_L2 };

/* A test.  The first operation that is not set ends a warp; warps from the third on that do nothing
 * are not there. */
struct litmus {
    struct op warp[LITMUS_WARPS][LITMUS_OPS];
};

/* What loads were served, by SM, in the order in which they were. */
struct seen {
    struct {
        enum var var;
        uint32_t version;
    } load[LITMUS_WARPS][SEEN_MAX];
    uint32_t n[LITMUS_WARPS];
};

/* What the k-th load of the variable by that warp was served; UINT32_MAX: there is none. */
uint32_t litmus_version(const struct seen *s, uint32_t warp, enum var v, uint32_t k);

/* Prints all that was served to stderr, as SM:variable=version. */
void litmus_print(const struct seen *s);

/* One CTA of one warp for each warp of the test; the caller closes the program. */
struct program *litmus_program(const struct litmus *t);
/* What a test does to the tables before the run; NULL: nothing. */
typedef void litmus_change(struct coherence *c, const void *how);

/* Runs the program and watches its loads.  false: the run failed.  Does not return through cmocka,
 * so that it may be a child's. */
bool litmus_run(const struct machine *m, const struct program *p, litmus_change *change,
                const void *how, struct seen *out);
