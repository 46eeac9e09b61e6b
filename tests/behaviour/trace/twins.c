/* Programs whose kernels are compiled as OpenCL for Oclgrind and as CUDA access the same memory. */
#include "tests/support/twins.h"
#include "tests/support/capture_run.h"

#include <stdlib.h>

static const char rounds[] = "lanes that have more rounds of an unrolled loop part from the others";

static void twins_access_the_same(void **state)
{
    static const struct twin twins[] = {
        {"vectoradd 3000", NULL, NULL},  {"transpose 128", NULL, NULL},
        {"transpose 128 1", NULL, NULL}, {"reduction 16384 2", NULL, NULL},
        {"histogram 16384", NULL, NULL}, {"stencil 32 32 8 1", NULL, NULL},
        {"matmul 128 0", NULL, NULL},    {"matmul 128 1", NULL, NULL},
        {"fwt 1024", NULL, NULL},        {"hotspot 64 2 1", NULL, NULL},
        {"spmv rmat 8", NULL, rounds},   {"bfs uniform 8", NULL, rounds},
    };
    (void)state;
    if (!twins_possible()) skip();
    twins_compare(twins, sizeof twins / sizeof *twins);
}

/* TWIN: a program and its arguments to compare. */
static void a_twin_by_hand(void **state)
{
    (void)state;
    if (!getenv("TWIN") || !twins_possible()) skip();
    twins_compare(&(struct twin){.program = getenv("TWIN")}, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twins_access_the_same),
                                       cmocka_unit_test(a_twin_by_hand)};
    return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
