/* channel_replay.c - see channel_replay.h. */
#include "estimator/dram/channel_replay.h"

#include "base/memory/thread_block.h"
#include "estimator/dram/channel_replay_state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* --- a bank's next command -------------------------------------------------------------------- */

static bool is_queued_apart(const struct replay *c, const struct replay_request *r)
{
    return r->write && c->d->write_queue;
}

static uint16_t to_open_row(const struct replay *c, const struct replay_bank *b, uint32_t direction)
{
    uint32_t window = direction == READS ? c->d->per_bank_queue : 0, seen = 0;
    for (uint16_t i = b->q[direction].head; i != NONE && (!window || seen < window); seen++) {
        if (c->r[i].row == b->row) return i;
        i = c->next[i];
    }
    return NONE;
}

/* The request in the bank's queue that its scheduler takes. */
static uint16_t pick_request(const struct replay *c, const struct replay_bank *b,
                             uint32_t direction)
{
    const struct dram_params *d = c->d;
    uint16_t head = b->q[direction].head;
    bool capped = d->hit_cap && b->q[direction].passed >= d->hit_cap;
    if (d->scheduler != DRAM_FR_FCFS || b->row == NO_ROW || capped) return head;
    uint16_t hit = to_open_row(c, b, direction);
    return hit == NONE ? head : hit;
}

/* The oldest request that has entered and not left; c->entered: there is none. */
static uint32_t find_oldest(struct replay *c, uint32_t direction)
{
    uint32_t *i = &c->oldest[direction];
    while (*i < c->entered &&
           (c->gone[*i] || is_queued_apart(c, &c->r[*i]) != (direction == WRITES)))
        ++*i;
    return *i;
}

static struct replay_bank *bank_of(struct replay *c, uint32_t request)
{
    return &c->bank[c->crowded ? c->home[request] : c->r[request].bank];
}

/* In strict order only the bank of the oldest request may issue. */
static bool has_turn(struct replay *c, const struct replay_bank *b, uint32_t direction)
{
    if (c->d->scheduler != DRAM_FCFS_STRICT) return true;
    uint32_t i = find_oldest(c, direction);
    return i < c->entered && bank_of(c, i) == b;
}

static void set_busy(struct replay *c, struct replay_bank *b, bool busy)
{
    if (busy) {
        if (b->place == NONE) b->place = (uint16_t)c->n_busy++;
        c->busy[b->place] =
            (struct wish){.at = b->at[b->next],
                          .late = (uint32_t)(b->next >= NEXT_ROW_CLOSE) << 16 | b->work,
                          .bank = (uint16_t)(b - c->bank),
                          .group = b->group,
                          .rank = b->rank,
                          .next = b->next};
        return;
    }
    if (b->place == NONE) return;
    struct wish last = c->busy[--c->n_busy];
    c->busy[b->place] = last;
    c->bank[last.bank].place = b->place;
    b->place = NONE;
}

static enum next next_command(const struct replay_bank *b, const struct replay_request *r)
{
    if (b->row == NO_ROW) return NEXT_ROW_OPEN;
    return b->row != r->row ? NEXT_ROW_CLOSE : r->write ? NEXT_WRITE : NEXT_READ;
}

static void close_row(struct replay *c, struct replay_bank *b, uint32_t t);

/* A bank that was idle for long enough has closed its row itself. */
static void time_out(struct replay *c, struct replay_bank *b)
{
    uint32_t due = dram_later_of(b->at[NEXT_ROW_CLOSE], b->used + c->d->page_timeout);
    bool timed = c->d->page_policy == PAGE_TIMEOUT && b->place == NONE && b->row < UNKNOWN;
    if (timed && due <= c->now) close_row(c, b, due);
}

