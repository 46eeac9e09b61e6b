/* Are tables read as they stand, broken ones refused by place, and CACTI's own output taken over?
 */
#include "gpu/energy/cacti_import.h"
#include "tests/support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HEAD                                                                        \
    "structure,tech_nm,capacity_bytes,line_bytes,assoc,access_mode,read_energy_nJ," \
    "write_energy_nJ,leakage_bank_mW,area_mm2,build\n"
#define ROW "cache,32,1024,64,4,sequential,0.01,0.02,0.5,0.1,stock\n"

static void rows_are_found_by_key(void **state)
{
    (void)state;
    struct sram_table t;
    struct error e;
    uint32_t first;
    assert_true(sram_table_parse(&t, "t.csv",
                                 "# a remark\n" HEAD
                                 "cache,32,4096,64,4,sequential,0.03,0.04,2,,minrows2\r\n" ROW
                                 "cache,22,1024,64,4,sequential,0.005,0.01,0.2,0.05,stock\n",
                                 &e));
    assert_int_equal(t.n, 3);
    struct sram_key key = {
        .structure = "cache", .tech_nm = 32, .line_bytes = 64, .ways = 4, .mode = SRAM_SEQUENTIAL};
    assert_int_equal(sram_family(&t, &key, &first), 2);
    const struct sram_row *small = &t.row[first], *large = small + 1;
    assert_int_equal(small->key.bytes, 1024);
    assert_near(small->v[SRAM_leakage_mw], 0.5, 0);
    assert_true(small->stock && !large->stock);
    assert_near(large->v[SRAM_write_nj], 0.04, 0);
    assert_true(isnan(large->v[SRAM_area_mm2]) && isnan(large->v[SRAM_search_nj]));
    key.ways = 8;
    assert_int_equal(sram_family(&t, &key, &first), 0);
    sram_table_fini(&t);
}

/* Every form of a number is the double that strtod gives. */
static void numbers_are_as_strtod_reads_them(void **state)
{
    static const char *const forms[] = {"0.14923",
                                        "103.325",
                                        "7",
                                        ".5",
                                        "5.",
                                        "0.1",
                                        "0.000329537",
                                        "999999999999999",
                                        "0.99999999999999",
                                        "1234567890123456789",
                                        "0.12345678901234567890",
                                        "1e-3",
                                        "2.5E+4",
                                        "0x1p-3"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[512];
        struct sram_table t;
        struct error e;
        snprintf(text, sizeof text, HEAD "cache,32,1024,64,4,sequential,%s,1,1,1,stock\n",
                 forms[i]);
        if (!sram_table_parse(&t, "t.csv", text, &e)) fail_msg("%s: %s", forms[i], e.text);
        if (t.row->v[SRAM_read_nj] != strtod(forms[i], NULL))
            fail_msg("%s: %.17g", forms[i], t.row->v[SRAM_read_nj]);
        sram_table_fini(&t);
    }
}

