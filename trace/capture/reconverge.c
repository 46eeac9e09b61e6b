/* reconverge.c - see reconverge.h. */
#include "trace/capture/reconverge.h"

#include "base/memory/alloc.h"

#include <assert.h>

/* --- Bourdoncle's recursive strategy --- */

struct merge_walk {
    const struct merge_flow *flow;
    struct merge_place *place;
    uint32_t *number; /* depth-first; 0 = not seen, UINT32_MAX = placed */
    uint32_t *stack;
    uint32_t seen, height;
    uint32_t top; /* positions from here on are assigned: the order is built from its end */
};

static void put_first(struct merge_walk *w, uint32_t v, uint32_t end, bool head)
{
    w->top--;
    struct merge_place *p = &w->place[v];
    p->at = (uint16_t)w->top;
    p->end = head ? (uint16_t)end : p->at;
    p->head = head;
}

static uint32_t visit_piece(struct merge_walk *w, uint32_t v);

/* Places the loop with head v: first its other pieces, then v before them. */
static void place_loop(struct merge_walk *w, uint32_t v)
{
    uint32_t end = w->top - 1;
    for (uint32_t i = w->flow->first[v]; i < w->flow->first[v + 1]; i++)
        if (w->number[w->flow->succ[i]] == 0) visit_piece(w, w->flow->succ[i]);
    put_first(w, v, end, true);
}

static void close_component(struct merge_walk *w, uint32_t v, bool loop)
{
    w->number[v] = UINT32_MAX;
    uint32_t other = w->stack[--w->height];
    for (; other != v; other = w->stack[--w->height])
        w->number[other] = 0;
    if (loop)
        place_loop(w, v);
    else
        put_first(w, v, 0, false);
}

/* The smallest number reachable from v inside its component. */
static uint32_t visit_piece(struct merge_walk *w, uint32_t v)
{
    w->stack[w->height++] = v;
    uint32_t head = w->number[v] = ++w->seen;
    bool loop = false;
    for (uint32_t i = w->flow->first[v]; i < w->flow->first[v + 1]; i++) {
        uint32_t s = w->flow->succ[i];
        uint32_t least = w->number[s] == 0 ? visit_piece(w, s) : w->number[s];
        if (least > head) continue;
        head = least;
        loop = true;
    }
    if (head == w->number[v]) close_component(w, v, loop);
    return head;
}

bool merge_order_init(struct merge_order *o, const struct merge_flow *f, struct error *e)
{
    *o = (struct merge_order){.n = f->n};
    if (f->n > MERGE_MAX_PIECES)
        return error_input(e, "the kernel has %u pieces of code; allowed are %d", f->n,
                           MERGE_MAX_PIECES);
    struct merge_walk w = {.flow = f, .top = f->n};
    o->place = w.place = mem_new(f->n, sizeof *w.place);
    w.number = mem_new(f->n, sizeof *w.number);
    w.stack = mem_new(f->n, sizeof *w.stack);
    bool ok = w.place && w.number && w.stack;
    for (uint32_t v = 0; ok && v < f->n; v++) {
        if (w.number[v] == 0) visit_piece(&w, v);
        w.place[v].barrier = f->barrier[v];
    }
    mem_free(w.number);
    mem_free(w.stack);
    if (!ok) merge_order_fini(o);
    return ok || error_no_memory(e);
}

void merge_order_fini(struct merge_order *o)
{
    mem_free(o->place);
    *o = (struct merge_order){0};
}

/* --- merging --- */

/* The priority of a lane; the smallest goes first. Barriers come last; otherwise, from the most
 * significant bit: depth, position, whether the lane came back to a loop's head (then the position
 * is the loop's last), inner heads before outer ones. */
