/* head.c - see head.h. */
#include "sampler/head.h"

#include "base/mem.h"
#include "geometry/occupancy.h"
#include "machine/machine.h"

uint64_t head_instructions(const struct program *p)
{
    uint64_t n = 0;
    for (uint32_t l = 0; l < program_launches(p); l++)
        n += program_cta_start(p, l, program_launch(p, l)->ctas);
    return n;
}

static uint64_t head_of(const struct machine *m, const struct launch *l)
{
    uint64_t wave = (uint64_t)occupancy(&m->sm, &m->l1, l).ctas * m->sm.count;
    uint64_t ctas = HEAD_WAVES * (wave ? wave : 1);
    return ctas < l->ctas ? ctas : l->ctas;
}

bool head_open(const struct machine *m, const struct program *p, struct program **h,
               struct error *e)
{
    *h = NULL;
    if (head_instructions(p) < HEAD_LONG) return true;
    uint64_t *ctas = mem_new((size_t)program_launches(p) + 1, sizeof *ctas);
    for (uint32_t l = 0; ctas && l < program_launches(p); l++)
        ctas[l] = head_of(m, program_launch(p, l));
    if (ctas)
        *h = program_head(p, ctas, e);
    else
        error_no_memory(e);
    mem_free(ctas);
    return *h != NULL;
}
