/* meet.c - see meet.h. */
#include "trace/cuda/runtime/meet.h"

#include "trace/capture/reconverge.h"

enum { SHUFFLE_INDEX, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR };

/* --- results --- */

/* The lane that a shuffle reads: the bound has the segment's mask from bit 8 on and the last lane.
 */
static uint32_t shuffle_source(uint32_t mode, uint32_t lane, uint32_t argument, uint32_t bound,
                               bool *within)
{
    uint32_t segment = bound >> 8 & 31, clamp = bound & 31;
    uint32_t most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    uint32_t b = argument & 31, from = 0;
    switch (mode) {
    case SHUFFLE_UP:
        from = lane - b;
        *within = (int32_t)from >= (int32_t)most;
        break;
    case SHUFFLE_DOWN:
        from = lane + b;
        *within = from <= most;
        break;
    case SHUFFLE_XOR:
        from = lane ^ b;
        *within = from <= most;
        break;
    default:
        from = least | (b & ~segment);
        *within = from <= most;
        break;
    }
    return *within ? from & 31 : lane;
}

static uint32_t shuffle_result(const struct lane *warp, uint32_t n, uint32_t i)
{
    bool within;
    const struct lane *l = &warp[i];
    uint32_t from = shuffle_source(l->kind, i, l->argument, l->bound, &within);
    bool there = from < n && warp[from].state == LANE_MEET && warp[from].mask == l->mask;
    return (uint32_t)(there ? warp[from].value
                            : l->value); /* of a lane that is not there: undefined */
}

static uint32_t vote_result(const struct lane *warp, uint32_t there, uint32_t kind)
{
    uint32_t ballot = 0;
    for (uint32_t left = there; left; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(left);
        ballot |= (uint32_t)(warp[k].value != 0) << k;
    }
    switch (kind) {
    case VOTE_ALL: return ballot == there;
    case VOTE_ANY: return ballot != 0;
    case VOTE_UNI: return ballot == there || ballot == 0;
    default: return ballot;
    }
}

static uint32_t match_result(const struct lane *warp, uint32_t there, uint32_t i)
{
    uint32_t same = 0;
    for (uint32_t left = there; left; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(left);
        same |= (uint32_t)(warp[k].value == warp[i].value) << k;
    }
    return warp[i].kind == 0 || same == there ? same : 0;
}

static void give_results(struct lane *warp, uint32_t n, uint32_t there)
{
    for (uint32_t left = there; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        struct lane *l = &warp[i];
        switch (l->meet) {
        case MEET_SHUFFLE: l->result = shuffle_result(warp, n, i); break;
        case MEET_VOTE: l->result = vote_result(warp, there, l->kind); break;
        case MEET_MATCH: l->result = match_result(warp, there, i); break;
        case MEET_SYNC: l->result = 0; break;
        }
    }
    for (uint32_t left = there; left; left &= left - 1)
        warp[__builtin_ctz(left)].state = LANE_READY;
}

/* --- meeting --- */

/* Which lanes of a mask are there, in the same function with the same mask; *missing: which could
 * still come. */
static uint32_t who_is_there(const struct lane *warp, uint32_t n, uint32_t i, uint32_t *missing)
{
    uint32_t there = 0;
    *missing = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct lane *l = &warp[k];
        if (!(warp[i].mask >> k & 1) || l->state == LANE_DONE) continue;
        bool same = l->state == LANE_MEET && l->mask == warp[i].mask && l->meet == warp[i].meet;
        *(same ? &there : missing) |= (uint32_t)1 << k;
    }
    return there;
}

void meet_try(struct lane *warp, uint32_t n, uint32_t i)
{
    uint32_t missing, there = who_is_there(warp, n, i, &missing);
    if (!(warp[i].mask >> i & 1))
        cta_fail(&warp[i], meet_line(&warp[i], 0),
                 "a thread calls a function of the warp with a mask 0x%x that lacks it",
                 warp[i].mask);
    if (!missing) give_results(warp, n, there);
}

