/* results.h - a database of results as tables in memory: what reports draw.
 *
 * Rows are machines, programs and engines; of several runs of one machine, program and engine
 * (older model versions, other seeds or settings) the one of the newest version is taken, and of
 * these the last that was done.  Programs are told apart by name, and by where they were read from
 * if two share one.  Everything is in an order that depends on the results alone: machines by their
 * values on the axes, programs by name, engines from the cheapest to the dearest.
 *
 * Ownership: results_fini frees all.  Immutable after reading. */
#ifndef PLUMB_SWEEPS_RESULTS_H
#define PLUMB_SWEEPS_RESULTS_H

#include "base/arena.h"
#include "base/error.h"

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
    const char *name, *digest, *config; /* config: as machine_dump writes it */
    uint32_t *level; /* [n_axes]: index of its value; RESULTS_NONE: not on that axis */
};

struct result_run {
    uint32_t machine, program, engine;
    const char *error;      /* NULL: done */
    const char *bottleneck; /* NULL: not known */
    double half_width;      /* relative, of the cycles; NaN: exact */
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
    struct result_hardware *hardware;   /* by program, device, tool, file */
    struct result_objective *objective; /* of the sweep planned last, in its order */
    struct result_axis *axis;
    struct result_machine *machine;
    const char **program, **engine, **metric;
    struct result_run *run;
    double *value; /* [run * n_metrics + metric]; NaN: absent */
    uint32_t *at;  /* [(machine * n_programs + program) * n_engines + engine]: run, RESULTS_NONE */
    uint32_t n_axes, n_machines, n_programs, n_engines, n_metrics, n_runs, n_objectives, n_hardware;
    uint64_t n_stored; /* runs in the file, those not taken included */
};

/* An empty database gives empty tables.  To be results_fini'd in either case. */
bool results_read(struct results *r, const char *path, struct error *e);
void results_fini(struct results *r);

uint32_t results_at(const struct results *r, uint32_t machine, uint32_t program, uint32_t engine);
uint32_t results_metric(const struct results *r, const char *key); /* RESULTS_NONE: nobody has it */
/* "" where it is unknown; "1" of a share. */
const char *results_unit(const char *key);
/* NaN: no such run, failed, or without that metric. */
double results_value(const struct results *r, uint32_t machine, uint32_t program, uint32_t engine,
                     uint32_t metric);
#endif
