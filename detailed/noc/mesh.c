/* mesh.c - one router per node: each output grants one waiting head per step, by the network's
 * arbitration among the router's five sides.
 *
 * A head may go when it has arrived, its input and the output are free of earlier flits, and the
 * buffer beyond has room for the whole packet. Room comes back as credits, a link's latency after
 * the flits have left. A packet turns from its row into its column once (XY), so that routes cannot
 * form a circle. No virtual channels are modelled. Source: Dally and Towles 2004, chapters 8, 12,
 * 16. */
#include "detailed/noc/mesh.h"

#include "base/memory/alloc.h"
#include "gpu/machine/params/mesh_layout.h"

enum { NONE = UINT32_MAX };

/* --- building --- */

/* The SMs, or the core, at a port: [*first, end). */
static uint32_t port_clients(const struct noc *n, const struct mesh_shape *s, uint32_t port,
                             uint32_t all, uint32_t *first)
{
    uint32_t cores = s->cores, share = n->p->sms_per_port, sm_ports = s->ports - cores;
    if (port >= sm_ports) {
        *first = all - cores + (port - sm_ports);
        return *first + 1;
    }
    uint32_t end = (port + 1) * share, sms = all - cores;
    *first = port * share;
    return end < sms ? end : sms;
}

static void place_nodes(const struct noc *n, const struct mesh_shape *s, int way)
{
    struct mesh *m = n->mesh;
    for (uint32_t node = 0; node < s->columns * s->rows; node++) {
        bool is_slice;
        uint32_t index;
        if (!mesh_at(s, node, &is_slice, &index)) continue;
        bool input = is_slice == (way == NOC_REPLY);
        uint32_t all = input ? n->inputs : n->outputs, first = index, end = index + 1;
        if (!is_slice) end = port_clients(n, s, index, all, &first);
        for (uint32_t i = first; i < end; i++)
            (input ? m->in_node : m->out_node)[i] = node;
    }
}

static bool init_nodes(struct mesh *m)
{
    for (uint32_t i = 0; i < m->nodes; i++)
        for (uint32_t side = 0; side < SIDE_LOCAL; side++)
            if (!fifo_init(&m->node[i].in[side].queue, 8) ||
                !fifo_init(&m->node[i].in[side].credits, 8))
                return false;
    return true;
}

static bool mesh_init(struct noc *n, int way)
{
    uint32_t sms = way == NOC_REQUEST ? n->inputs : n->outputs;
    sms -= n->p->other_ports;
    struct mesh_shape s = mesh_shape(n->p, sms, way == NOC_REQUEST ? n->outputs : n->inputs);
    struct mesh *m = n->mesh = mem_new(1, sizeof *m);
    if (!m) return false;
    m->columns = s.columns;
    m->nodes = s.columns * s.rows;
    m->in_node = mem_new(n->inputs, sizeof *m->in_node);
    m->out_node = mem_new(n->outputs, sizeof *m->out_node);
    m->node = mem_new(m->nodes, sizeof *m->node);
    m->waiting = mem_new(m->nodes, sizeof *m->waiting);
    if (!m->in_node || !m->out_node || !m->node || !m->waiting || !init_nodes(m)) return false;
    place_nodes(n, &s, way);
    return true;
}

static void mesh_fini(struct noc *n)
{
    struct mesh *m = n->mesh;
    if (!m) return;
    for (uint32_t i = 0; m->node && i < m->nodes; i++)
        for (uint32_t side = 0; side < SIDE_LOCAL; side++) {
            fifo_fini(&m->node[i].in[side].queue);
            fifo_fini(&m->node[i].in[side].credits);
        }
    mem_free(m->in_node);
    mem_free(m->out_node);
    mem_free(m->node);
    mem_free(m->waiting);
    mem_free(m->packet);
    mem_free(m);
}

static void mesh_clear(struct noc *n)
{
    struct mesh *m = n->mesh;
    for (uint32_t i = 0; i < m->nodes; i++) {
        struct mesh_node *r = &m->node[i];
        for (uint32_t side = 0; side < SIDE_LOCAL; side++) {
            fifo_clear(&r->in[side].queue);
            fifo_clear(&r->in[side].credits);
            r->in[side].room = n->p->buffer_flits;
        }
        for (uint32_t side = 0; side < SIDES; side++) {
            r->in_free[side] = r->out_free[side] = 0;
            r->last[side] = SIDES - 1;
        }
        r->local = NONE;
        m->waiting[i] = 0;
    }
    m->fresh = 0;
    m->free = NONE;
}

static uint32_t new_packet(struct noc *n, const struct noc_input *in)
{
    struct mesh *m = n->mesh;
    uint32_t i = m->free;
    if (i != NONE) {
        m->free = m->packet[i].next;
    } else {
        if (!mem_grow(&m->packet, &m->cap, m->fresh + 1, sizeof *m->packet)) return NONE;
        i = m->fresh++;
    }
    m->packet[i] = (struct mesh_packet){.handle = fifo_front(&in->queue)->value,
                                        .output = noc_head_output(in),
                                        .flits = noc_head_flits(in)};
    return i;
}

