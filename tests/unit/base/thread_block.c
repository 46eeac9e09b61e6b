/* Are a thread's blocks its own, zeroed, and refused only where somebody asks? */
#include "tests/support/check.h"

#include "base/memory/alloc.h"
#include "base/memory/thread_block.h"

#include <pthread.h>

struct table {
    double at[5000];
};

static struct table *own_table(void)
{
    static _Thread_local void *block;
    return THREAD_BLOCK(struct table, block);
}

static char *own_letter(void)
{
    static _Thread_local void *block;
    return THREAD_BLOCK(char, block);
}

/* What another thread finds first in its table, which it then writes to. */
static void *use_table(void *first)
{
    *(double *)first = own_table()->at[4999];
    own_table()->at[4999] = 2;
    *own_letter() = 'b';
    return own_table();
}

static void each_thread_has_its_own(void **state)
{
    (void)state;
    double first = 1;
    void *other;
    pthread_t thread;
    own_table()->at[4999] = 1;
    *own_letter() = 'a';
    assert_int_equal(pthread_create(&thread, NULL, use_table, &first), 0);
    assert_int_equal(pthread_join(thread, &other), 0);
    assert_near(first, 0, 0);
    assert_ptr_not_equal(other, own_table());
    assert_near(own_table()->at[4999], 1, 0);
    assert_int_equal(*own_letter(), 'a');
    for (uint32_t i = 0; i < 4999; i++)
        assert_near(own_table()->at[i], 0, 0);
}

static void *reserve_without_memory(void *refused)
{
    shim_fail_after(SHIM_ALLOC, 1);
    *(bool *)refused = !thread_blocks_reserve();
    return thread_blocks_reserve() ? own_table() : NULL; /* there is memory again */
}

static void a_thread_without_memory_is_told(void **state)
{
    (void)state;
    bool refused = false;
    void *table;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, reserve_without_memory, &refused), 0);
    assert_int_equal(pthread_join(thread, &table), 0);
    assert_true(refused);
    assert_non_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread_has_its_own),
        cmocka_unit_test(a_thread_without_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
