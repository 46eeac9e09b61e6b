/* plan.h - a sweep file: which machines, which programs, which engine, what is wanted of them.
 * docs/guide/sweeps.md describes its keys.
 *
 * Input files are looked for beside the sweep file, in the current directory and in the
 * configuration directories, in that order; the output is relative to the current directory.  A
 * loaded plan is completely checked: every point is a legal machine, every program opens.
 *
 * Points are numbered 0..plan_points-1 (in a grid the last axis moves fastest); a *run* is a point
 * with a workload.  An axis with a condition that does not hold at a point has no value there
 * (AXIS_UNSET): the machine keeps its own.  Several machines are an axis of their own, the first,
 * with the path "machine".
 *
 * Ownership: plan_fini frees everything, the open programs included.  Immutable after loading. */
#ifndef PLUMB_SWEEPS_PLAN_PLAN_H
#define PLUMB_SWEEPS_PLAN_PLAN_H

#include "base/error.h"
#include "base/memory/arena.h"
#include "engine/engine.h"
#include "gpu/machine/load/machine.h"
#include "sampler/calibration/calibrate.h"
#include "sweeps/plan/expr.h"
#include "trace/program/program.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    AXES_MAX = 16,
    AXIS_VALUES_MAX = 4096,
    OBJECTIVES_MAX = 8,
    WORKLOADS_MAX = 1024,
    MACHINES_MAX = 32,
    CONSTRAINTS_MAX = 16,
    NAMES_MAX = 32,
    POINTS_MAX = 1000000
};

struct axis {
    const char *path;
    const char *const *value; /* as they would stand after "path=" */
    uint32_t n, line;
    uint32_t dim;            /* linked axes move together: they share a dimension */
    const struct expr *when; /* NULL: always */
    /* A range without points, in a design that draws: any value between lo and hi.  Afterwards
     * `value` holds those that came up, rising. */
    bool open, log2, whole;
    double lo, hi;
};
#define AXIS_MACHINE "machine"
#define AXIS_UNSET UINT32_MAX

enum design { DESIGN_GRID, DESIGN_SOBOL, DESIGN_LHS, DESIGN_LIST, DESIGN_N };
extern const char *const design_name[DESIGN_N];

/* What conditions speak of: ids of their names index plan.name. */
struct plan_name {
    const char *path;
    uint32_t axis; /* AXIS_UNSET: not swept, the machine's own value */
    bool is_text;
    const struct expr_value *own; /* of each machine */
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

/* What engine auto may spend and when it may stop. */
struct auto_opts {
    double core_hours; /* 0: no limit */
    uint32_t points;   /* at most so many points run by the cycle model; 0: auto_limit decides */
};

struct plan {
    struct arena arena;
    const char *file, *text;   /* the sweep file and what stands in it; text NULL: no file */
    const char **machine_spec; /* of each machine, as given */
    struct machine *base;      /* the machines, one or more */
    uint32_t n_machines;
    struct workload *workload;
    uint32_t n_workloads;
    struct axis axis[AXES_MAX];
    uint32_t n_axes;
    enum design design;
    uint32_t draws;  /* points asked for, of designs that draw */
    uint32_t *index; /* [point * n_axes + axis], AXIS_UNSET where the axis does not apply */
    uint32_t n_points;
    struct machine *machine;    /* of each point; NULL: made when asked for */
    uint32_t *sample_base;      /* [workload * n_points + point], see plan_base; NULL: all alone */
    struct plan_digest *digest; /* of each point's machine, once asked for; NULL: not kept */
    const struct expr *constraint[CONSTRAINTS_MAX]; /* every point meets all of them */
    uint32_t n_constraints;
    struct plan_name name[NAMES_MAX]; /* that conditions speak of */
    uint32_t n_names;
    bool skip_illegal;          /* points that are no legal machine are left out */
    uint32_t excluded, illegal; /* points left out by constraints; as illegal machines */
    enum engine engine;         /* what answers all points */
    bool automatic;             /* engine "auto": estimates all, simulates a few */
    struct auto_opts aim;
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
/* index[i] = position of point's value on axis i; AXIS_UNSET: it does not apply there. */
void plan_point(const struct plan *p, uint32_t point, uint32_t index[AXES_MAX]);
/* "" where the axis does not apply. */
const char *plan_value(const struct plan *p, uint32_t point, uint32_t axis);
bool plan_machine(const struct plan *p, uint32_t point, struct machine *m, struct error *e);
/* Before anything runs: whether the points' energy.table can be read; *all names the first that
 * cannot. */
bool plan_energy_known(const struct plan *p, struct errors *all);
/* Whether no program is listed twice, under whatever names; *all: those that are, after `where`. */
bool plan_programs_differ(const struct plan *p, const char *where, struct errors *all);
/* machine_digest of that point's machine m; safe from several threads. */
struct digest plan_digest(const struct plan *p, uint32_t point, const struct machine *m);
/* The point whose intervals that run shares with others (engine sample), so that their differences
 * are told closely; PLAN_ALONE: it has its own. */
#define PLAN_ALONE UINT32_MAX
uint32_t plan_base(const struct plan *p, uint32_t point, uint32_t workload);
/* The swept parameters (machines are none); how many. */
uint32_t plan_paths(const struct plan *p, const char *path[AXES_MAX]);
const char *plan_engine(const struct plan *p);
const char *plan_design(const struct plan *p);
const char *plan_workload(const struct plan *p, uint32_t workload); /* the program's name */
/* The workload's program as a machine with warps of that width reads it. */
const struct program *plan_program(const struct plan *p, uint32_t workload, uint32_t warp_width);

#endif
