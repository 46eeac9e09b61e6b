/* calibration_file.c - reads and writes calibrations as small libconfig texts; writes are
 * atomic. */
#include "base/io/file.h"
#include "base/text/conf.h"
#include "base/text/version.h"
#include "sampler/calibration/calibrate.h"

#include <stdio.h>

enum { FORMAT = 3 };

bool calibration_save(const struct calibration *c, const char *path, struct error *e)
{
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    char training[33];
    digest_hex(c->training, training);
    outfile_printf(f, "/* Written by plumb %s: the estimator's error for one machine family. */\n",
                   PLUMB_VERSION);
    outfile_printf(f, "plumb_calibration = %d;\nmachine = \"%s\";\n", FORMAT, c->machine);
    outfile_printf(f, "estimator_model = %d;\ncycle_model = %d;\n", c->est_version, c->sim_version);
    outfile_printf(f, "points = %u;\ntraining = \"%s\";\n", c->points, training);
    outfile_printf(f, "/* Mean |log(simulated / estimated)|; cross-validated: each point left out "
                      "of its fit. */\n");
    outfile_printf(f, "error = { raw = %.17g; cross_validated = %.17g; worst = %.17g; };\n",
                   c->raw_error, c->cv_error, c->cv_worst);
    outfile_printf(f, "log_sd = %.17g;\n", c->log_sd);
    if (c->residual.gp.n) residual_write(&c->residual, f);
    return outfile_commit(f, e);
}

/* A reader that records its first error, so that the caller can read one setting after another. */
struct calibration_reader {
    const char *path;
    struct error *e;
    bool failed;
};

static void note_fault(struct calibration_reader *r, const struct conf_node *n, const char *name,
                       const char *allowed)
{
    if (!r->failed)
        error_input(r->e, "%s:%u: '%s' must be %s", r->path, n ? conf_line(n) : 1, name, allowed);
    r->failed = true;
}

static const struct conf_node *find_setting(struct calibration_reader *r,
                                            const struct conf_node *group, const char *name)
{
    const struct conf_node *n = conf_find(group, name);
    if (!n && !r->failed)
        error_input(r->e, "%s:%u: '%s' is missing; is this a calibration?", r->path,
                    conf_line(group), name);
    r->failed |= !n;
    return n;
}

static double read_real(struct calibration_reader *r, const struct conf_node *group,
                        const char *name, double lo, double hi)
{
    const struct conf_node *n = find_setting(r, group, name);
    double v = 0;
    char allowed[64];
    snprintf(allowed, sizeof(allowed), "a number from %g to %g", lo, hi);
    if (n && (!conf_real(n, &v) || !(v >= lo && v <= hi))) note_fault(r, n, name, allowed);
    return v;
}

static int read_int(struct calibration_reader *r, const struct conf_node *group, const char *name)
{
    const struct conf_node *n = find_setting(r, group, name);
    int64_t v = 0;
    if (n && (!conf_int(n, &v) || v < 0 || v > INT32_MAX))
        note_fault(r, n, name, "a whole number from 0 to 2147483647");
    return (int)v;
}

static const char *read_text(struct calibration_reader *r, const struct conf_node *group,
                             const char *name)
{
    const struct conf_node *n = find_setting(r, group, name);
    const char *s = n ? conf_text(n) : NULL;
    if (n && !s) note_fault(r, n, name, "a text");
    return s ? s : "";
}

static const struct conf_node *read_group(struct calibration_reader *r,
                                          const struct conf_node *root, const char *name)
{
    const struct conf_node *n = find_setting(r, root, name);
    if (n && conf_type(n) != CONF_GROUP) note_fault(r, n, name, "a group { ... }");
    return r->failed ? NULL : n;
}

static void read_errors(struct calibration *c, struct calibration_reader *r,
                        const struct conf_node *root)
{
    const struct conf_node *n = read_group(r, root, "error");
    if (!n) return;
    c->raw_error = read_real(r, n, "raw", 0, 100);
    c->cv_error = read_real(r, n, "cross_validated", 0, 100);
    c->cv_worst = read_real(r, n, "worst", 0, 100);
}

static void read_provenance(struct calibration *c, struct calibration_reader *r,
                            const struct conf_node *root)
{
    const struct conf_node *format = find_setting(r, root, "plumb_calibration");
    int64_t v;
    if (format && (!conf_int(format, &v) || v != FORMAT))
        note_fault(r, format, "plumb_calibration", "3, the known format: calibrate again");
    snprintf(c->machine, sizeof(c->machine), "%s", read_text(r, root, "machine"));
    c->est_version = read_int(r, root, "estimator_model");
    c->sim_version = read_int(r, root, "cycle_model");
    c->points = (uint32_t)read_int(r, root, "points");
    if (!digest_parse(&c->training, read_text(r, root, "training")))
        note_fault(r, conf_find(root, "training"), "training", "a digest of 32 hexadecimal digits");
}

bool calibration_load(struct calibration *c, const char *path, struct error *e)
{
    struct conf *conf = conf_load(path, NULL, e);
    if (!conf) return false;
    const struct conf_node *root = conf_root(conf);
    struct calibration_reader r = {.path = path, .e = e};
    *c = (struct calibration){0};
    read_provenance(c, &r, root);
    if (!r.failed) read_errors(c, &r, root);
    c->log_sd = r.failed ? 0 : read_real(&r, root, "log_sd", 0, 100);
    const struct conf_node *learned = r.failed ? NULL : conf_find(root, "residual");
    if (learned && !residual_read(&c->residual, learned, e)) {
        calibration_fini(c);
        r.failed = true;
    }
    conf_free(conf);
    return !r.failed;
}
