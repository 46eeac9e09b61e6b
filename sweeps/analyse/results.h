/* results.h - a database of results as tables in memory, from which reports are drawn.
 *
 * The tables describe one sweep: of the sweeps with results, the one that was planned last.  They
 * hold its points that have a run and its programs, in the sweep's order and with its numbers.  For
 * the engines that the sweep ran they hold the runs that it requested; for engines that another
 * sweep ran on the same machines, the runs of the newest model version, and of these the one
 * finished last. If the database records no sweep, every machine is a point; points are sorted by
 * their values on the axes, programs by name, and by path if two share a name. Engines go from the
 * cheapest to the most expensive.  The tables depend only on the results.
 *
 * Ownership: results_fini frees all.  Immutable after reading. */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"

#include "sweeps/store/store.h"

#include <stdbool.h>
#include <stdint.h>

enum { RESULTS_NONE = UINT32_MAX, RESULTS_RUNS_MAX = 1000000 };

struct result_axis {
    const char *path;
    const char **value; /* distinct; sorted by size if numeric, else by name */
    uint32_t n;
    bool numeric; /* every value is a number */
};

struct result_machine {
    uint32_t number; /* the point's number on the command line; without a sweep its index */
    const char *name, *digest, *config; /* config: as machine_dump writes it */
    uint32_t *level; /* [n_axes]: index of its value; RESULTS_NONE: the axis does not apply */
};

struct result_run {
    uint32_t machine, program, engine;
    const char *error;      /* NULL: done */
    const char *bottleneck; /* NULL: not known */
    double half_width;      /* relative, of the cycles; NaN: exact */
    bool calibrated;        /* an estimate that a calibration file corrected */
};

/* Engine auto's answer for one metric of a run; see prediction.h. */
enum result_source { RESULT_UNKNOWN, RESULT_ESTIMATED, RESULT_CALIBRATED, RESULT_SIMULATED };
struct result_answer {
    double value, log_sd; /* log_sd: standard deviation of its logarithm; 0: exact, NaN: unknown */
    enum result_source source;
};

struct result_round {
    uint32_t round, points, runs;
    const char *why;
    double error, worst, core_hours; /* NaN: nothing was predicted */
};

/* The first machine that the sweep file names, before an axis changes it. */
struct result_base {
    const char *name;   /* NULL: not in the database */
    const char **value; /* [n_axes] its own value; "" for an axis that is no parameter */
    uint32_t point;     /* the point with an equal machine; RESULTS_NONE: it has no results */
    uint32_t nearest;   /* the nearest point, if `point` is RESULTS_NONE */
};

struct result_sweep {
    const char *file, *engine, *design; /* NULL: the database does not record it */
    uint32_t points, others;            /* points planned; other sweeps in the same file */
    struct result_base base;
};

struct result_objective {
    const char *name;     /* a metric, or a parameter's path */
    bool parameter, more; /* more: larger is better */
};

/* A point that may be better than the best by that objective, or the best itself, which comes
 * first; the range of its value over the best's. */
struct result_rival {
    uint32_t objective, machine;
    double low, high;
};

/* A profiler's counter over all launches of a program: the sum of a count, the mean of a rate and
 * of a counter for which plumb has no metric; beside it, the import that it is of. */
struct result_counter {
    uint32_t import;                          /* equal for all counters of one */
    const char *tool, *device, *file, *label; /* label: the program's name when it was imported */
    uint32_t program;                         /* RESULTS_NONE: the program has no results */
    uint32_t launches;
    const char *name;   /* NULL: the import has no counters */
    const char *metric; /* NULL: plumb has no such metric */
    double value;
};

struct results {
    struct arena arena;
    struct result_counter *counter; /* by program, device, tool, file */
    struct result_sweep sweep;
    struct result_objective *objective; /* the sweep's objectives, in its order */
    struct result_round *round;         /* the rounds of engine auto */
    uint32_t *round_of; /* [machine] the round that simulated the point; RESULTS_NONE: none did */
    struct result_rival *rival; /* [n_rivals] by objective */
    uint32_t *answered; /* [n_answered] metrics that auto answers, or that follow from those */
    struct result_answer *answer; /* [(machine * n_programs + program) * n_answered + answered] */
    struct result_axis *axis;
    struct result_machine *machine;
    const char **program, **engine, **metric;
    struct result_run *run;
    double *value; /* [run * n_metrics + metric]; NaN: absent */
    uint32_t *at;  /* [(machine * n_programs + program) * n_engines + engine]: run, RESULTS_NONE */
    uint32_t n_axes, n_machines, n_programs, n_engines, n_metrics, n_runs, n_objectives, n_counters;
    uint32_t n_rounds, n_answered, n_rivals;
    uint64_t n_stored; /* runs in the file, those not in these tables included */
};

/* An empty database gives empty tables.  The caller calls results_fini in either case. */
bool results_read(struct results *r, const char *path, struct error *e);
/* The same of an open database; path: its name in messages. */
bool results_read_store(struct results *r, struct store *s, const char *path, struct error *e);
void results_fini(struct results *r);

uint32_t results_metric(const struct results *r, const char *key); /* RESULTS_NONE: no run has it */
/* "" if the metric is unknown; the unit of a share is "1". */
const char *results_unit(const char *key);
const char *results_meaning(const char *key);
