/* functional_caches.h - the memory system of the functional machine: what every access of a program
 * leaves in caches, predictors and open rows. functional_issue.c decides which warp accesses when.
 *
 * Memory: functional_caches_init and the operation `launch` allocate. */
#pragma once

#include "base/error.h"
#include "gpu/cache/l1_memory.h"
#include "gpu/cache/l1_way.h"
#include "gpu/coherence/protocol.h"
#include "gpu/functional/execution/fluid_timing.h"
#include "gpu/functional/execution/memory_ops.h"
#include "gpu/functional/execution/warp_admission.h"
#include "gpu/functional/memory/functional_tlbs.h"
#include "gpu/functional/memory/inclusion_filter.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/geometry/address_map.h"
#include "gpu/mechanisms/mechanisms.h"
#include "gpu/pages/page_table.h"
#include "trace/program/program.h"
#include "trace/stream/inst.h"

struct directory_l1;
struct l3_params;
struct serializer;
struct machine;

struct functional_caches {
    const struct machine *m;
    const struct l1_params *l1_params; /* the machine's, as the next two */
    const struct l2_params *l2;
    const struct l3_params *l3;
    struct map map, second_map; /* the second: used if there is a second memory */
    struct page_table pages;    /* used if pages are placed */
    uint32_t access_bytes;      /* block into which the lanes' accesses coalesce */
    struct l1_ways ways;        /* of the L1s */
    struct cache *l1, *slice;
    struct cache *part; /* [parts] of the L3, one for each channel; NULL: there is none */
    uint32_t parts;
    struct cache *shared; /* as in struct warm_state */
    uint32_t shared_from[SHARED_KINDS + 1];
    /* The kind's that stands between the L1s and the L2; NULL: there is none. */
    bool (*serves)(struct functional_caches *w, uint64_t addr, const struct access *in);
    struct functional_tlbs tlbs;
    struct inclusion_filter *copies; /* [l2.banks]; NULL: the L2 is not inclusive */
    uint32_t sms;
    uint32_t sm;      /* the SM whose instruction executes */
    bool copies_down; /* the L1 keeps a copy of what it accesses, which an inclusive L2 records */
    struct coherence coherence;
    struct l1_memory *memory; /* [sms] */
    uint32_t *row;
    double *touched;              /* when each row was last accessed, by the pass's clock */
    uint32_t banks, second_banks; /* of a channel of each memory */
    size_t first_rows, rows;      /* banks of the first memory; of both, which follow it */
    struct fluid_timing timing;
    struct directory_l1 *owner;       /* [sms] under a protocol with a directory; NULL elsewhere */
    struct warp_admission *admission; /* [sms] hear of the L1s' accesses; NULL: no policy asks */
    bool first;                       /* the access is the first of its instruction */
    uint32_t warp;        /* the warp whose instruction executes, by its name on the SM */
    uint64_t mechanisms;  /* that are on; not serialized */
    uint64_t asked, hits; /* L2 accesses and hits since init; not serialized */
};

/* What a mechanism of an L2 slice (gpu/mechanisms/l2_mechanisms.h) does in a functional pass. */
struct func_l2_ops {
    enum mechanism_id id;
    void (*missed)(struct functional_caches *w, uint32_t slice, uint64_t addr); /* a read */
};

/* What a mechanism of an L1 (gpu/mechanisms/l1_mechanisms.h) does in a functional pass. */
struct func_l1_ops {
    enum mechanism_id id;
    /* A load has been looked up in the tags, and what it misses fetched. */
    void (*looked_up)(struct functional_caches *w, uint32_t sm, const struct access *a,
                      const struct static_inst *si, bool hit);
};

/* What a kind of caches that SMs share does in a functional pass. A launch begins with them empty.
 */
struct func_shared_ops {
    uint32_t (*count)(const struct functional_caches *w);
    const struct cache_params *(*params)(const struct functional_caches *w);
    /* An access of an SM is on its way to the L2; whether it ends here. NULL: not through here. */
    bool (*serves)(struct functional_caches *w, uint64_t addr, const struct access *in);
};

/* The table of the pages; NULL: addresses are physical. */
static inline struct page_table *functional_caches_pages(struct functional_caches *w)
{
    return w->pages.memories ? &w->pages : NULL;
}

/* The map of the memory that holds the address. */
static inline const struct map *functional_caches_map(const struct functional_caches *w,
                                                      uint64_t addr)
{
    return w->map.second && addr >= MAP_SECOND_MEMORY ? &w->second_map : &w->map;
}

/* Call functional_caches_fini even if it fails. admission: the caller's; see above. */
bool functional_caches_init(struct functional_caches *w, const struct machine *m,
                            struct warp_admission *admission, struct error *e);
void functional_caches_fini(struct functional_caches *w);
bool functional_caches_init_l1(struct functional_caches *w, uint32_t sm,
                               const struct cache_params *p);
/* The memory of a functional machine (memory_ops.h): a struct functional_caches. */
extern const struct func_memory_ops functional_caches_ops;
/* Tells the timing model which line an access has just touched. */
void functional_caches_find_line(struct functional_caches *w, const struct cache *c, uint64_t addr);
/* Writes the dirty sectors of a line that a write-back L1 evicts to the L2; the instruction that
 * caused the eviction does not wait. */
void functional_caches_write_back(struct functional_caches *w, const struct cache *c,
                                  const struct victim *v);
/* Whether an address's sector is valid. */
bool functional_caches_is_here(const struct cache *c, uint64_t addr);
/* Reports an access that looks up the L1 to the SM's policies, if they ask. */
void functional_caches_tell_policies(struct functional_caches *w, uint32_t sm,
                                     const struct access *a, bool miss);
/* Performs a load where a predictor may send it round the L1; address: the instruction's. */
void functional_caches_touch_predicted(struct functional_caches *w, uint32_t sm,
                                       const struct access *a, uint32_t address);
/* Performs an access in the tags of a slice, and writes back what it evicts; whether it hits. */
bool functional_caches_touch_slice(struct functional_caches *w, uint32_t slice,
                                   const struct access *a);
/* Performs an access at the L2 and below. Returns the level that serves it; *queued: the backlog in
 * front of it. */
enum fluid_level functional_caches_ask_l2(struct functional_caches *w, uint64_t addr,
                                          const struct access *in, double *queued);
/* The same at a slice. */
enum fluid_level functional_caches_ask_slice(struct functional_caches *w, uint32_t slice,
                                             uint64_t addr, const struct access *in,
                                             double *queued);
/* The same for an access of an SM, which is timed. */
void functional_caches_touch_l2(struct functional_caches *w, uint64_t addr,
                                const struct access *in);
/* Perform an access behind the L2. They return which level ends it, the L3 or memory; *queued: the
 * backlog in front of it. */
enum fluid_level functional_caches_read_memory(struct functional_caches *w, uint64_t addr,
                                               double *queued);
enum fluid_level functional_caches_write_memory(struct functional_caches *w, uint64_t addr,
                                                double *queued);
/* Performs an access of the memory itself; returns the backlog in front of it. */
double functional_caches_open_row(struct functional_caches *w, uint64_t addr);
/* Records, where the L2 is inclusive, that the SM's L1 has a copy of the line. */
void functional_caches_note_copy(struct functional_caches *w, uint32_t sm, uint64_t addr);
struct warm_state *functional_caches_save(const struct functional_caches *w); /* NULL: no memory */
/* Saves or loads all state, between two instructions; false: no memory. */
bool functional_caches_serialize(void *memory, struct serializer *t);
/* Empties all caches, as after functional_caches_init. */
bool functional_caches_restart(void *memory, struct error *e);
