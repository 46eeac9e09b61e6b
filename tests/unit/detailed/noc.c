/* noc.c - the networks: latency to the cycle, link bandwidth, order, fairness, credits. */
#include "detailed/noc/noc.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <math.h>

struct world {
    uint32_t arrivals, rooms;
    uint64_t span; /* of the last train */
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

static void on_train(void *ctx, uint32_t handle, uint64_t span)
{
    (void)handle;
    ((struct world *)ctx)->span = span;
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

/* Inputs that are farther away: the second of two packets overtakes the first on its way. */
static void packets_are_taken_in_the_order_of_their_arrival(void **state)
{
    (void)state;
    struct noc_params far = params;
    struct noc n;
    struct world w = {0};
    uint32_t handle;
    far.sm_spread = 20;
    far.slice_spread = 7;
    assert_true(noc_init(&n, &far, NOC_REQUEST, 3, 2));
    n.ctx = &w;
    n.on_arrival = on_arrival;
    n.on_room = on_room;
    assert_true(noc_push(&n, 2, 1, 1, 72, 100));
    assert_true(noc_push(&n, 1, 1, 1, 71, 101));
    assert_true(noc_push(&n, 0, 1, 1, 70, 102));
    for (uint64_t now = 101; now < 110; now++)
        noc_step(&n, now);
    for (uint32_t input = 0; input < 3; input++) {
        uint64_t sent = 102 - input;
        assert_int_equal(noc_ready_at(&n, 1), sent + far.latency + 10 * input + 7);
        noc_take(&n, 1, &handle);
        assert_int_equal(handle, 70 + input);
    }
    assert_true(noc_check(&n));
    noc_fini(&n);
}

/* Trains of two packets from two inputs cross packet by packet in turn, and arrive whole. */
static void trains_cross_in_turn(void **state)
{
    (void)state;
    struct noc n;
    struct world w;
    uint32_t handle;
    start(&n, &w, 2, 2);
    n.on_train = on_train;
    for (uint32_t input = 0; input < 2; input++)
        assert_true(noc_push(&n, input, 0, noc_train(2, 1), 40 + input, 100));
    assert_int_equal(n.in[0].held, 2);
    for (uint64_t now = 101; now < 130; now++)
        noc_step(&n, now);
    for (uint32_t input = 0; input < 2; input++) { /* four packets, of two flits each */
        assert_int_equal(noc_ready_at(&n, 0), 101 + 2 * (2 + input) + params.latency);
        assert_int_equal(noc_next(&n, 0), 40 + input);
        noc_take_train(&n, 0, 1, &handle);
    }
    assert_int_equal(w.arrivals, 2);
    assert_int_equal(w.span, 4);
    assert_int_equal(n.s.packets, 4);
    assert_int_equal(n.s.flits, 8);
    assert_int_equal(n.out[0].held, 0);
    assert_true(noc_check(&n));
    noc_fini(&n);
}

/* A train whose packets came before its last uses the cycles that the ports had to spare. */
static void a_train_that_came_bit_by_bit_arrives_like_its_last_packet(void **state)
{
    (void)state;
    struct noc n;
    struct world w;
    start(&n, &w, 2, 2);
    assert_true(noc_push(&n, 1, 0, noc_train(1, 3) | TRAIN_CAME, 77, 100));
    noc_step(&n, 101);
    assert_int_equal(noc_ready_at(&n, 0), 100 + params.latency);
    assert_int_equal(n.s.packets, 4);
    assert_int_equal(n.in[1].held, 0);
    assert_true(noc_check(&n));
    noc_fini(&n);
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
    assert_int_equal(noc_in_flight(&n), 0);
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

static uint64_t pushed_by(struct noc *n, uint32_t input, uint32_t outputs, uint64_t now,
                          struct rng *r)
{
    uint64_t pushed = 0;
    for (; noc_can_push(n, input); pushed++)
        noc_push(n, input, (uint32_t)rng_below(r, outputs), 1, input, now);
    return pushed;
}

/* Four SMs on each port flood many slices: a port passes one flit per cycle, and its SMs share it
 * as the arbitration says. */
static void sms_share_a_port(void **state)
{
    (void)state;
    enum { SMS = 12, SHARE = 4, SLICES = 32, CYCLES = 6000 };
    static const enum arbitration kinds[] = {ARBITRATION_OLDEST, ARBITRATION_ROUND_ROBIN,
                                             ARBITRATION_FIXED};
    for (uint32_t k = 0; k < 3; k++) {
        struct noc_params p = params;
        struct noc n;
        struct rng r;
        uint64_t got[SMS] = {0}, all = 0, pushed = 0;
        uint32_t handle;
        p.sms_per_port = SHARE;
        p.arbitration = kinds[k];
        rng_seed(&r, 2, 2);
        assert_true(noc_init(&n, &p, NOC_REQUEST, SMS, SLICES));
        n.on_arrival = on_arrival;
        n.ctx = &(struct world){0};
        for (uint64_t now = 0; now < CYCLES; now++) {
            noc_step(&n, now);
            for (uint32_t o = 0; o < SLICES; o++)
                for (; noc_ready_at(&n, o) <= now; all++) {
                    noc_take(&n, o, &handle);
                    got[handle]++;
                }
            for (uint32_t i = 0; i < SMS; i++)
                pushed += pushed_by(&n, i, SLICES, now, &r);
            assert_true(noc_check(&n));
        }
        assert_true(all <= (uint64_t)CYCLES * SMS / SHARE);
        assert_true(all >= (uint64_t)(0.9 * CYCLES * SMS / SHARE));
        assert_int_equal(pushed, all + noc_in_flight(&n));
        for (uint32_t i = 0; i < SMS; i++)
            if (kinds[k] == ARBITRATION_FIXED)
                assert_true(i % SHARE == 0 ? got[i] > all / 4 : got[i] < 8);
            else
                assert_near((double)got[i] * SMS / (double)all, 1, 0.1);
        noc_fini(&n);
    }
}

/* Replies to two SMs on one port: one flit per cycle for both, each with a queue of its own, so
 * that the one that takes nothing does not stop the other. */
static void replies_share_a_port(void **state)
{
    (void)state;
    enum { SLICES = 6, CYCLES = 3000 };
    for (uint32_t stuck = 0; stuck < 2; stuck++) {
        struct noc_params p = params;
        struct noc n;
        uint64_t got[2] = {0};
        uint32_t handle;
        p.sms_per_port = 2;
        p.output_queue = 32;
        assert_true(noc_init(&n, &p, NOC_REPLY, SLICES, 2));
        n.on_arrival = on_arrival;
        n.ctx = &(struct world){0};
        for (uint64_t now = 0; now < CYCLES; now++) {
            noc_step(&n, now);
            for (uint32_t o = stuck; o < 2; o++)
                for (; noc_ready_at(&n, o) <= now; got[o]++)
                    noc_take(&n, o, &handle);
            for (uint32_t i = 0; i < SLICES; i++) /* half of the slices answer each SM */
                if (noc_can_push(&n, i)) noc_push(&n, i, i % 2, 1, i, now);
            assert_true(noc_check(&n));
        }
        uint64_t crossed = got[0] + got[1] + n.out[0].queue.n;
        assert_near((double)crossed / CYCLES, 1, 0.005);
        if (!stuck) assert_near((double)got[0] / (double)got[1], 1, 0.02);
        noc_fini(&n);
    }
}

/* The output's turn: after the one served last, or always the first. */
static void outputs_arbitrate_as_named(void **state)
{
    (void)state;
    enum { INPUTS = 5 };
    for (int kind = ARBITRATION_ROUND_ROBIN; kind <= ARBITRATION_FIXED; kind++) {
        struct noc_params p = params;
        struct noc n;
        uint32_t handle, order[2 * INPUTS], taken = 0;
        p.arbitration = (enum arbitration)kind;
        p.output_queue = 64;
        assert_true(noc_init(&n, &p, NOC_REQUEST, INPUTS, 2));
        n.on_arrival = on_arrival;
        n.ctx = &(struct world){0};
        for (uint32_t k = 0; k < 2 * INPUTS; k++) /* asked for from the last to the first */
            noc_push(&n, INPUTS - 1 - k % INPUTS, 1, 1, INPUTS - 1 - k % INPUTS, 0);
        for (uint64_t now = 1; taken < 2 * INPUTS; now++) {
            noc_step(&n, now);
            for (; noc_ready_at(&n, 1) <= now; taken++) {
                noc_take(&n, 1, &handle);
                order[taken] = handle;
            }
        }
        for (uint32_t k = 0; k < 2 * INPUTS; k++)
            assert_int_equal(order[k], kind == ARBITRATION_FIXED ? k / 2 : k % INPUTS);
        noc_fini(&n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flits_hold_header_and_data),
        cmocka_unit_test(an_unloaded_packet_takes_latency_and_its_flits),
        cmocka_unit_test(packets_are_taken_in_the_order_of_their_arrival),
        cmocka_unit_test(trains_cross_in_turn),
        cmocka_unit_test(a_train_that_came_bit_by_bit_arrives_like_its_last_packet),
        cmocka_unit_test(a_flooded_output_passes_one_flit_per_cycle_fairly),
        cmocka_unit_test(random_traffic_is_conserved_and_ordered),
        cmocka_unit_test(a_producer_that_asked_hears_of_room),
        cmocka_unit_test(sms_share_a_port),
        cmocka_unit_test(replies_share_a_port),
        cmocka_unit_test(outputs_arbitrate_as_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
