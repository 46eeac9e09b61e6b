/* register_file.h - the register file of an SM: operand collectors, banks, and what stands in front
 * of the banks.
 *
 * An instruction issues when a collector of its kind is free. It asks the banks of the registers
 * that it reads (register_map.h, register_layout.h) and is dispatched to its unit when the last one
 * has come: the oldest collected instruction first, those for memory in the order of issue. Its
 * result, when the unit or the memory has it, is written to its bank, and the register is ready for
 * other instructions when it has been written.
 *
 * A bank serves an access at a time: reads first come, first served, then writes likewise (with a
 * write buffer, forced writes take their turn among the reads). It is taken for the shifts between
 * the register and the place where the last access left the tracks, a register cycle each, and for
 * the access. Racetracks are not moved back after an access unless auto_return says so.
 *
 * With a write buffer (write_buffer.h) or a register-file cache (register_cache.h) results are
 * ready a core cycle after they have come, and reach the bank later or never.
 *
 * Files: register_file.c (life), operand_collectors.c (from issue to dispatch), register_banks.c
 * (queues and service of banks), register_results.c (from results to registers), write_buffer.c,
 * register_cache.c.
 *
 * Units: core cycles (`now`), register cycles (`at`; core cycle * clock_ratio). Memory:
 * register_file_init and _launch allocate; the others where a queue grows. Source: Mao 3.1
 * to 3.3, figures 3, 5, 9; assumptions where it is silent: docs/models/register-file.md. */
#pragma once

#include "base/memory/pool.h"
#include "detailed/register_file/register_cache.h"
#include "detailed/register_file/write_buffer.h"
#include "gpu/geometry/register_layout.h"
#include "gpu/geometry/register_map.h"
#include "gpu/policies/exec_unit.h"
#include "trace/stream/inst.h"

#define REGISTER_FILE_STATS(C, M)                           \
    M(reads, rf_reads, true)                                \
    M(writes, rf_writes, true)                              \
    M(bank_reads, rf_bank_reads, true)                      \
    M(bank_writes, rf_bank_writes, true)                    \
    M(conflicts, rf_conflicts, true)                        \
    M(wait, rf_wait, true)                                  \
    M(shifts, rf_shifts, p->cells == CELLS_RACETRACK)       \
    M(collectors_full, rf_collectors_full, true)            \
    M(scored, rf_scored, p->cells == CELLS_RACETRACK)       \
    M(score_0, rf_score_0, p->cells == CELLS_RACETRACK)     \
    M(score_1, rf_score_1, p->cells == CELLS_RACETRACK)     \
    M(score_2, rf_score_2, p->cells == CELLS_RACETRACK)     \
    M(score_3, rf_score_3, p->cells == CELLS_RACETRACK)     \
    M(buffer_reads, rf_buffer_reads, p->write_buffer != 0)  \
    M(voided, rf_buffer_voided, p->write_buffer != 0)       \
    M(direct, rf_buffer_direct, p->write_buffer != 0)       \
    M(piggyback, rf_buffer_piggyback, p->write_buffer != 0) \
    M(overflow, rf_buffer_overflow, p->write_buffer != 0)   \
    M(around, rf_buffer_around, p->write_buffer != 0)       \
    M(cache_reads, rf_cache_reads, p->cache_entries != 0)   \
    M(cache_writes, rf_cache_writes, p->cache_entries != 0)
struct register_file_stats {
#define REGISTER_FILE_COUNTER(counter, ...) uint64_t counter;
    REGISTER_FILE_STATS(REGISTER_FILE_COUNTER, REGISTER_FILE_COUNTER)
};

/* Kinds of collectors. */
enum collector_kind { COLLECTOR_SP, COLLECTOR_SFU, COLLECTOR_MEMORY, COLLECTOR_N };

struct operand_collector {
    struct warp_inst inst; /* its addresses lie in `list` */
    uint64_t ready_at;     /* the last operand that has been served so far */
    uint32_t warp;
    uint8_t unit;  /* enum unit */
    uint8_t waits; /* operands that have not been served */
    uint64_t *list;
};

