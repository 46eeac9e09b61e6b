#include "tests/support/dram_hand.h"

#include <stdlib.h>

const struct dram_params dram_hand_params = {
    .channels = 1,
    .clock_khz = 1000000,
    .clock_mhz = 1000,
    .bus_bytes = 16,
    .burst_length = 4,
    .beats_per_clock = 2,
    .pseudo_channels = 1,
    .ranks = 1,
    .bankgroups = 2,
    .banks_per_group = 2,
    .rows = 256,
    .row_bytes = 2048,
    .scheduler = DRAM_FR_FCFS,
    .queue = 32,
    .t = {.tRCDRD = 14,
          .tRCDWR = 14,
          .tRP = 14,
          .tRAS = 30,
          .tRC = 44,
          .tCL = 14,
          .tCWL = 6,
          .tCCD_S = 2,
          .tCCD_L = 3,
          .tRRD_S = 4,
          .tRRD_L = 5,
          .tFAW = 20,
          .tWTR_S = 4,
          .tWTR_L = 6,
          .tWR = 12,
          .tRTP = 5,
          .tRTRS = 1,
          .tCMD = 1},
};

struct log *dram_log_a, *dram_log_b;

static void keep(const struct dram_log_entry *e, void *ctx)
{
    struct log *l = ctx;
    assert_true(l->n < LOG_MAX);
    l->e[l->n++] = *e;
}

struct dram_channel *dram_hand_make(const struct dram_params *p, struct log *l)
{
    struct error e;
    struct dram_channel *c = dram_new(p, &e);
    assert_non_null(c);
    if (l) {
        l->n = 0;
        dram_set_log(c, keep, l);
    }
    return c;
}

void dram_hand_put(struct dram_channel *c, uint32_t bank, uint32_t row, bool write, uint32_t tag,
                   uint64_t now)
{
    struct coord at = {.flat_bank = bank, .bankgroup = bank / 2, .bank = bank % 2, .row = row};
    assert_true(dram_can_accept(c, write));
    dram_accept(c, &at, write, tag, now);
}

uint32_t dram_hand_finish(struct dram_channel *c, uint64_t now, uint32_t *order)
{
    uint32_t n = 0, tag;
    bool write;
    while (dram_queued(c)) {
        uint64_t next = dram_step(c, now);
        assert_true(next > now);
        now = next;
    }
    while (dram_done(c, UINT64_MAX - 1, &tag, &write))
        order[n++] = tag;
    return n;
}

uint32_t dram_hand_count(const struct log *l, enum dram_command command)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++)
        n += l->e[i].command == command;
    return n;
}

int dram_hand_setup(void **state)
{
    (void)state;
    dram_log_a = calloc(1, sizeof *dram_log_a);
    dram_log_b = calloc(1, sizeof *dram_log_b);
    return !dram_log_a || !dram_log_b;
}

int dram_hand_teardown(void **state)
{
    (void)state;
    free(dram_log_a);
    free(dram_log_b);
    return 0;
}
