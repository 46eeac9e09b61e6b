/* cpu_core.c - see cpu_core.h. */
#include "detailed/cpu/cpu_core.h"

#include "detailed/parts/component.h"
#include "gpu/geometry/address_map.h"
#include "gpu/pages/placement.h"

#include <math.h>

/* Where the cores' memory begins, above what programs use, and the room of each. */
#define CORES_BASE (UINT64_C(1) << 38)
#define CORE_ROOM (UINT64_C(1) << 34)
enum { MEGABYTE = 1 << 20 };

/* --- draws --- */

static bool is_drawn(struct cpu_core *c, uint32_t percent)
{
    return rng_below(&c->rng, 100) < percent;
}

/* Instructions from a miss to the next: geometric, at least one. */
static uint64_t draw_distance(struct cpu_core *c)
{
    double p = c->p->mpki / 1000;
    if (p <= 0) return UINT64_MAX / 2;
    if (p >= 1) return 1;
    return 1 + (uint64_t)(log1p(-rng_unit(&c->rng)) / log1p(-p));
}

static uint64_t draw_line(struct cpu_core *c, uint64_t *line)
{
    bool follows = is_drawn(c, c->p->row_locality);
    *line = follows ? (*line + 1) % c->lines : rng_below(&c->rng, c->lines);
    return *line;
}

/* --- building --- */

void cpu_core_init(struct cpu_core *c, uint32_t id, const struct cpu_params *p, uint32_t first_port,
                   const struct wiring *w)
{
    const struct cpu_program *of = &p->program[id];
    struct noc *networks = w->all[KIND_noc];
    *c = (struct cpu_core){.w = w,
                           .p = of,
                           .request = &networks[NOC_REQUEST],
                           .reply = &networks[NOC_REPLY],
                           .id = id,
                           .port = first_port + id,
                           .rob = p->rob,
                           .noc_period = w->clocks->period[CLOCK_NOC],
                           .ticks_per_instruction =
                               1 / (of->base_ipc * p->clock_mhz * w->clocks->tick_us),
                           .lines = (uint64_t)of->footprint_mb * MEGABYTE / CPU_LINE};
    cpu_core_clear(c);
}

void cpu_core_clear(struct cpu_core *c)
{
    rng_seed(&c->rng, 1, c->id);
    c->missed = rng_below(&c->rng, c->lines);
    c->evicted = rng_below(&c->rng, c->lines);
    c->instruction = c->since = 0;
    c->stalled = c->evicts = false;
    for (uint32_t i = 0; i < CPU_MLP_MAX; i++)
        c->miss[i] = (struct cpu_miss){0};
    c->in_flight = 0;
    c->s = (struct cpu_core_stats){0};
    c->next_miss = draw_distance(c);
}

void cpu_core_fini(struct cpu_core *c)
{
    *c = (struct cpu_core){0};
}

uint64_t cpu_core_place(const struct cpu_core *c, uint64_t line)
{
    uint64_t addr = CORES_BASE + c->id * CORE_ROOM + line * CPU_LINE;
    return placement_touch(c->w->placement, addr, c->port);
}

/* --- requests --- */

static uint32_t free_slot(const struct cpu_core *c)
{
    uint32_t i = 0;
    while (c->miss[i].in_flight)
        i++;
    return i;
}

/* Pushes a request. Precondition: the port has room. */
static void push_request(struct cpu_core *c, enum req_kind kind, uint32_t slot, uint64_t now)
{
    const struct wiring *w = c->w;
    bool write = kind == REQ_WRITE;
    uint64_t addr = cpu_core_place(c, draw_line(c, write ? &c->evicted : &c->missed));
    uint32_t req = req_new(w->reqs);
    if (req == REQ_NONE) return;
    struct req *r = &w->reqs->item[req];
    r->addr = addr;
    r->entry = slot;
    r->sm = c->port & 1023u;
    r->kind = kind & 3u;
    r->bytes = CPU_LINE;
    uint32_t flits = noc_length(c->request, write ? CPU_LINE : 0);
    noc_push(c->request, c->port, map_slice(w->map, addr), flits, req, now);
    w->noc_due(w->sim);
}

static bool port_has_room(struct cpu_core *c)
{
    if (noc_can_push(c->request, c->port)) return true;
    c->request->in[c->port].notify = true;
    return false;
}

