/* Allocation, its failure shims, and arenas. */
#include "tests/support/check.h"

#include "base/memory/alloc.h"
#include "base/memory/arena.h"
#include "base/memory/pool.h"

#include <unistd.h>

static void shim_fails_exactly_once(void **state)
{
    (void)state;
    shim_fail_after(SHIM_WRITE, 3);
    assert_false(shim_fails(SHIM_WRITE));
    assert_false(shim_fails(SHIM_FSYNC)); /* kinds are apart */
    assert_false(shim_fails(SHIM_WRITE));
    assert_true(shim_fails(SHIM_WRITE));
    assert_false(shim_fails(SHIM_WRITE));
    shim_fail_after(SHIM_WRITE, 1);
    shim_fail_after(SHIM_WRITE, 0);
    assert_false(shim_fails(SHIM_WRITE));
}

static void memory_is_zeroed_and_overflow_is_refused(void **state)
{
    (void)state;
    unsigned char *p = mem_new(1000, 3);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(p[i], 0);
    mem_free(p);
    volatile size_t huge = SIZE_MAX / 2; /* volatile: the compiler would warn of it */
    assert_null(mem_new(huge, 4));
    p = mem_new(0, 4);
    assert_non_null(p); /* an empty array is no failure */
    mem_free(p);
}

static void arrays_grow_zeroed(void **state)
{
    (void)state;
    uint32_t *a = NULL;
    size_t cap = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(mem_grow(&a, &cap, i + 1, sizeof *a));
        assert_true(cap > i);
        assert_int_equal(a[cap - 1], 0);
        a[i] = i + 1;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(a[i], i + 1);
    uint32_t *same = a;
    size_t same_cap = cap;
    shim_fail_after(SHIM_ALLOC, 1);
    assert_false(mem_grow(&a, &cap, cap + 1, sizeof *a));
    assert_false(mem_grow(&a, &cap, SIZE_MAX / 2, sizeof *a)); /* overflow */
    assert_ptr_equal(a, same);
    assert_int_equal(cap, same_cap);
    mem_free(a);
}

/* Against a plain list of what is in it, from an odd place on. */
static void rings_grow_in_order(void **state)
{
    (void)state;
    uint32_t *ring = NULL, *same;
    uint64_t mask = 0, head = 1000003, tail = head;
    assert_true(mem_grow_ring(&ring, &mask, head, tail, sizeof *ring));
    while (tail - head < 1000) {
        bool full = tail - head > mask;
        if (full) assert_true(mem_grow_ring(&ring, &mask, head, tail, sizeof *ring));
        assert_true(tail - head <= mask);
        ring[tail & mask] = (uint32_t)(tail * 7);
        tail++;
        head += tail % 5 == 0;
    }
    assert_int_equal(mask, 1023);
    for (uint64_t i = head; i != tail; i++)
        assert_int_equal(ring[i & mask], (uint32_t)(i * 7));
    same = ring;
    shim_fail_after(SHIM_ALLOC, 1);
    assert_false(mem_grow_ring(&ring, &mask, head, tail, sizeof *ring));
    assert_ptr_equal(ring, same);
    assert_int_equal(mask, 1023);
    mem_free(ring);
}

static void arena_objects_are_apart_zeroed_and_aligned(void **state)
{
    (void)state;
    enum { N = 3000 };
    static unsigned char *object[N];
    static size_t size[N];
    struct arena a = {0};
    for (size_t i = 0; i < N; i++) {
        size[i] = i % 500 == 499 ? 100 * 1024 : i % 67;
        object[i] = arena_new(&a, size[i], 1);
        assert_int_equal((uintptr_t)object[i] % 16, 0);
        for (size_t k = 0; k < size[i]; k++)
            assert_int_equal(object[i][k], 0);
        memset(object[i], (int)(i % 251), size[i]);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < size[i]; k++)
            assert_int_equal(object[i][k], i % 251);
    assert_string_equal(arena_strdup(&a, "sector"), "sector");
    assert_null(arena_new(&a, SIZE_MAX / 2, 3));
    shim_fail_after(SHIM_ALLOC, 1);
    assert_null(arena_new(&a, 1, 200 * 1024));
    arena_fini(&a);
    arena_fini(&a); /* empty again: allowed */
}

/* Numbers that are taken are apart, what is given back is taken next, and clear gives all back. */
static void pools_give_each_number_once(void **state)
{
    (void)state;
    struct item {
        uint64_t value;
        uint32_t next;
    } *item = NULL;
    struct pool p = POOL(struct item, next);
    enum { N = 100 };
    for (uint64_t round = 0; round < 2; round++) {
        for (uint64_t k = 0; k < N; k++) {
            uint32_t i = pool_take(&p, &item);
            assert_int_equal(i, k); /* the lowest first */
            assert_int_equal(item[i].value, round ? k : 0);
            item[i].value = k;
        }
        assert_int_equal(p.used, N);
        pool_give(&p, &item, 7);
        pool_give(&p, &item, 3);
        assert_int_equal(pool_take(&p, &item), 3);
        assert_int_equal(pool_take(&p, &item), 7);
        pool_clear(&p, &item);
        assert_int_equal(p.used, 0);
    }
    while (p.used < p.cap)
        pool_take(&p, &item);
    shim_fail_after(SHIM_ALLOC, 1);
    assert_int_equal(pool_take(&p, &item), POOL_NONE);
    uint32_t next = pool_take(&p, &item);
    assert_int_equal(next, p.used - 1);
    mem_free(item);
}

/* Large pages are asked for as long as nothing lies in them: the heap has grown by then. */
static void the_heap_grows_ahead(void **state)
{
    (void)state;
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    const char *end = sbrk(0);
    mem_large_pages(16 << 20);
    assert_true((const char *)sbrk(0) - end >= 16 << 20);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shim_fails_exactly_once),
        cmocka_unit_test(memory_is_zeroed_and_overflow_is_refused),
        cmocka_unit_test(arrays_grow_zeroed),
        cmocka_unit_test(rings_grow_in_order),
        cmocka_unit_test(pools_give_each_number_once),
        cmocka_unit_test(the_heap_grows_ahead),
        cmocka_unit_test(arena_objects_are_apart_zeroed_and_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
