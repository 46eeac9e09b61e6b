/* sweep_commands.c - the subcommands of `plumb sweep` and their options, as a table. */
#include "cli/cli.h"
#include "cli/sweep/sweep.h"
#include "sweeps/evidence/hardware_collect.h"

enum { SHARDS_MAX = 10000 };

/* The options that every subcommand takes. */
#define SWEEP_OPTIONS(THREADS, QUIET, VERBOSE)                                     \
    OPTION_FILE("db", "FILE", ARG(db), "instead of the sweep's output"),           \
        OPTION_CAL("instead of the sweep's calibration"), OPTION_THREADS(THREADS), \
        OPTION_QUIET(QUIET), OPTION_VERBOSE(VERBOSE)
#define NO_EFFECT "taken, without effect"
#define ALL_PROCESSORS "at most so many threads (all processors)"

static const struct cli_option run_options[] = {
    {.name = "shard",
     .value = "I/N",
     .meaning =
         "every N-th point from the I-th on, into OUTPUT.shard-I-of-N.db, which 'plumb sweep "
         "merge' takes into the output",
     .read = option_shard,
     .high = SHARDS_MAX},
    OPTION_FLAG("retry", ARG(retry), "failed runs again"),
    OPTION_FLAG("dry-run", ARG(dry_run), "only how many runs there are and how long they take"),
    SWEEP_OPTIONS(ALL_PROCESSORS, "no progress, no summary", "every point of the front"),
};

static const struct cli_option status_options[] = {
    SWEEP_OPTIONS(NO_EFFECT, NO_EFFECT, "all of the Pareto front"),
};

static const struct cli_option export_options[] = {
    OPTION_CSV("comma-separated values (the default)"),
    OPTION_JSON("one JSON document"),
    OPTION_FLAG("table", ARG(table), "the points as 'plumb sweep status' shows them"),
    OPTION_ENGINE("the engine whose runs are written (the sweep's); simulate: those of 'check'"),
    OPTION_STDOUT,
    SWEEP_OPTIONS(NO_EFFECT, NO_EFFECT, NO_EFFECT),
};

static const struct cli_option point_options[] = {
    OPTION_STDOUT,
    SWEEP_OPTIONS(NO_EFFECT, NO_EFFECT, NO_EFFECT),
};

static const struct cli_option check_options[] = {
    OPTION_COUNT("simulate", "N", ARG(simulate), 2, 1000000,
                 "the sweep's answers at N points drawn by the seed against the full cycle model: "
                 "errors and Kendall's tau"),
    OPTION_SEED,
    OPTION_JSON("one JSON document"),
    OPTION_CSV("of a study: rows of docs/results/validation.csv"),
    OPTION_STDOUT,
    OPTION_FILE("db", "FILE", ARG(db),
                "instead of the sweep's output; of a study the folder of its sweeps' databases"),
    OPTION_CAL("instead of the sweep's calibration"),
    OPTION_THREADS(ALL_PROCESSORS),
    OPTION_QUIET("no progress"),
    OPTION_VERBOSE("of a study: what the papers say and the notes"),
};

static const struct cli_option merge_options[] = {
    OPTION_FLAG("partial", SWEEP_ARG(partial), "runs that are missing are no failure"),
    SWEEP_OPTIONS(NO_EFFECT, NO_EFFECT, NO_EFFECT),
};

#define OPTION_SLURM(NAME, VALUE, AT, MEANING)                                       \
    {                                                                                \
        .name = NAME, .value = VALUE, .meaning = MEANING " (the cluster's default)", \
        .read = option_text, .at = SWEEP_ARG(AT)                                     \
    }

static const struct cli_option submit_options[] = {
    OPTION_COUNT("shards", "N", ARG(shards), 2, SHARDS_MAX, "tasks of the job array"),
    OPTION_STDOUT,
    OPTION_SLURM("time", "TIME", slurm.time, "limit of each task, such as 30 (minutes) or 2:00:00"),
    OPTION_SLURM("mem", "SIZE", slurm.mem, "memory of each task's node, such as 4G"),
    OPTION_SLURM("partition", "NAME", slurm.partition, "where the tasks queue"),
    OPTION_SLURM("account", "NAME", slurm.account, "who pays"),
    OPTION_COUNT("at-once", "N", SWEEP_ARG(slurm.at_once), 1, SHARDS_MAX,
                 "tasks that run at the same time (no limit)"),
    SWEEP_OPTIONS("processors of each task (what Slurm gives it)", NO_EFFECT, NO_EFFECT),
};

