/* bank_write.c - puts runs and estimates into a bank. */
#include "base/memory/alloc.h"
#include "calibration/bank/bank_internal.h"
#include "gpu/machine/machine.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

_Static_assert((int)PARAM_TEXT_MAX <= (int)BANK_NAME_MAX, "a machine's name fits");

enum { CONFIG_LEVEL = 9 }; /* of zstd; packing one configuration takes less than a millisecond */

/* --- a machine -------------------------------------------------------------------------------- */

static int64_t find_id(sqlite3_stmt *q, int *rc)
{
    int step = sqlite3_step(q);
    int64_t id = step == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_reset(q);
    *rc = step == SQLITE_ROW || step == SQLITE_DONE ? SQLITE_OK : step;
    return id;
}

static int64_t find_by_digest(struct bank *b, enum bank_statement which, struct digest d, int *rc)
{
    sqlite3_stmt *q = bank_query(b, which, rc);
    if (!q) return 0;
    bank_bind_digest(q, 1, d);
    return find_id(q, rc);
}

/* A machine of that name whose configuration is packed alone; 0: there is none. */
static int64_t find_base(struct bank *b, const char *name, int *rc)
{
    sqlite3_stmt *q = bank_query(b, BANK_GET_BASE, rc);
    if (!q) return 0;
    bank_bind_text(q, 1, name);
    return find_id(q, rc);
}

struct packed_config {
    void *bytes;
    size_t n;
    int64_t base; /* 0: alone */
};

/* Packs with the base if that takes at most a quarter; false: no memory. */
static bool pack_config(struct bank *b, const char *config, const char *base_config, int64_t base,
                        struct packed_config *p)
{
    size_t n = strlen(config) + 1, cap = zstd_frame_bound(n);
    p->bytes = mem_new(cap, 1);
    if (!p->bytes) return false;
    p->n = zstd_frame_pack(b->frame, p->bytes, cap, config, n, CONFIG_LEVEL);
    void *like = base_config ? mem_new(cap, 1) : NULL;
    size_t m = like ? zstd_frame_pack_like(b->frame, like, cap, config, n, base_config,
                                           strlen(base_config) + 1, CONFIG_LEVEL)
                    : 0;
    if (m && m < p->n / 4) {
        mem_free(p->bytes);
        *p = (struct packed_config){.bytes = like, .n = m, .base = base};
        return true;
    }
    mem_free(like);
    return p->n > 0;
}

static void add_machine(struct bank *b, const struct bank_machine *m, const struct packed_config *p,
                        int *rc)
{
    size_t n = strlen(m->config) + 1;
    sqlite3_stmt *q = bank_query(b, BANK_ADD_MACHINE, rc);
    if (!q) return;
    bank_bind_digest(q, 1, m->digest);
    bank_bind_text(q, 2, m->name);
    bank_bind_text(q, 3, m->preset);
    if (p->base) sqlite3_bind_int64(q, 4, p->base);
    sqlite3_bind_int64(q, 5, (int64_t)n);
    sqlite3_bind_blob64(q, 6, p->bytes, p->n, SQLITE_STATIC);
    sqlite3_bind_int64(q, 7, bank_sum_machine(m));
    *rc = bank_run_query(q);
}

int64_t bank_write_machine(struct bank *b, const struct bank_machine *m, int *rc)
{
    int64_t id = find_by_digest(b, BANK_GET_MACHINE, m->digest, rc);
    if (id || *rc != SQLITE_OK) return id;
    if (strlen(m->config) >= BANK_TEXT_MAX) {
        *rc = SQLITE_TOOBIG;
        return 0;
    }
    struct packed_config p = {0};
    int64_t base = find_base(b, m->name, rc);
    char *base_config = *rc == SQLITE_OK && base ? bank_config_of(b, base, rc) : NULL;
    if (*rc == SQLITE_OK && !pack_config(b, m->config, base_config, base, &p)) *rc = SQLITE_NOMEM;
    if (*rc == SQLITE_OK) add_machine(b, m, &p, rc);
    mem_free(base_config);
    mem_free(p.bytes);
    return *rc == SQLITE_OK ? sqlite3_last_insert_rowid(b->db) : 0;
}

/* --- the rest of a run ------------------------------------------------------------------------ */

int64_t bank_write_program(struct bank *b, struct digest program, const char *name, int *rc)
{
    sqlite3_stmt *q = bank_query(b, BANK_ADD_PROGRAM, rc);
    if (!q) return 0;
    bank_bind_digest(q, 1, program);
    bank_bind_text(q, 2, name);
    sqlite3_bind_int64(q, 3, (int64_t)time(NULL));
    *rc = bank_run_query(q);
    int64_t id = *rc == SQLITE_OK ? find_by_digest(b, BANK_GET_PROGRAM, program, rc) : 0;
    q = id ? bank_query(b, BANK_USE_PROGRAM, rc) : NULL;
    if (!q) return 0;
    sqlite3_bind_int64(q, 1, id);
    sqlite3_bind_int64(q, 2, (int64_t)time(NULL));
    *rc = bank_run_query(q);
    return id;
}

