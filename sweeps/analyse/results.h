/* results.h - a database of results as tables in memory: what reports draw.
 *
 * They are of one sweep, that which was planned last of those with results: its points that have a
 * run, its programs, in its order and with its numbers.  Of the engines that it ran, the runs that
 * it asked for; of others (another sweep on the same machines) the newest version's, and of these
 * the last that was done.  A database without a sweep: every machine is a point, in the order of
 * their values on the axes; programs by name, and by where they were read from if two share one.
 * Engines go from the cheapest to the dearest.  Everything depends on the results alone.
 *
 * Ownership: results_fini frees all.  Immutable after reading. */
#ifndef PLUMB_SWEEPS_ANALYSE_RESULTS_H
#define PLUMB_SWEEPS_ANALYSE_RESULTS_H

#include "base/error.h"
#include "base/memory/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { RESULTS_NONE = UINT32_MAX, RESULTS_RUNS_MAX = 1000000 };

struct result_axis {
    const char *path;
    const char **value; /* distinct, in order: numbers by size, else by name */
    uint32_t n;
    bool numeric; /* every value is a number */
};

struct result_machine {
    uint32_t number; /* the point's, as the command line has it; without a sweep its index */
    const char *name, *digest, *config; /* config: as machine_dump writes it */
    uint32_t *level; /* [n_axes]: index of its value; RESULTS_NONE: not on that axis */
};

struct result_run {
    uint32_t machine, program, engine;
    const char *error;      /* NULL: done */
    const char *bottleneck; /* NULL: not known */
    double half_width;      /* relative, of the cycles; NaN: exact */
    bool calibrated;        /* an estimate corrected by a calibration file */
};

/* What engine auto knows of a run's metric, see prediction.h. */
enum result_source { RESULT_UNKNOWN, RESULT_ESTIMATED, RESULT_CALIBRATED, RESULT_SIMULATED };
struct result_answer {
    double value, log_sd; /* of its logarithm: 0 exact, NaN nobody says */
    enum result_source source;
};

struct result_round {
    uint32_t round, points, runs;
    const char *why;
    double error, worst, core_hours; /* NaN: nothing was predicted */
};

/* The first machine that the sweep file names, before an axis moves it. */
struct result_base {
    const char *name;   /* NULL: not in the database */
    const char **value; /* [n_axes] its own; "" where it is not a parameter's */
    uint32_t point;     /* the machine equal to it; RESULTS_NONE: none of those with results */
    uint32_t nearest;   /* then the nearest one */
};

struct result_sweep {
    const char *file, *engine, *design; /* NULL: the database knows of none */
    uint32_t points, others;            /* points planned; sweeps in the file besides */
    bool automatic;
    struct result_base base;
};

struct result_objective {
    const char *name;     /* a metric, or a parameter's path */
    bool parameter, more; /* more: the larger, the better */
};

/* A counter of a profiler over all launches of a program: sums of counts, means of rates and of
 * what plumb has no metric for. */
struct result_counter {
    const char *name;
    const char *metric; /* NULL: plumb has none like it */
    double value;
};

struct result_hardware {
    const char *tool, *device, *file, *name; /* name: of the program, as imported */
    uint32_t program;                        /* RESULTS_NONE: no results of it */
    uint32_t launches, n;
    struct result_counter *counter;
};

struct results {
    struct arena arena;
    struct result_hardware *hardware; /* by program, device, tool, file */
    struct result_sweep sweep;
    struct result_objective *objective; /* of the sweep, in its order */
    struct result_round *round;         /* of engine auto */
    uint32_t *answered;                 /* [n_answered] metrics that auto answers, or that follow */
    struct result_answer *answer; /* [(machine * n_programs + program) * n_answered + answered] */
    struct result_axis *axis;
    struct result_machine *machine;
    const char **program, **engine, **metric;
    struct result_run *run;
    double *value; /* [run * n_metrics + metric]; NaN: absent */
    uint32_t *at;  /* [(machine * n_programs + program) * n_engines + engine]: run, RESULTS_NONE */
    uint32_t n_axes, n_machines, n_programs, n_engines, n_metrics, n_runs, n_objectives, n_hardware;
    uint32_t n_rounds, n_answered;
    uint64_t n_stored; /* runs in the file, those not taken included */
};

/* An empty database gives empty tables.  To be results_fini'd in either case. */
bool results_read(struct results *r, const char *path, struct error *e);
void results_fini(struct results *r);

uint32_t results_at(const struct results *r, uint32_t machine, uint32_t program, uint32_t engine);
uint32_t results_metric(const struct results *r, const char *key); /* RESULTS_NONE: nobody has it */
/* "" where it is unknown; "1" of a share. */
const char *results_unit(const char *key);
const char *results_meaning(const char *key);
/* NaN: no such run, failed, or without that metric. */
double results_value(const struct results *r, uint32_t machine, uint32_t program, uint32_t engine,
                     uint32_t metric);
/* The run behind the sweep's answer: the engine's; of auto the cycle model's where it ran it, else
 * the estimate; without a sweep that of the dearest engine.  RESULTS_NONE: there is none, or it has
 * failed. */
uint32_t results_answer_run(const struct results *r, uint32_t machine, uint32_t program);
/* The sweep's answer: auto's where it has one, else that run's value; NaN: not known. */
double results_answer(const struct results *r, uint32_t machine, uint32_t program, uint32_t metric);

#endif