static void broken_tables_name_the_place(void **state)
{
    static const struct {
        const char *text, *place, *what;
    } cases[] = {
        {"", "t.csv:", "empty"},
        {HEAD, "t.csv:", "without rows"},
        {"structure,tech_nm\n", "t.csv:1:", "no column 'capacity_bytes'"},
        {HEAD "cache,32,1024,64\n", "t.csv:2:", "4 cells; the head has 11"},
        {HEAD ROW "cache,32,1k,64,4,sequential,1,1,1,1,stock\n", "t.csv:3:", "capacity_bytes"},
        {HEAD "cache,0,1024,64,4,sequential,1,1,1,1,stock\n", "t.csv:2:", "tech_nm"},
        {HEAD "cache,32,1024,64,4,serial,1,1,1,1,stock\n", "t.csv:2:", "access_mode"},
        {HEAD "cache,32,1024,64,4,sequential,-1,1,1,1,stock\n", "t.csv:2:", "read_energy_nJ"},
        {HEAD "cache,32,1024,64,4,sequential,1,1,,1,stock\n", "t.csv:2:", "leakage_bank_mW"},
        {HEAD "cache,32,1024,64,4,sequential,1,nan,1,1,stock\n", "t.csv:2:", "write_energy_nJ"},
        {HEAD "cache,32,1024,64,4,sequential,1,1x,1,1,stock\n", "t.csv:2:", "write_energy_nJ"},
        {HEAD "cache,32,1024,64,4,sequential,1,1.2.3,1,1,stock\n", "t.csv:2:", "'1.2.3'"},
        {HEAD "cache,32,1024,64,4,sequential,1,.,1,1,stock\n", "t.csv:2:", "write_energy_nJ"},
        {HEAD "cache,32,1024,64,4,sequential,1,0.0,1,1,stock\n", "t.csv:2:", "write_energy_nJ"},
        {HEAD ",32,1024,64,4,sequential,1,1,1,1,stock\n", "t.csv:2:", "structure"},
        {HEAD ROW ROW, "t.csv:", "two rows of cache, 32 nm, 1024 bytes"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sram_table t;
        struct error e = {0};
        assert_false(sram_table_parse(&t, "t.csv", cases[i].text, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_contains(e.text, cases[i].place);
        assert_contains(e.text, cases[i].what);
        assert_null(t.row);
    }
}

/* Two lines as CACTI appends them: a set-associative run and a fully associative one. */
#define CACTI                                                                                  \
    "Tech node (nm), Capacity (bytes), Number of banks, Associativity, Output width (bits), "  \
    "Access time (ns), Random cycle time (ns), Dynamic search energy (nJ), Dynamic read "      \
    "energy (nJ), Dynamic write energy (nJ), Standby leakage per bank(mW), Area (mm2), Ndwl, " \
    "\n32, 262144, 1, 32, 512, 0.95, 0.4, N/A, 0.0963, 0.1766, 103.3, 1.036, 2, \n"

static const struct import_options as_caches = {.structure = "cache", .mode = SRAM_SEQUENTIAL};

static void cacti_output_becomes_a_table(void **state)
{
    (void)state;
    struct sram_table t, again;
    struct error e;
    struct text out = {0};
    assert_true(cacti_import(&t, "out.csv",
                             CACTI "\n32, 4096, 1, 0, 512, 0.4, 0.5, 0.03, 0.031, 0.032, 4.5, "
                                   "0.07, 1, \n",
                             &as_caches, &e));
    assert_int_equal(t.n, 2);
    assert_string_equal(t.row[0].key.structure, "cache");
    assert_int_equal(t.row[0].key.line_bytes, 64); /* 512 bits */
    assert_int_equal(t.row[0].key.ways, 32);
    assert_near(t.row[0].v[SRAM_read_nj], 0.0963, 0);
    assert_true(isnan(t.row[0].v[SRAM_search_nj]));
    assert_string_equal(t.row[1].key.structure, "cache_fa");
    assert_int_equal(t.row[1].key.mode, SRAM_FA);
    assert_near(t.row[1].v[SRAM_search_nj], 0.03, 0);
    sram_table_write(&t, &out);
    assert_true(cacti_import(&again, "table.csv", text_str(&out), &as_caches, &e));
    assert_int_equal(again.n, t.n);
    for (uint32_t i = 0; i < t.n; i++)
        for (uint32_t q = 0; q < SRAM_QUANTITY_N; q++)
            assert_true(isnan(t.row[i].v[q]) ? isnan(again.row[i].v[q])
                                             : t.row[i].v[q] == again.row[i].v[q]);
    text_fini(&out);
    sram_table_fini(&t);
    sram_table_fini(&again);
}

static void other_output_is_refused(void **state)
{
    static const struct {
        const char *text, *place, *what;
    } cases[] = {
        {"", "out.csv:", "empty"},
        {"a, b\n1, 2\n", "out.csv:1:", "no column"},
        {CACTI "32, 262144, 1\n", "out.csv:3:", "3 cells"},
        {CACTI "32, 1024, 1, 4, 100, 1, 1, N/A, 1, 1, 1, 1, 1,\n", "out.csv:3:", "Output width"},
        {CACTI "32, 1024, 1, 4, 512, 1, 1, N/A, N/A, 1, 1, 1, 1,\n", "out.csv:3:", "read_energy"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sram_table t;
        struct error e = {0};
        assert_false(cacti_import(&t, "out.csv", cases[i].text, &as_caches, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_contains(e.text, cases[i].place);
        assert_contains(e.text, cases[i].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found_by_key),
        cmocka_unit_test(numbers_are_as_strtod_reads_them),
        cmocka_unit_test(broken_tables_name_the_place),
        cmocka_unit_test(cacti_output_becomes_a_table),
        cmocka_unit_test(other_output_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
