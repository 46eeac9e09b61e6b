/* plan.h - a sweep file: machines, programs, engine and objectives.  docs/guide/sweeps.md describes
 * its keys.
 *
 * Input files are searched for beside the sweep file, in the current directory and in the
 * configuration directories, in that order; the output is relative to the current directory.  A
 * loaded plan is completely checked: every point is a legal machine, every program opens.
 *
 * Points are numbered 0..plan_points-1 (in a grid the last axis moves fastest); a *run* is a point
 * with a workload.  An axis with a condition that does not hold at a point has no value there
 * (AXIS_UNSET): the machine keeps its own.  Several machines are an axis of their own, the first,
 * with the path "machine".
 *
 * Ownership: plan_fini frees everything, the open programs included.  Immutable after loading. */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"
#include "base/memory/hash_map.h"
#include "calibration/calibration_set.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
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
    const char *const *value; /* each as it would be written after "path=" */
    uint32_t n, line;
    uint32_t dim;            /* linked axes change together: they share a dimension */
    const struct expr *when; /* NULL: always */
    /* A range without points, in a design that draws: any value between lo and hi.  After the
     * drawing `value` holds the values drawn, in ascending order. */
    bool open, log2, whole;
    double lo, hi;
    /* Set where the machine refused values drawn: the legal ones, ascending, or how many decimals a
     * value may have (legal_values.h). */
    const double *legal;
    uint32_t n_legal, decimals;
    bool rounded;
};
#define AXIS_MACHINE "machine"
#define AXIS_UNSET UINT32_MAX

enum design { DESIGN_GRID, DESIGN_SOBOL, DESIGN_LHS, DESIGN_LIST, DESIGN_N };
extern const char *const design_name[DESIGN_N];

/* A name in a condition; the ids of names index plan.name. */
struct plan_name {
    const char *path;
    uint32_t axis; /* AXIS_UNSET: not swept, the machine's own value counts */
    bool is_text;
    const struct expr_value *own; /* the value of each machine */
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
    /* The programs that the machines read, all different: those of warps of 32 and of 64 lanes, and
     * where a program follows the card (program_follows_card) that of each choice. [0]: the first
     * point's. */
    struct program **program;
    uint32_t n_programs;
    size_t room;
    /* Which program machines read that have this key. by_card: by the low half of a
     * program_opts_digest; by_choice: by that of a program_choice, of programs that follow the
     * card. */
    struct hash_map by_card, by_choice;
};

/* A run that corrects a sweep's estimates: of a program on one of the machines as the file names
 * it (engine/anchor.h). */
struct plan_anchor {
    uint32_t base, workload;
};

/* The budget of engine auto. */
struct auto_opts {
    double core_hours; /* 0: no limit */
    bool error;        /* the file asks for an error, which all answers are to meet */
    uint32_t points;   /* the most points that the cycle model runs; 0: auto_limit decides */
};

struct plan {
    struct arena arena;
    const char *file, *text;   /* the sweep file and its content; text NULL: no file */
    const char **machine_spec; /* of each machine, as the user wrote it */
    struct machine *base;      /* the machines, one or more */
    uint32_t n_machines;
    struct workload *workload;
    uint32_t n_workloads;
    struct axis axis[AXES_MAX];
    uint32_t n_axes;
    enum design design;
    uint32_t draws;  /* number of points requested, for designs that draw */
    uint32_t *index; /* [point * n_axes + axis], AXIS_UNSET where the axis does not apply */
    uint32_t n_points;
    struct machine *machine; /* of each point; NULL: plan_machine makes each on demand */
    uint32_t *sample_base;   /* [workload * n_points + point], see plan_base; NULL: no run shares */
    /* digest of each point's machine, made on demand; NULL: not cached */
    struct plan_digest *digest;
    const struct expr *constraint[CONSTRAINTS_MAX]; /* every point meets all of them */
    uint32_t n_constraints;
    struct plan_name name[NAMES_MAX]; /* the names in conditions */
    uint32_t n_names;
    bool skip_illegal; /* leave out points that are no legal machine */
    bool redraws;      /* a drawn point that is no legal machine is replaced */
    /* points left out because of constraints, and as illegal machines */
    uint32_t excluded, illegal;
    enum engine engine; /* the engine that answers all points */
    bool automatic;     /* engine "auto": estimates all, simulates a few */
    struct auto_opts aim;
    struct calibration_set calibrations; /* of the machines */
    uint32_t anchored;                   /* on so many of the machines programs have anchors */
    bool anchors_asked;                  /* the file says so */
    uint32_t dear_anchors;               /* that are left out, for the file does not */
    struct plan_anchor *anchor;          /* of the programs that no calibration knows */
    uint32_t n_anchors;
    struct objective objective[OBJECTIVES_MAX];
    uint32_t n_objectives;
    struct run_opts opts; /* error, confidence, budget, seed, max_instructions */
    const char *output;
};

/* Replace what the file says; NULL: the file's own. */
struct plan_overrides {
    const char *output, *calibration;
    bool no_calibration; /* read none (it is about to be made) */
};

/* false: `all` holds every fault found.  The caller calls plan_fini in either case. */
bool plan_load(struct plan *p, const char *path, const struct plan_overrides *o,
               struct errors *all);
void plan_fini(struct plan *p);

uint32_t plan_points(const struct plan *p);
/* index[i]: which value of axis i the point has; AXIS_UNSET: the axis does not apply there. */
void plan_point(const struct plan *p, uint32_t point, uint32_t index[AXES_MAX]);
/* Whether an objective is a swept parameter, so that its values stand with the axes. */
bool plan_is_axis(const struct plan *p, const struct objective *o);
/* "" where the axis does not apply. */
const char *plan_value(const struct plan *p, uint32_t point, uint32_t axis);
bool plan_machine(const struct plan *p, uint32_t point, struct machine *m, struct error *e);
/* Checks, before anything runs, whether the points' energy.table can be read; *all names the first
 * that cannot. */
bool plan_energy_known(const struct plan *p, struct errors *all);
/* Checks that no two workloads share a program on any card, under whatever names: results are
 * numbered by a program's digest. *all names those that do, after `where`. */
bool plan_programs_differ(const struct plan *p, const char *where, struct errors *all);
/* machine_digest of m, that point's machine; several threads may call it. */
struct digest plan_digest(const struct plan *p, uint32_t point, const struct machine *m);
/* The point whose sampled intervals that run uses (engine sample), so that the difference of the
 * two has a small error; PLAN_ALONE: the run chooses its own intervals. */
#define PLAN_ALONE UINT32_MAX
uint32_t plan_base(const struct plan *p, uint32_t point, uint32_t workload);
const char *plan_engine(const struct plan *p);
const char *plan_design(const struct plan *p);
const char *plan_workload(const struct plan *p, uint32_t workload); /* the program's name */
/* The workload's program as that machine reads it, which is a point's or one of the plan's own;
 * NULL: no point has warps of that width. */
const struct program *plan_program(const struct plan *p, uint32_t workload,
                                   const struct machine *m);