/* --- one router --- */

/* The packet at the head of a router's input. */
struct head_packet {
    uint64_t at; /* cycle from which it may be granted; UINT64_MAX: empty */
    uint32_t output, flits;
    enum mesh_side to;
};

static enum mesh_side next_side(const struct mesh *m, uint32_t node, uint32_t to)
{
    uint32_t x = node % m->columns, to_x = to % m->columns;
    if (x != to_x) return x < to_x ? SIDE_EAST : SIDE_WEST;
    if (node == to) return SIDE_LOCAL;
    return node < to ? SIDE_SOUTH : SIDE_NORTH;
}

static struct head_packet head_of(const struct noc *n, uint32_t node, uint32_t side)
{
    const struct mesh *m = n->mesh;
    const struct mesh_node *r = &m->node[node];
    struct head_packet h = {.at = UINT64_MAX};
    if (side == SIDE_LOCAL) {
        if (r->local == NONE) return h;
        const struct noc_input *in = &n->in[r->local];
        h = (struct head_packet){in->head_since, noc_head_output(in), noc_head_flits(in),
                                 SIDE_LOCAL};
    } else {
        if (!r->in[side].queue.n) return h;
        const struct fifo *q = &r->in[side].queue;
        const struct mesh_packet *p = &m->packet[fifo_front(q)->value];
        h = (struct head_packet){q->due, p->output, p->flits, SIDE_LOCAL};
    }
    h.to = next_side(m, node, m->out_node[h.output]);
    return h;
}

/* The input buffer of the next router behind an output, and that router. */
static struct mesh_buffer *buffer_beyond(struct mesh *m, uint32_t node, enum mesh_side to,
                                         uint32_t *next)
{
    static const enum mesh_side from[SIDE_LOCAL] = {SIDE_SOUTH, SIDE_WEST, SIDE_NORTH, SIDE_EAST};
    const uint32_t step[SIDE_LOCAL] = {0u - m->columns, 1, m->columns, 0u - 1};
    *next = node + step[to];
    return &m->node[*next].in[from[to]];
}

/* The cycle from which the next router has room for that many flits; UINT64_MAX: a packet there
 * must move first. */
