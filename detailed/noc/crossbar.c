/* crossbar.c - every input port can reach every output port; an output port serves the inputs that
 * request it one after the other, by default in the order of their requests. */
#include "detailed/noc/noc.h"

#include "base/memory/alloc.h"

static bool crossbar_init(struct noc *n, int way)
{
    (void)way;
    n->is_active = mem_new(n->outputs, sizeof *n->is_active);
    return n->is_active && ring_init(&n->active, n->outputs);
}

static void crossbar_fini(struct noc *n)
{
    mem_free(n->is_active);
    ring_fini(&n->active);
}

static void crossbar_clear(struct noc *n)
{
    for (uint32_t i = 0; i < n->outputs; i++)
        n->is_active[i] = false;
    n->active.n = n->active.head = 0;
}

static inline void crossbar_ask(struct noc *n, uint32_t input, uint64_t now)
{
    (void)now;
    uint32_t port = noc_port(n, noc_head_output(&n->in[input]));
    ring_push(&n->out[port].requests, input);
    if (n->is_active[port]) return;
    n->is_active[port] = true;
    ring_push(&n->active, port);
}

/* Adds the cycles since the port's last packet to those that it had to spare, of which it keeps as
 * many as the packets before a train's last take. */
static uint32_t spare_cycles(uint8_t *spare, uint64_t free_at, uint32_t flits, uint64_t now)
{
    uint64_t most = TRAIN_MORE_MAX * flits, all = *spare + (now - free_at);
    if (most > UINT8_MAX) most = UINT8_MAX;
    return *spare = (uint8_t)(all < most ? all : most);
}

/* Of a train whose packets came one after the other, what could have crossed while ports were free
 * has. Returns how many of the train's packets are left behind its first. */
static uint32_t cross_before(struct noc *n, uint32_t port, struct noc_input *in, uint64_t now)
{
    struct noc_input *lead = &n->in[in->lead];
    struct noc_output *out = &n->out[port];
    uint32_t flits = noc_head_flits(in), more = noc_more(in->queue.due);
    uint32_t by_input = spare_cycles(&lead->spare, lead->free_at, flits, now);
    uint32_t by_output = spare_cycles(&out->spare, out->free_at, flits, now);
    uint32_t before = (by_input < by_output ? by_input : by_output) / flits;
    if (before > more) before = more;
    lead->spare = (uint8_t)(lead->spare - before * flits);
    out->spare = (uint8_t)(out->spare - before * flits);
    n->s.packets += before;
    n->s.flits += (uint64_t)before * flits;
    in->held -= before;
    in->queue.due -= before * TRAIN_MORE;
    return more - before;
}

static inline __attribute__((always_inline)) void cross_packet(struct noc *n, uint32_t port,
                                                               uint32_t input, uint64_t now)
{
    struct noc_input *in = &n->in[input];
    uint32_t flits = noc_head_flits(in), output = noc_head_output(in);
    uint32_t more = noc_more(in->queue.due);
    bool begun = (in->queue.due & TRAIN_BEGUN) != 0;
    uint64_t arrival = now + n->p->latency + flits - 2;
    if (!begun) n->out[output].held += 1 + more;
    if (more && !begun && (in->queue.due & TRAIN_CAME)) more = cross_before(n, port, in, now);
    n->out[port].free_at = n->in[in->lead].free_at = now + flits;
    if (more) {
        n->out[port].begun += !begun;
        if (!begun) fifo_front(&in->queue)->time = (uint32_t)now; /* the head's time is in `due` */
        noc_depart(n, input, now, crossbar_ask);
        return;
    }
    n->out[port].begun -= begun;
    uint32_t handle = fifo_front(&in->queue)->value;
    if (begun && n->on_train)
        n->on_train(n->ctx, handle, (uint32_t)now - fifo_front(&in->queue)->time);
    if (n->spread) arrival += in->far + n->out[output].far;
    struct fifo *queue = &n->out[output].queue;
    if (n->spread)
        fifo_push_by_time(queue, arrival, handle);
    else
        fifo_push(queue, arrival, handle);
    noc_depart(n, input, now, crossbar_ask);
    n->on_arrival(n->ctx, output, arrival);
}

