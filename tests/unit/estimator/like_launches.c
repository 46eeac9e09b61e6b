/* like_launches.c - launches of the same shape: who they are, and whether equal products take
 * equally long. */
#include "estimator/profile/like_launches.h"
#include "tests/support/estimator_support.h"

enum { PRODUCTS = 4 };
/* Three equal products of other weights, and one that is half as long. */
#define PRODUCT(name, k)                                                                   \
    "{ op = \"gemm\"; name = \"" name "\"; M = 64; N = 1024; K = " k "; layout = \"tn\"; " \
    "type = \"bf16\"; raster = \"m\"; a = \"x\"; b = \"w" name "\"; c = \"y" name "\"; }"
static const char program[] = "layer = (" PRODUCT("one", "256") "," PRODUCT(
    "two", "256") "," PRODUCT("three", "256") "," PRODUCT("half", "128") ");";

static struct bed b; /* its profile takes most of the time */

static int profile_program(void **state)
{
    folder_make(state);
    bed_init(&b, "rx540", program);
    return 0;
}

static int forget_program(void **state)
{
    bed_fini(&b);
    return folder_remove(state);
}

static void equal_products_have_one_shape(void **state)
{
    (void)state;
    const struct digest first = like_launches_shape(b.f, 0);
    for (uint32_t i = 0; i < PRODUCTS; i++)
        assert_int_equal(digest_equal(first, like_launches_shape(b.f, i)), i < PRODUCTS - 1);
}

/* As caches grow, fewer of the sampled accesses miss; where none does, a launch tells itself. */
static void the_fullest_is_of_the_shape(void **state)
{
    (void)state;
    const double infinite = 1u << 30;
    uint32_t fullest = like_launches_fullest(b.f, 0, 0, 0, 0);
    assert_true(fullest < PRODUCTS - 1);
    for (uint32_t i = 0; i < PRODUCTS - 1; i++)
        assert_int_equal(like_launches_fullest(b.f, i, 0, 0, 0), fullest);
    assert_int_equal(like_launches_fullest(b.f, PRODUCTS - 1, 0, 0, 0), PRODUCTS - 1);
    for (uint32_t k = 0; k < SAMPLE_CLASSES; k++)
        for (uint32_t i = 0; i < PRODUCTS; i++) {
            uint32_t at = like_launches_fullest(b.f, i, k, infinite, infinite);
            assert_true(at == i || profile_samples(b.f, at)->rows[k].n[0] > 0);
        }
}

/* Where the addresses of weights lie moves an estimate by less than 4 %.  The first product begins
 * with empty caches. */
static void equal_products_take_equally_long(void **state)
{
    (void)state;
    struct error e = {0};
    double cycles[PRODUCTS];
    const struct est_params ep = bed_params(&b);
    assert_true(estimate_launches(b.f, &ep, cycles, &e));
    assert_near(cycles[2] / cycles[1], 1, 0.04);
    assert_true(cycles[PRODUCTS - 1] < 0.8 * cycles[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_products_have_one_shape),
        cmocka_unit_test(the_fullest_is_of_the_shape),
        cmocka_unit_test(equal_products_take_equally_long),
    };
    return cmocka_run_group_tests(tests, profile_program, forget_program);
}
