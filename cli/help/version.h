/* version.h - the version of the program, the commit that it was built from (none if the sources
 * are not in a git tree), and the versions of the models: the cycle model (SIM), the estimator
 * (EST) and its profiles (PROFILE), the sampler (SAMPLE) and its cached functional pass (TRACK). */
#pragma once

void version_print(void);
