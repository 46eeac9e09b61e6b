/* checkpoint_file.c - a track in the cache directory: a head, an index, a zstd frame per milestone,
 * and one of the marks of its clock, one of how long stretches are.
 *
 * The name says what the pass depends on: program, every parameter that it sees, and what it makes
 * of the others (fluid_timing.h).  A design point that differs only in what the pass does not see
 * finds the track of its neighbour.  What is not whole, or of another version, is as good as
 * nothing: the digest covers the file. */
#include "base/memory/alloc.h"
#include "base/text/digest.h"
#include "base/text/text.h"
#include "base/text/zstd_frame.h"
#include "gpu/functional/warming/checkpoint_track.h"
#include "gpu/machine/load/machine.h"
#include "gpu/metrics/model_version.h"

#include <string.h>

/* Milestones that a file keeps at most. */
enum { FILE_MILESTONES = 128 };

struct entry {
    uint64_t done, bytes, offset, packed; /* offset: from the file's beginning */
};
struct head {
    char magic[8];
    uint32_t version, n;
    struct digest key, content; /* content: of all but itself */
    struct entry tempo;         /* done: where the last launch ended; bytes 0: none */
    struct entry lengths;       /* of stretches, by launch; bytes 0: it is walked whole */
};
static const char MAGIC[8] = "plmtrac3";

/* --- what a pass depends on --- */

/* Parameters that no part of functional.h and functional_caches.h reads, by the beginning of their
 * path.  What fluid_timing.h makes of latencies is in the key as numbers. */
static const char *const unseen[] = {
    "l2.mshr.",
    "l2.miss_management",
    "l2.victim_rule",
    "l2.clean_victim_notice",
    "l2.notice_cycles",
    "l2.eviction_end",
    "l2.victim_hit",
    "l2.line_wait",
    "l2.writeback_buffer",
    "l2.frc.",
    "l2.vc.",
    "l2.latency",
    "l2.extra_latency",
    "l2.data_banks",
    "l2.bank_cycles",
    "l2.miss_queue",
    "l2.reply_queue",
    "l2.nack",
    "noc.topology",
    "noc.sms_per_port",
    "noc.arbitration",
    "noc.latency",
    "noc.columns",
    "noc.placement",
    "noc.router_latency",
    "noc.link_latency",
    "noc.buffer_flits",
    "noc.output_queue",
    "dram.scheduler",
    "dram.hit_cap",
    "dram.page_policy",
    "dram.page_timeout",
    "dram.per_bank_queue",
    "dram.write_",
    "dram.forward_writes",
    "dram.dual_command",
    "dram.per_bank_refresh",
    "dram.power_down_idle",
    "dram.extra_latency",
    "dram.timing.",
    "dram.energy.",
    "energy.",
};

bool warm_track_sees(const char *path)
{
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        if (strncmp(path, unseen[i], strlen(unseen[i])) == 0) return false;
    return true;
}

static void add_pace(struct text *t, const struct pace *p)
{
    text_add(t, "pace %u %u %u %u %u %u", p->queue, p->entries, p->lines, p->ports, p->slices,
             p->channels);
    for (uint32_t i = 0; i < PACE_LEVELS; i++)
        text_add(t, " %.17g", p->latency[i]);
    text_add(t, " %.17g %.17g %.17g %.17g\n", p->slice_cycles, p->channel_cycles, p->channel_miss,
             p->slack);
}

/* false: no memory. */
static bool key_of(const struct walk *w, struct digest *key)
{
    struct text t = {0};
    uint32_t n;
    char **path = machine_paths(&n);
    for (uint32_t i = 0; path && i < n; i++) {
        if (!warm_track_sees(path[i])) continue;
        text_add(&t, "%s=", path[i]);
        machine_get(w->m, path[i], &t);
        text_add(&t, "\n");
    }
    add_pace(&t, &w->caches.pace);
    text_add(&t, "track %d %d %d %zu\n", TRACK_VERSION, SIM_MODEL_VERSION, (int)w->warm,
             sizeof(struct walk));
    bool ok = path && !t.failed;
    if (ok) *key = digest_join(program_digest(w->p), digest_text(text_str(&t)));
    mem_free(path);
    text_fini(&t);
    return ok;
}

bool warm_track_key(const struct warm_track *t, struct digest *key)
{
    return key_of(&t->walk, key);
}

