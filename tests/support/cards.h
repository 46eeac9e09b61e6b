/* cards.h - rows of tests/data/cards.csv: what is known of real cards. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CARDS_MAX = 32 };

/* A row. */
struct card {
    char machine[32];
    uint32_t sms, l2_kb, l3_kb;
    double core_mhz, gbps, memory_gb;
    double l1, l2, l3, memory; /* core cycles of a load in a chase; 0: not measured */
};

/* Reads all rows; returns their number. */
uint32_t cards_read(struct card card[CARDS_MAX]);
