/* bank_record.h - leaves finished runs in the bank that run_opts names (calibration/bank/bank.h).
 */
#pragma once

#include "calibration/bank/bank.h"
#include "engine/engine_job.h"

/* The versions of today's engines. */
struct bank_versions bank_record_versions(void);
/* Keeps a simulation or a sample of a whole program.  What is left out: parts of programs
 * (max_instructions, launches, an interrupt), samples without functional warming, and runs of
 * builds whose constants can be changed.  A bank that cannot be written has the user's line
 * (bank_trouble); the answer stays as it is. */
void bank_record(enum engine e, const struct engine_job *job, const struct answer *a);
