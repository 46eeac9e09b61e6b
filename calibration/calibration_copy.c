/* calibration_copy.c - see calibration_copy.h. */
#include "calibration/calibration_copy.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/parsed_copy.h"

#include <string.h>

/* What a file of a calibration says, before its runs. */
struct copied_head {
    double raw_error, cv_error, cv_worst;
    int est_version, sim_version;
    char machine[sizeof((struct calibration *)0)->machine];
    struct digest training;
    uint32_t n; /* of its runs, which follow */
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

static bool take_runs(struct calibration *c, const unsigned char *bytes, size_t n)
{
    struct copied_head h;
    if (n < sizeof h) return false;
    memcpy(&h, bytes, sizeof h);
    if (h.n > CALIBRATE_POINTS_MAX || n - sizeof h != h.n * sizeof *c->run) return false;
    *c = (struct calibration){.raw_error = h.raw_error,
                              .cv_error = h.cv_error,
                              .cv_worst = h.cv_worst,
                              .est_version = h.est_version,
                              .sim_version = h.sim_version,
                              .training = h.training,
                              .n = h.n};
    memcpy(c->machine, h.machine, sizeof c->machine);
    if (!h.n) return true;
    c->run = mem_new_unset(h.n, sizeof *c->run);
    if (c->run) memcpy(c->run, bytes + sizeof h, n - sizeof h);
    return c->run != NULL;
}

static bool take_calibration(struct calibration *c, const struct parsed_copy *k)
{
    size_t n;
    void *bytes = parsed_copy_read(k, &n);
    bool ok = bytes && take_runs(c, bytes, n);
    mem_free(bytes);
    return ok;
}

static void keep_calibration(const struct calibration *c, const struct parsed_copy *k)
{
    struct copied_head h;
    memset(&h, 0, sizeof h); /* padding included: the bytes are kept */
    h.raw_error = c->raw_error;
    h.cv_error = c->cv_error;
    h.cv_worst = c->cv_worst;
    h.est_version = c->est_version;
    h.sim_version = c->sim_version;
    memcpy(h.machine, c->machine, sizeof h.machine);
    h.training = c->training;
    h.n = c->n;
    parsed_copy_write(k, &h, sizeof h, c->run, c->n * sizeof *c->run);
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