/* While writes drain, banks without a write prepare their rows for reads. */
static void choose_command(struct replay *c, struct replay_bank *b)
{
    uint32_t direction = c->direction;
    bool strict = c->d->scheduler == DRAM_FCFS_STRICT;
    bool prepares = direction == WRITES && b->q[WRITES].head == NONE && !strict;
    if (prepares) direction = READS;
    time_out(c, b);
    b->work = NONE;
    if (b->q[direction].head != NONE && has_turn(c, b, direction)) {
        b->work = pick_request(c, b, direction);
        const struct replay_request *r = &c->r[b->work];
        if (b->row == UNKNOWN) b->row = r->row;
        b->next = (uint8_t)next_command(b, r);
        if (prepares && b->next <= NEXT_WRITE) b->work = NONE;
    }
    set_busy(c, b, b->work != NONE);
}

static void turn_to(struct replay *c, uint32_t direction, uint32_t turns)
{
    c->direction = direction;
    c->turn = turns;
    for (uint32_t i = 0; i < c->banks; i++)
        if (c->bank[i].q[READS].head != NONE || c->bank[i].q[WRITES].head != NONE)
            choose_command(c, &c->bank[i]);
}

static void drain_writes(struct replay *c)
{
    uint32_t low = c->d->write_low;
    turn_to(c, WRITES, c->held[WRITES] > low ? c->held[WRITES] - low : 0);
}

/* A drain of writes and the reads that waited for it alternate. */
static void choose_direction(struct replay *c)
{
    if (!c->d->write_queue) return;
    if (c->direction == WRITES) {
        if ((c->held[READS] && !c->turn) || !c->held[WRITES]) turn_to(c, READS, c->held[READS]);
        return;
    }
    bool reads_wait = c->held[READS] && c->turn;
    if (!c->held[READS] ? c->held[WRITES] > 0 : c->held[WRITES] >= c->d->write_high && !reads_wait)
        drain_writes(c);
}

/* --- the queue --- */

static bool has_room(const struct replay *c, bool write)
{
    if (write && c->d->write_queue) return c->held[WRITES] < c->d->write_queue;
    return c->held[READS] < c->depth;
}

/* Whether another request in the bank's queue leaves its next command as it is. */
static bool goes_on(const struct replay *c, const struct replay_bank *b,
                    const struct replay_request *r, uint32_t direction)
{
    if (b->work == NONE || (direction == WRITES && c->direction == WRITES)) return false;
    return b->next <= NEXT_WRITE || b->row != r->row;
}

/* Whether a queued write covers the read, which then gets its data from the write. */
static bool is_forwarded(struct replay *c, uint32_t request)
{
    const struct replay_request *r = &c->r[request];
    if (r->write || !c->d->forward_writes || !c->d->write_queue) return false;
    for (uint16_t i = bank_of(c, request)->q[WRITES].head; i != NONE; i = c->next[i])
        if (c->r[i].row == r->row && c->r[i].column == r->column) return true;
    return false;
}

static void enter_requests(struct replay *c)
{
    while (c->entered < c->n && has_room(c, c->r[c->entered].write)) {
        uint16_t i = (uint16_t)c->entered++;
        const struct replay_request *r = &c->r[i];
        uint32_t direction = is_queued_apart(c, r) ? WRITES : READS;
        c->gone[i] = is_forwarded(c, i);
        c->n_forwarded += c->gone[i];
        if (c->gone[i]) continue;
        struct replay_bank *b = bank_of(c, i);
        struct request_list *q = &b->q[direction];
        c->next[i] = NONE;
        c->prev[i] = q->tail;
        *(q->tail == NONE ? &q->head : &c->next[q->tail]) = i;
        q->tail = i;
        c->held[direction]++;
        if (!goes_on(c, b, r, direction)) choose_command(c, b);
    }
}

static void remove_request(struct replay *c, struct replay_bank *b, uint16_t i)
{
    uint32_t direction = is_queued_apart(c, &c->r[i]) ? WRITES : READS;
    struct request_list *q = &b->q[direction];
    q->passed = c->prev[i] == NONE ? 0 : q->passed + 1;
    c->gone[i] = true;
    *(c->prev[i] == NONE ? &q->head : &c->next[c->prev[i]]) = c->next[i];
    *(c->next[i] == NONE ? &q->tail : &c->prev[c->next[i]]) = c->prev[i];
    c->held[direction]--;
}

