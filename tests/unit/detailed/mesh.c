/* mesh.c - the mesh: latency of a hop to the cycle, placement, links' load against a walk
 * over all routes, what uniform traffic gets through, fairness, credits, a hot spot. */
#include "detailed/noc/mesh.h"
#include "base/memory/rng.h"
#include "gpu/machine/params/mesh_layout.h"
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void on_arrival(void *ctx, uint32_t output, uint64_t cycle)
{
    (void)ctx, (void)output, (void)cycle;
}

static void on_room(void *ctx, uint32_t input)
{
    (void)ctx, (void)input;
}

static struct noc_params params(uint32_t columns)
{
    return (struct noc_params){.topology = TOPOLOGY_MESH,
                               .sms_per_port = 1,
                               .columns = columns,
                               .router_latency = 3,
                               .link_latency = 2,
                               .buffer_flits = 16,
                               .flit_bytes = 32,
                               .input_queue = 8,
                               .output_queue = 8};
}

static void start(struct noc *n, const struct noc_params *p, int way, uint32_t in, uint32_t out)
{
    assert_true(noc_init(n, p, way, in, out));
    n->on_arrival = on_arrival;
    n->on_room = on_room;
}

/* Input i and output i both at node i of a square: what the literature's figures are about. */
static void start_square(struct noc *n, const struct noc_params *p, uint32_t side)
{
    start(n, p, NOC_REQUEST, side * side, side * side);
    for (uint32_t i = 0; i < side * side; i++)
        n->mesh->in_node[i] = n->mesh->out_node[i] = i;
}

/* --- zero load --- */

static void a_packet_alone_takes_routers_links_and_its_flits(void **state)
{
    (void)state;
    enum { SIDE = 5 };
    struct noc_params p = params(SIDE);
    for (uint32_t from = 0; from < SIDE * SIDE; from++)
        for (uint32_t to = 0; to < SIDE * SIDE; to++) {
            struct noc n;
            uint32_t handle, flits = 1 + (from + to) % 5;
            uint32_t dx = (uint32_t)abs((int)(from % SIDE) - (int)(to % SIDE));
            uint32_t dy = (uint32_t)abs((int)(from / SIDE) - (int)(to / SIDE)), hops = dx + dy;
            start_square(&n, &p, SIDE);
            assert_true(noc_push(&n, from, to, flits, 9, 100));
            for (uint64_t now = 101; now != UINT64_MAX;) /* only when due: no wake-up is missed */
                now = noc_step(&n, now);
            assert_int_equal(noc_ready_at(&n, to), 100 + 3 * (hops + 1) + 2 * hops + flits - 1);
            assert_int_equal(n.s.hop_flits, hops * flits);
            assert_int_equal(n.s.stall_cycles, 0);
            assert_true(noc_check(&n));
            noc_take(&n, to, &handle);
            assert_int_equal(handle, 9);
            noc_fini(&n);
        }
}

/* --- where things stand, and what the links carry --- */

static void everything_has_one_place(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = {{80, 24, 1}, {80, 24, 2}, {8, 2, 1}, {5, 5, 1}, {3, 17, 3}};
    for (uint32_t k = 0; k < 5; k++)
        for (int placement = PLACEMENT_TOP_BOTTOM; placement <= PLACEMENT_SPREAD; placement++) {
            struct noc_params p = params(0);
            p.placement = (enum mesh_placement)placement;
            p.sms_per_port = sizes[k][2];
            struct mesh_shape s = mesh_shape(&p, sizes[k][0], sizes[k][1]);
            uint32_t next[2] = {0, 0}; /* ports and slices come in order */
            for (uint32_t node = 0; node < s.columns * s.rows; node++) {
                bool slice;
                uint32_t index;
                if (mesh_at(&s, node, &slice, &index)) assert_int_equal(index, next[slice]++);
            }
            assert_int_equal(next[false], s.ports);
            assert_int_equal(next[true], s.slices);
            assert_int_equal(s.ports, (sizes[k][0] + sizes[k][2] - 1) / sizes[k][2]);
        }
}

static void slices_stand_in_the_outer_rows_or_among_the_sms(void **state)
{
    (void)state;
    struct noc_params p = params(4);
    bool slice;
    uint32_t index;
    struct mesh_shape s = mesh_shape(&p, 8, 8); /* 4 x 4 */
    for (uint32_t node = 0; node < 16; node++) {
        assert_true(mesh_at(&s, node, &slice, &index));
        assert_int_equal(slice, node < 4 || node >= 12);
    }
    p.placement = PLACEMENT_SPREAD;
    s = mesh_shape(&p, 8, 8);
    for (uint32_t node = 0; node < 16; node++) {
        assert_true(mesh_at(&s, node, &slice, &index));
        assert_int_equal(slice, node % 2 == 1);
    }
}

