/* reconverge.h - reconvergence: merges the paths of a warp's work-items into warp instructions.
 *
 * Code is cut into pieces: straight-line code that runs from its first to its last instruction
 * (basic blocks, also cut after calls and around barriers). A lane's path is a string of visits,
 * one word each: the piece and the depth of the call at which it was visited. Merging repeatedly
 * picks the lanes that go next:
 * - the deepest call first;
 * - then the smallest piece in a weak topological order of the control-flow graph, in which every
 *   loop is contiguous and starts with its head; a lane that came back to a head over a back edge
 *   counts as being at the end of the loop, so that it waits for the others of its iteration;
 * - a lane that reaches a barrier waits until all lanes have reached one or have ended.
 * All lanes at the same piece and depth go together. On structured control flow this gives the same
 * warp instructions as a stack of immediate post-dominators (tested), without computing
 * post-dominators; on breaks and continues it has never given more.
 *
 * Units: positions and pieces count from 0; masks have lane 0 in bit 0. Memory: merge_order_init
 * allocates; merge_run does not. Source: Bourdoncle, Efficient chaotic iteration strategies with
 * widenings, 1993, section 4.2 (the order); Fung et al., Dynamic Warp Formation, MICRO 2007,
 * section 2 (the stack). */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MERGE_MAX_PIECES = 1 << 14, MERGE_MAX_DEPTH = (1 << 16) - 1, MERGE_NO_PIECE = 0xffff };

/* The control-flow graph. Successors of piece p: succ[first[p]] to succ[first[p + 1] - 1]; calls
 * are no edges. barrier[p]: the piece is a barrier and nothing else. */
struct merge_flow {
    uint32_t n;
    const uint32_t *first, *succ;
    const bool *barrier;
};

struct merge_order {
    uint32_t n;
    struct merge_place {
        uint16_t at;  /* position in the weak topological order */
        uint16_t end; /* of a loop's head: the position of the loop's last piece; else = at */
        bool head, barrier;
    } * place;
};

/* false: *e (too many pieces, no memory). */
bool merge_order_init(struct merge_order *o, const struct merge_flow *f, struct error *e);
void merge_order_fini(struct merge_order *o);

static inline uint32_t reconverge_visit(uint32_t piece, uint32_t depth)
{
    return piece | depth << 16;
}
static inline uint32_t reconverge_visit_piece(uint32_t visit)
{
    return visit & 0xffff;
}

/* A lane's visits. merge_run consumes them all, or, where lanes are open, as many as can be merged
 * whatever follows. `before` persists between runs: the piece
 * visited before visit[at], MERGE_NO_PIECE at the start of a kernel. */
struct merge_lane {
    const uint32_t *visit;
    size_t n, at;
    uint32_t before;
    bool open;  /* more visits may follow */
    bool going; /* the last visit is not over: it stays */
};

/* Receives the lanes in `mask` that execute `piece` together. false ends the run. */
typedef bool merge_emit(void *ctx, uint32_t piece, uint64_t mask);

/* Merges the visits of n <= 64 lanes of one warp. */
bool merge_run(const struct merge_order *o, struct merge_lane *lane, uint32_t n, merge_emit *emit,
               void *ctx);
