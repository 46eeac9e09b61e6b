/* bank.c - plumb bank: what the bank of runs holds, its size, its switch, and copies of it. */
#include "calibration/bank/bank.h"

#include "base/memory/alloc.h"
#include "base/text/json.h"
#include "calibration/bank/bank_place.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "engine/bank_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct bank_args {
    struct args args; /* first, see command.h */
    uint32_t mb;      /* 0: not given */
};

/* The file that the line is about: the option's, $PLUMB_BANK's, or the user's, be it switched off
 * or not.  To be freed with mem_free; NULL: an error was printed. */
static char *find_place(const struct args *a, struct error *e)
{
    char *path = NULL;
    if (!bank_place(a->bank, &path, e)) return NULL;
    return path ? path : bank_place_default(e);
}

/* Opens the bank; NULL: *status is the exit status, and an error or "there is none" was printed. */
static struct bank *open_bank(const struct args *a, enum bank_use use, int *status)
{
    struct error e = {0};
    const struct bank_versions versions = bank_record_versions();
    char *path = find_place(a, &e);
    struct bank *b = path ? bank_open(path, use, &versions, &e) : NULL;
    *status = EXIT_OK;
    if (b && bank_trouble(b)[0]) cli_say("warning: %s", bank_trouble(b));
    if (!b && e.kind != ERROR_NONE)
        *status = cli_fail(&e);
    else if (!b && a->format != FORMAT_JSON)
        cli_print("no bank at %s\n", path);
    mem_free(path);
    return b;
}

/* Closes the bank; prints the error unless all went well.  Returns the exit status. */
static int close_bank(struct bank *b, bool ok, const struct error *e)
{
    bank_close(b);
    return ok ? EXIT_OK : cli_fail(e);
}

/* --- status ----------------------------------------------------------------------------------- */

static void status_table(struct text *out, const char *path, const struct bank_status *s)
{
    char bytes[NUMBER_MAX], bound[NUMBER_MAX];
    table_bytes_text((double)s->bytes, bytes);
    table_bytes_text((double)s->bound, bound);
    text_add_shown(out, "bank       %s%s\n", path,
                   bank_place_is_off() ? ", switched off ('plumb bank on' switches it on)" : "");
    text_add(out,
             "runs       %" PRIu64 " (%" PRIu64 " simulated, %" PRIu64 " sampled) of %" PRIu64
             " %s on %" PRIu64 " %s\n",
             s->runs, s->of_engine[ENGINE_SIMULATE], s->of_engine[ENGINE_SAMPLE], s->programs,
             text_noun(s->programs, "program", "programs"), s->machines,
             text_noun(s->machines, "machine", "machines"));
    if (s->stale)
        text_add(out, "stale      %" PRIu64 " %s of other versions of the models\n", s->stale,
                 text_noun(s->stale, "run", "runs"));
    text_add(out, "estimates  %" PRIu64 "\nsize       %s of at most %s\n", s->estimates, bytes,
             bound);
    if (s->n_top) text_add(out, "\n%8s %9s  program\n", "runs", "machines");
    for (uint32_t i = 0; i < s->n_top; i++)
        text_add_shown(out, "%8" PRIu64 " %9" PRIu64 "  %s\n", s->top[i].runs, s->top[i].machines,
                       s->top[i].name);
}

static void json_count(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_integer(j, (int64_t)v);
}