/* Walks every route, link by link. */
static struct mesh_load walk(const struct mesh_shape *s, bool replies)
{
    enum { SIDE_MAX = 16 };
    static double link[SIDE_MAX * SIDE_MAX][4];
    uint32_t nodes = s->columns * s->rows;
    double pairs = (double)s->ports * s->slices;
    struct mesh_load l = {0};
    bool slice, other;
    uint32_t index;
    memset(link, 0, sizeof link);
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = 0; b < nodes; b++) {
            if (!mesh_at(s, a, &slice, &index) || slice != replies) continue;
            if (!mesh_at(s, b, &other, &index) || other == replies) continue;
            uint32_t x = a % s->columns, y = a / s->columns, steps = 0;
            for (; x < b % s->columns; x++, steps++)
                link[y * s->columns + x][0]++;
            for (; x > b % s->columns; x--, steps++)
                link[y * s->columns + x][1]++;
            for (; y < b / s->columns; y++, steps++)
                link[y * s->columns + x][2]++;
            for (; y > b / s->columns; y--, steps++)
                link[y * s->columns + x][3]++;
            l.hops += steps / pairs;
        }
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t d = 0; d < 4; d++)
            l.busiest = fmax(l.busiest, link[i][d] / pairs);
    return l;
}

static void load_of_links_is_that_of_all_routes(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = {{80, 24, 0}, {64, 64, 0}, {8, 2, 0}, {9, 3, 12}, {9, 3, 1}};
    for (uint32_t k = 0; k < 5; k++)
        for (int placement = PLACEMENT_TOP_BOTTOM; placement <= PLACEMENT_SPREAD; placement++)
            for (int replies = 0; replies <= 1; replies++) {
                struct noc_params p = params(sizes[k][2]);
                p.placement = (enum mesh_placement)placement;
                struct mesh_shape s = mesh_shape(&p, sizes[k][0], sizes[k][1]);
                struct mesh_load fast = mesh_load(&s, replies), slow = walk(&s, replies);
                assert_near(fast.hops, slow.hops, 1e-9);
                assert_near(fast.busiest, slow.busiest, 1e-9);
            }
}

/* --- load --- */

/* Every node offers packets of one flit with this chance per cycle to any node but itself; accepted
 * flits per node and cycle after a warm-up. */
static double uniform_traffic(uint32_t side, double offered, uint32_t buffer)
{
    enum { WARM = 2000, CYCLES = 8000, NODES_MAX = 64 };
    struct noc_params p = params(side);
    struct noc n;
    struct rng r;
    uint32_t nodes = side * side, handle;
    uint64_t taken = 0, per_node[NODES_MAX] = {0};
    p.router_latency = p.link_latency = 1;
    p.buffer_flits = buffer;
    p.arbitration = ARBITRATION_ROUND_ROBIN;
    rng_seed(&r, 7, 7);
    start_square(&n, &p, side);
    for (uint64_t now = 0; now < CYCLES; now++) {
        noc_step(&n, now);
        for (uint32_t i = 0; i < nodes; i++) {
            while (noc_ready_at(&n, i) <= now) {
                noc_take(&n, i, &handle);
                if (now < WARM) continue;
                taken++;
                per_node[handle]++;
            }
            uint32_t to = (uint32_t)rng_below(&r, nodes - 1);
            bool offers = (double)rng_below(&r, 1000000) < offered * 1e6;
            if (offers && noc_can_push(&n, i)) noc_push(&n, i, to + (to >= i), 1, i, now);
        }
        if (now % 500 == 0) assert_true(noc_check(&n));
    }
    noc_fini(&n);
    return (double)taken / (CYCLES - WARM) / nodes;
}

/* 8 x 8, uniform: the bisection lets 4/8 flits per node and cycle pass.  With one queue per input
 * the published figures are 0.6 to 0.8 of that for deep queues (Dally and Towles 2004, ch. 16-19:
 * the rest is lost to heads that hold up others); shallow ones get less. */
