/* sweep_submit_slurm.c - submits a sweep's workers to Slurm; see sweep_submit.h. */
#include "cli/sweep/sweep_submit.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/sweep/sweep_work.h"
#include "sweeps/workers/work_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256 };

/* Runs a command of the shell and keeps the line of what it prints that begins with `prefix`;
 * false: it failed, or printed no such line. */
static bool ask_shell(const char *command, const char *prefix, char line[LINE])
{
    char got[LINE];
    bool found = false;
    FILE *f = popen(command, "r");
    if (!f) return false;
    while (fgets(got, sizeof got, f)) {
        got[strcspn(got, "\n")] = '\0';
        if (!found && strncmp(got, prefix, strlen(prefix)) == 0) {
            memcpy(line, got, LINE);
            found = true;
        }
    }
    return pclose(f) == 0 && found;
}

/* The cluster's MaxArraySize. *told: it said so; else it is Slurm's default. */
static uint32_t array_size(bool *told)
{
    char line[LINE];
    unsigned long size = 0;
    if (ask_shell("scontrol show config 2> /dev/null", "MaxArraySize", line)) {
        const char *value = strchr(line, '=');
        if (value) size = strtoul(value + 1, NULL, 10);
    }
    *told = size >= 2 && size <= UINT32_MAX;
    return *told ? (uint32_t)size : SLURM_ARRAY_SIZE;
}

/* How far workers are, if there have been some; claims of those that have ended hold for *lease
 * seconds. */
static bool read_state(const struct sweep *s, struct work_state *w, double *lease, struct error *e)
{
    struct work_dir d;
    *w = (struct work_state){0};
    *lease = 0;
    if (!work_dir_exists(s->work)) return true;
    if (!work_dir_read(&d, s->work, e) || !work_dir_check(&d, &s->plan, e) ||
        !work_state_read(w, &d, &s->plan, e))
        return false;
    *lease = d.lease;
    return true;
}

/* Chunks that a further worker would take; UINT64_MAX: nobody knows yet. */
static uint64_t chunks_to_take(const struct work_state *w)
{
    return w->last ? w->chunks - w->done - w->held - w->left : UINT64_MAX;
}

/* Why no further worker is needed. */
static int say_none(const struct work_state *w, double lease)
{
    if (w->held)
        cli_say("%" PRIu64 " chunks are still claimed; if their workers have ended, submit again "
                "in %g s",
                w->held, lease);
    else if (!w->left)
        cli_say("nothing is left for further workers; 'plumb sweep merge' takes what they did");
    return w->held || w->left ? EXIT_RUN_FAILED : EXIT_OK;
}

/* The commands that submit the arrays and the merge after them: each line sets or uses $jobs. */
static void add_array(struct text *out, const struct sweep *s, const char *script, uint32_t tasks)
{
    text_add(out, "sbatch --parsable --array=1-%" PRIu32, tasks);
    if (s->cluster.at_once) text_add(out, "%%%" PRIu32, s->cluster.at_once);
    text_add(out, " ");
    quote_shell_file(out, script);
}

static void add_merge(struct text *out, const struct sweep *s, const char *jobs)
{
    struct text command = {0};
    sweep_submit_command(&command, s, "merge");
    text_add(out,
             "sbatch --parsable --dependency=afterany%s --job-name=plumb-merge "
             "--output=plumb-merge-%%j.log",
             jobs);
    if (s->cluster.partition) text_add(out, " --partition=%s", s->cluster.partition);
    if (s->cluster.account) text_add(out, " --account=%s", s->cluster.account);
    text_add(out, " --wrap ");
    quote_shell(out, text_str(&command));
    text_fini(&command);
}

/* Runs the command and keeps the job's number; with `shown`, adds it there as a comment. */
static bool submit(struct text *command, struct text *shown, uint32_t job, char id[LINE])
{
    bool ok = !command->failed && (shown || ask_shell(text_str(command), "", id));
    if (ok && shown) {
        text_add(shown, "# %s\n", text_str(command));
        snprintf(id, LINE, "JOB%" PRIu32, job);
    } else if (ok) {
        id[strcspn(id, ";")] = '\0'; /* ID;CLUSTER */
    } else {
        cli_say("'%s' failed", text_str(command));
    }
    text_fini(command);
    return ok;
}

/* Submits the arrays and the merge after them, or adds their commands to `shown`, where the jobs
 * are JOB1, JOB2, ... */
static int submit_all(const struct sweep *s, const char *script, uint32_t tasks, uint32_t size,
                      struct text *shown)
{
    struct text jobs = {0}, command = {0};
    char id[LINE];
    bool ok = true;
    uint32_t n, job = 0;
    for (uint32_t left = tasks; ok && left > 0; left -= n) {
        n = left < size ? left : size - 1;
        add_array(&command, s, script, n);
        ok = submit(&command, shown, ++job, id);
        if (ok && !shown) cli_print("submitted %" PRIu32 " workers as job %s\n", n, id);
        if (ok) text_add(&jobs, ":%s", id);
    }
    add_merge(&command, s, text_str(&jobs));
    ok = ok && submit(&command, shown, ++job, id);
    if (ok && !shown) cli_print("submitted the merge after them as job %s\n", id);
    text_fini(&command);
    text_fini(&jobs);
    return ok ? EXIT_OK : EXIT_RUN_FAILED;
}

/* Adds what would be submitted to the script. */
static int show_commands(const struct sweep *s, struct text *script, uint32_t tasks)
{
    bool told;
    uint32_t size = array_size(&told);
    text_add(script,
             "\n# Submitted in arrays of at most %" PRIu32 " tasks: MaxArraySize is %" PRIu32
             "%s\n",
             size - 1, size, told ? "" : " by default; scontrol does not say here");
    int status = submit_all(s, "THIS-FILE", tasks, size, script);
    return status == EXIT_OK ? cli_output(script, s->args.output) : status;
}

/* The script stays in the directory where the workers meet. */
static int write_and_submit(const struct sweep *s, const struct text *script, uint32_t tasks)
{
    struct error e = {0};
    if (!file_make_dirs(s->work, &e)) return cli_fail(&e);
    char *path = file_join(s->work, "slurm.sh");
    if (!path) {
        error_no_memory(&e);
        return cli_fail(&e);
    }
    int status = cli_output(script, path);
    bool told;
    if (status == EXIT_OK) status = submit_all(s, path, tasks, array_size(&told), NULL);
    mem_free(path);
    return status;
}

int sweep_submit_slurm(const struct sweep *s)
{
    struct error e = {0};
    struct text script = {0};
    struct work_state w;
    double lease;
    if (!read_state(s, &w, &lease, &e)) return cli_fail(&e);
    uint64_t free = chunks_to_take(&w);
    if (w.left) cli_say(SWEEP_WORK_LEFT, w.left);
    if (free == 0) return say_none(&w, lease);
    uint32_t tasks = free < s->args.shards ? (uint32_t)free : s->args.shards;
    sweep_submit_script(&script, s);
    int status =
        s->args.dry_run ? show_commands(s, &script, tasks) : write_and_submit(s, &script, tasks);
    text_fini(&script);
    return status;
}
