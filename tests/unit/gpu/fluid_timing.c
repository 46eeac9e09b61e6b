/* fluid_timing.c - the times that a functional pass keeps, against what can be said by hand. */
#include "gpu/functional/execution/fluid_timing.h"
#include "gpu/cache/cache.h"
#include "gpu/machine/machine.h"

#include "gpu/functional/execution/issue_slots.h"
#include "tests/support/check.h"

static struct machine machine_of(const char *preset, const char *const *sets, size_t n)
{
    struct machine m;
    struct errors all = {0};
    if (!machine_load(&m, preset, sets, n, &all)) fail_msg("%s", all.item[0].text);
    return m;
}

static double derived_of(const struct machine *m, const char *name)
{
    struct derived d[MACHINE_DERIVED_MAX];
    uint32_t n = machine_derive(m, d);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(d[i].name, name) == 0) return d[i].value;
    fail_msg("nothing is called %s", name);
    return 0;
}

static double access_at(struct fluid_timing *p, double issued, uint32_t line,
                        enum fluid_level level, double queued)
{
    fluid_begin(p, 0, issued);
    fluid_take_line(p, line, true);
    fluid_serve(p, level, queued);
    return p->done;
}

/* One access at a time takes what the machine's idle latencies say. */
static void alone_an_access_takes_its_latency(void **state)
{
    (void)state;
    struct machine m = machine_of("rx540", NULL, 0);
    struct fluid_timing p;
    struct error e = {0};
    static const char *const name[FLUID_L3] = {"l1_hit_cycles", "l2_hit_cycles", "memory_cycles"};
    assert_true(fluid_init(&p, &m, &e));
    for (int k = 0; k < FLUID_L3; k++) {
        double now = 10000.0 * (k + 1);
        fluid_advance(&p, now);
        assert_near(access_at(&p, now, LINE_NONE, (enum fluid_level)k, 0),
                    now + derived_of(&m, name[k]), 1e-9);
    }
    fluid_fini(&p);
}

/* An access to another partition of the L2 takes longer, those behind it do not. */
static void only_the_far_access_takes_longer(void **state)
{
    (void)state;
    struct machine m = machine_of("a100-80", NULL, 0);
    struct fluid_timing p;
    struct error e = {0};
    double hit = derived_of(&m, "l2_hit_cycles");
    assert_true(fluid_init(&p, &m, &e));
    p.far = 200;
    assert_near(access_at(&p, 0, LINE_NONE, FLUID_L2, 0), hit + 200, 1e-9);
    assert_near(access_at(&p, 10000, LINE_NONE, FLUID_L2, 0), 10000 + hit, 1e-9);
    fluid_begin(&p, 0, 20000);
    p.far = 200;
    fluid_store(&p, FLUID_L2, 0);
    assert_near(p.done, 20000 + hit + 200, 1e-9);
    assert_near(access_at(&p, 30000, LINE_NONE, FLUID_L1, 0),
                30000 + derived_of(&m, "l1_hit_cycles"), 1e-9);
    fluid_fini(&p);
}

/* Accesses of an instruction that takes 32 cycles to enter the L1 come four cycles apart, and the
 * next instruction behind them. */
static void instructions_take_turns_at_the_door(void **state)
{
    (void)state;
    enum { ACCESSES = 8, CYCLES = 32 };
    const char *const sets[] = {"l1.ports=4"};
    struct machine m = machine_of("qv100", sets, 1);
    struct fluid_timing p;
    struct error e = {0};
    double hit = derived_of(&m, "l1_hit_cycles");
    assert_true(fluid_init(&p, &m, &e));
    fluid_begin(&p, 0, 0);
    fluid_take_line(&p, LINE_NONE, true);
    fluid_take_turns(&p, CYCLES, ACCESSES);
    for (uint32_t i = 0; i < ACCESSES; i++)
        fluid_serve(&p, FLUID_L1, 0);
    assert_near(p.done, hit + CYCLES - CYCLES / ACCESSES, 1e-9);
    for (uint32_t i = 0; i < 2; i++) /* few turns do not make the ports faster */
        assert_near(access_at(&p, 0, LINE_NONE, FLUID_L1, 0), hit + CYCLES + i / 4.0, 1e-9);
    fluid_begin(&p, 0, 100);
    fluid_take_turns(&p, 1, ACCESSES);
    for (uint32_t i = 0; i < ACCESSES; i++)
        fluid_serve(&p, FLUID_L1, 0);
    assert_near(p.done, 100 + hit + (ACCESSES - 1) / 4.0, 1e-9);
    fluid_fini(&p);
}

