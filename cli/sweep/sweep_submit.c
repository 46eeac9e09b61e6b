/* sweep_submit.c - see sweep_submit.h.
 *
 * Without --threads no script requests processors: with a fixed number it would never start on
 * nodes that have fewer.  A worker uses the processors that it is given. */
#include "cli/sweep/sweep_submit.h"

#include "base/io/paths.h"
#include "base/shown.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The words of the script that the user or the place of plumb's files gave; NULL: not given. */
enum { OPTIONS = 3, WORDS = OPTIONS + 2 };

struct script_words {
    char program[PATHS_LENGTH]; /* the plumb that writes the script */
    const char *word[WORDS];    /* the program, the sweep, the values of `script_option` */
};

static const char *const script_option[OPTIONS] = {"dir", "cal", "db"};

static void find_words(struct script_words *w, const struct sweep *s)
{
    const char *word[WORDS] = {w->program, s->args.word[0], s->dir, s->args.cal, s->args.db};
    if (!paths_program(w->program)) snprintf(w->program, sizeof w->program, "plumb");
    memcpy(w->word, word, sizeof word);
}

void sweep_submit_command(struct text *out, const struct sweep *s, const char *verb)
{
    struct script_words w;
    find_words(&w, s);
    quote_command(out, "%s sweep %s %s", w.program, verb, w.word[1]);
    for (size_t i = 0; i < OPTIONS; i++)
        if (w.word[2 + i]) quote_command(out, " --%s %s", script_option[i], w.word[2 + i]);
}

/* The worker of a script, on so many threads as the shell's words say. */
static void add_worker(struct text *out, const struct sweep *s, const char *threads)
{
    sweep_submit_command(out, s, "work");
    text_add(out, " --workers %" PRIu32 " --threads %s", s->args.shards, threads);
}

static void add_head(struct text *out, const struct sweep *s, const char *how)
{
    text_add_shown(out,
                   "#!/bin/bash\n"
                   "# %s %s.  Its workers share the points among them; submitted again, they do\n"
                   "# only what is missing.  Their progress:\n"
                   "#   ",
                   s->plan.file, how);
    sweep_submit_command(out, s, "status");
    text_add(out, "\n# Take what they have done into the output:\n#   ");
    sweep_submit_command(out, s, "merge");
    text_add(out, "\n");
}

/* --- Slurm -------------------------------------------------------------------------------------
 */

static void add_directives(struct text *out, const struct sweep *s)
{
    const struct cluster *c = &s->cluster;
    const struct {
        const char *name, *value;
    } line[] = {
        {"time", c->time}, {"mem", c->mem}, {"partition", c->partition}, {"account", c->account}};
    text_add(out, "#SBATCH --job-name=plumb-sweep\n#SBATCH --array=1-%" PRIu32, s->args.shards);
    if (c->at_once) text_add(out, "%%%" PRIu32, c->at_once);
    text_add(out, "\n");
    if (s->args.opts.threads) text_add(out, "#SBATCH --cpus-per-task=%u\n", s->args.opts.threads);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        if (line[i].value) text_add(out, "#SBATCH --%s=%s\n", line[i].name, line[i].value);
    text_add(out, "#SBATCH --signal=B:USR1@90\n#SBATCH --requeue\n#SBATCH --open-mode=append\n"
                  "#SBATCH --output=plumb-sweep-%%A-%%a.log\n");
}

/* The signal before the end of the time reaches the shell alone, and only while it waits.  The
 * number of an array's last task is that of the array, so a task is requeued by both its numbers.
 */
void sweep_submit_script(struct text *out, const struct sweep *s)
{
    add_head(out, s, "on a Slurm cluster: sbatch THIS-FILE");
    add_directives(out, s);
    text_add(out, "cd \"${SLURM_SUBMIT_DIR:-.}\" || exit\n");
    add_worker(out, s, "\"${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}\"");
    text_add(out, " -q &\n"
                  "worker=$! late=\n"
                  "trap 'late=1; kill -USR1 $worker' USR1 # the time is almost over\n"
                  "trap 'kill -TERM $worker' TERM\n"
                  "while :; do\n"
                  "    wait $worker\n"
                  "    status=$?\n"
                  "    kill -0 $worker 2> /dev/null || break\n"
                  "done\n"
                  "if [ \"$late\" ] && [ $status -ne 0 ]; then scontrol requeue "
                  "\"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"; fi\n"
                  "exit $status\n");
}

/* --- PBS ---------------------------------------------------------------------------------------
 */

/* A number alone is minutes for Slurm, and seconds for PBS. */
static void add_walltime(struct text *out, const char *time)
{
    uint64_t minutes;
    const char *end = time;
    if (text_whole(&end, 10, &minutes) && *end == '\0')
        text_add(out, "#PBS -l walltime=%" PRIu64 "\n", 60 * minutes);
    else
        text_add(out, "#PBS -l walltime=%s\n", time);
}

/* 4G is 4gb. */
static void add_memory(struct text *out, const char *mem)
{
    size_t n = strlen(mem);
    char unit = (char)tolower((unsigned char)mem[n - 1]);
    if (strchr("kmgt", unit))
        text_add(out, ":mem=%.*s%cb", (int)n - 1, mem, unit);
    else
        text_add(out, ":mem=%s", mem);
}

