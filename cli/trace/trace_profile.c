/* trace_profile.c - plumb trace profile: makes the estimator's profile ahead of time. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/parse/file_kinds.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "engine/program_opts.h"
#include "estimator/profile/profile.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

struct profile_request {
    struct args a;
    struct machine m;
    struct program *p;
    struct profile *f;
    const char *machine;
    char *path;
    enum profile_detail detail;
    double seconds;
};

/* Opens the program at its own width to choose the machine, then at the machine's width. */
static bool open_both(struct profile_request *k, struct errors *all, struct error *e)
{
    const char *spec = k->a.word[0];
    k->machine = k->a.machine;
    if (!k->machine) {
        struct program_opts own = {.allow_unknown = k->a.allow_unknown};
        k->p = program_open(spec, &own, e);
        if (!k->p) return false;
        k->machine = program_source_width(k->p) == 32 ? "qv100" : "rx540";
        program_close(k->p);
        k->p = NULL;
    }
    if (!machine_load(&k->m, k->machine, k->a.set, k->a.n_sets, all)) return false;
    struct program_opts opts = program_opts_of(&k->m, k->a.allow_unknown);
    k->p = program_open(spec, &opts, e);
    if (k->p && k->a.verbosity >= 0) cli_warn_program(spec, k->p);
    return k->p != NULL;
}

/* Finds the place for the output before the work is done. */
static bool find_place(struct profile_request *k, struct error *e)
{
    struct profile_view v = est_view_of(&k->m);
    k->detail = profile_detail_for(k->p, &v, PROFILE_TIMES_ONE);
    k->path = k->a.output ? mem_strdup(k->a.output) : profile_cache_path(k->p, &v, k->detail);
    return k->path || error_run(e, "there is no cache directory to write to; -o FILE names a file");
}

static bool build_profile(struct profile_request *k, struct error *e)
{
    struct profile_view v = est_view_of(&k->m);
    struct progress progress;
    bar_progress(&progress, k->a.verbosity < 0);
    double start = progress_clock_seconds();
    k->f = profile_build(k->p, &v, k->detail, k->a.opts.threads, &progress, e);
    k->seconds = progress_clock_seconds() - start;
    return k->f != NULL;
}

static bool store_profile(struct profile_request *k, struct text *out, struct error *e)
{
    struct stat st;
    const char *path = k->path;
    bool ok = profile_store(k->f, k->p, path, e) &&
              (stat(path, &st) == 0 || error_run(e, "%s: cannot be read back", path));
    double accesses = (double)profile_accesses(k->f);
    if (ok)
        text_add_shown(
            out,
            "%s on %s: %u %s in %u sections, %.0f accesses in %.2f s (%.2f M/s), %" PRIu64
            " bytes\n%s\n",
            program_name(k->p), k->machine, profile_launches(k->f),
            text_noun(profile_launches(k->f), "launch", "launches"), profile_sections(k->f),
            accesses, k->seconds, k->seconds > 0 ? accesses / k->seconds / 1e6 : 0,
            (uint64_t)st.st_size, path);
    return ok;
}

static int make_profile(struct args *args)
{
    struct profile_request *k = (struct profile_request *)args;
    struct errors all = {0};
    struct error e = {0};
    struct text out = {0};
    int status = EXIT_OK;
    if (k->a.machine && !file_kinds_is_machine(k->a.command, k->a.machine)) return EXIT_INPUT;
    if (k->a.n_words != 1)
        return cli_usage("trace profile", "1 argument expected, %u given", k->a.n_words);
    if (!cli_can_write(k->a.output)) return EXIT_RUN_FAILED;
    if (!open_both(k, &all, &e))
        status = all.n || all.overflow ? cli_fail_all(&all) : cli_fail(&e);
    else if (!find_place(k, &e) || !build_profile(k, &e) || !store_profile(k, &out, &e))
        status = cli_fail(&e);
    else {
        terminal_hang(&out, 4);
        status = cli_output(&out, NULL);
    }
    errors_fini(&all);
    text_fini(&out);
    profile_free(k->f);
    if (k->p) program_close(k->p);
    mem_free(k->path);
    return status;
}

static const struct cli_option options[] = {
    {.name = "machine",
     .value = "MACHINE",
     .meaning = "a preset or a file (rx540 for programs of 64 lanes, qv100 for 32)",
     .completes = COMPLETES_MACHINE,
     .read = option_text,
     .at = ARG(machine)},
    OPTION_SET("override a parameter of the machine; may be repeated"),
    OPTION_P,
    OPTION_ALLOW_UNKNOWN,
    OPTION_OUTPUT("FILE", "instead of the cache"),
    OPTION_THREADS("at most so many threads (all processors)"),
    OPTION_QUIET("no progress"),
    OPTION_VERBOSE("taken, without effect"),
};

const struct cli_command command_trace_profile = {
    .name = "trace profile",
    .usage = "PROGRAM [OPTION]...",
    .meaning = "make the estimator's profile now",
    .text =
        "Makes what 'plumb estimate' needs to know of a program, anew, and leaves it where "
        "estimate looks for it, or in FILE.  A profile is good for every machine with the same "
        "SMs, coalescing, line and sector sizes; capacities, latencies, clocks and the DRAM may "
        "differ.",
    .run = make_profile,
    .size = sizeof(struct profile_request),
    .first = COMPLETES_PROGRAM,
    CLI_OPTIONS(options),
};
