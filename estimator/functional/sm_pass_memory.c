/* sm_pass_memory.c - memory instructions of the functional pass: transactions meet the L1, misses
 * go through pipes. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "estimator/constants.h"
#include "estimator/functional/sm_pass_state.h"

static struct stream_op *emit(struct pass *s, uint64_t line, uint32_t mask, enum stream_kind kind)
{
    if (!mem_grow(&s->out.op, &s->out.cap, s->out.n + 1, sizeof *s->out.op)) {
        s->l1.failed = true;
        return NULL;
    }
    struct stream_op *op = &s->out.op[s->out.n++];
    *op = (struct stream_op){.addr = line * s->v.l1_line,
                             .time = (uint32_t)s->busy,
                             .kind = (unsigned)kind & 3u,
                             .mask = (uint8_t)mask,
                             .l1 = REUSE_FAR};
    for (uint32_t v = 0; v < PROFILE_L1S; v++)
        op->pass[v] = (uint8_t)mask;
    return op;
}

/* The SM's share of the ways to the L2 and to memory: what misses goes through one of a few pipes
 * by its address, as it would through channels; rate: bytes per cycle of what goes that far. */
static uint64_t through_pipe(struct pass *s, uint64_t line, uint32_t sectors, uint32_t rate)
{
    uint64_t *pipe = &s->pipe[line * s->v.l1_line / PASS_CHUNK % PASS_PIPES];
    if (*pipe < s->busy) *pipe = s->busy;
    *pipe += (uint64_t)sectors * s->v.l1_sector * PASS_PIPES / rate;
    if (*pipe > s->latest) s->latest = *pipe;
    return *pipe;
}

/* What this SM has fetched since the L2 was last brought up to date is there, too. */
static bool in_l2(const struct pass *s, uint64_t line, uint32_t far)
{
    bool known = false;
    bool has = s->l2 && chain_has(s->l2, line * s->v.l1_line / s->v.l2_line, &known);
    return known ? has : far != REUSE_FAR;
}

/* Sectors that miss: says when they are back. */
static uint64_t fetch(struct pass *s, uint64_t line, uint32_t sectors, bool near)
{
    uint64_t out = through_pipe(s, line, sectors, near ? PASS_NEAR_BYTES : PASS_BYTES);
    uint64_t back = out + (near ? PASS_NEAR : PASS_MISS);
    if (back > s->back) s->back = back;
    return back;
}

static struct pass_flight *flight_of(struct pass *s, uint64_t line)
{
    return &s->flight[rng_splitmix64(line) % PASS_FLIGHTS];
}

static bool under_way(const struct pass *s, const struct pass_flight *f, uint64_t line,
                      uint32_t mask)
{
    return f->line == line && (f->mask & mask) && f->back > s->busy;
}

static double left_of(const struct pass *s, const struct pass_flight *f)
{
    return (double)(f->back - s->busy) / (double)(f->back - f->began);
}

/* Data from before an acquire or a store are not for those who come later: they stand at the head
 * of the L1, with all behind them, until the old fetch is back. */
static void wait_for_void(struct pass *s, uint64_t line, uint32_t mask)
{
    const struct pass_flight *f = flight_of(s, line);
    if (!under_way(s, f, line, mask) || (f->acquires == s->acquires && !f->passed)) return;
    s->t.sums.voided++;
    s->t.sums.voided_left += left_of(s, f);
    s->busy = s->queue.urgent = f->back; /* who waits for the same fetch goes on first */
}

/* A line of another warp that is still to come, or that an acquire has made come once more. */
static void note_wanted(struct pass *s, uint64_t line, uint32_t mask)
{
    struct pass_flight *f = flight_of(s, line);
    if (f->line != line || !f->mask || f->warp == s->acting) return;
    if (f->acquires == s->acquires && !under_way(s, f, line, mask)) return;
    s->t.sums.wanted++;
    if (++f->wanted > s->t.sums.wanted_most) s->t.sums.wanted_most = f->wanted;
}

static void note_store(struct pass *s, uint64_t line, uint32_t mask)
{
    struct pass_flight *f = flight_of(s, line);
    if (f->line == line && (f->mask & mask)) f->passed = true;
}

