/* observer_lines.c - what an access to a line does: it meets the L1, and what misses goes through a
 * pipe. See reuse_observer.h. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "estimator/constants.h"
#include "estimator/reuse/reuse_observer.h"

#include <string.h>

static struct stream_op *emit(struct reuse_observer *s, uint64_t line, uint32_t mask,
                              enum stream_kind kind)
{
    if (s->out.n == s->out.cap &&
        !mem_grow(&s->out.op, &s->out.cap, s->out.n + 1, sizeof *s->out.op)) {
        s->l1.failed = true;
        return NULL;
    }
    struct stream_op *op = &s->out.op[s->out.n++];
    *op = (struct stream_op){.addr = line * s->v->l1_line,
                             .time = s->busy,
                             .kind = (unsigned)kind & 3u,
                             .mask = (uint8_t)mask,
                             .l1 = REUSE_FAR,
                             .code = (uint16_t)s->code};
    if (s->page_reuse.on)
        op->far_page = page_reuse_is_far(
            &s->page_reuse, followed_lines_has(s->followed, profile_l2_line(s->v, op->addr)));
    op->pass = op->pass_twice = (uint8_t)mask;
    return op;
}

/* The SM's share of the ways to the L2 and to memory: what misses goes through one of a few pipes
 * by its address, as it would through channels; rate: bytes per cycle of what goes that far. */
static uint64_t through_pipe(struct reuse_observer *s, uint64_t line, uint32_t sectors,
                             uint32_t rate)
{
    uint64_t *pipe = &s->pipe[line * s->v->l1_line / PASS_CHUNK % PASS_PIPES];
    uint64_t work = (uint64_t)sectors * s->v->l1_sector * PASS_PIPES / rate;
    *pipe = (*pipe > s->now ? *pipe : s->now) + work;
    uint64_t out = *pipe > s->busy + work ? *pipe : s->busy + work;
    if (out > s->latest) s->latest = out;
    return out;
}

/* Of lines that the profile follows, the L2 knows; what this SM has fetched since the L2 was last
 * brought up to date is there, too. Others are there as often as the instruction's last ones,
 * those new to this SM apart. */
static bool in_l2(struct reuse_observer *s, uint64_t line, uint32_t far)
{
    uint64_t addr = line * s->v->l1_line;
    bool framed = !s->pages || page_table_find(s->pages, addr, &addr), known = false;
    uint64_t l2_line = profile_l2_line(s->v, addr);
    bool has = framed && s->l2 && chain_has(s->l2, l2_line, &known);
    struct l2_share *share = &s->l2_share[s->code % L2_SHARES][far == REUSE_FAR];
    if (!known && !followed_lines_has(s->followed, l2_line))
        return (double)(rng_splitmix64(s->l1.now + s->sm) >> 11) < share->mean * 0x1p53;
    has = known ? has : far != REUSE_FAR;
    if (share->n < L2_SHARE_LENGTH) share->n++;
    share->mean += (has - share->mean) / share->n;
    return has;
}

/* Sectors that miss: says when they are back. */
static uint64_t fetch(struct reuse_observer *s, uint64_t line, uint32_t sectors, bool near)
{
    uint64_t out = through_pipe(s, line, sectors, near ? PASS_NEAR_BYTES : PASS_BYTES);
    uint64_t back = out + (near ? s->v->l2_way : s->v->memory_way);
    if (back > s->back) s->back = back;
    return back;
}

void reuse_observer_see_arrivals(struct reuse_observer *s)
{
    uint64_t line;
    while (fetch_arrivals_take(&s->arrivals, s->busy, &line))
        chain_stay(&s->l1, line);
}

/* All that comes to the L1 waits behind the present access until then. */
static void hold_head(struct reuse_observer *s, uint64_t until)
{
    s->busy = until;
    if (s->door < (double)until) s->door = (double)until;
}

/* The place of a line that is to be fetched.  If all of its set are to come, the access waits at
 * the head of the L1 for the first of them, and takes its place at once. */
static struct fetch_arrival *reserve_line(struct reuse_observer *s, uint64_t line)
{
    struct line_place at = line_place(&s->l1.p.reuse.at, line);
    uint32_t set = line_set(&s->l1.p.reuse.at, &at, s->v->l1_sets), ways = s->v->l1_ways;
    struct fetch_arrival *place = s->reserved + (size_t)set * ways, *first = place;
    for (uint32_t w = 1; w < ways; w++)
        if (place[w].time < first->time) first = &place[w];
    if (first->time > s->busy) {
        hold_head(s, first->time);
        chain_forget(&s->l1, first->line, UINT32_MAX >> (32 - s->l1.p.sectors));
    }
    return first;
}

