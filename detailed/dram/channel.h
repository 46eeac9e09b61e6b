/* channel.h - the part that all models of a memory channel share, and the table of operations
 * behind dram.h. In every model, data leave a data bus in the order of their commands, so that
 * completions are a FIFO; only those of different pseudo-channels may overtake one another. */
#pragma once

#include "detailed/dram/dram.h"

#define DRAM_NEVER UINT64_MAX

struct dram_completion {
    uint64_t cycle;
    uint32_t tag;
    bool write;
};

struct dram_done_fifo {
    struct dram_completion *item;
    uint32_t mask, head, n; /* mask: room - 1 */
};

/* Embedded first in each model's struct. */
struct dram_channel {
    const struct dram_ops *ops;
    struct dram_params p;
    struct dram_stats s;
    struct dram_done_fifo done;
    struct dram_done_fifo forwarded; /* reads served from queued writes */
    dram_log_fn *log;
    void *log_ctx;
};

/* All operations are required; dram.h documents them. */
struct dram_ops {
    struct dram_channel *(*make)(const struct dram_params *p); /* NULL: no memory */
    void (*destroy)(struct dram_channel *c);
    bool (*can_accept)(const struct dram_channel *c, bool write);
    void (*accept)(struct dram_channel *c, enum dram_client client, const struct coord *at,
                   bool write, uint32_t tag, uint64_t now);
    uint64_t (*step)(struct dram_channel *c, uint64_t now);
    void (*integrate)(struct dram_channel *c, uint64_t now); /* brings c->s up to now */
    void (*warm_clock)(struct dram_channel *c, uint64_t past);
    void (*warm_row)(struct dram_channel *c, const struct coord *at, uint64_t age);
    uint32_t (*queued)(const struct dram_channel *c);
    bool (*check)(const struct dram_channel *c);
    void (*stuck)(const struct dram_channel *c, uint64_t now, struct text *out);
    struct dram_idle (*idle_latency)(const struct dram_params *p);
    double (*peak_gbps)(const struct dram_params *p);
    uint64_t (*need)(const struct dram_params *p); /* bytes that make allocates */
};

extern const struct dram_ops dram_banks_ops, dram_fixed_ops;

bool dram_fifo_init(struct dram_done_fifo *f, uint32_t room);
uint64_t dram_fifo_need(uint64_t room); /* bytes */
void dram_fifo_fini(struct dram_done_fifo *f);
static inline bool dram_fifo_full(const struct dram_done_fifo *f)
{
    return f->n > f->mask;
}
/* Inserts a completion behind all that are not later. Precondition: not full. */
void dram_fifo_push(struct dram_done_fifo *f, uint64_t cycle, uint32_t tag, bool write);
