/* noc.c - what crossbar and mesh have in common: queues, ports that several SMs share, arbitration,
 * and the length of packets in flits.
 *
 * An input's head comes to its port, if it is the only one of the port's inputs; else it waits
 * until the port has passed the packet before it. Arbitration ranks the inputs that ask: oldest
 * first, in turn behind the one served last, or by number. In a crossbar, SMs and slices may be
 * `far` by their number (noc.sm_spread, noc.slice_spread). How packets cross: crossbar.c and
 * mesh.c. */
#include "detailed/noc/noc.h"

#include "base/memory/alloc.h"

#include <string.h>

const struct noc_ops *const noc_table[TOPOLOGY_N] = {
    [TOPOLOGY_CROSSBAR] = &noc_crossbar, [TOPOLOGY_MESH] = &noc_mesh};

/* The first of those that share a port with number i: neighbouring SMs; others (slices and, behind
 * the SMs, CPU cores) have a port each. */
static uint32_t port_of(uint32_t i, uint32_t per_port, uint32_t sms)
{
    return i < sms ? i - i % per_port : i;
}

static bool init_ports(struct noc *n)
{
    uint32_t cores = n->p->other_ports;
    for (uint32_t i = 0; i < n->inputs; i++) {
        n->in[i].lead = port_of(i, n->in_per_port, n->inputs - cores);
        if (!fifo_init(&n->in[i].queue, 16)) return false;
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        n->out[i].lead = port_of(i, n->out_per_port, n->outputs - cores);
        if (!fifo_init(&n->out[i].queue, 16) || !ring_init(&n->out[i].requests, n->inputs))
            return false;
    }
    if (n->in_per_port == 1) return true;
    n->waiting = mem_new(n->inputs, sizeof *n->waiting);
    for (uint32_t i = 0; n->waiting && i < n->inputs; i++)
        if (n->in[i].lead == i && !ring_init(&n->waiting[i], n->in_per_port)) return false;
    return n->waiting != NULL;
}

/* CPU cores, behind the SMs, are as near as the first SM. */
static void set_far(struct noc *n, int way)
{
    const struct noc_params *p = n->p;
    bool requests = way == NOC_REQUEST;
    uint32_t sms = (requests ? n->inputs : n->outputs) - p->other_ports;
    uint32_t slices = requests ? n->outputs : n->inputs;
    n->spread = p->topology == TOPOLOGY_CROSSBAR && (p->sm_spread || p->slice_spread);
    for (uint32_t i = 0; n->spread && i < sms; i++)
        *(requests ? &n->in[i].far : &n->out[i].far) = (uint16_t)noc_far(p->sm_spread, i, sms);
    for (uint32_t i = 0; n->spread && i < slices; i++)
        *(requests ? &n->out[i].far : &n->in[i].far) =
            (uint16_t)noc_far(p->slice_spread, i, slices);
}

bool noc_init(struct noc *n, const struct noc_params *p, int way, uint32_t inputs, uint32_t outputs)
{
    *n = (struct noc){.p = p,
                      .way = way,
                      .ops = noc_table[p->topology],
                      .inputs = inputs,
                      .outputs = outputs,
                      .in_per_port = way == NOC_REQUEST ? p->sms_per_port : 1,
                      .out_per_port = way == NOC_REPLY ? p->sms_per_port : 1};
    for (uint32_t bytes = 0; bytes < sizeof n->flits_of / sizeof *n->flits_of; bytes++)
        n->flits_of[bytes] = (uint16_t)noc_flits(p, bytes);
    n->in = mem_new_aligned(inputs, sizeof *n->in, 64);
    n->out = mem_new_aligned(outputs, sizeof *n->out, 64);
    if (n->in) memset(n->in, 0, inputs * sizeof *n->in);
    if (n->out) memset(n->out, 0, outputs * sizeof *n->out);
    bool ok = n->in && n->out && init_ports(n) && n->ops->init(n, way);
    if (!ok) {
        noc_fini(n);
        return false;
    }
    set_far(n, way);
    noc_clear(n);
    return true;
}

void noc_fini(struct noc *n)
{
    for (uint32_t i = 0; n->in && i < n->inputs; i++)
        fifo_fini(&n->in[i].queue);
    for (uint32_t i = 0; n->out && i < n->outputs; i++) {
        fifo_fini(&n->out[i].queue);
        ring_fini(&n->out[i].requests);
    }
    for (uint32_t i = 0; n->waiting && i < n->inputs; i++)
        ring_fini(&n->waiting[i]);
    if (n->ops) n->ops->fini(n);
    mem_free(n->waiting);
    mem_free(n->in);
    mem_free(n->out);
    *n = (struct noc){0};
}

