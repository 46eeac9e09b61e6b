/* run.h - behaviour tests: a generated program on a preset with overrides, in one call. */
#pragma once

#include "detailed/core/sim.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/metrics.h"
#include "tests/support/check.h"
#include "trace/program/program.h"

/* The preset with n overrides ("path=value"); fails where the machine refuses one. */
struct machine run_machine(const char *preset, const char *const *sets, size_t n);

/* Opens a program for warps of that width; the caller closes it. */
struct program *run_open(const char *path, uint32_t width);

/* Opens a generator given as the text of its .cfg; the caller closes the program. */
struct program *run_program(const char *text, uint32_t width);

/* Simulates the whole program, and closes it. */
struct metrics run_whole(const struct machine *m, struct program *p);

/* Simulates a generator, given as the text of its .cfg. */
struct metrics run_on(const struct machine *m, const char *program);

/* The value of a metric, which must be there. */
double run_value(const struct metrics *m, const char *path);

/* The metrics of a generated program on a preset; behind them the overrides. */
#define RUN(preset, program, ...) \
    run_sets(preset, program, (const char *const[]){__VA_ARGS__, NULL})
struct metrics run_sets(const char *preset, const char *program, const char *const *sets);
