/* args.h - parses a command's line by its table of options (command.h); has the rows of options
 * that several commands share. */
#pragma once

#include "base/error.h"
#include "base/run/progress.h"
#include "cli/command/command.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stdint.h>

enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };

/* Which options the user gave; they override a sweep's own values, even if they equal the
 * default. */
enum { GIVEN_ERROR = 1, GIVEN_CONFIDENCE = 2, GIVEN_BUDGET = 4, GIVEN_SEED = 8 };

struct args {
    const char *command;
    const char **word; /* the words that are not options, in order; NULL-terminated */
    uint32_t n_words;
    const char **set, **vs, **with; /* "path=value", machines */
    const char **p;                 /* "name=value", parameters of programs */
    char **joined;                  /* program words in another form; owned */
    uint32_t n_sets, n_vs, n_with, n_p, n_joined;
    const char *cal, *renew, *bank, *anchor, *output, *db, *machine, *program, *series, *plot,
        *intervals, *svg, *png;
    struct run_opts opts;
    unsigned given; /* GIVEN_* */
    enum engine engine[ENGINE_N];
    uint32_t n_engines; /* 0 = not given */
    enum format format;
    bool table, by_point;
    bool compare_full, allow_unknown;
    uint32_t points, simulate; /* 0 = not given */
    const char *choose;
    uint32_t minutes;       /* 0 = not given */
    uint32_t shard, shards; /* I/N; 0 = not given */
    bool retry, dry_run, serve;
    int verbosity; /* -1 quiet, 0, 1 */
};

/* Skips argv[0].  true: fills *a (the caller calls args_fini) and the rest of the command's own
 * struct. false: *status is the exit status; help or an error was printed. */
bool args_parse(struct args *a, const struct cli_command *c, int argc, char **argv, int *status);
void args_fini(struct args *a);

/* Readers of common kinds of values; commands have further ones of their own. */
option_reader option_flag;      /* bool */
option_reader option_text;      /* const char * */
option_reader option_file;      /* const char *, not empty */
option_reader option_count;     /* uint32_t from low to high */
option_reader option_whole;     /* uint64_t from low to high */
option_reader option_fraction;  /* double between 0 and 1 */
option_reader option_set;       /* set */
option_reader option_p;         /* p */
option_reader option_vs;        /* vs */
option_reader option_with;      /* with */
option_reader option_kernel;    /* opts.kernel_name or opts.launch0 and launches */
option_reader option_engines;   /* engine, n_engines */
option_reader option_shard;     /* shard, shards */
option_reader option_format;    /* format: the option's name is the format */
option_reader option_verbosity; /* verbosity: the option's name is the level */

#define ARG(member) offsetof(struct args, member)
#define OPTION_FLAG(NAME, AT, MEANING)                                  \
    {                                                                   \
        .name = NAME, .meaning = MEANING, .read = option_flag, .at = AT \
    }
#define OPTION_COUNT(NAME, VALUE, AT, LOW, HIGH, MEANING)                                 \
    {                                                                                     \
        .name = NAME, .value = VALUE, .meaning = MEANING, .read = option_count, .at = AT, \
        .low = LOW, .high = HIGH                                                          \
    }
#define OPTION_FILE(NAME, VALUE, AT, MEANING)                                          \
    {                                                                                  \
        .name = NAME, .value = VALUE, .meaning = MEANING, .completes = COMPLETES_FILE, \
        .read = option_file, .at = AT                                                  \
    }
#define OPTION_FOLDER(NAME, AT, MEANING)                                                 \
    {                                                                                    \
        .name = NAME, .value = "DIR", .meaning = MEANING, .completes = COMPLETES_FOLDER, \
        .read = option_file, .at = AT                                                    \
    }
#define OPTION_OUTPUT(VALUE, MEANING)                                        \
    {                                                                        \
        .name = "output", .letter = 'o', .value = VALUE, .meaning = MEANING, \
        .completes = COMPLETES_FILE, .read = option_file, .at = ARG(output)  \
    }
#define OPTION_STDOUT OPTION_OUTPUT("FILE", "instead of standard output")
#define OPTION_SET(MEANING)                                       \
    {                                                             \
        .name = "set", .value = "PATH=VALUE", .meaning = MEANING, \
        .completes = COMPLETES_PARAMETER, .read = option_set      \
    }
#define OPTION_P                                                                      \
    {                                                                                 \
        .name = "p", .value = "NAME=VALUE",                                           \
        .meaning = "set a parameter of the programs, which are generators or layers " \
                   "('plumb program show' lists them); may be repeated",              \
        .read = option_p                                                              \
    }