/* --- commands --- */

static void delay_until(uint32_t *at, uint32_t t)
{
    if (*at < t) *at = t;
}

static void take_bus(struct replay *c, enum next command)
{
    bool both = !c->d->dual_command, columns = command <= NEXT_WRITE;
    uint32_t free = c->now + (command == NEXT_ROW_OPEN ? c->t.row_command : c->t.command);
    if (columns || both) c->bus.at[NEXT_READ] = c->bus.at[NEXT_WRITE] = free;
    if (!columns || both) c->bus.at[NEXT_ROW_CLOSE] = c->bus.at[NEXT_ROW_OPEN] = free;
}

static void close_row(struct replay *c, struct replay_bank *b, uint32_t t)
{
    b->row = NO_ROW;
    delay_until(&b->at[NEXT_ROW_OPEN], t + c->d->t.tRP);
}

static void open_row(struct replay *c, struct replay_bank *b)
{
    const struct dram_timing *t = &c->d->t;
    uint32_t *ring = c->acts[b->rank], n = c->n_acts[b->rank]++;
    b->row = c->r[b->work].row;
    b->row_is = ROW_FRESH;
    delay_until(&b->at[NEXT_READ], c->now + c->t.act[READS]);
    delay_until(&b->at[NEXT_WRITE], c->now + c->t.act[WRITES]);
    delay_until(&b->at[NEXT_ROW_CLOSE], c->now + t->tRAS);
    delay_until(&b->at[NEXT_ROW_OPEN], c->now + t->tRC);
    delay_until(&c->group[b->group].at[NEXT_ROW_OPEN],
                c->now + dram_later_of(t->tRRD_S, t->tRRD_L));
    uint32_t *rank = &c->rank[b->rank].at[NEXT_ROW_OPEN];
    delay_until(rank, c->now + t->tRRD_S);
    ring[n % ACT_RING] = c->now;
    if (t->tFAW && n >= 3) delay_until(rank, ring[(n - 3) % ACT_RING] + t->tFAW);
    if (t->t32AW && n >= 31) delay_until(rank, ring[(n - 31) % ACT_RING] + t->t32AW);
}

/* Delays the column commands that follow on the same data bus. */
static void hold_back(struct replay *c, const struct replay_bank *b, uint32_t w)
{
    const struct command_gaps *t = &c->t;
    uint32_t from = b->rank - b->rank % c->d->ranks, owed = c->rest[from] + c->bus_rest;
    uint32_t next = c->now + t->burst + owed / DRAM_REST;
    c->rest[from] = owed % DRAM_REST;
    for (uint32_t i = from; i < from + c->d->ranks; i++) {
        bool own = i == b->rank;
        delay_until(&c->rank[i].at[READS], next);
        delay_until(&c->rank[i].at[WRITES], next);
        delay_until(&c->rank[i].at[w], c->now + (own ? t->same_s : t->same_o));
        delay_until(&c->rank[i].at[!w], c->now + (w == READS ? t->to_write
                                                  : own      ? t->to_read_s
                                                             : t->to_read_o));
    }
    delay_until(&c->group[b->group].at[w], c->now + t->same_l);
    if (w == WRITES) delay_until(&c->group[b->group].at[NEXT_READ], c->now + t->to_read_l);
}

static bool auto_precharge(const struct replay *c, const struct replay_bank *b)
{
    bool after_hits = c->d->page_policy == PAGE_CLOSED_AFTER_HITS;
    if (c->d->page_policy == PAGE_CLOSED) return true;
    return after_hits && to_open_row(c, b, READS) == NONE && to_open_row(c, b, WRITES) == NONE;
}

