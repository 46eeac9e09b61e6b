/* args.h - what the commands that run something have in common on their command line. */
#ifndef PLUMB_CLI_ARGS_H
#define PLUMB_CLI_ARGS_H

#include "base/error.h"
#include "base/progress.h"
#include "sampler/engine.h"

#include <stdbool.h>
#include <stdint.h>

enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };

/* Which options a command takes; the others are refused.  All take --threads, -q, -v and
 * -h. */
enum {
    TAKES_SET = 1 << 0,
    TAKES_VS = 1 << 1,
    TAKES_CAL = 1 << 2,
    TAKES_KERNEL = 1 << 3,    /* --kernel */
    TAKES_KERNELS = 1 << 4,   /* --per-kernel */
    TAKES_BUDGET = 1 << 5,    /* --error, --confidence, --budget */
    TAKES_FORMAT = 1 << 6,    /* --json, --csv */
    TAKES_OUTPUT = 1 << 7,    /* -o */
    TAKES_ENGINE = 1 << 8,    /* --engine, a list */
    TAKES_POINTS = 1 << 9,    /* --points, --choose, --minutes */
    TAKES_SIMULATE = 1 << 10, /* --simulate */
    TAKES_TABLE = 1 << 11,    /* --table */
    TAKES_MAX = 1 << 12,      /* --max-instructions */
    TAKES_DB = 1 << 13,       /* --db */
    TAKES_SEED = 1 << 14,     /* --seed */
    TAKES_MACHINE = 1 << 15,  /* --machine */
    TAKES_FULL = 1 << 16,     /* --compare-full, --intervals */
    TAKES_EVERY = 1 << 17,    /* --every, --series, --plot, --per-load */
    TAKES_SHARD = 1 << 18,    /* --shard I/N */
    TAKES_SHARDS = 1 << 19,   /* --shards N */
    TAKES_RUN = 1 << 20,      /* --retry, --dry-run */
    TAKES_PICTURES = 1 << 21, /* --svg, --png */
    TAKES_PROGRAM = 1 << 22   /* --program */
};

/* Options that override a sweep's own value, even where they name the default. */
enum { GIVEN_ERROR = 1, GIVEN_CONFIDENCE = 2, GIVEN_BUDGET = 4, GIVEN_SEED = 8 };

struct args {
    const char *command;
    const char **word; /* what is not an option, in order */
    uint32_t n_words;
    const char **set, **vs; /* "path=value" */
    uint32_t n_sets, n_vs;
    const char *cal, *output, *db, *machine, *program, *series, *plot, *intervals, *svg, *png;
    struct run_opts opts;
    unsigned given; /* GIVEN_* */
    enum engine engine[ENGINE_N];
    uint32_t n_engines; /* 0 = not given */
    enum format format;
    bool table;
    bool compare_full;
    uint32_t points, simulate; /* 0 = not given */
    const char *choose;        /* as written */
    uint32_t minutes;          /* 0 = not given */
    uint32_t shard, shards;    /* I/N; 0 = not given */
    bool retry, dry_run;
    int verbosity; /* -1 quiet, 0, 1 */
    bool help;
};

/* true: *a is filled (args_fini it).  false: *status is the exit status, the user has been told. */
bool args_parse(struct args *a, int argc, char **argv, unsigned takes, enum format fallback,
                int *status);
void args_fini(struct args *a);

#endif