char *warm_track_path(const struct warm_track *t)
{
    struct digest key;
    char hex[33], name[48];
    char *dir = file_cache_dir();
    if (!dir || !key_of(&t->walk, &key)) {
        mem_free(dir);
        return NULL;
    }
    digest_hex(key, hex);
    strcpy(name, hex);
    strcat(name, WARM_TRACK_SUFFIX);
    char *path = file_join(dir, name);
    mem_free(dir);
    return path;
}

/* --- reading --- */

static struct digest content_of(struct head h, const void *rest, size_t n)
{
    h.content = (struct digest){0};
    return digest_join(digest_bytes(&h, sizeof h), digest_bytes(rest, n));
}

static bool sound(const struct filemap *f, const struct digest *key, struct head *h)
{
    if (f->n < sizeof *h) return false;
    memcpy(h, f->bytes, sizeof *h);
    return memcmp(h->magic, MAGIC, sizeof MAGIC) == 0 && h->version == TRACK_VERSION &&
           digest_equal(h->key, *key) && h->n > 0 && h->n <= FILE_MILESTONES + 1 &&
           f->n >= sizeof *h + h->n * sizeof(struct entry) &&
           digest_equal(h->content, content_of(*h, f->bytes + sizeof *h, f->n - sizeof *h));
}

static bool lies_in(const struct filemap *f, const struct entry *e)
{
    if (e->offset > f->n || e->packed > f->n - e->offset) return false;
    return e->packed ? codec_holds(f->bytes + e->offset, e->packed, e->bytes) : e->bytes == 0;
}

/* Every frame lies in the file and is as large as it is said to be; of a pass none before another's
 * moment. */
static bool entries_fit(const struct warm_track *t, const struct head *h)
{
    uint64_t last = 0, launches = program_launches(t->walk.p);
    bool moments = h->lengths.bytes > 0;
    bool fit = lies_in(&t->file, &h->tempo) && lies_in(&t->file, &h->lengths);
    if (moments) fit = fit && t->stretches.serves && h->lengths.bytes == launches * sizeof last;
    for (uint32_t i = 0; fit && i < h->n; i++) {
        struct entry e;
        memcpy(&e, t->file.bytes + sizeof *h + i * sizeof e, sizeof e);
        fit = e.packed && lies_in(&t->file, &e) && (moments || e.done >= last);
        last = e.done;
    }
    return fit;
}

static bool load_tempo(struct warm_track *t, const struct entry *e)
{
    struct tempo *tempo = &t->tempo;
    size_t n = e->bytes / sizeof *tempo->mark;
    if (e->bytes % sizeof *tempo->mark) return false;
    if (!n) return true;
    struct codec *c = codec_new();
    bool ok = c && mem_grow(&tempo->mark, &tempo->cap, n, sizeof *tempo->mark) &&
              codec_unpack(c, tempo->mark, e->bytes, t->file.bytes + e->offset, e->packed);
    codec_free(c);
    if (!ok) return false;
    tempo->n = t->marks_in_file = n;
    tempo->ended = e->done;
    return true;
}

/* What an earlier run has found out of stretches. */
static bool load_lengths(struct warm_track *t, const struct entry *e)
{
    struct stretches *s = &t->stretches;
    struct codec *c = e->bytes ? codec_new() : NULL;
    s->serves = e->bytes > 0;
    s->settled = !s->serves ||
                 (c && codec_unpack(c, s->length, e->bytes, t->file.bytes + e->offset, e->packed));
    codec_free(c);
    if (!s->settled) memset(s->length, 0, e->bytes);
    return s->settled;
}

bool warm_track_load(struct warm_track *t, const char *path)
{
    struct digest key;
    struct error ignored;
    struct head h;
    if (!key_of(&t->walk, &key) || !filemap_open(&t->file, path, &ignored)) return false;
    struct milestone *m = NULL;
    if (sound(&t->file, &key, &h) && entries_fit(t, &h) && load_tempo(t, &h.tempo) &&
        load_lengths(t, &h.lengths))
        m = mem_new((size_t)t->room + h.n, sizeof *m);
    if (!m) {
        filemap_close(&t->file);
        return false;
    }
    for (uint32_t i = 0; i < h.n; i++) {
        struct entry e;
        memcpy(&e, t->file.bytes + sizeof h + i * sizeof e, sizeof e);
        m[i] = (struct milestone){.done = e.done,
                                  .state = t->file.bytes + e.offset,
                                  .bytes = e.bytes,
                                  .packed = e.packed};
    }
    mem_free(t->milestone);
    t->milestone = m;
    t->n = t->n_in_file = h.n;
    t->room += h.n;
    t->behind = true;
    t->reached = t->in_file = m[h.n - 1].done;
    t->next = t->reached + t->step;
    return true;
}

