#include "detailed/noc/noc.h"

#include "base/mem.h"

const struct noc_ops *const noc_table[TOPOLOGY_N] = {[TOPOLOGY_CROSSBAR] = &noc_crossbar};

bool noc_init(struct noc *n, const struct noc_params *p, uint32_t inputs, uint32_t outputs)
{
    *n = (struct noc){.p = p, .ops = noc_table[p->topology], .inputs = inputs, .outputs = outputs};
    n->in = mem_new(inputs, sizeof *n->in);
    n->out = mem_new(outputs, sizeof *n->out);
    n->is_active = mem_new(outputs, sizeof *n->is_active);
    bool ok = n->in && n->out && n->is_active && ring_init(&n->active, outputs);
    for (uint32_t i = 0; ok && i < inputs; i++)
        ok = fifo_init(&n->in[i].queue, 16);
    for (uint32_t i = 0; ok && i < outputs; i++)
        ok = fifo_init(&n->out[i].queue, 16) && ring_init(&n->out[i].requests, inputs);
    if (!ok) noc_fini(n);
    return ok;
}

void noc_fini(struct noc *n)
{
    for (uint32_t i = 0; n->in && i < n->inputs; i++)
        fifo_fini(&n->in[i].queue);
    for (uint32_t i = 0; n->out && i < n->outputs; i++) {
        fifo_fini(&n->out[i].queue);
        ring_fini(&n->out[i].requests);
    }
    mem_free(n->in);
    mem_free(n->out);
    mem_free(n->is_active);
    ring_fini(&n->active);
    *n = (struct noc){0};
}

void noc_clear(struct noc *n)
{
    for (uint32_t i = 0; i < n->inputs; i++) {
        fifo_clear(&n->in[i].queue);
        n->in[i].free_at = n->in[i].head_since = 0;
        n->in[i].notify = false;
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        fifo_clear(&n->out[i].queue);
        n->out[i].requests.n = n->out[i].requests.head = 0;
        n->out[i].free_at = 0;
        n->is_active[i] = false;
    }
    n->active.n = n->active.head = 0;
    n->in_flight = 0;
    n->no_memory = false;
    n->s = (struct noc_stats){0};
}

uint32_t noc_flits(const struct noc_params *p, uint32_t data_bytes)
{
    uint32_t flits = (p->header_bytes + data_bytes + p->flit_bytes - 1) / p->flit_bytes;
    return flits ? flits : 1;
}

/* The input's head asks its output for passage. */
static void request(struct noc *n, uint32_t input, uint64_t now)
{
    struct noc_input *in = &n->in[input];
    uint32_t output = (uint32_t)(fifo_front(&in->queue)->time >> 16);
    in->head_since = now;
    ring_push(&n->out[output].requests, input);
    if (n->is_active[output]) return;
    n->is_active[output] = true;
    ring_push(&n->active, output);
}

bool noc_push(struct noc *n, uint32_t input, uint32_t output, uint32_t flits, uint32_t handle,
              uint64_t now)
{
    struct noc_input *in = &n->in[input];
    if (!fifo_push(&in->queue, (uint64_t)output << 16 | flits, handle)) return false;
    n->in_flight++;
    if (in->queue.n == 1) request(n, input, now);
    return true;
}

bool noc_take(struct noc *n, uint32_t output, uint32_t *handle)
{
    struct noc_output *out = &n->out[output];
    bool was_full = out->queue.n >= n->p->output_queue;
    *handle = fifo_pop(&out->queue);
    n->in_flight--;
    return was_full && !ring_empty(&out->requests);
}

/* --- crossbar: every input reaches every output; an output serves the inputs that ask in order of
 * asking ------- */

static void cross(struct noc *n, uint32_t output, uint32_t input, uint64_t now)
{
    struct noc_input *in = &n->in[input];
    struct noc_output *out = &n->out[output];
    uint32_t flits = (uint32_t)(fifo_front(&in->queue)->time & 0xffff);
    uint32_t handle = fifo_pop(&in->queue);
    uint64_t arrival = now + n->p->latency + flits - 2;
    out->free_at = in->free_at = now + flits;
    if (!fifo_push(&out->queue, arrival, handle)) n->no_memory = true;
    n->s.packets++;
    n->s.flits += flits;
    if (now > in->head_since + 1) n->s.stall_cycles += now - in->head_since - 1;
    if (in->queue.n) request(n, input, now);
    if (in->notify) {
        in->notify = false;
        n->on_room(n->ctx, input);
    }
    n->on_arrival(n->ctx, output, arrival);
}

/* One output's turn: grants at most one packet.  The cycle at which it may grant again, UINT64_MAX
 * when the consumer has to make room first. */
static uint64_t serve(struct noc *n, uint32_t output, uint64_t now)
{
    struct noc_output *out = &n->out[output];
    if (out->queue.n >= n->p->output_queue)
        return UINT64_MAX; /* noc_take says when there is room */
    if (out->free_at > now) return out->free_at;
    uint64_t next = UINT64_MAX;
    for (uint32_t k = out->requests.n; k > 0; k--) {
        uint32_t input = ring_pop(&out->requests);
        if (n->in[input].free_at <= now) {
            cross(n, output, input, now);
            return out->free_at;
        }
        if (n->in[input].free_at < next) next = n->in[input].free_at;
        ring_push(&out->requests, input);
    }
    return next;
}

static uint64_t crossbar_step(struct noc *n, uint64_t now)
{
    uint64_t next = UINT64_MAX, packets = n->s.packets;
    for (uint32_t k = n->active.n; k > 0; k--) {
        uint32_t output = ring_pop(&n->active);
        uint64_t again = serve(n, output, now);
        if (ring_empty(&n->out[output].requests)) {
            n->is_active[output] = false;
            continue;
        }
        ring_push(&n->active, output);
        if (again < next) next = again;
    }
    /* a packet that crossed may have uncovered a head for an output that was idle when its turn
     * came */
    if (n->s.packets != packets && n->active.n) return now + 1;
    return next;
}

const struct noc_ops noc_crossbar = {.name = "crossbar", .step = crossbar_step};

bool noc_check(const struct noc *n)
{
    uint32_t queued = 0;
    for (uint32_t i = 0; i < n->inputs; i++) {
        if (n->in[i].queue.n > n->p->input_queue) return false;
        queued += n->in[i].queue.n;
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        if (n->out[i].queue.n > n->p->output_queue) return false;
        queued += n->out[i].queue.n;
    }
    return queued == n->in_flight;
}

void noc_stuck(const struct noc *n, const char *name, struct text *out)
{
    for (uint32_t i = 0; i < n->inputs; i++)
        if (n->in[i].queue.n)
            text_add(out, "%s: input %u holds %u packets, its head wants output %u\n", name, i,
                     n->in[i].queue.n, (uint32_t)(fifo_front(&n->in[i].queue)->time >> 16));
    for (uint32_t i = 0; i < n->outputs; i++)
        if (n->out[i].queue.n)
            text_add(out, "%s: output %u holds %u packets, %u inputs ask for it\n", name, i,
                     n->out[i].queue.n, n->out[i].requests.n);
}