static void note_fetch(struct pass *s, uint64_t line, uint32_t mask, uint64_t back)
{
    struct pass_flight *f = flight_of(s, line);
    bool more = f->line == line && f->back > s->busy && f->acquires == s->acquires && !f->passed;
    *f = (struct pass_flight){.line = line,
                              .began = s->busy,
                              .back = back,
                              .acquires = s->acquires,
                              .warp = s->acting,
                              .wanted = f->line == line ? f->wanted : 0,
                              .waiters = 1,
                              .mask = (uint8_t)(more ? f->mask | mask : mask)};
}

/* With fewer waiters allowed this one would hold the L1's head until the data are back, and with
 * them all that the same instruction fetched. */
static void note_join(struct pass *s, uint64_t line, uint32_t mask)
{
    struct pass_flight *f = flight_of(s, line);
    if (!under_way(s, f, line, mask)) return;
    s->t.sums.joined++;
    if (++f->waiters >= PROFILE_JOINS) return;
    uint64_t *held = &s->held[f->waiters];
    if (*held == f->began + 1) return;
    s->t.sums.joins[f->waiters]++;
    s->t.sums.joins_left[f->waiters] += left_of(s, f);
    *held = f->began + 1;
}

/* The policies see a line at a time, the warp whose turn it is. */
static void tell(struct pass *s, uint64_t line, bool load, bool miss)
{
    if (!s->govern) return;
    const struct throttle_access a = {s->acting, line, load, miss};
    govern_access(s->govern, &a, s->busy);
}

/* One line of a load: returns the farthest value. */
static uint32_t load_line(struct pass *s, uint64_t line, uint32_t mask, bool bypass)
{
    uint32_t value[CHAIN_SECTORS], far = 0, n = (uint32_t)__builtin_popcount(mask);
    s->t.sums.loads += n;
    if (!bypass && s->acquires) note_wanted(s, line, mask);
    if (!bypass) wait_for_void(s, line, mask);
    struct stream_op *op = emit(s, line, mask, STREAM_READ);
    if (op) op->bypass = bypass;
    if (bypass || !op) {
        s->t.sums.bypasses += n;
        s->missed = true;
        if (s->keeper) keeper_round(s->keeper, line, mask);
        fetch(s, line, n, in_l2(s, line, REUSE_FAR));
        return REUSE_FAR;
    }
    chain_read(&s->l1, line, mask, value);
    if (s->keeper) keeper_load(s->keeper, line, mask);
    for (uint32_t i = 0; i < s->l1.p.sectors; i++) {
        if (!(mask >> i & 1)) continue;
        if (value[i] > far) far = value[i];
        for (uint32_t v = 1; v < PROFILE_L1S; v++)
            if (value[i] < s->bound[v]) op->pass[v] &= (uint8_t) ~(1u << i);
    }
    if (!mem_grow(&s->due, &s->due_cap, (size_t)s->l1.last + 1, sizeof *s->due)) {
        s->l1.failed = true;
        return far;
    }
    uint64_t *due = &s->due[s->l1.last];
    bool miss = s->l1.missed;
    s->missed |= miss;
    tell(s, line, true, miss);
    if (miss) {
        *due = fetch(s, line, n, in_l2(s, line, far));
        note_fetch(s, line, mask, *due);
        s->fetched[s->n_fetched++] = line;
    } else {
        if (*due > s->met) s->met = *due;
        note_join(s, line, mask);
    }
    op->l1 = far;
    return far;
}

static void store_line(struct pass *s, uint64_t line, uint32_t mask, uint32_t whole, bool bypass,
                       bool local)
{
    uint32_t value[CHAIN_SECTORS];
    s->t.sums.stores += __builtin_popcount(mask);
    struct stream_op *op = emit(s, line, mask, STREAM_WRITE);
    if (op) {
        op->whole = (uint8_t)whole;
        op->bypass = bypass;
    }
    through_pipe(s, line, (uint32_t)__builtin_popcount(mask), PASS_BYTES);
    if (s->v.l1_write_miss == WRITE_MISS_NO_ALLOCATE || bypass) note_store(s, line, mask);
    pass_note_stored(s, line);
    bool leaves = s->keeper && !bypass && keeper_store(s->keeper, line, mask, local);
    if (s->keeper && bypass) keeper_store_round(s->keeper, line, mask);
    uint32_t gone = leaves ? mask : s->v.l1_parts_leave ? mask & ~whole : 0;
    if (bypass) {
        if (s->v.l1_parts_leave) chain_forget(&s->l1, line, mask);
        return;
    }
    chain_write(&s->l1, line, mask, whole, value);
    if (s->v.l1_parts_leave) chain_install(&s->l1, line, mask & whole);
    if (gone) chain_forget(&s->l1, line, gone);
    tell(s, line, false, s->l1.missed);
}

