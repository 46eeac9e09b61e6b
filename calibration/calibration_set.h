/* calibration_set.h - what estimates of a few machines are corrected with, and their ranges.
 *
 * plumb comes with a calibration for each preset (configs/calibrations/NAME.cal) and the ranges of
 * estimates that none corrects (ranges.cfg); scripts/calibrations.sh makes both.  A machine uses
 * the one of the preset that it is or that its file builds on. */
#pragma once

#include "calibration/calibrate.h"

struct machine;

struct calibration_of { /* a machine family */
    struct calibration c;
    struct machine *base; /* NULL: c.machine is no preset */
    struct digest digest; /* of the file */
};
struct calibration_set {
    struct range_model *ranges; /* NULL: there are none for these versions of the models */
    struct calibration bare;    /* corrects nothing */
    struct calibration_of *of;
    uint32_t n;
    bool shipped;         /* they come with plumb */
    struct digest digest; /* of the file of ranges; 0: none */
    /* What says which further runs correct estimates, whether they were learned yet or not
     * (calibration_set_learn); 0: there are none. */
    struct digest further;
    char missing[256]; /* what is of other versions, or not there, and is missed; "": nothing */
};

/* file: a calibration for all these machines; "none": correct nothing; NULL: those that come with
 * plumb.  Of these, one for other versions of the models is left out.  The set must not move while
 * it is in use; the caller calls calibration_set_close in either case. */
bool calibration_set_open(struct calibration_set *s, const char *file,
                          const struct machine *const *machine, uint32_t n, struct error *e);
void calibration_set_close(struct calibration_set *s);
/* Lets estimates of all machines be corrected by these runs, too.  The caller sets s->further. */
bool calibration_set_learn(struct calibration_set *s, const struct known_run *run, uint32_t n,
                           struct error *e);
/* The calibration that corrects estimates of m; never NULL. */
const struct calibration *calibration_set_for(const struct calibration_set *s,
                                              const struct machine *m);
/* Of all that an estimate of m depends on; 0: of nothing. */
struct digest calibration_set_digest(const struct calibration_set *s, const struct machine *m);
/* Of all files of the set. */
struct digest calibration_set_whole(const struct calibration_set *s);
