/* The table of programs of CPU cores: what comes with plumb, which texts are refused, and where. */
#include "gpu/machine/params/coherence/cpu_programs.h"
#include "tests/support/run.h"

#include <stdio.h>
#include <string.h>

#define HEAD "program,l2_mpki,write_share,row_locality,mlp,base_ipc,footprint_mb,source\n"

static struct cpu_table table;

/* Mao, table 7, and issue 34: mcf has two misses in flight, the others at most eight. */
static void the_table_has_the_thesis_s_programs(void **state)
{
    static const struct {
        const char *name;
        double mpki;
    } want[] = {{"mcf", 52.28},  {"omnetpp", 34.67}, {"xalancbmk", 27.52}, {"lbm", 20.23},
                {"bzip2", 4.14}, {"h264ref", 1.95},  {"gcc", 0.58},        {"perlbench", 0.21}};
    struct error e = {0};
    (void)state;
    assert_true(cpu_table_load(&table, &e));
    assert_int_equal(table.n, sizeof want / sizeof *want);
    for (uint32_t i = 0; i < table.n; i++) {
        assert_string_equal(table.row[i].name, want[i].name);
        assert_near(table.row[i].mpki, want[i].mpki, 0);
        assert_true(table.row[i].mlp <= 8 && table.row[i].base_ipc <= 4);
        assert_true(table.row[i].footprint_mb > 2); /* of the L2 */
    }
    assert_int_equal(table.row[0].mlp, 2);
}

static void a_table_s_faults_are_found(void **state)
{
    static const struct {
        const char *text, *must_say;
    } c[] = {
        {"program,l2_mpki\n", "t:1: no head"},
        {HEAD "a,1,2,3,4,1,8,\n", "t:2: no source"},
        {HEAD "a,1,2,3,4,1,8\n", "t:2: no source"},
        {HEAD "a,x,2,3,4,1,8,s\n", "t:2: l2_mpki is 'x'; a number from 0 to 1000"},
        {HEAD "a,1,101,3,4,1,8,s\n", "t:2: write_share is '101'"},
        {HEAD "a,1,2,3.5,4,1,8,s\n", "t:2: row_locality is '3.5'; a whole number from 0 to 100"},
        {HEAD "a,1,2,3,0,1,8,s\n", "t:2: mlp is '0'"},
        {HEAD "\n# a comment\na,1,2,3,4,0,8,s\n", "t:4: base_ipc is '0'"},
        {HEAD "a,1,2,3,4,1,0,s\n", "t:2: footprint_mb is '0'"},
        {HEAD "a,1,2,3,4,1,8,s\na,1,2,3,4,1,8,s\n", "t:3: program is 'a'; a new name"},
        {HEAD ",1,2,3,4,1,8,s\n", "t:2: program is ''"},
    };
    (void)state;
    for (uint32_t i = 0; i < sizeof c / sizeof *c; i++) {
        struct error e = {0};
        assert_false(cpu_table_parse(&table, "t", c[i].text, &e));
        assert_contains(e.text, c[i].must_say);
    }
    struct error e = {0};
    assert_true(cpu_table_parse(&table, "t", HEAD "a,1.5,2,3,4,1,8,\"s, with a comma\"\r\n", &e));
    assert_int_equal(table.n, 1);
}

static void cores_are_named_by_their_programs(void **state)
{
    static const char *const names[] = {"mcf,lbm", "mcf lbm", " mcf , lbm ", "mcf, lbm"};
    (void)state;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct cpu_params p = {0};
        struct error e = {0};
        snprintf(p.programs, sizeof p.programs, "%s", names[i]);
        assert_true(cpu_programs_find(&p, &e));
        assert_int_equal(p.cores, 2);
        assert_string_equal(p.program[0].name, "mcf");
        assert_string_equal(p.program[1].name, "lbm");
    }
}

/* A machine's faults, as its file's reader reports them. */
static void a_machine_s_faults_are_found(void **state)
{
    static const struct {
        const char *sets[2], *must_say;
    } c[] = {
        {{"cpu.programs=mcf,quake", NULL}, "no program 'quake' in the table; mcf, omnetpp"},
        {{"cpu.programs=gcc gcc gcc gcc gcc", NULL}, "too many programs; 4 are allowed"},
        {{"cpu.programs=,", NULL}, "names no program"},
        {{"cpu.programs=gcc", "l2.interleave_bytes=32"}, "64 and more are allowed"},
        {{"cpu.programs=gcc", "sm.count=1024"}, "together 1024 are allowed"},
        {{"cpu.rob=64", NULL}, "set although cpu.programs = \"\""},
        {{"dram.cpu_first=true", NULL}, "set although cpu.programs = \"\""},
        {{"cpu.programs=gcc", "l3.kb=1024"}, "l3.kb = 0 is allowed"},
    };
    (void)state;
    for (uint32_t i = 0; i < sizeof c / sizeof *c; i++) {
        struct machine m;
        struct errors all = {0};
        assert_false(machine_load(&m, "rx540", c[i].sets, c[i].sets[1] ? 2 : 1, &all));
        bool said = false;
        for (uint32_t k = 0; k < all.n; k++)
            said |= strstr(all.item[k].text, c[i].must_say) != NULL;
        if (!said) fail_msg("case %u: %s", i, all.item[0].text);
        errors_fini(&all);
    }
    struct errors all = {0};
    struct machine m;
    const char *strict[] = {"cpu.programs=gcc", "dram.cpu_first=true",
                            "dram.scheduler=fcfs_strict"};
    assert_false(machine_load(&m, "rx540", strict, 3, &all));
    assert_contains(all.item[0].text, "requests in strict order have no first");
    errors_fini(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_the_thesis_s_programs),
        cmocka_unit_test(a_table_s_faults_are_found),
        cmocka_unit_test(cores_are_named_by_their_programs),
        cmocka_unit_test(a_machine_s_faults_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
