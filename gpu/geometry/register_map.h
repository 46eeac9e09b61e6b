/* register_map.h - which 32-bit registers the instructions of a launch read and write.
 *
 * Where a launch says how many registers it has, the numbers of its code are 32-bit registers, a
 * wide value's the first of several; numbers beyond the launch's registers are taken modulo them,
 * so that code which keeps more values than its registers hold shares some, as if they were
 * spilled. What an instruction waits for is decided by its numbers all the same.
 *
 * Other code names values (trace/capture/register_numbers.h): each number takes as many consecutive
 * registers as its widest value needs, in the order of the numbers.
 *
 * Words of a value: those of the access where memory is read or written, two in double precision,
 * else one; addresses are one. Of a store, the data is the source of the most words, else the
 * first, as in captures; where a trace names the address first, that counts for the data.
 *
 * Ownership: the map is its own; the launch may go. Source: Mao 3.1.1 (an access is of
 * one warp register), table 1 (registers per thread). */
#pragma once

#include "trace/program/program.h"

enum { REGISTER_WORDS_MAX = 4, REGISTER_READS_MAX = INST_MAX_SRC * REGISTER_WORDS_MAX };

/* Of one static instruction. */
struct register_operands {
    uint8_t reads, writes;              /* warp registers */
    uint16_t read[REGISTER_READS_MAX];  /* [reads] each once */
    uint16_t write[REGISTER_WORDS_MAX]; /* [writes] each once */
};

struct register_map {
    uint32_t registers;             /* per lane: the launch's, else as many as its values need */
    struct register_operands *code; /* [n_code] of the launch */
};

/* false: no memory. */
bool register_map_init(struct register_map *m, const struct launch *l);
void register_map_fini(struct register_map *m);
