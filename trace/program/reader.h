/* reader.h - the interface between cursors and their reader: blocks of segments, and predictors.
 * Blocks are found by number. A block with cursors stays; one without stays until READER_AT_REST
 * others have lost their last cursor after it. Predictors come from free lists, one per power of
 * two. Memory: grows to the maximum that was in use at once, then no allocation. */
#pragma once

#include "trace/program/cursor.h"
#include "trace/program/source.h"

enum { READER_AT_REST = 16 };

struct trace_block {
    struct bytes bytes;
    uint64_t number;
    uint32_t refs, index;
    /* Links among blocks without cursors; free blocks are chained by `newer`. */
    struct trace_block *older, *newer;
};

const struct program *reader_program(const struct reader *r);
/* Of each instruction, as its segments are encoded for this reader. */
const uint8_t *reader_slots(const struct reader *r, const struct code_table *code);
struct trace_block *reader_enter(struct reader *r, uint64_t number, struct error *e); /* NULL: *e */
void reader_leave(struct reader *r, struct trace_block *b);
/* NULL: no memory; slots <= CODE_SLOTS. */
struct address_predictor *reader_predictors(struct reader *r, uint32_t slots);
void reader_return_predictors(struct reader *r, struct address_predictor *p, uint32_t slots);
