/* partition_model.c - partitions as caches of other sizes: the limits in which nothing, or all, is
 * shared, or one partition works alone. */
#include "estimator/cache/partition_model.h"
#include "tests/support/check.h"

static struct partition_view view_of_mix(uint32_t partitions, double working, double sharers,
                                         double read)
{
    const struct l2_params l2 = {.partitions = partitions};
    struct partition_view v;
    partition_view_find(&v, &l2, 1000, 16, working, sharers, read);
    return v;
}

static struct partition_view view_of(uint32_t partitions, double working, double sharers)
{
    return view_of_mix(partitions, working, sharers, 1);
}

/* One SM's chase: a near slice has a part of the lines, an idle home all of its own. */
static void one_partition_works(void **state)
{
    struct partition_view v = view_of(2, 1, 1);
    (void)state;
    assert_near(v.active, 1, 0);
    assert_near(v.near, 500, 1e-9);
    assert_near(v.home, 500, 1e-9);
    assert_near(v.idle, 1000, 1e-9);
    assert_near(v.idle_homes, 1, 1e-9);
}

/* Two of sixteen SMs work: they are in one partition if SMs in a row belong together. */
static void sms_in_turn_use_more_partitions(void **state)
{
    const struct l2_params l2 = {.partitions = 4, .partition_sms = PARTITION_SMS_IN_TURN};
    struct partition_view v;
    (void)state;
    assert_near(view_of(4, 2, 1).active, 1, 0);
    partition_view_find(&v, &l2, 1000, 16, 2, 1, 1);
    assert_near(v.active, 2, 0);
}

/* Each SM has lines of its own: a partition keeps those of its SMs in its part; beside them, a home
 * has a quarter that others ask for. */
static void nothing_is_shared(void **state)
{
    struct partition_view v = view_of(2, 16, 1);
    (void)state;
    assert_near(v.readers, 1, 1e-9);
    assert_near(v.near, 1000, 1e-9);
    assert_near(v.home, 1000 / 1.5, 1e-9);
    assert_near(v.idle_homes, 0, 1e-9);
}

/* Half of the lines are only stored to, which leaves no copies: beside four homes there is a line
 * for each second one that is read from elsewhere. */
static void stores_leave_no_copies(void **state)
{
    struct partition_view v = view_of_mix(2, 16, 1, 0.5);
    (void)state;
    assert_near(v.near, 1000, 1e-9);
    assert_near(v.mixed, 1000 / 1.25, 1e-9);
    assert_near(view_of_mix(2, 16, 1, 0).mixed, 1000, 1e-9);
    assert_near(view_of(2, 16, 1).mixed, v.home, 1e-9);
}

/* All read all: every partition keeps the same lines. */
static void all_is_shared(void **state)
{
    struct partition_view v = view_of(4, 16, 1e9);
    (void)state;
    assert_near(v.readers, 4, 1e-6);
    assert_near(v.near, 250, 1e-6);
    assert_near(v.home, 250, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_partition_works),
        cmocka_unit_test(sms_in_turn_use_more_partitions),
        cmocka_unit_test(nothing_is_shared),
        cmocka_unit_test(stores_leave_no_copies),
        cmocka_unit_test(all_is_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