void meet_force(struct lane *warp, uint32_t n)
{
    uint32_t i = 0, missing, there;
    for (i = 0; i < n; i++) {
        if (warp[i].state != LANE_MEET) continue;
        there = who_is_there(warp, n, i, &missing);
        if (missing) continue;
        give_results(warp, n, there);
        return;
    }
    for (i = 0; warp[i].state != LANE_MEET;)
        i++;
    who_is_there(warp, n, i, &missing);
    cta_fail(&warp[i], meet_line(&warp[i], 0),
             "a thread waits in a function of the warp for threads that do not come: mask 0x%x, "
             "missing 0x%x",
             warp[i].mask, missing);
}

void meet_tell_active(struct lane *warp, uint32_t n)
{
    uint32_t place = UINT32_MAX, there = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (warp[i].state != LANE_ACTIVE) continue;
        if (place == UINT32_MAX) place = warp[i].kind;
        if (warp[i].kind == place) there |= (uint32_t)1 << i;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!(there >> i & 1)) continue;
        warp[i].result = there;
        warp[i].state = LANE_READY;
    }
}

uint32_t meet_line(const struct lane *l, uint64_t address)
{
    const struct kernel_code *code = cta.launch->code;
    if (l->visit == l->log) return 0;
    const struct kernel_piece *p = &code->piece[reconverge_visit_piece(l->visit[-1])];
    for (uint32_t k = 0; k < p->n_accesses; k++) {
        const struct kernel_access *a = &code->access[p->first_access + k];
        uint64_t logged = l->word[p->n_accesses - 1 - k];
        if (address - logged < a->bytes) return a->line;
    }
    return p->line;
}

uint32_t meet_line_crooked(const struct lane *l)
{
    const struct kernel_code *code = cta.launch->code;
    if (l->visit == l->log) return 0;
    const struct kernel_piece *p = &code->piece[reconverge_visit_piece(l->visit[-1])];
    for (uint32_t k = p->n_accesses; k-- > 0;) {
        const struct kernel_access *a = &code->access[p->first_access + k];
        if (a->bytes > 8 && l->word[p->n_accesses - 1 - k] % a->bytes) return a->line;
    }
    return p->line;
}

/* --- called by compiled code --- */

#define EXPORTED __attribute__((visibility("default")))

static uint32_t wait_in(enum meet_kind meet, uint32_t kind, uint32_t mask, uint64_t value)
{
    struct lane *l = cta.running;
    l->meet = meet;
    l->kind = kind;
    l->mask = mask;
    l->value = value;
    cta_wait(LANE_MEET);
    return l->result;
}

EXPORTED uint32_t plumb_cuda_shuffle(uint32_t mode, uint32_t mask, uint32_t value,
                                     uint32_t argument, uint32_t bound);
EXPORTED uint32_t plumb_cuda_vote(uint32_t kind, uint32_t mask, uint32_t value);
EXPORTED uint32_t plumb_cuda_match(uint32_t all, uint32_t mask, uint64_t value);
EXPORTED void plumb_cuda_warp_sync(uint32_t mask);
EXPORTED uint32_t plumb_cuda_active(uint32_t place);
EXPORTED uint32_t plumb_cuda_barrier(uint32_t kind, uint32_t value, uint32_t line);

uint32_t plumb_cuda_shuffle(uint32_t mode, uint32_t mask, uint32_t value, uint32_t argument,
                            uint32_t bound)
{
    cta.running->argument = argument;
    cta.running->bound = bound;
    return wait_in(MEET_SHUFFLE, mode, mask, value);
}

uint32_t plumb_cuda_vote(uint32_t kind, uint32_t mask, uint32_t value)
{
    return wait_in(MEET_VOTE, kind, mask, value);
}

uint32_t plumb_cuda_match(uint32_t all, uint32_t mask, uint64_t value)
{
    return wait_in(MEET_MATCH, all, mask, value);
}

void plumb_cuda_warp_sync(uint32_t mask)
{
    wait_in(MEET_SYNC, 0, mask, 0);
}

uint32_t plumb_cuda_active(uint32_t place)
{
    cta.running->kind = place;
    cta_wait(LANE_ACTIVE);
    return cta.running->result;
}

uint32_t plumb_cuda_barrier(uint32_t kind, uint32_t value, uint32_t line)
{
    struct lane *l = cta.running;
    l->kind = kind;
    l->value = value;
    l->line = line;
    l->over = true;
    cta_wait(LANE_BARRIER);
    return l->result;
}
