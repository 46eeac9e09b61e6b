/* checkpoint_file.c - checkpoints in the cache directory. A file has a header, an index, one zstd
 * frame per checkpoint, one frame with the marks of the pass clock and one with the lengths of
 * bounded warming.
 *
 * The file's name is a digest of everything that the pass depends on: the program, every parameter
 * that the pass reads, and what fluid_timing.h derives from the others. A design point that differs
 * only in parameters that the pass does not read finds its neighbour's checkpoints. A file that is
 * damaged or of another version is ignored: a digest covers its content. */
#include "base/memory/alloc.h"
#include "base/text/digest.h"
#include "base/text/text.h"
#include "base/text/zstd_frame.h"
#include "gpu/functional/warming/checkpoint_track.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"

#include <string.h>

/* Checkpoints in a file, at most. */
enum { FILE_CHECKPOINTS = 128 };

struct checkpoint_entry {
    uint64_t done, bytes, offset, packed; /* offset: from the file's beginning */
};
struct checkpoint_header {
    char magic[8];
    uint32_t version, n;
    struct digest key, content; /* content: digest of the file without this field */
    struct checkpoint_entry
        clock; /* the clock's marks; done: where the last launch ended; bytes 0: no marks */
    struct checkpoint_entry
        lengths; /* of bounded warming, by launch; bytes 0: the program is executed whole */
};
static const char MAGIC[8] = "plmtrac3";

/* --- what a pass depends on --- */

static void add_pace(struct text *t, const struct fluid_timing *p)
{
    text_add(t, "pace %u %u %u %u %u %u", p->queue, p->entries, p->lines, p->ports, p->slices,
             p->channels);
    for (uint32_t i = 0; i < FLUID_LEVELS; i++)
        text_add(t, " %.17g", p->latency[i]);
    for (uint32_t i = 0; i < 2; i++)
        text_add(t, " %.17g %.17g", p->memory[i].cycles, p->memory[i].miss);
    text_add(t, " %.17g %.17g\n", p->slice_cycles, p->slack);
    if (p->partitions) text_add(t, "link %.17g %.17g\n", p->link_cycles, p->far_cycles);
}

/* false: no memory. */
static bool key_of(const struct warming_pass *w, struct digest *key)
{
    struct text t = {0};
    uint32_t n;
    char **path = machine_paths(&n);
    for (uint32_t i = 0; path && i < n; i++) {
        if (machine_find_param(path[i], NULL, NULL)->seen != PARAM_SEEN) continue;
        text_add(&t, "%s=", path[i]);
        machine_get(w->m, path[i], &t);
        text_add(&t, "\n");
    }
    add_pace(&t, &w->caches.timing);
    text_add(&t, "track %d %d %d %zu\n", TRACK_VERSION, SIM_MODEL_VERSION, (int)w->warm,
             sizeof(struct warming_pass));
    bool ok = path && !t.failed;
    if (ok) *key = digest_join(program_digest(w->functional.p), digest_text(text_str(&t)));
    mem_free(path);
    text_fini(&t);
    return ok;
}

bool checkpoints_key(const struct checkpoints *t, struct digest *key)
{
    return key_of(&t->pass, key);
}

char *checkpoints_path(const struct checkpoints *t)
{
    struct digest key;
    char hex[33], name[48];
    char *dir = file_cache_dir();
    if (!dir || !key_of(&t->pass, &key)) {
        mem_free(dir);
        return NULL;
    }
    digest_hex(key, hex);
    strcpy(name, hex);
    strcat(name, CHECKPOINTS_SUFFIX);
    char *path = file_join(dir, name);
    mem_free(dir);
    return path;
}

/* --- reading --- */

static struct digest content_of(struct checkpoint_header h, const void *rest, size_t n)
{
    h.content = (struct digest){0};
    return digest_join(digest_bytes(&h, sizeof h), digest_bytes(rest, n));
}

static bool is_sound(const struct filemap *f, const struct digest *key, struct checkpoint_header *h)
{
    if (f->n < sizeof *h) return false;
    memcpy(h, f->bytes, sizeof *h);
    return memcmp(h->magic, MAGIC, sizeof MAGIC) == 0 && h->version == TRACK_VERSION &&
           digest_equal(h->key, *key) && h->n > 0 && h->n <= FILE_CHECKPOINTS + 1 &&
           f->n >= sizeof *h + h->n * sizeof(struct checkpoint_entry) &&
           digest_equal(h->content, content_of(*h, f->bytes + sizeof *h, f->n - sizeof *h));
}

