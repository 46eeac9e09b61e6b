/* What matrix products bring from memory and from the L2, against closed forms: each matrix once
 * where the L2 holds everything, and each tile's rows and columns once where no cache keeps them.
 */
#include "tests/support/ask.h"

/* Rows of 5 sectors, and edges in all three directions: K is no multiple of the 32 of a tile. */
enum { M = 300, N = 260, K = 80, TILE = 128, SECTORS_OF_ROW = K * 2 / 32 };

static const char text[] =
    "generator = \"gemm\"; M = 300; N = 260; K = 80; layout = \"tn\"; type = \"fp16\";"
    "tile_m = 128; tile_n = 128; stages = 3;";

static void matrices_come_from_memory_once_and_tiles_from_the_l2(void **state)
{
    (void)state;
    const uint64_t across = (N + TILE - 1) / TILE, down = (M + TILE - 1) / TILE;
    const uint64_t once = (M + N) * SECTORS_OF_ROW;
    const uint64_t tiles = (M * across + N * down) * SECTORS_OF_ROW;
    struct machine m = run_machine("qv100", NULL, 0);
    struct metrics simulated = ask_of(ENGINE_SIMULATE, &m, text);
    struct metrics estimated = ask_of(ENGINE_ESTIMATE, &m, text);
    assert_true(run_value(&simulated, "dram.reads") == (double)once);
    assert_true(run_value(&simulated, "l2.reads") == (double)tiles);
    assert_true(run_value(&estimated, "l2.reads") == (double)tiles);
    double reads = run_value(&estimated, "dram.reads");
    if (!(reads > 0.99 * (double)once && reads < 1.01 * (double)once))
        fail_msg("%g reads estimated, %g wanted", reads, (double)once);
}

static double cycles_of(enum engine engine, const struct machine *m, const char *program)
{
    struct metrics answer = ask_of(engine, m, program);
    return run_value(&answer, "cycles");
}

/* The time on the matrix units bounds every engine's answer from below, and the estimate follows.
 */
static void the_matrix_units_bound_the_time(void **state)
{
    (void)state;
    const char *const sets[] = {"sm.count=2", "sm.units.tensor.interval=64"};
    struct machine m = run_machine("qv100", sets, 2);
    static const char product[] =
        "generator = \"gemm\"; M = 128; N = 256; K = 512; type = \"fp16\"; stages = 3;";
    /* a CTA on each SM, of four warps on four sub-cores: 16 steps of 64 instructions */
    double least = 16 * 64 * 64;
    double simulated = cycles_of(ENGINE_SIMULATE, &m, product);
    double estimated = cycles_of(ENGINE_ESTIMATE, &m, product);
    if (!(simulated > least && simulated < 1.25 * least))
        fail_msg("%g cycles simulated, at least %g wanted", simulated, least);
    if (!(estimated > 0.9 * simulated && estimated < 1.1 * simulated))
        fail_msg("%g cycles estimated, %g simulated", estimated, simulated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_come_from_memory_once_and_tiles_from_the_l2),
        cmocka_unit_test(the_matrix_units_bound_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
