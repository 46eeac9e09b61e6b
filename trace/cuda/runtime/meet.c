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
    uint32_t most_lane = cta.width - 1, segment = bound >> 8 & most_lane, clamp = bound & most_lane;
    uint32_t most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    uint32_t b = argument & most_lane, from = 0;
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
    return *within ? from & most_lane : lane;
}

static uint32_t shuffle_result(const struct lane *warp, uint32_t n, uint32_t i)
{
    bool within;
    const struct lane *l = &warp[i];
    uint32_t from = shuffle_source(l->kind, i, l->argument, l->bound, &within);
    bool there = from < n && warp[from].state == LANE_MEET && warp[from].mask == l->mask;
    /* Of a lane that is not there a value is undefined; programs rely on cards giving zero. */
    return there ? (uint32_t)warp[from].value : 0;
}

static uint64_t vote_result(const struct lane *warp, uint64_t there, uint32_t kind)
{
    uint64_t ballot = 0;
    for (uint64_t left = there; left; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(left);
        ballot |= (uint64_t)(warp[k].value != 0) << k;
    }
    switch (kind) {
    case VOTE_ALL: return ballot == there;
    case VOTE_ANY: return ballot != 0;
    case VOTE_UNI: return ballot == there || ballot == 0;
    default: return ballot;
    }
}

static uint64_t match_result(const struct lane *warp, uint64_t there, uint32_t i)
{
    uint64_t same = 0;
    for (uint64_t left = there; left; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(left);
        same |= (uint64_t)(warp[k].value == warp[i].value) << k;
    }
    return warp[i].kind == 0 || same == there ? same : 0;
}

static void give_results(struct lane *warp, uint32_t n, uint64_t there)
{
    for (uint64_t left = there; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        struct lane *l = &warp[i];
        switch (l->meet) {
        case MEET_SHUFFLE: l->result = shuffle_result(warp, n, i); break;
        case MEET_VOTE: l->result = vote_result(warp, there, l->kind); break;
        case MEET_MATCH: l->result = match_result(warp, there, i); break;
        case MEET_MMA: matrix_multiply(warp, there, i); break;
        case MEET_SYNC: l->result = 0; break;
        }
    }
    for (uint64_t left = there; left; left &= left - 1)
        warp[__builtin_ctzll(left)].state = LANE_READY;
}

/* --- meeting --- */

/* Which lanes of a mask are there, in the same function with the same mask; *missing: which could
 * still come. */
static uint64_t who_is_there(const struct lane *warp, uint32_t n, uint32_t i, uint64_t *missing)
{
    uint64_t there = 0;
    *missing = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct lane *l = &warp[k];
        if (!(warp[i].mask >> k & 1) || l->state == LANE_DONE) continue;
        bool same = l->state == LANE_MEET && l->mask == warp[i].mask && l->meet == warp[i].meet;
        *(same ? &there : missing) |= (uint64_t)1 << k;
    }
    return there;
}

void meet_try(struct lane *warp, uint32_t n, uint32_t i)
{
    uint64_t missing, there = who_is_there(warp, n, i, &missing);
    if (!(warp[i].mask >> i & 1))
        cta_fail(&warp[i], meet_line(&warp[i], 0),
                 "a thread calls a function of the warp with a mask 0x%lx that lacks it",
                 (unsigned long)warp[i].mask);
    if (!missing) give_results(warp, n, there);
}

void meet_force(struct lane *warp, uint32_t n)
{
    uint32_t i;
    uint64_t missing, there;
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
             "a thread waits in a function of the warp for threads that do not come: mask 0x%lx, "
             "missing 0x%lx",
             (unsigned long)warp[i].mask, (unsigned long)missing);
}

void meet_tell_active(struct lane *warp, uint32_t n)
{
    uint32_t place = UINT32_MAX;
    uint64_t there = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (warp[i].state != LANE_ACTIVE) continue;
        if (place == UINT32_MAX) place = warp[i].kind;
        if (warp[i].kind == place) there |= (uint64_t)1 << i;
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

uint64_t meet_wait(enum meet_kind meet, uint32_t kind, uint64_t mask, uint64_t value)
{
    struct lane *l = cta.running;
    l->meet = meet;
    l->kind = kind;
    l->mask = mask;
    l->value = value;
    cta_wait(LANE_MEET);
    return l->result;
}

EXPORTED uint32_t plumb_cuda_shuffle(uint32_t mode, uint64_t mask, uint32_t value,
                                     uint32_t argument, uint32_t bound);
EXPORTED uint32_t plumb_cuda_vote(uint32_t kind, uint64_t mask, uint32_t value);
EXPORTED uint32_t plumb_cuda_match(uint32_t all, uint64_t mask, uint64_t value);
EXPORTED void plumb_cuda_warp_sync(uint64_t mask);
EXPORTED uint32_t plumb_cuda_active(uint32_t place);
EXPORTED uint32_t plumb_cuda_barrier(uint32_t kind, uint32_t value, uint32_t line);

uint32_t plumb_cuda_shuffle(uint32_t mode, uint64_t mask, uint32_t value, uint32_t argument,
                            uint32_t bound)
{
    cta.running->argument = argument;
    cta.running->bound = bound;
    return (uint32_t)meet_wait(MEET_SHUFFLE, mode, mask, value);
}

uint32_t plumb_cuda_vote(uint32_t kind, uint64_t mask, uint32_t value)
{
    return (uint32_t)meet_wait(MEET_VOTE, kind, mask, value);
}

uint32_t plumb_cuda_match(uint32_t all, uint64_t mask, uint64_t value)
{
    return (uint32_t)meet_wait(MEET_MATCH, all, mask, value);
}

void plumb_cuda_warp_sync(uint64_t mask)
{
    meet_wait(MEET_SYNC, 0, mask, 0);
}

uint32_t plumb_cuda_active(uint32_t place)
{
    cta.running->kind = place;
    cta_wait(LANE_ACTIVE);
    return (uint32_t)cta.running->result;
}

uint32_t plumb_cuda_barrier(uint32_t kind, uint32_t value, uint32_t line)
{
    struct lane *l = cta.running;
    l->kind = kind;
    l->value = value;
    l->line = line;
    l->over = true;
    cta_wait(LANE_BARRIER);
    return (uint32_t)l->result;
}
