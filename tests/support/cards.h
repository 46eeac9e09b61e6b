/* cards.h - rows of tests/data/cards.csv: what is known of real cards. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CARDS_MAX = 32 };

struct card {
    char machine[32];
    uint32_t sms, l2_kb, l3_kb;
    double core_mhz, gbps, memory_gb;
    double l1, l2, l3, memory; /* core cycles of a load in a chase; 0: not measured */
};

/* Reads all rows; returns their number. */
static inline uint32_t cards_read(struct card card[CARDS_MAX])
{
    char line[512];
    uint32_t n = 0;
    FILE *f = fopen(PLUMB_SOURCE_CONFIG_DIR "/../tests/data/cards.csv", "r");
    assert_non_null(f);
    while (n < CARDS_MAX && fgets(line, sizeof line, f)) {
        struct card *c = &card[n];
        if (line[0] == '#' || strncmp(line, "machine,", 8) == 0) continue;
        int fields = sscanf(line, "%31[^,],%u,%lf,%u,%u,%lf,%lf,%lf,%lf,%lf,%lf", c->machine,
                            &c->sms, &c->core_mhz, &c->l2_kb, &c->l3_kb, &c->gbps, &c->memory_gb,
                            &c->l1, &c->l2, &c->l3, &c->memory);
        assert_int_equal(fields, 11);
        n++;
    }
    fclose(f);
    assert_true(n > 10 && n < CARDS_MAX);
    return n;
}
