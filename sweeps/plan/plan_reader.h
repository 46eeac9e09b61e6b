/* plan_reader.h - shared by the readers of a sweep file's keys. */
#pragma once

#include "base/text/conf.h"
#include "sweeps/plan/plan.h"

enum { FAULTS_MAX = 10 };

struct loading {
    struct plan *plan;
    const struct plan_overrides *over;
    const struct conf_node *root;
    struct errors *all;
    bool calibrated; /* the sweep's own calibration was opened, or refused */
};

/* Records the error "FILE:LINE: ..." and returns false. */
bool loading_refuse(struct loading *l, const struct conf_node *at, const char *fmt, ...)
    PLUMB_PRINTF(3, 4);
/* Copies s into the plan's arena; NULL: no memory, which is recorded. */
const char *loading_keep(struct loading *l, const char *s);
/* The node's text, which must not be empty; NULL: refused. */
const char *loading_text(struct loading *l, const struct conf_node *n, const char *expected);
/* Records every fault in `found`, with the place in the sweep file that led to it; frees
 * `found`. */
void loading_pass_on(struct loading *l, const struct conf_node *at, const char *key,
                     struct errors *found);
/* Reads a whole number of at least 0. */
bool loading_count(struct loading *l, const struct conf_node *n, uint64_t *v);

/* Read one key of the sweep file each. */
void plan_read_machine(struct loading *l, const struct conf_node *n);
void plan_read_workloads(struct loading *l, const struct conf_node *n);
void plan_read_design(struct loading *l, const struct conf_node *n);
void plan_read_axes(struct loading *l, const struct conf_node *n);
void plan_read_points(struct loading *l, const struct conf_node *n);
void plan_read_constraints(struct loading *l, const struct conf_node *n);
void plan_read_illegal(struct loading *l, const struct conf_node *n);
void plan_read_engine(struct loading *l, const struct conf_node *n);
void plan_read_calibration(struct loading *l, const struct conf_node *n);
void plan_read_budget(struct loading *l, const struct conf_node *n);
void plan_read_objectives(struct loading *l, const struct conf_node *n);
/* Which programs are run on which machines before they are estimated. */
void plan_read_anchor(struct loading *l, const struct conf_node *n);
bool plan_choose_anchors(struct loading *l);
/* Opens the calibration that the command line names, or what comes with plumb if the sweep names
 * none. */
void plan_choose_calibration(struct loading *l);
/* Lays out the points and checks the whole plan: every point is legal, every program opens. */
bool plan_check(struct loading *l);
/* Opens the programs as the points' machines read them. */
bool plan_open_programs(struct plan *p, struct errors *all);
void plan_close_programs(struct plan *p);
/* Decides which runs share intervals (plan_base). */
void plan_share_samples(struct loading *l);
/* Allocates the cache of plan_digest, once the points are laid out. */
void plan_keep_digests(struct plan *p);
