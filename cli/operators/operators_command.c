/* operators_command.c - plumb operators: see operators.h. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "cli/command/cli.h"
#include "cli/operators/operators.h"
#include "cli/parse/args.h"
#include "cli/parse/bank_option.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operators_job {
    struct args args; /* first, see command.h */
    const char *tokens, *batch, *context, *format;
    plumb_machine *machine;
    struct operators_table table;
    char *path;                     /* of the table; NULL: standard output */
    struct operators_point *wanted; /* that no row is there for, the largest first */
    size_t n_wanted;
    struct progress progress;
    pthread_mutex_t lock; /* of what follows, and of the table's rows */
    struct error failed;
};
#define JOB(member) offsetof(struct operators_job, member)

/* --- a point ---------------------------------------------------------------------------------- */

/* The range of an operator is that of its point, in relation to the time. */
static bool add_rows(struct operators_job *j, const struct operators_point *at, const char *spec,
                     const struct answer *a)
{
    uint32_t key = metrics_key_index("time_us");
    double all = a->m.v[M_time_us], low = 1, high = 1;
    if (a->ranges.has[key] && all > 0) {
        low = a->ranges.low[key] / all;
        high = a->ranges.high[key] / all;
    }
    for (uint32_t i = 0; i < a->n_kernels; i++) {
        double us = a->kernel[i].m.v[M_time_us];
        struct operators_row row = {.at = *at,
                                    .name = a->kernel[i].name,
                                    .program = spec,
                                    .us = us,
                                    .us_low = us * low,
                                    .us_high = us * high};
        if (!operators_table_add(&j->table, &row)) return error_no_memory(&j->failed);
    }
    return true;
}

/* A table in a file is written whole after each point, so that an interrupt loses none. */
static bool keep(struct operators_job *j, const struct operators_point *at, const char *spec,
                 const struct answer *a)
{
    pthread_mutex_lock(&j->lock);
    bool ok = add_rows(j, at, spec, a);
    if (ok) operators_table_sort(&j->table);
    ok = ok && (!j->path || operators_table_write(&j->table, j->path, &j->failed));
    pthread_mutex_unlock(&j->lock);
    return ok;
}

static bool estimate_point(size_t i, unsigned worker, void *ctx)
{
    struct operators_job *j = ctx;
    struct run_opts o = j->args.opts;
    struct text spec = {0};
    struct error e = {0};
    struct answer *a = mem_new(1, sizeof *a);
    (void)worker;
    o.threads = 1;
    o.per_kernel = true;
    o.progress = NULL;
    operators_spec(&j->table.model, &j->wanted[i], j->machine->m.sm.count, &spec);
    plumb_program *p = a ? libplumb_program_open(text_str(&spec), j->machine, false, &e)
                         : (error_no_memory(&e), NULL);
    bool ok = p && libplumb_run(ENGINE_ESTIMATE, j->machine, p, j->args.cal, &o, a, &e) &&
              keep(j, &j->wanted[i], text_str(&spec), a);
    if (!ok && e.kind != ERROR_NONE) {
        pthread_mutex_lock(&j->lock);
        if (j->failed.kind == ERROR_NONE) {
            cli_name_program(&e, text_str(&spec));
            j->failed = e;
        }
        pthread_mutex_unlock(&j->lock);
    }
    if (p) plumb_program_close(p);
    if (a) answer_fini(a);
    mem_free(a);
    text_fini(&spec);
    progress_add(&j->progress, 1);
    return ok && !plumb_interrupted;
}

/* --- all points ------------------------------------------------------------------------------- */

static uint64_t size_of(const struct operators_point *at)
{
    return at->tokens + (uint64_t)at->batch * (at->context + 1);
}

/* The heads' products are the largest. */
static int compare_points(const void *a, const void *b)
{
    const struct operators_point *x = a, *y = b;
    bool xh = x->part == PART_HEAD, yh = y->part == PART_HEAD;
    if (xh != yh) return xh ? -1 : 1;
    return size_of(x) > size_of(y) ? -1 : size_of(x) < size_of(y);
}

static bool find_wanted(struct operators_job *j)
{
    struct operators_table *t = &j->table;
    j->wanted = mem_new((size_t)t->n_points + 1, sizeof *j->wanted);
    if (!j->wanted) return error_no_memory(&j->failed);
    for (uint32_t i = 0; i < t->n_points; i++)
        if (!operators_table_has(t, &t->point[i])) j->wanted[j->n_wanted++] = t->point[i];
    if (j->n_wanted) qsort(j->wanted, j->n_wanted, sizeof *j->wanted, compare_points);
    return true;
}