/* A load without a hint, where a predictor may send a part of it round the L1. */
static uint32_t load_predicted(struct pass *s, const struct static_inst *si, uint64_t line,
                               uint32_t mask)
{
    uint32_t round = predictor_load(s->predictor, si->pc, line, mask), far = 0;
    if (mask & ~round) far = load_line(s, line, mask & ~round, false);
    if (s->predictor->failed) s->l1.failed = true;
    return round ? load_line(s, line, round, true) : far;
}

/* By a hint that is heeded. */
static bool hinted_round(const struct pass *s, const struct warp_inst *w)
{
    return (w->si->hint & HINT_BYPASS_L1) && !s->v.bypass.unhinted;
}

static uint32_t line_access(struct pass *s, const struct warp_inst *w, uint64_t line, uint32_t mask,
                            uint32_t whole)
{
    bool bypass = hinted_round(s, w);
    if (w->si->cls == OP_LOAD) {
        if (s->predictor && !bypass) return load_predicted(s, w->si, line, mask);
        return load_line(s, line, mask, bypass);
    }
    if (w->si->cls == OP_STORE) {
        if (s->predictor) predictor_store(s->predictor, line);
        store_line(s, line, mask, whole, bypass, w->si->space == SPACE_LOCAL);
        return 0;
    }
    s->t.sums.atomics += __builtin_popcount(mask);
    note_store(s, line, mask);
    if (s->keeper) keeper_round(s->keeper, line, mask);
    emit(s, line, mask, STREAM_ATOMIC);
    s->missed = true;
    fetch(s, line, (uint32_t)__builtin_popcount(mask), in_l2(s, line, REUSE_FAR));
    return REUSE_FAR;
}

static bool bytes_touched(const struct txn *t, uint32_t from, uint32_t n)
{
    for (uint32_t i = from; i < from + n; i++)
        if (t->mask[i / 64] >> i % 64 & 1) return true;
    return false;
}

static bool bytes_whole(const struct txn *t, uint32_t from, uint32_t n)
{
    for (uint32_t i = from; i < from + n; i++)
        if (!(t->mask[i / 64] >> i % 64 & 1)) return false;
    return true;
}

/* The sectors of its line that a transaction touches, and those that it touches wholly. */
static uint32_t txn_sectors(const struct profile_view *v, const struct txn *t, uint32_t *whole)
{
    uint32_t first = (uint32_t)(t->addr % v->l1_line) / v->l1_sector;
    *whole = 0;
    if (v->coalesce_bytes <= v->l1_sector) {
        if (v->coalesce_bytes == v->l1_sector && bytes_whole(t, 0, v->l1_sector))
            *whole = 1u << first;
        return 1u << first;
    }
    uint32_t mask = 0;
    for (uint32_t b = 0; b < v->coalesce_bytes && b < v->l1_line; b += v->l1_sector) {
        uint32_t bit = 1u << (first + b / v->l1_sector);
        if (bytes_touched(t, b, v->l1_sector)) mask |= bit;
        if (bytes_whole(t, b, v->l1_sector)) *whole |= bit;
    }
    return mask;
}

static uint32_t lanes_of(const struct profile_view *v, uint8_t cls)
{
    return cls == OP_LOAD ? v->load_lanes : cls == OP_STORE ? v->store_lanes : v->atomic_lanes;
}

/* All transactions of an instruction; neighbours in one line go together.  Returns the farthest
 * sector. */
