/* pass.c - see pass.h. */
#include "estimator/pass.h"

#include "base/mem.h"
#include "base/rng.h"
#include "estimator/depend.h"
#include "estimator/warp_queue.h"

#include <assert.h>
#include <string.h>

struct pass_warp {
    struct cursor cursor;
    struct warp_inst held; /* read but not yet issued */
    bool has_held;
    uint32_t slot;
    uint64_t time, began;
    struct depend depend;
    uint32_t since_wait; /* load transactions since the last wait */
    uint32_t farthest;   /* of them */
    bool stored;         /* a store since then */
    uint64_t alone;      /* cycles so far if it were the only one */
    uint32_t instructions, waits, missed;
};

struct pass_slot { /* a resident CTA */
    uint64_t cta;
    uint32_t live, at_barrier;
    double longest, sum;
};

struct pass {
    struct profile_view v;
    const struct program *program;
    const struct launch *l;
    uint32_t sm, launch, slots;
    struct reader *reader;
    struct chain l1;
    struct stream out;
    struct pass_warp *warp;
    struct pass_slot *slot;
    struct depend_reg *regs;
    size_t warp_cap, slot_cap, reg_cap;
    struct warp_queue queue;
    uint64_t next_cta, busy;
    uint64_t pipe[PASS_PIPES]; /* when each is free */
    size_t due_cap;
    uint64_t *due;               /* [L1 line id]: when its last fetch is back */
    uint64_t met;                /* latest of those that the present instruction met */
    uint64_t latest;             /* of the present instruction's sectors, out of their pipes */
    uint64_t started;            /* warps */
    uint32_t bound[PROFILE_L1S]; /* lines of each variant */
    struct pass_tallies t;
    struct txn txn[COALESCE_MAX];
};

static void l1_params_of(const struct profile_view *v, struct chain_params *p)
{
    uint32_t largest = profile_l1_bytes[PROFILE_L1S - 1];
    *p = (struct chain_params){
        .sectors = v->l1_line / v->l1_sector,
        .write_miss = v->l1_write_miss,
        .nominal_lines = PROFILE_L1_NOMINAL_BYTES / v->l1_line,
        .reuse = {.lines = 2 * largest / v->l1_line},
    };
    for (uint32_t o = 0; v->l1_modulo && o < REUSE_ORGS; o++)
        p->reuse.org[p->reuse.n_orgs++] = profile_l1_orgs[o];
}

struct pass *pass_new(const struct profile_view *v, const struct program *p, uint32_t sm,
                      struct error *e)
{
    struct pass *s = mem_new(1, sizeof *s);
    if (!s) {
        error_no_memory(e);
        return NULL;
    }
    s->v = *v;
    s->program = p;
    s->sm = sm;
    struct chain_params cp;
    l1_params_of(v, &cp);
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        s->bound[i] = profile_l1_bytes[i] / v->l1_line;
    s->reader = reader_new(p, e);
    if (s->reader && chain_init(&s->l1, &cp)) return s;
    if (s->reader) error_no_memory(e);
    pass_free(s);
    return NULL;
}

static void release_warps(struct pass *s)
{
    for (size_t i = 0; i < s->warp_cap; i++)
        if (s->warp[i].cursor.reader) cursor_release(&s->warp[i].cursor);
}

void pass_free(struct pass *s)
{
    if (!s) return;
    release_warps(s);
    chain_fini(&s->l1);
    mem_free(s->due);
    reader_free(s->reader);
    mem_free(s->warp);
    mem_free(s->slot);
    mem_free(s->regs);
    warp_queue_fini(&s->queue);
    mem_free(s->out.op);
    mem_free(s);
}

/* --- CTAs --- */

static bool cta_start(struct pass *s, uint32_t slot, uint64_t time, struct error *e)
{
    uint32_t wpc = s->l->warps_per_cta;
    s->slot[slot] = (struct pass_slot){.cta = s->next_cta, .live = wpc};
    for (uint32_t i = 0; i < wpc; i++) {
        struct pass_warp *w = &s->warp[slot * wpc + i];
        if (!cursor_seek(&w->cursor, s->reader, s->launch, s->next_cta, i, 0, e)) return false;
        depend_start(&w->depend);
        w->slot = slot;
        w->time = w->began = time;
        w->has_held = false;
        w->since_wait = w->farthest = 0;
        w->stored = false;
        w->alone = w->instructions = w->waits = w->missed = 0;
        s->queue.age[slot * wpc + i] = ++s->started;
        warp_queue_add(&s->queue, slot * wpc + i, time);
    }
    s->next_cta += s->v.sms;
    return true;
}

