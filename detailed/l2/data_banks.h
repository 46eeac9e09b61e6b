/* data_banks.h - the banks of an L2 slice's data array: every access to its data occupies a bank
 * for some cycles; consecutive sectors lie in consecutive banks. n = 0: unlimited parallel
 * accesses. Time: L2 cycles. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct data_banks {
    uint32_t n, cycles;
    uint64_t *free_at;        /* [n] */
    uint64_t conflict_cycles; /* cycles in which a look-up waited for a bank */
};

bool data_banks_init(struct data_banks *b, uint32_t n, uint32_t cycles); /* false: no memory */
void data_banks_fini(struct data_banks *b);
void data_banks_clear(struct data_banks *b);
/* `sector` is the sector's number among those of the slice. */
static inline bool data_banks_free(const struct data_banks *b, uint64_t sector, uint64_t now)
{
    return b->free_at[sector % b->n] <= now;
}
static inline void data_banks_take(struct data_banks *b, uint64_t sector, uint64_t now)
{
    b->free_at[sector % b->n] = now + b->cycles;
}
