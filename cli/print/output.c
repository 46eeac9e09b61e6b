/* output.c - see cli.h and output.h. */
#include "cli/print/output.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "cli/command/cli.h"
#include "cli/print/bar.h"
#include "cli/print/terminal.h"
#include "gpu/energy/sram_model.h"
#include "sweeps/plan/legal_values.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

int cli_fail(const struct error *e)
{
    cli_say("%s", e->text);
    switch (e->kind) {
    case ERROR_INPUT: return EXIT_INPUT;
    case ERROR_INTERRUPTED: return EXIT_INTERRUPTED;
    case ERROR_NONE:
    case ERROR_RUN: break;
    }
    return EXIT_RUN_FAILED;
}

int cli_fail_all(const struct errors *es)
{
    int status = EXIT_INPUT;
    for (uint32_t i = 0; i < es->n; i++)
        status = cli_fail(&es->item[i]);
    if (es->overflow) cli_say("out of memory: more faults were found");
    return status;
}

int cli_usage(const char *command, const char *fmt, ...)
{
    va_list args;
    char what[2048];
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    size_t n = strlen(what);
    bool asks = n > 0 && what[n - 1] == '?';
    cli_say("%s: %s%s see 'plumb %s --help'", command, what, asks ? "" : ";", command);
    return EXIT_INPUT;
}

int cli_offer(const char *command, const char *what, const char *offer, ...)
{
    va_list args;
    struct text words = {0};
    va_start(args, offer);
    quote_command_list(&words, offer, args);
    va_end(args);
    int status = cli_usage(command, "%s %s", what, text_str(&words));
    text_fini(&words);
    return status;
}

int cli_output(const struct text *out, const char *path)
{
    struct error e = {0};
    if (out->failed) {
        error_no_memory(&e);
        return cli_fail(&e);
    }
    if (!path) {
        bool ok = cli_write(false, text_str(out), out->len) && fflush(stdout) == 0;
        if (!ok) error_run(&e, "standard output: cannot be written (disk full?)");
        return ok ? EXIT_OK : cli_fail(&e);
    }
    struct outfile *f = outfile_open(path, &e);
    if (!f) return cli_fail(&e);
    for (const char *s = text_str(out), *end = s + out->len; s < end; s++) { /* a mark between */
        size_t n = strcspn(s, STYLE_MARKS);
        outfile_write(f, s, n);
        s += n;
    }
    return outfile_commit(f, &e) ? EXIT_OK : cli_fail(&e);
}

bool cli_can_write(const char *path)
{
    struct error e = {0};
    /* an existing file may be a pipe, whose reader would take an open and close for the whole
     * output */
    if (!path || (file_exists(path) && !file_is_dir(path))) return true;
    struct outfile *f = outfile_open(path, &e);
    if (f)
        outfile_abort(f);
    else
        cli_fail(&e);
    return f != NULL;
}

bool cli_energy_table(const struct machine *m, const char *spec, struct errors *all)
{
    static const char ours[] = "energy.table";
    struct error e = {0};
    if (m->energy.model != ENERGY_TABLES || sram_tables(m->energy.table, &e)) return true;
    if (strncmp(e.text, ours, strlen(ours)) == 0)
        errors_add(all, "%s: %s", spec, e.text);
    else
        errors_add_error(all, &e); /* the error names the table's file */
    return false;
}

void cli_name_program(struct error *e, const char *spec)
{
    struct error plain = *e;
    if (strstr(e->text, spec)) return;
    snprintf(e->text, sizeof e->text, "%.200s: %.800s", spec, plain.text);
}

static bool has_warning(const struct answer *a, const char *text)
{
    for (uint32_t i = 0; i < a->n_warnings; i++)
        if (strcmp(a->warnings[i], text) == 0) return true;
    return false;
}

/* A warning, how many programs have it, and the name of the first. */
struct told_warning {
    const char *spec;
    char text[WARNING_BYTES];
    uint32_t n;
};

static void keep_warning(struct cli_warnings *w, const char *spec, const char *text)
{
    for (size_t i = 0; i < w->n; i++) {
        if (strcmp(w->item[i].text, text) != 0) continue;
        w->item[i].n += strcmp(w->item[i].spec, spec) != 0;
        return;
    }
    if (!mem_grow(&w->item, &w->cap, w->n + 1, sizeof *w->item)) {
        cli_say("%s: warning: %s", spec, text);
        return;
    }
    struct told_warning *t = &w->item[w->n++];
    *t = (struct told_warning){.spec = spec, .n = 1};
    snprintf(t->text, sizeof t->text, "%s", text);
}

