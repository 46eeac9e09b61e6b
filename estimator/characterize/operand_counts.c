/* operand_counts.c - registers that each static instruction reads and writes, each counted once,
 * and how many of them lie in its fullest bank (register number modulo OPERAND_BANKS). One
 * execution adds the counts of its instruction. */
#include "estimator/characterize/operand_counts.h"

#include "base/memory/alloc.h"
#include "gpu/geometry/register_map.h"

static bool is_read(const struct register_operands *o, uint16_t reg)
{
    for (uint32_t i = 0; i < o->reads; i++)
        if (o->read[i] == reg) return true;
    return false;
}

/* The most registers of an instruction in one bank. */
static uint32_t fullest_bank(const struct register_operands *o)
{
    uint8_t in[OPERAND_BANKS] = {0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < o->reads; i++)
        in[o->read[i] % OPERAND_BANKS]++;
    for (uint32_t i = 0; i < o->writes; i++)
        if (!is_read(o, o->write[i])) in[o->write[i] % OPERAND_BANKS]++;
    for (uint32_t b = 0; b < OPERAND_BANKS; b++)
        if (in[b] > most) most = in[b];
    return most;
}

bool operand_code_init(struct operand_code *c, const struct launch *l)
{
    struct register_map m;
    c->of = NULL;
    if (!register_map_init(&m, l)) return false;
    c->of = mem_new(l->n_code ? l->n_code : 1, sizeof *c->of);
    for (uint32_t i = 0; c->of && i < l->n_code; i++) {
        uint32_t most = fullest_bank(&m.code[i]);
        c->of[i] = (struct operand_counts){m.code[i].reads, m.code[i].writes, most >= 2, most >= 3,
                                           m.registers};
    }
    register_map_fini(&m);
    return c->of != NULL;
}

void operand_code_fini(struct operand_code *c)
{
    mem_free(c->of);
    c->of = NULL;
}

void operand_counts_add(struct operand_counts *to, const struct operand_counts *u)
{
    to->reads += u->reads;
    to->results += u->results;
    to->shared += u->shared;
    to->crowded += u->crowded;
    if (u->per_lane > to->per_lane) to->per_lane = u->per_lane;
}