#define OPTION_JSON(MEANING)                                      \
    {                                                             \
        .name = "json", .meaning = MEANING, .read = option_format \
    }
#define OPTION_CSV(MEANING)                                      \
    {                                                            \
        .name = "csv", .meaning = MEANING, .read = option_format \
    }
#define OPTION_THREADS(MEANING) \
    OPTION_COUNT("threads", "N", ARG(opts.threads), 1, RUN_THREADS_MAX, MEANING)
#define OPTION_QUIET(MEANING)                                                        \
    {                                                                                \
        .name = "quiet", .letter = 'q', .meaning = MEANING, .read = option_verbosity \
    }
#define OPTION_VERBOSE(MEANING)                                                        \
    {                                                                                  \
        .name = "verbose", .letter = 'v', .meaning = MEANING, .read = option_verbosity \
    }
#define OPTION_SEED                                                                             \
    {                                                                                           \
        .name = "seed", .value = "N", .meaning = "of random choices (1)", .read = option_whole, \
        .given = GIVEN_SEED, .at = ARG(opts.seed), .low = 0, .high = RUN_SEED_MAX               \
    }
#define OPTION_EXACT_PROFILE                              \
    OPTION_FLAG("exact-profile", ARG(opts.exact_profile), \
                "make the profile from every access; takes as long as simulating")
#define OPTION_ALLOW_UNKNOWN                                                                 \
    OPTION_FLAG(                                                                             \
        "allow-unknown", ARG(allow_unknown),                                                 \
        "take instructions for memory and matrices whose opcodes are not known for integer " \
        "arithmetic (Accel-Sim's traces)")
#define OPTION_MAX_INSTRUCTIONS                                           \
    {                                                                     \
        .name = "max-instructions", .value = "N",                         \
        .meaning = "stop after so many warp instructions; an "            \
                   "estimate is of the whole program all the "            \
                   "same",                                                \
        .read = option_whole, .at = ARG(opts.max_instructions), .low = 1, \
        .high = RUN_INSTRUCTIONS_MAX                                      \
    }
#define OPTION_KERNEL                                                                    \
    {                                                                                    \
        .name = "kernel", .value = "NAME|N[-M]",                                         \
        .meaning = "only the launches of that name, or number N (to M), counted from 0", \
        .read = option_kernel                                                            \
    }
#define OPTION_CAL(MEANING) OPTION_FILE("cal", "FILE", ARG(cal), MEANING)
#define OPTION_BANK(MEANING)                                                                   \
    {                                                                                          \
        .name = "bank", .value = "none|FILE", .meaning = MEANING, .completes = COMPLETES_FILE, \
        .read = option_file, .at = ARG(bank)                                                   \
    }
#define BANK_OF_RUNS "the bank that whole runs are kept in, instead of the user's; none: no bank"
#define OPTION_ANCHOR                                                                             \
    {                                                                                             \
        .name = "anchor", .value = "none|N",                                                      \
        .meaning =                                                                                \
            "simulate each program on the first N machines (1, unless that takes minutes), long " \
            "programs by samples; these runs correct the estimates of all machines",              \
        .read = option_file, .at = ARG(anchor)                                                    \
    }
/* Options of sampled runs. */
#define OPTION_ERROR                                                         \
    {                                                                        \
        .name = "error", .value = "E",                                       \
        .meaning = "stop at this relative half width of the cycles (0.03)",  \
        .read = option_fraction, .given = GIVEN_ERROR, .at = ARG(opts.error) \
    }
#define OPTION_CONFIDENCE                                                              \
    {                                                                                  \
        .name = "confidence", .value = "C", .meaning = "at this confidence (0.95)",    \
        .read = option_fraction, .given = GIVEN_CONFIDENCE, .at = ARG(opts.confidence) \
    }
#define OPTION_BUDGET                                                                    \
    {                                                                                    \
        .name = "budget", .value = "N",                                                  \
        .meaning = "simulate at most N warp instructions (short programs: all of them; " \
                   "long ones: what the intervals of each stratum need)",                \
        .read = option_whole, .given = GIVEN_BUDGET, .at = ARG(opts.budget), .low = 1,   \
        .high = RUN_INSTRUCTIONS_MAX                                                     \
    }
#define OPTION_ENGINE(MEANING)                                      \
    {                                                               \
        .name = "engine", .value = "NAME", .meaning = MEANING,      \
        .words = "estimate sample simulate", .read = option_engines \
    }
