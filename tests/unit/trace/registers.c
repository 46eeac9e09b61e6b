/* Do values that live at the same time get different registers, and no more than are needed? */
#include "tests/support/check.h"

#include "base/memory/rng.h"
#include "trace/capture/register_numbers.h"
#include "trace/stream/inst.h"

enum { VALUES = 200, POSITIONS = 150 };

/* Alive behind position p, as a number that another value could overwrite there. */
static bool alive(const struct live_range *r, uint32_t p)
{
    uint32_t last = r->last > r->first ? r->last : r->first + 1;
    return r->first <= p && p < last;
}

static void random_ranges_do_not_collide_and_are_packed(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct rng g;
        struct live_range r[VALUES];
        uint32_t most = 0, above = 0;
        rng_seed(&g, 11, seed);
        for (size_t i = 0; i < VALUES; i++) {
            uint32_t first = (uint32_t)rng_below(&g, POSITIONS);
            r[i] = (struct live_range){first, first + (uint32_t)rng_below(&g, 30), 0, 1};
        }
        assert_true(register_numbers_assign(r, VALUES));
        for (uint32_t p = 0; p < POSITIONS + 31; p++) {
            uint32_t n = 0;
            bool taken[VALUES] = {false};
            for (size_t i = 0; i < VALUES; i++) {
                if (!alive(&r[i], p)) continue;
                assert_false(taken[r[i].number]);
                taken[r[i].number] = true;
                n++;
            }
            if (n > most) most = n;
        }
        for (size_t i = 0; i < VALUES; i++)
            if (r[i].number >= above) above = r[i].number + 1u;
        assert_int_equal(above, most); /* intervals can be packed perfectly */
    }
}

/* Wide values have consecutive registers of their own, and take no more than a first fit needs. */
static void wide_values_have_all_their_registers(void **state)
{
    (void)state;
    enum { WIDEST = 8, MOST = VALUES * WIDEST };
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct rng g;
        struct live_range r[VALUES];
        rng_seed(&g, 12, seed);
        for (size_t i = 0; i < VALUES; i++) {
            uint32_t first = (uint32_t)rng_below(&g, POSITIONS);
            r[i] = (struct live_range){first, first + (uint32_t)rng_below(&g, 30), 0,
                                       (uint16_t)(1u << rng_below(&g, 4))};
        }
        assert_true(register_numbers_assign(r, VALUES));
        for (uint32_t p = 0; p < POSITIONS + 31; p++) {
            bool taken[MOST] = {false};
            for (size_t i = 0; i < VALUES; i++)
                for (uint32_t k = 0; alive(&r[i], p) && k < r[i].words; k++) {
                    assert_false(taken[r[i].number + k]);
                    taken[r[i].number + k] = true;
                }
        }
    }
}

static void values_never_named_get_none(void **state)
{
    (void)state;
    struct live_range r[] = {{UINT32_MAX, 0, 0, 1}, {4, 4, 9, 1}};
    assert_true(register_numbers_assign(r, 2));
    assert_int_equal(r[0].number, REG_NONE);
    assert_int_equal(r[1].number, 0);
}

/* A sum next = a + b may go where a was. */
static void a_result_may_take_the_place_of_an_operand_that_ends(void **state)
{
    (void)state;
    struct live_range r[] = {{0, 5, 0, 1}, {1, 9, 0, 1}, {5, 7, 0, 1}};
    assert_true(register_numbers_assign(r, 3));
    assert_int_equal(r[2].number, r[0].number);
    assert_int_not_equal(r[1].number, r[0].number);
}

/* Loops 10..20 and, around it, 5..30: what is used in the inner one and defined before both lives
 * to the end of both; what is defined inside does not. */
static void loops_keep_what_they_use_alive(void **state)
{
    (void)state;
    struct live_range r[] = {
        {1, 12, 0, 1}, {7, 12, 0, 1}, {11, 12, 0, 1}, {1, 4, 0, 1}, {1, 40, 0, 1}};
    struct live_loop loop[] = {{5, 30}, {10, 20}};
    register_numbers_extend(r, 5, loop, 2);
    const uint32_t last[] = {30, 20, 12, 4, 40};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(r[i].last, last[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ranges_do_not_collide_and_are_packed),
        cmocka_unit_test(wide_values_have_all_their_registers),
        cmocka_unit_test(values_never_named_get_none),
        cmocka_unit_test(a_result_may_take_the_place_of_an_operand_that_ends),
        cmocka_unit_test(loops_keep_what_they_use_alive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