static uint32_t access(struct pass *s, const struct warp_inst *w)
{
    struct coalesce_params cp = {.lanes = lanes_of(&s->v, w->si->cls),
                                 .bytes = s->v.coalesce_bytes,
                                 .apart = w->si->cls == OP_ATOMIC && s->v.atomics_apart};
    uint32_t n = coalesce(&cp, w, s->txn), mask = 0, whole = 0, far = 0, again = 0;
    uint64_t line = 0;
    /* finer than sectors, and an L1 that brings them together */
    bool pieces = w->si->cls == OP_LOAD && s->v.coalesce_bytes < s->v.l1_sector &&
                  s->v.l1_class_bytes && !hinted_round(s, w);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t more_whole, more = txn_sectors(&s->v, &s->txn[i], &more_whole);
        uint64_t at = s->txn[i].addr / s->v.l1_line;
        if (pieces && mask && at == line && (more & mask) == more) {
            again += (uint32_t)__builtin_popcount(more);
            continue;
        }
        if (mask && (at != line || (more & mask))) {
            uint32_t f = line_access(s, w, line, mask, whole);
            far = f > far ? f : far;
            mask = whole = 0;
        }
        line = at;
        mask |= more;
        whole |= more_whole;
    }
    uint32_t f = mask ? line_access(s, w, line, mask, whole) : 0;
    s->t.sums.loads += again;
    chain_again(&s->l1, again);
    if (s->keeper && s->keeper->failed) s->l1.failed = true;
    return f > far ? f : far;
}

/* What stands before the pipes; a queue before the L1 takes what they cannot, and its accesses go
 * on in order, whatever they hit. */
static void wait_for_pipes(struct pass *s, struct pass_warp *w)
{
    uint64_t places = (uint64_t)PASS_DEPTH + s->v.l1_queue, wait = 0;
    uint64_t depth = places * s->v.l1_sector / PASS_BYTES;
    for (uint32_t i = 0; i < PASS_PIPES; i++)
        if (s->pipe[i] > s->busy) wait += (s->pipe[i] - s->busy) / PASS_PIPES;
    s->behind = s->v.l1_queue ? (wait < depth ? wait : depth) : 0;
    s->queue.pressed = wait > depth;
    if (wait <= depth) return;
    w->time += wait - depth;
    s->busy += wait - depth;
}

/* The L1 takes what hits, too, one after the other. */
static void take_ports(struct pass *s, double sectors)
{
    s->port += sectors * s->v.l1_sector / PASS_L1_BYTES;
    uint64_t whole = (uint64_t)s->port;
    s->port -= (double)whole;
    s->busy += whole;
}

/* Queues at banks differ: the longer the way, the farther apart two loads come back; but for one
 * queue, in order. */
static uint64_t scatter(const struct pass *s)
{
    uint64_t way = s->latest > s->busy && !s->v.l1_queue ? s->latest - s->busy : 0;
    return rng_splitmix64(s->l1.now + s->sm) % (PASS_SCATTER * way + PASS_LEAST);
}

/* An instruction's data are there when the last are: until then who comes for a void fetch waits.
 */
static void fetched_until(struct pass *s, uint64_t ready)
{
    for (uint32_t i = 0; i < s->n_fetched; i++) {
        struct pass_flight *f = flight_of(s, s->fetched[i]);
        if (f->line == s->fetched[i]) f->back = ready;
    }
}

void pass_memory(struct pass *s, struct pass_warp *w, const struct warp_inst *in)
{
    struct launch_profile *sum = &s->t.sums;
    double loads = sum->loads + sum->atomics, stores = sum->stores;
    wait_for_pipes(s, w);
    s->acting = (uint32_t)(w - s->warp);
    if (s->govern) govern_asked(s->govern, s->acting);
    s->latest = s->back = s->busy;
    s->met = 0;
    s->n_fetched = 0;
    s->missed = false;
    uint32_t far = access(s, in);
    loads = sum->loads + sum->atomics - loads;
    take_ports(s, loads + sum->stores - stores);
    if (in->si->cls == OP_STORE) {
        sum->store_instructions++;
        w->stored = true;
        return;
    }
    if (in->si->cls == OP_LOAD)
        sum->load_instructions++;
    else
        sum->atomic_instructions++;
    sum->load_miss_instructions += s->missed;
    w->since_wait += (uint32_t)loads;
    w->farthest = far > w->farthest ? far : w->farthest;
    w->missing |= s->missed;
    if (in->si->cls == OP_ATOMIC && in->si->dst == REG_NONE) return;
    uint64_t ready = w->time + s->behind + PASS_HIT;
    if (s->met > ready) ready = s->met;
    if (s->missed) ready = s->back + scatter(s);
    fetched_until(s, ready);
    depend_load(&w->depend, in->si, ready);
}
