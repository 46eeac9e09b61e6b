/* noc.h - a network with one queue per input and per output, behind a table of topologies.
 *
 * A packet is a handle with a length in flits. In a crossbar, packets of one length that are sent
 * together are a train with one handle: they cross one by one, like packets of their own, and the
 * train arrives with its last. A packet waits in its input's queue (in order), crosses
 * when the topology allows it, and stays in its output's queue until the consumer takes it. Room in
 * the output queue is reserved when a packet starts to cross (credits), so that nothing is ever
 * dropped.
 *
 * Inputs or outputs of neighbouring SMs may share a port (noc.sms_per_port): each has its own
 * queue, one of them at a time has its head at the port, and the port passes one flit per cycle.
 * `lead` names the port: the first of its inputs or outputs.
 *
 * Time: cycles of the network clock. A packet pushed at cycle t (it becomes visible at the next
 * edge, t + 1) and never delayed can be taken from cycle t + latency + flits - 1 on; in a mesh,
 * latency is mesh_latency, in a crossbar what input and output are `far` away comes on top.
 * Wake-ups: noc_step returns its next cycle; pushing and taking may make it due earlier.
 *
 * Source: Candel 1.2.3, 3.4.3 (all-to-all crossbar); GPGPU-Sim's local crossbar for the
 * arbitration; Khairy table II (ports); Dally and Towles 2004 (mesh). */
#pragma once

#include "base/memory/prefetch.h"
#include "base/memory/ring.h"
#include "base/text/text.h"
#include "detailed/parts/delay_line.h"
#include "detailed/parts/stats.h"
#include "gpu/machine/params/noc.h"

enum { NOC_REQUEST, NOC_REPLY, NOC_N }; /* direction: from SMs to slices, or back */

#define NOC_STATS(C, M)                             \
    C(flits, "of packets that were sent")           \
    C(packets, "sent")                              \
    C(hop_flits, "mesh: flits times links crossed") \
    C(stall_cycles, "input cycles in which a head packet waited for its output or for room")
struct noc_stats {
    STATS_MEMBERS(NOC_STATS)
};

/* The state that a crossing packet touches: one cache line of the host each. */
struct noc_input {
    _Alignas(64) struct fifo queue; /* value = handle; time = destination << 16 | train */
    uint64_t free_at;    /* the link is busy with an earlier packet's flits before this cycle */
    uint64_t head_since; /* when the current head became the head */
    uint32_t lead;
    uint16_t far;    /* crossbar: cycles that its packets are longer on their way */
    bool notify : 1; /* the producer waits for room */
    bool asking : 1; /* used in a lead: one of the port's heads is at the port */
    uint8_t spare;   /* used in a lead: cycles without a packet, for trains that come late */
    uint32_t pushed; /* handles, modulo 2^32 */
    uint32_t held;   /* packets in the queue */
};

struct noc_output {
    /* Packets crossing or arrived; time = first cycle at which one may be taken. */
    _Alignas(64) struct fifo queue;
    struct ring requests; /* inputs whose head wants this output's port, oldest first */
    uint64_t free_at;
    uint32_t lead;
    uint32_t last;  /* the input that the port served last, where that matters */
    uint16_t far;   /* crossbar: cycles that packets to it are longer on their way */
    uint32_t taken; /* handles, modulo 2^32 */
    uint32_t held;  /* packets in the queue or on their way there, whole trains */
    uint8_t spare;  /* used in a port: as an input's */
    uint32_t begun; /* used in a port: trains that have crossed in part */
};

/* Where an input marks that it has a new head: a bit of a word. */
struct noc_mark {
    uint64_t *word, bit;
};