static bool grow(struct pass *s, uint32_t warps, uint32_t regs, struct error *e)
{
    release_warps(s);
    bool ok = mem_grow(&s->warp, &s->warp_cap, warps, sizeof *s->warp) &&
              mem_grow(&s->slot, &s->slot_cap, s->slots, sizeof *s->slot) &&
              warp_queue_start(&s->queue, s->v.scheduler, warps) &&
              mem_grow(&s->regs, &s->reg_cap, (size_t)warps * regs + 1, sizeof *s->regs);
    if (!ok) return error_no_memory(e);
    for (uint32_t i = 0; i < warps; i++)
        s->warp[i].depend = (struct depend){.reg = s->regs + (size_t)i * regs, .n = regs};
    return true;
}

bool pass_launch(struct pass *s, uint32_t launch, uint32_t ctas, struct error *e)
{
    s->launch = launch;
    s->l = program_launch(s->program, launch);
    uint64_t mine = s->l->ctas > s->sm ? (s->l->ctas - s->sm + s->v.sms - 1) / s->v.sms : 0;
    s->slots = mine < ctas ? (uint32_t)mine : ctas;
    s->next_cta = s->sm;
    s->busy = s->started = 0;
    memset(s->pipe, 0, sizeof s->pipe);
    if (s->due) memset(s->due, 0, s->due_cap * sizeof *s->due); /* times begin anew */
    s->t = (struct pass_tallies){0};
    s->out.n = 0;
    if (s->v.l1_flush) chain_flush(&s->l1);
    chain_reset_tallies(&s->l1);
    s->l1.now = 0;
    if (!grow(s, s->slots * s->l->warps_per_cta, s->l->n_registers, e)) return false;
    for (uint32_t i = 0; i < s->slots; i++)
        if (!cta_start(s, i, 0, e)) return false;
    return true;
}

/* --- memory instructions --- */

static struct stream_op *emit(struct pass *s, uint64_t line, uint32_t mask, enum stream_kind kind)
{
    if (!mem_grow(&s->out.op, &s->out.cap, s->out.n + 1, sizeof *s->out.op)) {
        s->l1.failed = true;
        return NULL;
    }
    struct stream_op *op = &s->out.op[s->out.n++];
    *op = (struct stream_op){.addr = line * s->v.l1_line,
                             .time = (uint32_t)s->busy,
                             .kind = (uint8_t)kind,
                             .mask = (uint8_t)mask,
                             .l1 = REUSE_FAR};
    for (uint32_t v = 0; v < PROFILE_L1S; v++)
        op->pass[v] = (uint8_t)mask;
    return op;
}

/* The SM's share of memory bandwidth: what misses goes through one of a few pipes by its address,
 * as it would through channels. */
static void through_pipe(struct pass *s, uint64_t line, uint32_t sectors)
{
    uint64_t *pipe = &s->pipe[line * s->v.l1_line / PASS_CHUNK % PASS_PIPES];
    if (*pipe < s->busy) *pipe = s->busy;
    *pipe += (uint64_t)sectors * s->v.l1_sector * PASS_PIPES / PASS_BYTES;
    if (*pipe > s->latest) s->latest = *pipe;
}

/* One line of a load: returns the farthest value. */
static uint32_t load_line(struct pass *s, uint64_t line, uint32_t mask, bool bypass)
{
    uint32_t value[CHAIN_SECTORS], far = 0, n = (uint32_t)__builtin_popcount(mask);
    s->t.sums.loads += n;
    struct stream_op *op = emit(s, line, mask, STREAM_READ);
    if (bypass || !op) {
        s->t.sums.bypasses += n;
        through_pipe(s, line, n);
        return REUSE_FAR;
    }
    chain_read(&s->l1, line, mask, value);
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
    if (far >= s->l1.p.nominal_lines) {
        through_pipe(s, line, n);
        *due = s->latest + PASS_MISS;
    } else if (*due > s->met) {
        s->met = *due;
    }
    op->l1 = far;
    return far;
}