static uint64_t rank_of(const struct merge_order *o, const struct merge_lane *l)
{
    uint32_t visit = l->visit[l->at];
    const struct merge_place *p = &o->place[reconverge_visit_piece(visit)];
    uint64_t shallow = MERGE_MAX_DEPTH - (visit >> 16), back = 0;
    if (p->head && l->before != MERGE_NO_PIECE) {
        uint32_t from = o->place[l->before].at;
        back = from >= p->at && from <= p->end;
    }
    uint64_t where = back ? p->end : p->at, outer = back ? MERGE_MAX_PIECES - p->at : 0;
    return (uint64_t)p->barrier << 63 | shallow << 32 | where << 16 | back << 15 | outer;
}

/* Where the lanes stand: copies of what is asked for again and again, side by side. */
enum { MERGE_LANES = 64 };
struct standing {
    uint32_t visit[MERGE_LANES]; /* NO_VISIT: a lane has none left */
    uint64_t rank[MERGE_LANES];  /* of lanes that are not stale */
    uint64_t stale, ended;       /* masks; ended: open lanes that have none left */
};
#define NO_VISIT UINT32_MAX

static void look_at(struct standing *s, const struct merge_lane *l, uint32_t i)
{
    bool left = l->at < l->n;
    s->visit[i] = left ? l->visit[l->at] : NO_VISIT;
    s->stale |= (uint64_t)1 << i;
    s->ended |= (uint64_t)(!left && l->open) << i;
}

/* Whether all lanes are at the same visit, as most warps are most of the time. */
static bool go_together(const struct standing *s, uint32_t n)
{
    uint32_t differ = 0;
    for (uint32_t i = 1; i < n; i++)
        differ |= s->visit[i] ^ s->visit[0];
    return !differ;
}

/* The visit that goes first. NO_VISIT: no lane has one left. */
static uint32_t choose_visit(const struct merge_order *o, struct standing *s,
                             const struct merge_lane *lane, uint32_t n)
{
    uint64_t best = UINT64_MAX;
    uint32_t visit = NO_VISIT;
    if (go_together(s, n)) return s->visit[0];
    for (; s->stale; s->stale &= s->stale - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(s->stale);
        s->rank[i] = s->visit[i] == NO_VISIT ? UINT64_MAX : rank_of(o, &lane[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        visit = s->rank[i] < best ? s->visit[i] : visit;
        best = s->rank[i] < best ? s->rank[i] : best;
    }
    return visit;
}

static uint64_t lanes_at(const struct standing *s, uint32_t n, uint32_t visit)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < n; i++)
        mask |= (uint64_t)(s->visit[i] == visit) << i;
    return mask;
}

/* Whether the visit of one of these lanes is not over. */
static bool still_goes(const struct merge_lane *lane, uint64_t mask)
{
    for (uint64_t left = mask; left; left &= left - 1) {
        const struct merge_lane *l = &lane[__builtin_ctzll(left)];
        if (l->going && l->at + 1 == l->n) return true;
    }
    return false;
}

static void advance_lanes(struct standing *s, struct merge_lane *lane, uint64_t mask)
{
    for (uint64_t left = mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        lane[i].before = reconverge_visit_piece(s->visit[i]);
        lane[i].at++;
        look_at(s, &lane[i], i);
    }
}

bool merge_run(const struct merge_order *o, struct merge_lane *lane, uint32_t n, merge_emit *emit,
               void *ctx)
{
    assert(n <= MERGE_LANES);
    struct standing s;
    s.stale = s.ended = 0;
    for (uint32_t i = 0; i < n; i++)
        look_at(&s, &lane[i], i);
    while (!s.ended) { /* what an open lane does next is known */
        uint32_t visit = choose_visit(o, &s, lane, n);
        if (visit == NO_VISIT) break;
        uint64_t mask = lanes_at(&s, n, visit);
        if (still_goes(lane, mask)) break;
        advance_lanes(&s, lane, mask);
        if (!emit(ctx, reconverge_visit_piece(visit), mask)) return false;
    }
    return true;
}
