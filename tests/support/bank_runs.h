/* bank_runs.h - runs of machines that differ in one parameter, for tests of the bank of runs. */
#pragma once

#include "calibration/bank/bank.h"

extern const struct bank_versions bank_runs_today;

/* A group's setup: a folder, which is the cache directory, and the first machine. */
int bank_runs_make_group(void **state);
/* A path in the folder that no test had before. */
const char *bank_runs_new_file(void);
/* Opens or makes a bank. */
struct bank *bank_runs_open(const char *path);
struct digest bank_runs_program(unsigned i);
/* The metrics of the run on machine i; a third of the counts is absent. */
const struct metrics *bank_runs_metrics(unsigned i);
/* Puts the run of a program on a machine: a sample if its log_sd is above 0, else a simulation. */
bool bank_runs_put(struct bank *b, unsigned program, unsigned machine, double log_sd,
                   struct error *e);
void bank_runs_must_put(struct bank *b, unsigned program, unsigned machine, double log_sd);
/* Whether the values of all keys are the same. */
bool bank_runs_same(const double *a, const double *b);
/* The number of the machine of a run, which must be the one that was put. */
unsigned bank_runs_check(const struct bank_run *r);
/* How many runs of a program are found; each must be one that was put. */
size_t bank_runs_count(struct bank *b, unsigned program);