static void store_line(struct pass *s, uint64_t line, uint32_t mask, uint32_t whole, bool bypass)
{
    uint32_t value[CHAIN_SECTORS];
    s->t.sums.stores += __builtin_popcount(mask);
    struct stream_op *op = emit(s, line, mask, STREAM_WRITE);
    if (op) op->whole = (uint8_t)whole;
    through_pipe(s, line, (uint32_t)__builtin_popcount(mask));
    if (!bypass) chain_write(&s->l1, line, mask, whole, value);
}

static uint32_t line_access(struct pass *s, const struct warp_inst *w, uint64_t line, uint32_t mask,
                            uint32_t whole)
{
    bool bypass = (w->si->hint & HINT_BYPASS_L1) != 0;
    if (w->si->cls == OP_LOAD) return load_line(s, line, mask, bypass);
    if (w->si->cls == OP_STORE) {
        store_line(s, line, mask, whole, bypass);
        return 0;
    }
    s->t.sums.atomics += __builtin_popcount(mask);
    emit(s, line, mask, STREAM_ATOMIC);
    through_pipe(s, line, (uint32_t)__builtin_popcount(mask));
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
    struct coalesce_params cp = {lanes_of(&s->v, w->si->cls), s->v.coalesce_bytes};
    uint32_t n = coalesce(&cp, w, s->txn), mask = 0, whole = 0, far = 0;
    uint64_t line = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t more_whole, more = txn_sectors(&s->v, &s->txn[i], &more_whole);
        uint64_t at = s->txn[i].addr / s->v.l1_line;
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
    return f > far ? f : far;
}

static void wait_for_pipes(struct pass *s, struct pass_warp *w)
{
    uint64_t depth = (uint64_t)PASS_DEPTH * s->v.l1_sector / PASS_BYTES, wait = 0;
    for (uint32_t i = 0; i < PASS_PIPES; i++)
        if (s->pipe[i] > s->busy) wait += (s->pipe[i] - s->busy) / PASS_PIPES;
    if (wait <= depth) return;
    w->time += wait - depth;
    s->busy += wait - depth;
}

/* Queues at banks differ: the longer the way, the farther apart two loads come back. */
static uint64_t scatter(const struct pass *s)
{
    uint64_t way = s->latest > s->busy ? s->latest - s->busy : 0;
    return splitmix64(s->l1.now + s->sm) % (PASS_SCATTER * way + PASS_LEAST);
}

static void memory(struct pass *s, struct pass_warp *w, const struct warp_inst *in)
{
    struct launch_profile *sum = &s->t.sums;
    double loads = sum->loads + sum->atomics;
    wait_for_pipes(s, w);
    s->latest = s->busy;
    s->met = 0;
    uint32_t far = access(s, in);
    loads = sum->loads + sum->atomics - loads;
    if (in->si->cls == OP_STORE) {
        sum->store_instructions++;
        w->stored = true;
        return;
    }
    bool miss = far >= s->l1.p.nominal_lines;
    if (in->si->cls == OP_LOAD)
        sum->load_instructions++;
    else
        sum->atomic_instructions++;
    sum->load_miss_instructions += miss;
    w->since_wait += (uint32_t)loads;
    w->farthest = far > w->farthest ? far : w->farthest;
    if (in->si->cls == OP_ATOMIC && in->si->dst == REG_NONE) return;
    uint64_t ready = w->time + PASS_HIT;
    if (s->met > ready) ready = s->met;
    if (miss) ready = s->latest + PASS_MISS + scatter(s);
    depend_load(&w->depend, in->si, ready);
}

/* --- one warp's turn --- */

enum turn { TURN_YIELD, TURN_BARRIER, TURN_END, TURN_FAILED };