static struct pass_flight *flight_of(struct reuse_observer *s, uint64_t line)
{
    struct pass_flight *f = &s->flight[rng_splitmix64(line) % PASS_FLIGHTS];
    if (f->launch != s->launches) *f = (struct pass_flight){.launch = s->launches};
    return f;
}

static bool under_way(const struct reuse_observer *s, const struct pass_flight *f, uint64_t line,
                      uint32_t mask)
{
    return f->line == line && (f->mask & mask) && f->back > s->busy;
}

static bool is_coming(const struct reuse_observer *s, const struct pass_flight *f, uint64_t line)
{
    return f->line == line && f->back > s->busy;
}

static double left_of(const struct reuse_observer *s, const struct pass_flight *f)
{
    return (double)(f->back - s->busy) / (double)(f->back - f->began);
}

/* A load that meets a fetch from before an acquire or a store must not use its data. It waits at
 * the head of the L1, with all accesses behind it, until that fetch is back, and then fetches anew.
 */
static void wait_for_stale_fetch(struct reuse_observer *s, const struct pass_flight *f,
                                 uint64_t line, uint32_t mask)
{
    if (!under_way(s, f, line, mask) || (f->acquires == s->acquires && !f->passed)) return;
    s->t.sums.voided++;
    s->t.sums.voided_left += left_of(s, f);
    hold_head(s, f->back);
}

/* A line of another warp that is still to come, or that an acquire has made come once more. */
static void note_wanted(struct reuse_observer *s, struct pass_flight *f, uint64_t line,
                        uint32_t mask)
{
    if (f->line != line || !f->mask || f->warp == s->acting) return;
    if (f->acquires == s->acquires && !under_way(s, f, line, mask)) return;
    s->t.sums.wanted++;
    if (++f->wanted > s->t.sums.wanted_most) s->t.sums.wanted_most = f->wanted;
}

static void note_store(struct reuse_observer *s, uint64_t line, uint32_t mask)
{
    struct pass_flight *f = flight_of(s, line);
    if (f->line == line && (f->mask & mask)) f->passed = true;
}

static void note_fetch(struct reuse_observer *s, struct pass_flight *f, uint64_t line,
                       uint32_t mask, uint64_t back)
{
    bool more = f->line == line && f->back > s->busy && f->acquires == s->acquires && !f->passed;
    *f = (struct pass_flight){.line = line,
                              .began = s->busy,
                              .back = back,
                              .launch = s->launches,
                              .acquires = s->acquires,
                              .warp = s->acting,
                              .wanted = f->line == line ? f->wanted : 0,
                              .waiters = 1,
                              .mask = (uint8_t)(more ? f->mask | mask : mask)};
}

/* With fewer waiters allowed this one would hold the L1's head until the data are back, and with
 * them all that the same instruction fetched. */
static void note_join(struct reuse_observer *s, struct pass_flight *f, uint64_t line, uint32_t mask)
{
    if (!under_way(s, f, line, mask)) return;
    s->t.sums.joined++;
    if (++f->waiters >= PROFILE_JOINS) return;
    uint64_t *held = &s->held[f->waiters];
    if (*held == f->began + 1) return;
    s->t.sums.joins[f->waiters]++;
    s->t.sums.joins_left[f->waiters] += left_of(s, f);
    *held = f->began + 1;
}

/* The policies see a line at a time, and what it pushes out of an L1 of the machine's capacity. */
static void tell(struct reuse_observer *s, uint64_t line, bool load, bool miss)
{
    uint64_t left;
    uint32_t at;
    if (!s->admission) return;
    struct admission *policies = &s->admission->policies;
    const struct throttle_access a = {s->name, line, load, miss};
    admission_access(policies, &a, s->admission->issued, s->busy);
    if (load && s->lines.lines && lru_lines_touch(&s->lines, line, &at, &left, &s->l1.failed))
        admission_left(policies, left);
    if (policies->throttle.no_memory) s->l1.failed = true;
}