static void issue_column(struct replay *c, struct replay_bank *b)
{
    uint32_t w = b->next == NEXT_WRITE ? WRITES : READS;
    hold_back(c, b, w);
    delay_until(&b->at[NEXT_ROW_CLOSE], c->now + c->t.pre[w]);
    remove_request(c, b, b->work);
    b->row_is = ROW_USED;
    b->used = c->now;
    if (auto_precharge(c, b)) close_row(c, b, b->at[NEXT_ROW_CLOSE]);
    if (c->turn) c->turn--;
}

/* The bank whose command goes next. */
static struct replay_bank *first_ready(struct replay *c, uint32_t *when)
{
    uint64_t least = UINT64_MAX;
    uint32_t best = 0;
    for (uint32_t k = 0; k < c->n_busy; k++) {
        const struct wish *w = &c->busy[k];
        uint32_t chip = dram_later_of(c->group[w->group].at[w->next], c->rank[w->rank].at[w->next]);
        uint32_t t =
            dram_later_of(dram_later_of(w->at, c->bus.at[w->next]), dram_later_of(chip, c->now));
        uint64_t key = (uint64_t)t << 32 | w->late;
        best = key < least ? k : best;
        least = key < least ? key : least;
    }
    *when = (uint32_t)(least >> 32);
    return &c->bank[c->busy[best].bank];
}

static void put_bank(struct replay *c, uint32_t place, uint32_t number)
{
    const struct dram_params *d = c->d;
    bool closed = d->page_policy == PAGE_CLOSED || d->page_policy == PAGE_CLOSED_AFTER_HITS;
    c->bank[place] =
        (struct replay_bank){.row = closed ? NO_ROW : UNKNOWN,
                             .group = (uint16_t)(number / d->banks_per_group),
                             .rank = (uint16_t)(number / (d->bankgroups * d->banks_per_group)),
                             .work = NONE,
                             .place = NONE,
                             .row_is = closed ? ROW_FRESH : ROW_NOT_KNOWN,
                             .q = {{.head = NONE, .tail = NONE}, {.head = NONE, .tail = NONE}}};
}

/* Fills bank[] with the banks that requests use, in the order of arrival. */
static void put_wanted(struct replay *c)
{
    memset(c->seen, 0, sizeof c->seen);
    c->banks = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t number = c->r[i].bank, at = number * UINT32_C(2654435761) % SEEN;
        while (c->seen[at].number && c->seen[at].number != number + 1)
            at = (at + 1) % SEEN;
        if (!c->seen[at].number) {
            c->seen[at].number = number + 1;
            c->seen[at].place = (uint16_t)c->banks;
            put_bank(c, c->banks++, number);
        }
        c->home[i] = c->seen[at].place;
    }
}

static void replay_start(struct replay *c, const struct dram_params *d,
                         const struct replay_request *r, uint32_t n, uint32_t depth)
{
    memset(c, 0, offsetof(struct replay, bank));
    c->d = d;
    c->r = r;
    c->n = n;
    c->t = command_gaps_of(d);
    c->bus_rest = dram_rest(d);
    c->banks = dram_bank_count(d);
    c->ranks = dram_rank_count(d);
    c->depth = depth;
    c->crowded = c->banks > BANKS;
    if (c->crowded) put_wanted(c);
    for (uint32_t i = 0; i < c->banks && !c->crowded; i++)
        put_bank(c, i, i);
    memset(c->group, 0, c->ranks * d->bankgroups * sizeof *c->group);
    memset(c->rank, 0, c->ranks * sizeof *c->rank);
    memset(c->n_acts, 0, c->ranks * sizeof *c->n_acts);
    memset(c->rest, 0, c->ranks * sizeof *c->rest);
}

/* Counts a column command, if it is in the measured part. */
static void count_row_hit(const struct replay *c, const struct replay_bank *b,
                          struct replay_sum *to, double weight)
{
    if (b->row_is == ROW_NOT_KNOWN) return;
    to->looked += weight;
    to->banks += weight * c->n_busy;
    if (b->row_is == ROW_USED) to->hits += weight;
}