/* With n entries the (n + 1)-th miss of a burst begins when the first is done. */
static void misses_wait_for_an_entry(void **state)
{
    (void)state;
    enum { ENTRIES = 3 };
    const char *const sets[] = {"l1.mshr.entries=3", "l1.ports=1"};
    struct machine m = machine_of("rx540", sets, 2);
    struct fluid_timing p;
    struct error e = {0};
    assert_true(fluid_init(&p, &m, &e));
    double latency = derived_of(&m, "l2_hit_cycles"), done[2 * ENTRIES];
    for (uint32_t i = 0; i < 2 * ENTRIES; i++)
        done[i] = access_at(&p, 0, LINE_NONE, FLUID_L2, 0);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        assert_near(done[i], i + latency, 1e-9); /* the door passes one a cycle */
        assert_near(done[i + ENTRIES], done[i] + latency, 1e-9);
    }
    fluid_fini(&p);
}

/* A line whose fill is on the way serves nobody before it comes, and cannot be taken before. */
static void lines_wait_for_their_fills(void **state)
{
    (void)state;
    struct machine m = machine_of("rx540", NULL, 0);
    struct fluid_timing p;
    struct error e = {0};
    assert_true(fluid_init(&p, &m, &e));
    double memory = derived_of(&m, "memory_cycles"), l2 = derived_of(&m, "l2_hit_cycles");
    double fill = access_at(&p, 0, 5, FLUID_MEMORY, 0);
    assert_near(fill, memory, 1e-9);
    assert_near(access_at(&p, 1, 5, FLUID_L1, 0), fill, 1e-9);
    assert_near(access_at(&p, 2, 5, FLUID_L2, 0), fill + l2, 1e-9);
    /* behind the one that waits for a line all others wait, too */
    assert_true(access_at(&p, 3, 6, FLUID_L1, 0) >= fill + derived_of(&m, "l1_hit_cycles"));
    fluid_fini(&p);
}

/* Another sector of a line that is there asks for itself at once: nothing has to make room. */
static void sectors_of_a_line_do_not_wait_for_each_other(void **state)
{
    (void)state;
    struct machine m = machine_of("qv100", NULL, 0);
    struct fluid_timing p;
    struct error e = {0};
    assert_true(fluid_init(&p, &m, &e));
    double l2 = derived_of(&m, "l2_hit_cycles"), each = 1.0 / m.l1.ports;
    for (uint32_t k = 0; k < 4; k++) {
        fluid_begin(&p, 0, 0);
        fluid_take_line(&p, 7, k == 0);
        fluid_serve(&p, FLUID_L2, 0);
        assert_near(p.done, k * each + l2, 1e-9);
    }
    assert_near(access_at(&p, 0, 7, FLUID_L2, 0), 3 * each + 2 * l2, 1e-9); /* another tag */
    fluid_fini(&p);
}

/* Stores that nobody waits for fill the queues before a channel, and then the L1's door. */
static void stores_wait_for_room(void **state)
{
    (void)state;
    struct machine m = machine_of("rx540", NULL, 0);
    struct fluid_timing p;
    struct error e = {0};
    enum { N = 200 };
    assert_true(fluid_init(&p, &m, &e));
    double each =
        m.l2.cache.sector_bytes * m.dram.channels / derived_of(&m, "peak_bytes_per_cycle");
    fluid_begin(&p, 0, 0);
    for (uint32_t i = 0; i < N; i++)
        fluid_store(&p, FLUID_MEMORY, fluid_channel_backlog(&p, 0, true));
    assert_near(p.done, (N - 1) * each + derived_of(&m, "memory_cycles"), 1e-6);
    double door = (N - (double)(p.queue + p.own + m.dram.queue + m.l2.input_queue)) * each;
    assert_true(fluid_room_at(&p, 0) >= door - 1);
    assert_true(fluid_room_at(&p, 0) < door + 1);
    fluid_fini(&p);
}