struct noc {
    const struct noc_params *p;
    const struct noc_ops *ops;
    int way;
    uint32_t inputs, outputs;
    uint32_t in_per_port, out_per_port;
    bool spread; /* inputs or outputs are `far` away */
    struct noc_input *in;
    struct noc_output *out;
    struct ring *waiting; /* [inputs] used in leads: inputs whose head waits for the port; NULL: no
                             port is shared */
    struct ring active;   /* crossbar: outputs with requests */
    bool *is_active;
    struct mesh *mesh;      /* mesh: its routers */
    uint16_t flits_of[256]; /* a packet's length by its bytes of data */
    struct noc_stats s;
    /* [inputs] Where a push marks that it has made a head, which comes to its port when the owner
     * calls noc_head_pushed, so that inputs may be pushed to at the same time. NULL: it comes at
     * once. */
    const struct noc_mark *mark;
    /* A packet can be taken from `cycle` on. */
    void (*on_arrival)(void *ctx, uint32_t output, uint64_t cycle);
    /* Optional: a train has crossed, its last packet so many cycles behind its first. */
    void (*on_train)(void *ctx, uint32_t handle, uint64_t span);
    /* Called when an input that had no room has room again. */
    void (*on_room)(void *ctx, uint32_t input);
    void *ctx;
};

struct noc_ops {
    const char *name;
    /* Allocates the topology's own state; false: no memory. NULL: it has none. */
    bool (*init)(struct noc *n, int way);
    void (*fini)(struct noc *n);
    void (*clear)(struct noc *n);
    /* Called when a packet has become the head of its input and is at its port. */
    void (*ask)(struct noc *n, uint32_t input, uint64_t now);
    /* Moves what can move at `now`; returns the next cycle at which something may move, UINT64_MAX
     * = when pushed. */
    uint64_t (*step)(struct noc *n, uint64_t now);
    /* Whether packets wait for room in this output's queue. */
    bool (*wants)(const struct noc *n, uint32_t output);
    /* *inside: packets between input and output. */
    bool (*check)(const struct noc *n, uint32_t *inside);
};
extern const struct noc_ops noc_crossbar, noc_mesh;
extern const struct noc_ops *const noc_table[TOPOLOGY_N];

/* way: NOC_REQUEST has SMs as inputs, NOC_REPLY as outputs; CPU cores follow the SMs there.  false:
 * no memory. */
bool noc_init(struct noc *n, const struct noc_params *p, int way, uint32_t inputs,
              uint32_t outputs);
void noc_fini(struct noc *n);
void noc_clear(struct noc *n);

uint32_t noc_flits(const struct noc_params *p, uint32_t data_bytes);
/* The length in flits of up to 255 bytes, without a division. */
static inline uint32_t noc_length(const struct noc *n, uint8_t data_bytes)
{
    return n->flits_of[data_bytes];
}
/* A train: the length of a packet, how many more are behind the first, whether they came one after
 * the other and the last one now, and, while it crosses, whether one has crossed; `more` falls with
 * each. */
enum { TRAIN_MORE = 1 << 11, TRAIN_MORE_MAX = 3, TRAIN_CAME = 1 << 14, TRAIN_BEGUN = 1 << 15 };
static inline uint32_t noc_train(uint32_t flits, uint32_t more)
{
    return flits | more * TRAIN_MORE;
}
static inline uint32_t noc_more(uint64_t train)
{
    return (uint32_t)train / TRAIN_MORE & TRAIN_MORE_MAX;
}
static inline bool noc_can_push(const struct noc *n, uint32_t input)
{
    return n->in[input].held < n->p->input_queue;
}
static inline uint64_t noc_step(struct noc *n, uint64_t now)
{
    return n->ops->step(n, now);
}
/* First cycle at which the output's next packet may be taken; UINT64_MAX: there is none. */
static inline uint64_t noc_ready_at(const struct noc *n, uint32_t output)
{
    return n->out[output].queue.due;
}
/* Handle of the output's next packet. Precondition: there is one. */
static inline uint32_t noc_next(const struct noc *n, uint32_t output)
{
    return fifo_front(&n->out[output].queue)->value;
}
/* Takes the output's next train, which has `more` packets behind its first. Returns true if packets
 * wait for the room that it leaves: the network is then due at its next cycle. */
