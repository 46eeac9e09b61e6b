/* calibration_copy.c - see calibration_copy.h. */
#include "calibration/calibration_copy.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/parsed_copy.h"

#include <string.h>

/* What a file of a calibration says besides its runs; a copy has it behind them. */
struct copied_tail {
    double raw_error, cv_error, cv_worst;
    int est_version, sim_version;
    char machine[sizeof((struct calibration *)0)->machine];
    struct digest training;
    uint32_t n; /* runs */
};

static bool digest_of_text(const char *path, const struct parsed_copy *k, struct digest *d,
                           struct error *e)
{
    static const struct digest none;
    char *bytes;
    size_t n;
    *d = k->text;
    if (!digest_equal(*d, none)) return true;
    if (!file_read(path, &bytes, &n, e)) return false;
    *d = digest_bytes(bytes, n);
    mem_free(bytes);
    return true;
}

/* The runs stay where they are: on true the calibration has the bytes. */
static bool take_bytes(struct calibration *c, unsigned char *bytes, size_t n)
{
    struct copied_tail t;
    if (n < sizeof t) return false;
    memcpy(&t, bytes + n - sizeof t, sizeof t);
    if (t.n > CALIBRATE_POINTS_MAX || n - sizeof t != t.n * sizeof *c->run) return false;
    *c = (struct calibration){.run = (struct known_run *)(void *)bytes,
                              .n = t.n,
                              .raw_error = t.raw_error,
                              .cv_error = t.cv_error,
                              .cv_worst = t.cv_worst,
                              .est_version = t.est_version,
                              .sim_version = t.sim_version,
                              .training = t.training};
    memcpy(c->machine, t.machine, sizeof c->machine);
    c->machine[sizeof c->machine - 1] = '\0';
    return true;
}

static bool take_calibration(struct calibration *c, const struct parsed_copy *k)
{
    size_t n;
    void *bytes = parsed_copy_read(k, &n);
    if (bytes && take_bytes(c, bytes, n)) return true;
    mem_free(bytes);
    return false;
}

static void keep_calibration(const struct calibration *c, const struct parsed_copy *k)
{
    struct copied_tail t;
    memset(&t, 0, sizeof t); /* padding included: the bytes are kept */
    t.raw_error = c->raw_error;
    t.cv_error = c->cv_error;
    t.cv_worst = c->cv_worst;
    t.est_version = c->est_version;
    t.sim_version = c->sim_version;
    memcpy(t.machine, c->machine, sizeof t.machine);
    t.training = c->training;
    t.n = c->n;
    parsed_copy_write(k, c->run, c->n * sizeof *c->run, &t, sizeof t);
}

bool calibration_read(struct calibration *c, const char *path, struct digest *text, struct error *e)
{
    struct parsed_copy k;
    parsed_copy_find(&k, path, "calibration 1");
    bool ok = take_calibration(c, &k);
    if (!ok) {
        ok = calibration_load(c, path, e);
        if (ok) keep_calibration(c, &k);
    }
    ok = ok && digest_of_text(path, &k, text, e);
    parsed_copy_fini(&k);
    return ok;
}

static bool take_ranges(struct range_model *r, const struct parsed_copy *k)
{
    size_t n;
    void *bytes = parsed_copy_read(k, &n);
    bool ok = bytes && n == sizeof *r;
    if (ok) memcpy(r, bytes, n);
    mem_free(bytes);
    return ok;
}

bool range_model_read(struct range_model *r, const char *path, struct digest *text, struct error *e)
{
    struct parsed_copy k;
    parsed_copy_find(&k, path, "ranges 1");
    bool ok = take_ranges(r, &k);
    if (!ok) {
        ok = range_model_load(r, path, e);
        if (ok) parsed_copy_write(&k, r, sizeof *r, NULL, 0);
    }
    ok = ok && digest_of_text(path, &k, text, e);
    parsed_copy_fini(&k);
    return ok;
}
