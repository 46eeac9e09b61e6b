/* profile.h - a program's profile for the estimator: collected once, valid for many machines.
 *
 * A profile is built for a *view*: the parameters that decide which transactions exist and how CTAs
 * interleave, the L1's queue and the SM's vector memory buffer among them.  All others (capacities,
 * ways, MSHRs, latencies and clocks that leave the ways to the L2 and to memory in their class,
 * DRAM organisation and timing, policies) may vary without a new profile.  Per launch it holds:
 * instruction mix, dependence (loads in flight before a warp waits), transactions, L1 reuse (line
 * stack distances with the running-maximum chains for sectors), the same for the L2 behind the
 * view's L1, per-set-count reuse for modulo indexing, an address sample for slice, channel and bank
 * load under any hash, row locality, partial writes.
 *
 * Profiles are cached on disk by program digest and view; a cached file that does not fit is
 * rebuilt. Threads: building uses up to `threads` threads; a finished profile is immutable and may
 * be shared. Source: Hill & Smith 1989 (all-associativity); Nugteren
 * 2014. */
#pragma once

#include "base/error.h"
#include "base/run/progress.h"
#include "estimator/est_params.h"
#include "estimator/profile/set_view.h"
#include "estimator/profile/view/bypass_view.h"
#include "estimator/profile/view/l1_store_lines_view.h"
#include "estimator/profile/view/page_view.h"
#include "estimator/profile/view/warp_view.h"
#include "trace/program/program.h"

/* Changes whenever the content or meaning of profiles does. */
enum { PROFILE_VERSION = 56 };

/* When an L1 is emptied; the values are part of profiles' file names. */
enum l1_emptied { L1_AT_ACQUIRES, L1_AT_LAUNCHES_TOO, L1_NEVER };

/* F and S: view_rows.h; S is the size of a cache or a queue.  K: of `keeps`. */
#define PROFILE_VIEW(F, S, K)                                                                     \
    F(uint32_t, sms) /* these six decide the interleaving */                                      \
    F(uint32_t, warp_width)                                                                       \
    F(uint32_t, max_warps)                                                                        \
    F(uint32_t, max_ctas)                                                                         \
    F(uint32_t, registers)                                                                        \
    F(uint32_t, register_unit)                                                                    \
    F(uint32_t, shared_kb)  /* with an adaptive L1: the largest option */                         \
    F(uint32_t, load_lanes) /* that join: coalesce_group */                                       \
    F(uint32_t, store_lanes)                                                                      \
    F(uint32_t, atomic_lanes)                                                                     \
    F(uint32_t, coalesce_bytes)                                                                   \
    F(bool, atomics_apart) /* lanes of an atomic that share bytes do not join */                  \
    F(uint32_t, l1_line)                                                                          \
    F(uint32_t, l1_sector)                                                                        \
    F(uint32_t, l2_line)                                                                          \
    F(uint32_t, l2_sector)                                                                        \
    F(enum write_miss_kind, l1_write_miss)                                                        \
    F(enum write_miss_kind, l2_write_miss)                                                        \
    S(uint32_t, l1_sets) /* the L1's own; adaptive: as large as it gets */                        \
    S(uint32_t, l1_ways)                                                                          \
    F(uint32_t, l1_queue)       /* accesses before its look-up */                                 \
    S(uint32_t, vmb)            /* vector memory instructions under way; 0: any number */         \
    F(bool, vmb_in_order)       /* they leave the buffer in order */                              \
    S(uint32_t, l1_class_bytes) /* its capacity, as a power of two: who keeps up with whom */     \
    S(uint32_t, l2_class_bytes) /* the L2's, at most PROFILE_L2_NOMINAL_BYTES */                  \
    F(enum l1_emptied, l1_emptied)                                                                \
    F(bool, fence_empties)  /* fences empty it, too */                                            \
    F(bool, l1_keeps_own)   /* then only lines of others, too, and what was stored leave it */    \
    F(bool, l1_parts_leave) /* of stores only sectors that are written whole stay in it */        \
    F(bool, stores_leave)   /* what is stored leaves the caches of both levels, of all SMs */     \
    F(bool, l2_emptied)     /* several L2s: each drops all lines when a launch begins */          \
    F(bool, copy_warms)     /* copies to the device touch the L2 */                               \
    F(bool, copy_soils)     /* and are still to be written */                                     \
    L1_STORE_LINES_VIEW(K)                                                                        \
    F(enum memory_wait, wait)                                                                     \
    F(uint32_t, subcores)                                                                         \
    F(uint32_t, shared_banks)                                                                     \
    F(uint32_t, shared_bytes)                                                                     \
    F(enum cta_binding, binding) /* whose turn it is under pressure */                            \
    F(uint32_t, page_shift)      /* log2 of the bytes of a page that TLBs translate; 0: none */   \
    F(uint32_t, l1_lookups)      /* what an L1 takes of an instruction: l1_instruction.h */       \
    F(enum lookup_index, l1_lookup_index)                                                         \
    F(uint32_t, l1_word_banks)                                                                    \
    F(uint32_t, l1_cycle_bytes)                                                                   \
    F(uint32_t, l1_scattered_lanes)                                                               \
    F(bool, l1_scattered_runs)                                                                    \
    F(uint32_t, l1_ports) /* with its banks: what it takes of several; all 0: it has none */      \
    F(uint32_t, l1_banks)                                                                         \
    F(uint32_t, l1_bank_bytes)                                                                    \
    F(uint32_t, l1_bank_ports)                                                                    \
    F(enum index_kind, l1_bank_index)                                                             \
    F(bool, l1_reserves) /* a miss takes its line at once, and waits while a set has none left */ \
    S(uint32_t, block_accesses) /* of a block of an address sample: profile_block_accesses */     \
    S(uint32_t, l2_way)         /* core cycles from the L1's look-up to the L2's data, idle; */   \
    S(uint32_t, memory_way)     /* ... to memory's: who runs ahead; both powers of two */