static bool find_points(struct operators_job *j)
{
    struct operators_sizes tokens = {0}, batch = {0}, context = {0};
    struct error *e = &j->failed;
    bool ok = operators_sizes_read(&tokens, "tokens", j->tokens, e) &&
              operators_sizes_read(&batch, "batch", j->batch, e) &&
              operators_sizes_read(&context, "context", j->context, e) &&
              (operators_points(&j->table, &tokens, &batch, &context) || error_no_memory(e));
    mem_free(tokens.v);
    mem_free(batch.v);
    mem_free(context.v);
    return ok;
}

static void say_kept(const struct operators_job *j)
{
    uint32_t kept = 0;
    if (!j->path) {
        cli_say("interrupted; with -o FILE.csv the same command would go on from there");
        return;
    }
    for (uint32_t i = 0; i < j->table.n_points; i++)
        kept += operators_table_has(&j->table, &j->table.point[i]);
    cli_say("%s has %" PRIu32 " of %" PRIu32 " points; the same command goes on from there",
            j->path, kept, j->table.n_points);
}

static int estimate_all(struct operators_job *j)
{
    pthread_mutex_init(&j->lock, NULL);
    bar_progress(&j->progress, j->args.verbosity < 0);
    progress_start(&j->progress, "points", j->n_wanted);
    bool ok = parallel_map(j->args.opts.threads, j->n_wanted, estimate_point, j);
    progress_finish(&j->progress);
    pthread_mutex_destroy(&j->lock);
    if (j->failed.kind != ERROR_NONE && j->failed.kind != ERROR_INTERRUPTED)
        return cli_fail(&j->failed);
    if (ok) return EXIT_OK;
    say_kept(j);
    return EXIT_INTERRUPTED;
}

/* --- the command ------------------------------------------------------------------------------ */

static void name_version(struct operators_job *j)
{
    char hex[33];
    digest_hex(machine_digest(&j->machine->m), hex);
    snprintf(j->table.version, sizeof j->table.version, "%d-%.12s", engine_version(ENGINE_ESTIMATE),
             hex);
    j->table.card = j->machine->m.name;
}

static bool open_model(struct operators_job *j)
{
    struct error *e = &j->failed;
    if (strpbrk(j->args.word[1], ",\"\n"))
        return error_input(e,
                           "%s: a comma, a quote or a line end in the name of a model cannot be "
                           "written into a table",
                           j->args.word[1]);
    plumb_program *p = libplumb_program_open(j->args.word[1], j->machine, false, e);
    bool ok = p && operators_model_read(&j->table.model, p->p, j->args.word[1], e);
    if (p) plumb_program_close(p);
    return ok;
}

static bool prepare(struct operators_job *j)
{
    struct error *e = &j->failed;
    bool folder = strcmp(j->format, "csv") != 0;
    if (j->args.output) j->path = operators_table_path(j->args.output, j->format);
    return (j->path || !j->args.output || error_no_memory(e)) && open_model(j) && find_points(j) &&
           (!folder || file_make_dirs(j->args.output, e)) &&
           (!j->path || operators_table_read(&j->table, j->path, e)) && find_wanted(j);
}

static int write_tables(struct operators_job *j)
{
    struct text out = {0};
    operators_table_sort(&j->table);
    if (!j->path) {
        operators_table_csv(&j->table, &out);
        int status = cli_output(&out, NULL);
        text_fini(&out);
        return status;
    }
    if (!operators_table_write(&j->table, j->path, &j->failed) ||
        !operators_format_write(&j->table, j->format, j->args.output, &j->failed))
        return cli_fail(&j->failed);
    if (j->args.verbosity >= 0)
        cli_say("%s: %zu rows of %" PRIu32 " points", j->path, j->table.n_rows, j->table.n_points);
    return EXIT_OK;
}

/* The largest point of that part among the wanted ones. */
static struct operators_point largest(const struct operators_table *t, enum operators_part part)
{
    struct operators_point at = {.part = part};
    for (uint32_t i = 0; i < t->n_points; i++)
        if (t->point[i].part == part && size_of(&t->point[i]) > size_of(&at)) at = t->point[i];
    return at;
}

