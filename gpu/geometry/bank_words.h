/* bank_words.h - distinct numbers that lanes ask banks for: words of a memory, lines of tags.
 *
 * Each number lies in the bank that the caller names.  Lanes that ask for the same number are
 * served together; those that ask one bank for different numbers take turns, so that the bank with
 * the most numbers says how long it takes. */
#pragma once

#include "trace/stream/inst.h"

#include <string.h>

enum {
    BANK_WORD_BYTES = 4,
    BANKS_MOST = 64,
    /* An access of the largest width touches one word more if it is not aligned. */
    BANK_WORDS_MOST = WARP_MAX_LANES * (INST_MAX_WIDTH / BANK_WORD_BYTES + 1)
};

/* The numbers asked for, chained per bank; 0 ends a chain, others are an index + 1. */
struct bank_words {
    uint64_t word[BANK_WORDS_MOST];
    uint16_t next[BANK_WORDS_MOST], head[BANKS_MOST], count[BANKS_MOST];
    uint32_t n, worst; /* numbers in all, and in the bank that has most */
};

static inline void bank_words_clear(struct bank_words *b)
{
    memset(b->head, 0, sizeof b->head);
    memset(b->count, 0, sizeof b->count);
    b->n = b->worst = 0;
}

static inline void bank_words_ask(struct bank_words *b, uint64_t word, uint32_t bank)
{
    for (uint32_t i = b->head[bank]; i; i = b->next[i - 1])
        if (b->word[i - 1] == word) return;
    b->word[b->n] = word;
    b->next[b->n] = b->head[bank];
    b->head[bank] = (uint16_t)++b->n;
    if (++b->count[bank] > b->worst) b->worst = b->count[bank];
}

/* Asks for all words of an access of `width` bytes; banks: a power of two. */
static inline void bank_words_ask_access(struct bank_words *b, uint64_t addr, uint32_t width,
                                         uint32_t banks)
{
    uint32_t words = ((uint32_t)(addr % BANK_WORD_BYTES) + width - 1) / BANK_WORD_BYTES + 1;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t word = (addr / BANK_WORD_BYTES + i) & (UINT64_MAX / BANK_WORD_BYTES);
        bank_words_ask(b, word, (uint32_t)(word & (banks - 1)));
    }
}
