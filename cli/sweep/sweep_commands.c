/* sweep_commands.c - the subcommands of `plumb sweep` and their options, as a table. */
#include "cli/command/cli.h"
#include "cli/sweep/sweep.h"
#include "sweeps/hardware/hardware_collect.h"
#include "sweeps/workers/worker.h"

enum { SHARDS_MAX = 10000, WORKERS_MAX = 100000 };

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
    OPTION_FLAG("retry", ARG(retry), "repeat failed runs"),
    OPTION_FLAG("dry-run", ARG(dry_run),
                "only print how many runs there are and how long they take"),
    OPTION_BANK(BANK_OF_RUNS),
    SWEEP_OPTIONS(ALL_PROCESSORS, "no progress, no summary", "every point of the front"),
};

#define OPTION_DIR                                                     \
    OPTION_FOLDER("dir", SWEEP_ARG(dir),                               \
                  "where the workers meet, on a disk that they share " \
                  "(OUTPUT.work)")

static const struct cli_option work_options[] = {
    OPTION_DIR,
    OPTION_COUNT("workers", "N", SWEEP_ARG(workers), 1, WORKERS_MAX,
                 "how many are expected, which decides how finely the points are cut; the first "
                 "worker's counts (" WORK_WORKERS_TEXT ")"),
    OPTION_COUNT("lease", "SECONDS", SWEEP_ARG(lease), 1, 86400,
                 "after which the claim of a worker that gives no sign is taken over; the first "
                 "worker's counts (" WORK_LEASE_TEXT ")"),
    OPTION_FLAG("leave", SWEEP_ARG(leave), "end when nothing is free, not when all is done"),
    OPTION_FLAG(
        "retry", ARG(retry),
        "repeat runs that failed, and chunks that were left because they ended their workers"),
    OPTION_BANK(BANK_OF_RUNS),
    SWEEP_OPTIONS(ALL_PROCESSORS, "nothing on standard error but errors",
                  "how much of the time went into runs, waiting and claiming"),
};

static const struct cli_option status_options[] = {
    OPTION_DIR,
    SWEEP_OPTIONS(NO_EFFECT, NO_EFFECT, "all of the Pareto front"),
};

static const struct cli_option export_options[] = {
    OPTION_CSV("comma-separated values (the default)"),
    OPTION_JSON("one JSON document"),
    OPTION_FLAG("points", ARG(by_point),
                "a row for each point, not for each run: its objectives, and whether it is on the "
                "Pareto front"),
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
    OPTION_STDOUT,
    OPTION_FILE("db", "FILE", ARG(db), "instead of the sweep's output"),
    OPTION_CAL("instead of the sweep's calibration"),
    OPTION_BANK(BANK_OF_RUNS),
    OPTION_THREADS(ALL_PROCESSORS),
    OPTION_QUIET("no progress"),
    OPTION_VERBOSE(NO_EFFECT),
};

static const struct cli_option merge_options[] = {
    OPTION_DIR,
    OPTION_FLAG("partial", SWEEP_ARG(partial), "end with status 0 although runs are missing"),
    SWEEP_OPTIONS(NO_EFFECT, NO_EFFECT, NO_EFFECT),
};

#define OPTION_CLUSTER(NAME, VALUE, AT, MEANING)                                     \
    {                                                                                \
        .name = NAME, .value = VALUE, .meaning = MEANING " (the cluster's default)", \
        .read = option_text, .at = SWEEP_ARG(AT)                                     \
    }

static const struct cli_option submit_options[] = {
    OPTION_COUNT("workers", "N", ARG(shards), 2, WORKERS_MAX, "how many to start"),
    OPTION_COUNT("shards", "N", ARG(shards), 2, WORKERS_MAX, "the same as --workers N"),
    OPTION_FLAG(
        "slurm", SWEEP_ARG(cluster.slurm),
        "submit the workers to Slurm, and a merge after them, instead of printing a script"),
    OPTION_FLAG("dry-run", ARG(dry_run), "with --slurm: print what would be submitted"),
    OPTION_FLAG("pbs", SWEEP_ARG(cluster.pbs), "print a script for PBS"),
    OPTION_FLAG("parallel", SWEEP_ARG(cluster.parallel),
                "print a script for GNU parallel, here or by ssh"),
    OPTION_DIR,
    OPTION_STDOUT,
    OPTION_CLUSTER("time", "TIME", cluster.time,
                   "limit of each worker, such as 30 (minutes) or 2:00:00"),
    OPTION_CLUSTER("mem", "SIZE", cluster.mem, "memory of each worker's node, such as 4G"),
    OPTION_CLUSTER("partition", "NAME", cluster.partition, "where the workers queue"),
    OPTION_CLUSTER("account", "NAME", cluster.account, "who pays"),
    OPTION_COUNT("at-once", "N", SWEEP_ARG(cluster.at_once), 1, WORKERS_MAX,
                 "workers that run at the same time (no limit)"),
    SWEEP_OPTIONS("processors of each worker (what the cluster gives it)", NO_EFFECT, NO_EFFECT),
};

