/* Does a pointer chase take on each card as many cycles as were measured, at every level? */
#include "tests/support/cards.h"
#include "tests/support/run.h"

#include <stdio.h>

/* Core cycles until the end of so many loads, one after the other, over a ring. */
static double chase(const struct machine *m, uint32_t kb, uint32_t loads)
{
    char text[256];
    snprintf(text, sizeof text,
             "generator = \"pointer_chase\"; footprint = \"%uKB\"; stride = 128; ctas = 1;"
             " order = \"scattered\"; warps_per_cta = 1; iterations = %u; unroll = 1;",
             kb, loads);
    struct metrics r = run_on(m, text);
    return r.v[M_cycles];
}

/* Cycles of a load behind the first `warm` ones. */
static double latency(const struct machine *m, uint32_t kb, uint32_t warm, uint32_t loads)
{
    return (chase(m, kb, warm + loads) - chase(m, kb, warm)) / loads;
}

static void within(const char *card, const char *level, double cycles, double want)
{
    if (want > 0 && (cycles < 0.9 * want || cycles > 1.1 * want))
        fail_msg("%s: %s takes %.1f cycles, not %.0f", card, level, cycles, want);
}

static void chases_take_what_was_measured(void **state)
{
    static const char *const small_l2[] = {"l2.bank_kb=32"};
    struct card card[CARDS_MAX];
    uint32_t n = cards_read(card);
    (void)state;
    for (uint32_t i = 0; i < n; i++) {
        const struct card *c = &card[i];
        struct machine m = run_machine(c->machine, NULL, 0);
        within(c->machine, "the L1", latency(&m, 8, 256, 256), c->l1);
        if (c->l2 > 0) within(c->machine, "the L2", latency(&m, 320, 2560, 256), c->l2);
        if (c->memory > 0)
            within(c->machine, "the memory", latency(&m, 262144, 512, 512), c->memory);
        if (c->l3 == 0) continue;
        /* the second round of a ring that an L2 of so few lines does not hold */
        m = run_machine(c->machine, small_l2, 1);
        uint32_t kb = 2 * m.l2.banks / m.l2.partitions * m.l2.bank_kb;
        within(c->machine, "the L3", latency(&m, kb, kb * 8, 512), c->l3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chases_take_what_was_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