static bool lies_in(const struct filemap *f, const struct checkpoint_entry *e)
{
    if (e->offset > f->n || e->packed > f->n - e->offset) return false;
    return e->packed ? zstd_frame_holds(f->bytes + e->offset, e->packed, e->bytes) : e->bytes == 0;
}

/* Whether every frame lies in the file and has the stated size, and the checkpoints of a whole pass
 * are in ascending order. */
static bool entries_fit(const struct checkpoints *t, const struct checkpoint_header *h)
{
    uint64_t last = 0, launches = program_launches(t->pass.functional.p);
    bool moments = h->lengths.bytes > 0;
    bool fit = lies_in(&t->file, &h->clock) && lies_in(&t->file, &h->lengths);
    if (moments) fit = fit && t->bounded.serves && h->lengths.bytes == launches * sizeof last;
    for (uint32_t i = 0; fit && i < h->n; i++) {
        struct checkpoint_entry e;
        memcpy(&e, t->file.bytes + sizeof *h + i * sizeof e, sizeof e);
        fit = e.packed && lies_in(&t->file, &e) && (moments || e.done >= last);
        last = e.done;
    }
    return fit;
}

static bool load_tempo(struct checkpoints *t, const struct checkpoint_entry *e)
{
    struct pass_clock *clock = &t->clock;
    size_t n = e->bytes / sizeof *clock->mark;
    if (e->bytes % sizeof *clock->mark) return false;
    if (!n) return true;
    struct zstd_frame *c = zstd_frame_new();
    bool ok = c && mem_grow(&clock->mark, &clock->cap, n, sizeof *clock->mark) &&
              zstd_frame_unpack(c, clock->mark, e->bytes, t->file.bytes + e->offset, e->packed);
    zstd_frame_free(c);
    if (!ok) return false;
    clock->n = t->marks_in_file = n;
    clock->ended = e->done;
    return true;
}

/* Loads what an earlier run has measured for bounded warming. */
static bool load_lengths(struct checkpoints *t, const struct checkpoint_entry *e)
{
    struct bounded_warming *s = &t->bounded;
    struct zstd_frame *c = e->bytes ? zstd_frame_new() : NULL;
    s->serves = e->bytes > 0;
    s->settled = !s->serves || (c && zstd_frame_unpack(c, s->length, e->bytes,
                                                       t->file.bytes + e->offset, e->packed));
    zstd_frame_free(c);
    if (!s->settled) memset(s->length, 0, e->bytes);
    return s->settled;
}

bool checkpoints_load(struct checkpoints *t, const char *path)
{
    struct digest key;
    struct error ignored;
    struct checkpoint_header h;
    if (!key_of(&t->pass, &key) || !filemap_open(&t->file, path, &ignored)) return false;
    struct checkpoint *m = NULL;
    if (is_sound(&t->file, &key, &h) && entries_fit(t, &h) && load_tempo(t, &h.clock) &&
        load_lengths(t, &h.lengths))
        m = mem_new((size_t)t->room + h.n, sizeof *m);
    if (!m) {
        filemap_close(&t->file);
        return false;
    }
    for (uint32_t i = 0; i < h.n; i++) {
        struct checkpoint_entry e;
        memcpy(&e, t->file.bytes + sizeof h + i * sizeof e, sizeof e);
        m[i] = (struct checkpoint){.done = e.done,
                                   .state = t->file.bytes + e.offset,
                                   .bytes = e.bytes,
                                   .packed = e.packed};
    }
    mem_free(t->checkpoint);
    t->checkpoint = m;
    t->n = t->n_in_file = h.n;
    t->room += h.n;
    t->behind = true;
    t->reached = t->in_file = m[h.n - 1].done;
    t->next = t->reached + t->step;
    return true;
}

/* --- writing --- */

struct byte_buffer {
    unsigned char *bytes;
    size_t n, cap;
};

static bool add_bytes(struct byte_buffer *b, const void *bytes, size_t n)
{
    if (!mem_grow(&b->bytes, &b->cap, b->n + n, 1)) return false;
    memcpy(b->bytes + b->n, bytes, n);
    b->n += n;
    return true;
}

static bool pack_part(struct byte_buffer *b, struct zstd_frame *c, const void *from,
                      struct checkpoint_entry *e)
{
    size_t bound = zstd_frame_bound(e->bytes);
    if (!mem_grow(&b->bytes, &b->cap, b->n + bound, 1)) return false;
    e->packed = zstd_frame_pack(c, b->bytes + b->n, bound, from, e->bytes, 1);
    b->n += e->packed;
    return e->packed > 0;
}

