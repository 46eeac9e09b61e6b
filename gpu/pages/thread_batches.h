/* thread_batches.h - the thread batches of a launch: how many consecutive CTAs share pages (Mao
 * 5.2.1; how they are found: trace/analysis/page_sharing.h). */
#pragma once

#include "gpu/machine/params/sm.h"
#include "trace/program/program.h"

/* The CTAs of a batch: sm.batch_blocks, or, if that is 0, the stride of the launch's kernel for
 * pages of sm.batch_page_kb; 1 where no stride fits, and for schedulers that know no batches. What
 * was found once is remembered while the process runs, for all threads. false: *e. */
bool thread_batches_of(const struct sm_params *p, const struct program *program, uint32_t launch,
                       uint32_t *ctas, struct error *e);