static void send_write_back(struct cpu_core *c, uint64_t now)
{
    if (!c->evicts || !port_has_room(c)) return;
    push_request(c, REQ_WRITE, 0, now);
    c->evicts = false;
    c->s.writes++;
}

/* Sends the miss to which the core has come, and the write-back that it causes; false: the port has
 * no room. */
static bool send_miss(struct cpu_core *c, uint64_t now)
{
    send_write_back(c, now);
    if (c->evicts || !port_has_room(c)) return false;
    uint32_t slot = free_slot(c);
    c->miss[slot] = (struct cpu_miss){c->next_miss, now * c->noc_period, true};
    c->in_flight++;
    push_request(c, REQ_READ, slot, now);
    c->s.reads++;
    c->evicts = is_drawn(c, c->p->write_share);
    send_write_back(c, now);
    c->next_miss += draw_distance(c);
    return true;
}

/* Takes the data that have come. */
static void take_replies(struct cpu_core *c, uint64_t now)
{
    const struct wiring *w = c->w;
    uint32_t req;
    while (noc_ready_at(c->reply, c->port) <= now) {
        if (noc_take(c->reply, c->port, &req)) w->noc_due(w->sim);
        struct cpu_miss *m = &c->miss[w->reqs->item[req].entry];
        m->in_flight = false;
        c->in_flight--;
        c->s.returned++;
        c->s.latency_ticks += now * c->noc_period - m->sent;
        req_free(w->reqs, req);
    }
}

/* --- execution --- */

/* The instruction before which the core stops: of the next miss, or where its window ends. */
static uint64_t window_end(const struct cpu_core *c)
{
    uint64_t end = c->next_miss;
    if (!c->in_flight) return end;
    for (uint32_t i = 0; i < c->p->mlp; i++) {
        uint64_t last = c->miss[i].instruction + c->rob;
        if (c->miss[i].in_flight && last < end) end = last;
    }
    return end;
}

/* Executes up to a tick; returns the tick at which the core comes to its next miss or the end of
 * its window, INFINITY: it has stalled. */
static double execute(struct cpu_core *c, uint64_t now)
{
    double tick = (double)(now * c->noc_period);
    while (c->in_flight < c->p->mlp) {
        uint64_t end = window_end(c);
        double at = c->since + ((double)end - c->instruction) * c->ticks_per_instruction;
        if (at > tick) return at;
        c->instruction = (double)end;
        c->since = at;
        if (end < c->next_miss || !send_miss(c, now)) break;
    }
    c->stalled = true;
    return INFINITY;
}

uint64_t cpu_core_step(struct cpu_core *c, uint64_t now)
{
    double next = c->stalled ? INFINITY : execute(c, now);
    take_replies(c, now);
    send_write_back(c, now);
    if (c->stalled) { /* it goes on from here, if it can */
        c->stalled = false;
        c->since = (double)(now * c->noc_period);
        next = execute(c, now);
    } else {
        next = execute(c, now); /* its window may end later now */
    }
    uint64_t arrival = noc_ready_at(c->reply, c->port);
    uint64_t due = next == INFINITY ? UINT64_MAX : (uint64_t)ceil(next / (double)c->noc_period);
    if (due <= now) due = now + 1;
    return arrival < due ? arrival : due;
}

double cpu_core_instructions(const struct cpu_core *c, uint64_t tick)
{
    if (c->stalled || (double)tick <= c->since) return c->instruction;
    double end = (double)window_end(c);
    double done = c->instruction + ((double)tick - c->since) / c->ticks_per_instruction;
    return done < end ? floor(done) : end;
}

bool cpu_core_check(const struct cpu_core *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->p->mlp; i++) {
        n += c->miss[i].in_flight;
        double end = (double)(c->miss[i].instruction + c->rob);
        if (c->miss[i].in_flight && end < c->instruction) return false;
    }
    return n == c->in_flight && c->s.reads == c->s.returned + n &&
           c->instruction <= (double)c->next_miss;
}

void cpu_core_stuck(const struct cpu_core *c, struct text *out)
{
    text_add(out, "CPU core %u (%s): at instruction %.0f, %u misses in flight%s\n", c->id,
             c->p->name, c->instruction, c->in_flight, c->stalled ? ", stalled" : "");
}