void noc_clear(struct noc *n)
{
    for (uint32_t i = 0; i < n->inputs; i++) {
        fifo_clear(&n->in[i].queue);
        n->in[i].free_at = n->in[i].head_since = 0;
        n->in[i].pushed = n->in[i].held = 0;
        n->in[i].spare = 0;
        n->in[i].notify = n->in[i].asking = false;
        if (n->waiting) n->waiting[i].n = n->waiting[i].head = 0;
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        fifo_clear(&n->out[i].queue);
        n->out[i].requests.n = n->out[i].requests.head = 0;
        n->out[i].free_at = 0;
        n->out[i].taken = n->out[i].held = n->out[i].begun = 0;
        n->out[i].spare = 0;
        n->out[i].last = n->inputs - 1;
    }
    n->ops->clear(n);
    n->s = (struct noc_stats){0};
}

uint32_t noc_flits(const struct noc_params *p, uint32_t data_bytes)
{
    uint32_t flits = (p->header_bytes + data_bytes + p->flit_bytes - 1) / p->flit_bytes;
    return flits ? flits : 1;
}

bool noc_comes_to_port(struct noc *n, uint32_t input)
{
    struct noc_input *port = &n->in[n->in[input].lead];
    bool first = !port->asking;
    if (!first) ring_push(&n->waiting[n->in[input].lead], input);
    port->asking = true;
    return first;
}

/* The rank of an input behind the one that is served first; ring order for ARBITRATION_OLDEST. */
static uint32_t rank_input(enum arbitration kind, uint32_t input, uint32_t last, uint32_t place,
                           uint32_t inputs)
{
    switch (kind) {
    case ARBITRATION_ROUND_ROBIN: return (input + inputs - last - 1) % inputs;
    case ARBITRATION_FIXED: return input;
    case ARBITRATION_OLDEST: break;
    }
    return place;
}

uint32_t noc_choose(enum arbitration kind, struct ring *r, uint32_t last,
                    bool (*may)(const struct noc *n, uint32_t input, uint64_t now),
                    const struct noc *n, uint64_t now)
{
    uint32_t best = UINT32_MAX, best_rank = UINT32_MAX;
    for (uint32_t k = 0; k < r->n; k++) {
        uint32_t input = ring_at(r, k);
        if (may && !may(n, input, now)) continue;
        uint32_t its = rank_input(kind, input, last, k, n->inputs);
        if (its >= best_rank) continue;
        best = input;
        best_rank = its;
    }
    if (best == UINT32_MAX) return best;
    for (uint32_t k = r->n; k > 0; k--) {
        uint32_t input = ring_pop(r);
        if (input != best) ring_push(r, input);
    }
    return best;
}

void noc_next_at_port(struct noc *n, uint32_t last, uint64_t now)
{
    uint32_t port = n->in[last].lead;
    uint32_t next = noc_choose(n->p->arbitration, &n->waiting[port], last, NULL, n, now);
    n->in[port].asking = next != UINT32_MAX;
    if (next != UINT32_MAX) n->ops->ask(n, next, now);
}

uint32_t noc_in_flight(const struct noc *n)
{
    uint32_t pushed = 0, taken = 0;
    for (uint32_t i = 0; i < n->inputs; i++)
        pushed += n->in[i].pushed;
    for (uint32_t i = 0; i < n->outputs; i++)
        taken += n->out[i].taken;
    return pushed - taken;
}

bool noc_check(const struct noc *n)
{
    uint32_t queued = 0, inside = 0;
    for (uint32_t i = 0; i < n->inputs; i++) {
        if (n->in[i].queue.n > n->p->input_queue) return false;
        queued += n->in[i].queue.n;
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        if (n->out[i].queue.n > n->p->output_queue) return false;
        queued += n->out[i].queue.n;
    }
    return n->ops->check(n, &inside) && queued + inside == noc_in_flight(n);
}

void noc_stuck(const struct noc *n, struct text *out)
{
    const char *name = n->way == NOC_REQUEST ? "request network" : "reply network";
    for (uint32_t i = 0; i < n->inputs; i++)
        if (n->in[i].queue.n)
            text_add(out, "%s: input %u holds %u packets, its head wants output %u\n", name, i,
                     n->in[i].queue.n, noc_head_output(&n->in[i]));
    for (uint32_t i = 0; i < n->outputs; i++)
        if (n->out[i].queue.n)
            text_add(out, "%s: output %u holds %u packets, %u inputs ask for it\n", name, i,
                     n->out[i].queue.n, n->out[n->out[i].lead].requests.n);
}
