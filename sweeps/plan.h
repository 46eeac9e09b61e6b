/* plan.h - a sweep file: which machines, which programs, which engine, what is wanted of them.
 *
 *   machine    = "rx540";                        a preset, "gpus/NAME", or a file
 *   set        = ( "sm.count=16" );              optional overrides of the base machine
 *   workloads  = ( "workloads/fwt.plt", "suite:frc" );
 *   axes       = ( { path = "l2.bank_kb"; values = [128, 256]; },
 *                  { path = "l2.mshr.entries"; range = [16, 256]; scale = "log2"; } );
 *   design     = "grid";                         the only design that is built
 *   engine     = "estimate";                     or "sample", "simulate"
 *   calibration = "rx540.cal";                   optional
 *   budget     = { error = 0.05; confidence = 0.95; instructions = 1000000; };   optional, of
 * sampled runs seed       = 1;                              optional max_instructions = 0; optional
 *   objectives = ( { metric = "opc"; goal = "max"; }, { parameter = "l2.bank_kb"; goal = "min"; }
 * ); output     = "rx540.db";
 *
 * Input files are looked for beside the sweep file, in the current directory and in the
 * configuration directories, in that order; the output is relative to the current directory. A
 * loaded plan is completely checked: every point is a legal machine, every program opens.
 *
 * Points are numbered 0..plan_points-1, the last axis fastest; a *run* is a point with a workload.
 * Ownership: plan_fini frees everything, the open programs included.  Immutable after loading. */
#ifndef PLUMB_SWEEPS_PLAN_H
#define PLUMB_SWEEPS_PLAN_H

#include "base/arena.h"
#include "base/error.h"
#include "machine/machine.h"
#include "sampler/calibrate.h"
#include "sampler/engine.h"
#include "trace/program.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    AXES_MAX = 16,
    AXIS_VALUES_MAX = 4096,
    OBJECTIVES_MAX = 8,
    WORKLOADS_MAX = 1024,
    POINTS_MAX = 1000000
};

struct axis {
    const char *path;
    const char *const *value; /* as they would stand after "path=" */
    uint32_t n, line;
};

enum goal { GOAL_MIN, GOAL_MAX };
struct objective {
    const char *name; /* a metric's JSON path, or a parameter's path */
    bool parameter;
    enum goal goal;
};

struct workload {
    const char *spec; /* as program_open takes it */
    uint32_t line;
    struct program *narrow, *wide; /* read 32 and 64 lanes wide; NULL: no point asks for it */
};

struct plan {
    struct arena arena;
    const char *file, *text; /* the sweep file and what stands in it; text NULL: no file */
    const char *machine_spec;
    struct machine base;
    struct workload *workload;
    uint32_t n_workloads;
    struct axis axis[AXES_MAX];
    uint32_t n_axes;
    enum engine engine;
    struct calibration calibration;
    const char *calibration_file; /* NULL: none */
    struct digest calibration_digest;
    struct objective objective[OBJECTIVES_MAX];
    uint32_t n_objectives;
    struct run_opts opts; /* error, confidence, budget, seed, max_instructions */
    const char *output;
};

/* Taken instead of what the file says; NULL = the file's own. */
struct plan_overrides {
    const char *output, *calibration;
    bool no_calibration; /* the file's calibration is not read (it is about to be made) */
};

/* false: `all` holds every fault found.  `p` is to be plan_fini'd in either case. */
bool plan_load(struct plan *p, const char *path, const struct plan_overrides *o,
               struct errors *all);
void plan_fini(struct plan *p);

uint32_t plan_points(const struct plan *p);
/* index[i] = position of point's value on axis i. */
void plan_point(const struct plan *p, uint32_t point, uint32_t index[AXES_MAX]);
const char *plan_value(const struct plan *p, uint32_t point, uint32_t axis);
bool plan_machine(const struct plan *p, uint32_t point, struct machine *m, struct error *e);
const char *plan_engine(const struct plan *p);
const char *plan_design(const struct plan *p);
const char *plan_workload(const struct plan *p, uint32_t workload); /* the program's name */
/* The workload's program as a machine with warps of that width reads it. */
const struct program *plan_program(const struct plan *p, uint32_t workload, uint32_t warp_width);

#endif
