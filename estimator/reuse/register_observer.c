/* register_observer.c - see register_observer.h. */
#include "estimator/reuse/register_observer.h"

#include "base/memory/alloc.h"

#include <string.h>

/* Of a register that a load has written: whether it has not been used since. */
enum { LOADED = 1u << 30, UNUSED = 1u << 29, NUMBER = UNUSED - 1 };

void register_observer_fini(struct register_observer *o)
{
    register_map_fini(&o->map);
    mem_free(o->last);
    *o = (struct register_observer){0};
}

bool register_observer_launch(struct register_observer *o, const struct launch *l, uint32_t warps)
{
    register_map_fini(&o->map);
    return register_map_init(&o->map, l) &&
           mem_grow(&o->last, &o->cap, (size_t)warps * o->map.registers, sizeof *o->last);
}

static uint32_t *registers_of(const struct register_observer *o, uint32_t warp)
{
    return &o->last[(size_t)warp * o->map.registers];
}

void register_observer_begins(struct register_observer *o, uint32_t warp)
{
    memset(registers_of(o, warp), 0, o->map.registers * sizeof *o->last);
}

static void count_distance(double *counts, uint32_t distance)
{
    if (distance < REGISTER_APART) counts[distance]++;
}

static void count_read(uint32_t *last, uint32_t now, struct register_use *to)
{
    if (!*last) return;
    if (*last & UNUSED) *last = LOADED | ((now - 1) & NUMBER);
    count_distance(*last & LOADED ? to->loaded_before : to->made_before, now - (*last & NUMBER));
}

static void count_write(uint32_t *last, uint32_t now, bool load, struct register_use *to)
{
    if (*last) count_distance(to->written_before, now - (*last & NUMBER));
    *last = now | (load ? LOADED | UNUSED : 0);
}

void register_observer_issues(struct register_observer *o, uint32_t warp,
                              const struct warp_inst *inst, uint32_t now, struct register_use *to)
{
    const struct register_operands *r = &o->map.code[inst->code];
    uint32_t *last = registers_of(o, warp);
    now &= NUMBER;
    for (uint32_t i = 0; i < r->reads; i++)
        count_read(&last[r->read[i]], now, to);
    for (uint32_t i = 0; i < r->writes; i++)
        count_write(&last[r->write[i]], now, inst_op_is_global(inst->si->cls), to);
}

void register_observer_issued(const struct register_observer *o, uint32_t code, uint8_t cls,
                              double times, struct register_use *to)
{
    const struct register_operands *r = &o->map.code[code];
    to->reads[cls] += times * r->reads;
    to->writes[cls] += times * r->writes;
    to->readers[cls] += r->reads ? times : 0;
    for (uint32_t i = 0; i < r->reads; i++)
        to->accessed[r->read[i] % REGISTER_NUMBERS] += times;
    for (uint32_t i = 0; i < r->writes; i++)
        to->accessed[r->write[i] % REGISTER_NUMBERS] += times;
    if (o->map.registers > to->registers) to->registers = o->map.registers;
}

void register_use_add(struct register_use *to, const struct register_use *from)
{
    double most = to->registers > from->registers ? to->registers : from->registers;
    double *sum = (double *)to;
    const double *more = (const double *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += more[i];
    to->registers = most;
}

void register_use_scale(struct register_use *u, double by)
{
    double registers = u->registers, *count = (double *)u;
    for (size_t i = 0; i < sizeof *u / sizeof *count; i++)
        count[i] *= by;
    u->registers = registers;
}
