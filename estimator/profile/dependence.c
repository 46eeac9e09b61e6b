/* dependence.c - see dependence.h. */
#include "estimator/profile/dependence.h"

#include <string.h>

void depend_start(struct depend *d)
{
    memset(d->reg, 0, d->n * sizeof *d->reg);
    if (d->copies) *d->copies = (struct copy_groups){0};
    *d = (struct depend){.reg = d->reg, .copies = d->copies, .n = d->n, .own = 1};
}

static struct depend_wait advance_to(struct depend *d, uint64_t own)
{
    struct depend_wait w = {0};
    if (own <= d->own) return w;
    uint64_t wait = own - d->own;
    w.waits = wait > DEPEND_LOAD / 2;
    w.overlap = wait < DEPEND_LOAD ? (uint32_t)(DEPEND_LOAD - wait) : 0;
    d->own = own;
    return w;
}

struct depend_wait depend_drain(struct depend *d)
{
    return advance_to(d, d->all_own);
}

struct depend_wait depend_end(struct depend *d)
{
    uint64_t copies = d->copies ? (uint64_t)d->copies->latest : 0;
    return advance_to(d, copies > d->all_own ? copies : d->all_own);
}

/* When a wait for copies is over; 0: the instruction is none. */
static uint64_t copies_of(const struct depend *d, const struct static_inst *si)
{
    if (si->cls != OP_COPY_WAIT || !d->copies) return 0;
    return (uint64_t)copy_groups_wait(d->copies, inst_open_groups(si));
}

/* When the last load into one of the instruction's registers ends; at most d->own: none is in
 * flight. */
static uint64_t loads_of(const struct depend *d, const struct static_inst *si)
{
    uint64_t own = 0;
    for (uint32_t i = 0; i <= si->n_src && i <= INST_MAX_SRC; i++) {
        uint16_t r = i < si->n_src ? si->src[i] : si->dst;
        if (r < d->n && d->reg[r].own > own) own = d->reg[r].own;
    }
    return own;
}

struct depend_wait depend_check(struct depend *d, const struct static_inst *si,
                                enum memory_wait rule)
{
    uint64_t own = loads_of(d, si), copies = copies_of(d, si);
    if (rule == WAIT_BLOCK) return advance_to(d, copies > d->all_own ? copies : d->all_own);
    if (copies) return advance_to(d, copies);
    if (own <= d->own) return (struct depend_wait){0};
    return rule == WAIT_ALL_AT_USE ? depend_drain(d) : advance_to(d, own);
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
    if (si->cls == OP_COPY_COMMIT && d->copies) copy_groups_commit(d->copies);
    if (si->dst >= d->n) return;
    d->reg[si->dst] = (struct depend_reg){0};
    if (inst_op_is_global(si->cls)) return;
    d->reg[si->dst].made_at = d->instructions;
    d->reg[si->dst].made_by = si->cls;
}

void depend_load(struct depend *d, const struct static_inst *si)
{
    if (inst_is_copy(si)) {
        copy_groups_add(d->copies, (double)(d->own + DEPEND_LOAD));
        return;
    }
    d->all_own = d->own + DEPEND_LOAD;
    if (si->dst < d->n) d->reg[si->dst].own = d->all_own;
}