/* What has gathered of a line goes down ahead of a load that wants it; a write cache has no other
 * copy to serve it from. */
static void note_loaded(struct reuse_observer *s, uint64_t line, uint32_t mask)
{
    if (s->v->stores_leave)
        l1_store_lines_bypass(s->store_lines, line, mask);
    else
        l1_store_lines_load(s->store_lines, line, mask);
}

/* One line of a load: returns the farthest value. */
static uint32_t load_line(struct reuse_observer *s, uint64_t line, uint32_t mask, bool bypass)
{
    uint32_t value[CHAIN_SECTORS], far = 0, n = sector_reuse_count(mask);
    struct pass_flight *f = flight_of(s, line);
    s->t.sums.loads += n;
    if (!bypass && s->acquires) note_wanted(s, f, line, mask);
    if (!bypass) wait_for_stale_fetch(s, f, line, mask);
    struct stream_op *op = emit(s, line, mask, STREAM_READ);
    if (op) op->bypass = bypass;
    if (bypass || !op) {
        s->t.sums.bypasses += n;
        s->missed = true;
        if (s->store_lines) l1_store_lines_bypass(s->store_lines, line, mask);
        fetch(s, line, n, in_l2(s, line, REUSE_FAR));
        return REUSE_FAR;
    }
    if (is_coming(s, f, line)) chain_stay(&s->l1, line);
    chain_read(&s->l1, line, mask, value);
    if (s->store_lines) note_loaded(s, line, mask);
    uint32_t twice = 2 * s->v->l1_class_bytes / s->v->l1_line;
    for (uint32_t i = 0; i < s->l1.p.sectors; i++) {
        if (!(mask >> i & 1)) continue;
        if (value[i] > far) far = value[i];
        if (value[i] < twice) op->pass_twice &= (uint8_t) ~(1u << i);
    }
    op->pass &= (uint8_t)s->l1.missed;
    op->pass_twice &= op->pass;
    if (s->l1.last >= s->fetch_cap &&
        !mem_grow(&s->fetch, &s->fetch_cap, (size_t)s->l1.last + 1, sizeof *s->fetch)) {
        s->l1.failed = true;
        return far;
    }
    struct line_fetch *last = &s->fetch[s->l1.last];
    bool miss = s->l1.missed != 0;
    s->missed |= miss;
    tell(s, line, true, miss);
    if (miss) {
        struct fetch_arrival *place = s->reserved ? reserve_line(s, line) : NULL;
        op->time = s->busy;
        last->back = fetch(s, line, n, in_l2(s, line, far));
        last->warp = s->acting;
        last->waited_for = s->warp[s->acting].waited_for;
        if (place) *place = (struct fetch_arrival){last->back, line};
        note_fetch(s, f, line, mask, last->back);
        s->fetched[s->n_fetched++] = line;
    } else {
        if (last->back > s->met) s->met = last->back;
        note_join(s, f, line, mask);
    }
    op->l1 = far;
    return far;
}

static void store_line(struct reuse_observer *s, uint64_t line, uint32_t mask, uint32_t parts,
                       enum l1_way way)
{
    uint32_t whole = mask & sector_reuse_whole(parts);
    uint32_t value[CHAIN_SECTORS];
    bool round = way == L1_ROUND;
    s->t.sums.stores += sector_reuse_count(mask);
    struct stream_op *op = emit(s, line, mask, STREAM_WRITE);
    if (op) {
        op->parts = parts;
        op->bypass = round;
    }
    through_pipe(s, line, sector_reuse_count(mask), PASS_BYTES);
    if (s->v->l1_write_miss == WRITE_MISS_NO_ALLOCATE || round) note_store(s, line, mask);
    reuse_observer_note_stored(s, line);
    if (s->store_lines && round) l1_store_lines_store_bypass(s->store_lines, line, mask);
    if (s->store_lines && !round) l1_store_lines_store(s->store_lines, line, mask, way);
    bool leaves = way == L1_EVICT || s->v->stores_leave;
    uint32_t gone = leaves ? mask : s->v->l1_parts_leave ? mask & ~whole : 0;
    if (round) {
        if (s->v->l1_parts_leave) chain_forget(&s->l1, line, mask);
        return;
    }
    chain_write(&s->l1, line, mask, parts, value);
    if (s->v->l1_parts_leave) chain_install(&s->l1, line, mask & whole);
    if (gone) chain_forget(&s->l1, line, gone);
    tell(s, line, false, s->l1.missed != 0);
}

