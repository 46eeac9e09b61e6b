/* bank_blob.c - metrics as they lie in a bank: for each key of a list of names one bit, the first
 * in the lowest bit, then a double for each bit that is set, both as the host has them. */
#include "base/memory/alloc.h"
#include "calibration/bank/bank_internal.h"

#include <math.h>
#include <string.h>

_Static_assert((int)METRICS_KEYS_MAX <= (int)BANK_FILE_KEYS_MAX, "a list has room for all keys");

void bank_values(const struct metrics *m, double out[METRICS_KEYS_MAX])
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        out[i] = NAN;
    for (uint32_t i = 0; metrics_key(i); i++)
        if (!metrics_at(m, i, &out[i])) out[i] = NAN;
}

static uint32_t count_keys(void)
{
    uint32_t n = 0;
    while (metrics_key(n))
        n++;
    return n;
}

size_t bank_blob_pack(const double value[METRICS_KEYS_MAX], unsigned char out[static BANK_BLOB_MAX])
{
    uint32_t n = count_keys();
    size_t bytes = (n + 7) / 8;
    memset(out, 0, bytes);
    for (uint32_t i = 0; i < n; i++) {
        if (!isfinite(value[i])) continue;
        out[i / 8] |= (unsigned char)(1u << (i % 8));
        memcpy(out + bytes, &value[i], sizeof value[i]);
        bytes += sizeof value[i];
    }
    return bytes;
}

bool bank_blob_unpack(const struct bank_keys *k, const void *blob, size_t n,
                      double value[METRICS_KEYS_MAX])
{
    const unsigned char *bits = blob;
    size_t at = (k->n + 7) / 8;
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        value[i] = NAN;
    if (!bits || n < at) return false;
    for (uint32_t i = 0; i < k->n; i++) {
        double v;
        if (!(bits[i / 8] >> (i % 8) & 1)) continue;
        if (n - at < sizeof v) return false;
        memcpy(&v, bits + at, sizeof v);
        at += sizeof v;
        if (!isfinite(v)) return false;
        if (k->key[i] < METRICS_KEYS_MAX) value[k->key[i]] = v;
    }
    return at == n;
}

static int64_t sum_of(struct digest a, struct digest b)
{
    struct digest d = digest_join(a, b);
    int64_t sum;
    memcpy(&sum, &d.lo, sizeof sum);
    return sum;
}

int64_t bank_sum_run(const struct bank_row *r)
{
    struct digest d = digest_join(r->program_digest, r->machine_digest);
    d = digest_join(d, digest_text(engine_name[r->engine]));
    d = digest_join(d, digest_bytes(&r->version, sizeof r->version));
    d = digest_join(d, digest_bytes(&r->log_sd, sizeof r->log_sd));
    return sum_of(d, digest_bytes(r->blob, r->bytes));
}

int64_t bank_sum_machine(const struct bank_machine *m)
{
    struct digest d = digest_join(digest_text(m->name), digest_text(m->preset));
    return sum_of(digest_join(d, m->digest), digest_text(m->config));
}

int64_t bank_sum_estimate(int64_t run, const char *version, const void *blob, size_t n,
                          const void *feature, size_t feature_n)
{
    struct digest d = digest_join(digest_text(version), digest_bytes(&run, sizeof run));
    return sum_of(digest_join(d, digest_bytes(blob, n)), digest_bytes(feature, feature_n));
}

/* --- lists of metrics ------------------------------------------------------------------------- */

/* Fills k->key from names, one a line, whose digest is beside them; false: not sound, or no
 * memory. */
static bool read_names(struct bank_keys *k, sqlite3_stmt *q)
{
    struct digest digest;
    const char *names = (const char *)sqlite3_column_text(q, 0);
    size_t cap = 0;
    if (!names || !bank_read_digest(q, 1, &digest) || !digest_equal(digest, digest_text(names)))
        return false;
    for (; *names; k->n++) {
        char name[BANK_NAME_MAX];
        size_t length = strcspn(names, "\n");
        if (length == 0 || length >= sizeof name || !names[length]) return false;
        if (k->n >= BANK_FILE_KEYS_MAX || !mem_grow(&k->key, &cap, k->n + 1, sizeof *k->key))
            return false;
        memcpy(name, names, length);
        name[length] = '\0';
        k->key[k->n] = metrics_key_index(name);
        names += length + 1;
    }
    return k->n > 0;
}

const struct bank_keys *bank_keys_of(struct bank *b, int64_t id, int *rc)
{
    for (size_t i = 0; i < b->n_maps; i++)
        if (b->map[i].id == id) return b->map[i].key ? &b->map[i] : NULL;
    sqlite3_stmt *q = bank_query(b, BANK_GET_NAMES, rc);
    if (!q) return NULL;
    if (!mem_grow(&b->map, &b->maps_cap, b->n_maps + 1, sizeof *b->map)) {
        *rc = SQLITE_NOMEM;
        return NULL;
    }
    struct bank_keys k = {.id = id};
    sqlite3_bind_int64(q, 1, id);
    int step = sqlite3_step(q);
    bool sound = step == SQLITE_ROW && read_names(&k, q);
    sqlite3_reset(q);
    *rc = step == SQLITE_ROW || step == SQLITE_DONE ? SQLITE_OK : step;
    if (!sound) {
        mem_free(k.key);
        k.key = NULL;
    }
    if (*rc != SQLITE_OK) return NULL;
    b->map[b->n_maps++] = k;
    return sound ? &b->map[b->n_maps - 1] : NULL;
}

int64_t bank_keys_add(struct bank *b, const char *names, int *rc)
{
    struct digest d = digest_text(names);
    sqlite3_stmt *q = bank_query(b, BANK_ADD_KEYS, rc);
    if (!q) return 0;
    bank_bind_digest(q, 1, d);
    bank_bind_text(q, 2, names);
    *rc = bank_run_query(q);
    q = *rc == SQLITE_OK ? bank_query(b, BANK_GET_KEYS, rc) : NULL;
    if (!q) return 0;
    bank_bind_digest(q, 1, d);
    int step = sqlite3_step(q);
    int64_t id = step == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_reset(q);
    *rc = step == SQLITE_ROW ? SQLITE_OK : step == SQLITE_DONE ? SQLITE_CORRUPT : step;
    return id;
}

int64_t bank_keys_own(struct bank *b, int *rc)
{
    struct text names = {0};
    if (b->own_keys) return b->own_keys;
    for (uint32_t i = 0; metrics_key(i); i++)
        text_add(&names, "%s\n", metrics_key(i));
    if (names.failed)
        *rc = SQLITE_NOMEM;
    else
        b->own_keys = bank_keys_add(b, text_str(&names), rc);
    text_fini(&names);
    return b->own_keys;
}
