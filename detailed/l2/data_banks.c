/* data_banks.c - the memory of the data banks of an L2 slice: for each bank the cycle at which it
 * is free again. */
#include "detailed/l2/data_banks.h"

#include "base/memory/alloc.h"

#include <string.h>

bool data_banks_init(struct data_banks *b, uint32_t n, uint32_t cycles)
{
    *b = (struct data_banks){.n = n, .cycles = cycles};
    if (!n) return true;
    b->free_at = mem_new(n, sizeof *b->free_at);
    return b->free_at != NULL;
}

void data_banks_fini(struct data_banks *b)
{
    mem_free(b->free_at);
    *b = (struct data_banks){0};
}

void data_banks_clear(struct data_banks *b)
{
    if (b->n) memset(b->free_at, 0, b->n * sizeof *b->free_at);
    b->conflict_cycles = 0;
}