static void count(struct pass *s, const struct warp_inst *in, const struct depend *d)
{
    struct launch_profile *p = &s->t.sums;
    uint8_t cls = OP_INT;
    p->cls[in->si->cls]++;
    p->lane_operations += __builtin_popcountll(in->mask);
    p->masked_operations += s->v.warp_width;
    if (in->si->cls == OP_SHARED_LOAD || in->si->cls == OP_SHARED_STORE)
        p->shared_cycles += shared_conflict_cycles(in, 32);
    uint32_t ago = depend_distance(d, in->si, &cls);
    if (ago && ago < PROFILE_DEP) p->dep[cls][ago]++;
}

static void count_wait(struct pass *s, struct pass_warp *w, const struct depend_wait *wait)
{
    if (wait->waits) {
        static const uint8_t far[REUSE_ORGS] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
        s->t.sums.waits++;
        s->t.sums.overlap += wait->overlap;
        s->t.sums.waited_loads += w->since_wait;
        w->waits++;
        bool missed = w->farthest >= s->l1.p.nominal_lines;
        w->missed += missed;
        s->t.missed += missed;
        w->alone += missed ? PASS_HIT + PASS_MISS : PASS_HIT;
        tally_add(&s->t.wait_far, w->farthest, far, 0);
        w->since_wait = w->farthest = 0;
        w->stored = false;
    }
}

/* Fences wait for all that is outstanding; so do barriers without a scoreboard (Candel 3.5.3). */
static bool drains(const struct pass *s, uint8_t cls)
{
    return cls == OP_FENCE || cls == OP_ACQUIRE || cls == OP_RELEASE ||
           (cls == OP_BARRIER && s->v.wait != WAIT_SCOREBOARD);
}

/* What drains waits for stores, too. */
static void wait_for_stores(struct pass *s, struct pass_warp *w)
{
    if (!w->stored) return;
    s->t.sums.store_waits++;
    w->stored = false;
    w->waits++;
    w->alone += PASS_MISS;
    w->missed++;
    s->t.missed++;
}

static bool must_wait(struct pass *s, struct pass_warp *w, const struct static_inst *si)
{
    struct depend_wait wait =
        drains(s, si->cls) ? depend_drain(&w->depend) : depend_check(&w->depend, si, s->v.wait);
    count_wait(s, w, &wait);
    if (drains(s, si->cls)) wait_for_stores(s, w);
    if (wait.time <= w->time) return false;
    w->time = wait.time;
    return true;
}

/* A warp leaves when its last access has come back. */
static void last_wait(struct pass *s, struct pass_warp *w)
{
    struct depend_wait wait = depend_drain(&w->depend);
    count_wait(s, w, &wait);
    if (!wait.waits) wait_for_stores(s, w);
    if (wait.time > w->time) w->time = wait.time;
}

/* Issues until something makes the warp yield; the SM's issue time moves with it. */
static enum turn turn(struct pass *s, struct pass_warp *w, struct error *e)
{
    uint32_t issued = 0;
    w->time = s->busy;
    for (;;) {
        if (!w->has_held) {
            enum got got = cursor_next(&w->cursor, &w->held, e);
            if (got == GOT_ERROR) return TURN_FAILED;
            if (got == GOT_END) return TURN_END;
        }
        w->has_held = must_wait(s, w, w->held.si);
        if (w->has_held) break;
        count(s, &w->held, &w->depend);
        depend_issue(&w->depend, w->held.si);
        w->time += PASS_STEP;
        w->alone += PASS_STEP;
        w->instructions++;
        issued++;
        if (w->held.si->cls == OP_ACQUIRE) chain_flush(&s->l1);
        if (op_is_global(w->held.si->cls)) {
            memory(s, w, &w->held);
            break;
        }
        if (w->held.si->cls == OP_BARRIER) {
            s->busy += issued / PASS_ISSUE;
            return TURN_BARRIER;
        }
    }
    s->busy += (issued + PASS_ISSUE - 1) / PASS_ISSUE;
    return TURN_YIELD;
}

static void open_barrier(struct pass *s, uint32_t slot)
{
    struct pass_slot *c = &s->slot[slot];
    if (!c->live || c->at_barrier < c->live) return;
    uint32_t wpc = s->l->warps_per_cta;
    for (uint32_t i = slot * wpc; i < (slot + 1) * wpc; i++) {
        if (s->warp[i].slot != slot) continue; /* it has exited */
        s->warp[i].time = s->busy;
        warp_queue_add(&s->queue, i, s->busy);
    }
    c->at_barrier = 0;
}

