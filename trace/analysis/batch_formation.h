/* batch_formation.h - how a launch's CTAs are put into thread batches, given who touches which page
 * (Mao 5.2.1), and who shares pages then (figure 36). Pure arithmetic over struct page_sets.
 *
 * A thread batch consists of CTAs that share pages. With a stride s, batch k is CTAs k s to
 * (k + 1) s - 1; with a modulus m, batch k is all CTAs c with c mod m = k.
 *
 * The thesis calls the stride optimal that suppresses most sharing between batches and does not say
 * how it is measured; counted over all batches, the whole grid as one batch is always best. Here
 * [A] the sharing at the boundary between a batch and the next one is the number of pages that both
 * touch. A page counts in full if both touch as many of its parts and by the ratio of the smaller
 * to the larger number if not, so that the rim of a stencil, which reaches a line or two into the
 * neighbour's page, weighs little. Parts are added over the batch's CTAs. Pages that more than half
 * of the CTAs touch do not count: they are shared whatever one does. The sharing of a stride is the
 * mean over its boundaries plus three standard errors, so that no stride of few boundaries is best
 * by chance.
 *
 * The stride with the least sharing is sought among those up to an eighth of the CTAs, or 8, and
 * the multiples of a row of the grid up to half of the CTAs. Its smallest divisor that shares no
 * more than it, but for a twentieth of what stride 1 shares, is the one. If with it half of all
 * pages or more belong to three quarters to one batch or two consecutive ones and are not shared by
 * more than half of the CTAs, the formation is that stride. Otherwise, if three quarters of all
 * pages have all their CTAs in one class of a modulus, it is the largest such modulus, at most half
 * of the CTAs. Otherwise no formula fits. Fewer than four CTAs always have stride 1.
 */
#pragma once

#include "trace/analysis/page_sets.h"

enum batch_kind { BATCH_STRIDE, BATCH_MODULO, BATCH_NONE, BATCH_KINDS };
extern const char *const batch_kind_name[BATCH_KINDS]; /* "stride", "modulo", "none" */

struct batch_formation {
    enum batch_kind kind;
    uint32_t stride;  /* consecutive CTAs of a batch; 1 unless BATCH_STRIDE */
    uint32_t modulus; /* of BATCH_MODULO; otherwise 0 */
};

/* row: CTAs in a row of the grid. Time: (runs + CTAs) x CTAs / 8. false: no memory. */
bool batch_formation_find(struct batch_formation *out, const struct page_sets *s, uint32_t row);

enum page_sharer {
    SHARER_ONE,  /* one batch */
    SHARER_TWO,  /* two consecutive batches */
    SHARER_MOST, /* three batches or more, and more than half of all */
    SHARER_OTHER,
    PAGE_SHARERS
};
extern const char *const page_sharer_name[PAGE_SHARERS];

/* Distance 0: one batch. Distance d: from its first batch to its last one there are d steps; d up
 * to 15 has a bucket of its own, then each power of two has one. */
enum { BATCH_DISTANCES = 16 + 28 };
struct batch_sharing {
    uint64_t pages; /* the sum of by_sharer, and of by_distance */
    uint64_t by_sharer[PAGE_SHARERS];
    uint64_t by_distance[BATCH_DISTANCES];
};
/* The smallest distance of a bucket. */
uint32_t batch_sharing_distance(uint32_t bucket);
/* Adds the launch's pages, in batches of `stride` CTAs. */
void batch_sharing_add(struct batch_sharing *to, const struct page_sets *s, uint32_t stride);
