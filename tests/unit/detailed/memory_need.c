/* Does the stated memory of a simulation agree with what is allocated, and is a machine that needs
 * more than there is refused before anything is taken? */
#include "detailed/core/memory_need.h"
#include "base/memory/available.h"
#include "detailed/core/sim.h"
#include "gpu/machine/machine.h"
#include "trace/program/program.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void load(struct machine *m, const char *spec, const char *set)
{
    struct errors all = {0};
    assert_true(machine_load(m, spec, &set, set != NULL, &all));
    errors_fini(&all);
}

static struct program *tiny(const struct machine *m)
{
    struct error e;
    struct program_opts o = {.warp_width = m->sm.warp_width};
    struct program *p = program_open("handoff", &o, &e);
    if (!p) fail_msg("%s", e.text);
    return p;
}

static double allocated(const struct machine *m)
{
    struct error e;
    struct program *p = tiny(m);
    struct mallinfo2 before = mallinfo2();
    struct sim *s = sim_new(m, p, &e);
    if (!s) fail_msg("%s", e.text);
    struct mallinfo2 after = mallinfo2();
    sim_free(s);
    program_close(p);
    return (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
}

static void the_need_is_what_is_allocated(void **state)
{
    static const struct {
        const char *spec, *set;
    } machines[] = {{"rx540", NULL},
                    {"qv100", NULL},
                    {"titanv", "l2.bank_kb=4096"},
                    {"vega64", "dram.queue=4096"},
                    {"gtx480", "l1.mshr.entries=65536"},
                    {"qv100", "scalar.loads=constant"},
                    {"qv100", "tlb.l1_entries=1024"},
                    {"hd7770-hpcs15", "dram.fixed_latency=100000"},
                    {"hd7770-fgcs18", NULL}};
    (void)state;
    if (mallinfo2().arena == 0) skip(); /* a sanitizer's allocator states nothing */
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct machine m;
        load(&m, machines[i].spec, machines[i].set);
        double need = (double)memory_need(&m), real = allocated(&m);
        if (need < 0.75 * real || need > 1.33 * real)
            fail_msg("%s with %s: %.0f bytes stated, %.0f allocated", machines[i].spec,
                     machines[i].set ? machines[i].set : "nothing", need, real);
    }
}

static void a_machine_beyond_the_host_is_refused(void **state)
{
    struct machine m;
    struct error e = {0};
    (void)state;
    load(&m, "hd7770-hpcs15", "dram.fixed_latency=1000000");
    assert_true(memory_suffices(&m, &e));
    m.dram.channels = 1 << 22; /* 96 MB each: no host has so much */
    assert_false(memory_suffices(&m, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_non_null(strstr(e.text, "GB of memory"));
}

static void something_is_available(void **state)
{
    (void)state;
    assert_true(memory_available() > 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_need_is_what_is_allocated),
        cmocka_unit_test(a_machine_beyond_the_host_is_refused),
        cmocka_unit_test(something_is_available),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
