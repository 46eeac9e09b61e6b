/* l2_victim_notice.h - declares the notice that a clean victim sends to the memory
 * (l2_mechanisms.h); what its answer means is in detailed/l2/l2_victim_notice.c. Source: the public
 * simulator of Candel's group. */
#pragma once

#define L2_VICTIM_NOTICE_MEMBERS                                                                  \
    bool clean_victim_notice; /* a clean victim, too, needs a round trip to memory before its     \
                                 line is free (M2S) */                                            \
    uint32_t notice_cycles;   /* L2 cycles of that round trip without the wait for the controller \
                               */

#define L2_VICTIM_NOTICE_ROWS                                                                  \
    ROW_BOOL("clean_victim_notice", clean_victim_notice, "false",                              \
             "a clean victim, too, takes a round trip to memory before its line is free",      \
             "the public simulator of Candel's group", UNSEEN, TERM,                           \
             .when = "l2.miss_management=conventional"),                                       \
        ROW_INT("notice_cycles", notice_cycles, "0", 0, 100000, "L2 cycles",                   \
                "of that round trip, beside its wait for the controller",                      \
                "the public simulator of Candel's group (the memory's latency)", UNSEEN, TERM, \
                .when = "l2.clean_victim_notice=true"),

#define L2_VICTIM_NOTICE_METRICS(C, R)
#define L2_VICTIM_NOTICE_STATS(C, M)
#define L2_VICTIM_NOTICE_ENERGY(E)
#define L2_VICTIM_NOTICE_FUNCTIONAL(F)

#define L2_VICTIM_NOTICE_MECHANISM                                                            \
    .name = "notices of clean victims",                                                       \
    .what = "a clean victim asks the memory, and waits for the answer, before it leaves",     \
    .params = "l2.clean_victim_notice l2.notice_cycles", .on = "l2.clean_victim_notice=true", \
    .functional.lacks = "it has a time and no state",                                         \
    .estimator.where = "estimator/terms/l2_miss_model.c",                                     \
    .energy.lacks = "a notice moves no data", .metrics = "l2.miss_latency.eviction"