/* A block is what depends on the tokens alone, and the attention. */
static double block_us(const struct operators_table *t, const struct operators_point *attention)
{
    struct operators_point dense = {
        .part = PART_DENSE, .tokens = attention->tokens ? attention->tokens : attention->batch};
    struct operators_time sum = {0};
    operators_table_time(t, &dense, NULL, &sum);
    operators_table_time(t, attention, NULL, &sum);
    return sum.us;
}

static void say_block(const struct operators_job *j)
{
    struct operators_point prompt = largest(&j->table, PART_PREFILL),
                           decode = largest(&j->table, PART_DECODE);
    cli_say("one block: %.1f us for a prompt of %" PRIu32 " tokens, %.1f us for a token of %" PRIu32
            " sequence%s of %" PRIu32 " keys",
            block_us(&j->table, &prompt), prompt.tokens, block_us(&j->table, &decode), decode.batch,
            decode.batch == 1 ? "" : "s", decode.context);
}

static int make_tables(struct operators_job *j)
{
    struct errors all = {0};
    j->machine = libplumb_machine_open(j->args.word[0], j->args.set, j->args.n_sets, &all);
    int status = j->machine ? EXIT_OK : cli_fail_all(&all);
    errors_fini(&all);
    if (status == EXIT_OK) name_version(j);
    if (status == EXIT_OK && !prepare(j)) status = cli_fail(&j->failed);
    if (status == EXIT_OK) status = estimate_all(j);
    if (status == EXIT_OK) status = write_tables(j);
    if (status == EXIT_OK && j->args.verbosity >= 0) say_block(j);
    return status;
}

static int run_operators(struct args *a)
{
    struct operators_job *j = (struct operators_job *)a;
    if (a->n_words < 2)
        return cli_offer("operators",
                         "expected CARD and MODEL ('plumb program list' names models under "
                         "serving/), such as",
                         "plumb operators h100-sxm serving/llama-3.1-8b -o table.csv");
    if (!a->output && strcmp(j->format, "csv") != 0)
        return cli_usage("operators", "--format %s: say -o FOLDER", j->format);
    return make_tables(j);
}

static void free_operators(struct args *a)
{
    struct operators_job *j = (struct operators_job *)a;
    operators_table_fini(&j->table);
    plumb_machine_close(j->machine);
    mem_free(j->path);
    mem_free(j->wanted);
}

#define SIZES(NAME, MEANING)                                                                      \
    {                                                                                             \
        .name = #NAME, .value = "SIZES", .meaning = MEANING, .read = option_text, .at = JOB(NAME) \
    }

static const struct cli_option options[] = {
    SIZES(tokens, "tokens of a prompt that is read, such as 1,16,512 or 1-16,32-512/32 "
                  "(FIRST-LAST/STEP); 1,16,128,512"),
    SIZES(batch, "sequences that are decoded together, a token each; 1,16"),
    SIZES(context, "keys in the cache of each sequence; 512"),
    {.name = "format",
     .value = "NAME",
     .meaning =
         "whose tables to write, besides plumb's own, into the folder -o; csv: plumb's table alone",
     .words = "csv llmservingsim vidur sglang astra-sim",
     .read = option_text,
     .at = JOB(format)},
    OPTION_SET("override a parameter of the machine; may be repeated"),
    OPTION_CAL("a calibration made by 'plumb calibrate' instead of the one that comes with plumb; "
               "none: no calibration; with '--bank none' no correction at all"),
    OPTION_BANK("a bank of runs instead of the user's; none: no bank"),
    OPTION_OUTPUT("FILE.csv|DIR", "the table (standard output), or with --format the folder of the "
                                  "tables; rows that it has are kept and not estimated again"),
    OPTION_THREADS("at most so many points at once (all processors)"),
    OPTION_QUIET("no progress"),
};

static const struct operators_job start = {
    .tokens = "1,16,128,512", .batch = "1,16", .context = "512", .format = "csv"};

const struct cli_command command_operators = {
    .name = "operators",
    .usage = "CARD MODEL [OPTION]... [-o FILE.csv|DIR]",
    .meaning = "operator times of a served model, for serving simulators",
    .text = "Estimates each operator of a model that is served, at each number of tokens, and "
            "writes the tables that LLMServingSim, Vidur, SGLang's simulator or ASTRA-sim read.  "
            "With -o an interrupted command goes on where it was.  docs/guide/serving.md has the "
            "formats.",
    .run = run_operators,
    .size = sizeof(struct operators_job),
    .start = &start,
    .fini = free_operators,
    .first = COMPLETES_MACHINE,
    .others = COMPLETES_PROGRAM,
    CLI_OPTIONS(options)};