/* A channel passes sectors at its share of the peak; what is asked at once comes out in a row. */
static void a_channel_keeps_its_bandwidth(void **state)
{
    (void)state;
    struct machine m = machine_of("rx540", NULL, 0);
    struct fluid_timing p;
    struct error e = {0};
    enum { N = 200 };
    assert_true(fluid_init(&p, &m, &e));
    double each =
        m.l2.cache.sector_bytes * m.dram.channels / derived_of(&m, "peak_bytes_per_cycle");
    double memory = derived_of(&m, "memory_cycles"), last = 0;
    for (uint32_t i = 0; i < N; i++)
        last = access_at(&p, 0, LINE_NONE, FLUID_MEMORY, fluid_channel_backlog(&p, 0, true));
    assert_near(last, (N - 1) * each + memory, 1e-6);
    /* what the queues on the way do not hold waits at its SM's door */
    double door = (N - (double)(p.queue + p.own + m.dram.queue + m.l2.input_queue)) * each;
    assert_true(fluid_room_at(&p, 0) >= door - 1);
    assert_true(fluid_room_at(&p, 0) < door + 1);
    assert_true(fluid_room_at(&p, 1) < 1);
    fluid_advance(&p, N * each);
    assert_near(fluid_channel_backlog(&p, 0, true), 0, 1e-6);
    fluid_fini(&p);
}

/* What crowds a channel keeps another SM's door shut only once that SM's own queues are full. */
static void each_sm_has_queues_of_its_own(void **state)
{
    (void)state;
    struct machine m = machine_of("rx540", NULL, 0);
    struct fluid_timing p;
    struct error e = {0};
    enum { N = 400 };
    assert_true(fluid_init(&p, &m, &e));
    assert_int_equal(p.own, m.l1.miss_queue + m.noc.input_queue);
    for (uint32_t i = 0; i < N; i++)
        access_at(&p, 0, LINE_NONE, FLUID_MEMORY, fluid_channel_backlog(&p, 0, true));
    for (uint32_t i = 0; i < p.own + p.queue; i++) {
        assert_true(fluid_room_at(&p, 1) < p.own);
        fluid_begin(&p, 1, 0);
        fluid_serve(&p, FLUID_MEMORY, fluid_channel_backlog(&p, 0, true));
    }
    assert_true(fluid_room_at(&p, 1) >= p.own);
    fluid_fini(&p);
}

/* A unit that is busy keeps its own instructions waiting; its sub-core goes on with others. */
static void units_are_busy_by_themselves(void **state)
{
    (void)state;
    struct issue_slots s = {0};
    enum { INTERVAL = 2, END = 16 };
    for (uint32_t i = 0; i < END / INTERVAL; i++) {
        assert_true(issue_slots_unit_free(&s, 1, UNIT_FP32, END));
        issue_slots_take(&s, 1, UNIT_FP32, INTERVAL, 0);
    }
    assert_false(issue_slots_unit_free(&s, 1, UNIT_FP32, END));
    assert_true(issue_slots_unit_free(&s, 1, UNIT_INT, END) &&
                issue_slots_unit_free(&s, 0, UNIT_FP32, END));
    for (uint32_t i = END / INTERVAL; i < END; i++) { /* an instruction a cycle */
        assert_true(issue_slots_free(&s, 1, END));
        issue_slots_take(&s, 1, UNIT_MEMORY, 1, 0);
    }
    assert_false(issue_slots_free(&s, 1, END));
    assert_true(issue_slots_free(&s, 1, END + 1) &&
                issue_slots_unit_free(&s, 1, UNIT_FP32, END + 1));
}

