/* bypass_predictor.h - which loads of an SM a predictor sends round the L1 (l1.bypass = "agcb").
 *
 * The counters are the cycle model's (gpu/cache/agcb.h), told of hits and of lines that
 * leave at the pass's pace by an L1 of the machine's capacity (LRU, any set).  A sector that comes
 * back after it went round was mispredicted and is kept: of the L2's bits those that this SM has
 * set itself are known here, not those of other SMs.
 *
 * Memory: bypass_predictor_new allocates; bypass_predictor_load may. */
#pragma once

#include "estimator/profile/view/bypass_view.h"
#include "estimator/reuse/lru_lines.h"

struct bypass_predictor {
    struct bypass_view v;
    struct lru_lines l1;
    uint8_t *counter;       /* [v.agcb.entries] */
    uint16_t *note;         /* [v.l1_lines] pc + 1 of the last load of the line, 0: none */
    uint8_t *there;         /* [v.l1_lines] sectors */
    struct hash_map rounds; /* line -> sectors that went round when they were last asked for */
    bool failed;            /* out of memory */
};

struct bypass_predictor *bypass_predictor_new(const struct bypass_view *v); /* NULL: no memory */
void bypass_predictor_free(struct bypass_predictor *p);
void bypass_predictor_empty(struct bypass_predictor *p); /* of the L1's lines */
/* Of the sectors that a load of a line wants those that go round the L1. */
uint32_t bypass_predictor_load(struct bypass_predictor *p, uint32_t pc, uint64_t line,
                               uint32_t mask);
void bypass_predictor_store(struct bypass_predictor *p, uint64_t line); /* takes no line */
