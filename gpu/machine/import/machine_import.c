/* machine_import.c - see machine_import.h. */
#include "gpu/machine/import/machine_import.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "gpu/machine/import/importer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 96, NAME_COLUMN = 46 };

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_file(struct option_list *l, const char *path, struct errors *all)
{
    struct error e = {0};
    char *bytes;
    size_t n;
    if (!file_read(path, &bytes, &n, &e)) {
        errors_add_error(all, &e);
        return false;
    }
    bool text = strlen(bytes) == n;
    if (!text) errors_add(all, "%s: a file of text is allowed; this one has zero bytes", path);
    bool ok = text && option_list_parse(l, bytes, path, all);
    mem_free(bytes);
    return ok;
}

static bool read_folder(struct option_list *l, const char *path, struct errors *all)
{
    char *machine = file_join(path, "gpgpusim.config"), *trace = file_join(path, "trace.config");
    bool ok = machine && trace;
    if (!ok)
        errors_add(all, "out of memory");
    else if (!file_may_exist(machine))
        ok = (errors_add(all, "%s: there is no gpgpusim.config in this folder", path), false);
    ok = ok && read_file(l, machine, all) && (!file_may_exist(trace) || read_file(l, trace, all));
    mem_free(machine);
    mem_free(trace);
    return ok;
}

/* --- the report ------------------------------------------------------------------------------- */

static void settle_fates(struct machine_importer *im)
{
    for (uint32_t i = 0; i < im->options.n; i++) {
        struct option *o = &im->options.at[i];
        const struct known_option *k = known_option_find(o->key);
        if (o->fate != OPTION_UNREAD) continue;
        o->fate = !k || k->counts ? OPTION_REPLACED : OPTION_LACKS;
        o->why = k ? k->lacks : "unknown: nothing follows from it";
        if (k && k->same && strcmp(k->same, o->value) == 0) o->fate = OPTION_CARRIED;
        if (k && !k->lacks) o->fate = OPTION_QUIET;
    }
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct option *)a)->key, ((const struct option *)b)->key);
}

/* "-gpgpu_l1_latency", or "-l1_latency (-gpgpu_l1_latency)" of an older version. */
static void add_name(const struct option *o, struct text *out)
{
    text_add_shown(out, "-%s", o->spelled);
    if (strcmp(o->spelled, o->key) != 0) text_add(out, " (-%s)", o->key);
}

/* Names in lines of LINE_WIDTH. */
static void report_names(const struct option_list *l, enum option_fate fate, const char *head,
                         struct text *out)
{
    uint32_t n = 0;
    size_t width = 0;
    for (uint32_t i = 0; i < l->n; i++)
        n += l->at[i].fate == fate;
    text_add(out, "%s: %u%s", head, n, n ? "" : "\n");
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->at[i].fate != fate) continue;
        struct text name = {0};
        add_name(&l->at[i], &name);
        size_t next = name.len + 1;
        if (width == 0 || width + next > LINE_WIDTH) text_add(out, "\n   ");
        width = width == 0 || width + next > LINE_WIDTH ? next + 3 : width + next;
        text_add(out, " %s", text_str(&name));
        text_fini(&name);
    }
    if (n) text_add(out, "\n");
}

/* Each with its value and what stands for it. */
static void report_reasons(const struct option_list *l, enum option_fate fate, const char *head,
                           struct text *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++)
        n += l->at[i].fate == fate;
    text_add(out, "%s: %u\n", head, n);
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->at[i].fate != fate) continue;
        size_t from = out->len;
        text_add(out, "    ");
        add_name(&l->at[i], out);
        text_add_shown(out, " %s", l->at[i].value);
        size_t width = out->len - from;
        text_add(out, "%*s%s\n", width < NAME_COLUMN ? (int)(NAME_COLUMN - width) : 2, "",
                 l->at[i].why);
    }
}

static bool has_fate(const struct option_list *l, enum option_fate fate)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->at[i].fate == fate) return true;
    return false;
}

static void report(struct machine_importer *im, struct machine_import *out)
{
    const struct option_list *l = &im->options;
    settle_fates(im);
    if (l->n) qsort(l->at, l->n, sizeof *l->at, by_key);
    if (has_fate(l, OPTION_REPLACED))
        report_reasons(l, OPTION_REPLACED, "replaced, which changes answers", &out->replaced);
    text_add(&out->report, "%s", text_str(&out->replaced));
    report_names(l, OPTION_CARRIED, "carried over", &out->report);
    report_names(l, OPTION_QUIET, "ignored, as they change no answer", &out->report);
    report_reasons(l, OPTION_LACKS, "without counterpart, of little effect", &out->report);
}