/* The collectors of a kind in the order of issue: the first `used` of order[] are taken, the others
 * free. */
struct collector_set {
    uint32_t n, used;
    uint16_t *order; /* [n] index into collector[] */
};

struct register_access {
    uint64_t arrived;
    uint32_t next;
    uint32_t who; /* of a read the collector, of a write its result; REGISTER_NOBODY waits */
    uint8_t bit;
    bool write;
};

struct access_queue {
    uint32_t first, last; /* pool; first = REGISTER_NOBODY: empty */
};

struct register_bank {
    uint64_t free_at;
    uint8_t bit; /* under the ports when the access that it serves begins */
    struct access_queue reads, writes;
};

/* A result on its way: from its unit, or to the banks. */
struct pending_result {
    uint64_t at; /* core cycle in which it comes; then that in which all words are written */
    uint32_t warp, code, next;
    uint16_t dst;
    uint8_t left; /* words that are not written */
};

struct register_file_owner {
    void *self;
    /* Executes a collected instruction, if its unit and what it needs are free. */
    bool (*dispatch)(void *self, const struct operand_collector *c, uint64_t now);
    /* The register `dst` of the warp is ready in that core cycle. */
    void (*written)(void *self, uint32_t warp, uint16_t dst, uint64_t ready, uint64_t now);
};

/* What the next instruction of a warp reads and writes, and where. */
struct next_operands {
    const struct register_operands *operands;
    uint8_t kind;  /* enum collector_kind; COLLECTOR_N: it needs none */
    uint8_t reads; /* of the operands */
    struct register_place read[REGISTER_READS_MAX], write[REGISTER_WORDS_MAX];
};

struct register_file {
    const struct register_file_params *p;
    struct register_file_owner owner;
    const struct register_map *map; /* the launch's */
    struct register_place *place;   /* [warp slots * map->registers] */
    size_t place_cap;
    struct next_operands *next;                  /* [warp slots] */
    uint64_t want[SM_MAX_SUBCORES][COLLECTOR_N]; /* slots whose next instruction needs the kind */
    uint32_t slots, subcores;
    uint32_t segment, home; /* bits per port; where idle tracks return to */
    struct operand_collector *collector;
    uint64_t *lists; /* of the collectors for memory */
    struct collector_set set[COLLECTOR_N];
    uint32_t collecting; /* collectors in use */
    struct register_bank *bank;
    uint8_t newest[REGISTER_MAX_BANKS]; /* bit of each bank's newest access */
    uint64_t busy; /* banks that serve or have accesses, or whose tracks move (bits) */
    struct register_access *access;
    struct pool accesses;
    struct pending_result *result;
    struct pool results;
    struct access_queue due[RESULT_UNITS]; /* results of a unit, in order */
    uint32_t due_units;                    /* units that have some (bits) */
    uint64_t next_due;                     /* core cycle of the first of them */
    struct write_buffer buffer;
    struct register_cache cache;
    struct register_file_stats s;
};

enum { REGISTER_NOBODY = UINT32_MAX };

/* Warps are named subcore * SM_SUBCORE_SLOTS + slot. false: no memory. */
bool register_file_init(struct register_file *r, const struct register_file_params *p,
                        const struct sm_params *sm, const struct register_file_owner *owner);
void register_file_fini(struct register_file *r);
/* Forgets what is in flight and all counts; tracks go back to where they were built. */
void register_file_clear(struct register_file *r);
/* Lays out the registers of a launch; the map must outlive it. Precondition: it is idle. Banks may
 * still have writes that nobody waits for. */
bool register_file_launch(struct register_file *r, const struct register_map *map,
                          const struct register_warps *w);

enum collector_kind collector_kind_of(uint8_t unit);
/* Names the next instruction of the warp. Precondition of all that follows for a warp. */
void register_file_fetch(struct register_file *r, uint32_t warp, uint32_t code,
                         enum collector_kind kind);
/* The slots of a sub-core whose next instruction finds no collector. kinds: those that count
 * (bits).
 */
