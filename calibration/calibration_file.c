/* calibration_file.c - reads and writes calibrations as small libconfig texts; writes are
 * atomic. */
#include "base/io/file.h"
#include "base/text/quote.h"
#include "base/text/version.h"
#include "calibration/calibrate.h"
#include "calibration/setting_reader.h"

#include <stdio.h>

enum { FORMAT = 3 };

bool calibration_save(const struct calibration *c, const char *path, struct error *e)
{
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    char training[33];
    digest_hex(c->training, training);
    outfile_printf(
        f, "/* Written by plumb %s.  It says how estimates of one machine family are off. */\n",
        PLUMB_VERSION);
    outfile_printf(f, "plumb_calibration = %d;\nmachine = ", FORMAT);
    quote_conf_file(f, c->machine);
    outfile_printf(f, ";\n");
    outfile_printf(f, "estimator_model = %d;\ncycle_model = %d;\n", c->est_version, c->sim_version);
    outfile_printf(f, "points = %u;\ntraining = \"%s\";\n", c->points, training);
    outfile_printf(f, "/* Mean |log(simulated / estimated)|; cross-validated: each point left out "
                      "of its fit. */\n");
    outfile_printf(f, "error = { raw = %.17g; cross_validated = %.17g; worst = %.17g; };\n",
                   c->raw_error, c->cv_error, c->cv_worst);
    if (c->residual.gp.n) residual_write(&c->residual, f);
    return outfile_commit(f, e);
}

static void read_errors(struct calibration *c, struct setting_reader *r,
                        const struct conf_node *root)
{
    const struct conf_node *n = setting_group(r, root, "error");
    if (!n) return;
    c->raw_error = setting_real(r, n, "raw", 0, 100);
    c->cv_error = setting_real(r, n, "cross_validated", 0, 100);
    c->cv_worst = setting_real(r, n, "worst", 0, 100);
}

static void read_provenance(struct calibration *c, struct setting_reader *r,
                            const struct conf_node *root)
{
    const struct conf_node *format = setting_find(r, root, "plumb_calibration");
    int64_t v;
    if (format && (!conf_int(format, &v) || v != FORMAT))
        setting_fault(r, format, "plumb_calibration", "3, the known format: calibrate again");
    snprintf(c->machine, sizeof(c->machine), "%s", setting_text(r, root, "machine"));
    c->est_version = setting_int(r, root, "estimator_model");
    c->sim_version = setting_int(r, root, "cycle_model");
    c->points = (uint32_t)setting_int(r, root, "points");
    if (!digest_parse(&c->training, setting_text(r, root, "training")))
        setting_fault(r, conf_find(root, "training"), "training",
                      "a digest of 32 hexadecimal digits");
}

bool calibration_load(struct calibration *c, const char *path, struct error *e)
{
    struct conf *conf = conf_load(path, NULL, e);
    if (!conf) return false;
    const struct conf_node *root = conf_root(conf);
    struct setting_reader r = {.path = path, .what = "a calibration", .e = e};
    *c = (struct calibration){0};
    read_provenance(c, &r, root);
    if (!r.failed) read_errors(c, &r, root);
    const struct conf_node *learned = r.failed ? NULL : conf_find(root, "residual");
    if (learned && !residual_read(&c->residual, learned, e)) {
        calibration_fini(c);
        r.failed = true;
    }
    conf_free(conf);
    return !r.failed;
}