static double vector_at(struct fluid_timing *p, double issued, enum fluid_level level, bool load)
{
    fluid_begin(p, 0, issued);
    fluid_take_line(p, LINE_NONE, false);
    fluid_enter_buffer(p);
    if (load)
        fluid_serve(p, level, 0);
    else
        fluid_store(p, level, 0);
    fluid_leave_buffer(p, load);
    return p->done;
}

/* A buffer of two entries: a third instruction waits for the first that leaves it; in order that is
 * the oldest, though the second was done long before. */
static void instructions_wait_for_the_buffer(void **state)
{
    (void)state;
    for (int in_order = 0; in_order < 2; in_order++) {
        const char *const sets[] = {"sm.vmb_entries=2", "sm.vmb_scope=\"sm\"",
                                    in_order ? "sm.vmb_release=\"in_order\""
                                             : "sm.vmb_release=\"out_of_order\""};
        struct machine m = machine_of("rx540", sets, 3);
        struct fluid_timing p;
        struct error e = {0};
        assert_true(fluid_init(&p, &m, &e));
        double l1 = derived_of(&m, "l1_hit_cycles"), each = 1.0 / m.l1.ports;
        double memory = vector_at(&p, 0, FLUID_MEMORY, true);
        double hit = vector_at(&p, 0, FLUID_L1, true);
        assert_near(hit, each + l1, 1e-9);
        double leaves = in_order ? memory : hit;
        assert_true(fluid_room_at(&p, 0) >= leaves);
        assert_near(fluid_room_at(&p, 0), leaves, 1e-9);
        assert_near(vector_at(&p, 0, FLUID_L1, true), leaves + l1, 1e-9);
        fluid_fini(&p);
    }
}

/* A store that does not block leaves the buffer when its accesses have passed the door. */
static void stores_leave_the_buffer(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        const char *const sets[] = {"sm.vmb_entries=1", "sm.vmb_scope=\"sm\"",
                                    waits ? "sm.nonblocking_stores=false"
                                          : "sm.nonblocking_stores=true"};
        struct machine m = machine_of("rx540", sets, 3);
        struct fluid_timing p;
        struct error e = {0};
        assert_true(fluid_init(&p, &m, &e));
        double done = vector_at(&p, 0, FLUID_L2, false);
        assert_near(fluid_room_at(&p, 0), waits ? done : 1.0 / m.l1.ports, 1e-9);
        fluid_fini(&p);
    }
}

/* A hit behind misses that their channel's queue does not hold waits for what is left of them; at
 * another slice it does not. */
static void hits_wait_behind_their_slices_misses(void **state)
{
    (void)state;
    struct machine m = machine_of("rx540", NULL, 0);
    struct fluid_timing p;
    struct error e = {0};
    enum { N = 200 };
    assert_true(fluid_init(&p, &m, &e));
    double each =
        m.l2.cache.sector_bytes * m.dram.channels / derived_of(&m, "peak_bytes_per_cycle");
    for (uint32_t i = 0; i <= N; i++)
        fluid_block_slice(&p, 0, fluid_channel_backlog(&p, 0, true));
    assert_near(fluid_slice_backlog(&p, 0), (N - (double)m.dram.queue) * each, 1e-6);
    assert_near(fluid_slice_backlog(&p, 1), 0, 1e-6);
    fluid_advance(&p, N * each);
    assert_near(fluid_slice_backlog(&p, 0), 0, 1e-6);
    fluid_fini(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_an_access_takes_its_latency),
        cmocka_unit_test(only_the_far_access_takes_longer),
        cmocka_unit_test(instructions_take_turns_at_the_door),
        cmocka_unit_test(misses_wait_for_an_entry),
        cmocka_unit_test(lines_wait_for_their_fills),
        cmocka_unit_test(sectors_of_a_line_do_not_wait_for_each_other),
        cmocka_unit_test(stores_wait_for_room),
        cmocka_unit_test(each_sm_has_queues_of_its_own),
        cmocka_unit_test(units_are_busy_by_themselves),
        cmocka_unit_test(instructions_wait_for_the_buffer),
        cmocka_unit_test(stores_leave_the_buffer),
        cmocka_unit_test(a_channel_keeps_its_bandwidth),
        cmocka_unit_test(hits_wait_behind_their_slices_misses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
