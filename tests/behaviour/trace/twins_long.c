/* As twins.c, the other programs of docs/results/programs.md. */
#include "tests/support/capture_run.h"
#include "tests/support/twins.h"

static const char rounds[] = "lanes that have more rounds of an unrolled loop part from the others";
static const char raced[] = "which lane comes first decides how many rounds there are";
static const char kept[] = "what was loaded or stored is kept in a register";

static void twins_access_the_same(void **state)
{
    static const struct twin twins[] = {
        {"scan 4096", kept, NULL},
        {"blackscholes 1024", NULL, NULL},
        {"mersenne 256 4", NULL, NULL},
        {"dct 64", NULL, NULL},
        {"conv2d 64", NULL, NULL},
        {"convolution 64 5", NULL, rounds},
        {"srad 64 1", NULL, NULL},
        {"sobel 64 64", NULL, NULL},
        {"laplace3d 64 16 8 1", NULL, NULL},
        {"pathfinder 1024 32 8", NULL, NULL},
        {"atax 128 128", NULL, NULL},
        {"bfs rmat 8", NULL, rounds},
        {"pagerank rmat 7 1", NULL, rounds},
        {"kmeans 1024 8 5 1", NULL, NULL},
        {"backprop 256", NULL, NULL},
        {"nw 64", NULL, NULL},
        {"lud 32", kept, NULL},
        {"gaussian 32", NULL, NULL},
        {"lbm 32 16 4 1", NULL, NULL},
        {"cfd 4 1", NULL, NULL},
        {"dwt2d 64 64 1", NULL, NULL},
        {"cp 128 64 16", NULL, NULL},
        {"mriq 1024 16", NULL, "the four numbers of a sample are one load in CUDA"},
        {"radixsort 4096", NULL, NULL},
        {"sortingnetworks 1024 1", NULL, NULL},
        {"scalarproducts 4 4096", NULL, NULL},
        {"similarity 32 64", NULL, NULL},
        {"nn 1024", NULL, NULL},
        {"apsp grid 4 8", raced, NULL},
        {"sssp grid 6", "lanes race for the shortest way", "as above"},
        {"color rmat 6", NULL, rounds},
        {"mergesort 1024", NULL, NULL},
    };
    (void)state;
    if (!twins_possible()) skip();
    twins_compare(twins, sizeof twins / sizeof *twins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twins_access_the_same)};
    return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