/* A load without a hint, where a predictor may send a part of it round the L1. */
static uint32_t load_predicted(struct reuse_observer *s, const struct static_inst *si,
                               uint64_t line, uint32_t mask)
{
    uint32_t round = bypass_predictor_load(s->predictor, si->pc, line, mask), far = 0;
    if (mask & ~round) far = load_line(s, line, mask & ~round, false);
    if (s->predictor->failed) s->l1.failed = true;
    return round ? load_line(s, line, round, true) : far;
}

/* Cycles of work before the pipes, in the mean, at a time. */
static uint64_t backlog(const struct reuse_observer *s, uint64_t time)
{
    uint64_t wait = 0;
    for (uint32_t i = 0; i < PASS_PIPES; i++)
        if (s->pipe[i] > time) wait += (s->pipe[i] - time) / PASS_PIPES;
    return wait;
}

/* Warps of a quantum come in any order: the L1's clock stands until the time of the access is
 * reached. */
static void tick(struct reuse_observer *s)
{
    uint32_t at = s->l1_began + (uint32_t)s->busy;
    if ((int32_t)(at - s->l1.clock) > 0) s->l1.clock = at;
}

/* The L1 looks up one line per cycle, in order, whether it hits or not. The next line waits until
 * the pipes have a place. */
static void take_port(struct reuse_observer *s)
{
    const uint64_t room = (uint64_t)PASS_DEPTH * s->v->l1_sector / PASS_BYTES;
    if (s->door < (double)s->now) s->door = (double)s->now;
    uint64_t door = (uint64_t)s->door, wait = backlog(s, door);
    if (wait > room) s->door += (double)(wait - room);
    if (s->door > (double)s->busy) s->busy = (uint64_t)s->door;
    s->door++;
    tick(s);
}

static uint32_t atomic_line(struct reuse_observer *s, uint64_t line, uint32_t mask)
{
    s->t.sums.atomics += sector_reuse_count(mask);
    note_store(s, line, mask);
    if (s->store_lines) l1_store_lines_bypass(s->store_lines, line, mask);
    if (s->v->stores_leave) chain_forget(&s->l1, line, mask);
    emit(s, line, mask, STREAM_ATOMIC);
    s->missed = true;
    fetch(s, line, sector_reuse_count(mask), in_l2(s, line, REUSE_FAR));
    return REUSE_FAR;
}

static uint32_t line_of(struct reuse_observer *s, const struct warp_inst *w, uint64_t line,
                        uint32_t mask, uint32_t parts)
{
    const struct static_inst *si = w->si;
    enum access_kind kind = si->cls == OP_LOAD    ? ACCESS_READ
                            : si->cls == OP_STORE ? ACCESS_WRITE
                                                  : ACCESS_ATOMIC;
    enum l1_way way = l1_way(&s->ways, kind, si->hint & HINT_BYPASS_L1, si->space == SPACE_LOCAL);
    take_port(s);
    if (kind == ACCESS_ATOMIC) return atomic_line(s, line, mask);
    if (way == L1_PREDICTED) return load_predicted(s, si, line, mask);
    if (kind == ACCESS_READ) return load_line(s, line, mask, way == L1_ROUND);
    if (s->predictor) bypass_predictor_store(s->predictor, line);
    store_line(s, line, mask, parts, way);
    return 0;
}

uint32_t reuse_observer_line(struct reuse_observer *s, const struct warp_inst *w, uint64_t line,
                             uint32_t mask, uint32_t parts)
{
    uint32_t far = line_of(s, w, line, mask, parts);
    if (!s->taken) return far;
    s->taken[s->oldest] = s->door;
    s->oldest = s->oldest + 1 == s->v->l1_queue ? 0 : s->oldest + 1;
    return far;
}

/* An instruction's data are there when the last are: until then who comes for a void fetch waits.
 */
void reuse_observer_fetched_until(struct reuse_observer *s, uint64_t ready)
{
    for (uint32_t i = 0; i < s->n_fetched; i++) {
        struct pass_flight *f = flight_of(s, s->fetched[i]);
        if (f->line == s->fetched[i]) f->back = ready;
        if (!fetch_arrivals_add(&s->arrivals, ready, s->fetched[i])) s->l1.failed = true;
    }
}
