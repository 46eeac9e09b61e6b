/* xor_hash.c - builds hashes: lists of bits (a bit named twice for one result bit cancels), or all
 * bits of bank and row in turn. Source: Zhang et al. 2000; Khairy II. */
#include "gpu/geometry/xor_hash.h"

struct xor_hash xor_hash_lists(uint32_t n, const struct param_list *rows,
                               const struct param_list *banks)
{
    struct xor_hash h = {.n = n};
    for (uint32_t i = 0; n && rows && i < rows->n; i++)
        h.row[i % n] ^= UINT32_C(1) << rows->v[i];
    for (uint32_t i = 0; n && banks && i < banks->n; i++)
        h.bank[i % n] ^= UINT32_C(1) << banks->v[i];
    return h;
}

struct xor_hash xor_hash_fold(uint32_t n, uint32_t row_bits, uint32_t bank_bits)
{
    struct xor_hash h = {.n = n};
    for (uint32_t i = 0; n && i < bank_bits; i++)
        h.bank[i % n] |= UINT32_C(1) << i;
    for (uint32_t i = 0; n && i < row_bits; i++)
        h.row[(bank_bits + i) % n] |= UINT32_C(1) << i;
    return h;
}