static const struct cli_option import_options[] = {
    {.name = "program",
     .value = "NAME",
     .meaning = "the program that the files measure (each the one it is named after)",
     .read = option_text,
     .at = ARG(program)},
    {.name = "what-to-collect",
     .value = "TOOL",
     .meaning = "print the command line that makes TOOL collect what plumb compares, no more",
     .words = COLLECT_TOOLS,
     .read = option_text,
     .at = SWEEP_ARG(collect)},
    SWEEP_OPTIONS(NO_EFFECT, NO_EFFECT, NO_EFFECT),
};

#define COMMAND(NAME, USAGE, MEANING, RUN, OPTIONS, OTHERS)                \
    .name = "sweep " NAME, .usage = USAGE, .meaning = MEANING, .run = RUN, \
    .size = sizeof(struct sweep), .first = COMPLETES_SWEEP, .others = OTHERS, CLI_OPTIONS(OPTIONS)

static const struct cli_command
    command_run = {COMMAND("run", "SWEEP [OPTION]...", "run what the database does not hold yet",
                           sweep_run, run_options, COMPLETES_NOTHING),
                   .text = "Runs what the database does not hold yet: a killed sweep resumes where "
                           "it was."},
    command_status =
        {COMMAND("status", "SWEEP [OPTION]...", "what is done, the best points, the Pareto front",
                 sweep_status, status_options, COMPLETES_NOTHING),
         .text = "Done, failed and left, of the output and of the shards beside it together; the "
                 "best points; the Pareto front."},
    command_export = {COMMAND("export", "SWEEP [--csv | --json | --table] [OPTION]...",
                              "every run as rows", sweep_export, export_options, COMPLETES_NOTHING),
                      .text = "Every run in the plan's order."},
    command_point = {COMMAND("point", "SWEEP N [-o FILE.cfg] [OPTION]...",
                             "a point's machine, as a file", sweep_point, point_options,
                             COMPLETES_NOTHING),
                     .text = "The machine of point N, as a file that every command takes for a "
                             "machine; N as export and status print it."},
    command_check = {COMMAND("check",
                             "SWEEP [--simulate N] [--seed N] [OPTION]...\n"
                             "STUDY.sql [--db FOLDER] [--json | --csv] [OPTION]...",
                             "a sweep file, its answers at some points, or a study", sweep_check,
                             check_options, COMPLETES_NOTHING),
                     .text = "The sweep file alone; with --simulate the sweep's answers at some "
                             "points against the full cycle model; of a study the results in "
                             "FOLDER's databases beside the papers' claims."},
    command_merge = {COMMAND("merge", "SWEEP [SHARD.db]... [OPTION]...",
                             "take the runs of shards into the output", sweep_merge_shards,
                             merge_options, COMPLETES_FILE),
                     .text =
                         "Takes the runs of shards (all beside the output, or those named) into "
                         "the output, says which shards have runs missing, and then ends with 1."},
    command_submit = {COMMAND("submit", "SWEEP --shards N [OPTION]...",
                              "a Slurm script that runs the sweep as an array", sweep_submit_array,
                              submit_options, COMPLETES_NOTHING),
                      .text = "Writes a Slurm script that runs the sweep as an array of N shards."},
    command_import = {
        COMMAND("import", "SWEEP COUNTERS... [--program NAME] [OPTION]...\n--what-to-collect TOOL",
                "counters of ncu, nvprof or rocprof beside the results", sweep_import_counters,
                import_options, COMPLETES_FILE),
        .text = "Takes counters that ncu (CSV or its page for the terminal), nvprof, "
                "rocprof, rocprofv2 or rocprofv3 wrote beside the results; a file "
                "measures the program it is named after."};

static const struct cli_command *const subcommands[] = {
    &command_run,    &command_status, &command_export,
    &command_point,  &command_check,  &command_merge,
    &command_submit, &command_import, NULL};

const struct cli_command command_sweep = {
    .name = "sweep",
    .usage = "run|status|export|point|check|merge|submit|import SWEEP ...",
    .meaning = "many machines, resumable",
    .text =
        "Runs many machines; what is done is kept in an SQLite file, and a killed sweep resumes "
        "where it was.",
    .sub = subcommands,
};