/* --- writing --- */

struct bytes {
    unsigned char *bytes;
    size_t n, cap;
};

static bool add_bytes(struct bytes *b, const void *bytes, size_t n)
{
    if (!mem_grow(&b->bytes, &b->cap, b->n + n, 1)) return false;
    memcpy(b->bytes + b->n, bytes, n);
    b->n += n;
    return true;
}

static bool pack(struct bytes *b, struct codec *c, const void *from, struct entry *e)
{
    size_t bound = codec_bound(e->bytes);
    if (!mem_grow(&b->bytes, &b->cap, b->n + bound, 1)) return false;
    e->packed = codec_pack(c, b->bytes + b->n, bound, from, e->bytes, 1);
    b->n += e->packed;
    return e->packed > 0;
}

static bool add_frame(struct bytes *b, struct codec *c, const struct milestone *m, struct entry *e)
{
    *e = (struct entry){.done = m->done, .bytes = m->bytes, .offset = sizeof(struct head) + b->n};
    if (!m->packed) return pack(b, c, m->state, e);
    e->packed = m->packed;
    return add_bytes(b, m->state, m->packed);
}

static bool add_tempo(struct bytes *b, struct codec *c, const struct tempo *t, struct entry *e)
{
    *e = (struct entry){
        .done = t->ended, .bytes = t->n * sizeof *t->mark, .offset = sizeof(struct head) + b->n};
    return t->n == 0 || pack(b, c, t->mark, e);
}

/* Which of a pass's milestones a file keeps: of many some, and the last. */
struct kept {
    uint32_t first, each, n;
};

static struct kept of_pass(uint32_t n)
{
    uint32_t each = (n + FILE_MILESTONES - 1) / FILE_MILESTONES;
    return (struct kept){0, each, (n - 1) / each + 1 + ((n - 1) % each != 0)};
}

/* Of moments, of which none stands for another, the newest. */
static struct kept of_moments(uint32_t n)
{
    uint32_t first = n > FILE_MILESTONES ? n - FILE_MILESTONES : 0;
    return (struct kept){first, 1, n - first};
}

static bool add_lengths(struct bytes *b, struct codec *c, const struct warm_track *t,
                        struct entry *e)
{
    *e = (struct entry){.offset = sizeof(struct head) + b->n};
    if (!t->stretches.serves) return true;
    e->bytes = program_launches(t->walk.p) * sizeof *t->stretches.length;
    return pack(b, c, t->stretches.length, e);
}

static bool fill(const struct warm_track *t, struct bytes *b, struct head *h)
{
    struct entry entry[FILE_MILESTONES + 1] = {0};
    struct kept k = t->stretches.serves ? of_moments(t->n) : of_pass(t->n);
    struct codec *c = codec_new();
    bool ok = c && add_bytes(b, entry, k.n * sizeof *entry);
    for (uint32_t i = 0; ok && i < k.n; i++) {
        uint32_t at = k.first + i * k.each;
        ok = add_frame(b, c, &t->milestone[at < t->n ? at : t->n - 1], &entry[i]);
    }
    ok = ok && add_tempo(b, c, &t->tempo, &h->tempo) && add_lengths(b, c, t, &h->lengths);
    if (ok) memcpy(b->bytes, entry, k.n * sizeof *entry);
    codec_free(c);
    h->n = k.n;
    return ok;
}

/* The pass stands where nothing of it is kept yet. */
static bool stands_further(const struct warm_track *t)
{
    return !t->behind && t->walk.done > t->in_file && walk_stands(&t->walk);
}

/* Whether it goes further than the file, or has been at other places. */
static bool has_more(const struct warm_track *t)
{
    if (t->stretches.serves) return t->n > t->n_in_file;
    return stands_further(t) || t->n > t->n_in_file || t->tempo.n > t->marks_in_file;
}

/* Its end is kept, too, where it can be left. */
static bool mark_end(struct warm_track *t, struct error *e)
{
    bool marked = t->n && t->milestone[t->n - 1].done == t->walk.done;
    return t->stretches.serves || marked || !stands_further(t) || t->n == t->room ||
           track_mark(t, e);
}

bool warm_track_save(struct warm_track *t, const char *path, struct error *e)
{
    struct head h = {.version = TRACK_VERSION};
    struct bytes b = {0};
    if (t->failed || !t->n || !has_more(t)) return true;
    bool ok = mark_end(t, e);
    ok = ok && (fill(t, &b, &h) && key_of(&t->walk, &h.key) ? true : error_no_memory(e));
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
