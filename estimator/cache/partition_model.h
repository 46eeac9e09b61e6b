/* partition_model.h - an L2 in partitions (gpu/mechanisms/l2_partitions.h) as caches of other sizes
 * in the stack distances of the whole launch.
 *
 * A partition's SMs access a share of the lines that all SMs access between two accesses to a line:
 * all of them where every line is read in all partitions, one of `active` where each is read in
 * one. In how many a line is read, follows from the number of SMs that read it, as if these lay in
 * partitions at random. */
#pragma once

#include "gpu/machine/params/l2.h"

struct partition_view {
    double partitions, active; /* all; those with work */
    double readers;            /* partitions that read a line, mean */
    /* capacities in lines that all SMs access: of a near slice for its SMs, of a home slice whose
     * SMs work, of one whose SMs do not */
    double near, home, idle;
    double mixed;      /* of such a home, if lines that are only stored to have no copies */
    double idle_homes; /* share of the far lines whose home's SMs do not work */
};

/* lines: of the whole L2; sms: SMs, `working` of which have work; sharers: SMs that read a line;
 * read: share of the lines that are read at all. */
void partition_view_find(struct partition_view *v, const struct l2_params *l2, double lines,
                         uint32_t sms, double working, double sharers, double read);
