/* calibrate_renew.c - plumb calibrate --renew: a calibration for this version of the estimator from
 * one of an earlier version. */
#include "base/memory/alloc.h"
#include "calibration/calibration_set.h"
#include "cli/command/cli.h"
#include "cli/parse/file_kinds.h"
#include "cli/parse/programs.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "cli/run/calibrate.h"
#include "gpu/machine/machine.h"
#include "sweeps/train/renew.h"

#include <string.h>

/* A renewal makes no runs. NULL: there is no option that chooses them. */
static const char *given_option(const struct args *a)
{
    if (a->n_sets) return "--set";
    if (a->points) return "--points";
    if (a->choose) return "--choose";
    if (a->minutes) return "--minutes";
    return a->db ? "--db" : NULL;
}

static bool load_base(struct machine *m, const struct args *a, const struct calibration *c)
{
    struct errors all = {0};
    const char *spec = a->machine ? a->machine : c->machine;
    bool ok = machine_load(m, spec, NULL, 0, &all);
    if (!ok && a->machine)
        cli_fail_all(&all);
    else if (!ok)
        cli_usage("calibrate",
                  "%s was made for %s, which is no preset; name its file: --machine %s.cfg",
                  a->renew, c->machine, c->machine);
    errors_fini(&all);
    return ok;
}

static bool read_programs(struct programs *p, const struct args *a, struct error *e)
{
    bool ok = programs_expand(p, a->word, a->n_words, e);
    for (uint32_t i = 0; ok && i < p->n; i++)
        ok = file_kinds_is_program(p->spec[i], e);
    return ok;
}

/* The runs of old values still correct estimates, as those of machines that are alike. */
static void print_moved(struct text *out, const struct renewal *r, const char *machine)
{
    if (r->moved.len)
        text_add_shown(out,
                       "  no run is of %s as it is now, which differs from the nearest in %s; to "
                       "simulate it: 'plumb calibrate %s PROGRAM... -o FILE.cal'\n",
                       machine, text_str(&r->moved), machine);
}

static int print_renewal(const struct renewal *r, const char *machine, const char *path)
{
    struct text out = {0};
    text_add(&out, "  %u runs are estimated again, and none is simulated\n", r->calibration.n);
    if (r->left_out)
        text_add_shown(&out, "  %u runs are left out, since their programs were not found: %s\n",
                       r->left_out, text_str(&r->missing));
    print_moved(&out, r, machine);
    calibrate_print_errors(&out, &r->calibration, path);
    terminal_fold(&out);
    terminal_hang(&out, 4);
    int status = cli_output(&out, NULL);
    text_fini(&out);
    return status;
}

static int renew_onto(const struct args *a, const struct calibration *from, struct renew_request *q,
                      struct error *e)
{
    struct calibration_set ranges;
    struct renewal r = {.left_out = 0};
    const char *path = a->output ? a->output : a->renew;
    q->leave_out = strcmp(path, a->renew) != 0;
    bool ok = calibration_set_open(&ranges, "none", NULL, 0, e);
    q->ranges = ranges.ranges;
    ok = ok && renew(&r, from, q, e) && calibration_save(&r.calibration, path, e);
    int status =
        ok ? print_renewal(&r, a->machine ? a->machine : from->machine, path) : cli_fail(e);
    renewal_fini(&r);
    calibration_set_close(&ranges);
    return status;
}

static int renew_loaded(const struct args *a, const struct calibration *from)
{
    struct programs programs = {0};
    struct progress progress;
    struct error e = {0};
    struct machine *base = mem_new(1, sizeof *base);
    int status = EXIT_INPUT;
    bar_progress(&progress, a->verbosity < 0);
    if (!base || !read_programs(&programs, a, &e)) {
        if (!base) error_no_memory(&e);
        status = cli_fail(&e);
    } else if (load_base(base, a, from)) {
        struct renew_request q = {.file = a->renew,
                                  .base = base,
                                  .program = (const char *const *)programs.spec,
                                  .n_programs = programs.n,
                                  .threads = a->opts.threads,
                                  .progress = &progress};
        status = renew_onto(a, from, &q, &e);
    }
    programs_fini(&programs);
    mem_free(base);
    return status;
}

int calibrate_renew(const struct args *a)
{
    struct calibration from = {.n = 0};
    struct error e = {0};
    const char *other = given_option(a);
    if (other)
        return cli_usage("calibrate", "%s does not go with --renew, which makes no runs", other);
    if (!cli_can_write(a->output ? a->output : a->renew)) return EXIT_RUN_FAILED;
    if (!calibration_load(&from, a->renew, &e)) return cli_fail(&e);
    int status = renew_loaded(a, &from);
    calibration_fini(&from);
    return status;
}