static inline bool noc_take_train(struct noc *n, uint32_t output, uint32_t more, uint32_t *handle)
{
    struct noc_output *out = &n->out[output];
    bool was_full = out->held >= n->p->output_queue;
    *handle = fifo_pop(&out->queue);
    out->taken++;
    out->held -= 1 + more;
    return was_full && n->ops->wants(n, output);
}
static inline bool noc_take(struct noc *n, uint32_t output, uint32_t *handle)
{
    return noc_take_train(n, output, 0, handle);
}

/* --- for the topologies --- */
static inline uint32_t noc_head_output(const struct noc_input *in)
{
    return (uint32_t)(in->queue.due >> 16);
}
/* The first of the outputs that share this one's port. */
static inline uint32_t noc_port(const struct noc *n, uint32_t output)
{
    return n->out_per_port == 1 ? output : n->out[output].lead;
}
static inline uint32_t noc_head_flits(const struct noc_input *in)
{
    return (uint32_t)(in->queue.due & (TRAIN_MORE - 1));
}
typedef void noc_ask_fn(struct noc *n, uint32_t input, uint64_t now);
/* Moves the head of an input to its shared port; false: another head is at the port. */
bool noc_comes_to_port(struct noc *n, uint32_t input);
/* Called when an input has a new head; of the inputs that share a port, one has its head at the
 * port, the others wait. */
static inline void noc_head_comes(struct noc *n, uint32_t input, uint64_t now, noc_ask_fn *ask)
{
    n->in[input].head_since = now;
    if (!n->waiting || noc_comes_to_port(n, input)) ask(n, input, now);
}
/* Gives a free shared port to the head of another input than the last. */
void noc_next_at_port(struct noc *n, uint32_t last, uint64_t now);
/* The input, which has marked it, was pushed to at `now` when it was empty. */
static inline void noc_head_pushed(struct noc *n, uint32_t input, uint64_t now)
{
    noc_head_comes(n, input, now, n->ops->ask);
}
/* Precondition: noc_can_push.  Makes the network due at the next cycle.  train: a packet's flits,
 * or a noc_train.  false: no memory. */
static inline bool noc_push(struct noc *n, uint32_t input, uint32_t output, uint32_t train,
                            uint32_t handle, uint64_t now)
{
    struct noc_input *in = &n->in[input];
    if (!fifo_push(&in->queue, (uint64_t)output << 16 | train, handle)) return false;
    in->pushed++;
    in->held += 1 + noc_more(train);
    if (in->queue.n != 1) return true;
    if (!n->mark)
        noc_head_comes(n, input, now, n->ops->ask);
    else
        *n->mark[input].word |= n->mark[input].bit;
    return true;
}
/* Removes the input's head, of a train the first packet, at `now`: what follows becomes the head,
 * and the producer is notified. ask: the topology's. */
static inline void noc_depart(struct noc *n, uint32_t input, uint64_t now, noc_ask_fn *ask)
{
    struct noc_input *in = &n->in[input];
    n->s.packets++;
    n->s.flits += noc_head_flits(in);
    if (now > in->head_since + 1) n->s.stall_cycles += now - in->head_since - 1;
    in->held--;
    if (noc_more(in->queue.due)) {
        in->queue.due = (in->queue.due - TRAIN_MORE) | TRAIN_BEGUN;
    } else {
        fifo_pop(&in->queue);
        prefetch_line(fifo_at(&in->queue, 2)); /* a long queue is not in the host's caches */
    }
    if (in->queue.n) noc_head_comes(n, input, now, ask);
    if (n->waiting) noc_next_at_port(n, input, now);
    if (!in->notify) return;
    in->notify = false;
    n->on_room(n->ctx, input);
}
/* Removes and returns the first, by arbitration, of the ring's inputs for which `may` is true
 * (NULL: all); the others stay in order. UINT32_MAX: none. */
uint32_t noc_choose(enum arbitration kind, struct ring *r, uint32_t last,
                    bool (*may)(const struct noc *n, uint32_t input, uint64_t now),
                    const struct noc *n, uint64_t now);

uint32_t noc_in_flight(const struct noc *n); /* packets that were pushed and not taken */
bool noc_check(const struct noc *n);
void noc_stuck(const struct noc *n, struct text *out);