/* --- the machine ------------------------------------------------------------------------------ */

static void write_head(struct machine_importer *im)
{
    const char *last = "";
    importer_comment(im, "Imported from the configuration of Accel-Sim (GPGPU-Sim) in");
    for (uint32_t i = 0; i < im->options.n; i++)
        if (strcmp(im->options.at[i].file, last) != 0)
            importer_comment(im, "  %s", last = im->options.at[i].file);
    importer_comment(im, "by `plumb machine import`. Behind each value stands the option that it"
                         " follows from; \"default of\"");
    importer_comment(im,
                     "marks options that no file has, \"addition\" what Accel-Sim's pipeline adds"
                     " (docs/guide/accelsim.md).");
    text_add(im->out,
             "description = \"imported from Accel-Sim's configuration: %" PRIu64 " SMs, %" PRIu64
             " memory channels\";\n",
             importer_whole(im, "gpgpu_n_clusters", "10", 1, 1024) *
                 importer_whole(im, "gpgpu_n_cores_per_cluster", "3", 1, 1024),
             importer_whole(im, "gpgpu_n_mem", "8", 1, 256));
    im->line++;
}

/* Tells a fault of the machine file, "NAME:LINE: what", at the option that the line follows from.
 */
static void tell_fault(struct machine_importer *im, const char *text, const char *name)
{
    size_t n = strlen(name);
    unsigned long line =
        strncmp(text, name, n) == 0 && text[n] == ':' ? strtoul(text + n + 1, NULL, 10) : 0;
    const char *what = strstr(text, ": ");
    const struct option *o =
        line > 0 && line <= IMPORT_LINES_MOST && line <= im->line ? im->origin[line - 1] : NULL;
    if (o && what)
        importer_fault(im, o, "%s", what + 2);
    else
        errors_add(im->all, "the machine that follows is not allowed: %s", what ? what + 2 : text);
}

static void check_machine(struct machine_importer *im)
{
    static const char name[] = "import.cfg";
    struct errors faults = {0};
    if (!machine_parse(&im->scratch, text_str(im->out), name, NULL, 0, &faults))
        for (uint32_t i = 0; i < faults.n; i++)
            tell_fault(im, faults.item[i].text, name);
    errors_fini(&faults);
}

static void append_report(struct machine_import *out)
{
    text_add(&out->machine, "\n");
    for (const char *s = text_str(&out->report); *s; s += strcspn(s, "\n") + 1)
        text_add_shown(&out->machine, "# %.*s\n", (int)strcspn(s, "\n"), s);
}

static bool import_options(struct machine_importer *im, struct machine_import *out)
{
    uint32_t before = im->all->n;
    im->out = &out->machine;
    machine_defaults(&im->scratch);
    write_head(im);
    importer_caches(im);
    import_core(im);
    import_l1(im);
    import_l2(im);
    import_network(im);
    import_dram(im);
    importer_close(im);
    if (im->all->n == before) check_machine(im);
    if (im->all->n == before) {
        report(im, out);
        append_report(out);
    }
    if (out->machine.failed || out->report.failed || out->replaced.failed)
        errors_add(im->all, "out of memory");
    if (im->all->n == before) return true;
    machine_import_fini(out);
    return false;
}

static bool import_with(struct option_list *l, bool read, struct machine_import *out,
                        struct errors *all)
{
    struct machine_importer *im = read ? mem_new(1, sizeof *im) : NULL;
    *out = (struct machine_import){0};
    if (read && !im) errors_add(all, "out of memory");
    bool ok = im != NULL;
    if (ok) {
        im->options = *l;
        im->all = all;
        ok = import_options(im, out);
        *l = im->options;
    }
    mem_free(im);
    option_list_fini(l);
    return ok;
}

bool machine_import_files(const char *const *path, size_t n, struct machine_import *out,
                          struct errors *all)
{
    struct option_list l = {0};
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        ok = file_is_dir(path[i]) ? read_folder(&l, path[i], all) : read_file(&l, path[i], all);
    return import_with(&l, ok, out, all);
}

bool machine_import_text(const char *text, const char *name, struct machine_import *out,
                         struct errors *all)
{
    struct option_list l = {0};
    return import_with(&l, option_list_parse(&l, text, name, all), out, all);
}

void machine_import_fini(struct machine_import *i)
{
    text_fini(&i->machine);
    text_fini(&i->report);
    text_fini(&i->replaced);
}
