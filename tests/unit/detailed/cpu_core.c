/* Does a CPU core execute as its program and its window say?  One core on two networks of one link,
 * before a memory of a constant latency, or of one request every so many cycles.  Expectations are
 * closed forms of the latency that the core itself has measured. */
#include "detailed/cpu/cpu_core.h"
#include "detailed/parts/component.h"
#include "gpu/geometry/address_map.h"
#include "tests/support/run.h"

#include <math.h>
#include <string.h>

enum { SERVED_MAX = 256 };

/* What is on its way through the memory. */
struct served {
    uint64_t at;
    uint32_t req;
};

struct bench {
    struct machine m;
    struct map map;
    struct req_pool reqs;
    struct clocks clocks;
    struct noc noc[NOC_N];
    struct wiring w;
    struct cpu_core core;
    uint64_t now, due;
    struct served served[SERVED_MAX];
    uint32_t n;
    uint64_t latency, interval, free_at;
    uint64_t reads, writes, last_read, last_write, read_steps, write_steps;
};

static void nothing(void *ctx)
{
    (void)ctx;
}

static void arrives(void *ctx, uint32_t output, uint64_t cycle)
{
    (void)output;
    struct bench *b = ctx;
    if (cycle < b->due) b->due = cycle;
}

static void takes(void *ctx, uint32_t output, uint64_t cycle)
{
    (void)ctx, (void)output, (void)cycle;
}

static void has_room(void *ctx, uint32_t input)
{
    struct bench *b = ctx;
    (void)input;
    b->due = b->now;
}

/* A cycle of the network is a cycle of the core: nothing is rounded at an IPC of 1. */
static void begin(struct bench *b, const struct cpu_program *p, uint32_t rob)
{
    static const char *const sets[] = {"l2.banks=1", "dram.channels=1", "noc.latency=1",
                                       "noc.input_queue=4", "cpu.programs=gcc"};
    struct error e;
    memset(b, 0, sizeof *b);
    b->m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
    b->m.cpu.program[0] = *p;
    b->m.cpu.rob = rob;
    assert_true(map_init(&b->map, &b->m.l2, &b->m.dram, &e));
    assert_true(req_pool_init(&b->reqs, 64));
    b->m.noc.other_ports = 0; /* the core is the only client */
    assert_true(noc_init(&b->noc[NOC_REQUEST], &b->m.noc, NOC_REQUEST, 1, 1));
    assert_true(noc_init(&b->noc[NOC_REPLY], &b->m.noc, NOC_REPLY, 1, 1));
    b->noc[NOC_REQUEST].ctx = b->noc[NOC_REPLY].ctx = b;
    b->noc[NOC_REQUEST].on_arrival = takes;
    b->noc[NOC_REQUEST].on_room = has_room;
    b->noc[NOC_REPLY].on_arrival = arrives;
    b->noc[NOC_REPLY].on_room = has_room;
    b->clocks = (struct clocks){.period[CLOCK_NOC] = 1, .tick_us = 1.0 / b->m.cpu.clock_mhz};
    b->w = (struct wiring){.clocks = &b->clocks,
                           .map = &b->map,
                           .reqs = &b->reqs,
                           .all[KIND_noc] = b->noc,
                           .noc_due = nothing,
                           .sim = b};
    cpu_core_init(&b->core, 0, &b->m.cpu, 0, &b->w);
    b->latency = 100;
}

static void end(struct bench *b)
{
    assert_int_equal(b->reqs.used, noc_in_flight(&b->noc[NOC_REQUEST]) +
                                       noc_in_flight(&b->noc[NOC_REPLY]) + b->n);
    noc_fini(&b->noc[NOC_REQUEST]);
    noc_fini(&b->noc[NOC_REPLY]);
    req_pool_fini(&b->reqs);
}

/* A stream of lines: whether it goes to the next one. */
static void follow(uint64_t addr, uint64_t *last, uint64_t *n, uint64_t *steps)
{
    assert_int_equal(addr % CPU_LINE, 0);
    *steps += *n && addr == *last + CPU_LINE;
    *last = addr;
    (*n)++;
}

