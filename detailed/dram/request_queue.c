/* request_queue.c - a bank's requests in order of arrival, the scheduler's window, and the
 * direction that the channel serves.
 *
 * Direction (only with a write queue): reads are served until write_high writes wait, or a quarter
 * of that if no read waits; then as many writes as lead down to write_low. The direction that
 * waited at a change gets as many turns as it had requests then, so that neither starves. The very
 * last writes are served when nothing has arrived for `idle_drain` cycles. */
#include "detailed/dram/bank_model.h"

#include <assert.h>

static struct queue *queue_of(struct banks *c, const struct request *r, uint32_t *direction)
{
    *direction = r->write && c->base.p.write_queue ? WRITES : READS;
    return &c->bank[r->bank].q[*direction];
}

/* Strict order: appends a request to its direction's ring. */
static void order_add(struct banks *c, uint32_t direction, uint32_t r)
{
    uint32_t at = (c->order_head[direction] + c->n[direction]) % c->n_requests;
    c->order[direction][at] = r;
}

static void order_remove(struct banks *c, uint32_t direction, uint32_t r)
{
    uint32_t *head = &c->order_head[direction];
    assert(c->order[direction][*head] == r);
    (void)r;
    *head = *head + 1 == c->n_requests ? 0 : *head + 1;
}

/* All writes are visible: only their queue bounds them. */
static uint32_t window_size(const struct banks *c, uint32_t direction)
{
    uint32_t per_bank = c->base.p.per_bank_queue;
    return direction == WRITES || per_bank == 0 ? UINT32_MAX : per_bank;
}

/* urgent_first: inserts a CPU's request behind the CPUs' that are there. If the window was full,
 * its last request leaves it. */
static void insert_first(struct banks *c, struct queue *q, uint32_t direction, uint32_t r)
{
    struct request *req = &c->request[r];
    uint32_t at = q->head, place = 0, prev = NO_REQUEST;
    for (; c->request[at].seq < BANKS_BEHIND; at = c->request[at].next, place++)
        prev = at;
    req->next = at;
    req->prev = prev;
    c->request[at].prev = r;
    if (prev == NO_REQUEST) {
        q->head = r;
        q->passed = 0;
    } else {
        c->request[prev].next = r;
    }
    q->n++;
    c->n[direction]++;
    if (c->managed) c->rank[c->bank[req->bank].rank].requests++;
    if (q->visible < window_size(c, direction)) {
        q->visible++;
        return;
    }
    c->unseen[direction]++;
    if (place >= q->visible)
        q->waiting = at == q->waiting ? r : q->waiting;
    else
        q->waiting = q->waiting == NO_REQUEST ? q->tail : c->request[q->waiting].prev;
}

void banks_queue_add(struct banks *c, uint32_t r)
{
    struct request *req = &c->request[r];
    uint32_t direction;
    struct queue *q = queue_of(c, req, &direction);
    if (c->behind && q->n && req->seq < c->request[q->tail].seq) {
        insert_first(c, q, direction, r);
        return;
    }
    req->next = NO_REQUEST;
    req->prev = q->tail;
    if (q->n++ == 0)
        q->head = r;
    else
        c->request[q->tail].next = r;
    q->tail = r;
    if (c->in_order) order_add(c, direction, r);
    c->n[direction]++;
    if (c->managed) c->rank[c->bank[req->bank].rank].requests++;
    if (q->visible < window_size(c, direction)) {
        q->visible++;
        return;
    }
    if (q->waiting == NO_REQUEST) q->waiting = r;
    c->unseen[direction]++;
}

void banks_queue_remove(struct banks *c, uint32_t r)
{
    struct request *req = &c->request[r];
    uint32_t direction;
    struct queue *q = queue_of(c, req, &direction);
    q->passed = req->prev == NO_REQUEST ? 0 : q->passed + 1;
    if (req->prev == NO_REQUEST)
        q->head = req->next;
    else
        c->request[req->prev].next = req->next;
    if (req->next == NO_REQUEST)
        q->tail = req->prev;
    else
        c->request[req->next].prev = req->prev;
    q->n--;
    if (c->in_order) order_remove(c, direction, r);
    c->n[direction]--;
    if (c->managed) c->rank[c->bank[req->bank].rank].requests--;
    if (q->waiting == NO_REQUEST) {
        q->visible--;
    } else {
        q->waiting = c->request[q->waiting].next;
        c->unseen[direction]--;
    }
    req->next = c->free_request;
    c->free_request = r;
}