static void add_pbs(struct text *out, const struct sweep *s)
{
    const struct cluster *c = &s->cluster;
    add_head(out, s, "on a PBS cluster: qsub THIS-FILE");
    text_add(out, "#PBS -N plumb-sweep\n#PBS -J 1-%" PRIu32, s->args.shards);
    if (c->at_once) text_add(out, "%%%" PRIu32, c->at_once);
    text_add(out, "\n#PBS -l select=1:ncpus=%u", s->args.opts.threads ? s->args.opts.threads : 1);
    if (c->mem) add_memory(out, c->mem);
    text_add(out, "\n");
    if (c->time) add_walltime(out, c->time);
    if (c->partition) text_add(out, "#PBS -q %s\n", c->partition);
    if (c->account) text_add(out, "#PBS -A %s\n", c->account);
    text_add(out, "#PBS -r y\n#PBS -j oe\ncd \"${PBS_O_WORKDIR:-.}\" || exit\nexec ");
    add_worker(out, s, "\"${NCPUS:-1}\"");
    text_add(out, " -q\n");
}

/* --- GNU parallel ------------------------------------------------------------------------------
 */

/* Names of files may hold what parallel replaces ({}, {= PERL =}) in the command that it is given,
 * but not in that command's arguments: so the worker is an argument, and the command is fixed. */
static void add_parallel(struct text *out, const struct sweep *s)
{
    char threads[16];
    struct text worker = {0};
    snprintf(threads, sizeof threads, "%u", s->args.opts.threads ? s->args.opts.threads : 1);
    text_add(&worker, "exec ");
    add_worker(&worker, s, threads);
    text_add(&worker, " -q");
    add_head(out, s, "by GNU parallel: bash THIS-FILE [--sshlogin HOST,HOST...]");
    text_add(out, "worker=");
    quote_shell(out, text_str(&worker));
    text_add(out,
             "\nparallel --workdir . --line-buffer --jobs %" PRIu32
             " \"$@\" sh -c {1} ::: \"$worker\" ::: {1..%" PRIu32 "}\n",
             s->cluster.at_once ? s->cluster.at_once : s->args.shards, s->args.shards);
    out->failed |= worker.failed;
    text_fini(&worker);
    sweep_submit_command(out, s, "merge");
    text_add(out, "\n");
}

/* -----------------------------------------------------------------------------------------------
 */

/* Whether the text is one word, which cannot end its line or begin another option. */
static bool is_word(const char *s)
{
    if (!isalnum((unsigned char)*s)) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("_.,:+-", *s)) return false;
    return true;
}

/* The first word that would not be seen as it is, in the script's commands and comments; NULL:
 * none. */
static const char *odd_word(const struct sweep *s)
{
    struct script_words w;
    find_words(&w, s);
    for (int i = 0; i < WORDS; i++)
        if (w.word[i] && !shown_as_is(w.word[i]))
            return w.word[i] == w.program ? "plumb" : w.word[i];
    return NULL;
}

static bool check_options(const struct sweep *s, int *status)
{
    const struct args *a = &s->args;
    const struct cluster *c = &s->cluster;
    const char *name[] = {"time", "mem", "partition", "account"};
    const char *value[] = {c->time, c->mem, c->partition, c->account};
    const char *odd = odd_word(s);
    uint64_t runs = (uint64_t)plan_points(&s->plan) * s->plan.n_workloads;
    *status = EXIT_OK;
    if (a->shards == 0) *status = cli_usage(a->command, "needs --workers N");
    if (*status == EXIT_OK && c->slurm + c->pbs + c->parallel > 1)
        *status = cli_usage(a->command, "takes one of --slurm, --pbs and --parallel");
    if (*status == EXIT_OK && a->dry_run && !c->slurm)
        *status = cli_usage(a->command, "--dry-run goes with --slurm");
    if (*status == EXIT_OK && a->shards > runs)
        *status = cli_usage(a->command, "%" PRIu32 " workers: the sweep has %" PRIu64 " runs",
                            a->shards, runs);
    if (*status == EXIT_OK && odd)
        *status = cli_usage(a->command,
                            "%s: a name with control characters or marks that turn the direction "
                            "of text; a script with such a name would not be what it seems",
                            odd);
    for (int i = 0; i < 4 && *status == EXIT_OK; i++)
        if (value[i] && !is_word(value[i]))
            *status = cli_usage(a->command, "--%s %s: allowed are letters, digits and _.,:+-",
                                name[i], value[i]);
    return *status == EXIT_OK;
}

int sweep_submit_run(struct sweep *s)
{
    struct text out = {0};
    int status;
    const struct cluster *c = &s->cluster;
    if (!check_options(s, &status)) return status;
    if (c->slurm) return sweep_submit_slurm(s);
    if (c->pbs)
        add_pbs(&out, s);
    else if (c->parallel)
        add_parallel(&out, s);
    else
        sweep_submit_script(&out, s);
    status = cli_output(&out, s->args.output);
    text_fini(&out);
    if (s->args.shards >= SLURM_ARRAY_SIZE && !c->pbs && !c->parallel)
        cli_say("arrays of more than %d tasks need a larger MaxArraySize in slurm.conf; "
                "with --slurm they are divided",
                SLURM_ARRAY_SIZE - 1);
    return status;
}
