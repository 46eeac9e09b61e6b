/* parsed_copy.c - see parsed_copy.h.  A file has a head and one packed block. */
#include "calibration/parsed_copy.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/lz4_block.h"
#include "base/text/version.h"
#include "calibration/place.h"
#include "gpu/metrics/metrics.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COPY_BYTES_MAX = 1 << 30, RATIO_MOST = 255 }; /* of a block: unpacked over packed */

struct copy_head {
    char magic[8];
    struct digest key, check; /* check: of the packed bytes */
    uint64_t plain;           /* bytes of the copy, unpacked */
};
static const char copy_magic[8] = "plumbcp2";

/* --- its name --- */

/* Of what the positions in a copy's arrays stand for. */
static struct digest names;
static pthread_once_t names_once = PTHREAD_ONCE_INIT;

static void find_names(void)
{
    struct digest d = digest_text(PLUMB_VERSION);
    for (uint32_t i = 0; metrics_key(i); i++)
        d = digest_join(d, digest_text(metrics_key(i)));
    for (uint32_t i = 0; i < place_params(); i++)
        d = digest_join(d, digest_text(place_param_name(i)));
    names = d;
}

/* false: it cannot be read, or its digest does not tell all that is in it. */
static bool digest_of_file(const char *file, struct digest *d)
{
    struct error ignored;
    char *text;
    size_t n;
    if (!file_read(file, &text, &n, &ignored)) return false;
    bool whole = !strstr(text, "@include");
    *d = digest_bytes(text, n);
    mem_free(text);
    return whole;
}

void parsed_copy_find(struct parsed_copy *k, const char *file, const char *kind)
{
    char hex[33], name[64];
    *k = (struct parsed_copy){.path = NULL};
    if (!digest_of_file(file, &k->text)) return;
    pthread_once(&names_once, find_names);
    k->key = digest_join(digest_join(k->text, digest_text(kind)), names);
    digest_hex(k->key, hex);
    snprintf(name, sizeof name, "%s.parsed", hex);
    char *dir = file_cache_dir();
    k->path = dir ? file_join(dir, name) : NULL;
    mem_free(dir);
}

void parsed_copy_fini(struct parsed_copy *k)
{
    mem_free(k->path);
    *k = (struct parsed_copy){.path = NULL};
}

/* --- its bytes --- */

static bool is_sound(const struct parsed_copy *k, const struct filemap *m, struct copy_head *h)
{
    if (m->n < sizeof *h) return false;
    memcpy(h, m->bytes, sizeof *h);
    return memcmp(h->magic, copy_magic, sizeof copy_magic) == 0 && digest_equal(h->key, k->key) &&
           digest_equal(h->check, digest_bytes(m->bytes + sizeof *h, m->n - sizeof *h)) &&
           h->plain > 0 && h->plain <= COPY_BYTES_MAX && h->plain / RATIO_MOST <= m->n - sizeof *h;
}

static void *unpack(const unsigned char *packed, size_t packed_bytes, size_t n)
{
    void *out = mem_new_unset(n, 1);
    if (out && lz4_block_unpack(out, n, packed, packed_bytes)) return out;
    mem_free(out);
    return NULL;
}

void *parsed_copy_read(const struct parsed_copy *k, size_t *n)
{
    struct error ignored;
    struct filemap m;
    struct copy_head h;
    void *out = NULL;
    if (!k->path || !file_exists(k->path) || !filemap_open(&m, k->path, &ignored)) return NULL;
    if (is_sound(k, &m, &h)) out = unpack(m.bytes + sizeof h, m.n - sizeof h, (size_t)h.plain);
    *n = out ? (size_t)h.plain : 0;
    filemap_close(&m);
    return out;
}

static void write_file(const struct parsed_copy *k, const void *plain, size_t n)
{
    struct error ignored;
    size_t room = lz4_block_bound(n);
    void *packed = mem_new_unset(room, 1);
    size_t bytes = packed ? lz4_block_pack(packed, room, plain, n) : 0;
    struct outfile *f = bytes ? outfile_open(k->path, &ignored) : NULL;
    struct copy_head h = {.key = k->key, .plain = n};
    if (f) {
        memcpy(h.magic, copy_magic, sizeof copy_magic);
        h.check = digest_bytes(packed, bytes);
        outfile_write(f, &h, sizeof h);
        outfile_write(f, packed, bytes);
        outfile_commit(f, &ignored);
    }
    mem_free(packed);
}

void parsed_copy_write(const struct parsed_copy *k, const void *first, size_t first_bytes,
                       const void *rest, size_t rest_bytes)
{
    size_t n = first_bytes + rest_bytes;
    unsigned char *all = k->path && n <= COPY_BYTES_MAX ? mem_new_unset(n, 1) : NULL;
    if (!all) return;
    if (first_bytes) memcpy(all, first, first_bytes);
    if (rest_bytes) memcpy(all + first_bytes, rest, rest_bytes);
    write_file(k, all, n);
    mem_free(all);
}