static bool add_frame(struct byte_buffer *b, struct zstd_frame *c, const struct checkpoint *m,
                      struct checkpoint_entry *e)
{
    *e = (struct checkpoint_entry){
        .done = m->done, .bytes = m->bytes, .offset = sizeof(struct checkpoint_header) + b->n};
    if (!m->packed) return pack_part(b, c, m->state, e);
    e->packed = m->packed;
    return add_bytes(b, m->state, m->packed);
}

static bool add_tempo(struct byte_buffer *b, struct zstd_frame *c, const struct pass_clock *t,
                      struct checkpoint_entry *e)
{
    *e = (struct checkpoint_entry){.done = t->ended,
                                   .bytes = t->n * sizeof *t->mark,
                                   .offset = sizeof(struct checkpoint_header) + b->n};
    return t->n == 0 || pack_part(b, c, t->mark, e);
}

/* The checkpoints that are written to a file: `n` of them, every each-th from `first` on, and the
 * last one. */
struct kept {
    uint32_t first, each, n;
};

static struct kept of_pass(uint32_t n)
{
    uint32_t each = (n + FILE_CHECKPOINTS - 1) / FILE_CHECKPOINTS;
    return (struct kept){0, each, (n - 1) / each + 1 + ((n - 1) % each != 0)};
}

/* With bounded warming, where no checkpoint can replace another, the newest are written. */
static struct kept of_moments(uint32_t n)
{
    uint32_t first = n > FILE_CHECKPOINTS ? n - FILE_CHECKPOINTS : 0;
    return (struct kept){first, 1, n - first};
}

static bool add_lengths(struct byte_buffer *b, struct zstd_frame *c, const struct checkpoints *t,
                        struct checkpoint_entry *e)
{
    *e = (struct checkpoint_entry){.offset = sizeof(struct checkpoint_header) + b->n};
    if (!t->bounded.serves) return true;
    e->bytes = program_launches(t->pass.functional.p) * sizeof *t->bounded.length;
    return pack_part(b, c, t->bounded.length, e);
}

static bool fill_file(const struct checkpoints *t, struct byte_buffer *b,
                      struct checkpoint_header *h)
{
    struct checkpoint_entry entry[FILE_CHECKPOINTS + 1] = {0};
    struct kept k = t->bounded.serves ? of_moments(t->n) : of_pass(t->n);
    struct zstd_frame *c = zstd_frame_new();
    bool ok = c && add_bytes(b, entry, k.n * sizeof *entry);
    for (uint32_t i = 0; ok && i < k.n; i++) {
        uint32_t at = k.first + i * k.each;
        ok = add_frame(b, c, &t->checkpoint[at < t->n ? at : t->n - 1], &entry[i]);
    }
    ok = ok && add_tempo(b, c, &t->clock, &h->clock) && add_lengths(b, c, t, &h->lengths);
    if (ok) memcpy(b->bytes, entry, k.n * sizeof *entry);
    zstd_frame_free(c);
    h->n = k.n;
    return ok;
}

/* Whether the pass can pause where it is and has gone beyond the file's checkpoints. */
static bool stands_further(const struct checkpoints *t)
{
    return !t->behind && t->pass.functional.done > t->in_file &&
           functional_can_pause(&t->pass.functional);
}

/* Whether there is something that the file does not have. */
static bool has_more(const struct checkpoints *t)
{
    if (t->bounded.serves) return t->n > t->n_in_file;
    return stands_further(t) || t->n > t->n_in_file || t->clock.n > t->marks_in_file;
}

/* Adds a checkpoint at the pass's last position, if it can pause there. */
static bool mark_end(struct checkpoints *t, struct error *e)
{
    bool marked = t->n && t->checkpoint[t->n - 1].done == t->pass.functional.done;
    return t->bounded.serves || marked || !stands_further(t) || t->n == t->room ||
           checkpoints_add(t, e);
}

bool checkpoints_save(struct checkpoints *t, const char *path, struct error *e)
{
    struct checkpoint_header h = {.version = TRACK_VERSION};
    struct byte_buffer b = {0};
    if (t->failed || !t->n || !has_more(t)) return true;
    bool ok = mark_end(t, e);
    ok = ok && (fill_file(t, &b, &h) && key_of(&t->pass, &h.key) ? true : error_no_memory(e));
    if (ok) {
        memcpy(h.magic, MAGIC, sizeof MAGIC);
        h.content = content_of(h, b.bytes, b.n);
        struct outfile *f = outfile_open(path, e);
        if (f) outfile_write(f, &h, sizeof h), outfile_write(f, b.bytes, b.n);
        ok = f && outfile_commit(f, e);
    }
    mem_free(b.bytes);
    return ok;
}
