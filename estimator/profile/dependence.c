/* dependence.c - see dependence.h. */
#include "estimator/profile/dependence.h"

#include <string.h>

void depend_start(struct depend *d)
{
    memset(d->reg, 0, d->n * sizeof *d->reg);
    *d = (struct depend){.reg = d->reg, .n = d->n, .own = 1};
}

static struct depend_wait advance_to(struct depend *d, uint64_t own, uint64_t time)
{
    struct depend_wait w = {0};
    if (own <= d->own) return w;
    uint64_t wait = own - d->own;
    w.time = time;
    w.waits = wait > DEPEND_LOAD / 2;
    w.overlap = wait < DEPEND_LOAD ? (uint32_t)(DEPEND_LOAD - wait) : 0;
    d->own = own;
    return w;
}

struct depend_wait depend_drain(struct depend *d)
{
    return advance_to(d, d->all_own, d->all_time);
}

static bool find_sources(const struct depend *d, const struct static_inst *si, uint64_t *own,
                         uint64_t *time)
{
    *own = *time = 0;
    for (uint32_t i = 0; i <= si->n_src && i <= INST_MAX_SRC; i++) {
        uint16_t r = i < si->n_src ? si->src[i] : si->dst;
        if (r >= d->n || d->reg[r].own <= *own) continue;
        *own = d->reg[r].own;
        *time = d->reg[r].time;
    }
    return *own > d->own;
}

struct depend_wait depend_check(struct depend *d, const struct static_inst *si,
                                enum memory_wait rule)
{
    uint64_t own, time;
    if (rule == WAIT_BLOCK) return depend_drain(d);
    if (!find_sources(d, si, &own, &time)) return (struct depend_wait){0};
    return rule == WAIT_ALL_AT_USE ? depend_drain(d) : advance_to(d, own, time);
}

uint32_t depend_distance(const struct depend *d, const struct static_inst *si, uint8_t *cls)
{
    uint32_t youngest = 0;
    for (uint32_t i = 0; i < si->n_src && i < INST_MAX_SRC; i++) {
        uint16_t r = si->src[i];
        if (r >= d->n || d->reg[r].made_at <= youngest) continue;
        youngest = d->reg[r].made_at;
        *cls = d->reg[r].made_by;
    }
    return youngest ? d->instructions + 1 - youngest : 0;
}

void depend_issue(struct depend *d, const struct static_inst *si)
{
    d->instructions++;
    d->own++;
    if (si->dst >= d->n) return;
    d->reg[si->dst] = (struct depend_reg){0};
    if (inst_op_is_global(si->cls)) return;
    d->reg[si->dst].made_at = d->instructions;
    d->reg[si->dst].made_by = si->cls;
}

void depend_load(struct depend *d, const struct static_inst *si, uint64_t ready)
{
    uint64_t own = d->own + DEPEND_LOAD;
    d->all_own = own;
    if (ready > d->all_time) d->all_time = ready;
    if (si->dst >= d->n) return;
    d->reg[si->dst].own = own;
    d->reg[si->dst].time = ready;
}