static void memory_takes(struct bench *b)
{
    uint32_t req;
    while (noc_ready_at(&b->noc[NOC_REQUEST], 0) <= b->now && b->n < SERVED_MAX) {
        noc_take(&b->noc[NOC_REQUEST], 0, &req);
        const struct req *r = &b->reqs.item[req];
        if (r->kind == REQ_WRITE) {
            follow(r->addr, &b->last_write, &b->writes, &b->write_steps);
            req_free(&b->reqs, req);
            continue;
        }
        follow(r->addr, &b->last_read, &b->reads, &b->read_steps);
        b->free_at = (b->free_at > b->now ? b->free_at : b->now) + b->interval;
        b->served[b->n++] = (struct served){b->free_at + b->latency, req};
    }
}

static void memory_answers(struct bench *b)
{
    while (b->n && b->served[0].at <= b->now && noc_can_push(&b->noc[NOC_REPLY], 0)) {
        assert_true(noc_push(&b->noc[NOC_REPLY], 0, 0, 1, b->served[0].req, b->now));
        memmove(b->served, b->served + 1, --b->n * sizeof *b->served);
    }
}

static void run(struct bench *b, uint64_t cycles)
{
    for (uint64_t until = b->now + cycles; b->now < until; b->now++) {
        noc_step(&b->noc[NOC_REQUEST], b->now);
        noc_step(&b->noc[NOC_REPLY], b->now);
        memory_takes(b);
        memory_answers(b);
        if (b->now < b->due) continue;
        b->due = UINT64_MAX;
        uint64_t next = cpu_core_step(&b->core, b->now);
        if (next < b->due) b->due = next;
        assert_true(b->due > b->now && cpu_core_check(&b->core));
    }
}

static double ipc(const struct bench *b)
{
    return cpu_core_instructions(&b->core, b->now) / (double)b->now;
}

static double measured_latency(const struct bench *b)
{
    return (double)b->core.s.latency_ticks / (double)b->core.s.returned;
}

static struct cpu_program program_of(double mpki, uint32_t mlp, double base_ipc)
{
    return (struct cpu_program){
        .name = "test", .mpki = mpki, .mlp = mlp, .base_ipc = base_ipc, .footprint_mb = 64};
}

/* --- speed --- */

static void without_misses_a_core_runs_at_its_base_ipc(void **state)
{
    (void)state;
    for (double base = 0.25; base <= 4; base *= 2) {
        struct bench b;
        struct cpu_program p = program_of(0, 4, base);
        begin(&b, &p, 256);
        run(&b, 100000);
        assert_near(ipc(&b), base, 1e-9);
        assert_int_equal(b.core.s.reads, 0);
        end(&b);
    }
}

/* n instructions, then the whole latency: n / (n / ipc + L). */
static void one_miss_at_a_time_adds_its_latency(void **state)
{
    static const double mpki[] = {2, 20, 100, 1000};
    (void)state;
    for (uint32_t i = 0; i < sizeof mpki / sizeof *mpki; i++)
        for (uint64_t latency = 10; latency <= 1000; latency *= 10) {
            struct bench b;
            struct cpu_program p = program_of(mpki[i], 1, 1);
            begin(&b, &p, 256);
            b.latency = latency;
            run(&b, 2000000);
            double done = cpu_core_instructions(&b.core, b.now), l = measured_latency(&b);
            double n = done / (double)b.core.s.reads;
            assert_true(l >= (double)latency + 2);
            assert_near(ipc(&b) / (n / (n + l)), 1, 0.002); /* the last miss is on its way */
            assert_near(n / (1000 / mpki[i]), 1, mpki[i] == 1000 ? 0 : 0.1);
            end(&b);
        }
}

/* A miss at every instruction: mlp of them every latency, however wide the window. */
static void the_window_of_misses_bounds_throughput(void **state)
{
    (void)state;
    for (uint32_t mlp = 1; mlp <= 64; mlp *= 4) {
        struct bench b;
        struct cpu_program p = program_of(1000, mlp, 4);
        begin(&b, &p, 256);
        b.latency = 1000;
        run(&b, 1000000);
        double reads = (double)b.core.s.returned / (double)b.now;
        assert_near(reads * measured_latency(&b) / mlp, 1, 0.02);
        end(&b);
    }
}

/* A miss at every instruction, and misses enough: the window ends rob instructions behind the
 * oldest, so that rob + 1 of them are in flight, and one instruction follows when the oldest comes.
 */
