/* The placement of CTAs on sub-cores, against an obvious reference that deals warps one by one over
 * counts of free slots, while CTAs come and go in a drawn order. */
#include "gpu/policies/subcore_placement.h"

#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { CTAS = 40, SLOTS = 16 };

struct bench {
    struct sm_params p;
    uint64_t resident[SM_MAX_SUBCORES];
    uint32_t room[SM_MAX_SUBCORES]; /* free slots, counted by the reference */
    uint32_t next;
};

static struct bench set_up(uint32_t subcores, enum cta_binding binding)
{
    struct bench b = {
        .p = {.subcores = subcores, .max_warps = subcores * SLOTS, .cta_binding = binding}};
    for (uint32_t i = 0; i < subcores; i++)
        b.room[i] = SLOTS;
    return b;
}

/* The first sub-core from `at` on with that much room; UINT32_MAX: none. */
static uint32_t with_room(const struct bench *b, const uint32_t *room, uint32_t at, uint32_t warps)
{
    for (uint32_t k = 0; k < b->p.subcores; k++)
        if (room[(at + k) % b->p.subcores] >= warps) return (at + k) % b->p.subcores;
    return UINT32_MAX;
}

static bool expect_subcores(const struct bench *b, uint32_t warps, uint32_t *want)
{
    bool whole = b->p.cta_binding == CTA_ONE_SUBCORE;
    uint32_t room[SM_MAX_SUBCORES], at = b->next;
    memcpy(room, b->room, sizeof room);
    for (uint32_t w = 0; w < warps; w++) {
        want[w] = whole && w ? want[0] : with_room(b, room, at, whole ? warps : 1);
        if (want[w] == UINT32_MAX) return false;
        room[want[w]]--;
        at = want[w] + 1;
    }
    return true;
}

struct placed {
    uint32_t name[CTA_MAX_WARPS], warps;
};

static void place(struct bench *b, struct placed *c, uint32_t warps)
{
    uint32_t want[CTA_MAX_WARPS], total = 0;
    uint8_t got[CTA_MAX_WARPS];
    bool fits = expect_subcores(b, warps, want);
    assert_true(subcore_placement_choose(&b->p, b->resident, b->next, warps, got) == fits);
    for (uint32_t i = 0; i < b->p.subcores; i++)
        total += b->room[i];
    if (b->p.cta_binding != CTA_ONE_SUBCORE) assert_true(fits == (warps <= total));
    if (!fits) return;
    uint32_t turn = b->next;
    for (uint32_t i = 0; i < (b->p.cta_binding == CTA_ONE_SUBCORE ? 1 : warps); i++)
        turn = turn + 1 == b->p.subcores ? 0 : turn + 1;
    b->next = subcore_placement_next(&b->p, b->next, warps);
    assert_int_equal(b->next, turn);
    c->warps = warps;
    for (uint32_t w = 0; w < warps; w++) {
        assert_int_equal(got[w], want[w]);
        uint32_t name = subcore_placement_warp(got[w], b->resident[got[w]]);
        uint32_t slot = name % SM_SUBCORE_SLOTS;
        assert_true(name / SM_SUBCORE_SLOTS == got[w] && slot < SLOTS);
        assert_false(b->resident[got[w]] >> slot & 1);
        b->resident[got[w]] |= UINT64_C(1) << slot;
        b->room[got[w]]--;
        c->name[w] = name;
    }
}

static void end(struct bench *b, struct placed *c)
{
    for (uint32_t w = 0; w < c->warps; w++) {
        b->resident[c->name[w] / SM_SUBCORE_SLOTS] &=
            ~(UINT64_C(1) << c->name[w] % SM_SUBCORE_SLOTS);
        b->room[c->name[w] / SM_SUBCORE_SLOTS]++;
    }
    c->warps = 0;
}

static void warps_go_where_the_reference_puts_them(void **state)
{
    (void)state;
    for (uint32_t subcores = 1; subcores <= SM_MAX_SUBCORES; subcores++)
        for (int binding = 0; binding <= CTA_ONE_SUBCORE; binding++) {
            struct bench b = set_up(subcores, (enum cta_binding)binding);
            struct placed cta[CTAS] = {{.warps = 0}};
            struct rng r;
            rng_seed(&r, subcores, (uint64_t)binding);
            for (uint32_t k = 0; k < 3000; k++) {
                struct placed *c = &cta[rng_below(&r, CTAS)];
                if (c->warps)
                    end(&b, c);
                else
                    place(&b, c, 1 + (uint32_t)rng_below(&r, SLOTS));
            }
        }
}

/* Two sub-cores; a CTA that finds the one in turn full goes to the other, and the turn moves on as
 * if it had not. */
static void the_turn_passes_over_a_full_sub_core(void **state)
{
    (void)state;
    uint8_t at[3];
    struct sm_params p = {.subcores = 2, .max_warps = 8, .cta_binding = CTA_ONE_SUBCORE};
    uint64_t resident[2] = {0x3, 0x1};
    assert_true(subcore_placement_choose(&p, resident, 0, 3, at));
    assert_true(at[0] == 1 && at[1] == 1 && at[2] == 1);
    assert_int_equal(subcore_placement_next(&p, 0, 3), 1);
    resident[1] |= 0x6;
    assert_false(subcore_placement_choose(&p, resident, 1, 3, at));
    p.cta_binding = CTA_WARPS_ROUND_ROBIN; /* three free slots: 1, 0, 0 */
    assert_true(subcore_placement_choose(&p, (const uint64_t[]){0x3, 0x7}, 1, 3, at));
    assert_true(at[0] == 1 && at[1] == 0 && at[2] == 0);
    assert_int_equal(subcore_placement_next(&p, 1, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_go_where_the_reference_puts_them),
        cmocka_unit_test(the_turn_passes_over_a_full_sub_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