/* Issues the channel's next command; true: it was a column command. */
static bool issue_command(struct replay *c, struct replay_bank *b)
{
    bool columns = b->next <= NEXT_WRITE;
    take_bus(c, (enum next)b->next);
    switch ((enum next)b->next) {
    case NEXT_ROW_CLOSE:
        close_row(c, b, c->now);
        delay_until(&c->rank[b->rank].at[NEXT_ROW_CLOSE], c->now + c->d->t.tPPD);
        break;
    case NEXT_ROW_OPEN: open_row(c, b); break;
    case NEXT_READ:
    case NEXT_WRITE: issue_column(c, b); break;
    case NEXT_N: break;
    }
    choose_command(c, b);
    bool passes_on = columns && c->d->scheduler == DRAM_FCFS_STRICT;
    uint32_t next = passes_on ? find_oldest(c, c->direction) : c->entered;
    if (next < c->entered) choose_command(c, bank_of(c, next));
    return columns;
}

/* Writes that do not fill their queue wait until all reads of the piece are served, which those of
 * a longer piece would not: then only the reads tell. */
static uint32_t requests_that_tell(const struct dram_params *d, const struct replay_request *r,
                                   uint32_t n)
{
    uint32_t writes = 0;
    for (uint32_t i = 0; i < n; i++)
        writes += r[i].write;
    bool wait = d->write_queue && writes < d->write_high && writes < n;
    return wait ? n - writes : n;
}

/* Clocks that turning the bus to writes and back adds to each burst of a longer piece with as large
 * a share of writes, where no piece has room for the writes of a drain and as many reads.  The bus
 * turns once for what a drain writes: from one mark to the other, and all that has come since it
 * turned last.  Then banks whose writes are to another row than their reads open it. */
static double turn_clocks(struct replay *c, uint32_t writes)
{
    const struct dram_params *d = c->d;
    double gaps = (double)c->t.to_write + c->t.to_read_s - 2.0 * c->t.burst;
    double rows = 2.0 * d->t.tRP + d->t.tRCDWR + d->t.tRCDRD;
    double marks = (double)d->write_high - d->write_low;
    uint32_t other = 0;
    if (d->write_high <= REPLAY_MOST / 2) return 0;
    for (uint32_t i = 0; i < c->n; i++)
        other += c->r[i].write && bank_of(c, i)->row != c->r[i].row;
    double drain = fmax(marks, (double)c->depth * writes / (c->n - writes));
    return (gaps * writes + rows * other) / drain / c->n;
}

void channel_replay(struct replay_sum *to, const struct dram_params *d,
                    const struct replay_request *r, uint32_t n, uint32_t depth, double weight)
{
    static _Thread_local void *block;
    struct replay *c = THREAD_BLOCK(struct replay, block);
    /* the first requests find no queue before them, the last ones ever fewer behind them */
    uint32_t tell = requests_that_tell(d, r, n),
             stop = dram_later_of(tell > depth ? tell - depth : 0, tell / 2), from = stop / 4,
             begun = 0, begun_at = 0;
    bool measured = false;
    replay_start(c, d, r, n, depth);
    enter_requests(c);
    choose_direction(c);
    for (uint32_t served = 0; served + c->n_forwarded < stop && c->n_busy;) {
        struct replay_bank *b = first_ready(c, &c->now);
        if (b->next <= NEXT_WRITE) {
            if (!measured && served + c->n_forwarded >= from) {
                measured = true;
                begun = c->now;
                begun_at = served + c->n_forwarded;
            }
            if (measured) count_row_hit(c, b, to, weight);
            served++;
        }
        if (!issue_command(c, b)) continue;
        enter_requests(c);
        choose_direction(c);
    }
    if (stop <= begun_at + 1) return;
    to->bursts += weight * (stop - begun_at - 1);
    to->clocks += weight * (c->now - begun);
    if (tell < n) to->clocks += weight * (stop - begun_at - 1) * turn_clocks(c, n - tell);
}