static bool queue_has_hit(const struct banks *c, const struct queue *q, uint32_t row,
                          uint32_t besides)
{
    for (uint32_t r = q->head; r != q->waiting; r = c->request[r].next)
        if (r != besides && c->request[r].row == row) return true;
    return false;
}

bool banks_queue_hits(const struct banks *c, const struct dram_bank *b, uint32_t besides)
{
    return queue_has_hit(c, &b->q[READS], b->row, besides) ||
           queue_has_hit(c, &b->q[WRITES], b->row, besides);
}

bool banks_queue_covers(const struct banks *c, const struct coord *at)
{
    uint32_t burst = c->base.p.burst_length * c->base.p.bus_bytes;
    uint32_t r = c->bank[at->flat_bank].q[WRITES].head;
    for (; r != NO_REQUEST; r = c->request[r].next) {
        const struct request *w = &c->request[r];
        if (w->row == at->row && w->column / burst == at->column / burst) return true;
    }
    return false;
}

static void set_active(struct banks *c, struct dram_bank *b, bool active)
{
    if (active == (b->slot != NO_SLOT)) return;
    if (active) {
        b->slot = c->n_active;
        c->active[c->n_active++] = bank_index(c, b);
        return;
    }
    uint32_t last = c->active[--c->n_active];
    c->active[b->slot] = last;
    c->bank[last].slot = b->slot;
    b->slot = NO_SLOT;
}

static enum dram_command next_command(const struct dram_bank *b, const struct request *r)
{
    if (b->row == NO_ROW) return DRAM_CMD_ACT;
    if (b->row != r->row) return DRAM_CMD_PRE;
    return r->write ? DRAM_CMD_WR : DRAM_CMD_RD;
}

static bool has_turn(const struct banks *c, const struct dram_bank *b, uint32_t direction)
{
    if (!c->in_order) return true;
    uint32_t oldest = c->order[direction][c->order_head[direction]];
    return &c->bank[c->request[oldest].bank] == b;
}

void bank_settle(struct banks *c, struct dram_bank *b)
{
    uint32_t direction = c->direction;
    /* while writes drain, a bank without writes opens its row for reads */
    bool prepare = direction == WRITES && b->q[WRITES].n == 0 && !c->in_order;
    if (prepare) direction = READS;
    b->work = NO_REQUEST;
    if (b->q[direction].n && has_turn(c, b, direction)) {
        b->work = c->sched->pick(c, b, &b->q[direction]);
        b->next = next_command(b, &c->request[b->work]);
        b->seq = c->request[b->work].seq;
        if (prepare && b->next > DRAM_CMD_PRE) b->work = NO_REQUEST;
    }
    set_active(c, b, b->work != NO_REQUEST);
}

static void turn_to(struct banks *c, uint32_t direction, uint32_t turns)
{
    c->direction = direction;
    c->turn = turns;
    c->stale = true;
    for (uint32_t i = 0; i < c->n_banks; i++)
        bank_settle(c, &c->bank[i]);
}

void banks_direction_drain(struct banks *c)
{
    uint32_t low = c->base.p.write_low;
    turn_to(c, WRITES, c->n[WRITES] > low ? c->n[WRITES] - low : 0);
}

void banks_direction_accepted(struct banks *c)
{
    const struct dram_params *p = &c->base.p;
    if (c->direction == WRITES) {
        if (c->n[READS] && c->turn == 0) turn_to(c, READS, c->n[READS]);
        return;
    }
    bool reads_wait = c->n[READS] && c->turn;
    uint32_t idle_mark = p->write_low + (p->write_high - p->write_low) / 4;
    bool idle = c->n[READS] == 0 && c->n[WRITES] > idle_mark;
    if (idle || (c->n[WRITES] >= p->write_high && !reads_wait)) banks_direction_drain(c);
}

void banks_direction_served(struct banks *c)
{
    if (c->turn) c->turn--;
    if (c->direction == READS || (c->n[READS] && c->turn == 0) || c->n[WRITES]) {
        banks_direction_accepted(c);
        return;
    }
    turn_to(c, READS, c->n[READS]);
}
