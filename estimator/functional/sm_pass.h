/* sm_pass.h - one SM of the functional pass: warps take turns, loads take a nominal time,
 * transactions meet an L1.
 *
 * CTA i runs on SM i mod sms, in order, as slots free.  A warp goes on until its next memory
 * instruction, wait or barrier; then the scheduler's rule says who is next.  A load that hits an
 * L1 of the machine's sets and ways takes PASS_HIT cycles; what misses goes through a pipe of
 * PASS_BYTES per cycle, PASS_NEAR_BYTES where the L2 has it, and takes PASS_NEAR or PASS_MISS more,
 * with some scatter, as
 * contention has it: so warps drift apart, those that lead wait for memory while others catch up,
 * and where bandwidth is the limit the scheduler decides who gets ahead.
 *
 * Each SM has a reader of its own: SMs may run side by side, and what one yields depends on nothing
 * else.
 * Source: Nugteren et al. 2014 (emulated scheduling with delayed insertion), simplified; the
 * nominal bandwidth is that of the presets' machines, 5 to 10 bytes per SM and cycle. */
#pragma once

#include "estimator/functional/nmoesi_sharers.h"
#include "estimator/profile/profile_data.h"
#include "estimator/profile/sector_reuse.h"
#include "gpu/geometry/coalesce.h"
#include "trace/program/cursor.h"

enum { PASS_PIPES = 4 }; /* which the bandwidth is divided among */

enum stream_kind { STREAM_READ, STREAM_WRITE, STREAM_ATOMIC };
struct stream_op { /* one line's sectors, as they leave an L1 */
    uint64_t addr; /* of the L1 line */
    uint32_t time;
    uint32_t l1;      /* distance of the farthest sector; writes: REUSE_FAR */
    uint8_t kind : 2, /* enum stream_kind */
        bypass : 1;   /* round the L1 */
    uint8_t mask, whole;
    uint8_t pass[PROFILE_L1S]; /* sectors that go on to the L2 behind each L1 */
};
struct stream {
    struct stream_op *op;
    size_t n, cap;
};

struct pass_tallies {           /* added over SMs */
    struct launch_profile sums; /* scalars only */
    struct hit_tally wait_far;
    double balance, balance_n;
    double held, beside, elapsed; /* cycles with warps held; warps that may run over all; cycles */
    double longest, longest_began, longest_missed, missed, end; /* alone; in the pass's time */
};

struct pass; /* one SM */
struct pass *pass_new(const struct profile_view *v, const struct program *p, uint32_t sm,
                      struct error *e);
void pass_free(struct pass *s);
/* What has gone to the L2, of all SMs; read by pass_run, so that nothing may change it meanwhile.
 * Without it only what this SM itself has fetched is there. */
void pass_behind(struct pass *s, const struct chain *l2);
/* Which lines others have, too, likewise; wanted where the view's L1s keep their own. */
void pass_beside(struct pass *s, struct sharers *sharers);
/* ctas: residents at most.  Flushes the L1 if the view says so. */
bool pass_launch(struct pass *s, uint32_t launch, uint32_t ctas, struct error *e);
/* Runs until the SM's time reaches `until`; appends to pass_stream.  *done: the launch has ended
 * here. */
bool pass_run(struct pass *s, uint64_t until, bool *done, struct error *e);
struct stream *pass_stream(struct pass *s);
uint64_t pass_started(const struct pass *s); /* CTAs of the launch so far */
void pass_add_tallies(const struct pass *s, struct pass_tallies *t);
/* Serial dispatch: the work of the SM that has most over the mean, beyond what the numbers of CTAs
 * say; else 1. */
double pass_uneven(struct pass *const *sm, uint32_t sms);
/* Adds up the launch's profile, that of its L1s included, into *p; false: no memory. */
bool pass_profile(struct pass *const *sm, uint32_t sms, struct launch_profile *p);
/* Their sharers hear of the streams; false: no memory. */
bool pass_tell_sharers(struct pass *const *sm, uint32_t sms);
/* It has run nothing of this launch, and nothing has left its L1. */
bool pass_has_nothing(const struct pass *s);
const struct chain *pass_l1(const struct pass *s);
