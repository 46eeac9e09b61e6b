/* l2_reuse.h - the L2 of a profile, behind the view's own L1.
 *
 * Only lines that the profile follows are in it (followed_lines.h); l2_reuse_finish makes their
 * counts those of all lines.
 *
 * Memory: that of the lines followed. */
#pragma once

#include "estimator/pass/sm_group.h"
#include "estimator/profile/sector_reuse.h"
#include "estimator/reuse/followed_lines.h"
#include "estimator/reuse/stream.h"

struct l2_reuse {
    const struct profile_view *v;
    struct followed_lines followed;
    /* a line that no program accesses; the next that stands for one left out */
    uint64_t passed_over;
    struct chain c;
    struct hit_tally dirty;         /* sectors of all lines, at the end of the last launch */
    double sectors[STREAM_CLASSES]; /* of the launch, to lines that are followed */
    uint32_t began;                 /* the chain's clock at time 0 of the launch */
    uint64_t first, last;           /* times of accesses of the launch */
};

bool l2_reuse_init(struct l2_reuse *l, const struct profile_view *v,
                   const struct followed_lines *followed); /* false: no memory */
void l2_reuse_fini(struct l2_reuse *l);
void l2_reuse_launch(struct l2_reuse *l);

/* The accesses, one line at a time; value: the distances of its sectors, among all lines; NULL for
 * a line that is not followed. */
typedef void l2_seen_fn(void *ctx, const struct stream_op *op, size_t at, uint64_t line,
                        uint32_t mask, const uint32_t *value);
/* Runs over a window; calls seen also for lines that are not followed. false: no memory. */
bool l2_reuse_run(struct l2_reuse *l, const struct group_window *w, l2_seen_fn *seen, void *ctx);
/* A line is brought by a copy to the device, whole, clean or dirty. */
void l2_reuse_copy_line(struct l2_reuse *l, uint64_t line);
void l2_reuse_copied(struct l2_reuse *l); /* the copy has ended */
/* So many lines that are followed come and are not touched again, those of accesses that are left
 * out; as dirty as the `like` lines that came last. */
void l2_reuse_pass_over(struct l2_reuse *l, uint64_t lines, double like);
/* Lines that have come so far. */
double l2_reuse_lines(const struct l2_reuse *l);
/* passed: what sm_group_passed says. */
void l2_reuse_finish(struct l2_reuse *l, const double passed[STREAM_CLASSES],
                     struct launch_profile *p);
