/* detailed_noc.c - the networks: latency to the cycle, link bandwidth, order, fairness, credits. */
#include "base/rng.h"
#include "detailed/noc/noc.h"
#include "tests/unit/check.h"

struct world {
    uint32_t arrivals, rooms;
};

static void on_arrival(void *ctx, uint32_t output, uint64_t cycle)
{
    (void)output, (void)cycle;
    ((struct world *)ctx)->arrivals++;
}

static void on_room(void *ctx, uint32_t input)
{
    (void)input;
    ((struct world *)ctx)->rooms++;
}

static const struct noc_params params = {.topology = TOPOLOGY_CROSSBAR,
                                         .sms_per_port = 1,
                                         .latency = 5,
                                         .flit_bytes = 32,
                                         .header_bytes = 8,
                                         .input_queue = 4,
                                         .output_queue = 3};

static void start(struct noc *n, struct world *w, uint32_t inputs, uint32_t outputs)
{
    assert_true(noc_init(n, &params, NOC_REQUEST, inputs, outputs));
    *w = (struct world){0};
    n->ctx = w;
    n->on_arrival = on_arrival;
    n->on_room = on_room;
}

static void flits_hold_header_and_data(void **state)
{
    (void)state;
    assert_int_equal(noc_flits(&params, 0), 1);
    assert_int_equal(noc_flits(&params, 24), 1);
    assert_int_equal(noc_flits(&params, 25), 2);
    assert_int_equal(noc_flits(&params, 128), 5);
}

static void an_unloaded_packet_takes_latency_and_its_flits(void **state)
{
    (void)state;
    for (uint32_t flits = 1; flits <= 4; flits++) {
        struct noc n;
        struct world w;
        uint32_t handle;
        start(&n, &w, 2, 2);
        assert_true(noc_push(&n, 1, 0, flits, 77, 100));
        noc_step(&n, 101);
        assert_int_equal(noc_ready_at(&n, 0), 100 + params.latency + flits - 1);
        noc_take(&n, 0, &handle);
        assert_int_equal(handle, 77);
        assert_int_equal(n.s.stall_cycles, 0);
        assert_true(noc_check(&n));
        noc_fini(&n);
    }
}

/* Everything at once: all inputs flood one output; it passes one flit per cycle and nobody starves.
 */
static void a_flooded_output_passes_one_flit_per_cycle_fairly(void **state)
{
    (void)state;
    enum { INPUTS = 8, CYCLES = 4000, FLITS = 2 };
    struct noc n;
    struct world w;
    uint32_t served[INPUTS] = {0}, total = 0;
    start(&n, &w, INPUTS, 3);
    for (uint64_t now = 0; now < CYCLES; now++) {
        noc_step(&n, now);
        while (noc_ready_at(&n, 2) <= now) {
            uint32_t input;
            noc_take(&n, 2, &input);
            served[input]++;
            total++;
        }
        for (uint32_t i = 0; i < INPUTS; i++)
            while (noc_can_push(&n, i))
                assert_true(noc_push(&n, i, 2, FLITS, i, now));
        assert_true(noc_check(&n));
    }
    /* 3 credits come back after latency + flits - 1 cycles: that is what limits here */
    double per_packet = fmax(FLITS, (double)(params.latency + FLITS - 1) / params.output_queue);
    assert_near(total, CYCLES / per_packet, 0.02 * CYCLES / per_packet);
    for (uint32_t i = 0; i < INPUTS; i++)
        assert_near(served[i], total / INPUTS, 2);
    assert_int_equal(w.arrivals, total + n.out[2].queue.n);
    noc_fini(&n);
}

/* Packets of one input to one output come in order; none is lost or doubled; nothing passes the
 * bounds. */
static void random_traffic_is_conserved_and_ordered(void **state)
{
    (void)state;
    enum { INPUTS = 5, OUTPUTS = 4, PACKETS = 20000 };
    struct noc n;
    struct world w;
    struct rng r;
    uint32_t sent[INPUTS][OUTPUTS] = {{0}}, got[INPUTS][OUTPUTS] = {{0}};
    uint32_t pushed = 0, taken = 0;
    uint64_t next = 0;
    rng_seed(&r, 5, 5);
    start(&n, &w, INPUTS, OUTPUTS);
    for (uint64_t now = 0; taken < PACKETS; now++) {
        /* as the simulation does: step only when due */
        if (now >= next) next = noc_step(&n, now);
        for (uint32_t o = 0; o < OUTPUTS; o++) {
            uint32_t handle;
            if (noc_ready_at(&n, o) > now || rng_below(&r, 3) == 0) continue;
            if (noc_take(&n, o, &handle)) next = now + 1;
            assert_int_equal(handle & 0xffffff, got[handle >> 24][o]++);
            taken++;
        }
        for (uint32_t i = 0; i < INPUTS && pushed < PACKETS; i++) {
            uint32_t o = (uint32_t)rng_below(&r, OUTPUTS);
            if (!noc_can_push(&n, i) || rng_below(&r, 2)) continue;
            noc_push(&n, i, o, 1 + (uint32_t)rng_below(&r, 4), i << 24 | sent[i][o]++, now);
            next = now + 1;
            pushed++;
        }
        assert_true(noc_check(&n));
        assert_true(now < 40 * PACKETS);
    }
    assert_int_equal(n.in_flight, 0);
    noc_fini(&n);
}

static void a_producer_that_asked_hears_of_room(void **state)
{
    (void)state;
    struct noc n;
    struct world w;
    start(&n, &w, 1, 1);
    while (noc_can_push(&n, 0))
        noc_push(&n, 0, 0, 1, 0, 0);
    n.in[0].notify = true;
    noc_step(&n, 1);
    assert_int_equal(w.rooms, 1);
    assert_true(noc_can_push(&n, 0));
    noc_fini(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flits_hold_header_and_data),
        cmocka_unit_test(an_unloaded_packet_takes_latency_and_its_flits),
        cmocka_unit_test(a_flooded_output_passes_one_flit_per_cycle_fairly),
        cmocka_unit_test(random_traffic_is_conserved_and_ordered),
        cmocka_unit_test(a_producer_that_asked_hears_of_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
