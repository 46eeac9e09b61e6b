#include "detailed/sm/sched.h"

const struct sched_ops *const sched_table[SCHED_N] = {
    [SCHED_LRR] = &sched_lrr, [SCHED_GTO] = &sched_gto};