static uint64_t input_free_at(const struct noc *n, uint32_t input)
{
    return n->in[n->in[input].lead].free_at;
}

static bool has_room(const struct noc *n, uint32_t output)
{
    return n->out[output].held < n->p->output_queue;
}

/* A train that has begun to cross has its room. */
static bool may_cross(const struct noc *n, uint32_t input, uint64_t now)
{
    const struct noc_input *in = &n->in[input];
    return input_free_at(n, input) <= now &&
           ((in->queue.due & TRAIN_BEGUN) || has_room(n, noc_head_output(in)));
}

/* Serves an output port by rank: considers every requesting input. */
static uint64_t serve_by_rank(struct noc *n, uint32_t port, uint64_t now)
{
    struct noc_output *out = &n->out[port];
    uint32_t input = noc_choose(n->p->arbitration, &out->requests, out->last, may_cross, n, now);
    uint64_t next = UINT64_MAX;
    if (input != UINT32_MAX) {
        out->last = input;
        cross_packet(n, port, input, now);
        return out->free_at;
    }
    for (uint32_t k = 0; k < out->requests.n; k++) {
        uint64_t at = input_free_at(n, ring_at(&out->requests, k));
        if (at > now && at < next) next = at;
    }
    return next;
}

/* Steps one output port, which grants at most one packet. Returns the cycle at which it may grant
 * again; UINT64_MAX: when the consumer has made room. */
static uint64_t serve_port(struct noc *n, uint32_t port, uint64_t now)
{
    struct noc_output *out = &n->out[port];
    bool full = n->out_per_port == 1 && !has_room(n, port);
    if (full && !out->begun) return UINT64_MAX; /* noc_take reports when there is room */
    if (out->free_at > now) return out->free_at;
    if (full || n->out_per_port > 1 || n->p->arbitration != ARBITRATION_OLDEST)
        return serve_by_rank(n, port, now);
    uint64_t next = UINT64_MAX;
    for (uint32_t k = out->requests.n; k > 0; k--) {
        uint32_t input = ring_pop(&out->requests);
        uint64_t free_at = input_free_at(n, input);
        if (free_at <= now) {
            cross_packet(n, port, input, now);
            return out->free_at;
        }
        if (free_at < next) next = free_at;
        ring_push(&out->requests, input);
    }
    return next;
}

static uint64_t crossbar_step(struct noc *n, uint64_t now)
{
    uint64_t next = UINT64_MAX, packets = n->s.packets;
    for (uint32_t k = n->active.n; k > 0; k--) {
        uint32_t port = ring_pop(&n->active);
        uint64_t again = serve_port(n, port, now);
        if (ring_empty(&n->out[port].requests)) {
            n->is_active[port] = false;
            continue;
        }
        ring_push(&n->active, port);
        if (again < next) next = again;
    }
    /* a packet that crossed may have exposed a head for an output that was idle at its turn */
    if (n->s.packets != packets && n->active.n) return now + 1;
    return next;
}

static bool crossbar_wants(const struct noc *n, uint32_t output)
{
    return !ring_empty(&n->out[noc_port(n, output)].requests);
}

static bool crossbar_check(const struct noc *n, uint32_t *inside)
{
    uint32_t heads = 0, asking = 0;
    *inside = 0;
    for (uint32_t i = 0; i < n->inputs; i++)
        heads += n->in[i].queue.n > 0;
    for (uint32_t i = 0; i < n->outputs; i++)
        asking += n->out[i].requests.n;
    for (uint32_t i = 0; n->waiting && i < n->inputs; i++)
        asking += n->waiting[i].n;
    return heads == asking;
}

const struct noc_ops noc_crossbar = {.name = "crossbar",
                                     .init = crossbar_init,
                                     .fini = crossbar_fini,
                                     .clear = crossbar_clear,
                                     .ask = crossbar_ask,
                                     .step = crossbar_step,
                                     .wants = crossbar_wants,
                                     .check = crossbar_check};
