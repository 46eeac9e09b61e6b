/* version.h - the version of the program, the commit that it was built from (a source tree without
 * git names none), and the versions of the models: the cycle model (SIM), the estimator (EST) and
 * its profiles (PROFILE), the sampler (SAMPLE) and the functional pass that it keeps (TRACK). */
#ifndef PLUMB_CLI_HELP_VERSION_H
#define PLUMB_CLI_HELP_VERSION_H

void version_print(void);

#endif
