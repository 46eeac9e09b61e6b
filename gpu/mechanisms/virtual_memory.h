/* virtual_memory.h - the rows of the mechanisms of pages: translation, placement, a second memory
 * (mechanisms.h). */
#pragma once

#define TRANSLATION_MECHANISM                                                                     \
    .name = "address translation",                                                                \
    .what = "TLBs of the SMs and one that they share, and walks of the page table",               \
    .params = "tlb.", .on = "tlb.l1_entries!=0",                                                  \
    .functional.where = "gpu/functional/memory/functional_tlbs.c",                                \
    .estimator = {.where = "estimator/terms/tlb_model.c",                                         \
                  .lacks =                                                                        \
                      "accesses that join a page walk are left out, except at a launch's start"}, \
    .energy.lacks = "the tables have no figures of TLBs; what walks read of the L2 counts",       \
    .metrics = "tlb.", .named = "l1_tlb l2_tlb tlb_",                                             \
    .home = "detailed/translation/ detailed/sm/translate gpu/cache/tlb_tags "                     \
            "gpu/functional/memory/functional_tlbs "                                              \
            "gpu/machine/params/translation/tlb gpu/machine/tables/tlb_ "                         \
            "gpu/metrics/tlb_ gpu/mechanisms/virtual_memory"

#define PAGE_PLACEMENT_MECHANISM                                                            \
    .name = "page placement",                                                               \
    .what = "gives a page its frame, and so its memory, channel, bank and row, when it is " \
            "touched for the first time",                                                   \
    .params = "pages.", .on = "pages.placement!=none",                                      \
    .functional.where = "gpu/pages/page_table.c",                                           \
    .estimator.where = "estimator/pass/placed_window.c", .energy.where = "dram.energy_mj.", \
    .metrics = "dram.local_", .named = "page_table pages_",                                 \
    .home = "gpu/pages/ gpu/machine/params/translation/pages gpu/machine/tables/pages_ "    \
            "detailed/translation/pages_ "                                                  \
            "gpu/mechanisms/virtual_memory"

#define SECOND_MEMORY_MECHANISM                                                                   \
    .name = "second memory",                                                                      \
    .what = "channels of another kind, which hold the pages that are placed there",               \
    .params = "dram[1].", .on = "dram[1].channels!=0",                                            \
    .functional.where = "gpu/functional/memory/functional_caches_l2.c",                           \
    .estimator =                                                                                  \
        {.where = "estimator/terms/memory_channels.c",                                            \
         .lacks = "queues for each bank, and gaps longer than the pieces of the stream that are " \
                  "replayed"},                                                                    \
    .energy.where = "dram.energy_mj.", .metrics = "dram."