struct profile_view {
    PROFILE_VIEW(VIEW_MEMBER, VIEW_MEMBER, VIEW_PASS)
    struct set_view l1_at, l2_at;     /* collect distances inside these sets, sizes as well */
    struct l1_store_lines_view keeps; /* which stores the L1 keeps */
    struct bypass_view bypass;        /* which loads bypass the L1 */
    struct warp_view warps;           /* which warps may issue */
    struct page_view pages;           /* where pages lie */
};
struct profile_view profile_view_of(const struct est_params *e);
/* The line of the L1, of the L2, that has the address; line sizes are powers of two. */
static inline uint64_t profile_l1_line(const struct profile_view *v, uint64_t addr)
{
    return addr >> __builtin_ctz(v->l1_line);
}
static inline uint64_t profile_l2_line(const struct profile_view *v, uint64_t addr)
{
    return addr >> __builtin_ctz(v->l2_line);
}

bool profile_view_equal(const struct profile_view *a, const struct profile_view *b);
/* Whether the views are equal except for the sizes of caches.  Then one's profile approximates the
 * other's: warps run ahead as with their own caches, and set counts that it lacks are treated as
 * hashed. Memories may differ, too: pages keep their frames. */
bool profile_view_near(const struct profile_view *a, const struct profile_view *b);

struct profile; /* opaque outside estimator/ */

/* Sampled: what a few SMs see stands for all, and a part of the L2's lines for all of them
 * (estimator/pass/sm_group.h). Exact: every access of every SM. */
enum profile_detail { PROFILE_SAMPLED, PROFILE_EXACT };
extern const char *const profile_detail_name[]; /* "sampled", "exact" */
/* How large the programs are whose profiles are exact, in times of PASS_EXACT transactions (see
 * estimator/pass/pass_plan.h): for one estimate, for a sweep; INFINITY: all. */
enum { PROFILE_TIMES_ONE = 1, PROFILE_TIMES_SWEEP = 10 };
/* The detail that the program's profile is to have. The same for the same arguments, always. */
enum profile_detail profile_detail_for(const struct program *p, const struct profile_view *v,
                                       double times);
enum profile_detail profile_detail_had(const struct profile *p);
/* Loads it from the disk cache if it is there (use_cache), else builds it and, if possible, caches
 * it. progress: NULL, or shows the building. */
struct profile *profile_get(const struct program *p, const struct profile_view *view,
                            enum profile_detail detail, unsigned threads, bool use_cache,
                            struct progress *progress, struct error *e);
/* Builds it, whatever the cache holds; progress: NULL, or is started, counts CTAs and is finished.
 */
struct profile *profile_build(const struct program *p, const struct profile_view *view,
                              enum profile_detail detail, unsigned threads,
                              struct progress *progress, struct error *e);
/* profile_cache_path: where profile_get looks for it; the caller frees it with mem_free; NULL:
 * there is no cache directory. */
char *profile_cache_path(const struct program *p, const struct profile_view *view,
                         enum profile_detail detail);
bool profile_store(const struct profile *f, const struct program *p, const char *path,
                   struct error *e);
void profile_free(struct profile *p);
uint32_t profile_launches(const struct profile *p);
uint32_t profile_sections(const struct profile *p); /* number of sections in its file */
double profile_instructions(const struct profile *p, uint32_t launch);
uint64_t profile_accesses(const struct profile *p); /* L1 transactions of all launches */
/* Features for grouping similar launches (mix, transactions per instruction, hit rates at reference
 * capacities, CTA count ...). */
enum { PROFILE_FEATURES = 12 };
void profile_features(const struct profile *p, uint32_t launch, double out[PROFILE_FEATURES]);
