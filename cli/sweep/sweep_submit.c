/* sweep_submit.c - see sweep_submit.h.
 *
 * Without --threads the script requests no processors: with a fixed number it would never start on
 * nodes that have fewer.  A task uses the processors that Slurm gives it. */
#include "cli/sweep/sweep_submit.h"

#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/print/output.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    ARRAY_MAX = 1000
    /* Slurm's default MaxArraySize is 1001, and it counts from 0 */
};

/* Quotes for the shell, in single quotes. */
static void add_quoted(struct text *out, const char *s)
{
    text_add(out, "'");
    for (; *s; s++)
        text_add(out, *s == '\'' ? "'\\''" : "%c", *s);
    text_add(out, "'");
}

static void add_command(struct text *out, const struct args *a, const char *verb)
{
    text_add(out, "plumb sweep %s ", verb);
    add_quoted(out, a->word[0]);
    if (a->cal) {
        text_add(out, " --cal ");
        add_quoted(out, a->cal);
    }
    if (a->db) {
        text_add(out, " --db ");
        add_quoted(out, a->db);
    }
}

/* --- #SBATCH lines -----------------------------------------------------------------------------
 */

struct slurm_option {
    const char *name, *value;
};

static void lines_of(const struct slurm *s, struct slurm_option out[4])
{
    out[0] = (struct slurm_option){"time", s->time};
    out[1] = (struct slurm_option){"mem", s->mem};
    out[2] = (struct slurm_option){"partition", s->partition};
    out[3] = (struct slurm_option){"account", s->account};
}

/* Whether the text is one word, which cannot end its line or begin another option. */
static bool is_word(const char *s)
{
    if (!isalnum((unsigned char)*s)) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("_.,:+-", *s)) return false;
    return true;
}

static bool check_options(const struct args *a, const struct plan *p, const struct slurm *s,
                          int *status)
{
    struct slurm_option line[4];
    lines_of(s, line);
    *status = EXIT_OK;
    if (a->shards == 0) *status = cli_usage(a->command, "needs --shards N");
    if (*status == EXIT_OK && p->automatic)
        *status = cli_usage(a->command,
                            "engine auto chooses as it goes; run it on one machine, such as by "
                            "sbatch --cpus-per-task=16 --wrap \"plumb sweep run %s\"",
                            a->word[0]);
    if (*status == EXIT_OK && a->shards > plan_points(p))
        *status = cli_usage(a->command, "--shards %" PRIu32 ": the sweep has %" PRIu32 " points",
                            a->shards, plan_points(p));
    for (int i = 0; i < 4 && *status == EXIT_OK; i++)
        if (line[i].value && !is_word(line[i].value))
            *status = cli_usage(a->command, "--%s %s: allowed are letters, digits and _.,:+-",
                                line[i].name, line[i].value);
    return *status == EXIT_OK;
}

static void add_directives(struct text *out, const struct args *a, const struct slurm *s)
{
    struct slurm_option line[4];
    lines_of(s, line);
    text_add(out, "\n#SBATCH --job-name=plumb-sweep\n#SBATCH --array=1-%" PRIu32, a->shards);
    if (s->at_once) text_add(out, "%%%" PRIu32, s->at_once);
    text_add(out, "\n");
    if (a->opts.threads) text_add(out, "#SBATCH --cpus-per-task=%u\n", a->opts.threads);
    for (int i = 0; i < 4; i++)
        if (line[i].value) text_add(out, "#SBATCH --%s=%s\n", line[i].name, line[i].value);
    text_add(out, "#SBATCH --requeue\n#SBATCH --output=plumb-sweep-%%A-%%a.log\n");
}

static void add_script(struct text *out, const struct args *a, const struct plan *p,
                       const struct slurm *s)
{
    text_add(out,
             "#!/bin/bash\n"
             "# %s on a Slurm cluster: sbatch THIS-FILE.  Each task runs its shard of the points "
             "into a database of\n"
             "# its own, and resumes it; a second submission does only what is missing, and\n"
             "#   ",
             p->file);
    add_command(out, a, "status");
    text_add(out, "\n# says how far they are.  Then, once, here or in a job with "
                  "--dependency=afterany:JOB:\n#   ");
    add_command(out, a, "merge");
    add_directives(out, a, s);
    text_add(out, "set -eu\ncd \"${SLURM_SUBMIT_DIR:-.}\"\n");
    add_command(out, a, "run");
    text_add(out,
             " --shard \"$SLURM_ARRAY_TASK_ID\"/%" PRIu32
             " --threads \"${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}\" -q\n",
             a->shards);
}

int sweep_submit(const struct args *a, const struct plan *p, const struct slurm *s)
{
    struct text out = {0};
    int status;
    if (!check_options(a, p, s, &status)) return status;
    add_script(&out, a, p, s);
    status = cli_output(&out, a->output);
    text_fini(&out);
    if (a->shards > ARRAY_MAX)
        fprintf(stderr,
                "plumb: arrays of more than %d tasks need a larger MaxArraySize in slurm.conf "
                "('scontrol show config')\n",
                ARRAY_MAX);
    return status;
}