enum {
    COLLECTORS_ALL = (1 << COLLECTOR_N) - 1,
    COLLECTORS_COMPUTE = COLLECTORS_ALL - (1 << COLLECTOR_MEMORY)
};
uint64_t register_file_blocked(const struct register_file *r, uint32_t subcore, uint32_t kinds);
/* Whether the warp's next instruction can issue: a collector is free, and entries for its results.
 */
bool register_file_has_room(const struct register_file *r, uint32_t warp, uint64_t now);
/* Issues the next instruction. Precondition: there is room. */
void register_file_collect(struct register_file *r, uint32_t warp, const struct warp_inst *inst,
                           uint8_t unit, uint64_t now);
/* The score of the warp's next instruction: bits between its farthest operand and where its bank
 * will be when all that has been asked of it is served. Operands that are read in front of the
 * banks do not count. The thesis's circuit computes it as a word of so many ones (Mao 3.3.2,
 * equation 3.4, figure 8). */
uint32_t register_file_score(const struct register_file *r, uint32_t warp);
/* Those of a sub-core's slots whose next instruction has the smallest score. */
uint64_t register_file_nearest(const struct register_file *r, uint32_t subcore, uint64_t slots);

/* A dispatched instruction has its result in core cycle `at`; the unit's results come in order. */
void register_file_result(struct register_file *r, uint32_t unit, uint32_t warp,
                          const struct warp_inst *inst, uint64_t at);
/* The memory has the data of a load. */
void register_file_loaded(struct register_file *r, uint32_t warp, uint32_t code, uint16_t dst,
                          uint64_t now);
/* The slots of a sub-core that are in the first level; others lose their cached registers. */
void register_file_activate(struct register_file *r, uint32_t subcore, uint64_t slots,
                            uint64_t now);

/* Dispatches what has been collected, before the schedulers issue; false: nothing could be. */
bool register_file_dispatch(struct register_file *r, uint64_t now);
/* Takes the results of this cycle and lets the banks serve, after the schedulers have issued. */
void register_file_step(struct register_file *r, uint64_t now);
/* Whether it must be stepped in the next cycle. */
static inline bool register_file_moves(const struct register_file *r)
{
    return r->collecting || r->results.used || r->busy;
}
/* Whether nobody waits for it (idle tracks may still return). */
static inline bool register_file_is_idle(const struct register_file *r)
{
    return !r->collecting && !r->results.used;
}
bool register_file_check(const struct register_file *r);

/* --- between the files of this folder --- */
static inline uint32_t register_slot_of(const struct register_file *r, uint32_t warp)
{
    return warp / SM_SUBCORE_SLOTS * r->slots + warp % SM_SUBCORE_SLOTS;
}
static inline struct next_operands *register_next_of(const struct register_file *r, uint32_t warp)
{
    return &r->next[register_slot_of(r, warp)];
}
static inline const struct register_place *register_place_of(const struct register_file *r,
                                                             uint32_t warp, uint32_t reg)
{
    return &r->place[(size_t)register_slot_of(r, warp) * r->map->registers + reg];
}
static inline struct write_buffer_key register_key(uint32_t warp, uint16_t reg,
                                                   const struct register_place *at)
{
    return (struct write_buffer_key){.warp = warp, .reg = reg, .bank = at->bank, .bit = at->bit};
}
static inline uint32_t register_distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}
/* Takes an entry of the write buffer for a register; false: none can be had. at: now; read_by: when
 * the taker has read its own operands, which may be in that entry. */
bool register_buffer_take(struct register_file *r, const struct write_buffer_key *k, uint64_t at,
                          uint64_t read_by);
/* Asks a bank for an access. */
void register_banks_ask(struct register_file *r, const struct register_place *at,
                        const struct register_access *access);
void register_banks_step(struct register_file *r, uint64_t now);
/* Counts a written word of a result, which is ready in core cycle `ready` when it is the last. */
void register_result_written(struct register_file *r, uint32_t result, uint64_t ready,
                             uint64_t now);
