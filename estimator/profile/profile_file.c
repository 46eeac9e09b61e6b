/* profile_file.c - reads and writes profiles: a header (magic, version, key, sizes), then packed
 * sections: one per part of launches, and one with the indices of each launch's parts.  A file that
 * does not fit (version, key, size, checksum of the sections) is treated as if it did not exist. */
#include "estimator/profile/profile_data.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/lz4_block.h"
#include "estimator/profile/sparse_bytes.h"

#include <string.h>

struct file_head {
    char magic[8];
    uint32_t version, launches, launch_bytes, sample_bytes;
    struct digest key;
};

static struct file_head head_of(const struct profile *f, struct digest key)
{
    struct file_head h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, "plumbpr4", 8);
    h.version = PROFILE_VERSION;
    h.launches = f->launches;
    h.launch_bytes = sizeof(struct launch_profile);
    h.sample_bytes = sizeof(struct address_samples);
    h.key = key;
    return h;
}

struct digest profile_key(const struct program *p, const struct profile_view *v,
                          enum profile_detail detail)
{
    const uint8_t exact = detail == PROFILE_EXACT;
    return digest_join(digest_join(program_digest(p), profile_view_digest(v)),
                       digest_bytes(&exact, sizeof exact));
}

/* A section: packed size, size without what is 0 (sparse_bytes.h), digest of the unpacked bytes,
 * checksum of that digest and of the packed bytes, packed bytes. */
struct section_head {
    uint64_t packed, sparse;
    struct digest plain, check;
};

static struct digest checksum_of(struct digest plain, const void *packed, size_t n)
{
    return digest_join(plain, digest_bytes(packed, n));
}

static bool write_section(struct outfile *o, const void *bytes, size_t n, struct digest plain)
{
    size_t cap = lz4_block_bound(sparse_bytes_bound(n));
    void *packed = cap ? mem_new_unset(cap, 1) : NULL;
    void *sparse = mem_new_unset(sparse_bytes_bound(n), 1);
    struct section_head h = {.plain = plain};
    if (packed && sparse) {
        h.sparse = sparse_bytes_pack(sparse, bytes, n);
        h.packed = lz4_block_pack(packed, cap, sparse, h.sparse);
    }
    if (h.packed) {
        h.check = checksum_of(h.plain, packed, h.packed);
        outfile_write(o, &h, sizeof h);
        outfile_write(o, packed, h.packed);
    }
    mem_free(packed);
    mem_free(sparse);
    return h.packed != 0;
}

static bool write_parts(struct outfile *o, const struct parts *p)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < p->n; i++)
        ok = write_section(o, p->item[i], p->size, p->digest[i]);
    return ok;
}

bool profile_save(const struct profile *f, const char *path, struct digest key, struct error *e)
{
    struct outfile *o = outfile_open(path, e);
    struct file_head h = head_of(f, key);
    bool ok = o != NULL;
    const uint32_t parts[2] = {f->profiles.n, f->samples.n};
    if (ok) outfile_write(o, &h, sizeof h);
    if (ok) outfile_write(o, parts, sizeof parts);
    ok = ok && write_parts(o, &f->profiles) && write_parts(o, &f->samples);
    size_t places = f->launches * sizeof *f->place;
    if (ok && places) ok = write_section(o, f->place, places, digest_bytes(f->place, places));
    if (ok) return outfile_commit(o, e);
    if (o) outfile_abort(o);
    return error_run(e, "%s: the profile could not be written", path);
}

struct profile_reading {
    const unsigned char *at, *end;
    void *sparse; /* the section without what is 0 */
    size_t cap;
};

/* bytes: all 0. */
static bool read_section(struct profile_reading *r, void *bytes, size_t n, struct digest *plain)
{
    struct section_head h;
    if ((size_t)(r->end - r->at) < sizeof h) return false;
    memcpy(&h, r->at, sizeof h);
    r->at += sizeof h;
    if ((uint64_t)(r->end - r->at) < h.packed ||
        !digest_equal(checksum_of(h.plain, r->at, (size_t)h.packed), h.check) ||
        h.sparse > sparse_bytes_bound(n) || !mem_grow(&r->sparse, &r->cap, h.sparse, 1) ||
        !lz4_block_unpack(r->sparse, h.sparse, r->at, (size_t)h.packed) ||
        !sparse_bytes_unpack(bytes, n, r->sparse, h.sparse))
        return false;
    r->at += h.packed;
    *plain = h.plain;
    return true;
}

/* Large pages pay for programs of many different launches. */
static void expect_parts(const struct profile *f, const uint32_t parts[2])
{
    enum { MANY_BYTES = 64 << 20 }; /* most of which small launches never touch */
    uint64_t bytes = (uint64_t)parts[0] * f->profiles.size + (uint64_t)parts[1] * f->samples.size;
    if (bytes >= MANY_BYTES) mem_large_pages(MEM_LARGE_HEAP);
}

/* The parts of a file are distinct, as in memory. */
static bool read_parts(struct profile_reading *r, struct parts *p, uint32_t n)
{
    struct digest plain;
    for (uint32_t i = 0; i < n; i++) {
        void *item = mem_new(1, p->size);
        if (!item || !read_section(r, item, p->size, &plain)) {
            mem_free(item);
            return false;
        }
        if (parts_add(p, item, plain) != i) return false;
    }
    return true;
}

static bool places_fit(const struct profile *f)
{
    for (uint32_t i = 0; i < f->launches; i++)
        if (f->place[i].profile >= f->profiles.n || f->place[i].samples >= f->samples.n)
            return false;
    return true;
}

static bool read_all(struct profile *f, struct profile_reading *r, struct digest key)
{
    struct file_head want = head_of(f, key);
    if ((size_t)(r->end - r->at) < sizeof want || memcmp(r->at, &want, sizeof want) != 0)
        return false;
    r->at += sizeof want;
    uint32_t parts[2];
    if ((size_t)(r->end - r->at) < sizeof parts) return false;
    memcpy(parts, r->at, sizeof parts);
    r->at += sizeof parts;
    expect_parts(f, parts);
    if (!read_parts(r, &f->profiles, parts[0]) || !read_parts(r, &f->samples, parts[1]))
        return false;
    struct digest plain;
    if (f->launches && !read_section(r, f->place, f->launches * sizeof *f->place, &plain))
        return false;
    return places_fit(f) && profile_seal(f);
}

struct profile *profile_restore(const struct program *p, const struct profile_view *view,
                                enum profile_detail detail, const char *path, struct digest key)
{
    struct error ignored;
    struct filemap m;
    if (!file_exists(path) || !filemap_open(&m, path, &ignored)) return NULL;
    struct profile *f = profile_new(p, view, detail, &ignored);
    struct profile_reading r = {.at = m.bytes, .end = m.bytes + m.n};
    bool ok = f && read_all(f, &r, key);
    mem_free(r.sparse);
    filemap_close(&m);
    if (ok) return f;
    profile_free(f);
    return NULL;
}
