/* l2_variants.h - the L2s of a profile, each behind L1s of another capacity.
 *
 * An L1 that is not adaptive has one L2, behind the view's own L1: all variants are the first.
 *
 * While L1s of two capacities have let the same accesses through, the first variant represents
 * both; they separate when their streams differ. Variants that the view does not need equal the one
 * before them.
 *
 * Only lines that the profile follows are in an L2 (followed_lines.h); l2_variants_finish makes
 * their counts those of all lines.
 *
 * Memory: that of the lines followed, per variant. Threads: variants may run side by side. */
#pragma once

#include "estimator/pass/sm_group.h"
#include "estimator/profile/sector_reuse.h"
#include "estimator/reuse/followed_lines.h"
#include "estimator/reuse/stream.h"

struct level2 {
    struct chain c;
    struct hit_tally dirty;         /* sectors of all lines, at the end of the last launch */
    uint32_t as;                    /* the variant that represents this one */
    double sectors[STREAM_CLASSES]; /* of the launch, to lines that are followed */
};
struct l2_variants {
    const struct profile_view *v;
    struct followed_lines followed;
    /* a line that no program accesses; the next that stands for one left out */
    uint64_t passed_over;
    struct level2 at[PROFILE_L1S];
};

bool l2_variants_init(struct l2_variants *l, const struct profile_view *v,
                      const struct followed_lines *followed); /* false: no memory */
void l2_variants_fini(struct l2_variants *l);
void l2_variants_launch(struct l2_variants *l);
/* Separates the variants that differ from the group's present window on. false: no memory. */
bool l2_variants_part(struct l2_variants *l, const struct sm_group *g);

/* A variant's accesses, one line at a time; value: the distances of its sectors, among all lines;
 * NULL for a line that is not followed. */
typedef void l2_seen_fn(void *ctx, const struct stream_op *op, size_t at, uint64_t line,
                        uint32_t mask, const uint32_t *value);
/* Runs a variant over a window, unless another represents it; calls seen, unless it is NULL, also
 * for lines that are not followed. false: no memory. */
bool l2_variants_run(struct l2_variants *l, uint32_t variant, const struct stream_op *const *order,
                     size_t n, l2_seen_fn *seen, void *ctx);
/* A line is brought by a copy to the device, whole, clean or dirty. */
void l2_variants_copy_line(struct l2_variants *l, uint64_t line);
void l2_variants_copied(struct l2_variants *l); /* the copy has ended */
/* So many lines that are followed come and are not touched again, those of accesses that are left
 * out; as dirty as the `like` lines that came last. */
void l2_variants_pass_over(struct l2_variants *l, uint64_t lines, double like);
/* Lines that have come so far. */
double l2_variants_lines(const struct l2_variants *l);
/* passed: what sm_group_passed says. */
void l2_variants_finish(struct l2_variants *l, const double passed[PROFILE_L1S][STREAM_CLASSES],
                        struct launch_profile *p);