static uint64_t room_at(struct mesh_buffer *b, uint32_t flits, uint64_t now)
{
    while (b->credits.due <= now)
        b->room += fifo_pop(&b->credits);
    uint32_t room = b->room;
    if (room >= flits) return 0;
    for (uint32_t k = 0; k < b->credits.n; k++) {
        room += fifo_at(&b->credits, k)->value;
        if (room >= flits) return fifo_time(&b->credits, k);
    }
    return UINT64_MAX;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The first cycle at which this head may be granted in the current state. */
static uint64_t may_at(struct noc *n, uint32_t node, uint32_t side, const struct head_packet *h,
                       uint64_t now)
{
    struct mesh_node *r = &n->mesh->node[node];
    uint64_t at = later(h->at, later(r->in_free[side], r->out_free[h->to]));
    uint32_t next;
    if (h->at == UINT64_MAX) return h->at;
    if (h->to == SIDE_LOCAL) /* noc_take reports when there is room */
        return n->out[h->output].queue.n < n->p->output_queue ? at : UINT64_MAX;
    return later(at, room_at(buffer_beyond(n->mesh, node, h->to, &next), h->flits, now));
}

/* Priority of a side: the smallest goes first; never equal for two sides. */
static uint64_t precedence_of(const struct noc *n, const struct mesh_node *r, uint32_t side,
                              const struct head_packet *h)
{
    uint64_t turn = (side + SIDES - r->last[h->to] - 1u) % SIDES;
    switch (n->p->arbitration) {
    case ARBITRATION_OLDEST: return h->at * SIDES + turn;
    case ARBITRATION_FIXED: return side;
    case ARBITRATION_ROUND_ROBIN: break;
    }
    return turn;
}

static void deliver_packet(struct noc *n, uint32_t handle, const struct head_packet *h,
                           uint64_t now)
{
    uint64_t arrival = now + n->p->router_latency + h->flits - 2;
    fifo_push(&n->out[h->output].queue, arrival, handle);
    n->out[h->output].held++;
    n->on_arrival(n->ctx, h->output, arrival);
}

/* Removes the head of a router's side. Returns the packet; *handle: its payload. */
static uint32_t leave_buffer(struct noc *n, uint32_t node, uint32_t side,
                             const struct head_packet *h, uint64_t now, uint32_t *handle)
{
    struct mesh *m = n->mesh;
    struct mesh_node *r = &m->node[node];
    uint32_t packet = NONE;
    m->waiting[node]--;
    if (side == SIDE_LOCAL) {
        uint32_t input = r->local;
        *handle = fifo_front(&n->in[input].queue)->value;
        if (h->to != SIDE_LOCAL) packet = new_packet(n, &n->in[input]);
        r->local = NONE;
        noc_depart(n, input, now, n->ops->ask);
        return packet;
    }
    packet = fifo_pop(&r->in[side].queue);
    *handle = m->packet[packet].handle;
    fifo_push(&r->in[side].credits, now + h->flits + n->p->link_latency - 1, h->flits);
    if (h->to != SIDE_LOCAL) return packet;
    m->packet[packet].next = m->free;
    m->free = packet;
    return NONE;
}

static void grant_side(struct noc *n, uint32_t node, uint32_t side, const struct head_packet *h,
                       uint64_t now)
{
    struct mesh *m = n->mesh;
    struct mesh_node *r = &m->node[node];
    uint32_t handle, next;
    r->in_free[side] = r->out_free[h->to] = now + h->flits;
    r->last[h->to] = (uint8_t)side;
    uint32_t packet = leave_buffer(n, node, side, h, now, &handle);
    if (h->to == SIDE_LOCAL) {
        deliver_packet(n, handle, h, now);
        return;
    }
    if (packet == NONE) return; /* no memory: the run has failed */
    struct mesh_buffer *b = buffer_beyond(m, node, h->to, &next);
    b->room -= h->flits;
    m->waiting[next]++;
    n->s.hop_flits += h->flits;
    fifo_push(&b->queue, now + n->p->router_latency + n->p->link_latency, packet);
}

/* Steps a router: every output grants at most one packet. Returns the next cycle at which one may
 * move; *moved: one moved. */
static uint64_t step_node(struct noc *n, uint32_t node, uint64_t now, bool *moved)
{
    struct head_packet h[SIDES];
    uint32_t best[SIDES] = {SIDES, SIDES, SIDES, SIDES, SIDES};
    uint64_t first[SIDES], next = UINT64_MAX;
    for (uint32_t side = 0; side < SIDES; side++) {
        h[side] = head_of(n, node, side);
        uint64_t at = may_at(n, node, side, &h[side], now);
        if (at > now) {
            if (at < next) next = at;
            continue;
        }
        uint64_t its = precedence_of(n, &n->mesh->node[node], side, &h[side]);
        uint32_t *b = &best[h[side].to];
        if (*b < SIDES && first[h[side].to] < its) continue;
        *b = side;
        first[h[side].to] = its;
    }
    for (uint32_t to = 0; to < SIDES; to++) {
        if (best[to] == SIDES) continue;
        grant_side(n, node, best[to], &h[best[to]], now);
        *moved = true;
    }
    return next;
}

static uint64_t mesh_step(struct noc *n, uint64_t now)
{
    const struct mesh *m = n->mesh;
    uint64_t next = UINT64_MAX;
    bool moved = false;
    for (uint32_t i = 0; i < m->nodes; i++) {
        if (!m->waiting[i]) continue;
        uint64_t at = step_node(n, i, now, &moved);
        if (at < next) next = at;
    }
    return moved ? now + 1 : next;
}

static void mesh_ask(struct noc *n, uint32_t input, uint64_t now)
{
    struct mesh *m = n->mesh;
    (void)now;
    m->node[m->in_node[input]].local = input;
    m->waiting[m->in_node[input]]++;
}

static bool mesh_wants(const struct noc *n, uint32_t output)
{
    return n->mesh->waiting[n->mesh->out_node[output]] > 0;
}

/* Checks that room, credits and flits of every buffer add up. */
static bool mesh_check(const struct noc *n, uint32_t *inside)
{
    const struct mesh *m = n->mesh;
    *inside = 0;
    for (uint32_t i = 0; i < m->nodes; i++) {
        uint32_t waiting = m->node[i].local != NONE;
        for (uint32_t side = 0; side < SIDE_LOCAL; side++) {
            const struct mesh_buffer *b = &m->node[i].in[side];
            uint32_t flits = b->room;
            for (uint32_t k = 0; k < b->credits.n; k++)
                flits += fifo_at(&b->credits, k)->value;
            for (uint32_t k = 0; k < b->queue.n; k++)
                flits += m->packet[fifo_at(&b->queue, k)->value].flits;
            if (flits != n->p->buffer_flits) return false;
            waiting += b->queue.n;
            *inside += b->queue.n;
        }
        if (waiting != m->waiting[i]) return false;
    }
    return true;
}

const struct noc_ops noc_mesh = {.name = "mesh",
                                 .init = mesh_init,
                                 .fini = mesh_fini,
                                 .clear = mesh_clear,
                                 .ask = mesh_ask,
                                 .step = mesh_step,
                                 .wants = mesh_wants,
                                 .check = mesh_check};
