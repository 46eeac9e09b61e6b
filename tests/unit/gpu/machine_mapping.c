/* Which texts are address mappings, and how many bits each of their fields has. */
#include "gpu/machine/machine.h"
#include "gpu/machine/params/dram/dram_mapping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* 13 row, 0 rank, 2 + 2 bank, 11 column bits. */
static struct dram_params qv100(const char *mapping)
{
    struct dram_params d = {.rows = 8192,
                            .pseudo_channels = 1,
                            .ranks = 1,
                            .bankgroups = 4,
                            .banks_per_group = 4,
                            .row_bytes = 2048};
    snprintf(d.mapping, sizeof d.mapping, "%s", mapping);
    return d;
}

struct expected {
    const char *mapping;
    uint32_t n;
    struct {
        enum mapping_field field;
        uint32_t bits;
    } part[6];
};

static const struct expected good[] = {
    {"row:bank[3]:column[3]:bank[1]:column",
     5,
     {{MAP_ROW, 13}, {MAP_BANK, 3}, {MAP_COLUMN, 3}, {MAP_BANK, 1}, {MAP_COLUMN, 8}}},
    {"row:bank:column", 3, {{MAP_ROW, 13}, {MAP_BANK, 4}, {MAP_COLUMN, 11}}},
    {"row:bank:bankgroup:column",
     4,
     {{MAP_ROW, 13}, {MAP_BANK, 2}, {MAP_BANKGROUP, 2}, {MAP_COLUMN, 11}}},
    {"row[13]:rank:bank[4]:column[11]",
     4,
     {{MAP_ROW, 13}, {MAP_RANK, 0}, {MAP_BANK, 4}, {MAP_COLUMN, 11}}},
    {"column[1]:row[12]:bank[2]:column[10]:bank[2]:row[1]",
     6,
     {{MAP_COLUMN, 1},
      {MAP_ROW, 12},
      {MAP_BANK, 2},
      {MAP_COLUMN, 10},
      {MAP_BANK, 2},
      {MAP_ROW, 1}}},
    {"row[13]:row:bank:column", 4, {{MAP_ROW, 13}, {MAP_ROW, 0}, {MAP_BANK, 4}, {MAP_COLUMN, 11}}},
};

static void fields_take_their_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct dram_params d = qv100(good[i].mapping);
        struct mapping m;
        struct text why = {0};
        if (!mapping_parse(&m, &d, &why)) fail_msg("%s: %s", d.mapping, text_str(&why));
        assert_int_equal(m.n, good[i].n);
        for (uint32_t p = 0; p < m.n; p++) {
            assert_int_equal(m.part[p].field, good[i].part[p].field);
            assert_int_equal(m.part[p].bits, good[i].part[p].bits);
        }
        text_fini(&why);
    }
}

static void other_texts_are_refused(void **state)
{
    static const char *const bad[][2] = {
        {"", "no field"},
        {"row:bank:column:", "no field"},
        {"row:bank :column", "no field"},
        {"Row:bank:column", "no field"},
        {"row:bank[]:column", "no field"},
        {"row:bank[0]:bank:column", "no field"},
        {"row:bank[-1]:bank:column", "no field"},
        {"row:bank[64]:column", "no field"},
        {"row:bank[4:column", "no field"},
        {"row:bank[4]x:column", "no field"},
        {"row:bank[99999999999999999999]:column", "no field"},
        {"row:column", "bank is missing"},
        {"bank:column", "row is missing"},
        {"row:bank[3]:column", "bank takes 3 bits"},
        {"row:bank[5]:column", "bank takes 5 bits"},
        {"row:bank[3]:bankgroup:column", "bank takes 3 bits"},
        {"row:bank:column[6]:column[6]", "column takes 12 bits"},
        {"row:rank[1]:bank:column", "rank takes 1 bits"},
        {"row:bank:bank[1]:column", "not the last"},
        {"row:bank:bank:column", "not the last"},
        {"row:row:row:row:row:row:row:row:row:row:row:row:bank:column", "too many"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct dram_params d = qv100("");
        struct mapping m;
        struct text why = {0};
        assert_true(strlen(bad[i][0]) < sizeof d.mapping);
        strcpy(d.mapping, bad[i][0]);
        if (mapping_parse(&m, &d, &why) || !strstr(text_str(&why), bad[i][1]))
            fail_msg("\"%s\": %s", d.mapping, text_str(&why));
        text_fini(&why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_take_their_bits),
        cmocka_unit_test(other_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