void bank_write_row(struct bank *b, const struct bank_row *r, bool *added, int *rc)
{
    int before = sqlite3_total_changes(b->db);
    sqlite3_stmt *q = bank_query(b, BANK_ADD_RUN, rc);
    if (!q) return;
    sqlite3_bind_int64(q, 1, r->program);
    sqlite3_bind_int64(q, 2, r->machine);
    bank_bind_text(q, 3, engine_name[r->engine]);
    sqlite3_bind_int(q, 4, r->version);
    sqlite3_bind_double(q, 5, r->log_sd);
    sqlite3_bind_int64(q, 6, r->keys);
    sqlite3_bind_blob64(q, 7, r->blob, r->bytes, SQLITE_STATIC);
    sqlite3_bind_int64(q, 8, bank_sum_run(r));
    *rc = bank_run_query(q);
    *added = *rc == SQLITE_OK && sqlite3_total_changes(b->db) != before;
}

/* --- transactions ----------------------------------------------------------------------------- */

bool bank_write_end(struct bank *b, int rc, struct error *e)
{
    if (rc == SQLITE_OK) rc = bank_run_plain(b, BANK_COMMIT);
    if (rc != SQLITE_OK) bank_run_plain(b, BANK_ROLLBACK);
    if (rc == SQLITE_OK) rc = bank_keep_bound(b);
    b->failures = rc == SQLITE_OK ? 0 : b->failures + 1;
    return bank_conclude(b, rc, e);
}

static int put_run(struct bank *b, const struct bank_put *run, const char *config)
{
    double value[METRICS_KEYS_MAX];
    unsigned char blob[BANK_BLOB_MAX];
    int rc = bank_run_plain(b, BANK_BEGIN_WRITE);
    const struct bank_machine m = {.digest = machine_digest(run->machine),
                                   .name = run->machine->name,
                                   .preset = run->machine->preset,
                                   .config = config};
    struct bank_row row = {.program_digest = run->program,
                           .machine_digest = m.digest,
                           .engine = run->engine,
                           .version = b->version.of[run->engine],
                           .log_sd = run->log_sd,
                           .blob = blob};
    char name[BANK_NAME_MAX];
    bool added;
    snprintf(name, sizeof name, "%s", run->program_name);
    bank_values(run->metrics, value);
    row.bytes = bank_blob_pack(value, blob);
    if (rc == SQLITE_OK && digest_equal(m.digest, (struct digest){0})) rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK) row.machine = bank_write_machine(b, &m, &rc);
    if (rc == SQLITE_OK) row.program = bank_write_program(b, run->program, name, &rc);
    if (rc == SQLITE_OK) row.keys = bank_keys_own(b, &rc);
    if (rc == SQLITE_OK) bank_write_row(b, &row, &added, &rc);
    return rc;
}

double bank_log_sd(double half_width, double level)
{
    return log1p(half_width) / gsl_cdf_ugaussian_Pinv((1 + level) / 2);
}

bool bank_put(struct bank *b, const struct bank_put *run, struct error *e)
{
    struct text config = {0};
    double cycles = run->metrics->v[M_cycles];
    if (!run->metrics->has[M_cycles] || !(cycles > 0) || !(run->log_sd >= 0) ||
        !isfinite(run->log_sd))
        return error_run(e, "a run without cycles, or of unknown exactness, teaches nothing");
    machine_dump(run->machine, &config);
    bank_lock(b);
    bool ok =
        bank_may_write(b, e) &&
        bank_write_end(b, config.failed ? SQLITE_NOMEM : put_run(b, run, text_str(&config)), e);
    bank_unlock(b);
    text_fini(&config);
    return ok;
}

/* --- estimates -------------------------------------------------------------------------------- */

static int put_estimate(struct bank *b, const char *version, const struct bank_estimate *item)
{
    unsigned char blob[BANK_BLOB_MAX];
    int rc = SQLITE_OK;
    size_t n = bank_blob_pack(item->estimated, blob), m = item->features * sizeof *item->feature;
    int64_t keys = bank_keys_own(b, &rc);
    sqlite3_stmt *q = rc == SQLITE_OK ? bank_query(b, BANK_ADD_ESTIMATE, &rc) : NULL;
    if (!q) return rc;
    sqlite3_bind_int64(q, 1, item->run);
    bank_bind_text(q, 2, version);
    sqlite3_bind_int64(q, 3, keys);
    sqlite3_bind_blob64(q, 4, blob, n, SQLITE_TRANSIENT);
    sqlite3_bind_blob64(q, 5, m ? (const void *)item->feature : "", m, SQLITE_STATIC);
    sqlite3_bind_int64(q, 6, bank_sum_estimate(item->run, version, blob, n, item->feature, m));
    rc = bank_run_query(q);
    q = rc == SQLITE_OK ? bank_query(b, BANK_DROP_OLD_ESTIMATES, &rc) : NULL;
    if (!q) return rc;
    sqlite3_bind_int64(q, 1, item->run);
    return bank_run_query(q);
}

static bool are_sound(const struct bank_estimate *item, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (item[i].features > BANK_FEATURES_MAX) return false;
        for (uint32_t k = 0; k < item[i].features; k++)
            if (!isfinite(item[i].feature[k])) return false;
    }
    return true;
}

bool bank_put_estimates(struct bank *b, const char *estimator, const struct bank_estimate *item,
                        size_t n, struct error *e)
{
    if (strlen(estimator) >= BANK_NAME_MAX || !are_sound(item, n))
        return error_run(e,
                         "an estimate for the bank has a feature that is no number, or too many");
    bank_lock(b);
    bool ok = bank_may_write(b, e);
    if (ok) {
        int rc = bank_run_plain(b, BANK_BEGIN_WRITE);
        for (size_t i = 0; rc == SQLITE_OK && i < n; i++)
            rc = put_estimate(b, estimator, &item[i]);
        ok = bank_write_end(b, rc, e);
    }
    bank_unlock(b);
    return ok;
}
