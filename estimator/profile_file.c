/* profile_file.c - profiles on disk: a header (magic, version, key, sizes), then packed sections,
 * one per launch part.  Whatever does not fit (version, key, size, checksum of the frames) is as if
 * it were not there. */
#include "estimator/profile_data.h"

#include "base/codec.h"
#include "base/file.h"
#include "base/mem.h"

#include <string.h>

/* Changes whenever a profile's content or meaning does. */
enum { PROFILE_VERSION = 29, PROFILE_LEVEL = 3 };

struct file_head {
    char magic[8];
    uint32_t version, launches, launch_bytes, sample_bytes;
    struct digest key;
};

static struct file_head head_of(const struct profile *f, struct digest key)
{
    struct file_head h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, "plumbprf", 8);
    h.version = PROFILE_VERSION;
    h.launches = f->launches;
    h.launch_bytes = sizeof(struct launch_profile);
    h.sample_bytes = SAMPLE_STREAMS * sizeof(struct block_sample) + sizeof(struct spread_sample) +
                     sizeof(struct line_sample);
    h.key = key;
    return h;
}

struct digest profile_key(const struct program *p, const struct profile_view *v)
{
    uint32_t field[] = {PROFILE_VERSION,
                        v->sms,
                        v->warp_width,
                        v->max_warps,
                        v->max_ctas,
                        v->registers,
                        v->shared_kb,
                        v->load_lanes,
                        v->store_lanes,
                        v->atomic_lanes,
                        v->coalesce_bytes,
                        v->l1_line,
                        v->l1_sector,
                        v->l2_line,
                        v->l2_sector,
                        (uint32_t)v->l1_write_miss,
                        (uint32_t)v->l2_write_miss,
                        v->l1_modulo,
                        v->l2_modulo,
                        v->l1_class_bytes,
                        v->l1_adaptive,
                        (uint32_t)v->l1_emptied,
                        v->fence_empties,
                        v->l1_keeps_own,
                        v->l1_parts_leave,
                        v->copy_warms,
                        v->copy_soils,
                        (uint32_t)v->keeps.write,
                        v->keeps.local_back,
                        v->keeps.takes,
                        v->keeps.loads_round,
                        v->keeps.combine_lines,
                        v->keeps.l1_lines,
                        (uint32_t)v->wait,
                        v->subcores,
                        v->shared_banks,
                        (uint32_t)v->binding};
    double warps[WARP_VIEW_NUMBERS];
    uint32_t bypass[BYPASS_VIEW_NUMBERS];
    warp_view_numbers(&v->warps, warps);
    bypass_view_numbers(&v->bypass, bypass);
    struct digest view =
        digest_join(digest_bytes(field, sizeof field), digest_bytes(warps, sizeof warps));
    view = digest_join(view, digest_bytes(bypass, sizeof bypass));
    return digest_join(program_digest(p), view);
}

/* A section: packed size, digest of the plain bytes, packed bytes. */
struct section_head {
    uint64_t packed;
    struct digest plain;
};

static bool write_section(struct outfile *o, struct codec *c, const void *bytes, size_t n)
{
    size_t cap = codec_bound(n);
    void *packed = mem_new(cap, 1);
    struct section_head h = {.packed =
                                 packed ? codec_pack(c, packed, cap, bytes, n, PROFILE_LEVEL) : 0,
                             .plain = digest_bytes(bytes, n)};
    if (h.packed) {
        outfile_write(o, &h, sizeof h);
        outfile_write(o, packed, h.packed);
    }
    mem_free(packed);
    return h.packed != 0;
}

bool profile_save(const struct profile *f, const char *path, struct digest key, struct error *e)
{
    struct codec *c = codec_new();
    struct outfile *o = c ? outfile_open(path, e) : NULL;
    struct file_head h = head_of(f, key);
    bool ok = o != NULL;
    if (ok) outfile_write(o, &h, sizeof h);
    for (uint32_t i = 0; ok && i < f->launches; i++)
        ok = write_section(o, c, &f->launch[i], sizeof f->launch[i]) &&
             write_section(o, c, &f->spread[i], sizeof f->spread[i]) &&
             write_section(o, c, &f->rows[i], sizeof f->rows[i]) &&
             write_section(o, c, &f->lines[i], sizeof f->lines[i]);
    if (ok && f->launches) ok = write_section(o, c, f->likeness, f->launches * sizeof *f->likeness);
    codec_free(c);
    if (ok) return outfile_commit(o, e);
    if (o) outfile_abort(o);
    return error_run(e, "%s: the profile could not be written", path);
}

struct reading {
    const unsigned char *at, *end;
    struct codec *c;
};

static bool read_section(struct reading *r, void *bytes, size_t n)
{
    struct section_head h;
    if ((size_t)(r->end - r->at) < sizeof h) return false;
    memcpy(&h, r->at, sizeof h);
    r->at += sizeof h;
    if ((uint64_t)(r->end - r->at) < h.packed ||
        !codec_unpack(r->c, bytes, n, r->at, (size_t)h.packed))
        return false;
    r->at += h.packed;
    return digest_equal(digest_bytes(bytes, n), h.plain);
}

static bool read_all(struct profile *f, struct reading *r, struct digest key)
{
    struct file_head want = head_of(f, key);
    if ((size_t)(r->end - r->at) < sizeof want || memcmp(r->at, &want, sizeof want) != 0)
        return false;
    r->at += sizeof want;
    for (uint32_t i = 0; i < f->launches; i++) {
        bool ok = read_section(r, &f->launch[i], sizeof f->launch[i]) &&
                  read_section(r, &f->spread[i], sizeof f->spread[i]) &&
                  read_section(r, &f->rows[i], sizeof f->rows[i]) &&
                  read_section(r, &f->lines[i], sizeof f->lines[i]);
        if (!ok) return false;
    }
    profile_seal(f);
    return !f->launches || read_section(r, f->likeness, f->launches * sizeof *f->likeness);
}

struct profile *profile_restore(const struct program *p, const struct profile_view *view,
                                const char *path, struct digest key)
{
    struct error ignored;
    struct filemap m;
    if (!file_exists(path) || !filemap_open(&m, path, &ignored)) return NULL;
    struct profile *f = profile_new(p, view, &ignored);
    struct reading r = {m.bytes, m.bytes + m.n, codec_new()};
    bool ok = f && r.c && read_all(f, &r, key);
    codec_free(r.c);
    filemap_close(&m);
    if (ok) return f;
    profile_free(f);
    return NULL;
}