static void status_json(struct text *out, const char *path, const struct bank_status *s)
{
    struct json j;
    json_init(&j, out);
    json_object(&j);
    json_key(&j, "file");
    json_string(&j, path);
    json_key(&j, "on");
    json_bool(&j, !bank_place_is_off());
    json_count(&j, "runs", s->runs);
    json_count(&j, "simulated", s->of_engine[ENGINE_SIMULATE]);
    json_count(&j, "sampled", s->of_engine[ENGINE_SAMPLE]);
    json_count(&j, "stale", s->stale);
    json_count(&j, "programs", s->programs);
    json_count(&j, "machines", s->machines);
    json_count(&j, "estimates", s->estimates);
    json_count(&j, "bytes", s->bytes);
    json_count(&j, "bound_bytes", s->bound);
    json_key(&j, "top");
    json_array(&j);
    for (uint32_t i = 0; i < s->n_top; i++) {
        json_object(&j);
        json_key(&j, "program");
        json_string(&j, s->top[i].name);
        json_count(&j, "runs", s->top[i].runs);
        json_count(&j, "machines", s->top[i].machines);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
    text_add(out, "\n");
}

static int run_status(struct args *a)
{
    int status;
    struct error e = {0};
    struct text out = {0};
    struct bank_status s = {0};
    struct bank *b = open_bank(a, BANK_READ, &status);
    bool ok = b && bank_status(b, &s, &e);
    char *path = find_place(a, &e);
    if (a->format == FORMAT_JSON && status == EXIT_OK && path && (ok || !b))
        status_json(&out, path, &s);
    else if (ok)
        status_table(&out, path, &s);
    if (b) status = close_bank(b, ok, &e);
    if (status == EXIT_OK && out.len) status = cli_output(&out, NULL);
    mem_free(path);
    text_fini(&out);
    return status;
}

/* --- the rest --------------------------------------------------------------------------------- */

static int run_trim(struct args *a)
{
    int status;
    struct error e = {0};
    uint64_t removed = 0, bytes;
    uint32_t mb = ((struct bank_args *)a)->mb;
    if (!bank_place_bound(&bytes, &e)) return cli_fail(&e);
    struct bank *b = open_bank(a, BANK_IF_THERE, &status);
    if (!b) return status;
    bool ok = bank_trim(b, mb ? (uint64_t)mb << 20 : bytes, &removed, &e);
    if (ok) cli_print("%" PRIu64 " %s removed\n", removed, text_noun(removed, "run", "runs"));
    return close_bank(b, ok, &e);
}

static int run_clear(struct args *a)
{
    int status;
    struct error e = {0};
    struct bank *b = open_bank(a, BANK_IF_THERE, &status);
    return b ? close_bank(b, bank_clear(b, &e), &e) : status;
}

static int run_switch(bool on)
{
    struct error e = {0};
    if (!bank_place_switch(on, &e)) return cli_fail(&e);
    const char *environment = getenv("PLUMB_BANK");
    if (environment && environment[0])
        cli_say("warning: PLUMB_BANK=%s decides in this shell", environment);
    return EXIT_OK;
}

static int run_on(struct args *a)
{
    (void)a;
    return run_switch(true);
}

static int run_off(struct args *a)
{
    (void)a;
    return run_switch(false);
}

static int run_export(struct args *a)
{
    int status;
    struct error e = {0};
    struct bank *b = open_bank(a, BANK_READ, &status);
    return b ? close_bank(b, bank_export(b, a->word[0], &e), &e) : EXIT_RUN_FAILED;
}

static int run_import(struct args *a)
{
    int status;
    struct error e = {0};
    struct bank_import n;
    struct bank *b = open_bank(a, BANK_MAKE, &status);
    if (!b) return status;
    bool ok = bank_import(b, a->word[0], &n, &e);
    if (ok)
        cli_print("%" PRIu64 " %s added, %" PRIu64 " already there, %" PRIu64 " left out\n",
                  n.added, text_noun(n.added, "run", "runs"), n.present, n.left_out);
    return close_bank(b, ok, &e);
}

/* ---------------------------------------------------------------------------------------------- */

#define OPTION_THIS_BANK OPTION_BANK("this bank instead of the user's")

static const struct cli_option status_options[] = {
    OPTION_JSON("one JSON document"),
    OPTION_THIS_BANK,
};
static const struct cli_option trim_options[] = {
    OPTION_COUNT("mb", "N", offsetof(struct bank_args, mb), 1, BANK_MB_MAX,
                 "keep at most so many megabytes ($PLUMB_BANK_MB, else 256)"),
    OPTION_THIS_BANK,
};
static const struct cli_option bank_options[] = {OPTION_THIS_BANK};

#define BANK_COMMAND(NAME, USAGE, MEANING, RUN)                           \
    .name = "bank " NAME, .usage = USAGE, .meaning = MEANING, .run = RUN, \
    .size = sizeof(struct bank_args)

static const struct cli_command
    command_status = {BANK_COMMAND("status", "[OPTION]...", "what the bank holds", run_status),
                      .text =
                          "Prints where the bank is, how many runs it holds, of which programs, "
                          "and how much of its size is used.",
                      CLI_OPTIONS(status_options)},
    command_trim =
        {BANK_COMMAND("trim", "[--mb N]", "removes runs until it is small enough", run_trim),
         .text = "Removes runs of other versions of the models first, then those of the "
                 "programs that were not used for longest.  A bank that grows beyond its size "
                 "does so unasked.",
         CLI_OPTIONS(trim_options)},
    command_off = {BANK_COMMAND("off", "", "keeps and uses no runs from now on", run_off),
                   .text = "Leaves a file bank.off in plumb's cache directory.  The bank stays as "
                           "it is; --bank FILE and $PLUMB_BANK still name one."},
    command_on = {BANK_COMMAND("on", "", "keeps and uses runs again", run_on),
                  .text = "Removes what 'plumb bank off' left."},
    command_export = {BANK_COMMAND("export", "FILE", "a copy of the bank in one file", run_export),
                      .text = "Writes all that the bank holds into one file, for 'plumb bank "
                              "import' elsewhere or as --bank FILE.",
                      .words = 1, .first = COMPLETES_FILE, CLI_OPTIONS(bank_options)},
    command_import = {BANK_COMMAND("import", "FILE", "adds the runs of another bank or of a sweep",
                                   run_import),
                      .text = "Adds the whole runs of today's versions of the models that another "
                              "bank or a sweep's database holds.  Runs that are there stay.",
                      .words = 1, .first = COMPLETES_FILE, CLI_OPTIONS(bank_options)},
    command_clear = {BANK_COMMAND("clear", "[OPTION]...", "removes all runs", run_clear),
                     .text = "Removes all runs from the bank.", CLI_OPTIONS(bank_options)};

static const struct cli_command *const subcommands[] = {
    &command_status, &command_trim,   &command_off,   &command_on,
    &command_export, &command_import, &command_clear, NULL};

const struct cli_command command_bank = {
    .name = "bank",
    .usage = "status|trim|off|on|export|import|clear ...",
    .meaning = "what was simulated before, for later estimates",
    .text = "The bank keeps every whole simulation and sample in one file of plumb's cache "
            "directory, so that later estimates of the same programs can learn from them.",
    .sub = subcommands,
};
