/* write_buffer.h - results that wait for their bank: the data array (WBDA) and the table that says
 * what is in it (WBIT), a set of entries for each bank.
 *
 * An entry is taken when its instruction issues (V, not R), or when a load's data come; a result
 * that has arrived (R) serves reads, is voided when a newer instruction writes the same register,
 * and is written when its register lies under a port, or by force when its entry is needed. The
 * thesis's counter F of readers on their way is the register cycle until which the entry's reads
 * take: the array serves one read of a bank in a register cycle.
 *
 * Units: register cycles. Invariant: a register has at most one entry. Source: Mao 3.3.2.1,
 * figure 9. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct write_buffer_entry {
    bool valid, ready; /* V, R */
    uint8_t bit;       /* of its register (BML) */
    uint16_t reg;
    uint32_t warp;
    uint64_t read_until; /* F > 0 before */
    uint64_t order;      /* of arrival */
};

struct write_buffer {
    uint32_t ways, banks;             /* ways = 0: none */
    struct write_buffer_entry *entry; /* [banks * ways] */
    uint64_t *port_free;              /* [banks] */
    uint64_t arrivals;
};

/* Whose a register is, and where it lies. */
struct write_buffer_key {
    uint32_t warp;
    uint16_t reg;
    uint8_t bank, bit;
};

enum write_buffer_claim {
    CLAIM_FREE,   /* an entry is free */
    CLAIM_VOIDS,  /* the register's own entry: its old value is voided (WAW) */
    CLAIM_FORCES, /* a ready entry must be written first */
    CLAIM_REFUSED /* none can be had now: all wait for their results or are being read */
};

bool write_buffer_init(struct write_buffer *b, uint32_t entries, uint32_t banks);
void write_buffer_fini(struct write_buffer *b);
void write_buffer_clear(struct write_buffer *b);
/* How an instruction that writes the register would get its entry at `at`. */
enum write_buffer_claim write_buffer_claim(const struct write_buffer *b,
                                           const struct write_buffer_key *k, uint64_t at);
/* Takes the entry. *forced: what CLAIM_FORCES pushes out. Precondition: it is not refused. */
enum write_buffer_claim write_buffer_take(struct write_buffer *b, const struct write_buffer_key *k,
                                          uint64_t at, struct write_buffer_key *forced);
/* Whether the register can be read from the buffer. */
bool write_buffer_holds(const struct write_buffer *b, const struct write_buffer_key *k);
/* Reads the register from the buffer; UINT64_MAX: it is not there, else when the operand is. */
uint64_t write_buffer_read(struct write_buffer *b, const struct write_buffer_key *k, uint64_t at);
/* The result of the register has come; false: no entry was taken for it. */
bool write_buffer_arrives(struct write_buffer *b, const struct write_buffer_key *k);
/* Frees the register's entry: its value has gone to the bank. */
void write_buffer_leaves(struct write_buffer *b, const struct write_buffer_key *k);
/* The oldest ready entry of the bank that nobody reads and whose register is at `bit`, which
 * leaves; false: none. */
bool write_buffer_pop_at(struct write_buffer *b, uint32_t bank, uint8_t bit, uint64_t at,
                         struct write_buffer_key *k);
