/* Which registers instructions read and write: values of one to four words, in double precision,
 * stores and what they store, more values than registers. */
#include "gpu/geometry/register_map.h"
#include "tests/support/check.h"

#include <stdio.h>

/* The map of a few instructions over values 0 to 9, `registers` per lane (0: unknown). */
static struct register_map map_of(const struct static_inst *code, uint32_t n, uint32_t registers)
{
    struct register_map m;
    const struct launch l = {
        .n_code = n, .code = code, .n_registers = 10, .registers_per_lane = registers};
    assert_true(register_map_init(&m, &l));
    return m;
}

static void expect_list(const uint16_t *have, uint32_t n, const char *want)
{
    char text[160] = "";
    for (uint32_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i ? " %u" : "%u", have[i]);
    assert_string_equal(text, want);
}

static void expect(const struct register_map *m, uint32_t i, const char *reads, const char *writes)
{
    expect_list(m->code[i].read, m->code[i].reads, reads);
    expect_list(m->code[i].write, m->code[i].writes, writes);
}

#define LOAD(WIDTH, DST, ADDRESS)                                                               \
    {                                                                                           \
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .width = WIDTH, .dst = DST, .n_src = 1, .src = { \
            ADDRESS                                                                             \
        }                                                                                       \
    }
#define STORE(WIDTH, A, B)                                                                   \
    {                                                                                        \
        .cls = OP_STORE, .space = SPACE_GLOBAL, .width = WIDTH, .dst = REG_NONE, .n_src = 2, \
        .src = {                                                                             \
            A,                                                                               \
            B                                                                                \
        }                                                                                    \
    }
#define MATHS(CLASS, DST, ...)                                                           \
    {                                                                                    \
        .cls = CLASS, .dst = DST, .n_src = sizeof(uint16_t[]){__VA_ARGS__} / 2, .src = { \
            __VA_ARGS__                                                                  \
        }                                                                                \
    }

/* Value 1 takes four registers, so that 2 begins at 5. */
static void loads_write_the_words_of_their_width(void **state)
{
    (void)state;
    static const struct static_inst code[] = {LOAD(16, 1, 0), LOAD(4, 2, 1), LOAD(1, 3, 2),
                                              LOAD(8, 4, 3), LOAD(4, 5, 4)};
    struct register_map m = map_of(code, 5, 0);
    expect(&m, 0, "0", "1 2 3 4"); /* addresses are one */
    expect(&m, 1, "1", "5");
    expect(&m, 2, "5", "6"); /* less than a word takes one */
    expect(&m, 3, "6", "7 8");
    expect(&m, 4, "7", "9");
    register_map_fini(&m);
}

static void constants_and_shared_memory_are_loads_too(void **state)
{
    (void)state;
    static const struct static_inst code[] = {
        {.cls = OP_INT, .space = SPACE_CONST, .width = 8, .dst = 0},
        {.cls = OP_SHARED_LOAD,
         .space = SPACE_SHARED,
         .width = 16,
         .dst = 1,
         .n_src = 1,
         .src = {0}},
    };
    struct register_map m = map_of(code, 2, 0);
    expect(&m, 0, "", "0 1");
    expect(&m, 1, "0", "2 3 4 5");
    register_map_fini(&m);
}

/* The data of a store is its widest source, wherever it stands; else the first. */
static void stores_read_the_words_of_their_data(void **state)
{
    (void)state;
    static const struct static_inst code[] = {LOAD(16, 3, 0),        STORE(16, 3, 0),
                                              STORE(16, 0, 3),       STORE(4, 0, 1),
                                              STORE(8, 3, 0), /* half of it */
                                              STORE(16, REG_NONE, 3)};
    struct register_map m = map_of(code, 6, 0);
    expect(&m, 1, "2 3 4 5 0", "");
    expect(&m, 2, "0 2 3 4 5", "");
    expect(&m, 3, "0 1", "");
    expect(&m, 4, "2 3 0", "");
    expect(&m, 5, "2 3 4 5", ""); /* a source that is none */
    register_map_fini(&m);
}

static void atomics_read_and_write(void **state)
{
    (void)state;
    static const struct static_inst code[] = {
        LOAD(8, 1, 0),
        {.cls = OP_ATOMIC, .space = SPACE_GLOBAL, .width = 8, .dst = 2, .n_src = 2, .src = {0, 1}},
    };
    struct register_map m = map_of(code, 2, 0);
    expect(&m, 1, "0 1 2", "3 4");
    register_map_fini(&m);
}

static void double_precision_has_two_words(void **state)
{
    (void)state;
    static const struct static_inst code[] = {MATHS(OP_FP64, 2, 0, 1), MATHS(OP_FP32, 3, 0, 2),
                                              MATHS(OP_TENSOR, 4, 3)};
    struct register_map m = map_of(code, 3, 0);
    expect(&m, 0, "0 1 2 3", "4 5");
    expect(&m, 1, "0 4", "6"); /* of a wide value one word */
    expect(&m, 2, "6", "7");
    register_map_fini(&m);
}

static void repeated_operands_are_read_once(void **state)
{
    (void)state;
    static const struct static_inst code[] = {MATHS(OP_FP32, 1, 0, 0, 1),
                                              MATHS(OP_FP64, 3, 2, 2, 2),
                                              MATHS(OP_INT, REG_NONE, REG_NONE, 1)};
    struct register_map m = map_of(code, 3, 0);
    expect(&m, 0, "0 1", "1");
    expect(&m, 1, "2 3", "4 5");
    expect(&m, 2, "1", "");
    register_map_fini(&m);
}

/* Where the launch says how many registers it has, numbers are registers; beyond, they share. */
static void numbers_of_a_launch_with_registers_are_registers(void **state)
{
    (void)state;
    static const struct static_inst code[] = {LOAD(16, 1, 0), MATHS(OP_INT, 2, 1),
                                              MATHS(OP_INT, 7, 6, 9), LOAD(16, 4, 8)};
    struct register_map m = map_of(code, 4, 6);
    assert_int_equal(m.registers, 6);
    expect(&m, 0, "0", "1 2 3 4");
    expect(&m, 1, "1", "2"); /* a word of the load's */
    expect(&m, 2, "0 3", "1");
    expect(&m, 3, "2", "4 5 0 1");
    register_map_fini(&m);
    m = map_of(code, 4, 3); /* fewer than a value has words */
    expect(&m, 0, "0", "1 2 0");
    register_map_fini(&m);
}

/* A launch that does not say how many it has has as many as its values need. */
static void unknown_registers_follow_from_the_values(void **state)
{
    (void)state;
    static const struct static_inst code[] = {LOAD(16, 1, 0), MATHS(OP_FP64, 5, 2)};
    struct register_map m = map_of(code, 2, 0);
    expect(&m, 1, "5 6", "7 8"); /* nothing names 3 and 4 */
    assert_int_equal(m.registers, 9);
    register_map_fini(&m);
    const struct launch empty = {.name = "empty"};
    assert_true(register_map_init(&m, &empty));
    assert_true(m.registers > 0);
    register_map_fini(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_write_the_words_of_their_width),
        cmocka_unit_test(constants_and_shared_memory_are_loads_too),
        cmocka_unit_test(stores_read_the_words_of_their_data),
        cmocka_unit_test(atomics_read_and_write),
        cmocka_unit_test(double_precision_has_two_words),
        cmocka_unit_test(repeated_operands_are_read_once),
        cmocka_unit_test(numbers_of_a_launch_with_registers_are_registers),
        cmocka_unit_test(unknown_registers_follow_from_the_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