/* Adds a warning of the `first` answer, which those before it have not. */
static void warn_of(struct cli_warnings *w, const char *spec, const struct warned_side *side,
                    uint32_t first, uint32_t n, const char *text)
{
    struct text whole = {0};
    uint32_t have = 0;
    for (uint32_t i = first; i < n; i++)
        if (has_warning(side[i].a, text))
            text_add(&whole, "%s%s", have++ ? " and " : "", side[i].name ? side[i].name : "");
    if (have == n || whole.failed)
        keep_warning(w, spec, text);
    else {
        text_add(&whole, ": %s", text);
        keep_warning(w, spec, text_str(&whole));
    }
    text_fini(&whole);
}

void cli_warn(struct cli_warnings *w, const char *spec, const struct warned_side *side, uint32_t n,
              bool verbose)
{
    for (uint32_t k = 0; k < n; k++) {
        const struct answer *a = side[k].a;
        for (uint32_t i = 0; i < a->n_warnings; i++) {
            bool told = a->is_detail[i] && !verbose;
            for (uint32_t before = 0; before < k && !told; before++)
                told = has_warning(side[before].a, a->warnings[i]);
            if (!told) warn_of(w, spec, side, k, n, a->warnings[i]);
        }
    }
}

/* How many warnings from the i-th on are of the same programs. */
static size_t warnings_alike(const struct cli_warnings *w, size_t i)
{
    size_t n = 1;
    for (; i + n < w->n; n++)
        if (w->item[i + n].n != w->item[i].n || strcmp(w->item[i + n].spec, w->item[i].spec) != 0)
            break;
    return n;
}

/* A terminal shows the programs once, above their warnings; each line of a log stands alone. */
void cli_tell_warnings(struct cli_warnings *w)
{
    bool groups = terminal_width_of(STDERR_FILENO) != UINT_MAX;
    for (size_t i = 0, next; i < w->n; i = next) {
        const struct told_warning *t = &w->item[i];
        char whose[sizeof t->text];
        snprintf(whose, sizeof whose, "%s", t->spec);
        if (t->n > 1)
            snprintf(whose, sizeof whose, "%s and %" PRIu32 " more program%s", t->spec, t->n - 1,
                     t->n > 2 ? "s" : "");
        next = i + warnings_alike(w, i);
        bool apart = !groups || next == i + 1;
        if (!apart) cli_say("%s:", whose);
        for (; i < next; i++)
            cli_say("%s%swarning: %s", apart ? whose : "", apart ? ": " : "", w->item[i].text);
    }
    mem_free(w->item);
    *w = (struct cli_warnings){0};
}

void cli_warn_program(const char *spec, const struct program *p)
{
    for (uint32_t i = 0; i < program_warnings(p); i++)
        cli_say("%s%swarning: %s", spec ? spec : "", spec ? ": " : "", program_warning(p, i));
}

static void warn_of_axes(const struct plan *p)
{
    for (uint32_t i = 0; i < p->n_axes; i++) {
        struct text what = {0};
        legal_values_say(&p->axis[i], &what);
        if (what.len) cli_say("%s:%" PRIu32 ": %s", p->file, p->axis[i].line, text_str(&what));
        text_fini(&what);
    }
}

/* A machine whose file doubts the engine that answers, as its answers do by themselves. */
static void warn_of_doubts(const struct plan *p)
{
    for (uint32_t i = 0; i < p->n_machines; i++) {
        const struct machine_doubt *d = &p->base[i].doubt;
        const char *engine = p->automatic ? "estimate" : engine_name[p->engine];
        if (strcmp(d->engine, engine) == 0)
            cli_say("warning: %s: engine %s is not to be relied on: %s (%s)", p->base[i].name,
                    engine, d->what, d->source);
    }
}

void cli_warn_plan(const struct plan *p)
{
    warn_of_axes(p);
    warn_of_doubts(p);
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        const struct workload *w = &p->workload[i];
        if (w->n_programs) cli_warn_program(w->spec, w->program[0]);
    }
}

void cli_miss_calibrations(const struct calibration_set *s, int verbosity)
{
    if (s->missing[0] && verbosity >= 0) cli_say("warning: %s", s->missing);
}

void cli_warn_cache(void)
{
    enum { ROOM = 1 << 20 };
    struct statvfs fs;
    char *dir = file_cache_dir();
    bool ok = dir && access(dir, W_OK) == 0 && statvfs(dir, &fs) == 0 &&
              (fs.f_flag & ST_RDONLY) == 0 && fs.f_bavail * fs.f_frsize >= ROOM;
    if (!ok)
        cli_say("warning: %s%s; profiles and unpacked traces are made anew",
                dir ? dir : "there is no cache folder", dir ? ": no room, or not writable" : "");
    mem_free(dir);
}
