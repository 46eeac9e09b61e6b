/* crossbar_replay.c - see crossbar_replay.h. */
#include "estimator/network/crossbar_replay.h"

#include "base/memory/thread_block.h"
#include "estimator/constants.h"

#include <string.h>

enum { PORTS = 1024, UNITS = SAMPLE_BLOCK, LEAST = 64 };
enum { BINS = 64, NONE = UINT16_MAX };

/* The accesses, in the order of each input. */
struct crossbar_replay {
    uint32_t n;
    struct unit {
        uint16_t input, output, slots, next; /* next: the following access of the same input */
        uint32_t start;                      /* the slot at which it goes */
    } at[UNITS];
};

/* An input whose head waits, since when, and how many had asked before. */
struct port {
    uint16_t head, tail;
    uint32_t when, turn;
};

/* Of n inputs, the place of the one whose turn is next: in one cycle, in the order of arrival. */
static uint32_t next_turn(const struct port *in, const uint16_t *waiting, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < n; k++) {
        const struct port *a = &in[waiting[k]], *b = &in[waiting[best]];
        if (a->when < b->when || (a->when == b->when && a->turn < b->turn)) best = k;
    }
    return best;
}

/* The tables of a replay; free_at: the slot from which each output is free. */
struct crossbar_tables {
    struct crossbar_replay x;
    struct port in[PORTS];
    uint16_t waiting[PORTS];
    uint32_t free_at[PORTS];
};

static void queue_up(struct crossbar_replay *x, struct port in[PORTS])
{
    memset(in, 0xff, PORTS * sizeof *in);
    for (uint32_t i = 0; i < x->n; i++) {
        struct port *p = &in[x->at[i].input];
        x->at[i].next = NONE;
        if (p->head == NONE)
            p->head = (uint16_t)i;
        else
            x->at[p->tail].next = (uint16_t)i;
        p->tail = (uint16_t)i;
    }
}

/* Returns how many inputs sent any. */
static uint32_t send_units(struct crossbar_tables *t)
{
    uint32_t inputs = 0;
    queue_up(&t->x, t->in);
    memset(t->free_at, 0, sizeof t->free_at);
    for (uint16_t i = 0; i < PORTS; i++) {
        if (t->in[i].head == NONE) continue;
        t->in[i].when = 0, t->in[i].turn = inputs;
        t->waiting[inputs++] = i;
    }
    for (uint32_t left = inputs, turn = inputs; left;) {
        uint32_t k = next_turn(t->in, t->waiting, left);
        struct port *p = &t->in[t->waiting[k]];
        struct unit *u = &t->x.at[p->head];
        uint32_t *to = &t->free_at[u->output];
        u->start = p->when > *to ? p->when : *to;
        p->when = *to = u->start + u->slots;
        p->turn = turn++;
        p->head = u->next;
        if (u->next == NONE) t->waiting[k] = t->waiting[--left];
    }
    return inputs;
}

/* Slots in use while most inputs have something to send: between CROSSBAR_FROM of
 * them and CROSSBAR_UNTIL. */
static struct crossbar_pace steady_pace(const struct crossbar_replay *x, uint32_t inputs)
{
    double in_bin[BINS] = {0}, all = 0, sum = 0, from = 0, until = 0, before = 0;
    uint32_t end = 0;
    for (uint32_t i = 0; i < x->n; i++)
        end = x->at[i].start > end ? x->at[i].start : end;
    for (uint32_t i = 0; i < x->n; i++) {
        in_bin[(uint64_t)x->at[i].start * BINS / (end + 1)] += x->at[i].slots;
        all += x->at[i].slots;
    }
    for (uint32_t b = 0; b < BINS && until <= 0; b++) {
        sum += in_bin[b];
        if (from <= 0 && sum >= CROSSBAR_FROM * all) {
            from = b + 1;
            before = sum;
        } else if (from > 0 && sum >= CROSSBAR_UNTIL * all) {
            until = b + 1;
        }
    }
    if (until <= from) return (struct crossbar_pace){0};
    return (struct crossbar_pace){.busy = (sum - before) * BINS / ((until - from) * (end + 1)),
                                  .inputs = inputs,
                                  .each = (double)x->n / inputs};
}

static bool reaches_crossbar(const struct sampled *a, uint16_t l1)
{
    return a->kind != SAMPLED_READ || a->l1 >= l1;
}

static uint32_t count_reaching(const struct block_sample *s, uint32_t b, uint16_t l1)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n[b]; i++)
        n += reaches_crossbar(&s->at[b][i], l1);
    return n;
}

/* The block of which most reaches the crossbar; the first, which is the launch's beginning, only if
 * too little of the others does. */
static uint32_t fullest_block(const struct block_sample *s, uint16_t l1)
{
    uint32_t best = 0, most = LEAST - 1;
    for (uint32_t b = 1; b < s->blocks; b++) {
        uint32_t n = count_reaching(s, b, l1);
        if (n > most) best = b, most = n;
    }
    return best;
}

struct crossbar_pace crossbar_replay(const struct block_sample *s, const struct map *map,
                                     uint16_t l1, uint32_t sms_per_port)
{
    static _Thread_local void *block;
    struct crossbar_tables *t = THREAD_BLOCK(struct crossbar_tables, block);
    struct crossbar_replay *x = &t->x;
    uint32_t b = fullest_block(s, l1);
    x->n = 0;
    for (uint32_t i = 0; s->blocks && i < s->n[b]; i++) {
        const struct sampled *a = &s->at[b][i];
        if (!reaches_crossbar(a, l1)) continue;
        x->at[x->n++] = (struct unit){.input = (uint16_t)(a->sm / sms_per_port % PORTS),
                                      .output = (uint16_t)map_slice(map, a->addr),
                                      .slots = a->sectors};
    }
    if (x->n < LEAST) return (struct crossbar_pace){0};
    uint32_t inputs = send_units(t);
    return steady_pace(x, inputs);
}