static void the_reorder_buffer_bounds_throughput(void **state)
{
    (void)state;
    for (uint32_t rob = 1; rob <= 31; rob += 10) {
        struct bench b;
        struct cpu_program p = program_of(1000, 64, 1);
        begin(&b, &p, rob);
        b.latency = 500;
        run(&b, 1000000);
        double period = measured_latency(&b) + 1;
        assert_near(ipc(&b) * period / (rob + 1), 1, 0.02);
        end(&b);
    }
}

/* Seldom misses that the window hides: rob / ipc cycles of each are free. */
static void the_reorder_buffer_hides_part_of_a_seldom_miss(void **state)
{
    (void)state;
    struct bench b;
    struct cpu_program p = program_of(0.1, 8, 1);
    begin(&b, &p, 256);
    b.latency = 1000;
    run(&b, 20000000);
    double n = cpu_core_instructions(&b.core, b.now) / (double)b.core.s.reads;
    /* two misses within a window, 256 of 10000 instructions apart, are 3 % of all */
    assert_near(ipc(&b) / (n / (n + measured_latency(&b) - 256)), 1, 0.005);
    end(&b);
    begin(&b, &p, 256);
    b.latency = 100;
    run(&b, 1000000);
    assert_near(ipc(&b), 1, 0); /* all of it */
    end(&b);
}

/* A memory that serves a request every so many cycles. */
static void a_slow_memory_bounds_throughput(void **state)
{
    (void)state;
    for (uint64_t interval = 20; interval <= 200; interval += 60) {
        struct bench b;
        struct cpu_program p = program_of(200, 16, 2);
        begin(&b, &p, 256);
        b.interval = interval;
        run(&b, 1000000);
        assert_near((double)b.core.s.returned * (double)interval / (double)b.now, 1, 0.01);
        end(&b);
    }
}

/* --- traffic --- */

/* Shares of independent draws: within four standard deviations. */
static void shares_are_as_the_program_says(void **state)
{
    static const uint32_t shares[] = {0, 10, 50, 100};
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 4; k++) {
            struct bench b;
            struct cpu_program p = program_of(100, 8, 1);
            p.write_share = shares[i];
            p.row_locality = shares[k];
            begin(&b, &p, 256);
            run(&b, 1000000);
            double n = (double)b.reads, w = shares[i] / 100.0, l = shares[k] / 100.0;
            assert_near((double)b.writes, n * w, 4 * sqrt(n * w * (1 - w)) + 3);
            assert_near((double)b.read_steps, n * l, 4 * sqrt(n * l * (1 - l)) + 3);
            assert_near((double)b.write_steps, n * w * l, 5 * sqrt(n * w * l) + 3);
            end(&b);
        }
}

/* What starts again does the same again. */
static void a_core_starts_afresh(void **state)
{
    (void)state;
    struct bench a, b;
    struct cpu_program p = program_of(50, 8, 1.5);
    p.write_share = p.row_locality = 40;
    begin(&a, &p, 256);
    begin(&b, &p, 256);
    run(&a, 100000);
    run(&b, 12345);
    noc_clear(&b.noc[NOC_REQUEST]);
    noc_clear(&b.noc[NOC_REPLY]);
    req_pool_clear(&b.reqs);
    b.n = 0;
    b.now = b.due = b.free_at = 0;
    cpu_core_clear(&b.core);
    run(&b, 100000);
    assert_memory_equal(&a.core.s, &b.core.s, sizeof a.core.s);
    assert_near(cpu_core_instructions(&a.core, a.now), cpu_core_instructions(&b.core, b.now), 0);
    end(&a);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_misses_a_core_runs_at_its_base_ipc),
        cmocka_unit_test(one_miss_at_a_time_adds_its_latency),
        cmocka_unit_test(the_window_of_misses_bounds_throughput),
        cmocka_unit_test(the_reorder_buffer_bounds_throughput),
        cmocka_unit_test(the_reorder_buffer_hides_part_of_a_seldom_miss),
        cmocka_unit_test(a_slow_memory_bounds_throughput),
        cmocka_unit_test(shares_are_as_the_program_says),
        cmocka_unit_test(a_core_starts_afresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