static void uniform_traffic_saturates_below_the_bisection(void **state)
{
    (void)state;
    const double bisection = 4.0 / 8 * 64 / 63; /* nobody sends to itself */
    double low = uniform_traffic(8, 0.2, 16), deep = uniform_traffic(8, 1, 16),
           shallow = uniform_traffic(8, 1, 1);
    print_message("accepted: 0.2 -> %.3f; saturated %.3f of the bisection, %.3f with one flit\n",
                  low, deep / bisection, shallow / bisection);
    assert_near(low, 0.2, 0.006); /* what is offered gets through */
    assert_true(deep < bisection);
    assert_in_range((uint32_t)(1000 * deep / bisection), 600, 800);
    assert_true(shallow < 0.7 * deep);
}

/* Everybody to one node: it takes one flit per cycle, nobody starves where arbitration is fair. */
static void a_hot_spot_takes_one_flit_per_cycle(void **state)
{
    (void)state;
    enum { SIDE = 4, NODES = SIDE * SIDE, CYCLES = 20000, FLITS = 3 };
    static const enum arbitration kinds[] = {ARBITRATION_OLDEST, ARBITRATION_ROUND_ROBIN,
                                             ARBITRATION_FIXED};
    for (uint32_t k = 0; k < 3; k++) {
        struct noc_params p = params(SIDE);
        struct noc n;
        uint32_t got[NODES] = {0}, all = 0, starved = 0, handle;
        p.arbitration = kinds[k];
        p.output_queue = 64;
        start_square(&n, &p, SIDE);
        for (uint64_t now = 0; now < CYCLES; now++) {
            noc_step(&n, now);
            for (; noc_ready_at(&n, 5) <= now; all++) {
                noc_take(&n, 5, &handle);
                got[handle]++;
            }
            for (uint32_t i = 0; i < NODES; i++)
                if (noc_can_push(&n, i)) noc_push(&n, i, 5, FLITS, i, now);
        }
        assert_true(noc_check(&n));
        assert_near((double)all * FLITS / CYCLES, 1, 0.01);
        for (uint32_t i = 0; i < NODES; i++)
            starved += got[i] < 8; /* what its queue held, or little more */
        if (kinds[k] == ARBITRATION_FIXED)
            assert_true(starved > 0);
        else
            assert_int_equal(starved, 0);
        noc_fini(&n);
    }
}

/* A consumer that takes nothing stops the network; nothing is lost, and all comes out afterwards.
 * Stepped only when due. */
static void nothing_is_lost_behind_a_slow_consumer(void **state)
{
    (void)state;
    enum { SMS = 11, SLICES = 5, PACKETS = 6000 };
    struct noc_params p = params(0);
    struct noc n;
    struct rng r;
    uint32_t sent[SMS][SLICES] = {{0}}, got[SMS][SLICES] = {{0}}, pushed = 0, taken = 0, handle;
    uint64_t next = 0;
    p.sms_per_port = 2;
    p.output_queue = 2;
    p.buffer_flits = 4;
    rng_seed(&r, 3, 3);
    start(&n, &p, NOC_REQUEST, SMS, SLICES);
    for (uint64_t now = 0; taken < PACKETS; now++) {
        if (now >= next) next = noc_step(&n, now);
        for (uint32_t o = 0; o < SLICES; o++) {
            if (noc_ready_at(&n, o) > now || rng_below(&r, 6)) continue;
            if (noc_take(&n, o, &handle)) next = now + 1;
            assert_int_equal(handle & 0xffffff, got[handle >> 24][o]++); /* in order */
            taken++;
        }
        for (uint32_t i = 0; i < SMS && pushed < PACKETS; i++) {
            uint32_t o = (uint32_t)rng_below(&r, SLICES);
            if (!noc_can_push(&n, i)) continue;
            noc_push(&n, i, o, 1 + (uint32_t)rng_below(&r, 4), i << 24 | sent[i][o]++, now);
            next = now + 1;
            pushed++;
        }
        assert_true(noc_check(&n));
        assert_true(now < 60 * PACKETS);
    }
    assert_int_equal(noc_in_flight(&n), 0);
    noc_fini(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_alone_takes_routers_links_and_its_flits),
        cmocka_unit_test(everything_has_one_place),
        cmocka_unit_test(slices_stand_in_the_outer_rows_or_among_the_sms),
        cmocka_unit_test(load_of_links_is_that_of_all_routes),
        cmocka_unit_test(uniform_traffic_saturates_below_the_bisection),
        cmocka_unit_test(a_hot_spot_takes_one_flit_per_cycle),
        cmocka_unit_test(nothing_is_lost_behind_a_slow_consumer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
