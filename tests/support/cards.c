#include "tests/support/cards.h"

#include <stdio.h>

uint32_t cards_read(struct card card[CARDS_MAX])
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
