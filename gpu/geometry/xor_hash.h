/* xor_hash.h - XOR of row and bank bits onto a smaller number: a bank or a channel.
 *
 * Each bit of the result is the parity of a set of row bits and bank bits. The number can be
 * recovered as long as row and bank are known, so that no two addresses map to one place
 * (permutation-based interleaving, Zhang et al. 2000; Khairy II). */
#pragma once

#include "gpu/machine/rows/param.h"

enum { XOR_HASH_BITS = 10 }; /* of the largest number of banks, or of channels */

struct xor_hash {
    uint32_t n; /* bits of the result; 0: always 0 */
    uint32_t row[XOR_HASH_BITS], bank[XOR_HASH_BITS];
};

/* Assigns the listed bits, numbered from 0, to the n result bits round-robin from the lowest; a
 * list may be NULL. A bit assigned twice to the same result bit cancels. */
struct xor_hash xor_hash_lists(uint32_t n, const struct param_list *rows,
                               const struct param_list *banks);
/* Assigns all bits of the bank, then all of the row, round-robin: the XOR of their n-bit digits. */
struct xor_hash xor_hash_fold(uint32_t n, uint32_t row_bits, uint32_t bank_bits);

static inline uint32_t xor_hash(const struct xor_hash *h, uint32_t row, uint32_t bank)
{
    uint32_t out = 0;
    for (uint32_t i = 0; i < h->n; i++) {
        int parity = __builtin_parity(row & h->row[i]) ^ __builtin_parity(bank & h->bank[i]);
        out |= (uint32_t)parity << i;
    }
    return out;
}