static void note_longest(struct pass *s, const struct pass_warp *w)
{
    struct pass_tallies *t = &s->t;
    if ((double)w->time > t->end) t->end = (double)w->time;
    if ((double)w->alone <= t->longest) return;
    t->longest = (double)w->alone;
    t->longest_began = (double)w->began;
    t->longest_missed = w->missed;
    t->sums.longest_instructions = w->instructions;
    t->sums.longest_waits = w->waits;
}

static bool end_warp(struct pass *s, struct pass_warp *w, struct error *e)
{
    uint32_t slot = w->slot;
    struct pass_slot *c = &s->slot[slot];
    last_wait(s, w);
    double length = (double)(w->time - w->began + 1);
    note_longest(s, w);
    cursor_release(&w->cursor);
    w->slot = UINT32_MAX;
    c->sum += length;
    if (length > c->longest) c->longest = length;
    if (--c->live) {
        open_barrier(s, slot);
        return true;
    }
    s->t.balance += c->sum / c->longest;
    s->t.balance_n += s->l->warps_per_cta;
    if (s->next_cta >= s->l->ctas) return true;
    return cta_start(s, slot, s->busy, e);
}

bool pass_run(struct pass *s, uint64_t until, bool *done, struct error *e)
{
    while (!warp_queue_empty(&s->queue) && warp_queue_due(&s->queue, s->busy) < until) {
        uint32_t i = warp_queue_take(&s->queue, &s->busy);
        struct pass_warp *w = &s->warp[i];
        switch (turn(s, w, e)) {
        case TURN_YIELD: warp_queue_add(&s->queue, i, w->time); break;
        case TURN_BARRIER:
            s->t.sums.barriers++;
            s->slot[w->slot].at_barrier++;
            open_barrier(s, w->slot);
            break;
        case TURN_END:
            if (!end_warp(s, w, e)) return false;
            break;
        case TURN_FAILED: return false;
        }
        if (s->l1.failed) return error_no_memory(e);
    }
    *done = warp_queue_empty(&s->queue);
    return true;
}

struct stream *pass_stream(struct pass *s)
{
    return &s->out;
}

uint64_t pass_started(const struct pass *s)
{
    return (s->next_cta - s->sm) / s->v.sms;
}

const struct chain *pass_l1(const struct pass *s)
{
    return &s->l1;
}

void pass_add_tallies(const struct pass *s, struct pass_tallies *t)
{
    const struct launch_profile *f = &s->t.sums;
    struct launch_profile *to = &t->sums;
    for (uint32_t c = 0; c < OP_N; c++) {
        to->cls[c] += f->cls[c];
        for (uint32_t k = 0; k < PROFILE_DEP; k++)
            to->dep[c][k] += f->dep[c][k];
    }
    to->lane_operations += f->lane_operations;
    to->masked_operations += f->masked_operations;
    to->barriers += f->barriers;
    to->shared_cycles += f->shared_cycles;
    to->waits += f->waits;
    to->overlap += f->overlap;
    to->load_instructions += f->load_instructions;
    to->store_instructions += f->store_instructions;
    to->atomic_instructions += f->atomic_instructions;
    to->loads += f->loads;
    to->stores += f->stores;
    to->atomics += f->atomics;
    to->bypasses += f->bypasses;
    to->store_waits += f->store_waits;
    to->waited_loads += f->waited_loads;
    to->load_miss_instructions += f->load_miss_instructions;
    if (s->t.longest > t->longest) {
        t->longest = s->t.longest;
        t->longest_began = s->t.longest_began;
        t->longest_missed = s->t.longest_missed;
        to->longest_instructions = f->longest_instructions;
        to->longest_waits = f->longest_waits;
    }
    t->missed += s->t.missed;
    if (s->t.end > t->end) t->end = s->t.end;
    t->balance += s->t.balance;
    t->balance_n += s->t.balance_n;
    tally_merge(&t->wait_far, &s->t.wait_far);
}