static const struct cli_option import_options[] = {
    {.name = "program",
     .value = "NAME",
     .meaning =
         "the program that the files measure (each file: the program that it is named after)",
     .read = option_text,
     .at = ARG(program)},
    {.name = "what-to-collect",
     .value = "TOOL",
     .meaning = "only print the command line with which TOOL collects what plumb compares",
     .words = COLLECT_TOOLS,
     .read = option_text,
     .at = SWEEP_ARG(collect)},
    SWEEP_OPTIONS(NO_EFFECT, NO_EFFECT, NO_EFFECT),
};

#define COMMAND(NAME, USAGE, MEANING, RUN, OPTIONS, OTHERS)                \
    .name = "sweep " NAME, .usage = USAGE, .meaning = MEANING, .run = RUN, \
    .size = sizeof(struct sweep), .first = COMPLETES_SWEEP, .others = OTHERS, CLI_OPTIONS(OPTIONS)

/* What determines the results stands in the sweep's file. */
static const struct cli_hint file_hints[] = {
    {"engine", "the engine stands in the sweep's file, such as engine = \"simulate\""},
    {"set", "a setting of all machines stands in the sweep's file, such as set = ( \"l1.kb=16\" )"},
    {"anchor", "the anchors stand in the sweep's file, such as anchor = \"none\""},
    {"seed", "the seed stands in the sweep's file, such as seed = 2"},
    {NULL, NULL}};

static const struct cli_command
    command_run = {COMMAND("run", "SWEEP [OPTION]...", "run what the database does not hold yet",
                           sweep_run, run_options, COMPLETES_NOTHING),
                   .hint = file_hints,
                   .text = "Runs what the database does not hold yet: a killed sweep resumes where "
                           "it was."},
    command_work = {COMMAND("work", "SWEEP [--dir DIR] [OPTION]...",
                            "make runs together with other workers", sweep_work, work_options,
                            COMPLETES_NOTHING),
                    .hint = file_hints,
                    .text = "One of any number of workers, on any number of hosts, that make a "
                            "sweep's runs together; they need nothing but a directory on a disk "
                            "that they share.  Workers may join, leave and be killed at any time."},
    command_status =
        {COMMAND("status", "SWEEP [OPTION]...", "what is done, the best points, the Pareto front",
                 sweep_status, status_options, COMPLETES_NOTHING),
         .text =
             "Prints how many runs are done, failed and left, those of the output, of the shards "
             "beside it and of the workers together; then the best points and the Pareto front.  "
             "SWEEP may be the directory where the workers meet."},
    command_export =
        {COMMAND("export", "SWEEP [--points] [--csv | --json | --table] [OPTION]...",
                 "every run or point as rows", sweep_export, export_options, COMPLETES_NOTHING),
         .text = "Every run in the plan's order; with --points every point, whose objectives "
                 "are geometric means over the programs."},
    command_point = {COMMAND("point", "SWEEP N [-o FILE.cfg] [OPTION]...",
                             "a point's machine, as a file", sweep_point, point_options,
                             COMPLETES_NOTHING),
                     .text = "The machine of point N, as a file that every command takes for a "
                             "machine; N as export and status print it."},
    command_check = {COMMAND("check", "SWEEP [--simulate N] [--seed N] [OPTION]...",
                             "a sweep file, or its answers at some points", sweep_check,
                             check_options, COMPLETES_NOTHING),
                     .text = "Checks the sweep file.  With --simulate it compares the sweep's "
                             "answers at some points with the full cycle model."},
    command_merge = {COMMAND("merge", "SWEEP [SHARD.db]... [OPTION]...",
                             "take the runs of workers and shards into the output", sweep_merge,
                             merge_options, COMPLETES_FILE),
                     .text =
                         "Takes the runs of workers and of shards (all beside the output, or those "
                         "named) into the output, and ends with 1 if runs are missing."},
    command_submit =
        {COMMAND("submit",
                 "SWEEP --workers N [--pbs | --parallel | --slurm [--dry-run]]"
                 " [OPTION]...",
                 "start workers on a cluster", sweep_submit, submit_options, COMPLETES_NOTHING),
         .text = "Writes a script that runs N workers as a Slurm array (or by PBS, or "
                 "by GNU parallel), or submits it to Slurm.  Submit it again, and it makes "
                 "the runs that are missing."},
    command_import = {
        COMMAND("import", "SWEEP COUNTERS... [--program NAME] [OPTION]...\n--what-to-collect TOOL",
                "counters of ncu, nvprof or rocprof, or times of kernels, beside the results",
                sweep_import_counters, import_options, COMPLETES_FILE),
        .text = "Puts measured counters beside the results: files of ncu (CSV or its page for the "
                "terminal), nvprof, rocprof, rocprofv2 or rocprofv3, or times of OpenCL kernels by "
                "workloads/probe/kernel_times.  A file measures the program that it is named "
                "after."};

static const struct cli_command *const subcommands[] = {
    &command_run,   &command_work,  &command_status, &command_export, &command_point,
    &command_check, &command_merge, &command_submit, &command_import, NULL};

const struct cli_command command_sweep = {
    .name = "sweep",
    .usage = "run|work|status|export|point|check|merge|submit|import SWEEP ...",
    .meaning = "many machines, resumable",
    .text =
        "Runs many machines; what is done is kept in an SQLite file, and a killed sweep resumes "
        "where it was.",
    .sub = subcommands,
};
