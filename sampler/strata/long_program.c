/* long_program.c - see long_program.h. */
#include "sampler/strata/long_program.h"

#include "base/memory/alloc.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/machine.h"
#include "sampler/constants.h"

uint64_t long_program_instructions(const struct program *p)
{
    return long_program_selected(p, NULL, 0);
}

uint32_t long_program_resident_warps(const struct machine *m, const struct launch *l)
{
    struct occupancy o = occupancy(&m->sm, &m->l1, l);
    uint64_t ctas = (uint64_t)o.ctas * m->sm.count;
    if (ctas > l->ctas) ctas = l->ctas;
    uint64_t warps = ctas * l->warps_per_cta;
    return warps ? (uint32_t)warps : 1;
}

/* The number of CTAs that the machine holds at once. */
static uint64_t wave_of(const struct machine *m, const struct launch *l)
{
    uint64_t wave = (uint64_t)occupancy(&m->sm, &m->l1, l).ctas * m->sm.count;
    return wave ? wave : 1;
}

uint64_t long_program_drain(const struct machine *m, const struct program *p, uint32_t launch)
{
    const struct launch *l = program_launch(p, launch);
    uint64_t wave = wave_of(m, l), last = l->ctas % wave;
    bool drains = last > 1 && last < m->sm.count && wave > m->sm.count && l->ctas > wave;
    if (!drains) return 0;
    return program_cta_start(p, launch, l->ctas) - program_cta_start(p, launch, l->ctas - last);
}

/* The mean number of instructions of as many CTAs as the machine holds at once. */
static uint64_t wave_instructions(const struct machine *m, const struct program *p, uint32_t launch)
{
    const struct launch *l = program_launch(p, launch);
    uint64_t wave = wave_of(m, l), n = program_cta_start(p, launch, l->ctas);
    return wave < l->ctas ? (uint64_t)((double)n / (double)l->ctas * (double)wave) : n;
}

uint64_t long_program_least_interval(const struct machine *m, const struct program *p,
                                     uint32_t launch)
{
    bool few =
        long_program_resident_warps(m, program_launch(p, launch)) < LONG_FEW_WARPS * m->sm.count;
    return few ? wave_instructions(m, p, launch) : 0;
}

static uint64_t head_of(const struct machine *m, const struct launch *l)
{
    uint64_t wave = wave_of(m, l);
    uint64_t waves = l->ctas / wave / LONG_PART;
    if (waves > LONG_WAVES) waves = LONG_WAVES;
    uint64_t ctas = wave * (waves ? waves : 1);
    return ctas < l->ctas ? ctas : l->ctas;
}

uint64_t long_program_selected(const struct program *p, const bool *selected, uint64_t most)
{
    uint64_t n = 0;
    for (uint32_t l = 0; l < program_launches(p); l++)
        if (!selected || selected[l]) n += program_cta_start(p, l, program_launch(p, l)->ctas);
    return most && most < n ? most : n;
}

double sample_price_sum(const struct sample_price *price)
{
    return price->profile + price->pass + price->intervals;
}

struct sample_price long_program_price(const struct machine *m, const struct program *p,
                                       const bool *selected, uint64_t most)
{
    uint64_t all = 0, heads = 0, left = most ? most : UINT64_MAX;
    double intervals = 0;
    for (uint32_t i = 0; i < program_launches(p); i++) {
        if (selected && !selected[i]) continue;
        const struct launch *l = program_launch(p, i);
        uint64_t n = program_cta_start(p, i, l->ctas);
        uint64_t head = program_cta_start(p, i, head_of(m, l));
        if (n > left) n = left;
        left -= n;
        all += n;
        heads += head < n ? head : n;
        uint64_t least = long_program_least_interval(m, p, i),
                 length = (uint64_t)LONG_INTERVAL * long_program_resident_warps(m, l);
        intervals += (double)n / (double)(length > least ? length : least);
    }
    if (!all) return (struct sample_price){0};
    return (struct sample_price){.profile = (double)heads / (double)all,
                                 .pass = 1.0 / PASS_PRICE,
                                 .intervals = FIRST_UNITS / intervals};
}

bool long_program_is_long(const struct machine *m, const struct program *p, const bool *selected,
                          uint64_t most)
{
    struct sample_price price = long_program_price(m, p, selected, most);
    return long_program_selected(p, selected, most) >= LONG_FROM &&
           sample_price_sum(&price) <= SAMPLE_WORTH;
}

bool long_program_open(const struct machine *m, const struct program *p, struct program **h,
                       struct error *e)
{
    *h = NULL;
    if (long_program_instructions(p) < LONG_FROM) return true;
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
